import * as z from 'zod/mini';
import { formatInstant, type Micros, SECOND } from '../../engine/clock.js';
import { accepted, ok, type Reply } from '../../engine/http.js';
import { schedule } from '../../engine/jobs.js';
import { optionsSchema, readOptions } from '../../engine/options.js';
import { defineResource, type Exchange, route } from '../../engine/router.js';
import { day, dryRun, filledTexts, integerText, readBody, readQuery, target, text } from '../../engine/schema.js';
import { fichesInScope, findFiche, listedBulle, targetFiche } from '../../engine/scope.js';
import type { Service } from '../../engine/store.js';
import { ids } from '../../seed/brand.js';
import { letters } from '../../seed/scatter.js';
import { csvFile, pdfFile } from './files.js';
import { addReport, monthOf, type ReadyReport, readyReports, reportsSlice } from './report.js';

/** A report, as GET /reports returns it. It does not show which request it belongs to. */
export interface MockReport {
  /** Name of the listing. */
  fiche_name: string;
  /** The `report_name` of the request, else a name that the mock chose. */
  report_name: string;
  /** Month of the report: `2026-11`. */
  period: string;
  /** ISO 8601. */
  generated_at: string;
  /** Address of the PDF, below the base URL. It needs no key. */
  pdf_url: string;
  /** Address of the CSV file, below the base URL. It needs no key. */
  csv_url: string;
}

/** A report that another user has ordered. */
export interface MockNewReport {
  /** Id of the listing. @default the listing of `keys.bulle` */
  fiche_id?: string | undefined;
  /** Name of the report. Default: a name that the mock chooses. */
  report_name?: string | undefined;
}

/** Changes to reports from outside the API, as another user would make them. */
export interface MockReports {
  /** Adds a finished report of another user. */
  add(fields?: MockNewReport): MockReport;
  /** Returns every finished report of the brand, newest first. */
  all(): MockReport[];
}

/** The name of a report's files. */
const fileName = ({ token }: ReadyReport): string => letters(token, 18);

/** Converts a report to its form in responses, which does not have the id of the request. */
function servedReport(report: ReadyReport, files: string): MockReport {
  const file = `${files}/reports/${fileName(report)}`;
  return {
    fiche_name: report.fiche_name,
    report_name: report.report_name,
    period: report.period,
    generated_at: formatInstant(report.generated_at),
    pdf_url: `${file}.pdf`,
    csv_url: `${file}.csv`,
  };
}

const READY_JOB = 'reports.ready';
/** In the middle of the "1 to 2 minutes" of the specification. */
const MAKING_TIME: Micros = 90 * SECOND;

const listQuery = z.object({
  type: z.optional(z.enum(['fiche'])),
  limit: z._default(integerText({ min: 1, max: 100 }), 20),
  bulle_id: target,
});

/**
 * GET /reports: combined reports are listed too, because the specification has no other type for them. A key sees a
 * report only if it covers all of its listings.
 */
function list({ service, key, query }: Exchange): Reply {
  const { limit, bulle_id } = readQuery(listQuery, query);
  const bulle = listedBulle(service.store, key, bulle_id);
  const covered = fichesInScope(service.store, key);
  const all = new Set(covered.map(({ id }) => id));
  const wanted = new Set(
    covered.filter((fiche) => bulle === undefined || fiche.bulle_id === bulle.id).map(({ id }) => id),
  );
  return ok(
    readyReports(service.store)
      .filter(({ fiche_ids }) => fiche_ids.every((id) => all.has(id)) && fiche_ids.some((id) => wanted.has(id)))
      .slice(0, limit)
      .map((report) => servedReport(report, service.files)),
  );
}

const order = z
  .object({
    type: z.enum(['fiche', 'combine']),
    fiche_ids: filledTexts,
    date_start: day,
    date_end: day,
    report_name: z.optional(text({ min: 1 })),
    dry_run: dryRun,
  })
  .check(
    z.refine(({ type, fiche_ids }) => type !== 'combine' || fiche_ids.length > 1, {
      path: ['fiche_ids'],
      error: 'doit contenir au moins deux fiches pour un rapport `combine`',
    }),
    z.refine(({ date_start, date_end }) => date_start <= date_end, {
      path: ['date_start'],
      error: 'ne doit pas dépasser `date_end`',
    }),
  );

/** POST /reports: one report for each listing, or one for all of them. */
function create({ service, key, body }: Exchange): Reply {
  const { type, fiche_ids, date_start, date_end, dry_run, ...named } = readBody(order, body);
  const period = date_start.slice(0, 7);
  const report_name = named.report_name ?? `Rapport ${period}`;
  const fiches = fiche_ids.map((id) => targetFiche(service.store, key, id));
  if (dry_run) {
    return ok({
      dry_run: true,
      type,
      fiches_count: fiches.length,
      would_generate: true,
      would_cover: fiches.map(({ name }) => name),
      would_be_named: report_name,
    });
  }
  const { store, clock } = service;
  const state = store.get(reportsSlice);
  const order_id = `rep_${state.next_order}`;
  state.next_order += 1;
  const parts =
    type === 'combine'
      ? [{ fiche_ids, fiche_name: `${fiches.length} fiches` }]
      : fiches.map(({ id, name }) => ({ fiche_ids: [id], fiche_name: name }));
  const about = { order_id, report_name, period, from: date_start, to: date_end };
  for (const part of parts) addReport(store, { ...part, ...about, generated_at: null });
  schedule(store, { kind: READY_JOB, id: order_id, at: clock.now() + MAKING_TIME });
  // `generated` means that the request was accepted. The files come later.
  return accepted({ generated: true, type, report_id: order_id, fiches_count: fiches.length });
}

function markReady({ store }: Service, order: number | string, at: Micros): void {
  for (const report of store.get(reportsSlice).items) {
    if (report.order_id === order) report.generated_at = at;
  }
}

/** `x7Kd.pdf` or `x7Kd.csv`, once the report is finished. */
function serveFile({ store }: Service, name: string): Reply | undefined {
  const [, base, extension] = /^(\w+)\.(pdf|csv)$/.exec(name) ?? [];
  const report = readyReports(store).find((one) => fileName(one) === base);
  return report && (extension === 'pdf' ? pdfFile : csvFile)(store, report);
}

export const reports = defineResource({
  slices: [reportsSlice],
  files: { reports: serveFile },
  jobs: { [READY_JOB]: markReady },
  routes: [
    route('GET /reports', 'read', 'reports.list', list),
    route('POST /reports', 'publish', 'reports.create', create),
  ],
});

const newReport = optionsSchema('reports.add', {
  fiche_id: z._default(z.string(), ids.fiche),
  report_name: z.optional(z.string()),
});

export function createReports(service: () => Service): MockReports {
  return {
    add(fields = {}) {
      const { fiche_id, report_name } = readOptions(newReport, fields);
      const { store, clock, files } = service();
      const fiche = findFiche(store, fiche_id);
      if (fiche === undefined) throw new RangeError(`the mock has no listing ${fiche_id}`);
      const generated_at = clock.stamp();
      const month = monthOf(generated_at);
      const report = addReport(store, {
        order_id: 'someone-else',
        fiche_ids: [fiche_id],
        fiche_name: fiche.name,
        report_name: report_name ?? `Rapport ${month.period}`,
        ...month,
        generated_at,
      });
      return servedReport({ ...report, generated_at }, files);
    },
    all() {
      const { store, files } = service();
      return readyReports(store).map((report) => servedReport(report, files));
    },
  };
}
