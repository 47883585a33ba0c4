import type { IdentityFiche } from '../core/identity.js';
import { withoutForm } from '../core/text.js';
import { isLater } from '../core/timestamps.js';
import type { Report, ReportCreateParams } from './reports-schema.js';

/** @internal What there is to tell a report by, since the list carries no `report_id`. */
export interface Evidence {
  params: ReportCreateParams;
  /** The list as it was before the request. */
  before: readonly Report[];
  /** The listings of the identity, where it is known. */
  fiches: readonly IdentityFiche[] | undefined;
}

/** @internal What a list shows of a report that is waited for. */
export interface Match {
  /** The report; `undefined` while there is none, or none that can be told apart. */
  report: Report | undefined;
  /** Several reports fit, and nothing tells whose they are. */
  isAmbiguous: boolean;
}

/** Finds our report in the list. When in doubt it returns nothing: the report could be someone else's. */
export function findReport(listed: readonly Report[], evidence: Evidence): Match {
  const { before } = evidence;
  const fitting = withoutKnown(listed.filter(isReady), before).filter(
    (report) => !isOlder(report, before) && isAskedFor(report, evidence),
  );
  // Those of other requests that were being made before, and are no longer: any of the fitting ones may be theirs.
  const becoming = (list: readonly Report[]) =>
    list.filter((report) => hasGaps(report) && fitting.some((other) => mayBecome(report, other))).length;
  const isAmbiguous = leavesOpen(fitting, evidence);
  const isThere = !isAmbiguous && fitting.length > becoming(before) - becoming(listed);
  return { report: isThere ? fitting.reduce<Report | undefined>(later, undefined) : undefined, isAmbiguous };
}

/** Whether nothing tells which of the fitting reports is whose. Those alike are the same to whoever asked. */
function leavesOpen(fitting: readonly Report[], { params, fiches = [] }: Evidence): boolean {
  const kinds = new Set(fitting.map(describe)).size;
  const listings = new Set(fitting.map(({ fiche_name }) => withoutForm(fiche_name))).size;
  if (params.type !== 'fiche') return kinds > 1;
  // Listings of one name have reports that look alike and are not.
  const isShared = ({ fiche_name }: Report) =>
    namesakesOf(fiche_name, fiches).some(({ id }) => !params.fiche_ids.includes(id));
  return kinds > new Set(params.fiche_ids).size || kinds > listings || (fitting.length > 1 && fitting.some(isShared));
}

/** What a list holds beyond another. One that was listed without its files is not new with them. */
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

/** By their dates where these can be compared: addresses may be signed anew for every list. */
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

/** Absent, null and empty are the same here. */
function shownBy({ fiche_name, report_name, period }: Report): (string | null)[] {
  return [fiche_name, report_name, period].map((value) => withoutForm(value) || null);
}

/** Is being made, and does not show yet what it will be. */
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

/** Made before one that was there already: it cannot have been asked for afterwards. */
function isOlder({ generated_at }: Report, before: readonly Report[]): boolean {
  return before.some((other) => generated_at && other.generated_at && isLater(other.generated_at, generated_at));
}

function isAskedFor({ report_name, period, fiche_name }: Report, { params, fiches = [] }: Evidence): boolean {
  if (params.report_name !== undefined && withoutForm(report_name) !== withoutForm(params.report_name)) return false;
  const month = period?.match(/^\d{4}-\d\d/)?.[0];
  if (month && (month < params.date_start.slice(0, 7) || month > params.date_end.slice(0, 7))) return false;
  if (params.type !== 'fiche') return true;
  // A name that the identity does not have may be another spelling; that of a listing not asked for is another listing.
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
