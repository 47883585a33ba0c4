import type { RequestOptions } from './core/options.js';
import type { ListPromise } from './core/pages.js';
import type { ApiPromise } from './core/promise.js';
import type { BulleTarget, DryRunOption, DryRunResult } from './core/types.js';
import type { Articles } from './resources/articles.js';
import type { ArticleChangesParams, ArticleCreateParams, ArticleListParams } from './resources/articles-params.js';
import type { Article, ArticleCreation, ArticleList } from './resources/articles-schema.js';
import type { ArticleStore, SyncEvent, SyncToOptions } from './resources/articles-sync.js';
import type { Connections } from './resources/connections.js';
import type { Connection, ConnectionListParams } from './resources/connections-schema.js';
import type { Images } from './resources/images.js';
import type { GeneratedImage, ImageGenerateParams } from './resources/images-schema.js';
import type { Posts } from './resources/posts.js';
import type { PostCheck } from './resources/posts-check.js';
import type { CreatedPost, Post, PostCreateParams, PostFindParams, PostListParams } from './resources/posts-schema.js';
import type { QrCodes } from './resources/qr-codes.js';
import type { CreatedQrCode, QrCode, QrCodeCreateParams, QrCodeListParams } from './resources/qr-codes-schema.js';
import type { Reports } from './resources/reports.js';
import type { Report, ReportListParams } from './resources/reports-schema.js';
import type { Seo, TrackedKeywords } from './resources/seo.js';
import type {
  KeywordLookup,
  KeywordParams,
  NoSeoSnapshot,
  SeoCompetitors,
  SeoScan,
  SeoSnapshot,
  TrackedKeyword,
} from './resources/seo-schema.js';
import type { SearchConsoleParams, SearchConsoleReport } from './resources/seo-search-console.js';
import type { Sites } from './resources/sites.js';
import type { Site, SiteListParams } from './resources/sites-schema.js';
import type { Social } from './resources/social.js';
import type { SocialPublication, SocialPublishParams, SocialQuota } from './resources/social-schema.js';
import type { SyncOptions } from './sync/events.js';
import type { SyncResult } from './sync/store.js';

// The namespaces of clients whose scope is known. They are types only. They extend the classes, so that such a client can be
// passed wherever a `Client` is expected.

/**
 * Parameters that must name a location, such as those of `posts.create` on a `SphereClient`.
 * @example const post: InBulle<PostCreateParams> = { content: 'La brioche', platforms: ['gmb'], bulle_id };
 */
export type InBulle<Params> = Params & {
  /** The location. The service requires it from a key of the whole brand. */
  bulle_id: string;
};

/** Parameters that cannot name a location, because the `BulleClient` has one. */
export type WithoutBulle<Params> = Params & {
  /** Never given: the client has its location. */
  bulle_id?: undefined;
};

/** `posts` of a brand: creating or checking a post needs a `bulle_id`. */
export interface SpherePosts extends Posts {
  /** As `posts.create` of a `Client`; `bulle_id` is required. */
  create<Only extends boolean | undefined = false>(
    params: InBulle<PostCreateParams> & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, CreatedPost>>;
  /** As `posts.check` of a `Client`; `bulle_id` is required. */
  check(params: InBulle<PostCreateParams>, options?: RequestOptions): Promise<PostCheck>;
}

/** `social` of a brand: publishing and the quota need a `bulle_id`. */
export interface SphereSocial extends Social {
  /** As `social.publish` of a `Client`; `bulle_id` is required. */
  publish<Only extends boolean | undefined = false>(
    params: InBulle<SocialPublishParams> & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, SocialPublication>>;
  /** As `social.quota` of a `Client`; `bulle_id` is required. */
  quota(params: InBulle<BulleTarget>, options?: RequestOptions): ApiPromise<SocialQuota>;
}

/** `seo.trackedKeywords` of a brand: every call needs a `bulle_id`. */
export interface SphereTrackedKeywords extends TrackedKeywords {
  /** As `seo.trackedKeywords.list` of a `Client`; `bulle_id` is required. */
  list(params: InBulle<BulleTarget>, options?: RequestOptions): ListPromise<TrackedKeyword[], TrackedKeyword>;
  /** As `seo.trackedKeywords.create` of a `Client`; `bulle_id` is required. */
  create(params: InBulle<KeywordParams>, options?: RequestOptions): ApiPromise<TrackedKeyword>;
}

/** `seo` of a brand: every call needs a `bulle_id`. */
export interface SphereSeo extends Seo {
  /** As `seo.trackedKeywords` of a `Client`; `bulle_id` is required. */
  readonly trackedKeywords: SphereTrackedKeywords;
  /** As `seo.snapshot` of a `Client`; `bulle_id` is required. */
  snapshot(params: InBulle<BulleTarget>, options?: RequestOptions): ApiPromise<SeoSnapshot | NoSeoSnapshot>;
  /** As `seo.competitors` of a `Client`; `bulle_id` is required. */
  competitors(params: InBulle<BulleTarget>, options?: RequestOptions): ApiPromise<SeoCompetitors>;
  /** As `seo.searchConsole` of a `Client`; `bulle_id` is required. */
  searchConsole(params: InBulle<SearchConsoleParams>, options?: RequestOptions): ApiPromise<SearchConsoleReport>;
  /** As `seo.scan` of a `Client`; `bulle_id` is required. */
  scan<Only extends boolean | undefined = false>(
    params: InBulle<BulleTarget> & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, SeoScan>>;
  /** As `seo.keywordLookup` of a `Client`; `bulle_id` is required. */
  keywordLookup<Only extends boolean | undefined = false>(
    params: InBulle<KeywordParams> & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, KeywordLookup>>;
}

/** `images` of a brand: an image that follows the look of the brand needs a `bulle_id`. */
export interface SphereImages extends Images {
  /** As `images.generate` of a `Client`; `bulle_id` is required unless `align_with_brand` is `false`. */
  generate(
    params: ImageGenerateParams & ({ align_with_brand: false } | { bulle_id: string }),
    options?: RequestOptions,
  ): ApiPromise<GeneratedImage>;
}

/** `connections` of one location. */
export interface BulleConnections extends Connections {
  /** As `connections.list` of a `Client`, for the location of this client. */
  list(params?: WithoutBulle<ConnectionListParams>, options?: RequestOptions): ListPromise<Connection[], Connection>;
}

/** `posts` of one location. */
export interface BullePosts extends Posts {
  /** As `posts.create` of a `Client`, for the location of this client. */
  create<Only extends boolean | undefined = false>(
    params: WithoutBulle<PostCreateParams> & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, CreatedPost>>;
  /** As `posts.list` of a `Client`, for the location of this client. */
  list(params?: WithoutBulle<PostListParams>, options?: RequestOptions): ListPromise<Post[], Post>;
  /** As `posts.check` of a `Client`, for the location of this client. */
  check(params: WithoutBulle<PostCreateParams>, options?: RequestOptions): Promise<PostCheck>;
  /** As `posts.findRecent` of a `Client`, for the location of this client. */
  findRecent(params: WithoutBulle<PostFindParams>, options?: RequestOptions): Promise<Post[]>;
}

/** `social` of one location. */
export interface BulleSocial extends Social {
  /** As `social.publish` of a `Client`, for the location of this client. */
  publish<Only extends boolean | undefined = false>(
    params: WithoutBulle<SocialPublishParams> & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, SocialPublication>>;
  /** As `social.quota` of a `Client`, for the location of this client. */
  quota(params?: WithoutBulle<BulleTarget>, options?: RequestOptions): ApiPromise<SocialQuota>;
}

/** `articles` of one location. */
export interface BulleArticles extends Articles {
  /** As `articles.list` of a `Client`, for the location of this client. */
  list(params?: WithoutBulle<ArticleListParams>, options?: RequestOptions): ListPromise<ArticleList, Article>;
  /** As `articles.create` of a `Client`, for the location of this client. */
  create(params: WithoutBulle<ArticleCreateParams>, options?: RequestOptions): ApiPromise<ArticleCreation>;
  /** As `articles.changes` of a `Client`, for the location of this client. */
  changes(
    params?: WithoutBulle<ArticleChangesParams>,
    options?: RequestOptions,
  ): AsyncGenerator<Article, void, undefined>;
  /** As `articles.sync` of a `Client`, for the location of this client. */
  sync(params?: WithoutBulle<SyncOptions>, options?: RequestOptions): AsyncGenerator<SyncEvent, void, undefined>;
  /** As `articles.syncTo` of a `Client`, for the location of this client. */
  syncTo(
    store: ArticleStore,
    options?: WithoutBulle<SyncToOptions>,
    requestOptions?: RequestOptions,
  ): Promise<SyncResult>;
}

/** `seo.trackedKeywords` of one location. */
export interface BulleTrackedKeywords extends TrackedKeywords {
  /** As `seo.trackedKeywords.list` of a `Client`, for the location of this client. */
  list(params?: WithoutBulle<BulleTarget>, options?: RequestOptions): ListPromise<TrackedKeyword[], TrackedKeyword>;
  /** As `seo.trackedKeywords.create` of a `Client`, for the location of this client. */
  create(params: WithoutBulle<KeywordParams>, options?: RequestOptions): ApiPromise<TrackedKeyword>;
}

/** `seo` of one location. */
export interface BulleSeo extends Seo {
  /** As `seo.trackedKeywords` of a `Client`, for the location of this client. */
  readonly trackedKeywords: BulleTrackedKeywords;
  /** As `seo.snapshot` of a `Client`, for the location of this client. */
  snapshot(params?: WithoutBulle<BulleTarget>, options?: RequestOptions): ApiPromise<SeoSnapshot | NoSeoSnapshot>;
  /** As `seo.competitors` of a `Client`, for the location of this client. */
  competitors(params?: WithoutBulle<BulleTarget>, options?: RequestOptions): ApiPromise<SeoCompetitors>;
  /** As `seo.searchConsole` of a `Client`, for the location of this client. */
  searchConsole(params?: WithoutBulle<SearchConsoleParams>, options?: RequestOptions): ApiPromise<SearchConsoleReport>;
  /** As `seo.scan` of a `Client`, for the location of this client. */
  scan<Only extends boolean | undefined = false>(
    params?: WithoutBulle<BulleTarget> & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, SeoScan>>;
  /** As `seo.keywordLookup` of a `Client`, for the location of this client. */
  keywordLookup<Only extends boolean | undefined = false>(
    params: WithoutBulle<KeywordParams> & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, KeywordLookup>>;
}

/** `qrCodes` of one location. */
export interface BulleQrCodes extends QrCodes {
  /** As `qrCodes.list` of a `Client`, for the location of this client. */
  list(params?: WithoutBulle<QrCodeListParams>, options?: RequestOptions): ListPromise<QrCode[], QrCode>;
  /** As `qrCodes.create` of a `Client`, for the location of this client. */
  create(params: WithoutBulle<QrCodeCreateParams>, options?: RequestOptions): ApiPromise<CreatedQrCode>;
}

/** `sites` of one location. */
export interface BulleSites extends Sites {
  /** As `sites.list` of a `Client`, for the location of this client. */
  list(params?: WithoutBulle<SiteListParams>, options?: RequestOptions): ListPromise<Site[], Site>;
}

/** `reports` of one location. */
export interface BulleReports extends Reports {
  /** As `reports.list` of a `Client`, for the location of this client. */
  list(params?: WithoutBulle<ReportListParams>, options?: RequestOptions): ListPromise<Report[], Report>;
}

/** `images` of one location. */
export interface BulleImages extends Images {
  /** As `images.generate` of a `Client`, for the location of this client. */
  generate(params: WithoutBulle<ImageGenerateParams>, options?: RequestOptions): ApiPromise<GeneratedImage>;
}
