// A Worker that serves the articles of a brand to the visitors of its sites and keeps the key secret.
import { Client } from 'multilocal';
import { type ArticlesProxy, articlesProxy } from 'multilocal/proxy';

interface Env {
  /** A secret: `wrangler secret put MULTILOCAL_API_KEY`. A key with the permission `read` is enough. */
  MULTILOCAL_API_KEY: string;
  MULTILOCAL_BASE_URL: string;
  /**
   * Origins whose pages may read the responses, separated by commas:
   * `https://www.example.com,https://blog.example.com`.
   */
  ORIGINS: string;
}

/** One proxy for the whole isolate, because it holds the copy and the used budget. `env` comes with each request. */
let proxy: ArticlesProxy | undefined;

export default {
  fetch(request: Request, env: Env, context: { waitUntil(work: Promise<unknown>): void }): Promise<Response> {
    proxy ??= createProxy(env);
    // With the context, visitors get their response immediately, and the proxy brings its copy up to date afterwards.
    return proxy(request, context);
  },
};

function createProxy({ MULTILOCAL_API_KEY, MULTILOCAL_BASE_URL, ORIGINS }: Env): ArticlesProxy {
  return articlesProxy({
    client: new Client({ apiKey: MULTILOCAL_API_KEY, baseUrl: MULTILOCAL_BASE_URL }),
    path: '/content',
    origins: ORIGINS.split(',').map((origin) => origin.trim()),
    // Visitors get no details of a failure. The log does, and errors of the client never contain the key.
    onError: (error) => console.error(error),
  });
}
