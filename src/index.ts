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
  FetchOptions,
  RateLimitOptions,
  RequestOptions,
  Validation,
} from './core/options.js';
export type { ListPromise } from './core/pages.js';
export type { Route } from './core/request.js';
export { parseTimestamp } from './core/timestamp.js';
export type {
  BulleTarget,
  DryRunEither,
  DryRunOff,
  DryRunOn,
  DryRunPreview,
  FicheTarget,
  Issue,
  Method,
  OpenEnum,
  Outcome,
  Permission,
  Platform,
  PlatformName,
  Timestamp,
} from './core/types.js';
export type { Poll, WaitOptions } from './core/wait.js';
export type {
  DryRunAcquisition,
  DryRunArticles,
  DryRunClient,
  DryRunGmb,
  DryRunGmbOptimizer,
  DryRunPosts,
  DryRunReports,
  DryRunReviews,
  DryRunSeo,
  DryRunSocial,
} from './dry-run.js';
export type {
  Acquisition,
  AcquisitionStats,
  EmailContact,
  QueuedContact,
  ReviewContact,
  ReviewRequestBatch,
  ReviewRequestParams,
  SmsContact,
} from './resources/acquisition.js';
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
} from './resources/gmb-model.js';
export type { Health } from './resources/health.js';
export type {
  GeneratedImage,
  ImageGenerateParams,
  Images,
  ImageUploadParams,
  UploadedImage,
} from './resources/images.js';
export type { ImageLimits, PlatformLimits, Platforms, VideoLimits } from './resources/platforms.js';
export type { Posts } from './resources/posts.js';
export type { PostCheck, PostIssue } from './resources/posts-check.js';
export type {
  CreatedPost,
  Post,
  PostCreateParams,
  PostFindParams,
  PostListParams,
  PostStatus,
  PostUpdateParams,
} from './resources/posts-model.js';
export {
  type PlatformSchedule,
  type PlatformStatus,
  type PublicationErrors,
  type PublishedDates,
  postStatusByPlatform,
  type ScheduledDates,
} from './resources/posts-platforms.js';
export type {
  CreatedQrCode,
  QrCode,
  QrCodeCreateParams,
  QrCodeListParams,
  QrCodes,
} from './resources/qr-codes.js';
export type { Reports } from './resources/reports.js';
export type {
  CombinedReportParams,
  FicheReportParams,
  Report,
  ReportCreateParams,
  ReportJob,
  ReportListParams,
} from './resources/reports-model.js';
export type {
  Review,
  ReviewCounts,
  ReviewedFiche,
  ReviewListParams,
  ReviewPage,
  ReviewReply,
  ReviewReplyParams,
  ReviewSummary,
  Reviews,
} from './resources/reviews.js';
export { type NamedSearchConsoleRow, type Seo, searchConsoleRows, type TrackedKeywords } from './resources/seo.js';
export type {
  KeywordCheck,
  KeywordLookup,
  KeywordParams,
  NoSeoSnapshot,
  SearchConsoleParams,
  SearchConsoleReport,
  SearchConsoleRow,
  SearchDimension,
  SeoCompetitors,
  SeoScan,
  SeoSnapshot,
  TrackedKeyword,
} from './resources/seo-model.js';
export type { OtherSite, Site, SiteListParams, Sites, WixSite, WordPressSite } from './resources/sites.js';
export type { Social, SocialPost, SocialPublication, SocialPublishParams, SocialQuota } from './resources/social.js';
export type { Sphere, Spheres } from './resources/spheres.js';
export type { NoVisibilityScan, Visibility, VisibilityScan } from './resources/visibility.js';
export type { SyncEvent, SyncOptions } from './sync/events.js';
export { type ArticleStore, type MemoryStore, memoryStore, type SyncProgress, type SyncResult } from './sync/store.js';
