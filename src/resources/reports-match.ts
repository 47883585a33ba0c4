import type { IdentityFiche } from '../core/identity.js';
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

/** Look for the report in a list. Rather none than one of somebody else. */
export function findReport(listed: readonly Report[], evidence: Evidence): Match {
  const { params, before } = evidence;
  const fitting = withoutKnown(listed.filter(isReady), before).filter(
    (report) => !isOlder(report, before) && isAskedFor(report, evidence),
  );
  // Reports of one listing and period under one name are the same to whoever asked; else nothing tells which is whose.
  const kinds = new Set(fitting.map(describe));
  const expected = params.type === 'fiche' ? new Set(params.fiche_ids).size : 1;
  const isAmbiguous = kinds.size > expected;
  return { report: isAmbiguous ? undefined : fitting.reduce<Report | undefined>(later, undefined), isAmbiguous };
}

/** What a list holds beyond another, equal entries counted. One that was listed without its files is not new with them. */
function withoutKnown(listed: readonly Report[], before: readonly Report[]): Report[] {
  const left = before.map((report) => (isReady(report) ? identify(report) : describe(report)));
  return listed.filter((report) => {
    const known = [identify(report), describe(report)].find((name) => left.includes(name));
    if (known) left.splice(left.indexOf(known), 1);
    return !known;
  });
}

/** By its date where it has one: addresses may be signed anew for every list. */
function identify({ generated_at, pdf_url, csv_url, ...report }: Report): string {
  return key([
    describe(report),
    ...(generated_at ? [generated_at] : [pdf_url, csv_url].map((url) => url?.split('?')[0])),
  ]);
}

function describe({ fiche_name, report_name, period }: Report): string {
  return key([fiche_name, report_name, period]);
}

/** Absent and null are the same here. */
function key(values: readonly unknown[]): string {
  return JSON.stringify(values.map((value) => value ?? null));
}

function isReady({ pdf_url, csv_url }: Report): boolean {
  return Boolean(pdf_url || csv_url);
}

/** Made before one that was there already: it cannot have been asked for afterwards. */
function isOlder({ generated_at }: Report, before: readonly Report[]): boolean {
  return before.some((other) => generated_at && other.generated_at && isLater(other.generated_at, generated_at));
}

function isAskedFor({ report_name, period, fiche_name }: Report, { params, fiches }: Evidence): boolean {
  if (params.report_name !== undefined && report_name?.trim() !== params.report_name.trim()) return false;
  const month = period?.match(/^\d{4}-\d\d/)?.[0];
  if (month && (month < params.date_start.slice(0, 7) || month > params.date_end.slice(0, 7))) return false;
  if (params.type !== 'fiche' || !fiches || !fiche_name) return true;
  // A name that the identity does not have may be another spelling; that of a listing not asked for is another listing.
  const namesakes = fiches.filter(({ name }) => name.trim() === fiche_name.trim());
  return namesakes.length === 0 || namesakes.some(({ id }) => params.fiche_ids.includes(id));
}

function later(latest: Report | undefined, report: Report): Report {
  if (!latest?.generated_at || !report.generated_at) return report;
  return isLater(report.generated_at, latest.generated_at) ? report : latest;
}
