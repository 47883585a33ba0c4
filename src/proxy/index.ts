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
 * A request handler for Workers, Deno, Bun, Next and Hono. Rejects only if its argument is not a fetch `Request`.
 *
 * Pass the context of the runtime if there is one (`ctx` of a Worker): with its `waitUntil`, work continues after the
 * response. The handler ignores everything else in `context`.
 */
export type ArticlesProxy = (request: Request, ...context: unknown[]) => Promise<Response>;

/**
 * Serves articles to visitors and keeps the key on the server. It serves only lists, single articles and confirmations.
 *
 * The routes are `GET {path}/api/v2/articles`, `GET {path}/api/v2/articles/{id}` (both with `HEAD` too) and
 * `POST {path}/api/v2/articles/{id}/confirm`. An `ArticlesClient` without a key can use the address of the proxy as its
 * `baseUrl` and call `list`, `get`, `changes` and `confirm`. Visitors only see published articles of the client's
 * scope. A draft gives a 404, `status=draft` and `status=all` (which `sync` and `syncTo` send) give a 403, and an
 * unknown parameter gives a 400.
 *
 * The proxy sends only checked values of a visitor's request to the service. It caches responses in memory: visitors
 * with the same query share one request to the service, and visitors get stale responses while the service fails. A
 * list also fills the cache of single articles. Each process or isolate has its own cache: put a CDN in front of
 * several.
 *
 * `updated_since` and `since` are rounded down to the hour for the cache and the service. The response contains only
 * what the visitor requested. The proxy sends the exact date to the service if the query has an `offset`, or if an hour
 * has more changes than a page. Visitors who send new queries all the time cannot stop others from reading: see the
 * options `budget` and `visitor`.
 *
 * Visitors may see an unpublished article for another `maxAge` + `staleWhileRevalidate`, and for `maxAge` +
 * `staleIfError` while the service fails or the budget is used up. The first article of a location costs a second
 * request, which checks that the location is in the client's scope, unless a list has shown the location. Every visitor
 * can confirm: the proxy sends the same page of the same article once in `maxAge`, and the option `confirm` limits the
 * pages. Visitors get failures as 502, 503 with `Retry-After`, or 504. The `detail` contains nothing from the service.
 * `onError` gets the reason.
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
    const page = name === 'confirm' && settings.pages ? await renderedUrl(request, settings.pages) : undefined;
    if (id === undefined) throw new Refusal(404, 'No such article.');
    return name === 'confirm'
      ? responses.private(await source.confirm(id, page, visit), request)
      : responses.shared(await source.get(id, visit), request);
  }
}

const NO_REQUEST =
  'The handler of articlesProxy needs a fetch Request. With http.createServer, wrap it in getRequestListener(…) of @hono/node-server.';

/** The `waitUntil` of the runtime's context. Without one, work continues without the runtime's knowledge. */
function backgroundOf(context: readonly unknown[]): Background {
  return (work) => {
    try {
      for (const candidate of context as { waitUntil?: unknown }[]) {
        if (typeof candidate?.waitUntil === 'function') return candidate.waitUntil(work);
      }
    } catch {
      // A context that has ended accepts no more work. The response is valid nevertheless.
    }
  };
}
