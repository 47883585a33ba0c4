import type { LiteralUnion } from 'type-fest';
import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import type { BulleTarget, Timestamp } from '../core/types.js';
import { day } from './parameters.js';

/** A finished report. It has no id, so the list does not show which request it belongs to. */
export interface Report {
  /** Name of the listing. */
  fiche_name?: string | null;
  /** Name of the report. `reports.createAndWait` compares it with the `report_name` of the request. */
  report_name?: string | null;
  /** Month of the report, `YYYY-MM`. */
  period?: string | null;
  /** ISO 8601. */
  generated_at?: string | null;
  /** Address of the PDF. It may be on another host: fetch it without the key. */
  pdf_url?: string | null;
  /** Address of the figures as CSV. It may be on another host: fetch it without the key. */
  csv_url?: string | null;
}

/** The zod schema of {@link Report}. */
export const reportSchema: s.ObjectSchema<Report> = s.object({
  fiche_name: s.maybe(s.string),
  report_name: s.maybe(s.string),
  period: s.maybe(s.string),
  generated_at: s.maybe(s.string),
  pdf_url: s.maybe(s.string),
  csv_url: s.maybe(s.string),
});

/** The result of `reports.create`: the service has accepted the request and needs one or two minutes for the report. */
export interface ReportJob {
  /** Whether the service accepted the request. The report is not finished yet. */
  generated: boolean;
  /** `fiche` or `combine`. */
  type: LiteralUnion<'fiche' | 'combine', string>;
  /** Id of the request. The reports in `reports.list` do not have it. */
  report_id: string | number;
  /** Number of listings in the report. */
  fiches_count: number;
}

export const reportId = s.anyOf([s.string, s.integer], 'a string or an integer');

/** The zod schema of {@link ReportJob}. */
export const reportJobSchema: s.ObjectSchema<ReportJob> = s.object({
  generated: s.boolean,
  type: s.string,
  report_id: reportId,
  fiches_count: s.integer,
});

/** Filters of `reports.list`. */
export interface ReportListParams extends BulleTarget {
  /** Default `'fiche'`, the only documented value. It is not documented whether the list includes combined reports. */
  type?: 'fiche' | undefined;
  /** Number of reports, 1 to 100. Default 20. The list has only one page. */
  limit?: number | undefined;
}

/** The zod schema of {@link ReportListParams}. */
export const reportListParamsSchema: s.ObjectSchema<ReportListParams> = s.params({
  type: z.optional(s.oneOf(['fiche'])),
  limit: z.optional(s.int(1, 100)),
  bulle_id: s.target,
});

interface ReportFields {
  /** First day of the report, `YYYY-MM-DD`. */
  date_start: string;
  /** Last day of the report, `YYYY-MM-DD`. */
  date_end: string;
  /** Name of the report in the list. With a unique name, `createAndWait` can identify the report. */
  report_name?: string | undefined;
}

/** Parameters for reports on single listings. */
export interface FicheReportParams extends ReportFields {
  /** A report on a listing. It is not documented what several `fiche_ids` give. */
  type: 'fiche';
  /** Ids of the listings, at least one. */
  fiche_ids: readonly string[];
}

/**
 * Excludes a list that is written out with one item.
 * @inline
 */
type ButOne = {
  /** Only a list of unknown length has no known first item. */
  readonly 0?: undefined;
};

/**
 * At least two ids. A list of unknown length is checked when the call is made.
 * @inline
 */
type TwoOrMore = readonly [string, string, ...string[]] | (readonly string[] & ButOne);

/** Parameters for one report on several listings together. */
export interface CombinedReportParams extends ReportFields {
  /** A report that combines listings. */
  type: 'combine';
  /** Ids of the listings, at least two different ones. */
  fiche_ids: TwoOrMore;
}

/** Parameters of `reports.create`. */
export type ReportCreateParams = FicheReportParams | CombinedReportParams;

/** The schema of an order of these types. */
export function orderSchema<const Types extends readonly string[]>(types: Types) {
  return s.refine(
    s.params({
      type: s.oneOf(types),
      fiche_ids: s.list(s.text(1), 1),
      date_start: day,
      date_end: day,
      report_name: z.optional(s.text(1)),
    }),
    s.rule(
      ({ type, fiche_ids }) => type !== 'combine' || new Set(fiche_ids).size >= 2,
      "must name at least two listings when `type` is 'combine'",
      'fiche_ids',
    ),
    s.rule(({ date_start, date_end }) => date_start <= date_end, 'must not be before `date_start`', 'date_end'),
  );
}

/** The zod schema of {@link ReportCreateParams}. */
export const reportCreateParamsSchema: z.ZodMiniType<ReportCreateParams, ReportCreateParams> = orderSchema([
  'fiche',
  'combine',
]);

/** Parameters of `reports.wait`: the name of the report, and what else is known of its order. */
export interface ReportWaitParams extends BulleTarget {
  /** The `report_name` of the order. It should be unique. */
  report_name: string;
  /**
   * Only reports finished at or after this moment of this machine's clock. Default: now. A string without offset is read
   * as UTC.
   */
  since?: Timestamp | undefined;
  /** The type of the order. Default: any. */
  type?: 'fiche' | 'combine' | undefined;
  /** The listings of the order. Without them, two reports with the name are ambiguous. */
  fiche_ids?: readonly string[] | undefined;
  /** First day of the report, `YYYY-MM-DD`. Default: any. */
  date_start?: string | undefined;
  /** Last day of the report, `YYYY-MM-DD`. Default: any. */
  date_end?: string | undefined;
}

/** The zod schema of {@link ReportWaitParams}. */
export const reportWaitParamsSchema: s.ObjectSchema<ReportWaitParams> = s.params({
  report_name: s.text(1),
  since: z.optional(s.timestamp),
  type: z.optional(s.oneOf(['fiche', 'combine'])),
  fiche_ids: z.optional(s.list(s.text(1), 1)),
  date_start: z.optional(day),
  date_end: z.optional(day),
  bulle_id: s.target,
});

export const reportEndpoints = {
  list: endpoint({
    operation: 'reports.list',
    method: 'GET',
    path: '/reports',
    permission: 'read',
    target: 'bulle_id',
    params: reportListParamsSchema,
    response: s.list(reportSchema),
  }),
  create: endpoint({
    operation: 'reports.create',
    method: 'POST',
    path: '/reports',
    trace: '`reports.list()` shows the report once it is ready',
    permission: 'publish',
    dryRun: true,
    slow: true,
    params: reportCreateParamsSchema,
    response: reportJobSchema,
  }),
};
