import { accepted, ok, type Reply, unprocessable } from '../http.js';
import { schedule } from '../jobs.js';
import { addReport, readyReports, reportsSlice, servedReport } from '../model/reports.js';
import { fichesInScope, listedBulle, targetFiche } from '../scope.js';
import type { Exchange, Resource, Service } from '../service.js';
import { type Micros, SECOND } from '../timestamps.js';
import {
  type Fields,
  optionalText,
  queryChoice,
  queryInteger,
  queryTarget,
  readDryRun,
  requiredChoice,
  requiredDay,
  requiredTexts,
} from '../validate.js';

const READY_JOB = 'reports.ready';
/** In the middle of the "1 to 2 minutes" of the specification. */
const MAKING_TIME: Micros = 90 * SECOND;

/**
 * GET /reports: combined reports are listed too, since the specification names no other type to ask for. A key sees
 * those whose listings it covers, all of them.
 */
function list({ service, key, query }: Exchange): Reply {
  queryChoice(query, 'type', ['fiche']);
  const limit = queryInteger(query, 'limit', { min: 1, max: 100 }) ?? 20;
  const target = listedBulle(service.store, key, queryTarget(query, 'bulle_id'));
  const covered = fichesInScope(service.store, key);
  const all = new Set(covered.map(({ id }) => id));
  const wanted = new Set(
    covered.filter(({ bulle_id }) => target === undefined || bulle_id === target.id).map(({ id }) => id),
  );
  return ok(
    readyReports(service.store)
      .filter(({ fiche_ids }) => fiche_ids.every((id) => all.has(id)) && fiche_ids.some((id) => wanted.has(id)))
      .slice(0, limit)
      .map(servedReport),
  );
}

/** POST /reports: one report for each listing, or one for all of them. */
function create({ service, key, body }: Exchange): Reply {
  const { type, ids, period, report_name } = readOrder(body);
  const dryRun = readDryRun(body);
  const fiches = ids.map((id) => targetFiche(service.store, key, id));
  if (dryRun) {
    return ok({
      dry_run: true,
      type,
      fiches_count: fiches.length,
      would_generate: true,
      would_cover: fiches.map(({ name }) => name),
      would_be_named: report_name,
    });
  }
  const { store, clock } = service;
  const state = store.get(reportsSlice);
  const order_id = `rep_${state.next_order}`;
  state.next_order += 1;
  const parts =
    type === 'combine'
      ? [{ fiche_ids: ids, fiche_name: `${fiches.length} fiches` }]
      : fiches.map(({ id, name }) => ({ fiche_ids: [id], fiche_name: name }));
  for (const part of parts) addReport(store, { ...part, order_id, report_name, period, generated_at: null });
  schedule(store, { kind: READY_JOB, id: order_id, at: clock.now() + MAKING_TIME });
  // The sign that it was taken on: the files come later.
  return accepted({ generated: true, type, report_id: order_id, fiches_count: fiches.length });
}

function readOrder(body: Fields) {
  const type = requiredChoice(body, 'type', ['fiche', 'combine']);
  const ids = requiredTexts(body, 'fiche_ids');
  if (type === 'combine' && ids.length < 2) {
    throw unprocessable('Le champ `fiche_ids` doit contenir au moins deux fiches pour un rapport `combine`.');
  }
  const start = requiredDay(body, 'date_start');
  const end = requiredDay(body, 'date_end');
  if (start > end) throw unprocessable('Le champ `date_start` ne doit pas dépasser `date_end`.');
  const period = start.slice(0, 7);
  return { type, ids, period, report_name: optionalText(body, 'report_name', { min: 1 }) ?? `Rapport ${period}` };
}

function markReady({ store }: Service, order: number | string, at: Micros): void {
  for (const report of store.get(reportsSlice).items) {
    if (report.order_id === order) report.generated_at = at;
  }
}

export const reports: Resource = {
  slices: [reportsSlice],
  jobs: { [READY_JOB]: markReady },
  routes: [
    { method: 'GET', path: '/reports', permission: 'read', operation: 'reports.list', handle: list },
    { method: 'POST', path: '/reports', permission: 'publish', operation: 'reports.create', handle: create },
  ],
};
