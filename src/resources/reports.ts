import type { Api, ApiPromise } from '../core/api.js';
import { endpoint } from '../core/endpoint.js';
import type { RequestOptions } from '../core/options.js';
import { type ListPromise, sendList, wholeList } from '../core/pages.js';
import type { DryRunOption, DryRunResult } from '../core/types.js';
import { signalOf } from '../stages/view.js';
import { findReport } from './reports-match.js';
import {
  type Report,
  type ReportCreateParams,
  type ReportJob,
  type ReportListParams,
  reportEndpoints,
} from './reports-schema.js';
import { checkWait, poll, type WaitOptions } from './wait.js';

/** `reports.create` without `dry_run`, because a preview has no report to wait for. */
const createAndWait = endpoint({ ...reportEndpoints.create, operation: 'reports.createAndWait', dryRun: false });

/** Maximum number of reports that the service lists. */
const LIMIT = 100;

/** A report in the list has no id. */
const paging = wholeList<Report>((report) => report);

/** Reports on listings, as PDF and CSV. */
export class Reports {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists the finished reports. `GET /reports`, permission `read`.
   *
   * `limit` is 1 to 100, 20 by default. The list has only one page. A sphere key without `bulle_id` lists the reports
   * of the whole brand.
   * @throws a {@link BulleOutOfScopeError} or {@link BulleNotFoundError} if `bulle_id` is out of scope or unknown.
   * @example const [report] = await client.reports.list({ limit: 1 });
   */
  list(params?: ReportListParams, options?: RequestOptions): ListPromise<Report[], Report> {
    return sendList(this.#api, reportEndpoints.list, params, options, paging);
  }

  /**
   * Orders a report. The service needs one or two minutes for it. `POST /reports`, permission `publish`.
   *
   * `type: 'combine'` needs at least two listings. Days are `YYYY-MM-DD` strings. A write that may have succeeded is
   * never sent again: after `outcome: 'unknown'`, `reports.list` shows the report once it is ready. With `dry_run:
   * true` the service executes nothing and returns a preview.
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
    return this.#api.send(reportEndpoints.create, params, options);
  }

  /**
   * Orders a report and waits until the list shows it. Sends `GET /reports`, `POST /reports`, then polls `GET
   * /reports`. Permissions `read` and `publish`.
   *
   * The method polls every `pollInterval` ms (default 15 000), first after three intervals but at most 45 s. The wait
   * ends `timeout` ms (default 600 000) after the service has accepted the order. Each poll costs one request.
   *
   * **Pass a unique `report_name`.** The list has no `report_id`, so the client looks for a report that is new in the
   * list and has the same `report_name` and period. Without a name, a report that somebody else orders at the same time
   * can be taken for yours. Two reports that appear at once are never guessed between: the client returns neither, and
   * the wait times out. The client never invents a `report_name`, because people see it.
   *
   * Request options apply to each request of the method. `extra` applies only to `POST /reports`.
   *
   * With `type: 'fiche'`, several listings and a `report_name`, the method returns one of the reports. It is not documented whether the
   * list shows combined reports. On `client.forBulle`, the list has only the reports of that location, so the listings
   * must belong to the location.
   *
   * If polling fails with an error whose `operation` is `'reports.list'`, the service still makes the report.
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
    const { redactor } = this.#api.session.config;
    checkWait(options, createAndWait.operation, redactor);
    const { pollInterval = 15_000, timeout = 600_000, onPoll, ...requestOptions } = options ?? {};
    const { extra, ...listOptions } = requestOptions;
    const { signal = signalOf(this.#api) } = requestOptions;
    signal?.throwIfAborted();
    this.#api.check(createAndWait, params, requestOptions);
    const filters: ReportListParams = { limit: LIMIT, ...(params.type === 'fiche' && { type: params.type }) };
    const list = (callOptions: RequestOptions) => this.list(filters, callOptions);
    // The caller may change the lists in it before the order is sent.
    const asked = structuredClone(params);
    const before = await list(listOptions);
    const { report_id } = await this.create(asked, requestOptions);
    let isAmbiguous = false;
    const look = async (callOptions: RequestOptions) => {
      const found = findReport(await list(callOptions), asked, before);
      isAmbiguous = found.isAmbiguous;
      return found.report;
    };
    return poll(
      {
        look,
        first: Math.min(45_000, 3 * pollInterval),
        id: report_id,
        get what() {
          const why = isAmbiguous ? ' (several reports match: pass a unique `report_name`)' : '';
          return `Report ${report_id}${why}`;
        },
        context: { operation: 'reports.createAndWait', method: 'POST', path: '/reports', outcome: 'applied' },
        redactor,
      },
      { ...listOptions, signal, pollInterval, timeout, onPoll },
    );
  }
}
