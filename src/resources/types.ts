// The types of resources that the entry exports. Add each new one here.
export type { Acquisition } from './acquisition.js';
export type {
  AcquisitionStats,
  ContactRow,
  EmailContact,
  QueuedContact,
  ReviewContact,
  ReviewRequestBatch,
  ReviewRequestParams,
  SmsContact,
} from './acquisition-schema.js';
export type { Articles } from './articles.js';
export type { ArticleCreateParams, ArticlePublishParams, ArticleUpdateParams } from './articles-params.js';
export type { ArticleReads } from './articles-reads.js';
export type {
  Article,
  ArticleChangesParams,
  ArticleConfirmation,
  ArticleConfirmParams,
  ArticleList,
  ArticleListParams,
  ArticleStatus,
} from './articles-reads-schema.js';
export type {
  ArticleCreation,
  ArticlePublication,
  ArticleUpdate,
  CreatedApiArticle,
  CreatedSiteArticle,
  SkippedArticle,
} from './articles-schema.js';
export type { ArticleStore, MemoryStore, ReadableArticleStore, SyncEvent, SyncToOptions } from './articles-sync.js';
export type { Bulles } from './bulles.js';
export type { Bulle, BulleDetail } from './bulles-schema.js';
export type { Connections } from './connections.js';
export type { Connection, ConnectionListParams } from './connections-schema.js';
export type { Gmb, GmbOptimizer } from './gmb.js';
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
} from './gmb-schema.js';
export type { Health } from './health-schema.js';
export type { Images } from './images.js';
export type { GeneratedImage, ImageGenerateParams, ImageUploadParams, UploadedImage } from './images-schema.js';
export type { Platforms } from './platforms.js';
export type { ImageLimits, MediaLimits, PlatformLimits, VideoLimits } from './platforms-schema.js';
export type { Posts } from './posts.js';
export type { PostCheck, PostIssue } from './posts-check.js';
export type {
  PlatformSchedule,
  PlatformStatus,
  PublicationErrors,
  PublishedDates,
  ScheduledDates,
} from './posts-platforms.js';
export type {
  CreatedPost,
  Post,
  PostCreateParams,
  PostFindParams,
  PostListParams,
  PostStatus,
  PostUpdateParams,
} from './posts-schema.js';
export type { QrCodes } from './qr-codes.js';
export type { CreatedQrCode, QrCode, QrCodeCreateParams, QrCodeListParams } from './qr-codes-schema.js';
export type { Reports } from './reports.js';
export type { OrderedReport, ReportsOptions } from './reports-all.js';
export type { ReportDownloadOptions } from './reports-download.js';
export type {
  CombinedReportParams,
  FicheReportParams,
  Report,
  ReportCreateParams,
  ReportJob,
  ReportListParams,
  ReportWaitParams,
} from './reports-schema.js';
export type { Reviews } from './reviews.js';
export type { EachFicheOptions, FicheFailure, OfFiche } from './reviews-all.js';
export type {
  Review,
  ReviewCounts,
  ReviewedFiche,
  ReviewListParams,
  ReviewPage,
  ReviewReply,
  ReviewReplyParams,
  ReviewSummary,
} from './reviews-schema.js';
export type { Seo, TrackedKeywords } from './seo.js';
export type {
  KeywordCheck,
  KeywordLookup,
  KeywordParams,
  NoSeoSnapshot,
  SeoCompetitors,
  SeoScan,
  SeoSnapshot,
  TrackedKeyword,
} from './seo-schema.js';
export type {
  NamedSearchConsoleRow,
  SearchConsoleParams,
  SearchConsoleReport,
  SearchConsoleRow,
  SearchDimension,
} from './seo-search-console.js';
export type { Sites } from './sites.js';
export type { OtherSite, Site, SiteListParams, WixSite, WordPressSite } from './sites-schema.js';
export type { Social } from './social.js';
export type { SocialPost, SocialPublication, SocialPublishParams, SocialQuota } from './social-schema.js';
export type { Spheres } from './spheres.js';
export type { Sphere } from './spheres-schema.js';
export type { Visibility } from './visibility.js';
export type { NoVisibilityScan, VisibilityScan } from './visibility-schema.js';
export type { Poll, WaitOptions } from './wait.js';
