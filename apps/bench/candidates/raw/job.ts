import type { Job, Service } from '../job';

/** The limit: nothing but the request and the parsing of its answer. */
export function connect({ baseUrl, apiKey }: Service): Job {
  const get = async (path: string) => {
    const response = await fetch(`${baseUrl}/api/v2${path}`, { headers: { 'X-API-Key': apiKey } });
    return JSON.parse(await response.text());
  };
  return {
    article: (id) => get(`/articles/${id}`),
    posts: () => get('/posts?limit=100'),
    articles: (updated_since) => get(`/articles?status=all&updated_since=${encodeURIComponent(updated_since)}`),
  };
}
