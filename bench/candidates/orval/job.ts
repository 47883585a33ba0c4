import type { Job, Service } from '../job';
import { articlesGet, articlesList, postsList } from './generated/client';

export function connect({ baseUrl, apiKey }: Service): Job {
  // The address that the generated code reads: see `orval.config.mjs`.
  Object.assign(globalThis, { API_URL: `${baseUrl}/api/v2` });
  const options = { headers: { 'X-API-Key': apiKey } };
  return {
    article: (id) => articlesGet(id, options),
    posts: () => postsList({ limit: 100 }, options),
    articles: (updated_since) => articlesList({ status: 'all', updated_since }, options),
  };
}
