import { ConfigurationError } from 'multilocal/internal/errors';
import { Budget } from './budget.js';
import { Confirmations } from './confirmations.js';
import { type Background, Copy } from './copy.js';
import { type ArticlesProxyOptions, resolveSettings } from './options.js';
import { noArticle, Refusal, refusalOf } from './refusal.js';
import {
  categoriesQuery,
  checkNoQuery,
  listQuery,
  METHODS,
  type Route,
  relatedQuery,
  renderedUrl,
  routeOf,
} from './request.js';
import { allowed, Responses } from './response.js';

export type { ReadableArticleStore } from 'multilocal';
export type { ArticlesProxyOptions, ArticlesSource, ProxyConfirmOptions } from './options.js';

/**
 * A request handler for Workers, Deno, Bun, Next and Hono. Rejects only if its argument is not a fetch `Request`.
 *
 * Pass the context of the runtime if there is one (`ctx` of a Worker): with its `waitUntil`, work continues after the
 * response. The handler ignores everything else in `context`.
 */
export type ArticlesProxy = (request: Request, ...context: unknown[]) => Promise<Response>;

/**
 * Serves articles to visitors from a copy and keeps the key on the server. Visitors cause no requests of their own.
 *
 * The routes are `GET {path}/api/v2/articles`, `GET {path}/api/v2/articles/{id}`, `GET {path}/api/v2/articles/{id}/related`,
 * `GET {path}/api/v2/categories` (all with `HEAD`, `ETag` and 304) and `POST {path}/api/v2/articles/{id}/confirm`. An
 * `ArticlesClient` without a key can use the address of the proxy as its `baseUrl`. Visitors only see published articles of the client's scope. A draft
 * is a 404, `status=draft` and `status=all` are a 403, and an unknown parameter is a 400.
 *
 * A list takes the parameters of the service (`updated_since`, `since`, `status=published`, `bulle_id`, `offset`), and
 * `order=newest`, `category`, `slug`, `fields` (with commas, or repeated) and `limit` (1 to 100, default 20 with `order`,
 * else 50). Without `updated_since`, the newest publication comes first. `related` takes `limit` (default 3) and `fields`.
 *
 * When a visitor reads and the copy is older than `refresh`, the proxy responds and then brings the copy up to
 * date. If the copy is older than twice `refresh`, visitors wait for the run, at most 10 s. Once a day, a run looks for
 * deletions. The first visitors wait for the whole copy, and after 10 s get a 503 with `Retry-After`. While runs fail, the
 * copy is served for `maxStale`. Visitors never get details of a failure. `onError` gets the reason.
 *
 * Every visitor can confirm: the proxy sends the same page of the same article, without its query, once in `refresh`. The
 * options `confirm` and `perDay` limit the pages and the requests.
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
  const budget = new Budget(settings.perDay);
  const copy = new Copy(settings, budget);
  const confirmations = new Confirmations(settings, budget);
  const responses = new Responses(settings);

  return async (request, ...context) => {
    if (typeof request?.headers?.get !== 'function') throw new ConfigurationError(NO_REQUEST);
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
      return await respond(route, url, request, background);
    } catch (error) {
      if (!(error instanceof Refusal)) settings.onError(error);
      return responses.refused(refusalOf(error), request);
    }
  }

  async function respond(route: Route, url: URL, request: Request, background: Background): Promise<Response> {
    if (route.name === 'list') {
      const query = listQuery(url);
      const reading = await copy.read(background);
      return responses.shared(() => reading.articles.list(query), reading, request);
    }
    if (route.name === 'categories') {
      const bulle_id = categoriesQuery(url);
      const reading = await copy.read(background);
      return responses.shared(() => reading.articles.categories(bulle_id), reading, request);
    }
    const { name, id } = route;
    const query = name === 'related' ? relatedQuery(url) : checkNoQuery(url);
    const page = name === 'confirm' && settings.pages ? await renderedUrl(request, settings.pages) : undefined;
    if (id === undefined) throw noArticle();
    const reading = await copy.read(background);
    const article = reading.articles.get(id);
    if (!article) throw noArticle();
    if (name === 'confirm') return responses.private(await confirmations.confirm(id, page, background), request);
    return responses.shared(() => (query && reading.articles.related(id, query)) ?? article, reading, request);
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
