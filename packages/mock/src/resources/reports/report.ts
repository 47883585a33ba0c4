import { DAY, formatDay, formatMonth, HOUR, type Micros } from '../../engine/clock.js';
import type { SeedContext, Slice, Store } from '../../engine/store.js';
import { FICHE_IDS, nameOf, PLACES, type Place } from '../../seed/brand.js';

export interface StoredReport {
  /** Number in the addresses of the report's files. */
  readonly token: number;
  readonly order_id: string;
  readonly fiche_ids: readonly string[];
  readonly fiche_name: string;
  readonly report_name: string;
  readonly period: string;
  /** First and last day, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
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
      ...monthOf(generated_at - 30 * DAY),
      generated_at,
    };
  });
  return { next_order: 101, next_token: 101, items };
}

/** The month of an instant, with its first and last day. */
export function monthOf(at: Micros): Pick<StoredReport, 'period' | 'from' | 'to'> {
  const period = formatMonth(at);
  const from = `${period}-01`;
  const [year = 0, month = 0] = period.split('-').map(Number);
  return { period, from, to: formatDay(1000 * Date.UTC(year, month, 0)) };
}

export const reportsSlice: Slice<ReportsState> = { name: 'reports', seed: seedReports };

/** A finished report. */
export interface ReadyReport extends StoredReport {
  readonly generated_at: Micros;
}

/** The finished reports, newest first. */
export const readyReports = (store: Store): ReadyReport[] =>
  store
    .get(reportsSlice)
    .items.flatMap((report) => (report.generated_at === null ? [] : [{ ...report, generated_at: report.generated_at }]))
    .sort((a, b) => b.generated_at - a.generated_at || b.token - a.token);

export function addReport(store: Store, given: Omit<StoredReport, 'token'>): StoredReport {
  const state = store.get(reportsSlice);
  const report = { ...given, token: state.next_token };
  state.next_token += 1;
  state.items.push(report);
  return report;
}
