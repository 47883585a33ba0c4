import { ConfigurationError } from '../core/errors/index.js';
import type { Articles } from '../resources/articles.js';

/** What the proxy needs of a client: a `Client` fits, and so does a `forBulle` view of one. */
export interface ArticlesSource {
  readonly articles: Pick<Articles, 'list' | 'get' | 'confirm'>;
}

/** How long answers are kept, in memory and by those who get them (`Cache-Control`). */
export interface ProxyCacheOptions {
  /** Milliseconds for which an answer is given again unasked. Default 300 000: at most 288 requests a day for one question. */
  maxAge?: number | undefined;
  /** Milliseconds after `maxAge` in which the old answer is given at once and renewed behind it. Default 600 000. */
  staleWhileRevalidate?: number | undefined;
  /**
   * Milliseconds after `maxAge` in which the old answer is given when the service fails or the budget is spent.
   * Default 86 400 000. A key that is refused (401, 403) ends it at once.
   */
  staleIfError?: number | undefined;
  /** Answers kept at most; the ones not asked for the longest go first. Default 500. */
  maxEntries?: number | undefined;
  /** Characters of JSON kept at most, over all answers. Default 16 000 000. */
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
   * Origins that a `rendered_url` may have, such as `https://www.example.com`. Default: the `origins` option where it
   * is a list, else none; a confirmation without `rendered_url` passes always.
   *
   * The service links to confirmed pages from other articles: without this bound any visitor could place links.
   */
  origins?: readonly string[] | undefined;
}

/** Options of `articlesProxy`. */
export interface ArticlesProxyOptions {
  /**
   * The client that holds the key. A view (`client.forBulle(…)`) shows its location alone. Best give it a key of its
   * own with the permission `read` and nothing else: limits are counted by key.
   */
  client: ArticlesSource;
  /** Where the proxy is mounted: visitors ask `{path}/api/v2/articles`. Default `''`, the root of its host. */
  path?: string | undefined;
  /** Other origins whose pages may ask, or `'*'` for all. Default: none, so pages of the proxy's own origin alone. */
  origins?: readonly string[] | '*' | undefined;
  /** How long answers are kept; `false` keeps none, and every visit costs a request. */
  cache?: ProxyCacheOptions | false | undefined;
  /** What visitors may confirm; `false` takes the route away. */
  confirm?: ProxyConfirmOptions | false | undefined;
  /**
   * What visitors may spend, counted by this proxy alone (in each process, each isolate); `false` leaves it to the
   * client's limiter. New questions get two thirds of it, so that asking for ever new things (ids, dates) cannot keep
   * what is read from being renewed. Beyond it: the old answer, or 503 with `Retry-After`.
   */
  budget?: ProxyBudgetOptions | false | undefined;
  /** Milliseconds for one request to the service, the line of the client's limiter included. Default 10 000. */
  timeout?: number | undefined;
  /** Told why a request to the service failed, which visitors are not. What it throws is swallowed. */
  onError?: ((error: unknown) => void) | undefined;
}

/** {@link ProxyCacheOptions} with their defaults. */
export type CacheSettings = { [Name in keyof Required<ProxyCacheOptions>]: number };

/** {@link ArticlesProxyOptions}, checked, with their defaults. */
export interface Settings {
  articles: ArticlesSource['articles'];
  /** `''`, or a path without a slash at its end. */
  prefix: string;
  origins: ReadonlySet<string> | '*';
  /** `undefined`: nothing is kept. */
  cache: CacheSettings | undefined;
  /** Origins that a `rendered_url` may have; `undefined`: nothing can be confirmed. */
  pages: ReadonlySet<string> | undefined;
  perMinute: number;
  perDay: number;
  timeout: number;
  /** Never throws. */
  onError(error: unknown): void;
}

/** @throws {ConfigurationError} for an option that cannot be meant. */
export function resolveSettings(options: ArticlesProxyOptions): Settings {
  knownNames('', options, ['client', 'path', 'origins', 'cache', 'confirm', 'budget', 'timeout', 'onError']);
  const { client, path = '', origins = [], cache = {}, confirm = {}, budget = {}, timeout = 10_000, onError } = options;
  if (typeof client?.articles?.list !== 'function') {
    throw new ConfigurationError('`client` must be a Client of multilocal: new Client({ apiKey, baseUrl }).');
  }
  if (cache !== false) {
    knownNames('cache', cache, ['maxAge', 'staleWhileRevalidate', 'staleIfError', 'maxEntries', 'maxSize']);
  }
  if (confirm !== false) knownNames('confirm', confirm, ['origins']);
  if (budget !== false) knownNames('budget', budget, ['perMinute', 'perDay']);
  if (onError !== undefined && typeof onError !== 'function') {
    throw new ConfigurationError('`onError` must be a function.');
  }
  const allowed = origins === '*' ? '*' : originSet('origins', origins);
  return {
    articles: client.articles,
    prefix: prefixOf(path),
    origins: allowed,
    cache: cache === false ? undefined : cacheSettings(cache),
    pages: confirm === false ? undefined : pagesOf(confirm, allowed),
    perMinute: budget === false ? Number.POSITIVE_INFINITY : amount('budget.perMinute', budget.perMinute ?? 45, 1),
    perDay: budget === false ? Number.POSITIVE_INFINITY : amount('budget.perDay', budget.perDay ?? 750, 1),
    timeout: amount('timeout', timeout, 1),
    onError(error) {
      try {
        onError?.(error);
      } catch {
        // An observer's fault must not become the visitor's.
      }
    },
  };
}

function cacheSettings(cache: ProxyCacheOptions): CacheSettings {
  return {
    maxAge: amount('cache.maxAge', cache.maxAge ?? 300_000),
    staleWhileRevalidate: amount('cache.staleWhileRevalidate', cache.staleWhileRevalidate ?? 600_000),
    staleIfError: amount('cache.staleIfError', cache.staleIfError ?? 86_400_000),
    maxEntries: amount('cache.maxEntries', cache.maxEntries ?? 500, 1),
    maxSize: amount('cache.maxSize', cache.maxSize ?? 16_000_000, 1),
  };
}

function pagesOf(confirm: ProxyConfirmOptions, origins: ReadonlySet<string> | '*'): ReadonlySet<string> {
  if (confirm.origins !== undefined) return originSet('confirm.origins', confirm.origins);
  return origins === '*' ? new Set() : origins;
}

/** As the client reads its `baseUrl`: a slash or `/api/v2` at the end makes no difference. */
function prefixOf(path: string): string {
  const wrong = '`path` must be a path such as /content, without query, fragment, `//`, `.` or `..`.';
  if (typeof path !== 'string' || /[?#\\\s]|\/\//.test(path)) throw new ConfigurationError(wrong);
  const slashed = path.startsWith('/') ? path : `/${path}`;
  // Dots that climb would make another path of it, so it must come out of the parser with as many segments.
  const { pathname } = new URL(slashed, 'http://localhost');
  if (pathname.split('/').length !== slashed.split('/').length) throw new ConfigurationError(wrong);
  return pathname
    .replace(/\/$/, '')
    .replace(/\/api\/v2$/, '')
    .replace(/\/$/, '');
}

function originSet(name: string, origins: readonly string[]): ReadonlySet<string> {
  if (!Array.isArray(origins)) throw new ConfigurationError(`\`${name}\` must be a list of origins.`);
  return new Set(
    origins.map((origin) => {
      const url = typeof origin === 'string' && URL.canParse(origin) ? new URL(origin) : undefined;
      if (!url || !/^https?:\/\/[^*]+$/.test(origin) || (origin !== url.origin && origin !== `${url.origin}/`)) {
        throw new ConfigurationError(
          `\`${name}\` holds what is no origin: expected scheme and host alone, such as https://www.example.com.`,
        );
      }
      return url.origin;
    }),
  );
}

function amount(name: string, value: number, least = 0): number {
  if (typeof value !== 'number' || !(value >= least)) {
    throw new ConfigurationError(`\`${name}\` must be a number, ${least} or more.`);
  }
  return value;
}

/** A misspelt option would fail open: no error, and a bound that is not there. */
function knownNames(what: string, options: object, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null) {
    throw new ConfigurationError(what ? `\`${what}\` must be false or an object.` : 'Options are missing: { client }.');
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const known = names.map((name) => `\`${name}\``).join(', ');
    throw new ConfigurationError(
      `\`${what && `${what}.`}${unknown}\` is no option of articlesProxy; there are ${known}.`,
    );
  }
}
