// A Worker that serves the articles of a brand to the visitors of its sites, and keeps the key.
import { Client } from 'multilocal';
import { type ArticlesProxy, articlesProxy } from 'multilocal/proxy';

interface Env {
  /** A secret: `wrangler secret put MULTILOCAL_API_KEY`. A key with the permission `read` is enough. */
  MULTILOCAL_API_KEY: string;
  MULTILOCAL_BASE_URL: string;
  /** The origins whose pages may ask, with commas between them: `https://www.example.com,https://blog.example.com`. */
  ORIGINS: string;
}

/** One for the whole isolate, since it holds what was read and what visitors have spent; `env` comes with a request. */
let proxy: ArticlesProxy | undefined;

export default {
  fetch(request: Request, env: Env, context: { waitUntil(work: Promise<unknown>): void }): Promise<Response> {
    proxy ??= createProxy(env);
    // With the context, an old answer is given at once and renewed after it.
    return proxy(request, context);
  },
};

function createProxy({ MULTILOCAL_API_KEY, MULTILOCAL_BASE_URL, ORIGINS }: Env): ArticlesProxy {
  return articlesProxy({
    client: new Client({ apiKey: MULTILOCAL_API_KEY, baseUrl: MULTILOCAL_BASE_URL }),
    path: '/content',
    origins: ORIGINS.split(',').map((origin) => origin.trim()),
    // Visitors are told nothing of a failure; the log is, and no error of the client holds the key.
    onError: (error) => console.error(error),
  });
}
