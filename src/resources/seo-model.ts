import {
  anyOf,
  anything,
  array,
  boolean,
  integer,
  maybe,
  number,
  object,
  oneOf,
  opaque,
  optional,
  string,
} from '../core/schema.js';
import type { BulleTarget, OpenEnum } from '../core/types.js';

/** What the last scan of a location found. A block that the scan did not produce is absent; their fields are not documented. */
export interface SeoSnapshot {
  /** `'snapshot'`. */
  kind: OpenEnum<'snapshot'>;
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

/** What stands in place of a snapshot for a location that was never scanned. */
export interface NoSeoSnapshot {
  /** `'snapshot'`. */
  kind: OpenEnum<'snapshot'>;
  /** The location. */
  bulle_id: string;
  /** `null` marks this form. */
  snapshot: null;
}

/** Who else is found, by the last scan of a location. */
export interface SeoCompetitors {
  /** `'competitors'`. */
  kind: OpenEnum<'competitors'>;
  /** The location. */
  bulle_id: string;
  /** Empty without a scan; the fields of its items are not documented. */
  competitors: unknown[];
  /** ISO 8601; absent without a scan. */
  snapshot_date?: string | null;
}

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

/** What the rows of a search-console report can be split by. */
export type SearchDimension = 'query' | 'page' | 'date' | 'country' | 'device';

/** A row of a search-console report; `searchConsoleRows` gives its keys their names. */
export interface SearchConsoleRow {
  /** One value a dimension, in the order of `dimensions`. */
  keys: string[];
  /** Clicks on results of the site. */
  clicks: number;
  /** How often results of the site were shown. */
  impressions: number;
  /** Clicks by impressions, 0 to 1. */
  ctr: number;
  /** Mean position; 1 is the top. */
  position: number;
}

/** Figures of Google's search console for a location's site. */
export interface SearchConsoleReport {
  /** The location. */
  bulle_id: string;
  /** The site, as the search console knows it. */
  site_url?: string | null;
  /** `YYYY-MM-DD`. */
  start_date: string;
  /** `YYYY-MM-DD`. */
  end_date: string;
  /** What the rows are split by: the names of their `keys`, in this order. */
  dimensions: OpenEnum<SearchDimension>[];
  /** The kind of search. */
  search_type?: string | null;
  /** How many rows there are. */
  row_count: number;
  /** The figures; `searchConsoleRows` names their keys. */
  rows: SearchConsoleRow[];
}

/** What became of a scan. */
export interface SeoScan {
  /** Whether a scan ran. */
  ran: boolean;
  /** `'full'`. */
  kind?: OpenEnum<'full'> | null;
  /** The location. */
  bulle_id?: string | null;
  /** ISO 8601. */
  scanned_at?: string | null;
  /** Scans of this month, this one included. */
  quota_used?: number | null;
  /** Scans that a month has. */
  quota_limit?: number | null;
}

/** What is known of a keyword. */
export interface KeywordLookup {
  /** `'keyword-lookup'`. */
  kind: OpenEnum<'keyword-lookup'>;
  /** The keyword that was looked up. */
  keyword: string;
  /** Its fields are not documented. */
  result?: Record<string, unknown> | null;
}

/** A keyword, and the location that it is for. */
export interface KeywordParams extends BulleTarget {
  /** What people search for. */
  keyword: string;
}

/** What `seo.searchConsole` takes. */
export interface SearchConsoleParams extends BulleTarget {
  /** What to split the rows by. Without it, the service's own choice. */
  dimensions?: readonly SearchDimension[] | undefined;
  /** The last days: 1 to 365. Which wins beside `start_date` and `end_date` is not documented: give one of the two. */
  days?: number | undefined;
  /** First day, `YYYY-MM-DD`. */
  start_date?: string | undefined;
  /** Last day, `YYYY-MM-DD`. */
  end_date?: string | undefined;
  /** Rows at most. */
  row_limit?: number | undefined;
  /** Queries that hold this text. */
  query_contains?: string | undefined;
  /** This query alone. */
  query_equals?: string | undefined;
  /** Pages whose address holds this text. */
  page_contains?: string | undefined;
  /** This page alone. */
  page_equals?: string | undefined;
  /** This country alone. */
  country?: string | undefined;
  /** This kind of device alone. */
  device?: string | undefined;
  /** The kind of search; its values are not documented. */
  search_type?: string | undefined;
}

/** @internal */
export const seoSnapshot = anyOf(
  object({
    kind: string,
    snapshot_id: integer,
    bulle_id: string,
    created_at: string,
    website_url: maybe(string),
    has_ai_analysis: maybe(boolean),
    ranked_keywords: optional(anything),
    competitors: optional(anything),
    onpage: optional(anything),
    pagespeed: optional(anything),
    ai_analysis: optional(anything),
    snapshot: optional(oneOf()),
  }),
  object({ kind: string, bulle_id: string, snapshot: oneOf(null) }),
);

/** @internal */
export const seoCompetitors = object({
  kind: string,
  bulle_id: string,
  competitors: array(anything),
  snapshot_date: maybe(string),
});

/** @internal */
export const trackedKeyword = object({
  id: integer,
  keyword: string,
  last_position: maybe(integer),
  previous_position: maybe(integer),
  delta: maybe(integer),
  last_search_volume: maybe(integer),
  last_url: maybe(string),
  last_checked_at: maybe(string),
  created_at: maybe(string),
  history: array(object({ checked_at: string, position: maybe(integer) })),
});

/** @internal */
export const searchConsoleReport = object({
  bulle_id: string,
  site_url: maybe(string),
  start_date: string,
  end_date: string,
  dimensions: array(string),
  search_type: maybe(string),
  row_count: integer,
  rows: array(
    object({
      keys: array(string),
      clicks: integer,
      impressions: integer,
      ctr: number,
      position: number,
    }),
  ),
});

/** @internal */
export const seoScan = object({
  ran: boolean,
  kind: maybe(string),
  bulle_id: maybe(string),
  scanned_at: maybe(string),
  quota_used: maybe(integer),
  quota_limit: maybe(integer),
});

/** @internal */
export const keywordLookup = object({ kind: string, keyword: string, result: maybe(opaque) });
