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
  const detach = own && onAbort(own, () => controller.abort(own.reason));
  const { check } = api.trail({ signal });
  const running = new Map<number, Promise<[at: number, OrderedReport]>>();
  const sweep = new Sweep();
  let failure: { readonly error: unknown } | undefined;
  try {
    for (let at = 0; ; ) {
      for (; at < orders.length && running.size < concurrency && !failure; at++) {
        const { params, order } = orders[at] as (typeof orders)[number];
        let onOrder = () => {};
        const ordered = new Promise<void>((resolve) => {
          onOrder = resolve;
        });
        const report = api.following(signal, (ends) => order(ends, onOrder));
        const place = at;
        const result = report.then(
          (found): [number, OrderedReport] => [place, { params, report: found }],
          (error): [number, OrderedReport] => {
            if (isMultilocalError(error)) return [place, { params, error }];
            throw error;
          },
        );
        result.catch(() => {});
        running.set(place, result);
        await Promise.race([ordered, report]).then(
          () => sweep.succeed(),
          (error) => {
            if (sweep.fail(error)) failure = { error };
          },
        );
      }
      if (running.size === 0) break;
      const [place, result] = await Promise.race(running.values());
      running.delete(place);
      check();
      yield result;
      check();
    }
    if (failure) throw failure.error;
  } finally {
    detach?.();
    // Ends the waits.
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
