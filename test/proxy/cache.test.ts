import { describe, expect, it, vi } from 'vitest';
import { articlesProxy } from '../../src/proxy/index.js';
import { article, confirmation, gate, ids, json, LIST, PROXY, Service, useVirtualTime } from './helpers.js';

useVirtualTime();

const CACHE = { maxAge: 60_000, staleWhileRevalidate: 600_000, staleIfError: 3_600_000 };

/** Lets the work behind a response end. */
const settle = () => vi.advanceTimersByTimeAsync(0);

describe('one request for all', () => {
  it.each([LIST, `${LIST}/2`])('1000 visitors at once, %s', async (path) => {
    const service = new Service();
    const held = gate();
    service.reply = async () => {
      await held.opened;
      return undefined;
    };
    const visit = service.visit();
    if (path !== LIST) {
      // The location of the article is known from here on.
      service.lean = true;
      held.open();
      await visit(LIST);
      service.asked = [];
    }
    const answers = Promise.all(Array.from({ length: 1000 }, () => visit(path)));
    await settle();
    held.open();
    const statuses = new Set((await answers).map(({ status }) => status));
    expect([[...statuses], service.asked.length]).toEqual([[200], 1]);
  });

  it('is also enough for revalidations', async () => {
    const service = new Service();
    const visit = service.visit({ cache: CACHE });
    await visit(LIST);
    await vi.advanceTimersByTimeAsync(61_000);
    const answers = await Promise.all(Array.from({ length: 1000 }, () => visit(LIST)));
    expect(new Set(answers.map((answer) => answer.headers.get('age')))).toEqual(new Set(['61']));
    await settle();
    expect(service.asked).toHaveLength(2);
    expect((await visit(LIST)).headers.get('age')).toBe('0');
  });

  it('is also enough without a cache, for visitors at the same time', async () => {
    const service = new Service();
    const visit = service.visit({ cache: false });
    const answers = await Promise.all(Array.from({ length: 100 }, () => visit(LIST)));
    expect(service.asked).toHaveLength(1);
    expect(answers[0]?.headers.get('cache-control')).toBe('no-store');
    await visit(LIST);
    expect(service.asked).toHaveLength(2);
  });

  it('compares queries by value, not by form', async () => {
    const service = new Service();
    const visit = service.visit();
    await visit(`${LIST}?since=2025-01-01&bulle_id=b-lyon&status=published&offset=0`);
    await visit(`${LIST}?bulle_id=b-lyon&offset=0&since=2025-01-01`);
    await visit(`${LIST}?bulle%5fid=b%2dlyon&since=2025-01-01`);
    expect(service.asked).toHaveLength(1);
    await visit(`${LIST}?updated_since=2025-01-01&bulle_id=b-lyon`);
    expect(service.asked).toHaveLength(2);
  });

  it('continues if the first visitor disconnects', async () => {
    const service = new Service();
    const held = gate();
    service.reply = async (request) => {
      await held.opened;
      if (request.signal.aborted) throw request.signal.reason;
      return undefined;
    };
    const visit = service.visit();
    const leaving = new AbortController();
    const first = visit(LIST, { signal: leaving.signal }).catch(() => undefined);
    const second = visit(LIST);
    await settle();
    leaving.abort();
    held.open();
    expect((await second).status).toBe(200);
    await first;
    expect(service.asked).toHaveLength(1);
  });

  it('starts again if a request was lost with its visitor', async () => {
    const { articles } = new Service().client();
    const list = vi.fn(articles.list.bind(articles));
    // A runtime that stops the work of a visitor who left stops its timers too: this ends in no way at all.
    list.mockReturnValueOnce(new Promise<never>(() => {}) as unknown as ReturnType<typeof articles.list>);
    const source = { articles: { list, get: articles.get.bind(articles), confirm: articles.confirm.bind(articles) } };
    const proxy = articlesProxy({ client: source, timeout: 1_000 });
    proxy(new Request(`${PROXY}${LIST}`));
    await vi.advanceTimersByTimeAsync(3_001);
    expect((await proxy(new Request(`${PROXY}${LIST}`))).status).toBe(200);
  });
});

describe('age', () => {
  it('is sent, with how long a response is fresh', async () => {
    const service = new Service();
    const visit = service.visit({ cache: CACHE });
    await visit(LIST);
    await vi.advanceTimersByTimeAsync(59_900);
    const kept = await visit(LIST);
    expect(service.asked).toHaveLength(1);
    expect(kept.headers.get('age')).toBe('59');
    expect(kept.headers.get('cache-control')).toBe(
      'public, max-age=60, stale-while-revalidate=600, stale-if-error=3600',
    );
  });

  it('lets a response be stale once, then fresh', async () => {
    const service = new Service();
    const visit = service.visit({ cache: CACHE });
    await visit(LIST);
    service.articles = [article(9)];
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await ids(await visit(LIST))).toEqual([3, 2, 1]);
    await settle();
    expect(await ids(await visit(LIST))).toEqual([9]);
    expect(service.asked).toHaveLength(2);
  });

  it('lets visitors wait for a fresh response if the cached one is too old', async () => {
    const service = new Service();
    const visit = service.visit({ cache: CACHE });
    await visit(LIST);
    service.articles = [article(9)];
    await vi.advanceTimersByTimeAsync(660_000);
    expect(await ids(await visit(LIST))).toEqual([9]);
  });

  it('removes an unpublished article', async () => {
    const service = new Service();
    const visit = service.visit({ cache: CACHE });
    expect((await visit(`${LIST}/1`)).status).toBe(200);
    service.articles = [article(1, { status: 'draft' })];
    await vi.advanceTimersByTimeAsync(60_000);
    await visit(`${LIST}/1`);
    await settle();
    expect((await visit(`${LIST}/1`)).status).toBe(404);
  });

  it('keeps no timer running', async () => {
    const service = new Service();
    const visit = service.visit({ cache: CACHE });
    await visit(LIST);
    await visit(`${LIST}/1/confirm`, confirmation({}));
    await vi.advanceTimersByTimeAsync(61_000);
    await visit(LIST);
    await settle();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a clock', () => {
  const DAY = 86_400_000;

  it.each([LIST, `${LIST}/1`])('that is set back does not keep %s from being refreshed', async (path) => {
    const service = new Service();
    const visit = service.visit({ cache: CACHE });
    await visit(path);
    vi.setSystemTime(Date.now() - DAY);
    await vi.advanceTimersByTimeAsync(61_000);
    expect((await visit(path)).headers.get('age')).toBe('61');
    await settle();
    expect((await visit(path)).headers.get('age')).toBe('0');
  });

  it('that is set back does not prolong the pause after a failure', async () => {
    const service = new Service();
    const visit = service.visit({ cache: CACHE });
    await visit(LIST);
    await vi.advanceTimersByTimeAsync(61_000);
    service.reply = () => json(503, {});
    await visit(LIST);
    await settle();
    service.reply = undefined;
    vi.setSystemTime(Date.now() - DAY);
    await vi.advanceTimersByTimeAsync(10_000);
    await visit(LIST);
    await settle();
    expect((await visit(LIST)).headers.get('age')).toBe('0');
    expect(service.asked).toHaveLength(3);
  });

  it('that is set back does not let visitors wait for a lost request', async () => {
    const { articles } = new Service().client();
    const list = vi.fn(articles.list.bind(articles));
    list.mockReturnValueOnce(new Promise<never>(() => {}) as unknown as ReturnType<typeof articles.list>);
    const source = { articles: { list, get: articles.get.bind(articles), confirm: articles.confirm.bind(articles) } };
    const proxy = articlesProxy({ client: source, timeout: 1_000 });
    proxy(new Request(`${PROXY}${LIST}`));
    vi.setSystemTime(Date.now() - DAY);
    await vi.advanceTimersByTimeAsync(3_001);
    expect((await proxy(new Request(`${PROXY}${LIST}`))).status).toBe(200);
  });

  it('that runs while the machine sleeps makes responses old', async () => {
    const service = new Service();
    const visit = service.visit({ cache: CACHE });
    await visit(`${LIST}/1`);
    service.articles = [article(1, { status: 'draft' })];
    // The monotonic clock stands still.
    vi.setSystemTime(Date.now() + 660_000);
    expect((await visit(`${LIST}/1`)).status).toBe(404);
  });
});

describe('when the service fails', () => {
  it('sends the stale response while it may, then the error', async () => {
    const service = new Service();
    const onError = vi.fn();
    const visit = service.visit({ cache: CACHE, onError });
    await visit(LIST);
    service.reply = () => json(500, {});
    await vi.advanceTimersByTimeAsync(3_600_000);
    const old = await visit(LIST);
    expect([old.status, old.headers.get('age')]).toEqual([200, '3600']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await visit(LIST)).status).toBe(502);
    expect(onError).toHaveBeenCalledTimes(2);
  });

  it('does not retry with every visitor', async () => {
    const service = new Service();
    const visit = service.visit({ cache: CACHE });
    await visit(LIST);
    service.reply = () => json(503, {});
    await vi.advanceTimersByTimeAsync(61_000);
    for (let visitor = 0; visitor < 50; visitor++) {
      expect((await visit(LIST)).status).toBe(200);
      await settle();
    }
    expect(service.asked).toHaveLength(2);
    service.reply = undefined;
    await vi.advanceTimersByTimeAsync(10_000);
    await visit(LIST);
    await settle();
    expect((await visit(LIST)).headers.get('age')).toBe('0');
  });

  it.each([401, 403])('sends no stale response once the key is refused (%i)', async (status) => {
    const service = new Service();
    const visit = service.visit({ cache: CACHE });
    await visit(LIST);
    service.reply = () => json(status, { detail: 'Clé API révoquée.' });
    await vi.advanceTimersByTimeAsync(61_000);
    await visit(LIST);
    await settle();
    expect((await visit(LIST)).status).toBe(502);
  });

  it('sends no stale response to a visitor who waits while the key is refused', async () => {
    const service = new Service();
    const visit = service.visit({ cache: CACHE });
    await visit(LIST);
    service.reply = () => json(401, {});
    await vi.advanceTimersByTimeAsync(700_000);
    expect((await visit(LIST)).status).toBe(502);
  });

  it('does not cache errors', async () => {
    const service = new Service();
    const visit = service.visit();
    service.reply = () => json(500, {});
    expect((await visit(LIST)).status).toBe(502);
    service.reply = undefined;
    expect((await visit(LIST)).status).toBe(200);
  });

  it('sends nothing until the pause of a 429 is over', async () => {
    const service = new Service();
    const visit = service.visit();
    service.reply = () => json(429, { detail: 'Trop de requêtes.' }, { 'retry-after': '30' });
    expect((await visit(LIST)).headers.get('retry-after')).toBe('30');
    service.reply = undefined;
    await vi.advanceTimersByTimeAsync(20_500);
    const held = await visit(`${LIST}/1`);
    expect([held.status, held.headers.get('retry-after')]).toEqual([503, '10']);
    expect(service.asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(9_500);
    expect((await visit(LIST)).status).toBe(200);
  });
});

describe('what is cached', () => {
  it('includes the articles of a list', async () => {
    const service = new Service();
    const visit = service.visit();
    await visit(LIST);
    expect(await (await visit(`${LIST}/2`)).json()).toEqual(article(2));
    expect(service.asked).toHaveLength(1);
  });

  it('does not include articles that a list returned without their texts', async () => {
    const service = new Service();
    service.lean = true;
    const visit = service.visit();
    await visit(LIST);
    expect(await (await visit(`${LIST}/2`)).json()).toEqual(article(2));
    expect(service.asked).toEqual(['GET /articles?status=published', 'GET /articles/2']);
  });

  it('is bounded in number: the least recently used goes first', async () => {
    const service = new Service();
    service.lean = true;
    const visit = service.visit({ cache: { maxEntries: 3 } });
    await visit(LIST);
    await visit(`${LIST}/1`);
    await visit(`${LIST}/2`);
    await visit(LIST);
    await visit(`${LIST}/3`);
    service.asked = [];
    await visit(LIST);
    await visit(`${LIST}/2`);
    await visit(`${LIST}/3`);
    expect(service.asked).toEqual([]);
    await visit(`${LIST}/1`);
    expect(service.asked).toEqual(['GET /articles/1']);
  });

  it('is bounded in size', async () => {
    const service = new Service();
    service.lean = true;
    service.articles = [1, 2, 3].map((id) => article(id, { content_html: 'x'.repeat(10_000) }));
    const visit = service.visit({ cache: { maxSize: 25_000 } });
    await visit(LIST);
    for (const id of [1, 2, 3]) await visit(`${LIST}/${id}`);
    service.asked = [];
    for (const id of [3, 2]) await visit(`${LIST}/${id}`);
    expect(service.asked).toEqual([]);
    await visit(`${LIST}/1`);
    expect(service.asked).toEqual(['GET /articles/1']);
  });

  it('does not make room for responses that are too large', async () => {
    const service = new Service();
    service.lean = true;
    service.articles.push(article(5, { content_html: 'x'.repeat(30_000) }));
    const visit = service.visit({ cache: { maxSize: 25_000 } });
    await visit(LIST);
    expect((await visit(`${LIST}/5`)).status).toBe(200);
    service.asked = [];
    await visit(LIST);
    expect(service.asked).toEqual([]);
  });

  it('includes a 404 for half a minute', async () => {
    const service = new Service();
    const visit = service.visit();
    for (let visitor = 0; visitor < 10; visitor++) expect((await visit(`${LIST}/99`)).status).toBe(404);
    expect(service.asked).toHaveLength(1);
    service.articles.push(article(99));
    await vi.advanceTimersByTimeAsync(30_000);
    expect((await visit(`${LIST}/99`)).status).toBe(200);
  });
});

describe('budget', () => {
  it('bounds what a walk over ids costs, and cached queries are still revalidated', async () => {
    const service = new Service();
    const visit = service.visit({ cache: CACHE, budget: { perMinute: 30, perDay: 300 } });
    await visit(LIST);
    const seen = new Set<number>();
    for (let minute = 0; minute < 24 * 60; minute++) {
      for (let id = 0; id < 50; id++) seen.add((await visit(`${LIST}/${1000 + minute * 50 + id}`)).status);
      await vi.advanceTimersByTimeAsync(59_999);
    }
    expect([...seen].sort()).toEqual([404, 503]);
    expect(service.asked.length).toBeLessThanOrEqual(300);
    expect(service.asked.length).toBeGreaterThanOrEqual(200);
    service.articles = [article(9)];
    await visit(LIST);
    await settle();
    expect(await ids(await visit(LIST))).toEqual([9]);
  });

  it.each(['updated_since=2%s-01-01', 'offset=%s', 'bulle_id=b-%s', 'since=2%s-01-01'])(
    'bounds what a walk over ?%s costs',
    async (query) => {
      const service = new Service();
      const visit = service.visit({ budget: { perMinute: 30 } });
      const answers = [];
      for (let n = 1; n <= 100; n++)
        answers.push(await visit(`${LIST}?${query.replace('%s', String(n).padStart(3, '1'))}`));
      expect(service.asked).toHaveLength(20);
      const last = answers.at(-1);
      expect([last?.status, last?.headers.get('retry-after')]).toEqual([503, '60']);
    },
  );

  it('never keeps the first visitor of the plain list out', async () => {
    const service = new Service();
    const visit = service.visit({ budget: { perMinute: 30 } });
    for (let id = 100; id < 200; id++) await visit(`${LIST}/${id}`);
    expect((await visit(`${LIST}?since=2026-01-01`)).status).toBe(503);
    expect((await visit(LIST)).status).toBe(200);
  });

  it('counts immediately, however many visitors there are', async () => {
    const service = new Service();
    const visit = service.visit({ budget: { perMinute: 30 } });
    await Promise.all(Array.from({ length: 500 }, (_, id) => visit(`${LIST}/${id + 1}`)));
    expect(service.asked.filter((line) => !line.includes('?'))).toHaveLength(20);
    expect(service.asked.length).toBeLessThanOrEqual(30);
  });

  it.each([86_400_000, -86_400_000])('is the same after a jump of the system clock by %i ms', async (jump) => {
    const service = new Service();
    const visit = service.visit({ budget: { perMinute: 3 } });
    for (const id of [100, 101]) await visit(`${LIST}/${id}`);
    vi.setSystemTime(Date.now() + jump);
    expect((await visit(`${LIST}/102`)).headers.get('retry-after')).toBe('60');
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await visit(`${LIST}/102`)).status).toBe(404);
  });

  it('sends stale responses if it is used up', async () => {
    const service = new Service();
    const visit = service.visit({ cache: CACHE, budget: { perDay: 1 } });
    await visit(LIST);
    await vi.advanceTimersByTimeAsync(1_800_000);
    const old = await visit(LIST);
    expect([old.status, old.headers.get('age')]).toEqual([200, '1800']);
    expect(service.asked).toHaveLength(1);
  });

  it('can be left to the client', async () => {
    const service = new Service();
    const visit = service.visit({ budget: false });
    for (let id = 100; id < 300; id++) await visit(`${LIST}/${id}`);
    expect(service.asked).toHaveLength(200);
  });
});

describe('waitUntil', () => {
  it('gets the work that continues after the response, as a method of its object', async () => {
    const service = new Service();
    const proxy = articlesProxy({ client: service.client(), cache: CACHE });
    class Context {
      readonly #works: Promise<unknown>[] = [];
      waitUntil(work: Promise<unknown>) {
        this.#works.push(work);
      }
      get works() {
        return this.#works;
      }
    }
    const ctx = new Context();
    const ask = () => proxy(new Request(`${PROXY}${LIST}`), { BINDING: 1 }, ctx);
    await ask();
    await ask();
    expect(ctx.works).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(61_000);
    service.reply = () => json(500, {});
    await ask();
    expect(ctx.works).toHaveLength(2);
    await expect(Promise.all(ctx.works)).resolves.toBeDefined();
  });

  it('may throw, and contexts may be any value', async () => {
    const proxy = articlesProxy({ client: new Service().client(), cache: false });
    const refusing = {
      waitUntil() {
        throw new Error('over');
      },
    };
    for (const context of [[refusing], [null, 1, 'x'], [undefined], [{ waitUntil: 1 }]]) {
      expect((await proxy(new Request(`${PROXY}${LIST}`), ...context)).status).toBe(200);
    }
  });
});
