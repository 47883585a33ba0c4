import type { Api } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import type { ApiPromise } from '../core/promise.js';
import type { BulleTarget, DryRunOption, DryRunResult } from '../core/types.js';
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

/**
 * Give the keys of each row the names of their dimensions, those that this version does not know included.
 * @example
 * const report = await client.seo.searchConsole({ dimensions: ['query', 'page'], days: 28 });
 * for (const { query, clicks } of searchConsoleRows(report)) console.log(query, clicks);
 */
export function searchConsoleRows(report: Pick<SearchConsoleReport, 'dimensions' | 'rows'>): NamedSearchConsoleRow[] {
  return report.rows.map(({ keys, ...figures }) => {
    const named = report.dimensions.flatMap((dimension, index) => {
      const key = keys[index];
      return key === undefined ? [] : [[dimension, key]];
    });
    return { ...Object.fromEntries(named), ...figures };
  });
}

/** Keywords whose positions are watched. */
export class TrackedKeywords {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * List the watched keywords of a location. `GET /seo/tracked-keywords`, permission `read`.
   * @throws a {@link MissingBulleIdError} for a sphere key without `bulle_id`.
   * @example const risen = (await client.seo.trackedKeywords.list({ bulle_id })).filter(({ delta }) => delta && delta > 0);
   */
  list(params?: BulleTarget, options?: RequestOptions): ApiPromise<TrackedKeyword[]> {
    return this.#api.send(seoEndpoints.trackedKeywords.list, params, options);
  }

  /**
   * Watch a keyword. `POST /seo/tracked-keywords`, permission `publish`.
   *
   * Its positions are `null` until it is checked. Never sent twice when it may have happened: after
   * `outcome: 'unknown'`, `seo.trackedKeywords.list` shows whether it is there.
   * @throws a {@link MissingBulleIdError} for a sphere key without `bulle_id`.
   * @example const { id } = await client.seo.trackedKeywords.create({ keyword: 'boulangerie lyon', bulle_id });
   */
  create(params: KeywordParams, options?: RequestOptions): ApiPromise<TrackedKeyword> {
    return this.#api.send(seoEndpoints.trackedKeywords.create, params, options);
  }
}

/** How the site of a location is found: scans, keywords, search console. */
export class Seo {
  readonly #api: Api;
  /** Keywords whose positions are watched. */
  readonly trackedKeywords: TrackedKeywords;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
    this.trackedKeywords = new TrackedKeywords(api);
  }

  /**
   * Read what the last scan of a location found. `GET /seo/data` with `kind=snapshot`, permission `read`.
   *
   * A location that was never scanned has `snapshot: null`. A block that the scan did not produce is absent.
   * @throws a {@link MissingBulleIdError} for a sphere key without `bulle_id`.
   * @example
   * const seo = await client.seo.snapshot({ bulle_id });
   * console.log(seo.snapshot === null ? 'never scanned' : seo.created_at);
   */
  snapshot(params?: BulleTarget, options?: RequestOptions): ApiPromise<SeoSnapshot | NoSeoSnapshot> {
    return this.#api.send(seoEndpoints.snapshot, params, options, { kind: 'snapshot' });
  }

  /**
   * Read who else is found, by the last scan of a location. `GET /seo/data` with `kind=competitors`, permission `read`.
   *
   * Without a scan, `competitors` is empty and `snapshot_date` absent.
   * @throws a {@link MissingBulleIdError} for a sphere key without `bulle_id`.
   * @example const { competitors, snapshot_date } = await client.seo.competitors({ bulle_id });
   */
  competitors(params?: BulleTarget, options?: RequestOptions): ApiPromise<SeoCompetitors> {
    return this.#api.send(seoEndpoints.competitors, params, options, { kind: 'competitors' });
  }

  /**
   * Read figures of Google's search console. `GET /seo/search-console`, permission `read`.
   *
   * Over the last `days` (1 to 365), or from `start_date` to `end_date` (`YYYY-MM-DD`). `searchConsoleRows` names the keys
   * of the rows.
   * @throws a {@link MissingBulleIdError} for a sphere key without `bulle_id`.
   * @throws a {@link BadGatewayError} when Google failed.
   * @example const { rows } = await client.seo.searchConsole({ dimensions: ['query'], days: 28, bulle_id });
   */
  searchConsole(params?: SearchConsoleParams, options?: RequestOptions): ApiPromise<SearchConsoleReport> {
    return this.#api.send(seoEndpoints.searchConsole, params, options);
  }

  /**
   * Scan the site of a location. `POST /seo/scan`, permission `publish`.
   *
   * Spends the monthly quota; slow: 180 s an attempt by default. Never sent twice when it may have happened: after
   * `outcome: 'unknown'`, `seo.snapshot` shows a new `created_at`.
   * With `dry_run: true` nothing is executed and a preview comes back.
   * @throws a {@link QuotaExceededError} when the monthly quota is used up.
   * @throws a {@link MissingBulleIdError} for a sphere key without `bulle_id`.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview: the scan then ran.
   * @example const { quota_used, quota_limit } = await client.seo.scan({ bulle_id });
   */
  scan<Only extends boolean | undefined = false>(
    params?: BulleTarget & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, SeoScan>> {
    return this.#api.send(seoEndpoints.scan, params, options);
  }

  /**
   * Look a keyword up at the provider of SEO data. `POST /seo/keyword-lookup`, permission `publish`.
   *
   * Costly. Never sent twice when it may have happened: after `outcome: 'unknown'`, only the `quota` of a preview
   * (`dry_run: true`) may show whether it was counted; no read shows the result.
   * With `dry_run: true` nothing is executed and a preview comes back.
   * @throws a {@link QuotaExceededError} when a monthly quota is used up.
   * @throws a {@link BadGatewayError} when the provider failed.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview: the look-up then was made.
   * @example const { result } = await client.seo.keywordLookup({ keyword: 'pain au levain', bulle_id });
   */
  keywordLookup<Only extends boolean | undefined = false>(
    params: KeywordParams & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, KeywordLookup>> {
    return this.#api.send(seoEndpoints.keywordLookup, params, options);
  }
}
