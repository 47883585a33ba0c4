export type { LiteralUnion } from 'type-fest';
export { Client, type ClientOptions } from './client.js';
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
  FetchOptions,
  RateLimitOptions,
  RequestOptions,
  Validation,
} from './core/options.js';
export type { ListPromise } from './core/pages.js';
export type { ApiPromise, ApiResult } from './core/promise.js';
export type { Route } from './core/request.js';
export { parseTimestamp } from './core/timestamps.js';
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
export type { Acquisition } from './resources/acquisition.js';
export type {
  AcquisitionStats,
  EmailContact,
  QueuedContact,
  ReviewContact,
  ReviewRequestBatch,
  ReviewRequestParams,
  SmsContact,
} from './resources/acquisition-schema.js';
export type { Articles } from './resources/articles.js';
export type {
  Article,
  ArticleChangesParams,
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
} from './resources/articles-schema.js';
export {
  type ArticleStore,
  type MemoryStore,
  memoryStore,
  type SyncEvent,
  type SyncToOptions,
} from './resources/articles-sync.js';
export type { Bulles } from './resources/bulles.js';
export type { Bulle, BulleDetail } from './resources/bulles-schema.js';
export type { Connections } from './resources/connections.js';
export type { Connection, ConnectionListParams } from './resources/connections-schema.js';
export type { Gmb, GmbOptimizer } from './resources/gmb.js';
export type {
  ListingChange,
  ListingDay,
  ListingKpis,
  ListingMetrics,
  ListingMetricsParams,
  OptimizerApplyParams,
  OptimizerAudit,
  OptimizerScore,
  OptimizerSuggestion,
} from './resources/gmb-schema.js';
export type { Health } from './resources/health-schema.js';
export type { Images } from './resources/images.js';
export type {
  GeneratedImage,
  ImageGenerateParams,
  ImageUploadParams,
  UploadedImage,
} from './resources/images-schema.js';
export type { Platforms } from './resources/platforms.js';
export type { ImageLimits, PlatformLimits, VideoLimits } from './resources/platforms-schema.js';
export type { Posts } from './resources/posts.js';
export type { PostCheck, PostIssue } from './resources/posts-check.js';
export {
  type PlatformSchedule,
  type PlatformStatus,
  type PublicationErrors,
  type PublishedDates,
  postStatusByPlatform,
  type ScheduledDates,
} from './resources/posts-platforms.js';
export type {
  CreatedPost,
  Post,
  PostCreateParams,
  PostFindParams,
  PostListParams,
  PostStatus,
  PostUpdateParams,
} from './resources/posts-schema.js';
export type { QrCodes } from './resources/qr-codes.js';
export type { CreatedQrCode, QrCode, QrCodeCreateParams, QrCodeListParams } from './resources/qr-codes-schema.js';
export type { Reports } from './resources/reports.js';
export type {
  CombinedReportParams,
  FicheReportParams,
  Report,
  ReportCreateParams,
  ReportJob,
  ReportListParams,
} from './resources/reports-schema.js';
export type { Reviews } from './resources/reviews.js';
export type {
  Review,
  ReviewCounts,
  ReviewedFiche,
  ReviewListParams,
  ReviewPage,
  ReviewReply,
  ReviewReplyParams,
  ReviewSummary,
} from './resources/reviews-schema.js';
export { type Seo, searchConsoleRows, type TrackedKeywords } from './resources/seo.js';
export type {
  KeywordCheck,
  KeywordLookup,
  KeywordParams,
  NamedSearchConsoleRow,
  NoSeoSnapshot,
  SearchConsoleParams,
  SearchConsoleReport,
  SearchConsoleRow,
  SearchDimension,
  SeoCompetitors,
  SeoScan,
  SeoSnapshot,
  TrackedKeyword,
} from './resources/seo-schema.js';
export type { Sites } from './resources/sites.js';
export type { OtherSite, Site, SiteListParams, WixSite, WordPressSite } from './resources/sites-schema.js';
export type { Social } from './resources/social.js';
export type { SocialPost, SocialPublication, SocialPublishParams, SocialQuota } from './resources/social-schema.js';
export type { Spheres } from './resources/spheres.js';
export type { Sphere } from './resources/spheres-schema.js';
export type { Visibility } from './resources/visibility.js';
export type { NoVisibilityScan, VisibilityScan } from './resources/visibility-schema.js';
export type { SyncOptions } from './sync/events.js';
export type { SyncProgress, SyncResult } from './sync/store.js';
