export type { ApiPromise, ApiResult } from './core/api.js';
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
  type ErrorCode,
  FicheOutOfScopeError,
  GoneError,
  InternalServerError,
  InvalidRequestError,
  InvalidResponseError,
  isMultilocalError,
  type KnownError,
  MissingBulleIdError,
  MissingFicheIdError,
  MultilocalError,
  NoFicheError,
  NotFoundError,
  PermissionDeniedError,
  PlatformNotConnectedError,
  QuotaExceededError,
  RateLimitError,
  RedirectError,
  ServiceUnavailableError,
  SyncStalledError,
  TimeoutError,
  UnprocessableEntityError,
} from './core/errors/index.js';
export type { ClientEvent } from './core/events.js';
export type { AnyHeaders, ExtraHeaders } from './core/headers.js';
export type { FetchOptions, RequestOptions, Validation } from './core/options.js';
export { parseTimestamp } from './core/timestamps.js';
export type { BulleTarget, Issue, Outcome, Timestamp } from './core/types.js';
export { ArticlesClient } from './page/client.js';
export type { ArticlesClientOptions } from './page/connect.js';
export type {
  ArticleCategory,
  ArticleField,
  ArticleLatestParams,
  ArticlePart,
  ArticleRelatedParams,
} from './page/endpoints.js';
export type {
  Article,
  ArticleChangesParams,
  ArticleConfirmation,
  ArticleConfirmParams,
  ArticleList,
  ArticleListParams,
  ArticleStatus,
} from './resources/articles-reads-schema.js';
export type { ListPromise } from './resources/pages.js';
