import * as z from 'zod/mini';
import { ConfigurationError } from '../core/errors/index.js';
import { issuesOf, OPTION_NAMES, printIssues } from '../core/issues.js';
import { aFunction } from '../core/options.js';
import * as s from '../core/schema.js';
import { parseUrl } from '../core/url.js';
import type { Articles } from '../resources/articles.js';
import { addressOf } from './visitor.js';

/** What the proxy needs of a client. A `Client` fits, and so does a `forBulle` view of a client. */
export interface ArticlesSource {
  readonly articles: Pick<Articles, 'list' | 'get' | 'confirm'>;
}

/** How long responses are cached, in memory and by their receivers (`Cache-Control`). */
export interface ProxyCacheOptions {
  /** Milliseconds for which a response is fresh. Default 300 000: at most 288 requests a day for one query. */
  maxAge?: number | undefined;
  /** Milliseconds after `maxAge` in which a stale response is sent at once and revalidated behind it. Default 600 000. */
  staleWhileRevalidate?: number | undefined;
  /**
   * Milliseconds after `maxAge` in which a stale response is sent if the service fails or the budget is spent.
   * Default 86 400 000. If the service refuses the key (401, 403), the stale response is dropped at once.
   */
  staleIfError?: number | undefined;
  /**
   * Most responses in the cache; the least recently used ones go first. Default 500. Three quarters belong to articles and
   * the list without parameters. Lists with parameters, confirmations and 404s get the rest, and room that is free. An
   * eighth is for popular responses, which visitors read again after `maxAge`: they stay as long as visitors read them.
   */
  maxEntries?: number | undefined;
  /** Most characters of JSON in the cache, over all responses; divided in the same way. Default 16 000 000. */
  maxSize?: number | undefined;
}

/** What visitors may spend of the key's requests. */
export interface ProxyBudgetOptions {
  /** Requests to the service in any 60 s. Default 45. */
  perMinute?: number | undefined;
  /** Requests to the service in any 24 h. Default 750. */
  perDay?: number | undefined;
}

/** What visitors may confirm. */
export interface ProxyConfirmOptions {
  /**
   * Origins that a `rendered_url` may have, such as `https://www.example.com`. Default: the `origins` option if it is a
   * list, else none. A confirmation without `rendered_url` is always allowed.
   *
   * The service links to confirmed pages from other articles. Without this bound, any visitor could place links.
   */
  origins?: readonly string[] | undefined;
}

/** Options of `articlesProxy`. */
export interface ArticlesProxyOptions {
  /**
   * The client that holds the key. A view (`client.forBulle(…)`) shows only its location. Give it a key of its own with
   * only the permission `read`: limits are counted by key.
   */
  client: ArticlesSource;
  /** Where the proxy is mounted: visitors request `{path}/api/v2/articles`. Default `''`, the root of its host. */
  path?: string | undefined;
  /** Other origins whose pages may read the responses, or `'*'` for all. Default: only pages of the proxy's own origin. */
  origins?: readonly string[] | '*' | undefined;
  /** How long responses are cached. With `false` nothing is cached, and every visit costs a request. */
  cache?: ProxyCacheOptions | false | undefined;
  /** What visitors may confirm; `false` removes the route. */
  confirm?: ProxyConfirmOptions | false | undefined;
  /**
   * What visitors may spend, counted only by this proxy (in each process, each isolate); `false` leaves it to the client's
   * limiter. Beyond it, visitors get the stale response, or 503 with `Retry-After`. It is shared out by what a query asks
   * for. A quarter of a day's share may come at once, and the rest is spread evenly over the day.
   * - New queries may take two thirds: ids that no response has shown, lists with parameters, confirmations.
   * - Stale responses may take two thirds to be refreshed, and together with new queries three quarters of a day.
   * - With articles that exist but are not in the cache, it is seven eighths of a day.
   * - The last eighth of a day is for the list without parameters, and for popular articles (see `maxEntries`) that
   *   could not be refreshed for half of the time in which they may be sent.
   * - One visitor may take a third for new queries, and half for everything that is not in the cache. See `visitor`.
   *
   * If visitors cannot be told apart, one of them can use up all but the last eighth. Then popular articles and the list
   * without parameters are served on, fresh or stale. What the cache holds besides is served until it is too old or
   * pushed out. Everything else gets a 503 most of the time until the visitor stops, and for some minutes after that:
   * other ids, new lists, confirmations, and articles that the cache does not hold, even if a list has shown them.
   */
  budget?: ProxyBudgetOptions | false | undefined;
  /** Milliseconds for one request to the service, the queue of the client's limiter included. Default 10 000. */
  timeout?: number | undefined;
  /**
   * Tells visitors apart, so that one of them cannot use up the `budget` of all: returns the same text for every request
   * of one visitor. `undefined` means that the visitor is unknown and has no share of its own.
   *
   * Default: the network address. On Cloudflare Workers this is `CF-Connecting-IP`, elsewhere the last entry of
   * `X-Forwarded-For`, which the nearest proxy in front of this server wrote. IPv6 addresses count by their /64.
   * - Without a proxy in front, visitors write the header themselves and can be somebody else in each request. Return the
   *   address of the connection if your server knows it, or `undefined`.
   * - With several proxies in front, the last entry is the address of a proxy, and all visitors look like one. Return the
   *   entry that your outermost proxy wrote.
   *
   * If it throws, the visitor counts as unknown, and `onError` gets the error.
   * @example visitor: (request) => request.headers.get('fly-client-ip') ?? undefined
   */
  visitor?: ((request: Request) => string | undefined) | undefined;
  /**
   * Called with the reason why a request to the service failed, which visitors do not get. May be async; its own errors
   * and rejections are ignored.
   */
  onError?: ((error: unknown) => unknown) | undefined;
}

/** {@link ProxyCacheOptions} with their defaults. */
export type CacheSettings = { [Name in keyof Required<ProxyCacheOptions>]: number };

/** {@link ArticlesProxyOptions}, checked, with their defaults. */
export interface Settings {
  articles: ArticlesSource['articles'];
  /** `''`, or a path without a slash at its end. */
  prefix: string;
  origins: ReadonlySet<string> | '*';
  /** `undefined`: nothing is cached. */
  cache: CacheSettings | undefined;
  /** Origins that a `rendered_url` may have; `undefined`: nothing can be confirmed. */
  pages: ReadonlySet<string> | undefined;
  perMinute: number;
  perDay: number;
  timeout: number;
  /** Never rejects. */
  visitor(request: Request): Promise<string | undefined>;
  /** Never rejects. */
  onError(error: unknown): Promise<void>;
}

/** `false`, or an object of options. A misspelt name in it is refused: the bound that was meant would be missing. */
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
    pages: confirm ? pagesOf(confirm, allowed) : undefined,
    perMinute,
    perDay,
    timeout,
    visitor: visitorOf(options.visitor, onError),
    onError,
  };
}

/** An error of the observer must not become the visitor's, and a rejection must not end the process. */
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
      // Awaited because JavaScript may pass an async function, whose rejection would end the process.
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

function pagesOf(confirm: ProxyConfirmOptions, origins: ReadonlySet<string> | '*'): ReadonlySet<string> {
  if (confirm.origins) return originSet(confirm.origins);
  return origins === '*' ? new Set() : origins;
}

function originSet(origins: readonly string[]): ReadonlySet<string> {
  return new Set(origins.map((origin) => new URL(origin).origin));
}

/** As the client reads its `baseUrl`: a slash or `/api/v2` at the end makes no difference. */
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
  // `.` and `..`, encoded or not, would make another path: the parser takes their segments away.
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
