import { ConfigurationError } from '@multilocal/client/core/errors/index';
import { describe, expect, test, vi } from 'vitest';
import { createMockApi, type MockFault } from '../src/index.js';
import { api, call, freshApi, send } from './helpers.js';

freshApi();

const statuses = async (line: string, count: number): Promise<number[]> => {
  const found: number[] = [];
  for (let sent = 0; sent < count; sent += 1) found.push((await send(api, line)).status);
  return found;
};

describe('which requests', () => {
  test('any, once, with 500 by default', async () => {
    api.fail();
    expect(await call(api, 'GET /me')).toEqual({ status: 500, body: { detail: 'Erreur interne du serveur.' } });
    expect(await statuses('GET /me', 2)).toEqual([200, 200]);
  });

  test('an operation, as often as asked', async () => {
    api.fail({ operation: 'articles.get', status: 503, times: 2 });
    expect(await statuses('GET /articles', 1)).toEqual([200]);
    expect(await statuses('POST /articles/42/confirm', 1)).toEqual([200]);
    expect(await statuses('GET /articles/42', 3)).toEqual([503, 503, 200]);
  });

  test('a path, as text or pattern, and a method; all given fields must match', async () => {
    api.fail({ path: '/articles/42', status: 502 });
    api.fail({ path: /^\/articles\/\d+\/confirm$/g, method: 'post', status: 504, times: 2 });
    expect(await statuses('GET /articles/43', 1)).toEqual([200]);
    expect(await statuses('GET /articles/42', 2)).toEqual([502, 200]);
    expect(await statuses('POST /articles/42/confirm', 3)).toEqual([504, 504, 200]);
    api.fail({ operation: 'articles.list', method: 'PUT' });
    expect(await statuses('GET /articles', 1)).toEqual([200]);
  });

  test('what is not valid is refused', () => {
    const wrong = [{ operation: 'article.list' }, { status: 99 }, { times: 0 }, { delay: -1 }];
    for (const fault of [...wrong, { path: '/api/v2/me' }, { path: 'me' }]) {
      expect(() => api.fail(fault)).toThrow(ConfigurationError);
    }
  });
});

describe('which responses', () => {
  test.each<[fault: MockFault, text: unknown]>([
    [{ status: 422, detail: [{ loc: ['body', 'title'] }] }, '{"detail":[{"loc":["body","title"]}]}'],
    [{ body: { drifted: 1 } }, '{"drifted":1}'],
    [{ status: 200, body: { anything: 1 }, headers: { 'retry-after': '3' } }, '{"anything":1}'],
    [{ status: 502, body: '<p>Bad gateway</p>', headers: { 'content-type': 'text/html' } }, '<p>Bad gateway</p>'],
    [{ status: 500, body: null }, 'null'],
    [{ status: 204 }, ''],
    [{ status: 302, headers: { location: 'https://elsewhere.example/' } }, expect.any(String)],
  ])('%j: the status, the text and the headers as given', async (fault, text) => {
    api.fail(fault);
    const response = await send(api, 'GET /me');
    expect([response.status, await response.text()]).toEqual([fault.status ?? 200, text]);
    expect(Object.fromEntries(response.headers)).toMatchObject(fault.headers ?? {});
  });

  test('network: no response, with or without a status, and no effect', async () => {
    const before = api.snapshot();
    api.fail({ operation: 'articles.create', network: true, status: 503 });
    const body = { title: 'Perdu', target_keyword: 'pain' };
    expect((await send(api, 'POST /articles', { key: api.keys.bulle, body })).type).toBe('error');
    expect(api.requests).toMatchObject([{ operation: 'articles.create', status: 0, body: { title: 'Perdu' } }]);
    expect(api.snapshot()).toEqual(before);
  });

  test('applied: executed, but the response is lost', async () => {
    api.fail({ operation: 'articles.create', network: true, applied: true });
    const body = { title: 'Fait quand même', target_keyword: 'pain' };
    expect((await send(api, 'POST /articles', { key: api.keys.bulle, body })).type).toBe('error');
    expect(api.articles.all().at(-1)?.title).toBe('Fait quand même');
  });
});

describe('delays', () => {
  /** The response, which must come after exactly this long. */
  async function responseAfter(ms: number, sent: Promise<Response>): Promise<Response> {
    let isThere = false;
    void sent.then(() => {
      isThere = true;
    });
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(isThere).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    return sent;
  }

  test('only a delay: the normal response, later', async () => {
    vi.useFakeTimers();
    api.fail({ delay: 40 });
    expect((await responseAfter(40, send(api, 'GET /me'))).status).toBe(200);
  });

  test('of many requests at once are no leak of listeners', async () => {
    const seen: Error[] = [];
    const note = (warning: Error) => void seen.push(warning);
    process.on('warning', note);
    const slow = createMockApi({ latency: 5 });
    await Promise.all(Array.from({ length: 30 }, () => send(slow, 'GET /me')));
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off('warning', note);
    expect(seen).toEqual([]);
  });

  test('latency delays every response', async () => {
    vi.useFakeTimers();
    const slow = createMockApi({ latency: 30 });
    expect((await responseAfter(30, send(slow, 'GET /me'))).status).toBe(200);
    expect((await responseAfter(30, send(slow, 'GET /nowhere'))).status).toBe(404);
  });

  test('end if the client disconnects; the request is executed', async () => {
    api.fail({ delay: Number.POSITIVE_INFINITY });
    const gone = new AbortController();
    const answer = send(api, 'POST /articles/42/confirm', { signal: gone.signal });
    setTimeout(() => gone.abort(), 10);
    expect((await answer).type).toBe('error');
    expect(api.requests).toMatchObject([{ status: 0 }]);
    expect(api.articles.confirmation(42)).toBeDefined();
  });

  test('end at reset', async () => {
    api.fail({ delay: Number.POSITIVE_INFINITY });
    const answer = send(api, 'GET /me');
    setTimeout(() => api.reset(), 10);
    expect((await answer).type).toBe('error');
    expect(api.requests).toEqual([]);
    expect((await send(api, 'GET /me')).status).toBe(200);
  });
});
