import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  type ArticleStore,
  type Client,
  InvalidRequestError,
  type MemoryStore,
  memoryStore,
  type SyncToOptions,
} from '../../src/index.js';
import { articlesOf, committing, held, Service, serviceWith, type Write } from './service.js';

const runs = Number(process.env.FUZZ_RUNS ?? 80);

const seven = Array(7).fill(1);
const connect = (service: Service) => articlesOf(service, { maxRetries: 0 });

/** Runs slices until one is done. `between` runs after each slice that is not. */
async function inSlices(
  articles: Client['articles'],
  store: ArticleStore,
  options: SyncToOptions,
  between: () => void = () => {},
) {
  const results = [];
  for (let count = 0; count < 500; count++) {
    const result = await articles.syncTo(store, options);
    results.push(result);
    if (result.done) return results;
    between();
  }
  throw new Error('the slices do not end');
}

describe('maxRequests', () => {
  it('ends a run before the next page, at a checkpoint', async () => {
    const service = serviceWith(seven);
    const articles = connect(service);
    const store = memoryStore();
    const first = await articles.syncTo(store, { maxRequests: 1 });
    expect(first).toMatchObject({ upserted: 3, requests: 1, done: false });
    expect(first.cursor).toBe(await store.loadCursor());
    expect(first.cursor).not.toBeNull();
  });

  it('of a run that needs exactly as many: the run is done', async () => {
    const service = serviceWith([1, 1]);
    expect(await connect(service).syncTo(memoryStore(), { maxRequests: 1 })).toMatchObject({ done: true });
  });

  it.each([1, 2, 3, 4, 5])('of %i: the slices together store each version once', async (maxRequests) => {
    const service = serviceWith(Array.from({ length: 20 }, (_, index) => index));
    const store = memoryStore();
    const puts: string[] = [];
    const recording: ArticleStore = {
      ...store,
      put: (article) => {
        puts.push(`${article.id}@${article.updated_at}`);
        return store.put(article);
      },
    };
    const results = await inSlices(connect(service), recording, { maxRequests });
    expect(puts.sort()).toEqual(service.online);
    expect(held(store)).toEqual(service.online);
    expect(results.reduce((sum, { upserted }) => sum + upserted, 0)).toBe(service.online.length);
    for (const { requests } of results) expect(requests).toBeLessThanOrEqual(maxRequests);
  });

  it('counts retries', async () => {
    const service = serviceWith(seven);
    let failures = 1;
    const fetch: typeof globalThis.fetch = async (input) =>
      failures-- > 0 ? new Response('', { status: 503, headers: { 'Retry-After': '0' } }) : service.fetch(input);
    const articles = articlesOf(service, { fetch });
    expect(await articles.syncTo(memoryStore(), { maxRequests: 2 })).toMatchObject({ requests: 2, done: false });
  });

  it('does not end a run within one timestamp, where no cursor could continue it', async () => {
    const service = new Service({ pageSize: 3 });
    service.write({ kind: 'create', picks: Array.from({ length: 10 }, () => 1) });
    const store = memoryStore();
    const result = await connect(service).syncTo(store, { maxRequests: 1 });
    expect(result).toMatchObject({ upserted: 10, done: true });
    expect(held(store)).toEqual(service.online);
  });
});

describe('deadline', () => {
  it.each([
    ['0', 0, { upserted: 3, requests: 1, done: false }],
    ['1970', new Date(0), { upserted: 3, requests: 1, done: false }],
    ['now', Date.now(), { upserted: 3, requests: 1, done: false }],
    ['in an hour', new Date(Date.now() + 3_600_000), { upserted: 7, done: true }],
  ])('%s: a run reads one page, and more until then', async (_, deadline, expected) => {
    expect(await connect(serviceWith(seven)).syncTo(memoryStore(), { deadline })).toMatchObject(expected);
  });

  it('that passes during a run ends it before the next page', async () => {
    const service = serviceWith(seven);
    vi.useFakeTimers({ toFake: ['Date'] });
    service.beforeAnswer = () => {
      if (service.requests.length === 2) vi.setSystemTime(Date.now() + 60_000);
    };
    const deadline = new Date(Date.now() + 30_000);
    const result = await connect(service).syncTo(memoryStore(), { deadline });
    expect(result).toMatchObject({ requests: 2, done: false });
  });
});

describe('a complete listing in slices', () => {
  it('is continued by the next slices, and finds the deletions', async () => {
    const service = serviceWith(Array(17).fill(1));
    const articles = connect(service);
    for (const maxRequests of [1, 2, 3, 7]) {
      const store = memoryStore();
      await articles.syncTo(store);
      service.write({ kind: 'delete', picks: [0, 3, 5] });
      const results = await inSlices(articles, store, { maxRequests, reconcile: true });
      expect(held(store)).toEqual(service.online);
      expect(results.reduce((sum, { deleted }) => sum + deleted, 0)).toBe(3);
      expect(results.every(({ requests }) => requests <= Math.max(2, maxRequests))).toBe(true);
      expect(await store.loadListing?.()).toBeNull();
    }
  });

  it('does not ask again for an article that exists although the list does not show it', async () => {
    const service = serviceWith(Array(8).fill(1));
    const articles = connect(service);
    const store = memoryStore();
    await articles.syncTo(store);
    service.options.mangle = (page) => ({ ...page, articles: page.articles.filter(({ id }) => id % 2 === 0) });
    const asked: string[] = [];
    service.beforeAnswer = () => {
      const id = /\/articles\/(\d+)$/.exec(service.requests.at(-1)?.pathname ?? '')?.[1];
      if (id) asked.push(id);
    };
    await inSlices(articles, store, { maxRequests: 1, reconcile: true, allowMassDeletion: true });
    expect(asked).toEqual(['1', '3', '5', '7']);
    expect(held(store)).toEqual(service.online);
  });

  const limited = ({ loadCursor, saveCursor, ids, put, remove }: ArticleStore): ArticleStore => {
    return { loadCursor, saveCursor, ids, put, remove };
  };

  it('is refused after its first page if the store cannot resume it', async () => {
    const service = serviceWith(Array(17).fill(1));
    const articles = connect(service);
    const store = limited(memoryStore());
    await articles.syncTo(store);
    for (const limits of [{ maxRequests: 2 }, { deadline: 0 }]) {
      service.requests = [];
      const error = await articles.syncTo(store, { reconcile: true, ...limits }).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(InvalidRequestError);
      expect(error.message).toContain(`\`${Object.keys(limits)[0]}\` is not enough for a complete listing`);
      expect(error.message).toContain('loadListing');
      expect(service.requests).toHaveLength(1);
    }
    expect(await articles.syncTo(store, { reconcile: true, maxRequests: 9 })).toMatchObject({ done: true });
  });

  it('throws if its position cannot be saved, because the slices would never end', async () => {
    const service = serviceWith(Array(17).fill(1));
    const articles = connect(service);
    const store = memoryStore();
    await articles.syncTo(store);
    const broken: ArticleStore = { ...store, saveListing: () => Promise.reject(new Error('disk full')) };
    await expect(articles.syncTo(broken, { reconcile: true, maxRequests: 1 })).rejects.toThrow('disk full');
  });
});

describe('options that cannot be used', () => {
  it.each([
    [{ maxRequests: 0 }, 'maxRequests'],
    [{ maxRequests: 1.5 }, 'maxRequests'],
    [{ maxRequests: '3' }, 'maxRequests'],
    [{ maxRequests: Number.NaN }, 'maxRequests'],
    [{ deadline: 'tomorrow' }, 'deadline'],
    [{ deadline: new Date(Number.NaN) }, 'deadline'],
    [{ deadline: Number.NaN }, 'deadline'],
    [{ maxRequest: 1 }, 'maxRequests'],
  ])('%j: refused by name, before anything is sent', async (options, name) => {
    const service = serviceWith([1]);
    const run = connect(service).syncTo(memoryStore(), options as object);
    const error = await run.catch((thrown) => thrown);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.message).toContain(`\`${name}\``);
    expect(service.requests).toEqual([]);
  });
});

/** The ways in which a store takes its changes. */
const TAKING = {
  put: () => ({}),
  concurrency: () => ({ concurrency: 3 }),
  commit: (store: MemoryStore) => ({ commit: committing(store) }),
};

describe('slices of any size, whatever happens between them', { tags: 'long' }, () => {
  const picks = fc.array(fc.nat(60), { minLength: 1, maxLength: 9 });
  const kinds = ['create', 'touch', 'publish', 'unpublish', 'delete', 'delete'] as const;
  const write: fc.Arbitrary<Write> = fc.record({ kind: fc.constantFrom(...kinds), picks });
  const history = fc.record({
    pageSize: fc.integer({ min: 2, max: 6 }),
    maxRequests: fc.integer({ min: 1, max: 9 }),
    before: fc.array(write, { minLength: 1, maxLength: 12 }),
    /** What happens after each slice. */
    between: fc.array(fc.array(write, { maxLength: 2 }), { maxLength: 20 }),
    kind: fc.constantFrom(...(Object.keys(TAKING) as (keyof typeof TAKING)[])),
  });

  it('end with the same store as one run', async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ pageSize, maxRequests, before, between, kind }) => {
        const service = new Service({ pageSize });
        for (const one of before) service.write(one);
        const articles = connect(service);
        const store = memoryStore();
        const target: ArticleStore = { ...store, ...TAKING[kind](store) };
        const queue = [...between];
        const change = () => {
          for (const one of queue.shift() ?? []) service.write(one);
        };
        await inSlices(articles, target, { maxRequests, allowMassDeletion: true }, change);
        await inSlices(articles, target, { maxRequests, allowMassDeletion: true, reconcile: true }, change);
        for (const rest of queue.splice(0)) for (const one of rest) service.write(one);
        // What happens while a listing runs is found by the next one.
        const results = await inSlices(articles, target, { maxRequests, allowMassDeletion: true, reconcile: true });
        expect(held(store)).toEqual(service.online);
        expect(results.at(-1)?.cursor).toBe(await store.loadCursor());
      }),
      { numRuns: runs },
    );
  });
});
