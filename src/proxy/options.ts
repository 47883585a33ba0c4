import * as z from 'zod/mini';
import { isLoopback, parseUrl } from '../core/config.js';
import { ConfigurationError } from '../core/errors/index.js';
import { issuesOf, OPTION_NAMES, printIssues } from '../core/issues.js';
import { aFunction } from '../core/options.js';
import * as s from '../core/schema.js';
import type { Articles } from '../resources/articles.js';
import { ADDRESS } from '../stages/inspect.js';
import { addressOf } from './visitor.js';

/** The part of a client that the proxy uses. Pass a `Client` or a `forBulle` view of one. */
export interface ArticlesSource {
  /** The reads and `confirm` of `client.articles`. */
  readonly articles: Pick<Articles, 'list' | 'get' | 'confirm'>;
}

/** How long responses are cached, in memory and by their recipients (`Cache-Control`). */
export interface ProxyCacheOptions {
  /**
   * Milliseconds for which a response is fresh. Default 300 000, which allows at most 288 requests a day for one query.
   */
  maxAge?: number | undefined;
  /** Milliseconds after `maxAge` in which visitors get the stale response while it is revalidated. Default 600 000. */
  staleWhileRevalidate?: number | undefined;
  /**
   * Milliseconds after `maxAge` in which visitors get the stale response if the service fails or the budget is used up.
   * Default 86 400 000. If the service refuses the key (401, 403), the stale response is removed immediately.
   */
  staleIfError?: number | undefined;
  /**
   * Maximum number of responses in the cache. The least recently used ones are removed first. Default 500. Three
   * quarters are reserved for articles and the list without parameters. Lists with parameters, confirmations and 404s
   * use the rest and any free room. An eighth is reserved for popular responses, which visitors read again after
   * `maxAge`. They stay as long as visitors read them.
   */
  maxEntries?: number | undefined;
  /** Maximum number of characters of JSON in the cache, divided in the same way. Default 16 000 000. */
  maxSize?: number | undefined;
}

/** The part of the key's requests that visitors may use. */
export interface ProxyBudgetOptions {
  /** Maximum number of requests to the service in any 60 s. Default 45. */
  perMinute?: number | undefined;
  /** Maximum number of requests to the service in any 24 h. Default 750. */
  perDay?: number | undefined;
}

/** The pages that visitors may confirm. */
export interface ProxyConfirmOptions {
  /**
   * Origins that a `rendered_url` may have, such as `https://www.example.com`. Default: the `origins` option if it is a
   * list, none if it is `'*'`, else the proxy's own origin. A confirmation without `rendered_url` is always allowed.
   *
   * The service links to confirmed pages from other articles. Without this limit, any visitor could place links.
   *
   * The own origin is that of the request's URL. It counts only on Cloudflare Workers, Vercel and Deno Deploy, which
   * serve only hosts of yours, and on this machine if the service (a mock) is there too. Set this option on every other
   * server, because it takes the URL from what the visitor sends.
   */
  origins?: readonly string[] | undefined;
}

/** Options of `articlesProxy`. */
export interface ArticlesProxyOptions {
  /**
   * The client with the key. A view (`client.forBulle(…)`) shows only its location. Use a separate key with only the
   * permission `read`, because the service counts limits by key.
   */
  client: ArticlesSource;
  /** Path where the proxy is mounted. Visitors request `{path}/api/v2/articles`. Default `''`, the root of the host. */
  path?: string | undefined;
  /**
   * Other origins whose pages may read the responses, or `'*'` for all. Default: only pages of the proxy's own origin.
   */
  origins?: readonly string[] | '*' | undefined;
  /** How long responses are cached. With `false` nothing is cached, and every visit costs a request. */
  cache?: ProxyCacheOptions | false | undefined;
  /** The pages that visitors may confirm. `false` removes the route. */
  confirm?: ProxyConfirmOptions | false | undefined;
  /**
   * Maximum number of requests that visitors may cause. Each proxy counts for itself, in each process and isolate. With
   * `false`, only the limiter of the client applies. Beyond the budget, visitors get the stale response, or 503 with
   * `Retry-After`. The budget is divided by the kind of query. A quarter of a day's share is available at once, and the
   * rest is spread evenly over the day.
   * - New queries may use two thirds: ids that no response has shown, lists with parameters, confirmations.
   * - Refreshes of stale responses may use two thirds, and together with new queries three quarters of a day.
   * - Together with articles that exist but are not in the cache, these may use seven eighths of a day.
   * - The last eighth of a day is reserved for the list without parameters, and for popular articles (see `maxEntries`)
   *   that could not be refreshed for half of the time in which they may be sent.
   * - One visitor may use a third for new queries, and half for everything that is not in the cache. See `visitor`.
   *
   * If the proxy cannot distinguish visitors, one of them can use up all but the last eighth. Then visitors still get
   * popular articles and the list without parameters, fresh or stale, and everything else in the cache until it is too
   * old or pushed out. All other requests get a 503 most of the time, until some minutes after the visitor has stopped:
   * other ids, new lists, confirmations, and articles that are not in the cache, even if a list has shown them.
   */
  budget?: ProxyBudgetOptions | false | undefined;
  /** Milliseconds for one request to the service, including the queue of the client's limiter. Default 10 000. */
  timeout?: number | undefined;
  /**
   * Identifies visitors, so that one of them cannot use up the `budget` of all. Must return the same text for every
   * request of one visitor. `undefined` means that the visitor is unknown and has no own share.
   *
   * Default: the network address. On Cloudflare Workers this is `CF-Connecting-IP`, elsewhere the last entry of
   * `X-Forwarded-For`, which the nearest proxy in front of this server wrote. IPv6 addresses count by their /64.
   * - Without a proxy in front, visitors write the header themselves and can pretend to be somebody else. Return the
   *   address of the connection if your server knows it, or `undefined`.
   * - With several proxies in front, the last entry is the address of a proxy, so all visitors look like one. Return
   *   the entry that your outermost proxy wrote.
   *
   * If it throws, the visitor counts as unknown, and `onError` gets the error.
   * @example visitor: (request) => request.headers.get('fly-client-ip') ?? undefined
   */
  visitor?: ((request: Request) => string | undefined) | undefined;
  /**
   * Called with the error of a failed request to the service, which visitors do not get. May be async. Errors and
   * rejections of this function are ignored.
   */
  onError?: ((error: unknown) => unknown) | undefined;
}

/** {@link ProxyCacheOptions} with their defaults. */
export type CacheSettings = { [Name in keyof Required<ProxyCacheOptions>]: number };

/** The pages that a `rendered_url` may name: those of a list of origins, or those of the proxy's own origin. */
export type Pages = { origins: ReadonlySet<string> } | { origins?: undefined; isServiceLocal: boolean };

/** The checked {@link ArticlesProxyOptions} with their defaults. */
export interface Settings {
  articles: ArticlesSource['articles'];
  /** `''`, or a path without a trailing slash. */
  prefix: string;
  origins: ReadonlySet<string> | '*';
  /** `undefined`: nothing is cached. */
  cache: CacheSettings | undefined;
  /** The pages that visitors may confirm; `undefined`: nothing can be confirmed. */
  pages: Pages | undefined;
  perMinute: number;
  perDay: number;
  timeout: number;
  /** Never rejects. */
  visitor(request: Request): Promise<string | undefined>;
  /** Never rejects. */
  onError(error: unknown): Promise<void>;
}

/** `false` or an object of options. Unknown names are refused, because a misspelled limit would have no effect. */
function orFalse<Fields extends s.Shape>(fields: Fields) {
  return z.optional(s.anyOf([z.literal(false, s.must('false')), s.params(fields)], 'false or an object'));
}

const origins = s.list(s.matching(isOrigin, 'an origin (scheme and host), such as https://www.example.com'));

const optionsSchema: s.Schema<ArticlesProxyOptions> = s.params({
  client: z.custom<ArticlesSource>(isSource, s.must('a Client: new Client({ apiKey, baseUrl })')),
  path: z.optional(s.matching(isPath, 'a path such as /content, without query, fragment, `//`, `.` or `..`')),
  origins: z.optional(s.anyOf([z.literal('*', s.must("'*'")), origins], "'*' or a list of origins")),
  cache: orFalse({
    maxAge: z.optional(s.atLeast(0)),
    staleWhileRevalidate: z.optional(s.atLeast(0)),
    staleIfError: z.optional(s.atLeast(0)),
    maxEntries: z.optional(s.atLeast(1)),
    maxSize: z.optional(s.atLeast(1)),
  }),
  confirm: orFalse({ origins: z.optional(origins) }),
  budget: orFalse({ perMinute: z.optional(s.atLeast(1)), perDay: z.optional(s.atLeast(1)) }),
  timeout: z.optional(s.atLeast(1)),
  visitor: z.optional(
    z.custom<NonNullable<ArticlesProxyOptions['visitor']>>(
      (value) => typeof value === 'function',
      s.must('a function'),
    ),
  ),
  onError: aFunction,
});

/** @throws {ConfigurationError} if an option is unknown or has an invalid value. */
export function resolveSettings(options: ArticlesProxyOptions): Settings {
  const issues = issuesOf(optionsSchema, options, OPTION_NAMES);
  if (issues) throw new ConfigurationError(`articlesProxy: ${printIssues(issues, 'The options')}`);
  const { client, path = '', origins = [], cache = {}, confirm = {}, budget = {}, timeout = 10_000 } = options;
  const { perMinute = 45, perDay = 750 } = budget || { perMinute: Infinity, perDay: Infinity };
  const allowed = origins === '*' ? '*' : originSet(origins);
  const onError = quiet(options.onError);
  return {
    articles: client.articles,
    prefix: prefixOf(path),
    origins: allowed,
    cache: cache ? cacheSettings(cache) : undefined,
    pages: confirm ? pagesOf(confirm.origins ?? options.origins, client) : undefined,
    perMinute,
    perDay,
    timeout,
    visitor: visitorOf(options.visitor, onError),
    onError,
  };
}

/** Ignores errors of `onError`: visitors must not get them, and a rejection must not end the process. */
function quiet(observe: ArticlesProxyOptions['onError']): Settings['onError'] {
  return async (error) => {
    try {
      await observe?.(error);
    } catch {}
  };
}

function visitorOf(
  tell: ArticlesProxyOptions['visitor'] = addressOf,
  onError: Settings['onError'],
): Settings['visitor'] {
  return async (request) => {
    try {
      // JavaScript callers may pass an async function. Without `await`, its rejection would end the process.
      const visitor = await tell(request);
      return typeof visitor === 'string' && visitor !== '' ? visitor : undefined;
    } catch (error) {
      onError(error);
      return undefined;
    }
  };
}

function cacheSettings(cache: ProxyCacheOptions): CacheSettings {
  const { maxAge = 300_000, staleWhileRevalidate = 600_000, staleIfError = 86_400_000 } = cache;
  const { maxEntries = 500, maxSize = 16_000_000 } = cache;
  return { maxAge, staleWhileRevalidate, staleIfError, maxEntries, maxSize };
}

/** Only a mock on this machine may get links to pages of this machine: readers of other articles cannot open them. */
function pagesOf(origins: ArticlesProxyOptions['origins'], { articles }: ArticlesSource): Pages {
  if (origins !== undefined) return { origins: originSet(origins === '*' ? [] : origins) };
  const address = ADDRESS in articles ? parseUrl(String(articles[ADDRESS])) : undefined;
  return { isServiceLocal: address !== undefined && isLoopback(address) };
}

function originSet(origins: readonly string[]): ReadonlySet<string> {
  return new Set(origins.map((origin) => new URL(origin).origin));
}

/** Ignores a slash or `/api/v2` at the end of the path, as the client does with its `baseUrl`. */
function prefixOf(path: string): string {
  return pathnameOf(path)
    .replace(/\/$/, '')
    .replace(/\/api\/v2$/, '')
    .replace(/\/$/, '');
}

function isSource(client: unknown): boolean {
  return typeof (client as ArticlesSource | null | undefined)?.articles?.list === 'function';
}

function isPath(path: string): boolean {
  if (/[?#\\\s]|\/\//.test(path)) return false;
  // The parser removes `.` and `..`, encoded or not, which would give another path.
  return pathnameOf(path).split('/').length === rooted(path).split('/').length;
}

function pathnameOf(path: string): string {
  return new URL(rooted(path), 'http://localhost').pathname;
}

function rooted(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}

function isOrigin(text: string): boolean {
  const url = parseUrl(text);
  if (!url || !/^https?:\/\/[^*]+$/.test(text)) return false;
  return text === url.origin || text === `${url.origin}/`;
}
