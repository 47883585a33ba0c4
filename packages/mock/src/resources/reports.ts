import * as z from 'zod/mini';
import { DAY, formatDay, HOUR, type Micros, SECOND, served, toMillis } from '../engine/clock.js';
import { accepted, ok, type Reply } from '../engine/http.js';
import { found, optionsSchema, readOptions } from '../engine/options.js';
import { defineResource, route } from '../engine/router.js';
import * as s from '../engine/schema.js';
import { fichesInScope, findFiche, on, reading, targetFiche, writing } from '../engine/scope.js';
import type { SeedContext, Service, Store } from '../engine/store.js';
import { FICHE_IDS, ids, PLACES } from '../seed/brand.js';
import { letters } from '../seed/prose.js';
import { csvFile, pdfFile, type ReportContent } from './report-files.js';

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

/** A report. It is finished at `generated_at`; lists do not show it before. Its files are named after the `token`. */
type StoredReport = ReportContent & Pick<MockReport, 'period'> & { readonly token: number };

/** The listings (by number) and the age in days of each old report. */
const REPORTS = [
  { fiches: [0], name: 'Bilan mensuel Croix-Rousse', age: 75 },
  { fiches: [2], name: 'Bilan mensuel Saint-Michel', age: 44 },
  { fiches: [0, 1, 2], name: 'Comparatif des grandes villes', age: 16 },
  { fiches: [0], name: 'Bilan mensuel Croix-Rousse', age: 13 },
];

function seedReports({ now }: SeedContext) {
  const items = REPORTS.map(({ fiches, name, age }, index): StoredReport => {
    const generated_at = now - age * DAY - index * HOUR;
    const [first = 0] = fiches;
    return {
      fiche_name: fiches.length > 1 ? `${fiches.length} fiches` : `${PLACES[first]?.name}`,
      report_name: name,
      ...monthOf(generated_at - 30 * DAY),
      generated_at,
      token: index + 1,
      fiche_ids: fiches.flatMap((at) => FICHE_IDS[at] ?? []),
    };
  });
  return { next_order: 101, next_token: 101, items };
}

/** The month of an instant, with its first and last day. */
function monthOf(at: Micros) {
  const period = formatDay(at).slice(0, 7);
  const [year = 0, month = 0] = period.split('-').map(Number);
  return { period, from: `${period}-01`, to: formatDay(1000 * Date.UTC(year, month, 0)) };
}

const reportsSlice = { name: 'reports', seed: seedReports };

/** The finished reports, newest first. */
const readyReports = (store: Store, now: Micros): StoredReport[] =>
  store
    .get(reportsSlice)
    // Stamps have digits below the millisecond of the clock.
    .items.filter(({ generated_at }) => toMillis(generated_at) <= toMillis(now))
    .sort((a, b) => b.generated_at - a.generated_at || b.token - a.token);

function addReport(store: Store, given: Omit<StoredReport, 'token'>): StoredReport {
  const state = store.get(reportsSlice);
  const report = { ...given, token: state.next_token };
  state.next_token += 1;
  state.items.push(report);
  return report;
}

/** The name of a report's files. */
const fileName = ({ token }: StoredReport): string => letters(token, 18);

function servedReport(report: StoredReport, files: string): MockReport {
  const { fiche_name, report_name, period, generated_at } = report;
  const file = `${files}/reports/${fileName(report)}`;
  return {
    ...served({ fiche_name, report_name, period, generated_at }),
    pdf_url: `${file}.pdf`,
    csv_url: `${file}.csv`,
  };
}

const listQuery = z.object({
  type: z.optional(z.enum(['fiche'])),
  limit: z._default(s.integerText({ min: 1, max: 100 }), 20),
});

/**
 * GET /reports: combined reports are listed too, because the specification has no other type for them. A key sees a
 * report only if it covers all of its listings.
 */
const list = reading(on.bulleIds, listQuery, (exchange, { limit }, shown) => {
  const { store, clock, files } = exchange;
  const covered = new Map(fichesInScope(exchange).map((fiche) => [fiche.id, shown.has(fiche.bulle_id)]));
  return ok(
    readyReports(store, clock.now())
      .filter(({ fiche_ids }) => fiche_ids.every((id) => covered.has(id)) && fiche_ids.some((id) => covered.get(id)))
      .slice(0, limit)
      .map((report) => servedReport(report, files)),
  );
});

const order = z
  .object({
    type: z.enum(['fiche', 'combine']),
    fiche_ids: s.filledTexts,
    date_start: s.day,
    date_end: s.day,
    report_name: z.optional(s.text({ min: 1 })),
    dry_run: s.dryRun,
  })
  .check(
    z.refine(({ type, fiche_ids }) => type !== 'combine' || fiche_ids.length > 1, {
      path: ['fiche_ids'],
      error: 'doit contenir au moins deux fiches pour un rapport `combine`',
    }),
    s.ascending('date_start', 'date_end'),
  );

/** In the middle of the "1 to 2 minutes" of the specification. */
const MAKING_TIME: Micros = 90 * SECOND;

/** POST /reports: one report for each listing, or one for all of them. */
const create = writing(on.nothing, order, (exchange, sent) => {
  const { type, fiche_ids, date_start: from, date_end: to } = sent;
  const period = from.slice(0, 7);
  const report_name = sent.report_name ?? `Rapport ${period}`;
  const fiches = fiche_ids.map((id) => targetFiche(exchange, id));
  const common = { type, fiches_count: fiches.length };
  if (sent.dry_run) {
    const would_cover = fiches.map(({ name }) => name);
    return ok({ dry_run: true, ...common, would_generate: true, would_cover, would_be_named: report_name });
  }
  const { store, clock } = exchange;
  const state = store.get(reportsSlice);
  const report_id = `rep_${state.next_order}`;
  state.next_order += 1;
  const each = fiches.map(({ id, name }) => ({ fiche_ids: [id], fiche_name: name }));
  const parts = type === 'combine' ? [{ fiche_ids, fiche_name: `${fiches.length} fiches` }] : each;
  const generated_at = clock.now() + MAKING_TIME;
  for (const part of parts) addReport(store, { ...part, report_name, period, generated_at, from, to });
  // `generated` means that the request was accepted. The files come later.
  return accepted({ generated: true, ...common, report_id });
});

/** `x7Kd.pdf` or `x7Kd.csv`, once the report is finished. */
function serveFile({ store, clock }: Service, name: string): Reply | undefined {
  const [, base, extension] = /^(\w+)\.(pdf|csv)$/.exec(name) ?? [];
  const report = readyReports(store, clock.now()).find((one) => fileName(one) === base);
  return report && (extension === 'pdf' ? pdfFile : csvFile)(store, report);
}

export const reports = defineResource({
  slices: [reportsSlice],
  files: { reports: serveFile },
  routes: [
    route('GET /reports', 'read', 'reports.list', list),
    route('POST /reports', 'publish', 'reports.create', create),
  ],
});

const newReport = optionsSchema('reports.add', {
  fiche_id: z._default(z.string(), ids.fiche),
  report_name: z.optional(z.string()),
});

export const createReports = (service: () => Service): MockReports => ({
  add(fields = {}) {
    const { fiche_id, report_name } = readOptions(newReport, fields);
    const { store, clock, files } = service();
    const { name } = found(findFiche(store, fiche_id), `the mock has no listing ${fiche_id}`);
    const generated_at = clock.stamp();
    const month = monthOf(generated_at);
    const named = { fiche_name: name, report_name: report_name ?? `Rapport ${month.period}` };
    return servedReport(addReport(store, { ...named, ...month, generated_at, fiche_ids: [fiche_id] }), files);
  },
  all() {
    const { store, clock, files } = service();
    return readyReports(store, clock.now()).map((report) => servedReport(report, files));
  },
});
