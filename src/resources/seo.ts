import { type Api, type ApiPromise, apiOf, Resource } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import { checkBody } from '../core/response.js';
import * as s from '../core/schema.js';
import type { BulleTarget, DryRunOption, DryRunResult } from '../core/types.js';
import { type ListPromise, sendList, wholeList } from './pages.js';
import {
  type KeywordLookup,
  type KeywordParams,
  type NoSeoSnapshot,
  type SeoCompetitors,
  type SeoScan,
  type SeoSnapshot,
  seoEndpoints,
  type TrackedKeyword,
} from './seo-schema.js';
import type { NamedSearchConsoleRow, SearchConsoleParams, SearchConsoleReport } from './seo-search-console.js';
import type { BulleArgs, MarkOf, NeedsBulle } from './sphere.js';

const needs = s.object({
  dimensions: s.list(s.string),
  rows: s.list(s.object({ keys: s.list(s.string) })),
});

/**
 * Converts the `keys` of each row to fields named after the dimensions, including dimensions that this version does not
 * know.
 * @throws an {@link InvalidResponseError} if the report lacks its rows or dimensions, which other `validation` lets through.
 * @example
 * const report = await client.seo.searchConsole({ dimensions: ['query', 'page'], days: 28 });
 * for (const { query, clicks } of searchConsoleRows(report)) console.log(query, clicks);
 */
export function searchConsoleRows(report: Pick<SearchConsoleReport, 'dimensions' | 'rows'>): NamedSearchConsoleRow[] {
  checkBody('searchConsoleRows', needs, report);
  return report.rows.map(({ keys, ...figures }) => {
    const named = report.dimensions.flatMap((dimension, index) => {
      const key = keys[index];
      return key === undefined ? [] : [[dimension, key]];
    });
    return { ...Object.fromEntries(named), ...figures };
  });
}

/** Keywords whose positions the service tracks. */
export class TrackedKeywords extends Resource {
  /**
   * Lists the tracked keywords of a location. `GET /seo/tracked-keywords`, permission `read`.
   * @throws a {@link MissingBulleIdError} if a sphere key is used without `bulle_id`.
   * @example const moved = (await client.seo.trackedKeywords.list({ bulle_id })).filter(({ delta }) => delta);
   */
  list(...[params, options]: BulleArgs<this>): ListPromise<TrackedKeyword[], TrackedKeyword> {
    return sendList(apiOf(this), seoEndpoints.trackedKeywords.list, params, options, wholeList());
  }

  /**
   * Starts tracking a keyword. `POST /seo/tracked-keywords`, permission `publish`.
   *
   * The positions of a new keyword are `null`.
   * @remarks A write that may have succeeded is never sent again: after `outcome: 'unknown'`,
   * `seo.trackedKeywords.list` shows whether the keyword is tracked.
   * @throws a {@link MissingBulleIdError} if a sphere key is used without `bulle_id`.
   * @example const { id } = await client.seo.trackedKeywords.create({ keyword: 'brioche dorée', bulle_id });
   */
  create(params: KeywordParams & NeedsBulle<this>, options?: RequestOptions): ApiPromise<TrackedKeyword> {
    return apiOf(this).send(seoEndpoints.trackedKeywords.create, params, options);
  }
}

/** SEO of a location's site: scans, keywords and Google Search Console. */
export class Seo extends Resource {
  /** Keywords whose positions the service tracks. */
  readonly trackedKeywords: TrackedKeywords & MarkOf<this>;

  /** @internal */
  constructor(api: Api) {
    super(api);
    this.trackedKeywords = new TrackedKeywords(api) as TrackedKeywords & MarkOf<this>;
  }

  /**
   * Reads the result of the last SEO scan of a location. `GET /seo/data` with `kind=snapshot`, permission `read`.
   *
   * For a location that was never scanned, `snapshot` is `null`. A block that the scan did not produce is absent.
   * @throws a {@link MissingBulleIdError} if a sphere key is used without `bulle_id`.
   * @example
   * const seo = await client.seo.snapshot({ bulle_id });
   * console.log(seo.snapshot === null ? 'never scanned' : seo.created_at);
   */
  snapshot(...[params, options]: BulleArgs<this>): ApiPromise<SeoSnapshot | NoSeoSnapshot> {
    return apiOf(this).send(seoEndpoints.snapshot, params, options);
  }

  /**
   * Reads the competitors that the last SEO scan of a location found. `GET /seo/data` with `kind=competitors`,
   * permission `read`.
   *
   * Without a scan, `competitors` is empty and `snapshot_date` is absent.
   * @throws a {@link MissingBulleIdError} if a sphere key is used without `bulle_id`.
   * @example const { competitors, snapshot_date } = await client.seo.competitors({ bulle_id });
   */
  competitors(...[params, options]: BulleArgs<this>): ApiPromise<SeoCompetitors> {
    return apiOf(this).send(seoEndpoints.competitors, params, options);
  }

  /**
   * Reads figures from Google Search Console. `GET /seo/search-console`, permission `read`.
   *
   * The figures cover the last `days` (1 to 365), or the days from `start_date` to `end_date` (`YYYY-MM-DD`).
   * `searchConsoleRows` converts the `keys` of the rows to named fields.
   * @throws a {@link MissingBulleIdError} if a sphere key is used without `bulle_id`.
   * @example const { rows } = await client.seo.searchConsole({ dimensions: ['query'], days: 28, bulle_id });
   */
  searchConsole(...[params, options]: BulleArgs<this, SearchConsoleParams>): ApiPromise<SearchConsoleReport> {
    return apiOf(this).send(seoEndpoints.searchConsole, params, options);
  }

  /**
   * Scans the site of a location. `POST /seo/scan`, permission `publish`.
   *
   * The call uses the monthly quota and is slow: the default timeout is 180 s per attempt.
   * @remarks A write that may have succeeded is never sent again: after `outcome: 'unknown'`, `seo.snapshot` shows a
   * new `created_at` if the scan was made. `dry_run: true` returns a preview and executes nothing.
   * @throws a {@link QuotaExceededError} if the monthly quota is used up.
   * @throws a {@link MissingBulleIdError} if a sphere key is used without `bulle_id`.
   * @throws a {@link DryRunNotHonoredError} if the response is not a preview: the scan was then made.
   * @example const { quota_used, quota_limit } = await client.seo.scan({ bulle_id });
   */
  scan<Only extends boolean | undefined = false>(
    ...[params, options]: BulleArgs<this, BulleTarget & DryRunOption<Only>>
  ): ApiPromise<DryRunResult<Only, SeoScan>> {
    return apiOf(this).send(seoEndpoints.scan, params, options);
  }

  /**
   * Looks up a keyword at the provider of SEO data. `POST /seo/keyword-lookup`, permission `publish`.
   *
   * The call is costly.
   * @remarks A write that may have succeeded is never sent again. After `outcome: 'unknown'`, no read shows the result,
   * and only the `quota` of a preview (`dry_run: true`) may show whether the lookup was counted. `dry_run: true`
   * returns a preview and executes nothing.
   * @throws a {@link MissingBulleIdError} if a sphere key is used without `bulle_id`.
   * @throws a {@link BadGatewayError} if the provider of SEO data failed.
   * @throws a {@link DryRunNotHonoredError} if the response is not a preview: the lookup was then made.
   * @example const { result } = await client.seo.keywordLookup({ keyword: 'pain au levain', bulle_id });
   */
  keywordLookup<Only extends boolean | undefined = false>(
    params: KeywordParams & NeedsBulle<this> & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, KeywordLookup>> {
    return apiOf(this).send(seoEndpoints.keywordLookup, params, options);
  }
}
