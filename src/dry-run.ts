import type { Client } from './client.js';
import type { ApiPromise } from './core/api-promise.js';
import type { RequestOptions } from './core/options.js';
import type { Route } from './core/request.js';
import type { BulleTarget, DryRunPreview, FicheTarget } from './core/types.js';
import type { Acquisition, ReviewRequestParams } from './resources/acquisition.js';
import type { Articles } from './resources/articles.js';
import type { ArticlePublishParams } from './resources/articles-model.js';
import type { Gmb, GmbOptimizer } from './resources/gmb.js';
import type { OptimizerApplyParams } from './resources/gmb-model.js';
import type { Posts } from './resources/posts.js';
import type { PostCreateParams } from './resources/posts-model.js';
import type { QrCodes } from './resources/qr-codes.js';
import type { Reports } from './resources/reports.js';
import type { ReportCreateParams } from './resources/reports-model.js';
import type { ReviewReplyParams, Reviews } from './resources/reviews.js';
import type { Seo } from './resources/seo.js';
import type { KeywordParams } from './resources/seo-model.js';
import type { Social, SocialPublishParams } from './resources/social.js';

/** The articles on `client.dryRun`: reads, syncs, and the preview of a publication. */
export interface DryRunArticles
  extends Pick<Articles, 'list' | 'get' | 'changes' | 'sync' | 'syncTo' | 'waitUntilWritten'> {
  /**
   * Preview a publication: nothing is published. `POST /articles/{article_id}/publish` with `dry_run: true`.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview.
   * @example const preview = await client.dryRun.articles.publish(42);
   */
  publish(article_id: number, params?: ArticlePublishParams, options?: RequestOptions): ApiPromise<DryRunPreview>;
}

/** The posts on `client.dryRun`: reads, checks, and previews. */
export interface DryRunPosts extends Pick<Posts, 'list' | 'get' | 'check' | 'findRecent'> {
  /**
   * Preview a post: nothing is created. `POST /posts` with `dry_run: true`.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview.
   * @example const preview = await client.dryRun.posts.create({ content: 'Bonjour', platforms: ['facebook'] });
   */
  create(params: PostCreateParams, options?: RequestOptions): ApiPromise<DryRunPreview>;
  /**
   * Preview a publication: nothing is published. `POST /posts/{post_id}/publish` with `dry_run: true`.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview.
   * @example const preview = await client.dryRun.posts.publish(42);
   */
  publish(
    post_id: number,
    params?: { dry_run?: true | undefined },
    options?: RequestOptions,
  ): ApiPromise<DryRunPreview>;
}

/** Simplified publishing on `client.dryRun`: reads and the preview. */
export interface DryRunSocial extends Pick<Social, 'quota' | 'get'> {
  /**
   * Preview a publication: nothing goes out. `POST /social/publish` with `dry_run: true`.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview.
   * @example const { quota } = await client.dryRun.social.publish({ text: 'Bonjour', platforms: ['facebook'] });
   */
  publish(params: SocialPublishParams, options?: RequestOptions): ApiPromise<DryRunPreview>;
}

/** The reviews on `client.dryRun`: reads and the preview of a reply. */
export interface DryRunReviews extends Pick<Reviews, 'list' | 'summary'> {
  /**
   * Preview a reply: nothing is posted. `POST /reviews/{review_id}/reply` with `dry_run: true`.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview.
   * @example const preview = await client.dryRun.reviews.reply(review_id, { text: 'Merci !' });
   */
  reply(review_id: string, params: ReviewReplyParams, options?: RequestOptions): ApiPromise<DryRunPreview>;
}

/** Review requests on `client.dryRun`: figures and the preview. */
export interface DryRunAcquisition extends Pick<Acquisition, 'stats'> {
  /**
   * Preview review requests: nobody is asked. `POST /acquisition/review-requests` with `dry_run: true`.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview.
   * @example const { quota } = await client.dryRun.acquisition.requestReviews({ contacts, fiche_id });
   */
  requestReviews(params: ReviewRequestParams, options?: RequestOptions): ApiPromise<DryRunPreview>;
}

/** The optimizer on `client.dryRun`: the kept score and the previews. */
export interface DryRunGmbOptimizer extends Pick<GmbOptimizer, 'score'> {
  /**
   * Preview an audit: none is made. `POST /gmb/optimizer/audit` with `dry_run: true`.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview.
   * @example const { quota } = await client.dryRun.gmb.optimizer.audit({ fiche_id });
   */
  audit(params?: FicheTarget, options?: RequestOptions): ApiPromise<DryRunPreview>;
  /**
   * Preview changes of a listing: nothing is written. `POST /gmb/optimizer/apply` with `dry_run: true`.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview.
   * @example const preview = await client.dryRun.gmb.optimizer.apply({ changes, fiche_id });
   */
  apply(params: OptimizerApplyParams, options?: RequestOptions): ApiPromise<DryRunPreview>;
}

/** The listings on `client.dryRun`: figures and previews. */
export interface DryRunGmb extends Pick<Gmb, 'metrics'> {
  readonly optimizer: DryRunGmbOptimizer;
}

/** SEO on `client.dryRun`: reads and previews. */
export interface DryRunSeo extends Pick<Seo, 'snapshot' | 'competitors' | 'searchConsole'> {
  /** The watched keywords, to read. */
  readonly trackedKeywords: Pick<Seo['trackedKeywords'], 'list'>;
  /**
   * Preview a scan: none is run. `POST /seo/scan` with `dry_run: true`.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview.
   * @example const { quota } = await client.dryRun.seo.scan({ bulle_id });
   */
  scan(params?: BulleTarget, options?: RequestOptions): ApiPromise<DryRunPreview>;
  /**
   * Preview a look-up: none is made. `POST /seo/keyword-lookup` with `dry_run: true`.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview.
   * @example const { quota } = await client.dryRun.seo.keywordLookup({ keyword: 'levain', bulle_id });
   */
  keywordLookup(params: KeywordParams, options?: RequestOptions): ApiPromise<DryRunPreview>;
}

/** The reports on `client.dryRun`: the list and the preview. */
export interface DryRunReports extends Pick<Reports, 'list'> {
  /**
   * Preview a report: none is made. `POST /reports` with `dry_run: true`.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview.
   * @example const preview = await client.dryRun.reports.create(params);
   */
  create(params: ReportCreateParams, options?: RequestOptions): ApiPromise<DryRunPreview>;
}

/** A client that executes nothing: costly operations preview, other writes are not there and are refused when called. */
export interface DryRunClient
  extends Pick<
    Client,
    'identity' | 'scope' | 'health' | 'me' | 'spheres' | 'bulles' | 'connections' | 'platforms' | 'visibility' | 'sites'
  > {
  readonly posts: DryRunPosts;
  readonly social: DryRunSocial;
  readonly articles: DryRunArticles;
  readonly reviews: DryRunReviews;
  readonly acquisition: DryRunAcquisition;
  readonly gmb: DryRunGmb;
  readonly seo: DryRunSeo;
  /** The QR codes, to read. */
  readonly qrCodes: Pick<QrCodes, 'list'>;
  readonly reports: DryRunReports;
  /** The same for one location. */
  forBulle(bulle_id: string): DryRunClient;
  /** The same for one listing. */
  forFiche(fiche_id: string): DryRunClient;
  /** Read a route that this version does not know; other methods are refused. */
  request<T = unknown>(route: Route & { method: 'GET' }, options?: RequestOptions): ApiPromise<T>;
}
