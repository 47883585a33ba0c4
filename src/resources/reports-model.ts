import { endpoint } from '../core/endpoint.js';
import { day } from '../core/parameters.js';
import {
  anyOf,
  array,
  boolean,
  int,
  integer,
  maybe,
  object,
  oneOf,
  optional,
  type Rule,
  strictObject,
  string,
  text,
  where,
} from '../core/schema.js';
import type { BulleTarget, OpenEnum } from '../core/types.js';

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

/** A report that was accepted and is being made, which takes a minute or two. */
export interface ReportJob {
  /** Whether the service took it on. */
  generated: boolean;
  /** Of each listing, or of several together. */
  type: OpenEnum<'fiche' | 'combine'>;
  /** Reports in the list do not carry it. */
  report_id: string | number;
  /** Listings that it covers. */
  fiches_count?: number | null;
}

/** Which reports `reports.list` gives. */
export interface ReportListParams extends BulleTarget {
  /** Default `'fiche'`; the specification names no other. Whether combined reports are listed is not documented. */
  type?: 'fiche' | undefined;
  /** Reports, 1 to 100. Default 20. There is no further page. */
  limit?: number | undefined;
}

interface ReportFields {
  /** First day, `YYYY-MM-DD`. */
  date_start: string;
  /** Last day, `YYYY-MM-DD`. */
  date_end: string;
  /** How the report is called in the list: a name that no other report has lets `createAndWait` tell them apart. */
  report_name?: string | undefined;
}

/** A report on each listing. */
export interface FicheReportParams extends ReportFields {
  /** Of each listing. */
  type: 'fiche';
  /** At least one. */
  fiche_ids: readonly string[];
}

/** One report on several listings together. */
export interface CombinedReportParams extends ReportFields {
  /** Of several listings together. */
  type: 'combine';
  /** At least two different ones. */
  fiche_ids: readonly [string, string, ...string[]];
}

/** What `reports.create` takes. */
export type ReportCreateParams = FicheReportParams | CombinedReportParams;

/** @internal */
export const report = object({
  fiche_name: maybe(string),
  report_name: maybe(string),
  period: maybe(string),
  generated_at: maybe(string),
  pdf_url: maybe(string),
  csv_url: maybe(string),
});

/** @internal */
export const reportJob = object({
  generated: boolean,
  type: string,
  report_id: anyOf(string, integer),
  fiches_count: maybe(integer),
});

const reportFields = {
  type: oneOf('fiche', 'combine'),
  fiche_ids: array(text(1), 1),
  date_start: day,
  date_end: day,
  report_name: optional(text(1)),
};

interface ReportRange {
  type: string;
  fiche_ids: string[];
  date_start: string;
  date_end: string;
}

const rules: readonly Rule<ReportRange>[] = [
  [
    ({ type, fiche_ids }) => type !== 'combine' || new Set(fiche_ids).size >= 2,
    "two listings where `type` is 'combine'",
    'fiche_ids',
  ],
  [({ date_start, date_end }) => date_start <= date_end, '`date_start` or later', 'date_end'],
];

/** @internal `reports.create` without `dry_run`, for `reports.createAndWait`. */
export const reportParams = where(strictObject(reportFields), ...rules);

/** @internal */
export const reportEndpoints = {
  list: endpoint({
    operation: 'reports.list',
    method: 'GET',
    path: '/reports',
    permission: 'read',
    target: 'bulle_id',
    params: strictObject({
      type: optional(oneOf('fiche')),
      limit: optional(int(1, 100)),
      bulle_id: optional(text(1)),
    }),
    response: array(report),
  }),
  create: endpoint({
    operation: 'reports.create',
    method: 'POST',
    path: '/reports',
    trace: '`reports.list()` has the report, once ready',
    permission: 'publish',
    dryRun: true,
    slow: true,
    params: where(strictObject({ ...reportFields, dry_run: optional(boolean) }), ...rules),
    response: reportJob,
  }),
};
