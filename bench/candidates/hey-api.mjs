import { createClient } from '../dist/hey-api/client';
import { articlesGet, articlesList, postsList } from '../dist/hey-api/sdk.gen';

/** The client that hey-api generates from our OpenAPI document. It checks parameters and responses with zod/mini. */
export function connect({ baseUrl, apiKey }) {
  const client = createClient({ baseUrl: `${baseUrl}/api/v2`, auth: apiKey });
  const options = { client, throwOnError: true };
  return {
    article: async (article_id) => (await articlesGet({ ...options, path: { article_id } })).data,
    posts: async () => (await postsList({ ...options, query: { limit: 100 } })).data,
    articles: async (updated_since) =>
      (await articlesList({ ...options, query: { status: 'all', updated_since } })).data,
  };
}
