import createClient from 'openapi-fetch';
import type { paths } from './generated/schema';

export function connect(baseUrl: string, apiKey: string) {
  const api = createClient<paths>({ baseUrl: `${baseUrl}/api/v2`, headers: { 'X-API-Key': apiKey } });
  return {
    list: (updated_since: string) => api.GET('/articles', { params: { query: { updated_since } } }),
    get: (article_id: number) => api.GET('/articles/{article_id}', { params: { path: { article_id } } }),
    confirm: (article_id: number, rendered_url: string) =>
      api.POST('/articles/{article_id}/confirm', { params: { path: { article_id } }, body: { rendered_url } }),
  };
}
