import { leftToday } from '../core/admit.js';
import type { Api } from '../core/api.js';
import { GoneError, NotFoundError, PermissionDeniedError, RateLimitError, refusal } from '../core/errors/index.js';
import { tell } from '../core/events.js';
import { type CallOptions, type RequestOptions, requestOptionsSchema } from '../core/options.js';
import type { ApiPromise } from '../core/promise.js';
import { checkOptions, checkParams, invalid } from '../core/request.js';
import type { Schema } from '../core/schema.js';
import type { DryRunOption, DryRunResult } from '../core/types.js';
import { checkWait, poll, type WaitOptions } from '../core/wait.js';
import { type SyncOptions, syncEvents } from '../sync/events.js';
import type { SyncList, SyncSource } from '../sync/source.js';
import { applyTo, type ListingCost, type SyncProgress, type SyncResult } from '../sync/store.js';
import { BEGINNING, walk } from '../sync/walk.js';
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
  listingStoreOf,
  type SyncEvent,
  type SyncToOptions,
  storedSchema,
  syncOptionsSchema,
  syncToOptionsSchema,
  versionsOf,
} from './articles-sync.js';

/** Looked at before anything is sent: one that shows to be missing midway would leave half of a change. */
const STORE_METHODS = ['loadCursor', 'saveCursor', 'ids', 'put', 'remove'] as const satisfies (keyof ArticleStore)[];

/** Articles written for a connected CMS site, or served to a custom site. */
export class Articles {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * List articles, one page as the service gives it. `GET /articles`, permission `read`.
   *
   * The service documents no page parameters: `articles.changes()` goes through all of them. The default of `status`
   * is not documented either, so name one. With a sphere key and no `bulle_id`, the whole brand.
   * @throws a {@link BulleOutOfScopeError} or {@link BulleNotFoundError} for a `bulle_id` that the key does not reach.
   * @example const { articles, total } = await client.articles.list({ status: 'published' });
   */
  list(params?: ArticleListParams, options?: RequestOptions): ApiPromise<ArticleList> {
    return this.#api.send(articleEndpoints.list, params, options);
  }

  /**
   * Read one article. `GET /articles/{article_id}`, permission `read`.
   * @throws a {@link NotFoundError} when the key's scope holds no such article.
   * @example const { slug } = await client.articles.get(42);
   */
  get(article_id: number, options?: RequestOptions): ApiPromise<Article> {
    return this.#api.send(articleEndpoints.get, {}, options, { article_id });
  }

  /**
   * Create one or more articles; their texts are written afterwards. `POST /articles`, permission `publish`.
   *
   * Spends the monthly quota of articles. With a `bulle_id` and no site ids, the article is for a custom site and is
   * served by `articles.list`. Look at `created` and `skipped`: a site that has the article already gets none.
   * After `outcome: 'unknown'`, `articles.list({ status: 'all' })` shows whether it was created.
   * @throws a {@link QuotaExceededError} when the monthly quota is used up.
   * @throws a {@link MissingBulleIdError} for a sphere key without `bulle_id`.
   * @example
   * const { created } = await client.articles.create({ title: 'Le pain au levain', target_keyword: 'levain', bulle_id });
   * for (const { id } of created) await client.articles.waitUntilWritten(id);
   */
  create(params: ArticleCreateParams, options?: RequestOptions): ApiPromise<ArticleCreation> {
    return this.#api.send(articleEndpoints.create, params, options);
  }

  /**
   * Change fields of an article that is not online yet. `PUT /articles/{article_id}`, permission `publish`.
   *
   * What is not sent stays; `category: ''` removes the category.
   * @throws a {@link ConflictError} when the article is online already.
   * @example await client.articles.update(42, { title: 'Le pain de seigle' });
   */
  update(article_id: number, params: ArticleUpdateParams, options?: RequestOptions): ApiPromise<ArticleUpdate> {
    return this.#api.send(articleEndpoints.update, params, options, { article_id });
  }

  /**
   * Put an article online, now or at `scheduled_at`. `POST /articles/{article_id}/publish`, permission `publish`.
   *
   * The slug is fixed the first time. Never sent twice when it may have happened: after `outcome: 'unknown'`,
   * `articles.get` shows the `status`.
   * With `dry_run: true` nothing is executed and a preview comes back.
   * @throws an {@link UnprocessableEntityError} when `scheduled_at` is not in the future.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview.
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
   * Tell the service that an article is live on your site. `POST /articles/{article_id}/confirm`, permission `read`.
   *
   * Idempotent: a repeated call only refreshes `confirmed_at`. With `rendered_url`, the page becomes a candidate for
   * links from other articles of its location. Each confirmation costs a request: confirm when the article or its
   * address changed, not on every build.
   * @throws a {@link NotFoundError} when the key's scope holds no such article.
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
   * Go through all changes, oldest first, each version once, over as many pages as there are.
   * `GET /articles` with `updated_since`, permission `read`; one request a page.
   *
   * To go on later, keep the `updated_at` of the last article as the string that it is. What was unpublished or
   * deleted is not among the changes: `articles.sync` sees both.
   * @throws a {@link SyncStalledError} when the service's pages cannot be walked without a gap.
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
   * Turn what happened on the service into events for a copy of it. `GET /articles` with `status=all`, permission `read`.
   *
   * One request where nothing happened. Store what comes, and the cursor of each checkpoint after it: a run that starts
   * from it loses nothing. Deletions show only in a complete listing: without a cursor, or with `reconcile`. An article that
   * exists is never reported deleted: up to 50 missing articles are requested one by one and only a 404 deletes; beyond
   * that, a second complete listing must agree, and 50 of the missing articles are requested. A listing that the day's budget does not cover is refused after its first
   * page: `syncTo` can resume one.
   * @throws a {@link RateLimitError} when a complete listing takes more requests than are left today.
   * @throws a {@link MassDeletionError} when more than half of more than ten known articles vanished.
   * @throws a {@link SyncStalledError} when the service's pages cannot be walked without a gap.
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
   * Bring a store up to date with the service, and tell what was done. As `articles.sync`, permission `read`.
   *
   * An article that went offline is removed. The cursor is saved after everything that it covers, so a run that is
   * ended at any instant goes on from there. Without a saved cursor, or with `reconcile`, deletions are looked for too.
   * `onProgress` tells beforehand what a complete listing costs. If the store has `loadListing` and `saveListing`,
   * the next run resumes a listing that the day's budget ended.
   * @throws a {@link RateLimitError} when the budget ends the run, or cannot cover a listing that the store cannot resume.
   * @throws a {@link MassDeletionError} when more than half of more than ten stored articles vanished.
   * @example
   * const { upserted, deleted } = await client.articles.syncTo(directoryStore('content'), { reconcile: true });
   */
  async syncTo(store: ArticleStore, options?: SyncToOptions, requestOptions?: RequestOptions): Promise<SyncResult> {
    const operation = 'articles.syncTo';
    this.#check(operation, syncToOptionsSchema, options, requestOptions);
    const { onProgress, bulle_id, reconcile, allowMassDeletion, ...inline } = options ?? {};
    const progress: SyncProgress = { upserted: 0, unpublished: 0, deleted: 0, requests: 0, total: undefined };
    const onAttempt = () => {
      progress.requests++;
    };
    const missing = STORE_METHODS.find((name) => typeof Object(store)[name] !== 'function');
    if (missing) throw invalid([{ path: ['store', missing], message: 'must be a method' }], { operation });
    const cursor = (await store.loadCursor()) ?? null;
    const known = await (cursor !== null && reconcile ? versionsOf(store) : store.ids());
    const params = { cursor, known, bulle_id, reconcile, allowMassDeletion };
    checkParams(storedSchema, { cursor, known }, { operation });
    const source = this.#source(params, { ...inline, ...requestOptions, onAttempt }, (listing) => {
      progress.listing = listing;
      tell(onProgress, { ...progress });
    });
    const counted: SyncSource<Article> = {
      ...source,
      list: async (position) => {
        const page = await source.list(position);
        progress.total ??= page.total;
        return page;
      },
    };
    return applyTo(store, syncEvents(counted, params, listingStoreOf(store)), cursor, progress, onProgress);
  }

  /**
   * Wait until the text of a created article is written. Polls `articles.get`, permission `read`.
   *
   * Polls at once and then every `pollInterval` ms (default 10 000), for `timeout` ms at most (default 600 000). An
   * article that was created with `generate_content: false` never gets a text.
   * @throws a {@link WaitTimeoutError} with the article's `id`; the text may still come.
   * @example const article = await client.articles.waitUntilWritten(42, { onPoll: ({ elapsed }) => show(elapsed) });
   */
  async waitUntilWritten(article_id: number, options?: WaitOptions): Promise<Article> {
    const { redactor } = this.#api.session.config;
    checkWait(options, 'articles.waitUntilWritten', redactor);
    const { pollInterval = 10_000, timeout = 600_000 } = options ?? {};
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
      { ...options, pollInterval, timeout },
    );
  }

  #check(operation: string, schema: Schema, params: unknown, options: unknown): void {
    const { redactor } = this.#api.session.config;
    checkParams(schema, params, { operation, redactor });
    checkOptions(requestOptionsSchema, options, { operation, redactor });
  }

  #list(params: ArticleListParams, options: CallOptions = {}): SyncList<Article> {
    return {
      list: ({ updated_since, offset }) => {
        // The specification shows `offset` only in responses: it is sent only where nothing else leads on.
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
        // A body that is no article must not be taken for one, whatever `validation` says.
        this.#api
          .send<Article>(articleEndpoints.get, { article_id }, { ...options, validation: 'throw' })
          .catch(whyMissing),
      announce: ({ total, requests, canResume }) => {
        const left = leftToday(this.#api.session);
        onListing({ requests, leftToday: left });
        if (canResume || left === undefined || requests <= left) return;
        throw tooCostly(total, requests, left);
      },
    };
  }
}

/** What a failed request for a missing article says about the article. @throws if it says nothing about this article. */
function whyMissing(error: unknown): 'missing' | 'unknown' {
  // Another 404, or the page of another server, says nothing about the article.
  if (error instanceof NotFoundError && error.code === 'not_found' && typeof error.body !== 'string') return 'missing';
  // The key does not reach the article any more. One such article must not stop the others.
  if (error instanceof PermissionDeniedError || error instanceof GoneError) return 'unknown';
  throw error;
}

/** A listing that cannot be resumed would spend the day's requests for nothing, and the same again tomorrow. */
function tooCostly(total: number, requests: number, left: number): RateLimitError {
  const detail =
    `a complete listing of ${total} articles takes about ${requests} more requests and ${left} are left today. ` +
    'Use a store with loadListing and saveListing, which continues the next day, or raise rateLimit.perDay';
  const context = { operation: 'articles.sync', method: 'GET', path: '/articles', attempts: 1 } as const;
  return new RateLimitError(`articles.sync: ${detail}.`, { ...context, ...refusal(429, detail) });
}
