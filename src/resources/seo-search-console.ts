import type { LiteralUnion } from 'type-fest';
import * as z from 'zod/mini';
import * as s from '../core/schema.js';
import type { BulleTarget } from '../core/types.js';
import { day } from './parameters.js';

/** A dimension by which a Search Console report can group its rows. */
export type SearchDimension = 'query' | 'page' | 'date' | 'country' | 'device';

/** A row of a Search Console report. `searchConsoleRows` converts `keys` to named fields. */
export interface SearchConsoleRow {
  /** One value for each dimension, in the order of `dimensions`. */
  keys: string[];
  /** Number of clicks on results of the site. */
  clicks: number;
  /** Number of times that results of the site were shown. */
  impressions: number;
  /** Click-through rate. */
  ctr: number;
  /** Average position in the search results. */
  position: number;
}

/** Figures from Google Search Console for the site of a location. */
export interface SearchConsoleReport {
  /** The location of the report. */
  bulle_id?: string | null;
  /** The site, as Search Console names it. */
  site_url?: string | null;
  /** First day, `YYYY-MM-DD`. */
  start_date?: string | null;
  /** Last day, `YYYY-MM-DD`. */
  end_date?: string | null;
  /** The dimensions of the rows: the names of their `keys`, in the same order. */
  dimensions: LiteralUnion<SearchDimension, string>[];
  /** The type of search. Its values are not documented. */
  search_type?: string | null;
  /** Number of rows. */
  row_count: number;
  /** The figures. `searchConsoleRows` converts their `keys` to named fields. */
  rows: SearchConsoleRow[];
}

/** The zod schema of {@link SearchConsoleReport}. */
export const searchConsoleReportSchema: s.ObjectSchema<SearchConsoleReport> = s.object({
  bulle_id: s.maybe(s.string),
  site_url: s.maybe(s.string),
  start_date: s.maybe(s.string),
  end_date: s.maybe(s.string),
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

/** Parameters of `seo.searchConsole`. */
export interface SearchConsoleParams extends BulleTarget {
  /** The dimensions by which the rows are grouped. Without it, the service chooses. */
  dimensions?: readonly SearchDimension[] | undefined;
  /** Number of days, 1 to 365. Pass either `days` or dates: it is not documented which of them wins. */
  days?: number | undefined;
  /** First day, `YYYY-MM-DD`. */
  start_date?: string | undefined;
  /** Last day, `YYYY-MM-DD`. */
  end_date?: string | undefined;
  /** Maximum number of rows. */
  row_limit?: number | undefined;
  /** Only queries that contain this text. */
  query_contains?: string | undefined;
  /** Only this query. */
  query_equals?: string | undefined;
  /** Only pages whose address contains this text. */
  page_contains?: string | undefined;
  /** Only the page with this address. */
  page_equals?: string | undefined;
  /** Only this country. The format is not documented. */
  country?: string | undefined;
  /** Only this type of device. The values are not documented. */
  device?: string | undefined;
  /** The type of search. The values are not documented. */
  search_type?: string | undefined;
}

/** The zod schema of {@link SearchConsoleParams}. */
export const searchConsoleParamsSchema: z.ZodMiniType<SearchConsoleParams, SearchConsoleParams> = s.refine(
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

/** The value of a dimension in this row. Absent if the report does not have the dimension. */
type DimensionValues = { [Dimension in SearchDimension]?: string };

/** A row of a Search Console report with one field for each dimension of the report. */
export interface NamedSearchConsoleRow extends Omit<SearchConsoleRow, 'keys'>, DimensionValues {}
