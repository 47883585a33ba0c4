import type { MockReport } from '../helper-types.js';
import { seedReports } from '../seed/reports.js';
import { letters } from '../seed/scatter.js';
import type { Slice, Store } from '../store.js';
import { formatInstant, type Micros } from '../timestamps.js';

export interface StoredReport {
  /** Makes the addresses of its files. */
  readonly token: number;
  readonly order_id: string;
  readonly fiche_ids: readonly string[];
  readonly fiche_name: string;
  readonly report_name: string;
  readonly period: string;
  /** `null` while it is being made: no list shows it. */
  generated_at: Micros | null;
}

export interface ReportsState {
  next_order: number;
  next_token: number;
  readonly items: StoredReport[];
}

export const reportsSlice: Slice<ReportsState> = { name: 'reports', seed: seedReports };

/** The reports that are there, newest first. */
export const readyReports = (store: Store): (StoredReport & { readonly generated_at: Micros })[] =>
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

/** The report of the wire: the number of its order is not in it. */
export function servedReport(report: StoredReport & { readonly generated_at: Micros }): MockReport {
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
