export type { LiteralUnion } from 'type-fest';
export { Client, type ClientOptions, type ConnectedClient, type SphereClient, type SphereOptions } from './client.js';
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
  PlanError,
  type PlanErrorCode,
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
  EndEvent,
  EventBase,
  FailureCode,
  FailureEvent,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  WaitEvent,
} from './core/events.js';
export type { AnyHeaders, ExtraHeaders } from './core/headers.js';
export type {
  BaseOptions,
  FetchOptions,
  RequestOptions,
  Validation,
} from './core/options.js';
export { parseTimestamp } from './core/timestamps.js';
export type {
  BulleTarget,
  ByPlatform,
  DryRunOption,
  DryRunPreview,
  DryRunResult,
  FicheTarget,
  Identity,
  IdentityBulle,
  IdentityFiche,
  IdentitySphere,
  Issue,
  Method,
  Outcome,
  Permission,
  PerPlatform,
  Platform,
  PlatformName,
  RateLimits,
  ScheduledAt,
  Scope,
  TemporalMoment,
  Timestamp,
} from './core/types.js';
export type { DryRunClient, SphereDryRunClient } from './dry-run.js';
export { memoryStore } from './resources/articles-sync.js';
export type { ListPromise } from './resources/pages.js';
export { postStatusByPlatform } from './resources/posts-platforms.js';
export { searchConsoleRows } from './resources/seo.js';
export type { InBulle } from './resources/sphere.js';
export type * from './resources/types.js';
export type { Poll, WaitOptions } from './resources/wait.js';
export { zonedTime } from './resources/zoned-time.js';
export type { Budget, BudgetWindow, CustomLimiter, RateLimitOptions } from './stages/limiter.js';
export type { Logger, LogLevel } from './stages/listeners.js';
export type { Route } from './stages/route.js';
export type { RequestTrace, SyncTrace, TraceBase, TraceRetry, TraceWait } from './stages/trace.js';
export type { PlanTrace, WatchTrace } from './stages/trace-counts.js';
export type { Change as SyncChange } from './sync/change.js';
export type { KnownArticles } from './sync/copy.js';
export type { SyncOptions } from './sync/events.js';
export type { Reservation } from './sync/lease.js';
export type { SliceOptions } from './sync/slice.js';
export type { SyncArticle } from './sync/source.js';
export type {
  CopyState,
  ListingCost,
  ListingState,
  StoredVersion,
  StorePage,
  SyncProgress,
  SyncResult,
} from './sync/store.js';
