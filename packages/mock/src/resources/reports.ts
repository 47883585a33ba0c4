import * as z from 'zod/mini';
import { DAY, formatDay, HOUR, type Micros, SECOND, served } from '../engine/clock.js';
import { accepted, ok, type Reply } from '../engine/http.js';
import { defineResource, route } from '../engine/router.js';
import * as s from '../engine/schema.js';
import { fichesInScope, on, reading, targetFiche, writing } from '../engine/scope.js';
import type { SeedContext, Service, Store } from '../engine/store.js';
import { FICHE_IDS, PLACES } from '../seed/brand.js';
import { letters } from '../seed/prose.js';
import { previewed } from './quotas.js';
import { csvFile, pdfFile, type ReportContent } from './report-files.js';

/** A report. Lists do not show it before `generated_at`, and its files are named after the `token`. */
interface StoredReport extends ReportContent {
  /** Month of the report: `2026-11`. */
  readonly period: string;
  readonly token: number;
}

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
    const period = formatDay(generated_at - 30 * DAY).slice(0, 7);
    const [year = 0, month = 0] = period.split('-').map(Number);
    return {
      fiche_name: fiches.length > 1 ? `${fiches.length} fiches` : `${PLACES[first]?.name}`,
      report_name: name,
      period,
      from: `${period}-01`,
      to: formatDay(1000 * Date.UTC(year, month, 0)),
      generated_at,
      token: index + 1,
      fiche_ids: fiches.flatMap((at) => FICHE_IDS[at] ?? []),
    };
  });
  return { next_token: 101, items };
}

const reportsSlice = { name: 'reports', seed: seedReports };

/** The finished reports, newest first. */
const readyReports = (store: Store, now: Micros): StoredReport[] =>
  store
    .get(reportsSlice)
    .items.filter(({ generated_at }) => generated_at <= now)
    .sort((a, b) => b.generated_at - a.generated_at || b.token - a.token);

/** The name of a report's files. */
const fileName = ({ token }: StoredReport): string => letters(token, 18);

/** A report does not show which request it belongs to. Its files need no key. */
function servedReport(report: StoredReport, files: string) {
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
export const MAKING_TIME: Micros = 90 * SECOND;

/** POST /reports: one report for each listing, or one for all of them. */
const create = writing(on.nothing, order, (exchange, sent) => {
  const { type, fiche_ids, date_start: from, date_end: to } = sent;
  const period = from.slice(0, 7);
  const report_name = sent.report_name ?? `Rapport ${period}`;
  const fiches = fiche_ids.map((id) => targetFiche(exchange, id));
  const common = { type, fiches_count: fiches.length };
  if (sent.dry_run) {
    const would_cover = fiches.map(({ name }) => name);
    return previewed({ ...common, would_generate: true, would_cover, would_be_named: report_name });
  }
  const { store, clock } = exchange;
  const state = store.get(reportsSlice);
  const report_id = `rep_${state.next_token}`;
  const each = fiches.map(({ id, name }) => ({ fiche_ids: [id], fiche_name: name }));
  const parts = type === 'combine' ? [{ fiche_ids, fiche_name: `${fiches.length} fiches` }] : each;
  const generated_at = clock.now() + MAKING_TIME;
  for (const part of parts) {
    state.items.push({ ...part, report_name, period, generated_at, from, to, token: state.next_token });
    state.next_token += 1;
  }
  // `generated` means that the request was accepted. The files come later.
  return accepted({ generated: true, ...common, report_id });
});

/** `x7Kd.pdf` or `x7Kd.csv`, once the report is finished. */
function serveFile({ store, clock }: Service, name: string): Reply | undefined {
  const [, base, extension] = /^(\w+)\.(pdf|csv)$/.exec(name) ?? [];
  const report = readyReports(store, clock.now()).find((one) => fileName(one) === base);
  return report && (extension === 'pdf' ? pdfFile(report) : csvFile(report, store));
}

export const reports = defineResource({
  slices: [reportsSlice],
  files: { reports: serveFile },
  routes: [
    route('GET /reports', 'read', 'reports.list', list),
    route('POST /reports', 'publish', 'reports.create', create),
  ],
});
