import * as z from 'zod/mini';
import { DAY, formatInstant, formatMonth, HOUR, type Micros, SECOND } from '../engine/clock.js';
import { accepted, ok, type Reply } from '../engine/http.js';
import { schedule } from '../engine/jobs.js';
import { optionsSchema, readOptions } from '../engine/options.js';
import { defineResource, type Exchange, route } from '../engine/router.js';
import { day, dryRun, filledTexts, integerText, readBody, readQuery, target, text } from '../engine/schema.js';
import { fichesInScope, findFiche, listedBulle, targetFiche } from '../engine/scope.js';
import type { SeedContext, Service, Slice, Store } from '../engine/store.js';
import { FICHE_IDS, ids, nameOf, PLACES, type Place } from '../seed/brand.js';
import { letters } from '../seed/scatter.js';

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
  /** Address of the PDF. There is no file behind it. */
  pdf_url: string;
  /** Address of the CSV file. There is no file behind it. */
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

interface StoredReport {
  /** Number in the addresses of the report's files. */
  readonly token: number;
  readonly order_id: string;
  readonly fiche_ids: readonly string[];
  readonly fiche_name: string;
  readonly report_name: string;
  readonly period: string;
  /** `null` until the report is finished. Lists do not show it before. */
  generated_at: Micros | null;
}

interface ReportsState {
  next_order: number;
  next_token: number;
  readonly items: StoredReport[];
}

/** The listings (by number) and the age of each old report. */
const REPORTS: readonly { readonly fiches: readonly number[]; readonly name: string; readonly age: number }[] = [
  { fiches: [0], name: 'Bilan mensuel Croix-Rousse', age: 75 },
  { fiches: [2], name: 'Bilan mensuel Saint-Michel', age: 44 },
  { fiches: [0, 1, 2], name: 'Comparatif des grandes villes', age: 16 },
  { fiches: [0], name: 'Bilan mensuel Croix-Rousse', age: 13 },
];

function seedReports({ now }: SeedContext): ReportsState {
  const items = REPORTS.map(({ fiches, name, age }, index): StoredReport => {
    const generated_at = now - age * DAY - index * HOUR;
    const [first] = fiches.map((at) => PLACES[at] as Place);
    return {
      token: index + 1,
      order_id: `rep_${index + 1}`,
      fiche_ids: fiches.flatMap((at) => FICHE_IDS[at] ?? []),
      fiche_name: fiches.length > 1 ? `${fiches.length} fiches` : nameOf(first as Place),
      report_name: name,
      period: formatMonth(generated_at - 30 * DAY),
      generated_at,
    };
  });
  return { next_order: 101, next_token: 101, items };
}

const reportsSlice: Slice<ReportsState> = { name: 'reports', seed: seedReports };

/** The finished reports, newest first. */
const readyReports = (store: Store): (StoredReport & { readonly generated_at: Micros })[] =>
  store
    .get(reportsSlice)
    .items.flatMap((report) => (report.generated_at === null ? [] : [{ ...report, generated_at: report.generated_at }]))
    .sort((a, b) => b.generated_at - a.generated_at || b.token - a.token);

function addReport(store: Store, given: Omit<StoredReport, 'token'>): StoredReport {
  const state = store.get(reportsSlice);
  const report = { ...given, token: state.next_token };
  state.next_token += 1;
  state.items.push(report);
  return report;
}

/** Converts a report to its form in responses, which does not have the id of the request. */
function servedReport(report: StoredReport & { readonly generated_at: Micros }): MockReport {
  const file = `https://reports.example.com/${letters(report.token, 18)}`;
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
      .map(servedReport),
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
  const { type, fiche_ids, date_start, dry_run, ...named } = readBody(order, body);
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
  for (const part of parts) addReport(store, { ...part, order_id, report_name, period, generated_at: null });
  schedule(store, { kind: READY_JOB, id: order_id, at: clock.now() + MAKING_TIME });
  // `generated` means that the request was accepted. The files come later.
  return accepted({ generated: true, type, report_id: order_id, fiches_count: fiches.length });
}

function markReady({ store }: Service, order: number | string, at: Micros): void {
  for (const report of store.get(reportsSlice).items) {
    if (report.order_id === order) report.generated_at = at;
  }
}

export const reports = defineResource({
  slices: [reportsSlice],
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
      const { store, clock } = service();
      const fiche = findFiche(store, fiche_id);
      if (fiche === undefined) throw new RangeError(`the mock has no listing ${fiche_id}`);
      const generated_at = clock.stamp();
      const period = formatMonth(generated_at);
      const report = addReport(store, {
        order_id: 'someone-else',
        fiche_ids: [fiche_id],
        fiche_name: fiche.name,
        report_name: report_name ?? `Rapport ${period}`,
        period,
        generated_at,
      });
      return servedReport({ ...report, generated_at });
    },
    all: () => readyReports(service().store).map(servedReport),
  };
}
