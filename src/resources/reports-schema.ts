import type { LiteralUnion } from 'type-fest';
import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import type { BulleTarget } from '../core/types.js';
import { day } from './parameters.js';

/** A report that is ready. It has no id: the list cannot tell which request a report belongs to. */
export interface Report {
  /** Name of the listing. */
  fiche_name?: string | null;
  /** The `report_name` that it was asked for with, else one of the service's. */
  report_name?: string | null;
  /** `YYYY-MM`. */
  period?: string | null;
  /** ISO 8601. */
  generated_at?: string | null;
  /** Address of the PDF, on another host: fetch it without the key. */
  pdf_url?: string | null;
  /** Address of the figures as CSV, on another host: fetch it without the key. */
  csv_url?: string | null;
}

export const reportSchema: z.ZodMiniType<Report, Report> = s.object({
  fiche_name: s.maybe(s.string),
  report_name: s.maybe(s.string),
  period: s.maybe(s.string),
  generated_at: s.maybe(s.string),
  pdf_url: s.maybe(s.string),
  csv_url: s.maybe(s.string),
});

/** A report that was accepted and is being made, which takes a minute or two. */
export interface ReportJob {
  /** Whether the service took it on. */
  generated: boolean;
  /** Of each listing, or of several together. */
  type: LiteralUnion<'fiche' | 'combine', string>;
  /** Reports in the list do not carry it. */
  report_id: string | number;
  /** Listings that it covers. */
  fiches_count?: number | null;
}

export const reportJobSchema: z.ZodMiniType<ReportJob, ReportJob> = s.object({
  generated: s.boolean,
  type: s.string,
  report_id: s.anyOf([s.string, s.integer], 'a string or an integer'),
  fiches_count: s.maybe(s.integer),
});

/** Which reports `reports.list` gives. */
export interface ReportListParams extends BulleTarget {
  /** Default `'fiche'`; the specification names no other. Whether combined reports are listed is not documented. */
  type?: 'fiche' | undefined;
  /** Reports, 1 to 100. Default 20. There is no further page. */
  limit?: number | undefined;
}

export const reportListParamsSchema: z.ZodMiniType<ReportListParams, ReportListParams> = s.params({
  type: z.optional(s.oneOf(['fiche'])),
  limit: z.optional(s.int(1, 100)),
  bulle_id: s.target,
});

interface ReportFields {
  /** First day, `YYYY-MM-DD`. */
  date_start: string;
  /** Last day, `YYYY-MM-DD`. */
  date_end: string;
  /** How the report is called in the list: a name that no other report has lets `createAndWait` tell them apart. */
  report_name?: string | undefined;
}

const reportFields = { date_start: day, date_end: day, report_name: z.optional(s.text(1)) };

const isRange = s.rule<ReportFields>(
  ({ date_start, date_end }) => date_start <= date_end,
  '`date_start` or later',
  'date_end',
);

/** A report on each listing. */
export interface FicheReportParams extends ReportFields {
  /** Of each listing. */
  type: 'fiche';
  /** At least one. */
  fiche_ids: readonly string[];
}

export const ficheReportParamsSchema: z.ZodMiniType<FicheReportParams, FicheReportParams> = s.where(
  s.params({ type: s.oneOf(['fiche']), fiche_ids: s.list(s.text(1), 1), ...reportFields }),
  isRange,
);

/** One report on several listings together. */
export interface CombinedReportParams extends ReportFields {
  /** Of several listings together. */
  type: 'combine';
  /** At least two different ones. */
  fiche_ids: readonly [string, string, ...string[]];
}

const isCombinable = s.rule<{ fiche_ids: readonly string[] }>(
  ({ fiche_ids }) => new Set(fiche_ids).size >= 2,
  "must name at least two listings when `type` is 'combine'",
  'fiche_ids',
);

export const combinedReportParamsSchema: z.ZodMiniType<CombinedReportParams, CombinedReportParams> = s.where(
  s.params({ type: s.oneOf(['combine']), fiche_ids: s.list(s.text(1), 1), ...reportFields }),
  isCombinable,
  isRange,
);

/** What `reports.create` takes. */
export type ReportCreateParams = FicheReportParams | CombinedReportParams;

export const reportCreateParamsSchema: z.ZodMiniType<ReportCreateParams, ReportCreateParams> = s.where(
  s.params({ type: s.oneOf(['fiche', 'combine']), fiche_ids: s.list(s.text(1), 1), ...reportFields }),
  s.rule(
    ({ type, fiche_ids }) => type !== 'combine' || new Set(fiche_ids).size >= 2,
    "must name at least two listings when `type` is 'combine'",
    'fiche_ids',
  ),
  isRange,
);

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
    trace: '`reports.list()` has the report, once ready',
    permission: 'publish',
    dryRun: true,
    slow: true,
    params: reportCreateParamsSchema,
    response: reportJobSchema,
  }),
};
