import type { LiteralUnion } from 'type-fest';
import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import type { BulleTarget } from '../core/types.js';
import { absent, bulleTargetSchema } from './parameters.js';
import { searchConsoleParamsSchema, searchConsoleReportSchema } from './seo-search-console.js';

/**
 * The result of the last SEO scan of a location. A block that the scan did not produce is absent. The fields of the
 * blocks are not documented.
 */
export interface SeoSnapshot {
  /** `'snapshot'`. */
  kind: LiteralUnion<'snapshot', string>;
  /** Id of the scan. The `snapshot_id` of `visibility.scan` is another id, a string. */
  snapshot_id: number;
  /** The location of the scan. */
  bulle_id?: string | null;
  /** Date of the scan, ISO 8601. */
  created_at?: string | null;
  /** Address of the scanned site. */
  website_url?: string | null;
  /** Whether the scan produced `ai_analysis`. */
  has_ai_analysis: boolean;
  /** Block: keywords for which the site ranks. */
  ranked_keywords?: unknown;
  /** Block: competing sites. */
  competitors?: unknown;
  /** Block: on-page SEO of the site. */
  onpage?: unknown;
  /** Block: speed of the pages. */
  pagespeed?: unknown;
  /** Block: analysis by an AI model. */
  ai_analysis?: unknown;
  /** Always absent. `null` marks the other form, {@link NoSeoSnapshot}. */
  snapshot?: undefined;
}

/** The zod schema of {@link SeoSnapshot}. */
export const seoSnapshotSchema: s.ObjectSchema<SeoSnapshot> = s.object({
  kind: s.string,
  snapshot_id: s.integer,
  bulle_id: s.maybe(s.string),
  created_at: s.maybe(s.string),
  website_url: s.maybe(s.string),
  has_ai_analysis: s.boolean,
  ranked_keywords: z.optional(s.anything),
  competitors: z.optional(s.anything),
  onpage: z.optional(s.anything),
  pagespeed: z.optional(s.anything),
  ai_analysis: z.optional(s.anything),
  snapshot: absent,
});

/** The response for a location that was never scanned. */
export interface NoSeoSnapshot {
  /** `'snapshot'`. */
  kind: LiteralUnion<'snapshot', string>;
  /** The location without a scan. */
  bulle_id?: string | null;
  /** Always `null`, which distinguishes this form from {@link SeoSnapshot}. */
  snapshot: null;
}

/** The zod schema of {@link NoSeoSnapshot}. */
export const noSeoSnapshotSchema: s.ObjectSchema<NoSeoSnapshot> = s.object({
  kind: s.string,
  bulle_id: s.maybe(s.string),
  snapshot: s.only(null),
});

/** The competitors that the last SEO scan of a location found. */
export interface SeoCompetitors {
  /** `'competitors'`. */
  kind: LiteralUnion<'competitors', string>;
  /** The location of the scan. */
  bulle_id?: string | null;
  /** The competitors. Empty without a scan. The fields of the items are not documented. */
  competitors: unknown[];
  /** Date of the scan, ISO 8601. Absent without a scan. */
  snapshot_date?: string | null;
}

/** The zod schema of {@link SeoCompetitors}. */
export const seoCompetitorsSchema: s.ObjectSchema<SeoCompetitors> = s.object({
  kind: s.string,
  bulle_id: s.maybe(s.string),
  competitors: s.list(s.anything),
  snapshot_date: s.maybe(s.string),
});

/** The position of a keyword at one time. */
export interface KeywordCheck {
  /** Date of the check, ISO 8601. */
  checked_at: string;
  /** Position in the search results. */
  position?: number | null;
}

/** A keyword whose position the service tracks. */
export interface TrackedKeyword {
  /** Id of the tracked keyword. */
  id: number;
  /** The search term. */
  keyword?: string | null;
  /** Position at the last check. `null` for a new keyword. */
  last_position?: number | null;
  /** Position at the check before the last one. `null` for a new keyword. */
  previous_position?: number | null;
  /** Change of the position. May be `null`. */
  delta?: number | null;
  /** Search volume at the last check. May be `null`. */
  last_search_volume?: number | null;
  /** Address that the last check found. May be `null`. */
  last_url?: string | null;
  /** Date of the last check, ISO 8601. May be `null`. */
  last_checked_at?: string | null;
  /** ISO 8601. */
  created_at?: string | null;
  /** Checks so far. Empty for a new keyword. */
  history: KeywordCheck[];
}

/** The zod schema of {@link TrackedKeyword}. */
export const trackedKeywordSchema: s.ObjectSchema<TrackedKeyword> = s.object({
  id: s.integer,
  keyword: s.maybe(s.string),
  last_position: s.maybe(s.integer),
  previous_position: s.maybe(s.integer),
  delta: s.maybe(s.integer),
  last_search_volume: s.maybe(s.integer),
  last_url: s.maybe(s.string),
  last_checked_at: s.maybe(s.string),
  created_at: s.maybe(s.string),
  history: s.list(s.object({ checked_at: s.string, position: s.maybe(s.integer) })),
});

/** The result of `seo.scan`. */
export interface SeoScan {
  /** Whether a scan was made. */
  ran: boolean;
  /** `'full'`. */
  kind: LiteralUnion<'full', string>;
  /** The location of the scan. */
  bulle_id?: string | null;
  /** Date of the scan, ISO 8601. */
  scanned_at?: string | null;
  /** Number of scans that count toward the quota. */
  quota_used: number;
  /** Maximum number of scans per month. */
  quota_limit: number;
}

/** The zod schema of {@link SeoScan}. */
export const seoScanSchema: s.ObjectSchema<SeoScan> = s.object({
  ran: s.boolean,
  kind: s.string,
  bulle_id: s.maybe(s.string),
  scanned_at: s.maybe(s.string),
  quota_used: s.integer,
  quota_limit: s.integer,
});

/** The result of `seo.keywordLookup`. */
export interface KeywordLookup {
  /** `'keyword-lookup'`. */
  kind: LiteralUnion<'keyword-lookup', string>;
  /** The keyword from the request. */
  keyword?: string | null;
  /** Data about the keyword. The fields of this object are not documented. */
  result?: Record<string, unknown> | null;
}

/** The zod schema of {@link KeywordLookup}. */
export const keywordLookupSchema: s.ObjectSchema<KeywordLookup> = s.object({
  kind: s.string,
  keyword: s.maybe(s.string),
  result: s.maybe(s.opaque),
});

/** Parameters of `seo.trackedKeywords.create` and `seo.keywordLookup`. */
export interface KeywordParams extends BulleTarget {
  /** The search term. */
  keyword: string;
}

/** The zod schema of {@link KeywordParams}. */
export const keywordParamsSchema: s.ObjectSchema<KeywordParams> = s.params({
  keyword: s.text(1),
  bulle_id: s.target,
});

export const seoEndpoints = {
  snapshot: endpoint({
    operation: 'seo.snapshot',
    method: 'GET',
    path: '/seo/data',
    permission: 'read',
    target: 'bulle_id',
    targetRequired: true,
    constants: { kind: 'snapshot' },
    params: s.params({ kind: s.oneOf(['snapshot']), bulle_id: s.target }),
    response: s.anyOf([seoSnapshotSchema, noSeoSnapshotSchema], 'a snapshot or `snapshot: null`'),
  }),
  competitors: endpoint({
    operation: 'seo.competitors',
    method: 'GET',
    path: '/seo/data',
    permission: 'read',
    target: 'bulle_id',
    targetRequired: true,
    constants: { kind: 'competitors' },
    params: s.params({ kind: s.oneOf(['competitors']), bulle_id: s.target }),
    response: seoCompetitorsSchema,
  }),
  trackedKeywords: {
    list: endpoint({
      operation: 'seo.trackedKeywords.list',
      method: 'GET',
      path: '/seo/tracked-keywords',
      permission: 'read',
      target: 'bulle_id',
      targetRequired: true,
      params: bulleTargetSchema,
      response: s.list(trackedKeywordSchema),
    }),
    create: endpoint({
      operation: 'seo.trackedKeywords.create',
      method: 'POST',
      path: '/seo/tracked-keywords',
      trace: '`seo.trackedKeywords.list()` shows the keyword',
      permission: 'publish',
      target: 'bulle_id',
      targetRequired: true,
      params: keywordParamsSchema,
      response: trackedKeywordSchema,
    }),
  },
  searchConsole: endpoint({
    operation: 'seo.searchConsole',
    method: 'GET',
    path: '/seo/search-console',
    permission: 'read',
    target: 'bulle_id',
    targetRequired: true,
    params: searchConsoleParamsSchema,
    response: searchConsoleReportSchema,
  }),
  scan: endpoint({
    operation: 'seo.scan',
    method: 'POST',
    path: '/seo/scan',
    trace: '`seo.snapshot()` shows a new `created_at`',
    permission: 'publish',
    target: 'bulle_id',
    targetRequired: true,
    dryRun: true,
    slow: true,
    params: bulleTargetSchema,
    response: seoScanSchema,
  }),
  keywordLookup: endpoint({
    operation: 'seo.keywordLookup',
    method: 'POST',
    path: '/seo/keyword-lookup',
    trace: 'only the `quota` of a preview may show it',
    permission: 'publish',
    target: 'bulle_id',
    targetRequired: true,
    dryRun: true,
    slow: true,
    params: keywordParamsSchema,
    response: keywordLookupSchema,
  }),
};
