import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import { day, int, list, maybe, text } from '../core/schema.js';
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
export const report = /* @__PURE__ */ (() =>
  z.looseObject({
    fiche_name: maybe(z.string()),
    report_name: maybe(z.string()),
    period: maybe(z.string()),
    generated_at: maybe(z.string()),
    pdf_url: maybe(z.string()),
    csv_url: maybe(z.string()),
  }))();

/** @internal */
export const reportJob = /* @__PURE__ */ (() =>
  z.looseObject({
    generated: z.boolean(),
    type: z.string(),
    report_id: z.union([z.string(), z.int()]),
    fiches_count: maybe(z.int()),
  }))();

const reportFields = /* @__PURE__ */ (() =>
  z.strictObject({
    type: z.enum(['fiche', 'combine']),
    fiche_ids: list(text(1), 1),
    date_start: day,
    date_end: day,
    report_name: z.optional(text(1)),
  }))();

const rules = /* @__PURE__ */ (() =>
  [
    z.refine<z.output<typeof reportFields>>(
      ({ type, fiche_ids }) => type !== 'combine' || new Set(fiche_ids).size >= 2,
      { path: ['fiche_ids'], error: "at least two different listings where `type` is 'combine'" },
    ),
    z.refine<z.output<typeof reportFields>>(({ date_start, date_end }) => date_start <= date_end, {
      path: ['date_end'],
      error: '`date_start` or later',
    }),
  ] as const)();

/** @internal `reports.create` without `dry_run`, for `reports.createAndWait`. */
export const reportParams = /* @__PURE__ */ (() => reportFields.check(...rules))();

/** @internal */
export const reportEndpoints = {
  list: /* @__PURE__ */ (() =>
    endpoint({
      operation: 'reports.list',
      method: 'GET',
      path: '/reports',
      permission: 'read',
      target: 'bulle_id',
      params: z.strictObject({
        type: z.optional(z.enum(['fiche'])),
        limit: z.optional(int(1, 100)),
        bulle_id: z.optional(text(1)),
      }),
      response: z.array(report),
    }))(),
  create: /* @__PURE__ */ (() =>
    endpoint({
      operation: 'reports.create',
      method: 'POST',
      path: '/reports',
      trace: '`reports.list()`: the report is there once it is ready; give it a `report_name`',
      permission: 'publish',
      dryRun: true,
      slow: true,
      params: z.extend(reportFields, { dry_run: z.optional(z.boolean()) }).check(...rules),
      response: reportJob,
    }))(),
};
