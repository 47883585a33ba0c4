import createClient from 'openapi-fetch';
import type { Job, Service } from '../job';
import type { paths } from './generated/schema';

export function connect({ baseUrl, apiKey }: Service): Job {
  const api = createClient<paths>({ baseUrl: `${baseUrl}/api/v2`, headers: { 'X-API-Key': apiKey } });
  return {
    me: async () => bodyOf(await api.GET('/me')),
    article: async (article_id) =>
      bodyOf(await api.GET('/articles/{article_id}', { params: { path: { article_id } } })),
    posts: async () => bodyOf(await api.GET('/posts', { params: { query: { limit: 100 } } })),
    articles: async (updated_since) =>
      bodyOf(await api.GET('/articles', { params: { query: { status: 'all', updated_since } } })),
  };
}

function bodyOf<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw error;
  return data;
}
