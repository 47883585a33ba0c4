import type { Api } from '../core/api.js';
import { endpoint } from '../core/endpoint.js';
import type { RequestOptions } from '../core/options.js';
import type { ApiPromise } from '../core/promise.js';
import type { DryRunOption, DryRunResult } from '../core/types.js';
import { checkWait, poll, type WaitOptions } from '../core/wait.js';
import { askIdentity } from './me.js';
import { findReport } from './reports-match.js';
import {
  type Report,
  type ReportCreateParams,
  type ReportJob,
  type ReportListParams,
  reportEndpoints,
} from './reports-schema.js';

/** `reports.create` without its preview: a preview has nothing to wait for. */
const createAndWait = endpoint({ ...reportEndpoints.create, operation: 'reports.createAndWait', dryRun: false });

/** The longest list that the service gives. */
const LIMIT = 100;

/** Reports of the listings, as PDF and CSV. */
export class Reports {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * List the reports that are ready. `GET /reports`, permission `read`.
   *
   * `limit` is 1 to 100, 20 by default; there is no further page. With a sphere key and no `bulle_id`, the whole brand.
   * @throws a {@link BulleOutOfScopeError} or {@link BulleNotFoundError} for a `bulle_id` that the key does not reach.
   * @example const [report] = await client.reports.list({ limit: 1 });
   */
  list(params?: ReportListParams, options?: RequestOptions): ApiPromise<Report[]> {
    return this.#api.send(reportEndpoints.list, params, options);
  }

  /**
   * Have a report made; it takes a minute or two. `POST /reports`, permission `publish`.
   *
   * `type: 'combine'` takes two listings at least. Days are `YYYY-MM-DD` strings. Never sent twice when it may have
   * happened: after `outcome: 'unknown'`, `reports.list` shows it once it is ready.
   * With `dry_run: true` nothing is executed and a preview comes back.
   * @throws a {@link FicheOutOfScopeError} for a listing that the key does not reach.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview: the report is then being made.
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
   * Have a report made and wait until the list shows it. `GET /reports`, `POST /reports`, then `GET /reports` again and
   * again; permissions `read` and `publish`.
   *
   * Polls every `pollInterval` ms (default 15 000), the first time after three intervals, 45 s at most; gives up after
   * `timeout` ms (default 600 000, counted from when the service accepted). Each poll costs a request.
   *
   * The list carries no `report_id`, so the report is told by what is known: it was not in the list before and is not
   * older than what was, it has the `report_name` if one was given, its period and its listing fit as far as they are
   * shown. Where several reports fit, none is taken. **Give a `report_name` that no other report has**: without one, a
   * report that somebody else orders on the same listing at the same time cannot be told apart, and `GET /me` is asked
   * for the names of the listings where the client does not know them. Nor can reports on listings of one name. No name
   * is made up, since it would be seen. For several listings with `type: 'fiche'`, one of their reports is given. Whether
   * the list shows combined reports is not documented. On `client.forBulle` the list is that of the location: the
   * listings must be its own.
   *
   * An error whose `operation` is `'reports.list'` and that comes after the request leaves the report being made.
   * @throws a {@link WaitTimeoutError} with the `report_id` as `id`; the report may still come.
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
    const { pollInterval = 15_000, timeout = 600_000, signal } = options ?? {};
    signal?.throwIfAborted();
    this.#api.check(createAndWait, params);
    const filters: ReportListParams = { limit: LIMIT, ...(params.type === 'fiche' && { type: params.type }) };
    // Comparing two lists takes time by the product of their lengths, so a longer one than asked for is cut.
    const list = async (callOptions: RequestOptions) => (await this.list(filters, callOptions)).slice(0, LIMIT);
    const asked = { ...params };
    const before = await list({ signal });
    const { report_id } = await this.create(asked, { signal });
    let isAmbiguous = false;
    const match = (listed: Report[]) =>
      findReport(listed, { params: asked, before, fiches: this.#api.session.identity?.gmb_fiches });
    const look = async (callOptions: RequestOptions) => {
      const listed = await list(callOptions);
      let found = match(listed);
      if (found.report && asked.report_name === undefined && !this.#api.session.identity) {
        // Rather one request more than somebody else's report; without an answer, what there is must do.
        await askIdentity(this.#api, callOptions).catch(() => {});
        found = match(listed);
      }
      isAmbiguous = found.isAmbiguous;
      return found.report;
    };
    return poll(
      {
        look,
        first: Math.min(45_000, 3 * pollInterval),
        id: report_id,
        get what() {
          const why = isAmbiguous ? ' (several fit: give it a `report_name`)' : '';
          return `Report ${report_id}${why}`;
        },
        context: { operation: 'reports.createAndWait', method: 'POST', path: '/reports', outcome: 'applied' },
        redactor,
      },
      { ...options, pollInterval, timeout },
    );
  }
}
