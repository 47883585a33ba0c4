import { Answers } from './response.js';
import type { Background } from './cache.js';
import { type ArticlesProxyOptions, resolveSettings } from './options.js';
import { checkNoQuery, listQuery, METHODS, type Route, renderedUrl, routeOf } from './request.js';
import { Refusal, refusalOf } from './refusal.js';
import { Source } from './source.js';

export type {
  ArticlesProxyOptions,
  ArticlesSource,
  ProxyBudgetOptions,
  ProxyCacheOptions,
  ProxyConfirmOptions,
} from './options.js';

/**
 * A handler as Workers, Deno, Bun, Next and Hono call it. Never rejects.
 *
 * Hand the runtime's context on where there is one (`ctx` of a Worker): its `waitUntil` lets work go on after the
 * answer. Everything else in `context` is ignored.
 */
export type ArticlesProxy = (request: Request, ...context: unknown[]) => Promise<Response>;

/**
 * Serve the articles to visitors, and keep the key on the server: lists, single articles and confirmations, no more.
 *
 * Answers `GET {path}/api/v2/articles`, `GET {path}/api/v2/articles/{id}` and `POST {path}/api/v2/articles/{id}/confirm`,
 * so an `ArticlesClient` without a key and with the proxy's address as `baseUrl` works: `list`, `get`, `changes`,
 * `confirm`. Only published articles of the client's scope are shown; a draft is a 404, and `status=draft` or
 * `status=all` (which `sync` and `syncTo` ask for) a 403. Parameters that the routes do not know are a 400.
 *
 * Nothing of a visitor's request goes to the service but checked values. Answers are kept in memory: one request to the
 * service however many visitors ask, and old answers while it fails. Lists bring the single articles with them. The
 * memory is that of one process or isolate: put a CDN before it where there are many.
 *
 * What was unpublished can be seen for `maxAge` + `staleWhileRevalidate` longer, and for `maxAge` + `staleIfError` while
 * the service fails or the budget is spent. The first article of each location costs a second request, which looks
 * whether the location is in the client's scope, unless a list has shown it. Whoever
 * reaches the proxy can confirm: the same page of the same article counts once in `maxAge`, and `confirm` bounds the
 * rest. Failures reach visitors as 502, 503 with `Retry-After`, or 504, with a `detail` that tells nothing of the
 * service: `onError` is told why.
 * @throws `ConfigurationError` for an option that cannot be meant.
 * @example
 * // A Worker, mounted at https://www.example.com/content
 * import { env } from 'cloudflare:workers';
 * const client = new Client({ apiKey: env.MULTILOCAL_API_KEY, baseUrl: env.MULTILOCAL_BASE_URL });
 * export default { fetch: articlesProxy({ client, path: '/content', origins: ['https://blog.example.com'] }) };
 * @example
 * // Hono, on any of its runtimes
 * const articles = articlesProxy({ client, path: '/content' });
 * app.all('/content/*', (c) => articles(c.req.raw));
 * @example
 * // Plain Node, whose requests are of another kind: with @hono/node-server
 * createServer(getRequestListener(articlesProxy({ client, path: '/content' }))).listen(8080);
 */
export function articlesProxy(options: ArticlesProxyOptions): ArticlesProxy {
  const settings = resolveSettings(options);
  const source = new Source(settings);
  const answers = new Answers(settings);

  return async (request, ...context) => {
    if (typeof request?.headers?.get !== 'function') throw new TypeError(NO_REQUEST);
    try {
      const url = new URL(request.url);
      const route = routeOf(url.pathname, settings.prefix);
      if (!route || (route.name === 'confirm' && !settings.pages)) throw new Refusal(404, 'Not found.');
      const method = METHODS[route.name];
      if (request.method === 'OPTIONS') return answers.preflight(method, request);
      if (request.method !== method) {
        throw new Refusal(405, 'The route does not have this method.', { headers: { Allow: `${method}, OPTIONS` } });
      }
      return await answer(route, url, request, backgroundOf(context));
    } catch (error) {
      if (!(error instanceof Refusal)) settings.onError(error);
      return answers.refused(refusalOf(error), request);
    }
  };

  async function answer(route: Route, url: URL, request: Request, background: Background): Promise<Response> {
    if (route.name === 'list') return answers.read(await source.list(listQuery(url), background), request);
    checkNoQuery(url);
    const { name, id } = route;
    const page = name === 'confirm' ? await renderedUrl(request, settings.pages ?? new Set()) : undefined;
    if (id === undefined) throw new Refusal(404, 'No such article.');
    return name === 'confirm'
      ? answers.done(await source.confirm(id, page, background), request)
      : answers.read(await source.get(id, background), request);
  }
}

const NO_REQUEST =
  'articlesProxy answers a fetch Request. For http.createServer, wrap it: getRequestListener(…) of @hono/node-server.';

/** `waitUntil` of whatever the runtime handed over; where there is none, work goes on by itself. */
function backgroundOf(context: readonly unknown[]): Background {
  return (work) => {
    try {
      for (const candidate of context as { waitUntil?: unknown }[]) {
        if (typeof candidate?.waitUntil === 'function') return candidate.waitUntil(work);
      }
    } catch {
      // A context that is over takes no more work; the answer is not the worse for it.
    }
  };
}
