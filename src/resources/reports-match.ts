import { withoutForm } from '../core/text.js';
import type { Report } from './reports-schema.js';

/** @internal The result of the search for a report in a list. */
export interface Match {
  /** The report. `undefined` if there is none yet, or if several reports could be ours. */
  report: Report | undefined;
  /** Several reports fit, and some of them may belong to other requests. */
  isAmbiguous: boolean;
}

/** What is known of the order of a report. */
interface Order {
  readonly report_name?: string | undefined;
  readonly type?: 'fiche' | 'combine' | undefined;
  readonly fiche_ids?: readonly string[] | undefined;
  readonly date_start?: string | undefined;
  readonly date_end?: string | undefined;
  /** Names of listings that the report is not about. */
  readonly others?: ReadonlySet<string | undefined> | undefined;
}

/**
 * Finds our report in the list, which has no `report_id`: it is new since `before`, finished, and has the requested name
 * and period. When in doubt it returns nothing: the report could be someone else's.
 */
export function findReport(listed: readonly Report[], params: Order, before: readonly Report[]): Match {
  // A report that was listed before it was finished is not new. It may have had no date then.
  const known = new Set(before.flatMap((report) => marksOf(report).slice(isReady(report) ? 1 : 0)));
  const fitting = new Map<string, Report>();
  for (const report of listed) {
    const marks = marksOf(report);
    const isNew = !marks.some((mark) => known.has(mark));
    if (isNew && isReady(report) && isAskedFor(report, params)) fitting.set(marks[1], report);
  }
  // With a name of our own, each listing has its own report.
  const most = params.report_name !== undefined && params.type !== 'combine' ? (params.fiche_ids?.length ?? 1) : 1;
  const isAmbiguous = fitting.size > most;
  return { report: isAmbiguous ? undefined : fitting.values().next().value, isAmbiguous };
}

/** What identifies a report without and with its date. Absent, null and empty values count as equal. */
function marksOf({ fiche_name, report_name, period, generated_at }: Report): readonly [looks: string, key: string] {
  const looks = JSON.stringify([fiche_name, report_name, period].map((value) => withoutForm(value) || null));
  return [looks, JSON.stringify([looks, generated_at || null])];
}

function isReady({ pdf_url, csv_url }: Report): boolean {
  return Boolean(pdf_url || csv_url);
}

function isAskedFor({ fiche_name, report_name, period }: Report, params: Order): boolean {
  if (params.others?.has(withoutForm(fiche_name))) return false;
  if (params.report_name !== undefined && withoutForm(report_name) !== withoutForm(params.report_name)) return false;
  const month = `${period ?? ''}`.match(/^\d{4}-\d\d/)?.[0];
  const { date_start = '', date_end = '9999-12' } = params;
  return !month || (month >= date_start.slice(0, 7) && month <= date_end.slice(0, 7));
}
