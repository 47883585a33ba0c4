// When the copy is brought up to date, and what visitors get meanwhile.

import { type CopyState, MassDeletionError, memoryStore, RateLimitError } from 'multilocal';
import { describe, expect, it, vi } from 'vitest';
import { EMPTY_PAUSE, LOST_AFTER } from '../../src/proxy/copy.js';
import { type ArticlesProxyOptions, articlesProxy } from '../../src/proxy/index.js';
import { REFRESH } from '../../src/proxy/options.js';
import { LONGEST_WAIT } from '../../src/proxy/store.js';
import { article, confirmation, gate, ids, json, LIST, PROXY, Service, useVirtualTime } from './helpers.js';

useVirtualTime();

const [MINUTE, HOUR] = [60_000, 3_600_000];
const DAY = 24 * HOUR;

/** An article that is newer than all others. */
const NEW = article(9, { updated_at: '2026-03-01T00:00:00Z' });

const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);
/** Lets the work behind a response end. */
const settle = () => later(0);

/** Holds the responses of the service until the gate opens. */
function hold(service: Service) {
  const held = gate();
  service.reply = async () => {
    await held.opened;
    return undefined;
  };
  return held;
}

/** A proxy whose copy has been read. */
async function filled(options: Partial<ArticlesProxyOptions> = {}, service = new Service()) {
  const visit = service.visit(options);
  const listed = async () => ids(await visit(LIST));
  await listed();
  return { service, visit, listed };
}

describe('visitors', () => {
  it('share one run, whatever they ask for', async () => {
    const service = new Service();
    const held = hold(service);
    const visit = service.visit();
    const paths = [LIST, `${LIST}/2`, `${LIST}/2/related`];
    const responses = Promise.all(Array.from({ length: 300 }, (_, index) => visit(paths[index % 3] ?? LIST)));
    await settle();
    held.open();
    expect(new Set((await responses).map(({ status }) => status))).toEqual(new Set([200]));
    for (let id = 1; id < 200; id++) {
      await visit(`${LIST}/${id}`);
      await visit(`${LIST}?category=c${id}&updated_since=2026-01-01T00:00:00.${id}Z&offset=${id}`);
      await visit(`${LIST}/${id}/related`);
    }
    expect(service.asked).toHaveLength(1);
  });

  it('may leave: the run continues for the others', async () => {
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

describe('a copy', () => {
  it('is brought up to date behind a response, at most every `refresh`', async () => {
    const { service, listed } = await filled();
    service.articles.push(NEW);
    await later(REFRESH - 1);
    await listed();
    expect(service.asked).toHaveLength(1);
    await later(1);
    expect(await listed()).toEqual([3, 2, 1]);
    await settle();
    expect(await listed()).toEqual([9, 3, 2, 1]);
    expect(service.asked).toHaveLength(2);
  });

  it('that is twice as old is waited for, so nothing unpublished is shown on a quiet site', async () => {
    const { service, visit, listed } = await filled({ refresh: MINUTE });
    const unpublished = article(1, { status: 'draft', updated_at: '2026-03-01T00:00:00Z' });
    service.articles = service.articles.map((one) => (one.id === 1 ? unpublished : one));
    await later(2 * MINUTE);
    expect((await visit(`${LIST}/1`)).status).toBe(404);
    expect(await listed()).toEqual([3, 2]);
  });

  it('is given as it is after 10 s', async () => {
    const { service, listed } = await filled({ refresh: MINUTE });
    await later(3 * MINUTE);
    const held = hold(service);
    const response = listed();
    await later(LONGEST_WAIT - 1);
    service.articles = [];
    await later(1);
    expect(await response).toEqual([3, 2, 1]);
    held.open();
  });

  it('loses what was deleted, once a day', async () => {
    const { service, listed } = await filled();
    service.articles = service.articles.slice(1);
    await later(HOUR);
    expect(await listed()).toEqual([3, 2, 1]);
    await later(23 * HOUR);
    expect(await listed()).toEqual([3, 2]);
    const requests = service.asked.length;
    await later(HOUR);
    await listed();
    expect(service.asked.slice(requests)).toEqual([expect.stringContaining('updated_since=2026')]);
  });

  it('is kept if most articles are missing, unless that is allowed', async () => {
    const service = new Service();
    service.articles = Array.from({ length: 20 }, (_, index) => article(index + 1));
    const onError = vi.fn();
    const [careful, other] = [await filled({ onError }, service), await filled({ allowMassDeletion: true }, service)];
    service.articles = service.articles.slice(0, 3);
    await later(DAY);
    expect(await careful.listed()).toHaveLength(20);
    expect(onError.mock.calls).toEqual([[expect.any(MassDeletionError)]]);
    expect(await other.listed()).toHaveLength(3);
    // The listing is not repeated all the time.
    const requests = service.asked.length;
    await later(2 * REFRESH);
    await careful.listed();
    expect(service.asked.length - requests).toBe(1);
  });

  it('does not get young again by a clock that is set back', async () => {
    const { service, listed } = await filled();
    vi.setSystemTime(Date.now() - DAY);
    await later(REFRESH);
    await listed();
    await settle();
    // The changes, and a listing: the last one was a day in the future.
    expect(service.asked).toHaveLength(3);
  });

  it.each(['refreshedAt', 'reconciledAt'])('takes a `%s` of the future for none', async (name) => {
    const store = memoryStore();
    const { service } = await filled({ store });
    const state = (await store.loadState?.()) as CopyState;
    await store.saveState?.({ ...state, [name]: new Date(Date.now() + 30 * DAY).toISOString() });
    service.articles = service.articles.filter(({ id }) => id !== 2);
    await later(name === 'reconciledAt' ? REFRESH : 0);
    const { listed } = await filled({ store }, service);
    await later(DAY);
    await listed();
    await later(MINUTE);
    expect(await listed()).toEqual([3, 1]);
  });

  it('that a process with a clock an hour ahead has read is as old as it is for others', async () => {
    const [store, service, now] = [memoryStore(), new Service(), Date.now()];
    const date = new Date(now).toUTCString();
    const fetch = async (...args: Parameters<Service['fetch']>) => {
      const response = await service.fetch(...args);
      response.headers.set('date', date);
      return response;
    };
    vi.setSystemTime(now + HOUR);
    await filled({ store, client: service.client({ fetch }) }, service);
    vi.setSystemTime(now);
    await later(HOUR + MINUTE);
    service.articles = [NEW];
    await filled({ store }, service);
    expect(service.asked).toHaveLength(2);
  });

  it('says its age, and how long caches may use it', async () => {
    const { visit } = await filled();
    await later(61_000);
    for (const path of [LIST, `${LIST}/1`, `${LIST}/1/related`]) {
      const { headers } = await visit(path);
      expect(headers.get('age')).toBe('61');
      expect(headers.get('cache-control')).toBe('public, max-age=300, stale-while-revalidate=300');
    }
  });
});

describe('without a copy', () => {
  it('visitors get a 503 after 10 s, and nothing partial', async () => {
    const service = new Service();
    service.pageSize = 2;
    const held = gate();
    service.reply = async () => {
      if (service.asked.length > 1) await held.opened;
      return undefined;
    };
    const visit = service.visit();
    const responses = [visit(LIST), visit(`${LIST}/1`), visit(`${LIST}/99`)];
    await later(LONGEST_WAIT);
    for (const response of await Promise.all(responses)) {
      expect([response.status, response.headers.get('cache-control')]).toEqual([503, 'no-store']);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    held.open();
    await settle();
    expect(await ids(await visit(LIST))).toEqual([3, 2, 1]);
  });

  it.each([
    ['after 10 s', json(500, {}), '10'],
    ['when a 429 asks for it', json(429, {}, { 'retry-after': '30' }), '30'],
  ])('a failed run is tried again %s', async (_, failure, seconds) => {
    const service = new Service();
    const onError = vi.fn();
    const visit = service.visit({ onError });
    service.reply = () => failure;
    const answer = async () => {
      const { status, headers } = await visit(LIST);
      return [status, headers.get('retry-after')];
    };
    expect(await answer()).toEqual([503, seconds]);
    service.reply = undefined;
    await later(Number(seconds) * 1_000 - 5_500);
    // Six seconds, and never fewer than five.
    expect(await answer()).toEqual([503, '6']);
    await later(5_499);
    expect([await answer(), service.asked.length]).toEqual([[503, '5'], 1]);
    await later(1);
    expect(await answer()).toEqual([200, null]);
    expect(onError).toHaveBeenCalledTimes(1);
  });

  it('an outage does not use up the day', async () => {
    const service = new Service();
    const visit = service.visit({ perDay: 40 });
    service.reply = () => json(500, {});
    for (let at = 0; at < HOUR; at += 10_000) {
      await visit(LIST);
      await later(10_000);
    }
    service.reply = undefined;
    await later(REFRESH);
    expect((await visit(LIST)).status).toBe(200);
  });

  it('a brand without articles has empty lists, which caches do not keep', async () => {
    const service = new Service();
    service.articles = [];
    const visit = service.visit();
    const response = await visit(LIST);
    expect([await ids(response), response.headers.get('cache-control')]).toEqual([[], 'no-store']);
    expect((await visit(`${LIST}/1`)).status).toBe(404);
  });
});

describe('an outage', () => {
  it('of the service or by a refused key: the copy is served for `maxStale`, then a 503', async () => {
    const onError = vi.fn();
    const { service, visit } = await filled({ maxStale: 12 * REFRESH, onError });
    service.reply = () => json(401, { detail: 'Clé API révoquée.' });
    for (let runs = 1; runs < 12; runs++) {
      await later(REFRESH);
      for (let visitor = 0; visitor < 3; visitor++) expect((await visit(LIST)).status).toBe(200);
      await settle();
      // Once for each run.
      expect(onError).toHaveBeenCalledTimes(runs);
    }
    await later(REFRESH);
    const response = await visit(LIST);
    expect([response.status, response.headers.get('cache-control')]).toEqual([503, 'no-store']);
    service.reply = undefined;
    await later(EMPTY_PAUSE);
    expect((await visit(LIST)).status).toBe(200);
  });

  it.each<[Partial<ArticlesProxyOptions>, number]>([
    [{}, DAY],
    [{ refresh: DAY, maxStale: HOUR }, 2 * DAY],
  ])('with %j: the copy is served for %i ms', async (options, ms) => {
    const { service, visit } = await filled(options);
    service.reply = () => json(500, {});
    await later(ms - 1);
    expect((await visit(LIST)).status).toBe(200);
    await later(1);
    expect((await visit(LIST)).status).toBe(503);
  });
});

it('a run that a runtime has ended with its visit is begun again after 90 s', async () => {
  const service = new Service();
  const { articles } = service.client();
  let runs = 0;
  const syncTo: typeof articles.syncTo = (...args) =>
    runs++ === 0 ? new Promise(() => {}) : articles.syncTo.apply(articles, args);
  const onError = vi.fn();
  const visit = service.visit({ client: { articles: { syncTo, confirm: articles.confirm.bind(articles) } }, onError });
  const statusAfter = async (ms: number) => {
    await later(ms);
    const response = visit(LIST);
    await later(LONGEST_WAIT);
    return (await response).status;
  };
  expect([await statusAfter(0), await statusAfter(LOST_AFTER - 2 * LONGEST_WAIT - 1_000), runs]).toEqual([503, 503, 1]);
  expect(onError).not.toHaveBeenCalled();
  expect([await statusAfter(1_000), runs]).toEqual([200, 2]);
  expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'connection' }));
});

describe('the budget', () => {
  const RUNS = Math.ceil(DAY / REFRESH);
  /** Visits at each `refresh` of a day. */
  async function visitAllDay(visit: (path: string) => Promise<Response>) {
    for (let at = 0; at < DAY; at += REFRESH) {
      expect((await visit(LIST)).status).toBe(200);
      await later(REFRESH);
    }
  }

  it.each([10, 60])('asks for what was deleted within the %i requests of a day', { tags: 'long' }, async (perDay) => {
    const service = new Service();
    service.articles = Array.from({ length: 200 }, (_, index) => article(index + 1));
    const { visit, listed } = await filled({ perDay, store: memoryStore() }, service);
    service.articles = service.articles.slice(0, 140);
    let before = service.asked.length;
    for (let day = 0; day < 12; day++) {
      for (let hour = 0; hour < 24; hour++) {
        await later(HOUR);
        await listed();
      }
      if (day > 0) expect(service.asked.length - before).toBeLessThanOrEqual(perDay);
      before = service.asked.length;
    }
    // Each day goes on where the last one ended.
    expect((await (await visit(`${LIST}?limit=1`)).json()).total).toBeLessThan(170);
  });

  const SPENT = 'the 20 requests of `perDay` are used up';
  it.each([
    ['lasts for a day of runs by default', {}, false, RUNS, undefined],
    ['lets at most `perDay` requests leave in 24 h', { perDay: 20 }, false, 20, SPENT],
    ['counts what failed runs have sent', { perDay: 20 }, true, 20, undefined],
  ])('%s, and the copy is served as it is', async (_, options, isFailing, requests, message) => {
    const onError = vi.fn();
    const { service, visit } = await filled({ ...options, onError });
    if (isFailing) service.reply = () => json(500, {});
    await visitAllDay(visit);
    expect(service.asked).toHaveLength(requests);
    const [error] = onError.mock.calls[0] ?? [];
    if (message) expect([error, error.message]).toEqual([expect.any(RateLimitError), expect.stringContaining(message)]);
    else expect(error === undefined).toBe(!isFailing);
    await later(REFRESH);
    await visit(LIST);
    await settle();
    expect(service.asked.length).toBeGreaterThan(requests);
  });

  it('has 200 confirmations, which leave the runs theirs', { tags: 'long' }, async () => {
    const service = new Service();
    const visit = service.visit({ confirm: { origins: [PROXY] } });
    const confirms = () => service.asked.filter((line) => line.startsWith('POST')).length;
    const statuses = new Set<number>();
    for (let page = 0; page < 300; page++) {
      const response = await visit(`${LIST}/1/confirm`, confirmation({ rendered_url: `${PROXY}/${page}` }));
      statuses.add(response.status);
    }
    expect([confirms(), [...statuses]]).toEqual([200, [200, 503]]);
    await visitAllDay(visit);
    expect(service.asked.length - confirms()).toBe(RUNS);
  });

  it('reads a copy of many pages in several runs', async () => {
    const service = new Service();
    service.pageSize = 2;
    service.articles = Array.from({ length: 80 }, (_, index) =>
      article(index + 1, { updated_at: `2026-02-01T00:00:00.${String(index).padStart(6, '0')}Z` }),
    );
    const list = await service.visit()(`${LIST}?limit=100`);
    expect(await ids(list)).toHaveLength(80);
    expect(service.asked.length).toBeGreaterThan(50);
  });
});

describe('a store', () => {
  it('that another process has reserved is not read twice', async () => {
    const service = new Service();
    const { store } = leased();
    const held = hold(service);
    const responses = [1, 2, 3].map(() => service.visit({ store })(LIST));
    await settle();
    held.open();
    await later(1_000);
    for (const response of responses) expect(await ids(await response)).toEqual([3, 2, 1]);
    expect(service.asked).toHaveLength(1);
  });

  it('that another process has reserved is given as it is', async () => {
    const { store, lease } = leased();
    const { service, listed } = await filled({ store });
    const release = lease();
    await later(HOUR);
    expect(await listed()).toEqual([3, 2, 1]);
    expect(service.asked).toHaveLength(1);
    release?.();
    await later(1_000);
    await listed();
    expect(service.asked).toHaveLength(2);
  });

  it('whose run was killed shows what that run has stored', async () => {
    const store = memoryStore();
    const { listed } = await filled({ store });
    // The run has stored the article and its cursor, and was killed before it told so.
    await store.put(NEW);
    await store.saveCursor(NEW.updated_at);
    await later(2 * REFRESH);
    expect(await listed()).toEqual([9, 3, 2, 1]);
  });

  it('of a sync without a state is brought up to date before it is shown', async () => {
    const service = new Service();
    const { loadState: _, saveState: __, ...store } = { ...memoryStore() };
    await service.client().articles.syncTo(store);
    service.articles = service.articles.slice(1);
    expect(await ids(await service.visit({ store })(LIST))).toEqual([3, 2]);
  });

  it('that fails is an outage', async () => {
    const onError = vi.fn();
    const store = memoryStore();
    const failing = { ...store, loadState: () => store.loadState?.() ?? null };
    const { visit } = await filled({ store: failing, onError });
    failing.loadState = () => {
      throw new Error('database down');
    };
    await later(HOUR);
    expect((await visit(LIST)).status).toBe(200);
    expect(onError.mock.calls).toEqual([[new Error('database down')]]);
  });

  const CALLS = ['loadState', 'lease', 'loadCursor', 'all', 'saveState'] as const;
  it.each(CALLS)('whose `%s` hangs keeps one visitor waiting, and is reported once', async (name) => {
    const onError = vi.fn();
    const store = memoryStore();
    const { service, visit } = await filled({ store, onError, refresh: 100 });
    service.articles.push(NEW);
    Object.assign(store, { [name]: () => new Promise(() => {}) });
    const waits = [];
    for (let visitor = 0; visitor < 3; visitor++) {
      await later(1_000);
      const started = performance.now();
      const wait = visit(LIST).then(({ status }) => [status, performance.now() - started]);
      await later(LONGEST_WAIT);
      waits.push(await wait);
    }
    expect(waits).toEqual([LONGEST_WAIT, 0, 0].map((ms) => [200, ms]));
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ code: 'connection' })]]);
    expect(onError.mock.calls[0]?.[0].message).toContain(`\`${name}\` of the store did not respond within 10 s`);
  });
});

/** A store with a lease, and the lease of another process. */
function leased() {
  let isTaken = false;
  const lease = () => {
    if (isTaken) return null;
    isTaken = true;
    return async () => {
      isTaken = false;
    };
  };
  return { store: { ...memoryStore(), lease }, lease };
}

it('waitUntil gets the work that continues after the response, as a method of its object', async () => {
  const service = new Service();
  const proxy = articlesProxy({ client: service.client() });
  const ctx = {
    works: [] as Promise<unknown>[],
    waitUntil(work: Promise<unknown>) {
      this.works.push(work);
    },
  };
  const ask = () => proxy(new Request(`${PROXY}${LIST}`), { BINDING: 1 }, ctx);
  await ask();
  await ask();
  expect(ctx.works).toHaveLength(1);
  await later(REFRESH);
  service.reply = () => json(500, {});
  await ask();
  expect(ctx.works).toHaveLength(2);
  await expect(Promise.all(ctx.works)).resolves.toBeDefined();
});
