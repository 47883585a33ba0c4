import { afterEach, describe, expect, it } from 'vitest';
import {
  ApiError,
  type Article,
  ArticlesClient,
  type ArticlesClientOptions,
  AuthenticationError,
  BadRequestError,
  BulleOutOfScopeError,
  type ClientEvent,
  ConflictError,
  ConnectionError,
  DryRunNotHonoredError,
  GoneError,
  InternalServerError,
  InvalidRequestError,
  InvalidResponseError,
  isMultilocalError,
  MissingBulleIdError,
  NotFoundError,
  QuotaExceededError,
  RateLimitError,
  ServiceUnavailableError,
  type SyncEvent,
  TimeoutError,
  UnprocessableEntityError,
  WaitTimeoutError,
} from '../../src/articles.js';
import { memoryStore } from '../../src/index.js';
import type { MockApi } from '../../src/mock/index.js';
import { caught, rejection } from '../support/clients.js';

/**
 * What `ArticlesClient` does wherever it runs: called once in Node and once in Chromium, each with msw in the way of
 * its own `fetch`. `api` is the mock whose handlers stand there; `Articles` the class, of the sources or of a build.
 */
let budgetTests = 0;

export function articlesSuite(api: MockApi, Articles = ArticlesClient): void {
  afterEach(async () => {
    // An aborted request may still be on its way: it arrives before this one, and not in the next test.
    await fetch(`${api.baseUrl}/api/v2/health`);
    api.reset();
  });

  /** With every permission on the whole brand. */
  function connect(options: Partial<ArticlesClientOptions> = {}): ArticlesClient {
    return new Articles({ apiKey: api.keys.sphere, baseUrl: api.baseUrl, rateLimit: false, ...options });
  }

  const online = () => api.articles.all().filter(({ status }) => status === 'published');
  const firstOnline = () => online()[0]?.id ?? 0;
  const arrived = () => api.requests.map(({ operation, status }) => `${operation} ${status}`);

  /** An article that has its text and is not online. */
  function draft(): number {
    const article = api.articles.all().find(({ status, content_html }) => status === 'draft' && content_html !== '');
    return article?.id ?? 0;
  }

  describe('reads', () => {
    it('lists one page, filtered', async () => {
      const { articles, total } = await connect().list({ status: 'published', bulle_id: api.ids.bulle });
      const expected = online().filter(({ bulle_id }) => bulle_id === api.ids.bulle);
      expect(total).toBe(expected.length);
      expect(articles.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort());
    });

    it('sends the key and nothing else that a preflight would have to allow', async () => {
      await connect().list();
      await connect({ apiKey: undefined })
        .list()
        .catch(() => {});
      const [withKey, without] = api.requests.map(({ headers }) => headers);
      expect(withKey).toEqual({ accept: 'application/json', 'x-api-key': '***' });
      expect(without).toEqual({ accept: 'application/json' });
    });

    it('gets one, as the service shows it', async () => {
      const id = firstOnline();
      expect(await connect().get(id)).toEqual(api.articles.get(id));
    });

    it('gives the response beside the data', async () => {
      const { data, response } = await connect().get(firstOnline()).withResponse();
      expect(data.id).toBe(firstOnline());
      expect(response).toBeInstanceOf(Response);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    });

    it('keeps what this version does not know', async () => {
      const body = { ...api.articles.get(firstOnline()), status: 'archived', reading_time: 4 };
      api.fail({ operation: 'articles.get', status: 200, body });
      expect(await connect().get(firstOnline())).toEqual(body);
    });
  });

  describe('writes', () => {
    it('creates, waits for the text, edits, rehearses, publishes and confirms', async () => {
      const articles = connect();
      const { created, generating } = await articles.create({
        title: 'Le pain de seigle',
        target_keyword: 'pain de seigle',
        bulle_id: api.ids.bulle,
      });
      expect(generating).toBe(true);
      const [{ id }] = created as [{ id: number }];

      const onPoll = ({ polls }: { polls: number }) => {
        if (polls === 2) api.advance(120_000);
      };
      const written = await articles.waitUntilWritten(id, { pollInterval: 1, onPoll });
      expect(written.content_html).toContain('<p>');
      expect(api.requests.filter(({ operation }) => operation === 'articles.get')).toHaveLength(3);

      expect(await articles.update(id, { category: 'Pains' })).toMatchObject({ updated_fields: ['category'] });
      const before = api.snapshot();
      expect(await articles.publish(id, { dry_run: true })).toMatchObject({ dry_run: true, would_publish: true });
      expect(api.snapshot()).toEqual(before);
      expect(await articles.publish(id)).toMatchObject({ scheduled: false, article_id: id });
      expect(api.articles.get(id)).toMatchObject({ status: 'published', category: 'Pains' });
      await caught(articles.update(id, { title: 'Trop tard' }), ConflictError);

      const rendered_url = 'https://www.example.com/blog/seigle';
      expect(await articles.confirm(id, { rendered_url })).toMatchObject({ confirmation_source: 'pingback' });
      expect(api.articles.confirmation(id)?.rendered_url).toBe(rendered_url);
    });

    it('schedules with a Date', async () => {
      const scheduled_at = new Date(api.now().getTime() + 3_600_000);
      const publication = await connect().publish(draft(), { scheduled_at });
      expect(publication.scheduled).toBe(true);
      expect(Date.parse(publication.scheduled_at ?? '')).toBe(scheduled_at.getTime());
    });

    it('sends {} as JSON where there are no parameters', async () => {
      await connect().confirm(firstOnline());
      expect(api.requests[0]).toMatchObject({ body: {}, headers: { 'content-type': 'application/json' } });
    });

    it('says so when a dry run was not honoured', async () => {
      const body = { scheduled: false, article_id: draft(), title: 'x', scheduled_at: null };
      api.fail({ operation: 'articles.publish', status: 200, body });
      const error = await caught(connect().publish(draft(), { dry_run: true }), DryRunNotHonoredError);
      expect(error).toMatchObject({ outcome: 'applied', body });
    });

    it('gives up waiting for a text, with the id', async () => {
      const { id } = api.articles.add({ status: 'draft', content_html: '' });
      const error = await caught(connect().waitUntilWritten(id, { pollInterval: 20, timeout: 100 }), WaitTimeoutError);
      expect(error.id).toBe(id);
    });
  });

  describe('sync', () => {
    it('goes through all changes, each once, oldest first, over pages', async () => {
      const seen: Article[] = [];
      for await (const article of connect().changes()) seen.push(article);
      expect(seen.map(({ id }) => id).sort()).toEqual(
        online()
          .map(({ id }) => id)
          .sort(),
      );
      const times = seen.map(({ updated_at }) => updated_at);
      expect(times).toEqual([...times].sort());
      expect(api.requests.length).toBeGreaterThan(1);
    });

    it('goes on after the last change', async () => {
      let since = '';
      for await (const { updated_at } of connect().changes()) since = updated_at;
      const changed = firstOnline();
      api.articles.touch(changed);
      const news: number[] = [];
      for await (const { id } of connect().changes({ since })) news.push(id);
      expect(news).toEqual([changed]);
    });

    it('tells what was changed, taken offline and deleted, then the cursor', async () => {
      const store = memoryStore();
      await connect().syncTo(store);
      const cursor = await store.loadCursor();
      const [changed, offline, deleted] = [...store.articles.keys()] as [number, number, number];
      api.articles.touch(changed);
      api.articles.unpublish(offline);
      api.articles.remove(deleted);
      const events: SyncEvent[] = [];
      for await (const event of connect().sync({ cursor, known: store.ids() as Iterable<number>, reconcile: true })) {
        events.push(event);
      }
      expect(events).toMatchObject([
        { type: 'upsert', article: { id: changed } },
        { type: 'unpublish', id: offline },
        { type: 'delete', id: deleted },
        { type: 'checkpoint' },
      ]);
    });

    it('fills a store, then asks once where nothing is new', async () => {
      const store = memoryStore();
      const first = await connect().syncTo(store);
      expect([...store.articles.keys()].sort()).toEqual(
        online()
          .map(({ id }) => id)
          .sort(),
      );
      expect(first).toMatchObject({ upserted: online().length, requests: api.requests.length });
      const second = await connect().syncTo(store);
      expect(second).toEqual({
        upserted: 0,
        unpublished: 0,
        deleted: 0,
        requests: 1,
        cursor: first.cursor,
        done: true,
      });
    });
  });

  describe('errors', () => {
    it.each([
      [400, 'Requête invalide.', BadRequestError],
      [401, 'Clé API invalide.', AuthenticationError],
      [404, 'Article introuvable', NotFoundError],
      [409, 'Conflit', ConflictError],
      [410, "N'existe plus", GoneError],
      [418, 'Théière', ApiError],
      [422, 'Données invalides.', UnprocessableEntityError],
      [429, 'Quota mensuel d’articles atteint.', QuotaExceededError],
      [500, 'Erreur interne.', InternalServerError],
      [503, 'Service indisponible.', ServiceUnavailableError],
    ])('a %i is typed and keeps the words of the service', async (status, detail, kind) => {
      api.fail({ operation: 'articles.get', status, detail });
      const error = await caught(connect({ maxRetries: 0 }).get(1), kind);
      expect(error).toMatchObject({
        status,
        detail,
        body: { detail },
        operation: 'articles.get',
        method: 'GET',
        path: '/articles/1',
        attempts: 1,
        outcome: 'not_applied',
      });
      expect(isMultilocalError(error)).toBe(true);
    });

    it('tells scopes, missing targets and expired keys apart', async () => {
      const bulle = connect({ apiKey: api.keys.bulle });
      await caught(bulle.list({ bulle_id: api.ids.otherBulle }), BulleOutOfScopeError);
      await caught(connect().create({ title: 'Brioche', target_keyword: 'brioche' }), MissingBulleIdError);
      await caught(connect({ apiKey: api.keys.expired }).list(), AuthenticationError);
    });

    it('no error shows the key, even where the service repeats it', async () => {
      const { sphere } = api.keys;
      api.fail({ operation: 'articles.get', status: 403, detail: `La clé ${sphere} est refusée.` });
      const error = (await rejection(connect().get(1))) as Error;
      expect(`${error} ${error.stack} ${JSON.stringify(error)}`).not.toContain(sphere);
      expect(error.message).toContain('est refusée');
    });

    it('a failed connection is one', async () => {
      api.fail({ operation: 'articles.get', network: true });
      const error = await caught(connect({ maxRetries: 0 }).get(1), ConnectionError);
      expect(error).not.toBeInstanceOf(TimeoutError);
    });
  });

  describe('retries', () => {
    it.each([{ status: 503 }, { network: true }])('repeats a read after %j', async (fault) => {
      api.fail({ operation: 'articles.get', ...fault });
      expect((await connect().get(firstOnline())).id).toBe(firstOnline());
      expect(api.requests).toHaveLength(2);
    });

    it('ends with the last error, which counts the attempts', async () => {
      api.fail({ operation: 'articles.list', status: 500, headers: { 'retry-after': '0' }, times: 3 });
      const error = await caught(connect().list(), InternalServerError);
      expect(error.attempts).toBe(3);
      expect(api.requests).toHaveLength(3);
    });

    it('waits as long as Retry-After says', async () => {
      api.fail({ operation: 'articles.list', status: 429, headers: { 'retry-after': '1' } });
      const delays: number[] = [];
      const onEvent = (event: ClientEvent) => {
        if (event.type === 'retry') delays.push(event.delay);
      };
      await connect({ onEvent }).list();
      expect(delays).toEqual([1000]);
      expect(arrived()).toEqual(['articles.list 429', 'articles.list 200']);
    });

    it('does not sleep through a long Retry-After', async () => {
      api.fail({ operation: 'articles.list', status: 429, headers: { 'retry-after': '90' } });
      const error = await caught(connect().list(), RateLimitError);
      expect(error).toMatchObject({ retryAfter: 90_000, origin: 'service', attempts: 1 });
    });

    it.each([{ status: 500 }, { status: 503 }, { network: true }])(
      'never publishes twice: %j leaves the outcome unknown',
      async (fault) => {
        api.fail({ operation: 'articles.publish', applied: true, ...fault });
        const error = await rejection(connect().publish(draft()));
        expect(error).toMatchObject({ outcome: 'unknown', attempts: 1 });
        expect(api.requests).toHaveLength(1);
      },
    );

    it('repeats a confirmation, which does no more the second time', async () => {
      api.fail({ operation: 'articles.confirm', status: 503, applied: true, headers: { 'retry-after': '0' } });
      await connect().confirm(firstOnline());
      expect(api.requests).toHaveLength(2);
    });
  });

  describe('time-outs and aborts', () => {
    const never = { operation: 'articles.get', delay: Number.POSITIVE_INFINITY };

    it('an attempt that takes too long is repeated, then a TimeoutError', async () => {
      api.fail({ ...never, times: 2 });
      const error = await caught(connect({ timeout: 200, maxRetries: 1 }).get(1), TimeoutError);
      expect(error.attempts).toBe(2);
    });

    it('totalTimeout ends the waits too', async () => {
      api.fail({ operation: 'articles.get', status: 503, headers: { 'retry-after': '30' } });
      const error = await caught(connect({ totalTimeout: 300 }).get(1), TimeoutError);
      expect(error.attempts).toBe(1);
    });

    it('an abort before sends nothing', async () => {
      const reason = new Error('left');
      expect(await rejection(connect().get(1, { signal: AbortSignal.abort(reason) }))).toBe(reason);
      expect(api.requests).toEqual([]);
    });

    it.each([
      ['a request', never],
      ['a backoff', { operation: 'articles.get', status: 503, headers: { 'retry-after': '30' } }],
    ])('an abort ends %s with its reason, at once', async (_, fault) => {
      api.fail(fault);
      const leaving = new AbortController();
      const reason = new Error('left');
      const call = rejection(connect().get(1, { signal: leaving.signal }));
      await expect.poll(() => api.requests.length).toBe(1);
      // The answer, where there is one, arrives meanwhile.
      await new Promise((resolve) => setTimeout(resolve, 50));
      leaving.abort(reason);
      expect(await call).toBe(reason);
      expect(api.requests).toHaveLength(1);
    });
  });

  describe('bad input', () => {
    it.each<[string, (articles: ArticlesClient) => PromiseLike<unknown>]>([
      ['a misspelt parameter', (articles) => articles.list({ statut: 'draft' } as object)],
      ['an unknown status', (articles) => articles.list({ status: 'offline' as 'draft' })],
      ['a title that is too short', (articles) => articles.create({ title: 'ab', target_keyword: 'pain' })],
      ['an hour without its offset', (articles) => articles.publish(1, { scheduled_at: '2026-12-01T09:00:00' })],
      ['an address that is none', (articles) => articles.confirm(1, { rendered_url: 'blog/seigle' })],
      ['an id that climbs', (articles) => articles.get('..' as unknown as number)],
      ['polling without a pause', (articles) => articles.waitUntilWritten(1, { pollInterval: 0 })],
    ])('%s is refused, and nothing is sent', async (_, call) => {
      const error = await caught(call(connect()), InvalidRequestError);
      expect(error.issues.length).toBeGreaterThan(0);
      expect(api.requests).toEqual([]);
    });
  });

  describe('limiter', () => {
    it('keeps to the budget, and refuses what would wait too long', async () => {
      // A key of its own for each build: copies of the package in one page share the limiter of a key.
      const apiKey = Array.from({ length: ++budgetTests }, () => api.addKey()).at(-1) as string;
      const articles = connect({ apiKey, rateLimit: { perMinute: 2, maxWait: 0 } });
      await articles.list();
      await articles.get(firstOnline());
      const error = await caught(articles.list(), RateLimitError);
      expect(error).toMatchObject({ origin: 'preflight', status: 429, attempts: 0 });
      expect(error.retryAfter).toBeGreaterThan(50_000);
      expect(api.requests).toHaveLength(2);
    });

    it('asks a limiter of your own before every attempt', async () => {
      let asked = 0;
      const acquire = async () => {
        asked++;
      };
      api.fail({ operation: 'articles.list', status: 503, headers: { 'retry-after': '0' } });
      await connect({ rateLimit: { acquire } }).list();
      expect(asked).toBe(2);
    });
  });

  describe('validation', () => {
    const body = { articles: 'none', total: 0, limit: 50, offset: 0 };

    it('refuses an answer of another shape, and says what came', async () => {
      api.fail({ operation: 'articles.list', status: 200, body });
      const error = await caught(connect().list(), InvalidResponseError);
      expect(error).toMatchObject({ status: 200, body, issues: [{ path: ['articles'] }] });
    });

    it('refuses an answer that is no JSON', async () => {
      api.fail({ operation: 'articles.list', status: 200, body: '<html>' });
      expect((await caught(connect().list(), InvalidResponseError)).body).toBe('<html>');
    });

    it("'warn' gives it and tells, 'off' gives it", async () => {
      api.fail({ operation: 'articles.list', status: 200, body, times: 2 });
      const drift: ClientEvent[] = [];
      const onEvent = (event: ClientEvent) => {
        if (event.type === 'drift') drift.push(event);
      };
      const articles = connect({ onEvent });
      expect(await articles.list({}, { validation: 'warn' })).toEqual(body);
      expect(await articles.list({}, { validation: 'off' })).toEqual(body);
      expect(drift).toMatchObject([{ operation: 'articles.list', issues: [{ path: ['articles'] }] }]);
    });
  });
}
