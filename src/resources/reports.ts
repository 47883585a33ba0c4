import * as z from 'zod/mini';
import { type ApiPromise, apiOf, Resource } from '../core/api.js';
import { endpoint } from '../core/endpoint.js';
import { abortSignal, milliseconds, type RequestOptions, requestOptionFields } from '../core/options.js';
import { checkOptions, copyOf, invalid } from '../core/request.js';
import * as s from '../core/schema.js';
import { isLater } from '../core/timestamps.js';
import type { DryRunOption, DryRunResult } from '../core/types.js';
import { serviceTime } from '../stages/listeners.js';
import { each, type ListPromise, sendList, wholeList } from './pages.js';
import { type OrderedReport, orderAll, type ReportsOptions } from './reports-all.js';
import { download, type ReportDownloadOptions } from './reports-download.js';
import { findReport } from './reports-match.js';
import { checkedOrder, POLL_INTERVAL, ReportList } from './reports-order.js';
import {
  type Report,
  type ReportCreateParams,
  type ReportJob,
  type ReportListParams,
  type ReportWaitParams,
  reportEndpoints,
  reportWaitParamsSchema,
} from './reports-schema.js';
import { called } from './shared.js';
import { checkWait, type WaitOptions, waitOptionsOf } from './wait.js';

/** `reports.create` without `dry_run`, because a preview has no report to wait for. */
const createAndWait = endpoint({ ...reportEndpoints.create, operation: 'reports.createAndWait', dryRun: false });

/** `reports.wait` polls `reports.list`. */
const wait = endpoint({ ...reportEndpoints.list, operation: 'reports.wait', params: reportWaitParamsSchema });

const downloadOptionsSchema = s.params({
  format: z.optional(s.oneOf(['pdf', 'csv'])),
  signal: abortSignal,
  timeout: milliseconds,
  fetchOptions: requestOptionFields.fetchOptions,
});

/** Reports on listings, as PDF and CSV. */
export class Reports extends Resource {
  /**
   * Lists the finished reports. `GET /reports`, permission `read`.
   *
   * `limit` is 1 to 100, 20 by default. The list has only one page. A sphere key without `bulle_id` lists the reports
   * of the whole brand.
   * @throws a {@link BulleOutOfScopeError} or {@link BulleNotFoundError} if `bulle_id` is out of scope or unknown.
   * @example const [report] = await client.reports.list({ limit: 1 });
   */
  list(params?: ReportListParams, options?: RequestOptions): ListPromise<Report[], Report> {
    return sendList(apiOf(this), reportEndpoints.list, params, options, wholeList());
  }

  /**
   * Orders a report. The service needs one or two minutes for it. `POST /reports`, permission `publish`.
   *
   * `type: 'combine'` needs at least two listings. Days are `YYYY-MM-DD` strings.
   * @remarks A write that may have succeeded is never sent again: after `outcome: 'unknown'`, `reports.list` shows the
   * report once it is ready. `dry_run: true` returns a preview and executes nothing.
   * @throws a {@link FicheOutOfScopeError} if a listing is out of the key's scope.
   * @throws a {@link DryRunNotHonoredError} if the response is not a preview: the report was then ordered.
   * @example
   * const { report_id } = await client.reports.create({
   *   type: 'fiche',
   *   fiche_ids: [fiche_id],
   *   date_start: '2026-10-01',
   *   date_end: '2026-10-31',
   * });
   */
  create<Only extends boolean | undefined = false>(
    params: ReportCreateParams & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, ReportJob>> {
    return apiOf(this).send(reportEndpoints.create, params, options);
  }

  /**
   * Orders a report and waits until the list shows it. Sends `GET /reports`, `POST /reports`, then polls `GET
   * /reports`. Permissions `read` and `publish`.
   *
   * The method polls every `pollInterval` ms (default 15 000), first after three intervals but at most 45 s. The wait
   * ends `timeout` ms (default 600 000) after the service has accepted the order. All waits of a client and its views share
   * their polls: one request answers all that list the same location. A list that is younger than `pollInterval` serves as the
   * first one. The service lists 100 reports, so a client waits for at most 80 orders at a time. A further call orders when one
   * of them is ready. {@link Reports.createAndWaitAll} orders many.
   *
   * **Pass a unique `report_name`.** The list has no `report_id`, so the client looks for a report that is new in the
   * list and has the same `report_name` and period, and not the name of another listing of the key. Without a name, a report
   * that another user orders for the listing at the same time can be taken for yours. If more reports fit than
   * were ordered, the client returns none of them, and the wait times out. The client never invents a `report_name`, because people see it.
   *
   * Request options apply to each request of the method. `extra` applies only to `POST /reports`.
   *
   * With `type: 'fiche'`, several listings and a `report_name`, the method returns one of the reports. It is not documented
   * whether the list shows combined reports. On `client.forBulle`, the list has only the reports of that location, so the
   * listings must belong to the location.
   *
   * If a poll fails for good, the error has `outcome: 'applied'` and names the `report_id`: the service still makes the report.
   * @throws a {@link WaitTimeoutError} with the `report_id` as `id`. The report may still be finished later.
   * @throws a {@link DryRunUnsupportedError} on `client.dryRun`, before anything is sent.
   * @example
   * const { pdf_url } = await client.reports.createAndWait({
   *   type: 'fiche',
   *   fiche_ids: [fiche_id],
   *   date_start: '2026-10-01',
   *   date_end: '2026-10-31',
   *   report_name: `Octobre ${crypto.randomUUID()}`,
   * });
   */
  async createAndWait(params: ReportCreateParams, options?: WaitOptions): Promise<Report> {
    checkWait(options, createAndWait.operation, apiOf(this).session.config.redactor);
    const order = checkedOrder(apiOf(this), createAndWait, params, options);
    return called(apiOf(this), options?.signal, order);
  }

  /**
   * Orders many reports and yields each with its parameters as soon as it is ready. Sends the requests of
   * {@link Reports.createAndWait}, permissions `read` and `publish`.
   *
   * All parameters are checked before the first order. The orders leave one after the other, while the iteration runs: up to
   * `concurrency` (80 at most and by default) are waited for at a time. All of them share their reads, so 300 reports cost 300
   * orders and at most one list every `pollInterval` ms (default 15 000).
   *
   * A report that fails is yielded as `{ params, error }`, and the next one is ordered. An error that concerns every order
   * (the key, the permissions, the limits) ends the ordering, and so does an outage (408, 5xx, a timeout, no connection) at
   * the second order in a row. What was ordered before is still waited for and yielded, then the iteration throws the error.
   * So what was not yielded was not ordered. After `break` or an abort, nothing more is ordered, and the service still makes what was ordered.
   * @throws an {@link InvalidRequestError} with the position of each wrong order, before anything is sent.
   * @throws a {@link DryRunUnsupportedError} on `client.dryRun`, before anything is sent.
   * @example
   * const orders = client.identity.gmb_fiches.map(({ id, name }) => ({
   *   type: 'fiche' as const,
   *   fiche_ids: [id],
   *   date_start: '2026-10-01',
   *   date_end: '2026-10-31',
   *   report_name: `Octobre ${name} ${id}`,
   * }));
   * for await (const { params, report, error } of client.reports.createAndWaitAll(orders)) {
   *   console.log(params.report_name, error ? error.code : report.pdf_url);
   * }
   */
  createAndWaitAll(
    params: readonly ReportCreateParams[],
    options?: ReportsOptions,
  ): AsyncGenerator<OrderedReport, void, undefined> {
    const trail = apiOf(this).trail(options);
    const tell = (one: OrderedReport) => {
      trail.told(one.error);
      return [one];
    };
    return each(orderAll(apiOf(this), params, options), tell, trail);
  }

  /**
   * Waits for a report that an earlier process has ordered. Polls `GET /reports`, permission `read`.
   *
   * The method polls at once, then every `pollInterval` ms (default 15 000), for at most `timeout` ms (default 600 000).
   * Each poll costs one request, which answers all waits of the client for this list. A list that is younger than
   * `pollInterval` serves as the first one.
   *
   * The list has no `report_id`, so the client looks for a report with the `report_name` that was finished at or after
   * `since`, by default now. Pass the moment of the order, on the clock of this machine: the client converts it to the
   * clock of the service, as `posts.findRecent` does. A report without a date counts as recent. The other parameters are
   * the same as for the order and make sure that the report is yours. If more reports match than `fiche_ids` has listings, the
   * client returns none of them, and the wait times out.
   * @throws a {@link WaitTimeoutError} with the `report_name` as `id`. The report may still be finished later.
   * @example
   * const { csv_url } = await client.reports.wait({ report_name: 'Octobre 7f3a', since: '2026-11-21T09:00:00Z' });
   */
  async wait(params: ReportWaitParams, options?: WaitOptions): Promise<Report> {
    const { session } = apiOf(this);
    const { redactor } = session.config;
    checkWait(options, wait.operation, redactor);
    // `extra` belongs to the requests of the list.
    const { pollInterval, timeout, onPoll, signal: own, shared } = waitOptionsOf(options, POLL_INTERVAL);
    const checked = apiOf(this).check(wait, params, shared);
    // The caller may change the lists in it during the wait.
    const { bulle_id, since = new Date(), ...order } = copyOf(checked);
    const filters: ReportListParams = { bulle_id, ...(order.type === 'fiche' && { type: order.type }) };
    const list = new ReportList(apiOf(this), filters, pollInterval, shared);
    const find = (listed: Report[]) => {
      const start = serviceTime(session, since);
      const before = listed.filter(({ generated_at }) => isLater(start, `${generated_at}`) === true);
      return findReport(listed, order, before);
    };
    const { report_name: id } = order;
    const context = { operation: wait.operation, method: wait.method, path: wait.path };
    const wanted = { first: 0, id, name: `"${id}"`, hint: 'what else is known of the order', context, redactor };
    const work = (signal: AbortSignal | undefined) => list.poll(find, wanted, { timeout, onPoll, signal });
    return called(apiOf(this), own, work).finally(() => list.leave());
  }

  /**
   * Fetches the file of a report: `format` is `'pdf'` by default, or `'csv'`. Resolves to a `Response` whose body has not
   * been read.
   *
   * The file may be on another host. The client sends no key and none of its headers there, the request does not count toward
   * the budget, and it is not retried. The address must begin with `https:`, or belong to this machine. Redirects to such
   * addresses are followed, at most five. `timeout` is ms until the headers of the response arrive, 30 000 by default.
   * `signal` also ends the reading of the body. No error shows more of the address than its origin, because anyone with a
   * signed address can read the file.
   * @throws an {@link InvalidRequestError} if the report has no file of that format, or if its address is not allowed.
   * @throws a {@link RedirectError} for a redirect to an address that is not allowed, and for more than five redirects.
   * @throws an {@link ApiError} with the `status` of a response that is not 2xx. The address may have expired.
   * @example
   * const [report] = await client.reports.list({ limit: 1 });
   * const file = report && (await (await client.reports.download(report)).blob());
   */
  async download(report: Pick<Report, 'pdf_url' | 'csv_url'>, options?: ReportDownloadOptions): Promise<Response> {
    const { config } = apiOf(this).session;
    const context = { operation: 'reports.download', method: 'GET' } as const;
    checkOptions(downloadOptionsSchema, options, { ...context, redactor: config.redactor });
    const { format = 'pdf', ...others } = options ?? {};
    const name = `${format}_url` as const;
    const address = Object(report)[name] as unknown;
    if (!address) throw invalid([{ path: [name], message: 'is missing: the report has no such file' }], context);
    const merged = apiOf(this).merge(others);
    const signals = [...(apiOf(this).view?.signals ?? []), ...(merged.signal ? [merged.signal] : [])];
    // The signals also end the reading of the body, after this method has ended.
    return download(config, name, address, { ...merged, signal: AbortSignal.any(signals) }, context);
  }
}
