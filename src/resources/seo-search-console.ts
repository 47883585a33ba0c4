import type { LiteralUnion } from 'type-fest';
import * as z from 'zod/mini';
import * as s from '../core/schema.js';
import type { BulleTarget } from '../core/types.js';
import { day } from './parameters.js';

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
  dimensions: LiteralUnion<SearchDimension, string>[];
  /** The kind of search. */
  search_type?: string | null;
  /** How many rows there are. */
  row_count: number;
  /** The figures; `searchConsoleRows` names their keys. */
  rows: SearchConsoleRow[];
}

export const searchConsoleReportSchema: z.ZodMiniType<SearchConsoleReport, SearchConsoleReport> = s.object({
  bulle_id: s.string,
  site_url: s.maybe(s.string),
  start_date: s.string,
  end_date: s.string,
  dimensions: s.list(s.string),
  search_type: s.maybe(s.string),
  row_count: s.integer,
  rows: s.list(
    s.object({
      keys: s.list(s.string),
      clicks: s.integer,
      impressions: s.integer,
      ctr: s.number,
      position: s.number,
    }),
  ),
});
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

export const searchConsoleParamsSchema: z.ZodMiniType<SearchConsoleParams, SearchConsoleParams> = s.where(
  s.params({
    dimensions: z.optional(s.list(s.oneOf(['query', 'page', 'date', 'country', 'device']))),
    days: z.optional(s.int(1, 365)),
    start_date: z.optional(day),
    end_date: z.optional(day),
    row_limit: z.optional(s.int(1)),
    query_contains: z.optional(s.string),
    query_equals: z.optional(s.string),
    page_contains: z.optional(s.string),
    page_equals: z.optional(s.string),
    country: z.optional(s.string),
    device: z.optional(s.string),
    search_type: z.optional(s.string),
    bulle_id: s.target,
  }),
  s.rule(
    ({ start_date, end_date }) => !start_date || !end_date || start_date <= end_date,
    'must not be before `start_date`',
    'end_date',
  ),
);

/** A row of a search-console report with its keys by name; those that the report is not split by are absent. */
export interface NamedSearchConsoleRow
  extends Omit<SearchConsoleRow, 'keys'>,
    Partial<Record<SearchDimension, string>> {}
