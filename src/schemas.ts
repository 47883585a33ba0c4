// The entry `multilocal/schemas`: the zod schema of every response and every parameter object, named after its type.
// They are made with the zod of the app, so they compose with its own schemas.
import * as z from 'zod/mini';
import * as s from './core/schema.js';
import { type DryRunPreview, looksLikePreview } from './core/types.js';
import { type ArticleLatestParams, type ArticleRelatedParams, latestFields, relatedFields } from './page/endpoints.js';
import { type CombinedReportParams, type FicheReportParams, orderSchema } from './resources/reports-schema.js';

export type { ObjectSchema } from './core/schema.js';
export {
  acquisitionStatsSchema,
  reviewRequestBatchSchema,
  reviewRequestParamsSchema,
} from './resources/acquisition-schema.js';
export {
  articleCreateParamsSchema,
  articlePublishParamsSchema,
  articleUpdateParamsSchema,
} from './resources/articles-params.js';
export {
  articleChangesParamsSchema,
  articleConfirmationSchema,
  articleConfirmParamsSchema,
  articleListParamsSchema,
  articleListSchema,
  articleSchema,
} from './resources/articles-reads-schema.js';
export { articleCreationSchema, articlePublicationSchema, articleUpdateSchema } from './resources/articles-schema.js';
export { bulleDetailSchema, bulleSchema } from './resources/bulles-schema.js';
export { connectionListParamsSchema, connectionSchema } from './resources/connections-schema.js';
export {
  listingMetricsParamsSchema,
  listingMetricsSchema,
  optimizerApplyParamsSchema,
  optimizerAuditSchema,
  optimizerScoreSchema,
} from './resources/gmb-schema.js';
export { healthSchema } from './resources/health-schema.js';
export {
  generatedImageSchema,
  imageGenerateParamsSchema,
  imageUploadParamsSchema,
  uploadedImageSchema,
} from './resources/images-schema.js';
export { identitySchema } from './resources/me-schema.js';
export { bulleTargetSchema, ficheTargetSchema } from './resources/parameters.js';
export { platformLimitsSchema } from './resources/platforms-schema.js';
export {
  createdPostSchema,
  postCreateParamsSchema,
  postFindParamsSchema,
  postListParamsSchema,
  postSchema,
  postUpdateParamsSchema,
} from './resources/posts-schema.js';
export {
  createdQrCodeSchema,
  qrCodeCreateParamsSchema,
  qrCodeListParamsSchema,
  qrCodeSchema,
} from './resources/qr-codes-schema.js';
export {
  reportCreateParamsSchema,
  reportJobSchema,
  reportListParamsSchema,
  reportSchema,
  reportWaitParamsSchema,
} from './resources/reports-schema.js';
export {
  reviewListParamsSchema,
  reviewPageSchema,
  reviewReplyParamsSchema,
  reviewReplySchema,
  reviewSchema,
  reviewSummarySchema,
} from './resources/reviews-schema.js';
export {
  keywordLookupSchema,
  keywordParamsSchema,
  noSeoSnapshotSchema,
  seoCompetitorsSchema,
  seoScanSchema,
  seoSnapshotSchema,
  trackedKeywordSchema,
} from './resources/seo-schema.js';
export { searchConsoleParamsSchema, searchConsoleReportSchema } from './resources/seo-search-console.js';
export { siteListParamsSchema, siteSchema } from './resources/sites-schema.js';
export {
  socialPostSchema,
  socialPublicationSchema,
  socialPublishParamsSchema,
  socialQuotaSchema,
} from './resources/social-schema.js';
export { sphereSchema } from './resources/spheres-schema.js';
export { noVisibilityScanSchema, visibilityScanSchema } from './resources/visibility-schema.js';

/** The zod schema of {@link FicheReportParams}. */
export const ficheReportParamsSchema: z.ZodMiniType<FicheReportParams, FicheReportParams> = orderSchema(['fiche']);

/** The zod schema of {@link CombinedReportParams}. */
export const combinedReportParamsSchema: z.ZodMiniType<CombinedReportParams, CombinedReportParams> = orderSchema([
  'combine',
]);

/** The zod schema of {@link DryRunPreview}. A body without `dry_run: true` needs a field that begins with `would_`. */
export const dryRunPreviewSchema: z.ZodMiniType<DryRunPreview, DryRunPreview> = s.refine(
  s.object({ dry_run: s.maybeAbsent(s.only(true)), quota: z.optional(z.unknown()) }),
  s.rule(looksLikePreview, 'must show `dry_run: true` or a field that begins with `would_`'),
);

/** The zod schema of `ArticleLatestParams` of `multilocal/articles`. */
export const articleLatestParamsSchema: s.ObjectSchema<ArticleLatestParams> = s.params(latestFields());

/** The zod schema of `ArticleRelatedParams` of `multilocal/articles`. */
export const articleRelatedParamsSchema: s.ObjectSchema<ArticleRelatedParams> = s.params(relatedFields());

const { major, minor } = z.core.version;
if (major < 4 || (major === 4 && minor < 1))
  throw new Error('multilocal/schemas needs zod 4.1 or later (npm install zod@latest).');
