import * as z from 'zod/mini';
import { onAbort } from '../core/abort.js';
import type { Api } from '../core/api.js';
import { endpoint } from '../core/endpoint.js';
import { InvalidRequestError, isMultilocalError, type MultilocalError } from '../core/errors/index.js';
import { checkOptions, invalid } from '../core/request.js';
import * as s from '../core/schema.js';
import type { Issue } from '../core/types.js';
import { checkedOrder, MOST_ORDERS } from './reports-order.js';
import { type Report, type ReportCreateParams, reportEndpoints } from './reports-schema.js';
import { Sweep } from './sweep.js';
import { type WaitOptions, waitFields } from './wait.js';

/** Options of `reports.createAndWaitAll`. The wait options apply to each order. */
export interface ReportsOptions extends WaitOptions {
  /** Maximum number of orders to wait for at a time, 1 to 80. Default 80. */
  concurrency?: number | undefined;
}

/** The report of an order of `reports.createAndWaitAll`, or why there is none. */
export type OrderedReport =
  | {
      /** The parameters of the order, as they were passed. */
      params: ReportCreateParams;
      /** The finished report. */
      report: Report;
      /** Absent if the report is ready. */
      error?: undefined;
    }
  | {
      /** The parameters of the order, as they were passed. */
      params: ReportCreateParams;
      /** Absent if there is no report. */
      report?: undefined;
      /** Why there is no report. `error.outcome` tells whether it was ordered. */
      error: MultilocalError;
    };

const optionsSchema = s.params({ ...waitFields, concurrency: z.optional(s.int(1, MOST_ORDERS)) });

/** `reports.create` without `dry_run`, because a preview has no report to wait for. */
const createAndWaitAll = endpoint({ ...reportEndpoints.create, operation: 'reports.createAndWaitAll', dryRun: false });

/** Orders reports one after the other, waits for them together, and yields them in the order in which they get ready. */
export async function* orderAll(
  api: Api,
  params: readonly ReportCreateParams[],
  options: ReportsOptions | undefined,
): AsyncGenerator<OrderedReport, void, undefined> {
  const context = { operation: createAndWaitAll.operation, redactor: api.session.config.redactor };
  checkOptions(optionsSchema, options, context);
  const { concurrency = MOST_ORDERS, signal: own, ...others } = options ?? {};
  if (!Array.isArray(params)) throw invalid([{ path: [], message: s.mustBe('an array', params) }], context);
  const orders = checkAll(api, [...params], others);
  const controller = new AbortController();
  const { signal } = controller;
  const ready: OrderedReport[] = [];
  const waiting = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;
  let notify = () => {};
  const give = (result: OrderedReport) => {
    ready.push(result);
    notify();
  };
  const giveReport = async (params: ReportCreateParams, wait: Promise<Report>) => {
    try {
      give({ params, report: await wait });
    } catch (error) {
      if (isMultilocalError(error)) give({ params, error });
      else failure ??= { error };
    }
  };
  const orderEach = async () => {
    const sweep = new Sweep();
    for (const { params, order } of orders) {
      while (waiting.size >= concurrency) await Promise.race(waiting);
      try {
        const wait = await order(signal);
        sweep.succeed();
        const counted = giveReport(params, wait()).then(() => void waiting.delete(counted));
        waiting.add(counted);
      } catch (error) {
        if (!isMultilocalError(error)) throw error;
        give({ params, error });
        if (sweep.fail(error)) throw error;
      }
    }
  };
  const run = async () => {
    await orderEach().catch((error: unknown) => {
      failure = { error };
    });
    await Promise.all(waiting);
    isOver = true;
    notify();
  };
  const detach = [...(api.view?.signals ?? []), ...(own ? [own] : [])].map((outer) =>
    onAbort(outer, () => controller.abort(outer.reason)),
  );
  onAbort(signal, () => notify());
  try {
    signal.throwIfAborted();
    void run();
    for (;;) {
      const next = ready.shift();
      if (next) yield next;
      else if (isOver) break;
      else await new Promise<void>((resolve) => (notify = resolve));
      signal.throwIfAborted();
    }
    if (failure) throw failure.error;
  } finally {
    for (const stop of detach) stop();
    // Ends the ordering and the waits.
    controller.abort();
  }
}

/** Checks every order. @throws {InvalidRequestError} with the position of each wrong one. */
function checkAll(api: Api, all: readonly ReportCreateParams[], options: WaitOptions) {
  const issues: Issue[] = [];
  const orders = all.map((params, index) => {
    try {
      return { params, order: checkedOrder(api, createAndWaitAll, params, options) };
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      for (const issue of error.issues) issues.push({ ...issue, path: [index, ...issue.path] });
      return undefined;
    }
  });
  if (issues.length > 0) throw invalid(issues, api.contextOf(createAndWaitAll));
  return orders.filter((one) => one !== undefined);
}
