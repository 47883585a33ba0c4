import type { Api } from '../core/api.js';
import type { Endpoint } from '../core/endpoint.js';
import { type ErrorContext, MultilocalError, WaitTimeoutError } from '../core/errors/index.js';
import { copyOf } from '../core/request.js';
import { needed } from '../core/response.js';
import * as s from '../core/schema.js';
import { withoutForm } from '../core/text.js';
import { findReport, type Match } from './reports-match.js';
import {
  type Report,
  type ReportCreateParams,
  type ReportJob,
  type ReportListParams,
  reportEndpoints,
  reportId,
} from './reports-schema.js';
import { createPlaces, perSession, type SharedOptions, SharedReads, sharedApi, sharing } from './shared.js';
import { type PollTarget, poll, type WaitOptions, waitOptionsOf } from './wait.js';

/** Maximum number of reports that the service lists. */
const LISTED = 100;

/** Maximum number of orders that a client waits for at a time. The list has no pages, so more could not all be seen in it. */
export const MOST_ORDERS = 80;

/** What a wait needs of an accepted order. */
const job = s.object({ report_id: reportId });
/** What a wait needs of a list. A report of others that looks odd must not end it. */
const someReports = s.list(s.object({}));

/** The default `pollInterval`. A list serves further polls for this time, at most. */
export const POLL_INTERVAL = 15_000;

/** A list of reports, and who waits for it. */
interface Board {
  readonly lists: SharedReads<Report[]>;
  readonly waiting: Set<ReportList>;
  /** The reports that orders of this client have got. None of them belongs to another order. */
  readonly taken: Report[];
}

/** The waits for reports of a client and its views: their places, and a board for each location that they list. */
const waitsOf = perSession(() => ({ place: createPlaces(MOST_ORDERS), boards: new Map<string | undefined, Board>() }));

/** The list of reports that a wait shares with others. */
export class ReportList {
  readonly board: Board;
  readonly #interval: number;
  readonly #type: ReportListParams['type'];
  readonly #read: (signal: AbortSignal) => Promise<Report[]>;

  /** `filters` are those of the one who waits. A view adds its location. */
  constructor(api: Api, filters: ReportListParams, interval: number, options: SharedOptions) {
    this.#interval = interval;
    const { boards } = waitsOf(api.session);
    const { bulle_id, type } = api.check(reportEndpoints.list, filters);
    this.board = boards.get(bulle_id) ?? { lists: new SharedReads(), waiting: new Set(), taken: [] };
    boards.set(bulle_id, this.board);
    this.#type = type;
    this.board.waiting.add(this);
    const shared = sharedApi(api);
    this.#read = async (signal) => {
      // As far as the specification goes, the lists of both types are the same.
      const one = Array.from(this.board.waiting).every((other) => other.#type === type) && type;
      const params = { limit: LISTED, ...(bulle_id !== undefined && { bulle_id }), ...(one && { type: one }) };
      return needed(
        await shared.ask<Report[]>(reportEndpoints.list, params, { ...options, signal, lenient: true }),
        someReports,
      );
    };
  }

  /** @internal Returns a list that is younger than `maxAge` ms. */
  get(signal: AbortSignal, maxAge: number, failureAge?: number): Promise<{ value: Report[]; at: number }> {
    return this.board.lists.get('', this.#read, signal, maxAge, failureAge);
  }

  /** @internal Ends the wait. */
  leave(): void {
    const { waiting, taken } = this.board;
    waiting.delete(this);
    if (waiting.size === 0) taken.length = 0;
  }

  /** @internal Polls until the list has the report that `find` finds. */
  poll(
    find: (listed: Report[]) => Match,
    { name, hint, ...wanted }: Named,
    options: Parameters<typeof poll>[1],
  ): Promise<Report> {
    let isAmbiguous = false;
    const interval = () => Math.min(...Array.from(this.board.waiting, (one) => one.#interval));
    const look = async (signal: AbortSignal) => {
      // A timer may be some milliseconds early.
      const age = Math.min(interval(), POLL_INTERVAL) - 5;
      const { value, at } = await this.get(signal, age, age);
      const match = find(value);
      ({ isAmbiguous } = match);
      return { found: match.report, at };
    };
    const what = () => `Report ${name}${isAmbiguous ? ` (several reports match: pass ${hint})` : ''}`;
    return poll({ ...wanted, interval, look, what }, options);
  }
}

/** What is known of the report that a wait looks for. */
interface Named extends Pick<PollTarget<Report>, 'first' | 'id' | 'context' | 'redactor'> {
  /** Its name in the error of the wait. */
  name: string;
  /** What to pass if several reports match. */
  hint: string;
}

/** Checks an order. Sends nothing. Returns the function that orders the report and waits for it. */
export function checkedOrder(api: Api, endpoint: Endpoint, params: ReportCreateParams, options?: WaitOptions) {
  const { pollInterval, timeout, onPoll, callOptions, shared: others } = waitOptionsOf(options, POLL_INTERVAL);
  const order = copyOf(api.check(endpoint, params, callOptions));
  const asked = copyOf(params);
  const { redactor } = api.session.config;

  /** Waits for a place, orders, and waits for the report. `onOrder` is called when the service has accepted the order. */
  return async (signal: AbortSignal | undefined, onOrder = () => {}): Promise<Report> => {
    const leave = await waitsOf(api.session).place(signal);
    const list = new ReportList(api, order.type === 'fiche' ? { type: order.type } : {}, pollInterval, others);
    const { taken } = list.board;
    try {
      const own = { ...callOptions, signal };
      const { value: before } = await sharing(api, reportEndpoints.list, own, (_, __, ends) =>
        list.get(ends, pollInterval),
      );
      const sent = api.send<ReportJob>(reportEndpoints.create, asked, { ...own, lenient: true });
      const { report_id } = needed(await sent.withResponse(), job);
      onOrder();
      const known = { ...order, others: otherNames(api, order) };
      const find = (listed: Report[]) => {
        const match = findReport(listed, known, [...before, ...taken]);
        if (match.report) taken.push(match.report);
        return match;
      };
      const context = { operation: endpoint.operation, method: 'POST', path: '/reports', outcome: 'applied' } as const;
      const first = Math.min(45_000, 3 * pollInterval);
      const wanted = { first, id: report_id, name: `${report_id}`, hint: 'a unique `report_name`', context, redactor };
      return await list.poll(find, wanted, { timeout, onPoll, signal }).catch((error) => {
        throw ordered(error, { ...context, id: redactor.json(report_id) });
      });
    } finally {
      list.leave();
      leave();
    }
  };
}

/** A lasting failure of a poll, told as that of an order which was accepted. Polls are shared, so their error belongs to several. */
function ordered(error: unknown, context: ErrorContext & Pick<WaitTimeoutError, 'id'>): unknown {
  if (!(error instanceof MultilocalError) || error instanceof WaitTimeoutError) return error;
  const Kind = error.constructor as typeof MultilocalError;
  return new Kind(`${error.message} Report ${context.id} is ordered.`, { ...error, ...context, cause: error });
}

/** The names of the listings that the key knows and that the order is not about. */
function otherNames({ session }: Api, { type, fiche_ids }: ReportCreateParams): ReadonlySet<string | undefined> {
  const fiches = type === 'fiche' ? (session.identity?.gmb_fiches ?? []) : [];
  const names = (isOrdered: boolean) =>
    fiches.filter(({ id }) => fiche_ids.includes(id) === isOrdered).map(({ name }) => withoutForm(`${name ?? ''}`));
  const own = new Set(names(true));
  return new Set(names(false).filter((name) => name && !own.has(name)));
}
