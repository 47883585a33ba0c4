import { describe, expect, it, vi } from 'vitest';
import { articlesProxy } from '../../src/proxy/index.js';
import { article, gate, ids, json, LIST, PROXY, Service, useVirtualTime } from './helpers.js';

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
});

describe('budget', () => {
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
});
