import type { IdentityFiche } from '../core/identity.js';
import { withoutForm } from '../core/text.js';
import { isLater } from '../core/timestamps.js';
import type { Report, ReportCreateParams } from './reports-schema.js';

/** @internal Everything that identifies a report, since the list has no `report_id`. */
export interface Evidence {
  params: ReportCreateParams;
  /** The list before the request. */
  before: readonly Report[];
  /** The listings of the identity, if the identity is known. */
  fiches: readonly IdentityFiche[] | undefined;
}

/** @internal The result of the search for a report in a list. */
export interface Match {
  /** The report. `undefined` if there is none yet, or if several reports could be ours. */
  report: Report | undefined;
  /** Several reports fit, and some of them may belong to other requests. */
  isAmbiguous: boolean;
}

/** Finds our report in the list. When in doubt it returns nothing: the report could be someone else's. */
export function findReport(listed: readonly Report[], evidence: Evidence): Match {
  const { before } = evidence;
  const fitting = withoutKnown(listed.filter(isReady), before).filter(
    (report) => !isOlder(report, before) && isAskedFor(report, evidence),
  );
  // Counts the reports of other requests that were unfinished before. Each that is finished now may be a fitting one.
  const becoming = (list: readonly Report[]) =>
    list.filter((report) => hasGaps(report) && fitting.some((other) => mayBecome(report, other))).length;
  const isAmbiguous = leavesOpen(fitting, evidence);
  const isThere = !isAmbiguous && fitting.length > becoming(before) - becoming(listed);
  return { report: isThere ? fitting.reduce<Report | undefined>(later, undefined) : undefined, isAmbiguous };
}

/** Whether some of the fitting reports may belong to other requests. Reports that look alike count as the same. */
function leavesOpen(fitting: readonly Report[], { params, fiches = [] }: Evidence): boolean {
  const kinds = new Set(fitting.map(describe)).size;
  const listings = new Set(fitting.map(({ fiche_name }) => withoutForm(fiche_name))).size;
  if (params.type !== 'fiche') return kinds > 1;
  // Reports of different listings with the same name look alike.
  const isShared = ({ fiche_name }: Report) =>
    namesakesOf(fiche_name, fiches).some(({ id }) => !params.fiche_ids.includes(id));
  return kinds > new Set(params.fiche_ids).size || kinds > listings || (fitting.length > 1 && fitting.some(isShared));
}

/** The reports that were not in the list before. A report that was listed without its files is not new. */
function withoutKnown(listed: readonly Report[], before: readonly Report[]): Report[] {
  const known = before.filter(isReady);
  const unfinished = before.filter((report) => !isReady(report)).map(describe);
  return listed.filter((report) => {
    if (known.some((other) => isSame(report, other))) return false;
    const place = unfinished.indexOf(describe(report));
    if (place >= 0) unfinished.splice(place, 1);
    return place < 0;
  });
}

/** Compares the dates if possible, because each list may have newly signed addresses. */
function isSame(report: Report, other: Report): boolean {
  if (describe(report) !== describe(other)) return false;
  const [date, otherDate] = [report, other].map(({ generated_at }) => generated_at || undefined);
  if (date && date === otherDate) return true;
  if (date && otherDate && (isLater(date, otherDate) || isLater(otherDate, date))) return false;
  const files = filesOf(other);
  return filesOf(report).some((file) => files.includes(file));
}

function filesOf({ pdf_url, csv_url }: Report): (string | undefined)[] {
  return [pdf_url, csv_url].filter(Boolean).map((url) => url?.split('?')[0]);
}

function describe(report: Report): string {
  return JSON.stringify(shownBy(report));
}

/** Absent, null and empty values count as equal. */
function shownBy({ fiche_name, report_name, period }: Report): (string | null)[] {
  return [fiche_name, report_name, period].map((value) => withoutForm(value) || null);
}

/** Whether a report is unfinished and some of its fields are still empty. */
function hasGaps(report: Report): boolean {
  return !isReady(report) && shownBy(report).includes(null);
}

function mayBecome(unfinished: Report, report: Report): boolean {
  const shown = shownBy(report);
  return shownBy(unfinished).every((value, index) => value === null || value === shown[index]);
}

function isReady({ pdf_url, csv_url }: Report): boolean {
  return Boolean(pdf_url || csv_url);
}

/** Whether a report is older than one that was listed before the request. Such a report cannot be ours. */
function isOlder({ generated_at }: Report, before: readonly Report[]): boolean {
  return before.some((other) => generated_at && other.generated_at && isLater(other.generated_at, generated_at));
}

function isAskedFor({ report_name, period, fiche_name }: Report, { params, fiches = [] }: Evidence): boolean {
  if (params.report_name !== undefined && withoutForm(report_name) !== withoutForm(params.report_name)) return false;
  const month = period?.match(/^\d{4}-\d\d/)?.[0];
  if (month && (month < params.date_start.slice(0, 7) || month > params.date_end.slice(0, 7))) return false;
  if (params.type !== 'fiche') return true;
  // A name that the identity does not have may be another spelling of ours. The name of another listing rules a report
  // out.
  const namesakes = namesakesOf(fiche_name, fiches);
  return namesakes.length === 0 || namesakes.some(({ id }) => params.fiche_ids.includes(id));
}

function namesakesOf(name: string | null | undefined, fiches: readonly IdentityFiche[]): IdentityFiche[] {
  return name ? fiches.filter((fiche) => withoutForm(fiche.name) === withoutForm(name)) : [];
}

function later(latest: Report | undefined, report: Report): Report {
  if (!latest?.generated_at || !report.generated_at) return report;
  return isLater(report.generated_at, latest.generated_at) ? report : latest;
}
