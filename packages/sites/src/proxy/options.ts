import type { Articles, ReadableArticleStore } from 'multilocal';
import { memoryStore } from 'multilocal/internal/articles-sync';
import { isLoopback, parseUrl } from 'multilocal/internal/config';
import { ConfigurationError } from 'multilocal/internal/errors';
import { inside } from 'multilocal/internal/inspect';
import { issuesOf, OPTION_NAMES, printIssues } from 'multilocal/internal/issues';
import * as s from 'multilocal/internal/schema';
import * as z from 'zod/mini';

/** The default `refresh`, in ms. */
export const REFRESH = 300_000;

/** The part of a client that the proxy uses. Pass a `Client` or a `forBulle` view of one. */
export interface ArticlesSource {
  /** `syncTo` and `confirm` of `client.articles`. */
  readonly articles: Pick<Articles, 'syncTo' | 'confirm'>;
}

/** The pages that visitors may confirm. */
export interface ProxyConfirmOptions {
  /**
   * Origins that a `rendered_url` may have, such as `https://www.example.com`. Default: the `origins` option if it is a
   * list, none if it is `'*'`, else the proxy's own origin. A confirmation without `rendered_url` is always allowed.
   *
   * The service links to confirmed pages from other articles. Without this limit, any visitor could place links.
   *
   * The own origin is the origin of the request's URL. It counts only on Cloudflare Workers, Vercel and Deno Deploy, which
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
  /**
   * Where the copy is kept. Default `memoryStore()`: each process and isolate reads all articles when it starts. With
   * `sqlStore`, all processes share one copy, and one of them updates it for all.
   */
  store?: ReadableArticleStore | undefined;
  /** Path where the proxy is mounted. Visitors request `{path}/api/v2/articles`. Default `''`, the root of the host. */
  path?: string | undefined;
  /**
   * Milliseconds after which a visitor's read updates the copy. Default 300 000, which is at most 288 runs
   * a day. An unpublished article disappears within two `refresh` intervals.
   */
  refresh?: number | undefined;
  /**
   * Milliseconds for which the copy is served while runs fail, at least two `refresh`. Default 86 400 000. After that,
   * visitors get a 503.
   */
  maxStale?: number | undefined;
  /**
   * Maximum number of requests to the service in any 24 h, in each process and isolate. Default 500. Confirmations can use
   * two fifths of them. Beyond it, the copy is served as it is.
   */
  perDay?: number | undefined;
  /**
   * Whether to remove articles even if more than ten are in the copy and more than half of them are missing. Default
   * `false`: the copy is kept, and `onError` gets a `MassDeletionError`.
   */
  allowMassDeletion?: boolean | undefined;
  /**
   * Other origins whose pages may read the responses, or `'*'` for all. Default: only pages of the proxy's own origin.
   */
  origins?: readonly string[] | '*' | undefined;
  /** The pages that visitors may confirm. `false` removes the route. */
  confirm?: ProxyConfirmOptions | false | undefined;
  /**
   * Called with the error of each failed run, and with errors of confirmations, once in `refresh` for each kind. Visitors
   * do not get these errors. May be async. Errors and rejections of this function are ignored.
   */
  onError?: ((error: unknown) => unknown) | undefined;
}

/** The pages that a `rendered_url` may name: pages of a list of origins, or of the proxy's own origin. */
export type Pages = { origins: ReadonlySet<string> } | { origins?: undefined; isServiceLocal: boolean };

/** The checked {@link ArticlesProxyOptions} with their defaults. */
export interface Settings {
  articles: ArticlesSource['articles'];
  store: ReadableArticleStore;
  /** `''`, or a path without a trailing slash. */
  prefix: string;
  refresh: number;
  maxStale: number;
  perDay: number;
  allowMassDeletion: boolean;
  origins: ReadonlySet<string> | '*';
  /** The pages that visitors may confirm; `undefined`: nothing can be confirmed. */
  pages: Pages | undefined;
  /** Converts a moment of this machine's clock to the clock of the service, as far as it is known. */
  serviceTime(moment: Date): string;
  /** Never rejects. */
  onError(error: unknown): Promise<void>;
}

const origins = s.list(s.matching(isOrigin, 'an origin (scheme and host), such as https://www.example.com'));

/** Unknown names are refused, because a misspelled limit would have no effect. */
const confirm = s.anyOf(
  [z.literal(false, s.must('false')), s.params({ origins: z.optional(origins) })],
  'false or an object',
);

const optionsSchema: s.Schema<ArticlesProxyOptions> = s.params({
  client: z.custom<ArticlesSource>(isSource, s.must('a Client: new Client({ apiKey, baseUrl })')),
  store: z.optional(z.custom<ReadableArticleStore>(isStore, s.must('a store with `all`, such as memoryStore()'))),
  path: z.optional(s.matching(isPath, 'a path such as /content, without query, fragment, `//`, `.` or `..`')),
  refresh: z.optional(s.atLeast(0)),
  maxStale: z.optional(s.atLeast(0)),
  perDay: z.optional(s.atLeast(1)),
  allowMassDeletion: z.optional(s.boolean),
  origins: z.optional(s.anyOf([z.literal('*', s.must("'*'")), origins], "'*' or a list of origins")),
  confirm: z.optional(confirm),
  onError: s.aFunction,
});

/** @throws {ConfigurationError} if an option is unknown or has an invalid value. */
export function resolveSettings(options: ArticlesProxyOptions): Settings {
  const issues = issuesOf(optionsSchema, options, OPTION_NAMES);
  if (issues) throw new ConfigurationError(`articlesProxy: ${printIssues(issues, 'The options')}`);
  const { client, store = memoryStore(), path = '', refresh = REFRESH, maxStale = 86_400_000, perDay = 500 } = options;
  const { allowMassDeletion = false, origins = [], confirm = {} } = options;
  return {
    articles: client.articles,
    store,
    prefix: prefixOf(path),
    refresh,
    maxStale: Math.max(maxStale, 2 * refresh),
    perDay,
    allowMassDeletion,
    origins: origins === '*' ? '*' : originSet(origins),
    pages: confirm ? pagesOf(confirm.origins ?? options.origins, client) : undefined,
    serviceTime: inside(client)?.serviceTime ?? ((moment) => moment.toISOString()),
    onError: quiet(options.onError),
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

/** Only a mock on this machine may get links to pages of this machine: readers of other articles cannot open them. */
function pagesOf(origins: ArticlesProxyOptions['origins'], client: ArticlesSource): Pages {
  if (origins !== undefined) return { origins: originSet(origins === '*' ? [] : origins) };
  const address = parseUrl(inside(client)?.address ?? '');
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
  return typeof (client as ArticlesSource | null | undefined)?.articles?.syncTo === 'function';
}

/** The run itself checks the other methods. */
function isStore(store: unknown): boolean {
  const { all, loadState, saveState } = Object(store) as Partial<ReadableArticleStore>;
  return typeof all === 'function' && typeof loadState === typeof saveState;
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
