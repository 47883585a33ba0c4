export type { LiteralUnion } from 'type-fest';
export { type BulleClient, Client, type ClientOptions, type SphereClient, type SphereOptions } from './client.js';
export { RateLimitBook, type RateLimitBookState, type WaitingCall } from './core/book.js';
export type { Budget, BudgetWindow } from './core/budget.js';
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
  type ErrorCode,
  FicheOutOfScopeError,
  GoneError,
  InternalServerError,
  InvalidRequestError,
  InvalidResponseError,
  isMultilocalError,
  type KnownError,
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
  SyncConflictError,
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
export type { ExtraHeaders } from './core/headers.js';
export type { Identity, IdentityBulle, IdentityFiche, IdentitySphere, RateLimits, Scope } from './core/identity.js';
export type { Logger, LogLevel } from './core/log.js';
export type {
  BaseOptions,
  CustomLimiter,
  FetchOptions,
  RateLimitOptions,
  RequestOptions,
  Validation,
} from './core/options.js';
export type { ListPromise } from './core/pages.js';
export type { ApiPromise, ApiResult } from './core/promise.js';
export type { RateLimitStore, RateWindow, TakeAnswer, TakeRequest, Usage } from './core/rate-limit-store.js';
export type { Route } from './core/request.js';
export { parseTimestamp } from './core/timestamps.js';
export type { RequestTrace, SyncTrace, TraceBase, TraceRetry, TraceWait } from './core/trace.js';
export type {
  BulleTarget,
  DryRunOption,
  DryRunPreview,
  DryRunResult,
  FicheTarget,
  Issue,
  Method,
  Outcome,
  Permission,
  PerPlatform,
  Platform,
  PlatformName,
  Timestamp,
} from './core/types.js';
export type { Poll, WaitOptions } from './core/wait.js';
export type { DryRunClient } from './dry-run.js';
export { memoryStore } from './resources/articles-sync.js';
export { postStatusByPlatform } from './resources/posts-platforms.js';
export { searchConsoleRows } from './resources/seo.js';
export type * from './resources/types.js';
export type {
  BulleArticles,
  BulleConnections,
  BulleImages,
  BullePosts,
  BulleQrCodes,
  BulleReports,
  BulleSeo,
  BulleSites,
  BulleSocial,
  BulleTrackedKeywords,
  InBulle,
  SphereImages,
  SpherePosts,
  SphereSeo,
  SphereSocial,
  SphereTrackedKeywords,
  WithoutBulle,
} from './scoped.js';
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
