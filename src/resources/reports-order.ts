import type { Api } from '../core/api.js';
import type { Endpoint } from '../core/endpoint.js';
import { isMultilocalError } from '../core/errors/index.js';
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
import { createMemo, createPlaces, type Memo, perSession, type SharedOptions, sharing } from './shared.js';
import { poll, SharedReads, type WaitOptions, type Wanted } from './wait.js';

/** Maximum number of reports that the service lists. */
const LISTED = 100;

/** Maximum number of orders that a client waits for at a time. The list has no pages, so more could not all be seen in it. */
export const MOST_ORDERS = 80;

/** What a wait needs of an accepted order. */
const job = s.object({ report_id: reportId });

/** Milliseconds for which a list serves further polls, at most. */
const LIST_AGE = 15_000;

/** A wait for a list of reports. */
interface ReportWait extends Wanted<unknown, Report[]> {
  /** The filter of the list. */
  readonly type: ReportListParams['type'];
}

/** A list of reports, and who waits for it. */
interface Board {
  readonly reads: SharedReads<Report[]>;
  readonly lists: Memo<Report[]>;
  /** The reports that orders of this client have got. None of them belongs to another order. */
  readonly taken: Report[];
  /** Number of orders that wait. */
  orders: number;
}

/** The waits for reports of a client and its views: their places, and a board for each location that they list. */
const waitsOf = perSession(() => ({ place: createPlaces(MOST_ORDERS), boards: new Map<string | undefined, Board>() }));

/** A list of reports that waits share. `filters` are those of the one who waits. */
export function boardOf(api: Api, filters: ReportListParams, interval: number, options: SharedOptions) {
  const { boards } = waitsOf(api.session);
  // A view adds its location.
  const { bulle_id, type } = api.check(reportEndpoints.list, filters);
  const board = boards.get(bulle_id) ?? { reads: new SharedReads(), lists: createMemo(), taken: [], orders: 0 };
  boards.set(bulle_id, board);
  const shared = api.shared();
  const list = (one: typeof type, maxAge: number, signal?: AbortSignal) => {
    const params = { limit: LISTED, ...(bulle_id !== undefined && { bulle_id }), ...(one && { type: one }) };
    const ask = async () => needed(await shared.ask<Report[]>(reportEndpoints.list, params, { ...options, signal }));
    const get = () => board.lists('', ask, maxAge);
    return get().catch((error) => {
      // Those who sent the read have ended it, and this caller goes on.
      if (isMultilocalError(error) || signal?.aborted) throw error;
      return get();
    });
  };
  return {
    board,
    list,
    type,
    read: (waiting: readonly ReportWait[], signal: AbortSignal) => {
      // As far as the specification goes, both lists are the same. A timer may be some milliseconds early.
      const one = waiting.every((other) => other.type === type) ? type : undefined;
      return list(one, Math.min(interval, LIST_AGE) - 5, signal);
    },
  };
}

/** Checks an order. Sends nothing. Returns the function that orders the report and waits for it. */
export function checkedOrder(api: Api, endpoint: Endpoint, params: ReportCreateParams, options: WaitOptions = {}) {
  const { pollInterval = 15_000, timeout = 600_000, onPoll, signal: _, ...callOptions } = options;
  const { extra: __, totalTimeout: ___, ...others } = callOptions;
  const order = copied(api.check(endpoint, params, callOptions));
  const asked = copied(params);
  const { redactor } = api.session.config;

  /** Waits for a place, orders, and waits for the report. `onOrder` is called when the service has accepted the order. */
  return async (signal: AbortSignal | undefined, onOrder = () => {}): Promise<Report> => {
    const leave = await waitsOf(api.session).place(signal);
    const filters = order.type === 'fiche' ? { type: order.type } : {};
    const { board, list, type, read } = boardOf(api, filters, pollInterval, others);
    board.orders++;
    try {
      const before = await sharing(api, reportEndpoints.list, { ...callOptions, signal }, () =>
        list(type, pollInterval),
      );
      const sent = api.send<ReportJob>(reportEndpoints.create, asked, { ...callOptions, signal });
      const { report_id } = needed(await sent.withResponse(), job);
      onOrder();
      const names = otherNames(api, order);
      let isAmbiguous = false;
      const wanted = {
        type,
        read,
        look: (listed: Report[]) => {
          const found = findReport(listed, { ...order, others: names }, [...before, ...board.taken]);
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
        context: { operation: endpoint.operation, method: 'POST', path: '/reports', outcome: 'applied' } as const,
        redactor,
      };
      return await poll(board.reads, wanted, { pollInterval, timeout, onPoll, signal });
    } finally {
      if (--board.orders === 0) board.taken.length = 0;
      leave();
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
