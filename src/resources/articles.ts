import { type Api, type ApiPromise, apiOf } from '../core/api.js';
import { GoneError, NotFoundError, PermissionDeniedError, RateLimitError, refusal } from '../core/errors/index.js';
import { type CallOptions, type RequestOptions, requestOptionsSchema } from '../core/options.js';
import { checkOptions, checkParams } from '../core/request.js';
import { needed } from '../core/response.js';
import * as s from '../core/schema.js';
import type { DryRunOption, DryRunResult } from '../core/types.js';
import { type SyncTrace, syncChannel, syncTraceOf, traced } from '../stages/trace.js';
import { runEvents, type SyncOptions, syncEvents } from '../sync/events.js';
import { Run, SYNC_TO } from '../sync/run.js';
import type { SyncSource } from '../sync/source.js';
import type { ListingCost, SyncResult } from '../sync/store.js';
import { changed, listing } from './articles-list.js';
import type { ArticleCreateParams, ArticlePublishParams, ArticleUpdateParams } from './articles-params.js';
import { ArticleReads } from './articles-reads.js';
import { type Article, type ArticleListParams, articleReadEndpoints } from './articles-reads-schema.js';
import {
  type ArticleCreation,
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
import { waitForText } from './articles-wait.js';
import { each } from './pages.js';
import { called } from './shared.js';
import type { NeedsBulle } from './sphere.js';
import { checkWait, type WaitOptions } from './wait.js';

/** What a sync needs from articles, with any `validation`. */
const syncedArticle = s.object({ ...changed, status: s.string });
const synced = s.object({ articles: s.list(syncedArticle) });

/** Articles written for a connected CMS site, or served to a custom site. */
export class Articles extends ArticleReads {
  /**
   * Creates one or more articles. The service writes their texts later. `POST /articles`, permission `publish`.
   *
   * Uses the monthly quota of articles. With a `bulle_id` and no site ids, the article is made for a custom site, which
   * reads it with `articles.list`. Check `created` and `skipped`: a site that already has the article is skipped.
   * @remarks A write that may have succeeded is never sent again: after `outcome: 'unknown'`, `articles.list({ status:
   * 'all' })` shows whether the article was created.
   * @throws a {@link QuotaExceededError} if the monthly quota is used up.
   * @throws a {@link MissingBulleIdError} if a sphere key is used without `bulle_id`.
   * @example
   * const { created } = await client.articles.create({
   *   title: 'Le pain au levain',
   *   target_keyword: 'levain',
   *   bulle_id,
   * });
   * for (const { id } of created) await client.articles.waitUntilWritten(id);
   */
  create(params: ArticleCreateParams & NeedsBulle<this>, options?: RequestOptions): ApiPromise<ArticleCreation> {
    return apiOf(this).send(articleEndpoints.create, params, options);
  }

  /**
   * Changes fields of an article that is not online yet. `PUT /articles/{article_id}`, permission `publish`.
   *
   * Only the fields that you pass change. `category: ''` removes the category.
   * @throws a {@link NotFoundError} if the key's scope contains no such article.
   * @throws a {@link ConflictError} if the article is already online.
   * @example await client.articles.update(8, { title: 'Le pain de seigle' });
   */
  update(article_id: number, params: ArticleUpdateParams, options?: RequestOptions): ApiPromise<ArticleUpdate> {
    return apiOf(this).send(articleEndpoints.update, params, options, { article_id });
  }

  /**
   * Publishes an article, now or at `scheduled_at`. `POST /articles/{article_id}/publish`, permission `publish`.
   *
   * The first publication fixes the slug. `scheduled_at` must be in the future. It is not documented how the service
   * refuses another date.
   * @remarks A write that may have succeeded is never sent again: after `outcome: 'unknown'`, `articles.get` shows the
   * `status`. `dry_run: true` returns a preview and executes nothing.
   * @throws a {@link NotFoundError} if the key's scope contains no such article.
   * @throws a {@link DryRunNotHonoredError} if the response is not a preview: the article was then published.
   * @example await client.articles.publish(8, { scheduled_at: '2026-12-01T09:00:00+01:00' });
   */
  publish<Only extends boolean | undefined = false>(
    article_id: number,
    params?: ArticlePublishParams & DryRunOption<Only>,
    options?: RequestOptions,
  ): ApiPromise<DryRunResult<Only, ArticlePublication>> {
    return apiOf(this).send(articleEndpoints.publish, params, options, { article_id });
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
   * @throws a {@link RateLimitError} after the first page, if a complete listing needs more requests than are left today.
   * `syncTo` can resume a listing.
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
    const trail = apiOf(this).trail(options);
    check(apiOf(this), operation, syncOptionsSchema, params, options);
    const events = syncEvents(sourceOf(apiOf(this), params ?? {}, options), params ?? {});
    yield* each(events, (event) => [event], trail);
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
    const api = apiOf(this);
    const run = () => traced(syncChannel, create, (trace) => syncInto(api, trace, store, options, requestOptions));
    return called(api, undefined, run);
  }

  /**
   * Waits until the service has written the text of an article. Polls `articles.get`, permission `read`.
   *
   * The method polls immediately and then every `pollInterval` ms (default 10 000). The wait ends after `timeout` ms
   * (default 600 000). Each poll costs one request, and all waits of a client and its views share their polls: they list what
   * changed (`GET /articles`), and read one by one only what that list lacks. An article that was created with
   * `generate_content: false` never gets a text.
   * @throws a {@link WaitTimeoutError} with the article's `id` if the wait ends. The service may still write the text.
   * @example const article = await client.articles.waitUntilWritten(42, { onPoll: ({ elapsed }) => show(elapsed) });
   */
  async waitUntilWritten(article_id: number, options?: WaitOptions): Promise<Article> {
    checkWait(options, 'articles.waitUntilWritten', apiOf(this).session.config.redactor);
    return waitForText(apiOf(this), article_id, options);
  }
}

async function syncInto(
  api: Api,
  trace: SyncTrace | undefined,
  store: ArticleStore,
  options: SyncToOptions = {},
  requestOptions?: RequestOptions,
): Promise<SyncResult> {
  check(api, SYNC_TO, syncToOptionsSchema, options, requestOptions);
  checkStore(store, SYNC_TO);
  const { onProgress, bulle_id, reconcile, allowMassDeletion, maxRequests, deadline, ...inline } = options;
  const run = new Run(store, { maxRequests, deadline, onProgress });
  const callOptions = { ...inline, ...requestOptions, onAttempt: run.onAttempt };
  const work = async (signal?: AbortSignal) => {
    const cursor = (await store.loadCursor()) ?? null;
    // A slice begins with the last articles of the one before it. Their versions show that they are stored already.
    const needsVersions = cursor !== null && (reconcile === true || run.isLimited);
    checkParams(storedSchema, { cursor }, { operation: SYNC_TO });
    const params = { cursor, bulle_id, reconcile, allowMassDeletion };
    const source = run.limit(sourceOf(api, params, { ...callOptions, signal }, run.onListing));
    const events = runEvents(source, params, runStoreOf(store, needsVersions, SYNC_TO));
    return run.apply(
      each(events, (event) => [event], api.trail({ signal })),
      cursor,
    );
  };
  const reserved = api.following(callOptions.signal, (signal) => run.reserved(signal, work));
  return run.follow(trace, reserved);
}

function check(api: Api, operation: string, schema: s.Schema, params: unknown, options: unknown): void {
  const { redactor } = api.session.config;
  checkParams(schema, params, { operation, redactor });
  checkOptions(requestOptionsSchema, options, { operation, redactor });
}

/** What a sync reads. */
function sourceOf(
  api: Api,
  { bulle_id }: SyncOptions,
  options: CallOptions = {},
  onListing: (cost: ListingCost) => void = () => {},
): SyncSource<Article> {
  const { extra } = options;
  const lenient = { ...options, lenient: true };
  const filled = api.check<ArticleListParams>(articleReadEndpoints.list, { bulle_id }, { extra });
  return {
    ...listing(api, { status: 'all', bulle_id }, lenient, synced),
    bulle_id: filled.bulle_id,
    get: (article_id) =>
      // Only a valid article proves that the article exists.
      api
        .ask<Article>(articleReadEndpoints.get, {}, lenient, { article_id })
        .then((result) => needed(result, syncedArticle))
        .catch(whyMissing),
    announce: async ({ requests, canResume }) => {
      const { session } = api;
      const left = await session.stages.limiter?.leftToday(session, 'articles.sync');
      onListing({ requests, leftToday: left });
      if (canResume || left === undefined || requests <= left) return;
      throw tooCostly(requests, left);
    },
  };
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
function tooCostly(requests: number, left: number): RateLimitError {
  const detail =
    `a complete listing needs about ${requests} more requests, but ${left} are left today. ` +
    'Use a store with loadListing and saveListing to go on tomorrow, or raise rateLimit.perDay';
  const context = { operation: 'articles.sync', method: 'GET', path: '/articles', attempts: 1 } as const;
  return new RateLimitError(`articles.sync: ${detail}.`, { ...context, ...refusal(429, detail) });
}
