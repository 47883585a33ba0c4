export { Client, type ClientOptions } from './client.js';
export type { ApiPromise, ApiResult } from './core/api-promise.js';
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
  DryRunUnsupportedError,
  FicheOutOfScopeError,
  GoneError,
  InternalServerError,
  InvalidRequestError,
  InvalidResponseError,
  isMultilocalError,
  MassDeletionError,
  MissingBulleIdError,
  MissingFicheIdError,
  MissingPermissionError,
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
  WaitTimeoutError,
} from './core/errors/index.js';
export type {
  ClientEvent,
  DriftEvent,
  EventBase,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  WaitEvent,
} from './core/events.js';
export type { Identity, IdentityBulle, IdentityFiche, IdentitySphere, RateLimits, Scope } from './core/identity.js';
export type {
  BaseOptions,
  CustomLimiter,
  ExtraHeaders,
  RateLimitOptions,
  RequestOptions,
  Validation,
} from './core/options.js';
export type { ListPromise } from './core/pages.js';
export type { Route } from './core/request.js';
export { parseTimestamp } from './core/timestamp.js';
export type { FetchOptions } from './core/transport.js';
export type { DryRunPreview, Issue, Method, OpenEnum, Outcome, Permission, Platform, Timestamp } from './core/types.js';
export type { Poll, WaitOptions } from './core/wait.js';
export type { DryRunArticles, DryRunClient } from './dry-run.js';
export type { ArticleChangesParams, Articles, SyncToOptions } from './resources/articles.js';
export type {
  Article,
  ArticleConfirmation,
  ArticleConfirmParams,
  ArticleCreateParams,
  ArticleCreation,
  ArticleList,
  ArticleListParams,
  ArticlePublication,
  ArticlePublishParams,
  ArticleStatus,
  ArticleUpdate,
  ArticleUpdateParams,
  CreatedApiArticle,
  CreatedSiteArticle,
  SkippedArticle,
} from './resources/articles-model.js';
export type { Bulle, BulleDetail, Bulles } from './resources/bulles.js';
export type { Connection, ConnectionListParams, Connections } from './resources/connections.js';
export type { Health } from './resources/health.js';
export type { ImageLimits, PlatformLimits, Platforms, VideoLimits } from './resources/platforms.js';
export type { Sphere, Spheres } from './resources/spheres.js';
export type { SyncEvent, SyncOptions } from './sync/events.js';
export { type ArticleStore, type MemoryStore, memoryStore, type SyncProgress, type SyncResult } from './sync/store.js';
