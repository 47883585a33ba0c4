import ky from 'ky';
import * as z from 'zod/mini';
import type { Job, Service } from '../job';
import * as schemas from './schemas';

const postListSchema = z.array(schemas.postSchema);

/** The limit of what ours is built on: `ky(…).json(schema)`. */
export function connect({ baseUrl, apiKey }: Service): Job {
  const api = ky.create({ prefix: `${baseUrl}/api/v2`, headers: { 'X-API-Key': apiKey } });
  return {
    me: () => api.get('me').json(schemas.identitySchema),
    article: (id) => api.get(`articles/${id}`).json(schemas.articleSchema),
    posts: () => api.get('posts', { searchParams: { limit: 100 } }).json(postListSchema),
    articles: (updated_since) =>
      api.get('articles', { searchParams: { status: 'all', updated_since } }).json(schemas.articleListSchema),
  };
}

export { schemas };
