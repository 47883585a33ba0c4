import { Api } from './core/api.js';
import { refuseSurplus } from './core/arguments.js';
import { Http } from './core/http.js';
import { type BaseOptions, optionsOf, resolveConfig } from './core/options.js';
import { Articles } from './resources/articles.js';

export {
  ApiError,
  AuthenticationError,
  BadGatewayError,
  BadRequestError,
  BulleNotFoundError,
  BulleOutOfScopeError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  DryRunNotHonoredError,
  type ErrorCode,
  GoneError,
  InternalServerError,
  InvalidRequestError,
  InvalidResponseError,
  isMultilocalError,
  type KnownError,
  MassDeletionError,
  MissingBulleIdError,
  MultilocalError,
  NotFoundError,
  PermissionDeniedError,
  QuotaExceededError,
  RateLimitError,
  RedirectError,
  ServiceUnavailableError,
  SyncConflictError,
  SyncStalledError,
  TimeoutError,
  UnprocessableEntityError,
  WaitTimeoutError,
} from './core/errors/index.js';
export type { ClientEvent } from './core/events.js';
export type { ExtraHeaders } from './core/headers.js';
export type { Logger, LogLevel } from './core/log.js';
export type {
  CustomLimiter,
  FetchOptions,
  RateLimitOptions,
  RequestOptions,
  Validation,
} from './core/options.js';
export type { ListPromise } from './core/pages.js';
export type { ApiPromise, ApiResult } from './core/promise.js';
export { parseTimestamp } from './core/timestamps.js';
export type { DryRunPreview, Issue, Outcome, Timestamp } from './core/types.js';
export type { Poll, WaitOptions } from './core/wait.js';
export type {
  ArticleChangesParams,
  ArticleConfirmParams,
  ArticleCreateParams,
  ArticleListParams,
  ArticlePublishParams,
  ArticleUpdateParams,
} from './resources/articles-params.js';
export type {
  Article,
  ArticleConfirmation,
  ArticleCreation,
  ArticleList,
  ArticlePublication,
  ArticleStatus,
  ArticleUpdate,
  CreatedApiArticle,
  CreatedSiteArticle,
  SkippedArticle,
} from './resources/articles-schema.js';
export {
  type ArticleStore,
  type MemoryStore,
  memoryStore,
  type SyncEvent,
  type SyncToOptions,
} from './resources/articles-sync.js';
export type { KnownArticles } from './sync/copy.js';
export type { SyncOptions } from './sync/events.js';
export type { SliceOptions } from './sync/slice.js';
export type {
  ListingCost,
  ListingState,
  StoredVersion,
  StorePage,
  SyncProgress,
  SyncResult,
} from './sync/store.js';

/** Options of {@link ArticlesClient}. */
export interface ArticlesClientOptions extends BaseOptions {
  /**
   * The API key, sent as `X-API-Key`. Everybody who opens the page can read the key and use its requests. Leave it out
   * and let a proxy add it (`multilocal/proxy`), or use a key with only the permission `read`.
   */
  apiKey?: string | undefined;
  /**
   * Address of the service, or of the proxy that adds the key. In a page and its workers, a path such as `/content` is
   * allowed. With a key, `https:` is required, except for addresses of this machine or with `allowHttp`.
   */
  baseUrl: string;
}

/**
 * The client for browsers and custom sites. It has only the methods of `client.articles`. It sends no `GET /me`, and
 * only headers that the CORS preflight of the articles routes allows.
 * @example
 * const articles = new ArticlesClient({ baseUrl: '/content' }); // a proxy on the page's own server
 * const { articles: newest } = await articles.list({ status: 'published' });
 */
export class ArticlesClient extends Articles {
  /**
   * Creates a client without sending a request. It needs only the address of a proxy, which adds the key.
   * @param options `baseUrl`: the address of the proxy or of the service. In a page and its workers, a path such as
   * `/content` is allowed. `apiKey`: leave it out in pages, because everybody who opens a page can read the key. All other
   * options have a default, such as `timeout` (30 000 ms) and `maxRetries` (2).
   * @throws a {@link ConfigurationError} if the key, the address or an option is invalid.
   * @example
   * const articles = new ArticlesClient({ baseUrl: '/content' }); // a proxy on the page's own server
   * const { articles: newest } = await articles.list({ status: 'published' });
   */
  constructor(options: ArticlesClientOptions) {
    const { apiKey, baseUrl, ...others } = optionsOf(options);
    const config = resolveConfig(others, apiKey, baseUrl);
    super(new Api({ config, identity: undefined }, new Http(config.root)));
    refuseSurplus(this, Articles.prototype);
  }
}
