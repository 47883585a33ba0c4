import type { Api } from '../core/api.js';
import type { Endpoint } from '../core/endpoint.js';
import { needed } from '../core/response.js';
import * as s from '../core/schema.js';
import { withoutForm } from '../core/text.js';
import { findReport } from './reports-match.js';
import {
  type Report,
  type ReportCreateParams,
  type ReportJob,
  type ReportListParams,
  reportEndpoints,
  reportId,
} from './reports-schema.js';
import { Places, perSession, type SharedOptions, sharing } from './shared.js';
import { poll, SharedReads, type WaitOptions, type Wanted } from './wait.js';

/** Maximum number of reports that the service lists. */
const LISTED = 100;

/** Maximum number of orders that a client waits for at a time. The list has no pages, so more could not all be seen in it. */
export const MOST_ORDERS = 80;

/** What a wait needs of an accepted order. */
const job = s.object({ report_id: reportId });

/** A wait for a list of reports. */
interface ReportWait extends Wanted<unknown, Report[]> {
  /** The filter of the list. */
  readonly type?: ReportListParams['type'];
}

/** One list of reports, and who waits for it. */
interface Board {
  readonly reads: SharedReads<Report[]>;
  /** The reports that orders of this client have got. None of them belongs to another order. */
  readonly taken: Report[];
  /** Number of orders that wait. */
  orders: number;
}

/** The waits for reports of a client and its views: their places, and a board for each location that they list. */
const waitsOf = perSession(() => ({ places: new Places(MOST_ORDERS), boards: new Map<string | undefined, Board>() }));

/** A list of reports that waits share. `params` are the filters of the one who waits. */
export function boardOf(api: Api, params: ReportListParams, options: SharedOptions) {
  const { boards } = waitsOf(api.session);
  // A view adds its location.
  const { bulle_id, type } = api.check(reportEndpoints.list, params);
  const board = boards.get(bulle_id) ?? { reads: new SharedReads<Report[]>(true), taken: [], orders: 0 };
  boards.set(bulle_id, board);
  const shared = api.shared();
  const read = async (waiting: readonly ReportWait[], signal: AbortSignal) => {
    // Both lists are the same as far as the specification goes.
    const one = waiting.every((other) => other.type === type) ? type : undefined;
    const filters = { limit: LISTED, ...(bulle_id !== undefined && { bulle_id }), ...(one && { type: one }) };
    return needed(await shared.ask<Report[]>(reportEndpoints.list, filters, { ...options, signal }));
  };
  return { board, list: { type, read } };
}

/** Checks an order. Sends nothing. Returns the function that places it. */
export function checkedOrder(api: Api, endpoint: Endpoint, params: ReportCreateParams, options: WaitOptions = {}) {
  const { pollInterval = 15_000, timeout = 600_000, onPoll, signal: _, ...callOptions } = options;
  const { extra: __, totalTimeout: ___, ...shared } = callOptions;
  // The caller may change the lists in it before the order is sent.
  const order = copied(api.check(endpoint, params, callOptions));
  const asked = copied(params);
  const { redactor } = api.session.config;
  const { operation } = endpoint;
  const common = { id: '', what: '', context: { operation, method: 'POST', path: '/reports' }, redactor } as const;

  /** Waits for a place, then orders the report. Returns the wait for it, which frees the place. */
  return async (signal: AbortSignal | undefined): Promise<() => Promise<Report>> => {
    const leave = await waitsOf(api.session).places.take(signal);
    try {
      const { board, list } = boardOf(api, order.type === 'fiche' ? { type: order.type } : {}, shared);
      const base = { ...common, ...list };
      const first: Wanted<Report[], Report[]> = { ...base, look: (listed) => listed, first: 0, isStrict: true };
      const before = await sharing(api, reportEndpoints.list, { ...callOptions, signal }, () =>
        poll(board.reads, first, { pollInterval, timeout: Infinity, signal }),
      );
      const sent = api.send<ReportJob>(reportEndpoints.create, asked, { ...callOptions, signal });
      const { report_id } = needed(await sent.withResponse(), job);
      const others = otherNames(api, order);
      let isAmbiguous = false;
      const wanted: Wanted<Report, Report[]> = {
        ...base,
        look: (listed) => {
          const found = findReport(listed, { ...order, others }, [...before, ...board.taken]);
          ({ isAmbiguous } = found);
          if (found.report) board.taken.push(found.report);
          return found.report;
        },
        first: Math.min(45_000, 3 * pollInterval),
        id: report_id,
        get what() {
          const why = isAmbiguous ? ' (several reports match: pass a unique `report_name`)' : '';
          return `Report ${report_id}${why}`;
        },
        context: { ...common.context, outcome: 'applied' },
      };
      board.orders++;
      return () =>
        poll(board.reads, wanted, { pollInterval, timeout, onPoll, signal }).finally(() => {
          leave();
          if (--board.orders === 0) board.taken.length = 0;
        });
    } catch (error) {
      leave();
      throw error;
    }
  };
}

function copied(params: ReportCreateParams): ReportCreateParams {
  const { fiche_ids } = params as Partial<ReportCreateParams>;
  return { ...params, ...(fiche_ids && { fiche_ids: [...fiche_ids] }) } as ReportCreateParams;
}

/** The names of the listings that the key knows and that the order is not about. */
function otherNames({ session }: Api, { type, fiche_ids }: ReportCreateParams): ReadonlySet<string | undefined> {
  const fiches = type === 'fiche' ? (session.identity?.gmb_fiches ?? []) : [];
  const names = (isOrdered: boolean) =>
    fiches.filter(({ id }) => fiche_ids.includes(id) === isOrdered).map(({ name }) => withoutForm(`${name ?? ''}`));
  const own = new Set(names(true));
  return new Set(names(false).filter((name) => name && !own.has(name)));
}
