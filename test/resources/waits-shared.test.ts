// Waits of one client share their reads: a brand of 300 listings has 1000 requests a day.
import { MAKING_TIME } from '@multilocal/mock/resources/reports';
import { createMockApi } from 'multilocal/mock';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  Client,
  type ClientOptions,
  InvalidRequestError,
  type OrderedReport,
  type Report,
  type ReportCreateParams,
  TimeoutError,
  WaitTimeoutError,
} from '../../src/index.js';
import { MOST_ORDERS } from '../../src/resources/reports-order.js';
import { caught, freshUrl, rejection } from '../support/clients.js';
import { turned } from '../support/clock.js';

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-03T08:00:00Z') }));

/** A brand on the mock, and an order for each of some listings. One location of the mock has none. */
async function brand(listings: number, options: ClientOptions = {}) {
  const api = createMockApi({ baseUrl: freshUrl(), bulles: Math.max(13, listings + 1) });
  const fetch: typeof globalThis.fetch = (input, init) => api.handle(new Request(input, init));
  const client = await Client.connect({
    apiKey: api.keys.sphere,
    baseUrl: api.baseUrl,
    fetch,
    rateLimit: false,
    maxRetries: 0,
    ...options,
  });
  const sent = (method: string, path = '/reports') =>
    api.requests.filter((one) => one.method === method && one.path.endsWith(path)).length;
  const orders = client.identity.gmb_fiches.slice(0, listings).map(
    ({ id, name }): ReportCreateParams => ({
      type: 'fiche',
      fiche_ids: [id],
      date_start: '2026-10-01',
      date_end: '2026-10-31',
      report_name: `Octobre ${name} ${id}`,
    }),
  );
  return { api, client, sent, orders };
}

/** Turns the clock until the work has ended. Returns its result and the seconds that it took. */
async function timed<T>(work: Promise<T>): Promise<{ result: T; seconds: number }> {
  const started = Date.now();
  return { result: await turned(work), seconds: (Date.now() - started) / 1000 };
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const isOf = (params: ReportCreateParams, report?: Report) => report?.report_name === params.report_name;

describe('reports.createAndWait', () => {
  it('100 at once: all get their own report, 80 wait at a time, and a list answers all', { tags: 'long' }, async () => {
    const { client, sent, orders } = await brand(100);
    let [open, most] = [0, 0];
    const counted = client.withOptions({});
    const work = orders.map(async (params) => {
      const report = await counted.reports.createAndWait(params, { onPoll: () => {} });
      open = sent('POST') - done++;
      most = Math.max(most, open);
      return isOf(params, report);
    });
    let done = 0;
    const { result, seconds } = await timed(Promise.all(work));
    expect(result.filter(Boolean)).toHaveLength(100);
    expect(sent('POST')).toBe(100);
    expect(most).toBeLessThanOrEqual(80);
    expect(sent('GET')).toBeLessThanOrEqual(seconds / 15 + 1);
  });

  it('without names, each listing gets its own report, too', async () => {
    const { client, orders } = await brand(60);
    const work = orders.map(async ({ report_name: _, ...params }, at) => {
      const { fiche_name } = await client.reports.createAndWait(params);
      return fiche_name === client.identity?.gmb_fiches[at]?.name;
    });
    expect(await turned(Promise.all(work))).not.toContain(false);
  });

  it('two equal orders get two reports', async () => {
    const { client, orders } = await brand(1);
    const [params] = orders as [ReportCreateParams];
    const first = client.reports.createAndWait(params);
    await vi.advanceTimersByTimeAsync(20_000);
    const result = await turned(Promise.all([first, client.reports.createAndWait(params)]));
    expect(new Set(result.map(({ pdf_url }) => pdf_url)).size).toBe(2);
  });

  it('views share reads and places with their client, at the shortest interval', async () => {
    const { client, sent, orders } = await brand(3);
    const [one, two, three] = orders as [ReportCreateParams, ReportCreateParams, ReportCreateParams];
    const views = [
      client.reports.createAndWait(one, { pollInterval: 60_000 }),
      client.withOptions({ maxRetries: 1 }).reports.createAndWait(two, { pollInterval: 15_000 }),
      client.forFiche('x').reports.createAndWait(three, { pollInterval: 40_000 }),
      client.reports.wait({ report_name: one.report_name ?? '' }, { pollInterval: 50_000 }),
    ];
    const result = await turned(Promise.all(views));
    expect(result.map(({ report_name }) => report_name)).toEqual([...orders, one].map((order) => order.report_name));
    // One list before the orders, which also answers `reports.wait`, then one every 15 s until the reports are ready.
    expect(sent('GET')).toBe(1 + Math.ceil(MAKING_TIME / 15e6));
  });

  it('timeout counts from the order, a place that is freed is given to the next, and nobody else ends', async () => {
    const { api, client, sent, orders } = await brand(MOST_ORDERS + 10);
    const abort = new AbortController();
    const ended = [0, 1, 2, MOST_ORDERS + 5];
    const work = orders.map((params, at) =>
      client.reports
        .createAndWait(params, {
          ...(at < 2 && { timeout: 10_000 }),
          ...(at === 2 && { signal: abort.signal }),
          ...(at === MOST_ORDERS + 5 && { signal: abort.signal }),
          ...(at === MOST_ORDERS + 4 && { timeout: 200_000 }),
        })
        .catch((error: unknown) => error),
    );
    await vi.advanceTimersByTimeAsync(9_000);
    expect(sent('POST')).toBe(MOST_ORDERS);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(sent('POST')).toBe(MOST_ORDERS + 2);
    abort.abort('enough');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent('POST')).toBe(MOST_ORDERS + 3);
    const result = await turned(Promise.all(work));
    expect(result.slice(0, 2).every((error) => error instanceof WaitTimeoutError)).toBe(true);
    expect([result[2], result[MOST_ORDERS + 5]]).toEqual(['enough', 'enough']);
    const others = result.flatMap((report, at) => (ended.includes(at) ? [] : [[orders[at], report] as const]));
    expect(others.every(([params, report]) => isOf(params as ReportCreateParams, report as Report))).toBe(true);
    // Those that waited for a place, in order. The aborted one was never sent.
    const names = api.requests.flatMap(({ method, body }) => (method === 'POST' ? [Object(body).report_name] : []));
    const late = orders.filter((_, at) => at >= MOST_ORDERS && at !== MOST_ORDERS + 5);
    expect(names.slice(MOST_ORDERS)).toEqual(late.map(({ report_name }) => report_name));
  });

  it('a temporary failure of a list ends no wait, a lasting one ends all, and the places are free again', async () => {
    const { api, client, orders } = await brand(3);
    const start = () => orders.map((params) => client.reports.createAndWait(params).catch((error: unknown) => error));
    const passing = start();
    await vi.advanceTimersByTimeAsync(40_000);
    api.fail({ operation: 'reports.list', status: 503, headers: { 'retry-after': '20' } });
    expect((await turned(Promise.all(passing))).map((report) => Object(report).report_name)).toEqual(
      orders.map(({ report_name }) => report_name),
    );
    const lasting = start();
    await vi.advanceTimersByTimeAsync(40_000);
    api.fail({ operation: 'reports.list', status: 401 });
    const result = await turned(Promise.all(lasting));
    expect(result.map((error) => Object(error).code)).toEqual(Array(3).fill('authentication'));
    // What was ordered is never taken for unordered.
    const ids = result.map((error) => Object(error).id);
    expect(new Set(ids).size).toBe(3);
    for (const [at, error] of result.entries()) {
      expect(error).toMatchObject({ operation: 'reports.createAndWait', outcome: 'applied', status: 401 });
      expect(Object(error).message).toMatch(`Report ${ids[at]} is ordered.`);
      expect(Object(error).cause).toMatchObject({ operation: 'reports.list', outcome: 'not_applied' });
    }
  });

  it('the time limits of a caller end that caller alone, also while the list before the order is read', async () => {
    const { api, client, orders } = await brand(2);
    api.fail({ operation: 'reports.list', delay: 5_000 });
    const [hasty, patient] = [{ totalTimeout: 1_000 }, {}].map((options, at) =>
      client.reports.createAndWait(orders[at] as ReportCreateParams, options).catch((error: unknown) => error),
    );
    await vi.advanceTimersByTimeAsync(1_500);
    expect(await hasty).toBeInstanceOf(TimeoutError);
    expect(await turned(Promise.resolve(patient))).toMatchObject({ report_name: orders[1]?.report_name });
  });

  it('leaves no listener and no timer behind', async () => {
    const { client, orders } = await brand(20);
    const { signal } = new AbortController();
    const [add, remove] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
    const work = orders.map((params) => client.withOptions({ signal }).reports.createAndWait(params, { signal }));
    await turned(Promise.all(work));
    expect(remove.mock.calls.length).toBe(add.mock.calls.length);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('reports.createAndWaitAll', () => {
  it('100 reports cost 100 orders and at most one list every 15 s', { tags: 'long' }, async () => {
    const { client, sent, orders } = await brand(100);
    const { result, seconds } = await timed(collect(client.reports.createAndWaitAll(orders)));
    expect(result.every(({ params, report }) => isOf(params, report))).toBe(true);
    expect(new Set(result.map(({ params }) => params))).toEqual(new Set(orders));
    expect([sent('POST'), sent('GET') <= seconds / 15 + 1]).toEqual([100, true]);
  });

  it('keeps to `concurrency`, and yields what fails with its parameters', async () => {
    const { api, client, sent, orders } = await brand(7);
    api.fail({ operation: 'reports.create', status: 404 });
    const [refused, ...others] = orders as [ReportCreateParams, ...ReportCreateParams[]];
    const results: OrderedReport[] = [];
    let most = 0;
    const read = async () => {
      for await (const one of client.reports.createAndWaitAll(orders, { concurrency: 2 })) {
        most = Math.max(most, sent('POST') - results.push(one));
      }
    };
    await turned(read());
    expect(results[0]).toEqual({ params: refused, error: expect.objectContaining({ code: 'not_found' }) });
    expect(results.slice(1).map(({ params, report }) => isOf(params, report) && params)).toEqual(others);
    expect(most).toBeLessThanOrEqual(2);
  });

  it('checks all parameters before the first order, and is refused on client.dryRun', async () => {
    const { client, sent, orders } = await brand(2);
    const wrong = { ...orders[0], date_start: '2026-02-30' } as ReportCreateParams;
    const error = await caught(
      collect(client.reports.createAndWaitAll([...orders, wrong, { ...wrong, fiche_ids: [] }])),
      InvalidRequestError,
    );
    expect(error.issues.map(({ path }) => path)).toEqual([
      [2, 'date_start'],
      [3, 'fiche_ids'],
      [3, 'date_start'],
    ]);
    expect(error.operation).toBe('reports.createAndWaitAll');
    const { reports } = client.dryRun as unknown as Client;
    await expect(collect(reports.createAndWaitAll(orders))).rejects.toMatchObject({ code: 'dry_run_unsupported' });
    await caught(collect(client.reports.createAndWaitAll(orders, { concurrency: 0 })), InvalidRequestError);
    await caught(collect(client.reports.createAndWaitAll({} as never)), InvalidRequestError);
    expect([sent('POST'), sent('GET')]).toEqual([0, 0]);
  });

  it.each([
    ['the key', 401, 2],
    ['the limits', 429, 2],
    ['an outage', 503, 3],
  ])(
    'an error of %s ends the ordering, what was ordered is yielded, and then it is thrown',
    async (_, status, orders) => {
      let left = 1;
      const all = await brand(10, {
        onEvent: ({ type, operation }) => {
          if (type !== 'response' || operation !== 'reports.create' || left-- !== 1) return;
          all.api.fail({ operation, status, times: 20, headers: { 'retry-after': '90' } });
        },
      });
      const results: OrderedReport[] = [];
      const read = async () => {
        for await (const one of all.client.reports.createAndWaitAll(all.orders)) results.push(one);
      };
      expect(await turned(rejection(read()))).toBe(results.at(-2)?.error);
      expect(all.sent('POST')).toBe(orders);
      expect(results.at(-1)?.report?.report_name).toBe(all.orders[0]?.report_name);
      expect(results).toHaveLength(orders);
    },
  );

  it('orders nothing more after break or an abort, and rejects with the reason', async () => {
    const { client, sent, orders } = await brand(6);
    const controller = new AbortController();
    const stop = async (how: 'break' | 'abort') => {
      for await (const _ of client.reports.createAndWaitAll(orders, {
        concurrency: 2,
        signal: controller.signal,
      })) {
        if (how === 'break') break;
        controller.abort('enough');
      }
    };
    await turned(stop('break'));
    const after = sent('POST');
    expect(after).toBeLessThanOrEqual(4);
    await vi.advanceTimersByTimeAsync(100_000);
    expect([sent('POST'), vi.getTimerCount()]).toEqual([after, 0]);
    expect(await turned(rejection(stop('abort')))).toBe('enough');
    await expect(stop('abort')).rejects.toBe('enough');
    await vi.advanceTimersByTimeAsync(100_000);
    expect(sent('POST')).toBeLessThanOrEqual(after + 4);
  });
});

describe('articles.waitUntilWritten', () => {
  it('several waits read one list of what changed, whichever view they have', async () => {
    const { api, client } = await brand(29);
    const made = await Promise.all(
      (await client.bulles.list()).map(({ id: bulle_id }) =>
        client.articles.create({ title: 'Le pain', target_keyword: 'pain', bulle_id }),
      ),
    );
    const ids = made.flatMap(({ created }) => created.map(({ id }) => id));
    const before = api.requests.length;
    const work = ids.map((id, at) => client.forBulle(`b-${at}`).articles.waitUntilWritten(id));
    const { result, seconds } = await timed(Promise.all(work));
    expect(result.map(({ id }) => id)).toEqual(ids);
    expect(result.every(({ content_html }) => content_html)).toBe(true);
    expect(api.requests.length - before).toBeLessThanOrEqual(seconds / 10 + 1);
  });

  it('an article that was written long ago, one that is unknown and one that waits end each in its own way', async () => {
    const { api, client } = await brand(3);
    const [old] = api.articles.all();
    const { created } = await client.articles.create({
      title: 'Pain',
      target_keyword: 'pain',
      bulle_id: api.ids.bulle,
    });
    const ids = [Number(old?.id), 99_999, Number(created[0]?.id)];
    const work = ids.map((id) => client.articles.waitUntilWritten(id).catch((error: unknown) => error));
    const result = await turned(Promise.all(work));
    expect(result).toMatchObject([{ id: ids[0] }, { code: 'not_found' }, { id: ids[2] }]);
  });
});

it('posts.check: the time limit and the signal of a caller end that caller alone', async () => {
  const { api, client, sent } = await brand(2);
  const post = { content: 'Pain', platforms: ['facebook'] as const, bulle_id: api.ids.bulle };
  api.fail({ operation: 'connections.list', delay: 5_000 });
  const controller = new AbortController();
  const all = [{ totalTimeout: 1_000 }, { timeout: 2_000 }, { signal: controller.signal }, {}].map((options) =>
    client.posts.check({ ...post, platforms: [...post.platforms] }, options).catch((error: unknown) => error),
  );
  await vi.advanceTimersByTimeAsync(3_000);
  controller.abort('enough');
  expect(await Promise.all(all.slice(0, 3))).toEqual([expect.any(TimeoutError), expect.any(TimeoutError), 'enough']);
  expect(await turned(Promise.resolve(all[3]))).toMatchObject({ ok: expect.any(Boolean) });
  expect(sent('GET', '/connections')).toBe(1);
});
