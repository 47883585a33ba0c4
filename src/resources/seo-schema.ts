import type { LiteralUnion } from 'type-fest';
import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import type { BulleTarget } from '../core/types.js';
import { bulleTargetSchema } from './parameters.js';
import { searchConsoleParamsSchema, searchConsoleReportSchema } from './seo-search-console.js';

/** What the last scan of a location found. A block that the scan did not produce is absent; their fields are not documented. */
export interface SeoSnapshot {
  /** `'snapshot'`. */
  kind: LiteralUnion<'snapshot', string>;
  /** Not the `snapshot_id` of `visibility.scan`, which is a string. */
  snapshot_id: number;
  /** The location. */
  bulle_id: string;
  /** ISO 8601. */
  created_at: string;
  /** The site that was scanned. */
  website_url?: string | null;
  /** Whether `ai_analysis` is there. */
  has_ai_analysis?: boolean | null;
  /** Keywords that the site is found for. */
  ranked_keywords?: unknown;
  /** Who else is found. */
  competitors?: unknown;
  /** How the pages themselves are made. */
  onpage?: unknown;
  /** How fast they are. */
  pagespeed?: unknown;
  /** What a model makes of it. */
  ai_analysis?: unknown;
  /** Never there: `null` marks the other form, {@link NoSeoSnapshot}. */
  snapshot?: undefined;
}

export const seoSnapshotSchema: z.ZodMiniType<SeoSnapshot, SeoSnapshot> = s.object({
  kind: s.string,
  snapshot_id: s.integer,
  bulle_id: s.string,
  created_at: s.string,
  website_url: s.maybe(s.string),
  has_ai_analysis: s.maybe(s.boolean),
  ranked_keywords: z.optional(s.anything),
  competitors: z.optional(s.anything),
  onpage: z.optional(s.anything),
  pagespeed: z.optional(s.anything),
  ai_analysis: z.optional(s.anything),
  snapshot: s.absent,
});

/** What stands in place of a snapshot for a location that was never scanned. */
export interface NoSeoSnapshot {
  /** `'snapshot'`. */
  kind: LiteralUnion<'snapshot', string>;
  /** The location. */
  bulle_id: string;
  /** `null` marks this form. */
  snapshot: null;
}

export const noSeoSnapshotSchema: z.ZodMiniType<NoSeoSnapshot, NoSeoSnapshot> = s.object({
  kind: s.string,
  bulle_id: s.string,
  snapshot: z.null(s.must('null')),
});

/** Who else is found, by the last scan of a location. */
export interface SeoCompetitors {
  /** `'competitors'`. */
  kind: LiteralUnion<'competitors', string>;
  /** The location. */
  bulle_id: string;
  /** Empty without a scan; the fields of its items are not documented. */
  competitors: unknown[];
  /** ISO 8601; absent without a scan. */
  snapshot_date?: string | null;
}

export const seoCompetitorsSchema: z.ZodMiniType<SeoCompetitors, SeoCompetitors> = s.object({
  kind: s.string,
  bulle_id: s.string,
  competitors: s.list(s.anything),
  snapshot_date: s.maybe(s.string),
});

/** Where a keyword stood at one time. */
export interface KeywordCheck {
  /** ISO 8601. */
  checked_at: string;
  /** `null` when it was not found. */
  position?: number | null;
}

/** A keyword whose position is watched. */
export interface TrackedKeyword {
  /** Its number. */
  id: number;
  /** What people search for. */
  keyword: string;
  /** `null` until it is checked. */
  last_position?: number | null;
  /** `null` until it was checked twice. */
  previous_position?: number | null;
  /** `null` until it was checked twice. */
  delta?: number | null;
  /** Searches a month; `null` until it is checked. */
  last_search_volume?: number | null;
  /** The page that is found; `null` until it is checked. */
  last_url?: string | null;
  /** ISO 8601; `null` until it is checked. */
  last_checked_at?: string | null;
  /** ISO 8601. */
  created_at?: string | null;
  /** Its positions so far; empty until it is checked. */
  history: KeywordCheck[];
}

export const trackedKeywordSchema: z.ZodMiniType<TrackedKeyword, TrackedKeyword> = s.object({
  id: s.integer,
  keyword: s.string,
  last_position: s.maybe(s.integer),
  previous_position: s.maybe(s.integer),
  delta: s.maybe(s.integer),
  last_search_volume: s.maybe(s.integer),
  last_url: s.maybe(s.string),
  last_checked_at: s.maybe(s.string),
  created_at: s.maybe(s.string),
  history: s.list(s.object({ checked_at: s.string, position: s.maybe(s.integer) })),
});

/** What became of a scan. */
export interface SeoScan {
  /** Whether a scan ran. */
  ran: boolean;
  /** `'full'`. */
  kind?: LiteralUnion<'full', string> | null;
  /** The location. */
  bulle_id?: string | null;
  /** ISO 8601. */
  scanned_at?: string | null;
  /** Scans of this month, this one included. */
  quota_used?: number | null;
  /** Scans that a month has. */
  quota_limit?: number | null;
}

export const seoScanSchema: z.ZodMiniType<SeoScan, SeoScan> = s.object({
  ran: s.boolean,
  kind: s.maybe(s.string),
  bulle_id: s.maybe(s.string),
  scanned_at: s.maybe(s.string),
  quota_used: s.maybe(s.integer),
  quota_limit: s.maybe(s.integer),
});

/** What is known of a keyword. */
export interface KeywordLookup {
  /** `'keyword-lookup'`. */
  kind: LiteralUnion<'keyword-lookup', string>;
  /** The keyword that was looked up. */
  keyword: string;
  /** Its fields are not documented. */
  result?: Record<string, unknown> | null;
}

export const keywordLookupSchema: z.ZodMiniType<KeywordLookup, KeywordLookup> = s.object({
  kind: s.string,
  keyword: s.string,
  result: s.maybe(s.opaque),
});

/** A keyword, and the location that it is for. */
export interface KeywordParams extends BulleTarget {
  /** What people search for. */
  keyword: string;
}

export const keywordParamsSchema: z.ZodMiniType<KeywordParams, KeywordParams> = s.params({
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
      trace: '`seo.trackedKeywords.list()` has the keyword',
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
    trace: '`seo.snapshot()` has a new `created_at`',
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
    trace: 'no read shows it; the `quota` of a preview may',
    permission: 'publish',
    target: 'bulle_id',
    targetRequired: true,
    dryRun: true,
    slow: true,
    params: keywordParamsSchema,
    response: keywordLookupSchema,
  }),
};
