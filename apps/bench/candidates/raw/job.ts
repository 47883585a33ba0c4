import type { Job, Service } from '../job';

/** The limit: only the request, the check of its status, and the parsing of its response. */
export function connect({ baseUrl, apiKey }: Service): Job {
  const get = async (path: string) => {
    const response = await fetch(`${baseUrl}/api/v2${path}`, { headers: { 'X-API-Key': apiKey } });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return JSON.parse(await response.text());
  };
  return {
    me: () => get('/me'),
    article: (id) => get(`/articles/${id}`),
    posts: () => get('/posts?limit=100'),
    articles: (updated_since) => get(`/articles?status=all&updated_since=${encodeURIComponent(updated_since)}`),
  };
}
