import type { Identity } from '../../src/core/identity.js';
import type { Accepted, Schema } from '../../src/core/schema.js';
import type { BulleTarget, FicheTarget } from '../../src/core/types.js';
import type * as acquisition from '../../src/resources/acquisition.js';
import type * as articles from '../../src/resources/articles-schema.js';
import type { articleEndpoints } from '../../src/resources/articles-schema.js';
import type { Bulle, BulleDetail, bulle, bulleDetail } from '../../src/resources/bulles.js';
import type {
  Connection,
  ConnectionListParams,
  connection,
  connectionEndpoints,
} from '../../src/resources/connections.js';
import type * as gmb from '../../src/resources/gmb-schema.js';
import type { Health, health } from '../../src/resources/health.js';
import type * as images from '../../src/resources/images.js';
import type { identity } from '../../src/resources/me.js';
import type { PlatformLimits, platformLimits } from '../../src/resources/platforms.js';
import type * as posts from '../../src/resources/posts-schema.js';
import type * as qrCodes from '../../src/resources/qr-codes.js';
import type * as reports from '../../src/resources/reports-schema.js';
import type * as reviews from '../../src/resources/reviews.js';
import type * as seo from '../../src/resources/seo-schema.js';
import type { seoEndpoints } from '../../src/resources/seo-schema.js';
import type * as sites from '../../src/resources/sites.js';
import type * as social from '../../src/resources/social.js';
import type { Sphere, sphere } from '../../src/resources/spheres.js';
import type * as visibility from '../../src/resources/visibility.js';
import { type Exact, exact } from './exact.js';

exact<Exact<typeof identity, Identity>>();
exact<Exact<typeof health, Health>>();
exact<Exact<typeof sphere, Sphere>>();
exact<Exact<typeof bulle, Bulle>>();
exact<Exact<typeof bulleDetail, BulleDetail>>();
exact<Exact<typeof connection, Connection>>();
exact<Exact<typeof platformLimits, PlatformLimits>>();
exact<Exact<typeof articles.article, articles.Article>>();
exact<Exact<typeof articles.articleList, articles.ArticleList>>();
exact<Exact<typeof articles.articleCreation, articles.ArticleCreation>>();
exact<Exact<typeof articles.articleUpdate, articles.ArticleUpdate>>();
exact<Exact<typeof articles.articlePublication, articles.ArticlePublication>>();
exact<Exact<typeof articles.articleConfirmation, articles.ArticleConfirmation>>();
exact<Exact<typeof posts.post, posts.Post>>();
exact<Exact<typeof posts.createdPost, posts.CreatedPost>>();
exact<Exact<typeof social.socialPublication, social.SocialPublication>>();
exact<Exact<typeof social.socialQuota, social.SocialQuota>>();
exact<Exact<typeof social.socialPost, social.SocialPost>>();
exact<Exact<typeof reviews.review, reviews.Review>>();
exact<Exact<typeof reviews.reviewPage, reviews.ReviewPage>>();
exact<Exact<typeof reviews.reviewSummary, reviews.ReviewSummary>>();
exact<Exact<typeof reviews.reviewReply, reviews.ReviewReply>>();
exact<Exact<typeof acquisition.acquisitionStats, acquisition.AcquisitionStats>>();
exact<Exact<typeof acquisition.reviewRequestBatch, acquisition.ReviewRequestBatch>>();
exact<Exact<typeof gmb.listingMetrics, gmb.ListingMetrics>>();
exact<Exact<typeof gmb.optimizerScore, gmb.OptimizerScore>>();
exact<Exact<typeof gmb.optimizerAudit, gmb.OptimizerAudit>>();
exact<Exact<typeof visibility.visibilityScan, visibility.VisibilityScan | visibility.NoVisibilityScan>>();
exact<Exact<typeof seo.seoSnapshot, seo.SeoSnapshot | seo.NoSeoSnapshot>>();
exact<Exact<typeof seo.seoCompetitors, seo.SeoCompetitors>>();
exact<Exact<typeof seo.trackedKeyword, seo.TrackedKeyword>>();
exact<Exact<typeof seo.searchConsoleReport, seo.SearchConsoleReport>>();
exact<Exact<typeof seo.seoScan, seo.SeoScan>>();
exact<Exact<typeof seo.keywordLookup, seo.KeywordLookup>>();
exact<Exact<typeof qrCodes.qrCode, qrCodes.QrCode>>();
exact<Exact<typeof qrCodes.createdQrCode, qrCodes.CreatedQrCode>>();
exact<Exact<typeof sites.site, sites.Site>>();
exact<Exact<typeof reports.report, reports.Report>>();
exact<Exact<typeof reports.reportJob, reports.ReportJob>>();
exact<Exact<typeof images.uploadedImage, images.UploadedImage>>();
exact<Exact<typeof images.generatedImage, images.GeneratedImage>>();

// The check itself can fail.
// @ts-expect-error a missing optional field
exact<Exact<typeof sphere, Omit<Sphere, 'slug'>>>();
// @ts-expect-error an extra optional field
exact<Exact<typeof sphere, Sphere & { motto?: string | null }>>();
// @ts-expect-error a field that may not be null
exact<Exact<typeof sphere, Omit<Sphere, 'slug'> & { slug?: string }>>();
// @ts-expect-error a fault further down
exact<Exact<typeof articles.articleList, Omit<articles.ArticleList, 'articles'> & { articles: Sphere[] }>>();

// Parameters: what the types take is what the schemas let through.
type Endpoints = typeof articleEndpoints;
exact<Exact<Endpoints['list']['params'], articles.ArticleListParams>>();
exact<Exact<Endpoints['update']['params'], articles.ArticleUpdateParams>>();
exact<Exact<Endpoints['publish']['params'], articles.ArticlePublishParams & { dry_run?: boolean | undefined }>>();
exact<Exact<Endpoints['confirm']['params'], articles.ArticleConfirmParams>>();
exact<Exact<(typeof connectionEndpoints)['list']['params'], ConnectionListParams>>();

interface DryRun {
  dry_run?: boolean | undefined;
}
type Posts = typeof posts.postEndpoints;
exact<Exact<Posts['list']['params'], posts.PostListParams>>();
exact<Exact<Posts['update']['params'], posts.PostUpdateParams>>();
exact<Exact<Posts['publish']['params'], DryRun>>();
exact<Exact<typeof posts.postFindParams, posts.PostFindParams>>();
type Social = typeof social.socialEndpoints;
exact<Exact<Social['publish']['params'], social.SocialPublishParams & DryRun>>();
exact<Exact<Social['quota']['params'], BulleTarget>>();
type Reviews = typeof reviews.reviewEndpoints;
exact<Exact<Reviews['list']['params'], reviews.ReviewListParams>>();
exact<Exact<Reviews['summary']['params'], FicheTarget>>();
exact<Exact<Reviews['reply']['params'], reviews.ReviewReplyParams & DryRun>>();
exact<Exact<(typeof acquisition.acquisitionEndpoints)['stats']['params'], FicheTarget>>();
type Gmb = typeof gmb.gmbEndpoints;
exact<Exact<Gmb['metrics']['params'], gmb.ListingMetricsParams>>();
exact<Exact<Gmb['score']['params'], FicheTarget>>();
exact<Exact<Gmb['audit']['params'], FicheTarget & DryRun>>();
exact<Exact<Gmb['apply']['params'], gmb.OptimizerApplyParams & DryRun>>();
exact<Exact<(typeof visibility.visibilityEndpoints)['scan']['params'], FicheTarget>>();
type Seo = typeof seoEndpoints;
exact<Exact<Seo['snapshot']['params'], BulleTarget & { kind: 'snapshot' }>>();
exact<Exact<Seo['competitors']['params'], BulleTarget & { kind: 'competitors' }>>();
exact<Exact<Seo['trackedKeywords']['params'], BulleTarget>>();
exact<Exact<Seo['trackKeyword']['params'], seo.KeywordParams>>();
exact<Exact<Seo['searchConsole']['params'], seo.SearchConsoleParams>>();
exact<Exact<Seo['scan']['params'], BulleTarget & DryRun>>();
exact<Exact<Seo['keywordLookup']['params'], seo.KeywordParams & DryRun>>();
type QrCodes = typeof qrCodes.qrCodeEndpoints;
exact<Exact<QrCodes['list']['params'], qrCodes.QrCodeListParams>>();
exact<Exact<QrCodes['create']['params'], qrCodes.QrCodeCreateParams>>();
exact<Exact<(typeof sites.siteEndpoints)['list']['params'], sites.SiteListParams>>();
exact<Exact<(typeof reports.reportEndpoints)['list']['params'], reports.ReportListParams>>();
exact<Exact<(typeof images.imageEndpoints)['generate']['params'], images.ImageGenerateParams>>();

// Parameters with alternatives: whatever the types take, the schemas know, and all that the schemas know can be passed.
type Keys<T> = T extends unknown ? keyof T : never;
type SameKeys<S extends Schema, Type> = [keyof Accepted<S>] extends [Keys<Type>]
  ? [Keys<Type>] extends [keyof Accepted<S>]
    ? true
    : false
  : false;
type Contact = Accepted<(typeof acquisition.acquisitionEndpoints)['requestReviews']['params']>['contacts'][number];
exact<SameKeys<Posts['create']['params'], posts.PostCreateParams & DryRun>>();
exact<SameKeys<(typeof reports.reportEndpoints)['create']['params'], reports.ReportCreateParams & DryRun>>();
exact<SameKeys<typeof reports.reportParams, reports.ReportCreateParams>>();
exact<SameKeys<Schema<Contact>, acquisition.ReviewContact>>();
exact<SameKeys<(typeof images.imageEndpoints)['upload']['params'], Omit<images.ImageUploadParams, 'file'>>>();
