import type { Connection, Report } from 'multilocal';
import {
  DAY,
  type Draft,
  type Found,
  type Look,
  ofBulle,
  PAGE,
  piecesOf,
  SHORT,
  short,
  textOf,
  timeOf,
} from './look.js';

/** What a cursor remembers of each account: how often it has changed, and `'ok'`, `'lost'` or the end that was told. */
export type ConnectionsState = Record<string, readonly [changes: number, state: string]>;

/** Days before the end of an access at which it is told. */
const WARNING = 7 * DAY;

/** Looks at the connected accounts. What holds at the first look is told, because somebody must act. */
export async function lookAtConnections(before: ConnectionsState = {}, look: Look): Promise<Found<ConnectionsState>> {
  const events: Draft[] = [];
  const listed = await look.ask('connections.list', undefined);
  const now = look.now();
  // An account that the service leaves out for once is not forgotten.
  const state = { ...before };
  for (const connection of listed) {
    const { bulle_id, platform, name, expires_at } = connection;
    const account = short(JSON.stringify([bulle_id, platform, name]));
    const next = stateOf(connection, now);
    const [changes, last] = before[account] ?? [0, 'ok'];
    if (next === last) continue;
    state[account] = [changes + 1, next];
    const tell = (type: Draft['type']) =>
      events.push({ type, key: [account, changes, expires_at], at: textOf(now), ...ofBulle(bulle_id), connection });
    if (next === 'lost') tell('connection.lost');
    else if (last === 'lost') tell('connection.restored');
    // An account that is back may end soon.
    if (next !== 'lost' && next !== 'ok') tell('connection.expiring');
  }
  return { events, state };
}

function stateOf({ connected, needs_reconnect, expires_at }: Connection, now: number): string {
  const left = timeOf(expires_at) - now;
  if (!connected || needs_reconnect || left <= 0) return 'lost';
  return left <= WARNING ? String(expires_at) : 'ok';
}

/** What a cursor remembers of the reports: short hashes of those that it has seen, newest look first. */
export interface ReportsState {
  known: string;
}

/** More than a list shows, so that one that vanishes for once is not new again. */
const REPORTS = 4 * PAGE;

/** Looks at the reports. The list shows 100 and has no pages. */
export async function lookAtReports(before: ReportsState | undefined, look: Look): Promise<Found<ReportsState>> {
  const events: Draft[] = [];
  const listed = (await look.ask('reports.list', undefined)).filter(({ pdf_url, csv_url }) => pdf_url || csv_url);
  const known = piecesOf(before?.known ?? '', SHORT);
  const keys = new Map(listed.map((report) => [short(JSON.stringify(keyOf(report))), report]));
  const isOverrun = before !== undefined && known.length > 0 && listed.length >= PAGE;
  if (isOverrun && ![...keys.keys()].some((key) => known.includes(key))) {
    const seen = textOf(look.now());
    events.push({ type: 'watch.gap', key: ['reports', seen], at: seen, kind: 'reports' });
  }
  for (const [key, report] of keys) {
    const isNew = before
      ? !known.includes(key)
      : timeOf(report.generated_at) > (look.since ?? Number.POSITIVE_INFINITY);
    if (!isNew) continue;
    events.push({ type: 'report.ready', key: keyOf(report), at: report.generated_at ?? textOf(look.now()), report });
  }
  return { events, state: { known: [...new Set([...keys.keys(), ...known])].slice(0, REPORTS).join('') } };
}

/** A report has no id, and its addresses may be signed anew for each list. */
function keyOf({ fiche_name, report_name, period, generated_at }: Report): readonly unknown[] {
  return [fiche_name ?? null, report_name ?? null, period ?? null, generated_at ?? null];
}
