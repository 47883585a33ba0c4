import type { Api } from '../core/api.js';
import { leftToday } from '../core/budget.js';
import { GoneError, NotFoundError, PermissionDeniedError, RateLimitError, refusal } from '../core/errors/index.js';
import { type CallOptions, type RequestOptions, requestOptionsSchema } from '../core/options.js';
import { ListPromise } from '../core/pages.js';
import type { ApiPromise } from '../core/promise.js';
import { checkOptions, checkParams } from '../core/request.js';
import type { Schema } from '../core/schema.js';
import { ADDRESS } from '../core/settings.js';
import { type SyncTrace, syncChannel, syncTraceOf, traced } from '../core/trace.js';
import type { DryRunOption, DryRunResult } from '../core/types.js';
import { checkWait, poll, type WaitOptions } from '../core/wait.js';
import { runEvents, type SyncOptions, syncEvents } from '../sync/events.js';
import { Run, SYNC_TO } from '../sync/run.js';
import type { SyncList, SyncSource } from '../sync/source.js';
import type { ListingCost, SyncResult } from '../sync/store.js';
import { BEGINNING, walk } from '../sync/walk.js';
import { articlePages } from './articles-list.js';
import {
  type ArticleChangesParams,
  type ArticleConfirmParams,
  type ArticleCreateParams,
  type ArticleListParams,
  type ArticlePublishParams,
  type ArticleUpdateParams,
  articleChangesParamsSchema,
} from './articles-params.js';
import {
  type Article,
  type ArticleConfirmation,
  type ArticleCreation,
  type ArticleList,
  type ArticlePublication,
  type ArticleUpdate,
  articleEndpoints,
} from './articles-schema.js';
import {
  type ArticleStore,
  checkStore,
  runStoreOf,
  type SyncEvent,
  type SyncToOptions,
  storedSchema,
  syncOptionsSchema,
  syncToOptionsSchema,
} from './articles-sync.js';

/** Articles written for a connected CMS site, or served to a custom site. */
export class Articles {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * The address of the service, which ends with `/api/v2`. The proxy looks whether it is this machine.
   * @internal
   */
  get [ADDRESS](): string {
    return this.#api.session.config.root;
  }

  /**
   * Lists articles: one page if awaited, all articles if iterated. `GET /articles`, permission `read`.
   *
   * An awaited list is the page that the service returns for these parameters. An iteration yields each article once,
   * oldest change first. The service sorts only with `updated_since`: an iteration without it costs one more request if
   * there is more than one page. Always pass `status`, because its default is not documented. With a sphere key and no
   * `bulle_id`, the list covers the whole brand.
   * @throws a {@link BulleOutOfScopeError} or {@link BulleNotFoundError} if the key does not cover the `bulle_id`.
   * @throws a {@link SyncStalledError} from an iteration if the client cannot read the list without a gap.
   * @example
   * const { articles, total } = await client.articles.list({ status: 'published' });
   * for await (const { title } of client.articles.list({ status: 'published' })) console.log(title);
   */
  list(params?: ArticleListParams, options?: RequestOptions): ListPromise<ArticleList, Article> {
    const { operation } = articleEndpoints.list;
    const asked = { ...params };
    const first = this.#api.ask<ArticleList>(articleEndpoints.list, params, options);
    const pages = () => articlePages(first, this.#list(asked, options), asked.updated_since);
    return new ListPromise(first, pages, operation);
  }

  /**
   * Reads one article. `GET /articles/{article_id}`, permission `read`.
   * @throws a {@link NotFoundError} if the key's scope contains no such article.
   * @example const { slug } = await client.articles.get(42);
   */
  get(article_id: number, options?: RequestOptions): ApiPromise<Article> {
    return this.#api.send(articleEndpoints.get, {}, options, { article_id });
  }

  /**
   * Creates one or more articles. The service writes their texts later. `POST /articles`, permission `publish`.
   *
   * Uses the monthly quota of articles. With a `bulle_id` and no site ids, the article is made for a custom site, which
   * reads it with `articles.list`. Check `created` and `skipped`: a site that already has the article is skipped. A
   * write that may have succeeded is never sent again: after `outcome: 'unknown'`, `articles.list({ status: 'all' })`
   * shows whether the article was created.
   * @throws a {@link QuotaExceededError} if the monthly quota is used up.
   * @throws a {@link MissingBulleIdError} if a sphere key is used without `bulle_id`.
   * @example
   * const { created } = await client.articles.create({ title: 'Le pain au levain', target_keyword: 'levain', bulle_id
   * }); for (const { id } of created) await client.articles.waitUntilWritten(id);
   */
  create(params: ArticleCreateParams, options?: RequestOptions): ApiPromise<ArticleCreation> {
    return this.#api.send(articleEndpoints.create, params, options);
  }

  /**
   * Changes fields of an article that is not online yet. `PUT /articles/{article_id}`, permission `publish`.
   *
   * Only the fields that you pass change. `category: ''` removes the category.
   * @throws a {@link ConflictError} if the article is already online.
   * @example await client.articles.update(42, { title: 'Le pain de seigle' });
   */
  update(article_id: number, params: ArticleUpdateParams, options?: RequestOptions): ApiPromise<ArticleUpdate> {
    return this.#api.send(articleEndpoints.update, params, options, { article_id });
  }

  /**
   * Publishes an article, now or at `scheduled_at`. `POST /articles/{article_id}/publish`, permission `publish`.
   *
   * The first publication fixes the slug. A write that may have succeeded is never sent again: after
   * `outcome: 'unknown'`, `articles.get` shows the `status`.
   * With `dry_run: true` the service executes nothing and returns a preview.
   * @throws an {@link UnprocessableEntityError} if `scheduled_at` is not in the future.
   * @throws a {@link DryRunNotHonoredError} if the response is not a preview: the article was then published.
   * @example await client.articles.publish(42, { scheduled_at: '2026-12-01T09:00:00+01:00' });
   */
  publish<Only extends boolean | undefined = false>(
    article_id: number,
    params?: ArticlePublishParams & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, ArticlePublication>> {
    return this.#api.send(articleEndpoints.publish, params, options, { article_id });
  }

  /**
   * Tells the service that an article is live on your site. `POST /articles/{article_id}/confirm`, permission `read`.
   *
   * The call is idempotent: another call only refreshes `confirmed_at`. With `rendered_url`, other articles of the same
   * location may link to the page. Each confirmation costs one request, so confirm when the article or its address
   * changed and not on every build.
   * @throws a {@link NotFoundError} if the key's scope contains no such article.
   * @example await client.articles.confirm(42, { rendered_url: 'https://www.example.com/blog/levain' });
   */
  confirm(
    article_id: number,
    params?: ArticleConfirmParams,
    options?: RequestOptions,
  ): ApiPromise<ArticleConfirmation> {
    return this.#api.send(articleEndpoints.confirm, params, options, { article_id });
  }

  /**
   * Iterates all changed articles, oldest change first, each version once. `GET /articles` with `updated_since`,
   * permission `read`. Each page costs one request.
   *
   * To continue later, keep the `updated_at` of the last article as an unchanged string. Unpublished and deleted
   * articles are not included: use `articles.sync` for both.
   * @throws a {@link SyncStalledError} if the client cannot read the list without a gap.
   * @example
   * for await (const article of client.articles.changes({ since: cursor })) {
   *   await render(article);
   *   cursor = article.updated_at;
   * }
   */
  async *changes(params?: ArticleChangesParams, options?: RequestOptions): AsyncGenerator<Article, void, undefined> {
    const operation = 'articles.changes';
    this.#check(operation, articleChangesParamsSchema, params, options);
    const { since = BEGINNING, status = 'published', bulle_id } = params ?? {};
    const list = this.#list({ status, bulle_id }, options);
    for await (const step of walk(list, since instanceof Date ? since.toISOString() : since)) yield* step.articles;
  }

  /**
   * Yields the changes since the last run as events. `GET /articles` with `status=all`, permission `read`.
   *
   * A run without changes costs one request. Apply the events in order and store the cursor of each checkpoint: a run
   * that starts from a stored cursor loses nothing.
   *
   * Deletions are only visible in a complete listing. A run makes one if it has no cursor, or with `reconcile`. The run
   * never reports an existing article as deleted. It requests up to 50 missing articles one by one, and reports a
   * deletion only after a 404. If more than 50 articles are missing, the run lists everything a second time. If that
   * listing lacks the same articles, the run requests 50 of them.
   *
   * If a complete listing needs more requests than are left today, the run throws after the first page. `syncTo` can
   * resume a listing.
   * @throws a {@link RateLimitError} if a complete listing needs more requests than are left today.
   * @throws a {@link MassDeletionError} if more than ten articles are known and more than half of them are missing.
   * @throws a {@link SyncStalledError} if the client cannot read the list without a gap.
   * @example
   * for await (const event of client.articles.sync({ cursor, known: stored.keys() })) {
   *   if (event.type === 'upsert') stored.set(event.article.id, event.article);
   *   else if (event.type === 'checkpoint') cursor = event.cursor;
   *   else stored.delete(event.id);
   * }
   */
  async *sync(params?: SyncOptions, options?: RequestOptions): AsyncGenerator<SyncEvent, void, undefined> {
    const operation = 'articles.sync';
    this.#check(operation, syncOptionsSchema, params, options);
    yield* syncEvents(this.#source(params ?? {}, options), params ?? {});
  }

  /**
   * Updates a store with the changes since the last run and returns counts. Sends the requests of `articles.sync`,
   * permission `read`.
   *
   * The run removes articles that went offline. It saves a cursor after it has stored everything that the cursor
   * covers, so the next run continues after a killed one. Without a saved cursor, or with `reconcile`, the run also
   * looks for deletions. `onProgress` reports the cost of a complete listing in advance. If the store has `loadListing`
   * and `saveListing`, the next run resumes a listing that the day's budget ended.
   *
   * With `maxRequests` or `deadline`, a run may end early with `done: false`. Call it again with the same options until
   * `done` is `true`. The runs together store the same as one run. A store with `commit` gets each page and its cursor in
   * one call.
   * @throws a {@link RateLimitError} if the budget ends the run, or is too small for a listing that the store cannot resume.
   * @throws a {@link MassDeletionError} if more than ten articles are stored and more than half of them are missing.
   * @throws a {@link SyncConflictError} if `commit` returns `false` because another run has changed the store.
   * @throws an {@link InvalidRequestError} if `maxRequests` or `deadline` is too small for a complete listing and the
   * store cannot resume the listing.
   * @example
   * const { upserted, deleted } = await client.articles.syncTo(directoryStore('content'), { reconcile: true });
   */
  syncTo(store: ArticleStore, options?: SyncToOptions, requestOptions?: RequestOptions): Promise<SyncResult> {
    const create = () => syncTraceOf(SYNC_TO);
    return traced(syncChannel, create, (trace) => this.#syncTo(trace, store, options, requestOptions));
  }

  /**
   * Waits until the service has written the text of an article. Polls `articles.get`, permission `read`.
   *
   * The method polls immediately and then every `pollInterval` ms (default 10 000). The wait ends after `timeout` ms
   * (default 600 000). Each poll costs one request. An article that was created with `generate_content: false` never
   * gets a text.
   * @throws a {@link WaitTimeoutError} with the article's `id` if the wait ends. The service may still write the text.
   * @example const article = await client.articles.waitUntilWritten(42, { onPoll: ({ elapsed }) => show(elapsed) });
   */
  async waitUntilWritten(article_id: number, options?: WaitOptions): Promise<Article> {
    const { redactor } = this.#api.session.config;
    checkWait(options, 'articles.waitUntilWritten', redactor);
    const { pollInterval = 10_000, timeout = 600_000, signal = this.#api.signal } = options ?? {};
    const look = async (callOptions: RequestOptions) => {
      const article = await this.get(article_id, callOptions);
      return article.content_html ? article : undefined;
    };
    return poll(
      {
        look,
        first: 0,
        id: article_id,
        what: `The text of article ${article_id}`,
        context: { operation: 'articles.waitUntilWritten', method: 'GET', path: `/articles/${article_id}` },
        redactor,
      },
      { ...options, signal, pollInterval, timeout },
    );
  }

  async #syncTo(
    trace: SyncTrace | undefined,
    store: ArticleStore,
    options: SyncToOptions = {},
    requestOptions?: RequestOptions,
  ): Promise<SyncResult> {
    this.#check(SYNC_TO, syncToOptionsSchema, options, requestOptions);
    checkStore(store, SYNC_TO);
    const { onProgress, bulle_id, reconcile, allowMassDeletion, maxRequests, deadline, ...inline } = options;
    const run = new Run(store, { maxRequests, deadline, onProgress });
    const callOptions = { ...inline, ...requestOptions, onAttempt: run.onAttempt };
    const work = async () => {
      const cursor = (await store.loadCursor()) ?? null;
      // A slice begins with the last articles of the one before it. Their versions show that they are stored already.
      const needsVersions = cursor !== null && (reconcile === true || run.isLimited);
      checkParams(storedSchema, { cursor }, { operation: SYNC_TO });
      const params = { cursor, bulle_id, reconcile, allowMassDeletion };
      const source = run.limit(this.#source(params, callOptions, run.onListing));
      return run.apply(runEvents(source, params, runStoreOf(store, needsVersions, SYNC_TO)), cursor);
    };
    const { signal = this.#api.signal } = callOptions;
    return run.follow(trace, run.reserved(signal ?? undefined, work));
  }

  #check(operation: string, schema: Schema, params: unknown, options: unknown): void {
    const { redactor } = this.#api.session.config;
    checkParams(schema, params, { operation, redactor });
    checkOptions(requestOptionsSchema, options, { operation, redactor });
  }

  #list(params: ArticleListParams, options: CallOptions = {}): SyncList<Article> {
    return {
      list: ({ updated_since, offset }) => {
        // The specification shows `offset` only in responses, so it is sent only if the walk cannot continue without
        // it.
        const extra = offset > 0 ? { ...options.extra, offset } : options.extra;
        return this.#api.send<ArticleList>(articleEndpoints.list, { ...params, updated_since }, { ...options, extra });
      },
      mask: (text) => this.#api.session.config.redactor.mask(text),
    };
  }

  #source(
    { bulle_id }: SyncOptions,
    options: CallOptions = {},
    onListing: (cost: ListingCost) => void = () => {},
  ): SyncSource<Article> {
    const filled = this.#api.check(articleEndpoints.list, { bulle_id }) as ArticleListParams;
    return {
      ...this.#list({ status: 'all', bulle_id }, options),
      bulle_id: filled.bulle_id,
      get: (article_id) =>
        // Only a valid article proves that the article exists, so `validation` is always on here.
        this.#api
          .send<Article>(articleEndpoints.get, { article_id }, { ...options, validation: 'throw' })
          .catch(whyMissing),
      announce: async ({ total, requests, canResume }) => {
        const left = await leftToday(this.#api.session, 'articles.sync');
        onListing({ requests, leftToday: left });
        if (canResume || left === undefined || requests <= left) return;
        throw tooCostly(total, requests, left);
      },
    };
  }
}

/**
 * Decides from an error whether a missing article was deleted. @throws the error if it says nothing about the article.
 */
function whyMissing(error: unknown): 'missing' | 'unknown' {
  // Any other 404, or an HTML page of another server, says nothing about the article.
  if (error instanceof NotFoundError && error.code === 'not_found' && typeof error.body !== 'string') return 'missing';
  // The article is no longer in the key's scope. It must not stop the sync of the others.
  if (error instanceof PermissionDeniedError || error instanceof GoneError) return 'unknown';
  throw error;
}

/** A listing that cannot be resumed would use up the day's requests without a result, every day again. */
function tooCostly(total: number, requests: number, left: number): RateLimitError {
  const detail =
    `a complete listing of ${total} articles needs about ${requests} more requests, but only ${left} are left today. ` +
    'Use a store with loadListing and saveListing to continue the next day, or raise rateLimit.perDay';
  const context = { operation: 'articles.sync', method: 'GET', path: '/articles', attempts: 1 } as const;
  return new RateLimitError(`articles.sync: ${detail}.`, { ...context, ...refusal(429, detail) });
}
