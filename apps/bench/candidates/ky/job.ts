import ky from 'ky';
import type { Job, Service } from '../job';

export function connect({ baseUrl, apiKey }: Service): Job {
  const api = ky.create({ prefix: `${baseUrl}/api/v2`, headers: { 'X-API-Key': apiKey } });
  return {
    me: () => api.get('me').json(),
    article: (id) => api.get(`articles/${id}`).json(),
    posts: () => api.get('posts', { searchParams: { limit: 100 } }).json(),
    articles: (updated_since) => api.get('articles', { searchParams: { status: 'all', updated_since } }).json(),
  };
}
