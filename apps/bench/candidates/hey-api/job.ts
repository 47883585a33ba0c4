import type { Job, Service } from '../job';
import { createClient } from './generated/client';
import { articlesGet, articlesList, me, postsList } from './generated/sdk.gen';

export function connect({ baseUrl, apiKey }: Service): Job {
  const client = createClient({ baseUrl: `${baseUrl}/api/v2`, auth: apiKey });
  const options = { client, throwOnError: true } as const;
  return {
    me: async () => (await me(options)).data,
    article: async (article_id) => (await articlesGet({ ...options, path: { article_id } })).data,
    posts: async () => (await postsList({ ...options, query: { limit: 100 } })).data,
    articles: async (updated_since) =>
      (await articlesList({ ...options, query: { status: 'all', updated_since } })).data,
  };
}
