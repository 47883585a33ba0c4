import type { MockApi } from 'multilocal/mock';
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
  GoneError,
  InternalServerError,
  InvalidRequestError,
  InvalidResponseError,
  isMultilocalError,
  NotFoundError,
  RateLimitError,
  ServiceUnavailableError,
  TimeoutError,
  UnprocessableEntityError,
} from '../../src/articles.js';
import { caught, rejection } from '../support/clients.js';

/**
 * What `ArticlesClient` does wherever it runs: called once in Node and once in Chromium, each with msw in the way of
 * its own `fetch`. `api` is the mock whose handlers stand there; `Articles` the class, of the sources or of a build.
 */

export function articlesSuite(api: MockApi, Articles = ArticlesClient): void {
  afterEach(async () => {
    // An aborted request may still be on its way: it arrives before this one, and not in the next test.
    await fetch(`${api.baseUrl}/api/v2/health`);
    api.reset();
  });

  /** With every permission on the whole brand. */
  function connect(options: Partial<ArticlesClientOptions> = {}): ArticlesClient {
    return new Articles({ apiKey: api.keys.sphere, baseUrl: api.baseUrl, ...options });
  }

  const online = () => api.articles.all().filter(({ status }) => status === 'published');
  const firstOnline = () => online()[0]?.id ?? 0;
  const arrived = () => api.requests.map(({ operation, status }) => `${operation} ${status}`);

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

  describe('confirmations', () => {
    it('tells the service where a page is', async () => {
      const rendered_url = 'https://www.example.com/blog/seigle';
      const confirmed = await connect().confirm(firstOnline(), { rendered_url });
      expect(confirmed).toMatchObject({ confirmation_source: 'pingback' });
      expect(api.articles.confirmation(firstOnline())?.rendered_url).toBe(rendered_url);
    });

    it('sends {} as JSON where there are no parameters', async () => {
      await connect().confirm(firstOnline());
      expect(api.requests[0]).toMatchObject({ body: {}, headers: { 'content-type': 'application/json' } });
    });
  });

  describe('changes', () => {
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

    it('tells scopes and expired keys apart', async () => {
      const bulle = connect({ apiKey: api.keys.bulle });
      await caught(bulle.list({ bulle_id: api.ids.otherBulle }), BulleOutOfScopeError);
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
      ['an address that is none', (articles) => articles.confirm(1, { rendered_url: 'blog/seigle' })],
      ['an id that climbs', (articles) => articles.get('..' as unknown as number)],
    ])('%s is refused, and nothing is sent', async (_, call) => {
      const error = await caught(call(connect()), InvalidRequestError);
      expect(error.issues.length).toBeGreaterThan(0);
      expect(api.requests).toEqual([]);
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
