import type { Background } from './cache.js';
import { type ArticlesProxyOptions, resolveSettings } from './options.js';
import { Refusal, refusalOf } from './refusal.js';
import { checkNoQuery, listQuery, METHODS, type Route, renderedUrl, routeOf } from './request.js';
import { allowed, Responses } from './response.js';
import { Source, type Visit } from './source.js';

export type {
  ArticlesProxyOptions,
  ArticlesSource,
  ProxyBudgetOptions,
  ProxyCacheOptions,
  ProxyConfirmOptions,
} from './options.js';

/**
 * A handler as Workers, Deno, Bun, Next and Hono call it. Rejects only if its argument is not a fetch `Request`.
 *
 * Pass the context of the runtime if there is one (`ctx` of a Worker): its `waitUntil` lets work go on after the response.
 * Everything else in `context` is ignored.
 */
export type ArticlesProxy = (request: Request, ...context: unknown[]) => Promise<Response>;

/**
 * Serves articles to visitors and keeps the key on the server: lists, single articles and confirmations, nothing else.
 *
 * The routes are `GET {path}/api/v2/articles`, `GET {path}/api/v2/articles/{id}` (both with `HEAD` too) and
 * `POST {path}/api/v2/articles/{id}/confirm`. So an `ArticlesClient` without a key and with the proxy's address as
 * `baseUrl` works: `list`, `get`, `changes`, `confirm`. Visitors only see published articles of the client's scope. A
 * draft is a 404, and `status=draft` or `status=all` (which `sync` and `syncTo` send) a 403. An unknown parameter is a
 * 400.
 *
 * Only checked values of a visitor's request go to the service. Responses are cached in memory: visitors with the same
 * query share one request to the service, and they get stale responses while the service fails. A list also fills the
 * cache of single articles. The cache belongs to one process or isolate: put a CDN in front if there are many.
 *
 * `updated_since` and `since` are rounded down to the hour for the cache and the service, and the response has only what
 * the visitor asked for. The exact date goes to the service with an `offset`, and where an hour has more changes than a
 * page. Visitors who ask for new things all the time cannot stop others from reading: see the options `budget` and
 * `visitor`.
 *
 * Visitors may see an unpublished article for another `maxAge` + `staleWhileRevalidate`, and for `maxAge` + `staleIfError`
 * while the service fails or the budget is spent. The first article of a location costs a second request, which checks
 * that the location is in the client's scope, unless a list has shown the location. Every visitor can confirm: the same
 * page of the same article is sent once in `maxAge`, and the option `confirm` bounds the rest. Visitors get failures as
 * 502, 503 with `Retry-After`, or 504. The `detail` tells nothing of the service; `onError` gets the reason.
 * @throws `ConfigurationError` if an option is unknown or has an invalid value.
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
 * // Plain Node has another kind of request: @hono/node-server converts it
 * createServer(getRequestListener(articlesProxy({ client, path: '/content' }))).listen(8080);
 */
export function articlesProxy(options: ArticlesProxyOptions): ArticlesProxy {
  const settings = resolveSettings(options);
  const source = new Source(settings);
  const responses = new Responses(settings);

  return async (request, ...context) => {
    if (typeof request?.headers?.get !== 'function') throw new TypeError(NO_REQUEST);
    const response = await handle(request, backgroundOf(context));
    return request.method === 'HEAD' ? new Response(null, response) : response;
  };

  async function handle(request: Request, background: Background): Promise<Response> {
    try {
      const url = new URL(request.url);
      const route = routeOf(url.pathname, settings.prefix);
      if (!route || (route.name === 'confirm' && !settings.pages)) throw new Refusal(404, 'Not found.');
      const methods = METHODS[route.name];
      if (request.method === 'OPTIONS') return responses.preflight(methods, request);
      if (!methods.includes(request.method)) {
        throw new Refusal(405, 'The route does not have this method.', { headers: { Allow: allowed(methods) } });
      }
      return await respond(route, url, request, { visitor: await settings.visitor(request), background });
    } catch (error) {
      if (!(error instanceof Refusal)) settings.onError(error);
      return responses.refused(refusalOf(error), request);
    }
  }

  async function respond(route: Route, url: URL, request: Request, visit: Visit): Promise<Response> {
    if (route.name === 'list') return responses.shared(await source.list(listQuery(url), visit), request);
    checkNoQuery(url);
    const { name, id } = route;
    const page = name === 'confirm' ? await renderedUrl(request, settings.pages ?? new Set()) : undefined;
    if (id === undefined) throw new Refusal(404, 'No such article.');
    return name === 'confirm'
      ? responses.private(await source.confirm(id, page, visit), request)
      : responses.shared(await source.get(id, visit), request);
  }
}

const NO_REQUEST =
  'articlesProxy takes a fetch Request. For http.createServer, wrap it: getRequestListener(…) of @hono/node-server.';

/** `waitUntil` of the context that the runtime passed. Without one, work goes on by itself. */
function backgroundOf(context: readonly unknown[]): Background {
  return (work) => {
    try {
      for (const candidate of context as { waitUntil?: unknown }[]) {
        if (typeof candidate?.waitUntil === 'function') return candidate.waitUntil(work);
      }
    } catch {
      // A context that has ended takes no more work, and the response is valid all the same.
    }
  };
}
