import { ConfigurationError } from '@multilocal/client/core/errors/index';
import { describe, expect, test, vi } from 'vitest';
import { createMockApi } from '../../src/index.js';
import { WRITING_TIME } from '../../src/resources/article.js';
import { call, NOW, page, send } from '../helpers.js';

describe('rate limits', () => {
  const limited = (perMinute: number, perDay: number) => createMockApi({ now: NOW, rateLimit: { perMinute, perDay } });

  test('a sliding minute: a request leaves it when it is 60 s old', async () => {
    const api = limited(2, 100);
    expect((await send(api, 'GET /me')).status).toBe(200);
    api.advance(40_000);
    expect((await send(api, 'GET /me')).status).toBe(200);
    const refused = await send(api, 'GET /me');
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain('"Limite de requêtes dépassée (2 par minute)');
    expect(Number(refused.headers.get('retry-after'))).toBe(20);
    api.advance(19_000);
    expect((await send(api, 'GET /me')).status).toBe(429);
    api.advance(1000);
    // A fixed window would let two through here.
    expect((await send(api, 'GET /me')).status).toBe(200);
    expect((await send(api, 'GET /me')).status).toBe(429);
  });

  test('a day of 24 hours', async () => {
    const api = limited(10, 3);
    for (let sent = 0; sent < 3; sent += 1) await send(api, 'GET /me');
    api.advance(60_000);
    const refused = await send(api, 'GET /me');
    expect(refused.status).toBe(429);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(86_330);
    expect(wait).toBeLessThanOrEqual(86_340);
    api.advance(wait * 1000);
    expect((await send(api, 'GET /me')).status).toBe(200);
  });

  test('refused requests do not count, nor do keys that do not exist, faults, health; others do, whatever they get', async () => {
    const api = limited(2, 100);
    api.fail({ status: 503 });
    await send(api, 'GET /me');
    await send(api, 'GET /me', { key: 'nonsense' });
    await send(api, 'GET /health', { key: null });
    expect((await send(api, 'GET /articles/777')).status).toBe(404);
    expect((await send(api, 'POST /articles', { text: '{' })).status).toBe(400);
    for (let refused = 0; refused < 5; refused += 1) expect((await send(api, 'GET /me')).status).toBe(429);
    expect((await send(api, 'GET /me', { key: api.keys.bulle })).status).toBe(200);
    api.advance(60_000);
    expect((await send(api, 'GET /me')).status).toBe(200);
  });
});

describe('the recorded requests', () => {
  test('are the last 10 000', async () => {
    const api = createMockApi();
    for (let sent = 0; sent < 10_003; sent++) await call(api, `GET /articles/${sent}`);
    expect(api.requests).toHaveLength(10_000);
    const ends = [api.requests[0]?.path, api.requests.at(-1)?.path];
    expect(ends).toEqual(['/api/v2/articles/3', '/api/v2/articles/10002']);
  });

  test('are all requests, with the key masked everywhere', async () => {
    const api = createMockApi({ now: NOW });
    const key = api.keys.sphere;
    const headers = { 'X-Other': `Bearer ${key}!` };
    await send(api, 'GET /articles?dimensions=a&dimensions=b&limit=3&q=%2B', { headers });
    const body = { rendered_url: 'https://x.example/' };
    await send(api, 'POST /articles/42/confirm', { body });
    await send(api, 'PUT /nowhere', { text: 'no json', key: 'nonsense-key' });
    await send(api, 'OPTIONS /articles');
    expect(api.requests).toEqual([
      {
        ...{ operation: 'articles.list', method: 'GET', path: '/api/v2/articles', body: undefined, status: 200 },
        query: { dimensions: ['a', 'b'], limit: '3', q: '+' },
        headers: { 'x-api-key': '***', 'x-other': 'Bearer ***!' },
        at: expect.any(Number),
      },
      expect.objectContaining({ operation: 'articles.confirm', body, query: {}, status: 200 }),
      expect.objectContaining({ operation: undefined, method: 'PUT', body: undefined, status: 404 }),
    ]);
    for (const secret of [key, 'nonsense-key']) expect(JSON.stringify(api.requests)).not.toContain(secret);
    expect(Math.abs((api.requests[0]?.at ?? 0) - Date.parse(NOW))).toBeLessThan(600_000);
  });
});

describe('state', () => {
  test('reset restores everything, including the clock', async () => {
    const api = createMockApi({ now: NOW, rateLimit: { perMinute: 2, perDay: 9 } });
    const before = api.snapshot();
    const { requests } = api;
    const body = { title: 'Un article', target_keyword: 'pain' };
    await send(api, 'POST /articles', { key: api.keys.bulle, body });
    await send(api, 'GET /me');
    api.articles.remove(3);
    api.advance(86_400_000);
    const extra = api.addKey();
    api.revokeKey(api.keys.bulle);
    expect(api.snapshot()).not.toEqual(before);
    api.reset();
    expect(api.snapshot()).toEqual(before);
    expect(requests).toEqual([]);
    expect(Math.abs(api.now().getTime() - Date.parse(NOW))).toBeLessThan(600_000);
    expect((await send(api, 'GET /me', { key: extra })).status).toBe(401);
    expect((await send(api, 'GET /me', { key: api.keys.bulle })).status).toBe(200);
  });

  test('a snapshot is JSON and a copy; reads and refusals leave it equal, time only has the posts published', async () => {
    const api = createMockApi({ now: NOW });
    const before = api.snapshot();
    expect(JSON.parse(JSON.stringify(before))).toEqual(before);
    for (const line of ['GET /me', 'GET /bulles', 'GET /articles', 'GET /articles/42', 'PUT /articles/42', 'GET /x']) {
      await send(api, line);
    }
    expect(api.snapshot()).toEqual(before);
    api.advance(86_400_000);
    const after = api.snapshot();
    expect(after.posts).not.toEqual(before.posts);
    expect({ ...after, posts: before.posts, jobs: before.jobs }).toEqual(before);
    api.articles.touch(1);
    expect(api.snapshot().articles).not.toEqual(before.articles);
  });
});

describe('the clock', () => {
  test('stands in the header Date of every response', async () => {
    const api = createMockApi({ now: '2026-01-01T00:00:00Z' });
    api.advance(90_000);
    for (const route of ['GET /health', 'GET /nowhere']) {
      const { headers } = await send(api, route);
      expect(headers.get('date')).toBe('Thu, 01 Jan 2026 00:01:30 GMT');
    }
    const headers = { Date: 'Fri, 02 Jan 2026 00:00:00 GMT' };
    api.fail({ status: 503, headers });
    expect((await send(api, 'GET /health')).headers.get('date')).toBe(headers.Date);
  });

  test('runs with real time, plus the time by which it was moved', () => {
    vi.useFakeTimers();
    const api = createMockApi({ now: new Date(NOW) });
    vi.advanceTimersByTime(1500);
    api.advance(500);
    expect(api.now().toISOString()).toBe('2026-11-14T09:30:02.000Z');
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(api.now().toISOString()).toBe('2026-11-14T09:30:02.000Z');
    vi.advanceTimersByTime(1000);
    expect(api.now().toISOString()).toBe('2026-11-14T09:30:03.000Z');
    for (const wrong of [-1, Number.NaN, Number.POSITIVE_INFINITY, 1e16, '5' as never])
      expect(() => api.advance(wrong)).toThrow(ConfigurationError);
  });

  test.each(['1699-12-31T23:59:59Z', '2200-01-01', 8.64e15, 1e20])('cannot start at %s', (now) => {
    expect(() => createMockApi({ now })).toThrow('now must be a date in the years 1700 to 2199');
  });

  test.each(['1700-01-01', '2199-12-31'])('can start at %s', (now) => {
    expect(createMockApi({ now }).now().toISOString()).toContain(now);
  });

  test('due work is done when a request arrives', async () => {
    vi.useFakeTimers();
    const api = createMockApi({ now: NOW });
    const body = { title: 'Le pain du dimanche', target_keyword: 'pain' };
    await send(api, 'POST /articles', { key: api.keys.bulle, body });
    vi.advanceTimersByTime(WRITING_TIME / 1_000 - 1);
    expect((await call(api, 'GET /articles/1001')).body.content_html).toBe('');
    vi.advanceTimersByTime(1);
    expect((await call(api, 'GET /articles/1001')).body.content_html).not.toBe('');
  });
});

describe('the seed', () => {
  test('is the same for the same now, and moves with it', () => {
    const state = (now: string) => JSON.stringify(createMockApi({ now }).snapshot());
    expect(state(NOW)).toBe(state(NOW));
    expect(state(NOW)).not.toBe(state('2027-01-01T00:00:00Z'));
  });

  test.each([NOW, '2027-02-28T23:59:59Z', '2026-07-01T00:00:00Z', '2031-12-31T12:00:00Z'])(
    'reads like real articles, as of %s',
    async (now) => {
      const api = createMockApi({ now });
      const all = api.articles.all();
      expect(all).toHaveLength(240);
      expect(new Set(all.map(({ title }) => title)).size).toBe(240);
      const slugs = all.flatMap(({ slug }) => (slug === null ? [] : [slug]));
      expect(new Set(slugs).size).toBe(slugs.length);
      expect((await page(api)).total).toBe(225);
      for (const article of all) {
        expect(article.content_html).not.toMatch(/undefined|[{}[\]]|<(\w+)><\/\1>/);
        expect(article.title.length).toBeGreaterThan(8);
        // French: d’Annecy, and no line that begins with a colon.
        expect(article.title + article.excerpt + article.content_html).not.toMatch(/ [:;!?»]|\bde [AEIOUYÉ]/);
        expect(article.status === 'published').toBe(article.published_at !== null);
        const { created_at, published_at, updated_at } = article;
        const times = [created_at, published_at ?? created_at, updated_at, api.now().toISOString()];
        expect(times).toEqual([...times].sort());
      }
      expect(all.some(({ category }) => category === null)).toBe(true);
      expect(all.filter(({ bulle_id }) => bulle_id === null).length).toBeGreaterThan(3);
    },
  );
});
