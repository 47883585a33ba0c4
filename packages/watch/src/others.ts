import type { Connection, Report } from 'multilocal';
import { accountState } from 'multilocal/internal/account-state';
import { type Draft, type Found, gapOf, type Look, ofBulle, piecesOf, short, textOf, timeOf } from './look.js';
import { PAGE } from './reads.js';

/** What a cursor remembers of each account: how often it has changed, and `'ok'`, `'lost'` or the end that was told. */
export type ConnectionsState = Record<string, readonly [changes: number, state: string]>;

/** Looks at the connected accounts. What holds at the first look is told, because somebody must act. */
export async function lookAtConnections(before: ConnectionsState = {}, look: Look): Promise<Found<ConnectionsState>> {
  const events: Draft[] = [];
  const listed = await look.ask('connections.list', undefined);
  const now = look.now();
  // An account that the service leaves out for once is not forgotten.
  const state = { ...before };
  const placeOf = ({ bulle_id, platform }: Connection) => short(JSON.stringify([bulle_id, platform]));
  const accountOf = (connection: Connection) => placeOf(connection) + short(`${connection.name}`);
  const accounts = new Map<string, Connection>();
  // Those of one name are told apart by their states, because their order may change.
  for (const connection of [...listed].sort((a, b) => stateOf(b, now).localeCompare(stateOf(a, now)))) {
    let account = accountOf(connection);
    while (accounts.has(account)) account += '+';
    accounts.set(account, connection);
  }
  for (const [account, connection] of accounts) {
    const { bulle_id, expires_at } = connection;
    const place = placeOf(connection);
    // The name may change when the access ends.
    const isFormer = (one: string) => one.startsWith(place) && !accounts.has(one);
    const former = before[account] ? account : (Object.keys(state).find(isFormer) ?? account);
    const [changes, last] = state[former] ?? [0, 'ok'];
    const next = stateOf(connection, now);
    if (former !== account) delete state[former];
    state[account] = [changes + Number(next !== last), next];
    if (next === last) continue;
    const tell = (type: Draft['type']) =>
      events.push({ type, key: [account, changes, expires_at], at: textOf(now), ...ofBulle(bulle_id), connection });
    if (next === 'lost') tell('connection.lost');
    else if (last === 'lost') tell('connection.restored');
    // An account that is back may end soon.
    if (next !== 'lost' && next !== 'ok') tell('connection.expiring');
  }
  return { events, state };
}

function stateOf(connection: Connection, now: number): string {
  const state = accountState(connection, now);
  if (state === 'ready') return 'ok';
  return state === 'ends_soon' ? String(connection.expires_at) : 'lost';
}

/** What a cursor remembers of the reports: short hashes of those that it has seen, newest look first. */
export interface ReportsState {
  known: string;
  /** Absent in older cursors, which know reports of one key as one. */
  numbered?: true;
}

/** More than a list shows, so that one that vanishes for once is not new again. */
const REPORTS = 4 * PAGE;

/** Looks at the reports. The list shows 100 and has no pages. */
export async function lookAtReports(before: ReportsState | undefined, look: Look): Promise<Found<ReportsState>> {
  const events: Draft[] = [];
  const listed = await look.ask('reports.list', undefined);
  const ready = listed.filter(({ pdf_url, csv_url }) => pdf_url || csv_url);
  const known = new Set(piecesOf(before?.known ?? ''));
  const firsts = ready.map((report) => nameOf(keyOf(report)));
  // Several locations may have one name. Where new reports come first in the list, the others keep their numbers.
  const reports = ready.map((report, index) => {
    const [first = '', ...others] = firsts.slice(index);
    const number = others.filter((one) => one === first).length;
    const key = [...keyOf(report), ...(number > 0 ? [number] : [])];
    const name = nameOf(key);
    return { report, key, name, isKnown: known.has(name) || (!before?.numbered && known.has(first)) };
  });
  if (before && listed.length >= PAGE && !reports.some(({ isKnown }) => isKnown))
    events.push(gapOf('reports', [look.now()], look));
  for (const { report, key, isKnown } of reports) {
    const { generated_at } = report;
    const isNew = before ? !isKnown : timeOf(generated_at) > (look.since ?? Number.POSITIVE_INFINITY);
    if (isNew) events.push({ type: 'report.ready', key, at: generated_at ?? textOf(look.now()), report });
  }
  const names = new Set([...reports.map(({ name }) => name), ...known]);
  return { events, state: { known: [...names].slice(0, REPORTS).join(''), numbered: true } };
}

const nameOf = (key: readonly unknown[]) => short(JSON.stringify(key));

/** A report has no id, and its addresses may be signed anew for each list. */
function keyOf({ fiche_name, report_name, period, generated_at }: Report): readonly unknown[] {
  return [fiche_name ?? null, report_name ?? null, period ?? null, generated_at ?? null];
}
