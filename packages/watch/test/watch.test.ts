import * as api from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { Client } from 'multilocal';
import { createMockApi } from 'multilocal/mock/server';
import { instrument } from 'multilocal/otel';
import { memoryCursor, type WatchCursor, type WatchEvent, type WatchOptions, watch, watchPlan } from 'multilocal/watch';
import { describe, expect, it, vi } from 'vitest';
import { DAY, Disk, HOUR, mostInADay, pass, START, useClock, World } from './world.js';

useClock();

const immediate = globalThis.setImmediate;

async function once(
  world: World,
  cursor: WatchCursor,
  options: Partial<WatchOptions> = {},
  client = world.client(),
): Promise<WatchEvent[]> {
  const events: WatchEvent[] = [];
  const run = async () => {
    for await (const event of watch(client, { cursor, once: true, ...options })) events.push(event);
  };
  const ended = run().then(
    () => undefined,
    (error) => error ?? 'failed',
  );
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  for (let step = 0; !hasEnded && step < 20_000; step++) {
    // Hashes are made outside of the timers.
    await new Promise((resolve) => immediate(resolve));
    await vi.advanceTimersByTimeAsync(100);
  }
  const error = hasEnded
    ? await ended
    : new Error(`it does not end after ${world.requests.length} requests: ${(await cursor.load())?.slice(0, 900)}`);
  if (error) throw Object.assign(error, { events });
  return events;
}

const types = (events: readonly WatchEvent[]) => events.map(({ type }) => type);

it('shows every kind of the mock', async () => {
  const api = createMockApi({ baseUrl: 'http://localhost' });
  const client = new Client({
    apiKey: api.keys.sphere,
    baseUrl: 'http://localhost',
    fetch: api.handle,
    rateLimit: false,
  });
  const cursor = memoryCursor();
  const look = () => once(new World(), cursor, {}, client);
  expect(new Set(types(await look()))).toEqual(new Set(['connection.lost']));
  const { review_id } = api.reviews.add({ text: 'Parfait' });
  api.posts.failPlatform('facebook', {});
  api.posts.add({ scheduled_at: new Date(Date.now() + HOUR).toISOString() });
  api.connections.change(api.ids.bulle, 'instagram', { expires_at: new Date(Date.now() + 3 * DAY).toISOString() });
  const articles = api.articles.all().filter(({ status }) => status === 'published');
  for (const [at, change] of (['touch', 'unpublish', 'remove'] as const).entries())
    api.articles[change](articles[at]?.id as number, {} as never);
  await client.reports.create({
    type: 'fiche',
    fiche_ids: [api.ids.fiche],
    date_start: '2026-10-01',
    date_end: '2026-10-31',
  });
  await vi.advanceTimersByTimeAsync(25 * HOUR);
  const events = await look();
  const expected = [
    'article.changed',
    'article.unpublished',
    'connection.expiring',
    'post.failed',
    'post.published',
    'report.ready',
    'review.new',
  ];
  expect([...new Set(types(events))].sort()).toEqual(expected);
  expect(events.filter((event) => 'deleted' in event && event.deleted)).toHaveLength(1);
  for (const { id } of events) expect(id).toMatch(/^evt_[0-9a-f]{32}$/);
  api.reviews.answer(review_id, 'Merci');
  await vi.advanceTimersByTimeAsync(5 * HOUR);
  expect(types(await look())).toContain('review.answered');
});

describe('once more', () => {
  it('gives the event in hand again, and no other', async () => {
    const world = new World();
    const cursor = memoryCursor();
    await once(world, cursor);
    for (const fiche of world.listings.keys()) world.addReview(fiche);
    await vi.advanceTimersByTimeAsync(6 * HOUR);
    const given: string[] = [];
    for (let runs = 0; runs < 4; runs++) {
      for await (const { id } of watch(world.client(), { cursor, once: true })) {
        given.push(id);
        if (given.length === 2) break;
      }
    }
    expect(given).toHaveLength(4);
    expect(given[2]).toBe(given[1]);
    expect(new Set(given).size).toBe(3);
  });

  it('gives the same ids to two watchers, but for accounts', async () => {
    const world = new World();
    const cursors = [memoryCursor(), memoryCursor()];
    for (const cursor of cursors) await once(world, cursor);
    world.addReview('accounts/1/locations/0');
    world.breakAccount(0, true, 1);
    await vi.advanceTimersByTimeAsync(6 * HOUR);
    const [one = [], other = []] = [
      await once(world, cursors[0] as WatchCursor),
      await once(world, cursors[1] as WatchCursor),
    ];
    const idOf = (events: WatchEvent[], kind: string) => events.find(({ type }) => type.startsWith(kind))?.id;
    expect(idOf(one, 'review')).toBe(idOf(other, 'review'));
    expect(idOf(one, 'connection')).not.toBe(idOf(other, 'connection'));
  });

  it('tells what happened after `since`', async () => {
    const world = new World({ articles: 5 });
    const events = await once(world, memoryCursor(), { since: new Date(START - 3.5 * HOUR) });
    expect(
      types(events)
        .filter((type) => type !== 'review.answered')
        .sort(),
    ).toEqual([...Array(3).fill('article.published'), ...Array(3).fill('review.new')]);
  });

  it('takes a moment of Temporal', async () => {
    const since = { epochMilliseconds: START - 3.5 * HOUR, [Symbol.toStringTag]: 'Temporal.Instant' };
    const events = await once(new World({ articles: 5 }), memoryCursor(), {
      since: since as never,
      events: ['articles'],
    });
    expect(types(events)).toEqual(Array(3).fill('article.published'));
  });

  it('asks only for the wanted kinds', async () => {
    const world = new World();
    await once(world, memoryCursor(), { events: ['connection.lost'] });
    expect(world.requests).toHaveLength(2);
  });
});

describe('the budget', () => {
  it.each([2, 5, 20, 60])('holds for %i requests in any 24 h, whatever the clock', { tags: 'long' }, async (perDay) => {
    const world = new World({ listings: 30 });
    const disk = new Disk();
    world.fault = () => (world.requests.length % 5 === 0 ? new Response('{}', { status: 503 }) : undefined);
    for (let run = 0; run < 120; run++) {
      await once(world, disk.cursor(), { perDay }).catch(() => {});
      await vi.advanceTimersByTimeAsync(HOUR);
      if (run % 9 === 0) vi.setSystemTime(Date.now() + (run % 2 ? 3 : -3) * DAY);
    }
    expect(mostInADay(world.requests)).toBeLessThanOrEqual(perDay);
    expect(world.requests.length).toBeGreaterThan(perDay);
  });

  it('holds in an outage in which the clock of the machine jumps', async () => {
    const world = new World({ listings: 30 });
    const disk = new Disk();
    for (let run = 0; run < 20; run++) {
      await once(world, disk.cursor(), { perDay: 20 }).catch(() => {});
      await vi.advanceTimersByTimeAsync(HOUR);
    }
    world.fault = () => Response.error();
    vi.setSystemTime(Date.now() + 3 * DAY);
    for (let run = 0; run < 3; run++) await once(world, disk.cursor(), { perDay: 20 }).catch(() => {});
    expect(mostInADay(world.requests)).toBeLessThanOrEqual(20);
  });

  it('notes each request before it leaves', async () => {
    const world = new World();
    const disk = new Disk();
    const noted: number[] = [];
    world.fault = () => {
      noted.push(JSON.parse(disk.text ?? '').asked.length);
      return undefined;
    };
    await once(world, disk.cursor());
    expect(noted).toEqual(world.requests.map((_, at) => at + 1));
  });

  it('leaves the reserve of others, and waits for it', async () => {
    const world = new World();
    const client = world.client({ rateLimit: { perMinute: 10, reserve: 8 } });
    expect(await once(world, memoryCursor(), {}, client)).toEqual([]);
    const inAMinute = world.requests.map(
      (from) => world.requests.filter((at) => at >= from && at < from + 60_000).length,
    );
    expect(Math.max(...inAMinute)).toBeLessThanOrEqual(2);
  });

  it('of the other kinds does not go into a brand with many articles', { tags: 'long' }, async () => {
    const world = new World({ articles: 4_000 });
    const plan = await watchPlan(world.client(), { perDay: 67 });
    expect(plan.every(({ latest }) => latest !== null && latest < DAY)).toBe(true);
    const cursor = memoryCursor();
    for (let run = 0; run < 30; run++) {
      await once(world, cursor, { perDay: 67 });
      await vi.advanceTimersByTimeAsync(HOUR);
    }
    world.addReview('accounts/1/locations/0');
    await vi.advanceTimersByTimeAsync(DAY);
    expect(types(await once(world, cursor, { perDay: 67 }))).toContain('review.new');
  });

  it.each([
    ['tells 60 articles that were deleted, run by run', 20, 100, 60, 12],
    ['says once that no run has room for the list of articles', 8, 450, 0, 4],
  ])('%s', { tags: 'long' }, async (_, perDay, articles, deleted, days) => {
    const world = new World({ articles });
    const cursor = memoryCursor();
    const events: WatchEvent[] = [];
    for (let run = 0; run < days * 24; run++) {
      if (run === 30) for (let id = 1; id <= deleted; id++) world.deleteArticle(id);
      events.push(...(await once(world, cursor, { perDay, events: ['articles', 'connections'] })));
      await vi.advanceTimersByTimeAsync(HOUR);
    }
    expect(events.map(({ type }) => type)).toEqual(deleted ? Array(60).fill('article.unpublished') : ['watch.gap']);
  });

  it('is not called too small because of days without a run', { tags: 'long' }, async () => {
    const world = new World({ articles: 147, listings: 13, posts: 60 });
    const cursor = memoryCursor();
    for (let run = 0; run < 168; run++) {
      if (run === 144) await vi.advanceTimersByTimeAsync(84 * HOUR);
      expect(await once(world, cursor, { perDay: 13 })).toEqual([]);
      await vi.advanceTimersByTimeAsync(HOUR);
    }
  });

  it('is said before, without a request once a cursor knows', async () => {
    const world = new World({ listings: 13 });
    const plan = await watchPlan(world.client());
    expect(plan.reduce((sum, { requests }) => sum + requests, 0)).toBeLessThanOrEqual(200);
    const cursor = memoryCursor();
    await once(world, cursor);
    const { length } = world.requests;
    expect((await watchPlan(world.client(), { cursor })).map(({ kind }) => kind)).toEqual(plan.map(({ kind }) => kind));
    expect(world.requests).toHaveLength(length);
    expect((await watchPlan(world.client(), { perDay: 1 })).every(({ latest }) => latest === null)).toBe(true);
  });

  it('sees everything as soon as the plan says', { tags: 'long' }, async () => {
    const world = new World({ listings: 13 });
    const cursor = memoryCursor();
    const seen = new Map<string, number>();
    const controller = new AbortController();
    const run = async () => {
      for await (const event of watch(world.client(), { cursor, signal: controller.signal }))
        seen.set(event.type, world.now());
    };
    const ended = run().catch((error) => error);
    // The first looks at everything are in the window of the first day.
    await pass(DAY + HOUR);
    const latest = new Map(
      (await watchPlan(world.client(), { cursor })).map((entry) => [entry.kind, entry.latest ?? 0]),
    );
    const began = world.now();
    world.addReview('accounts/1/locations/7');
    world.deliver(world.addPost(world.now(), ['facebook']), ['facebook'], []);
    world.changeArticle(1, 'published');
    world.breakAccount(3, true, 1);
    world.addReport('r');
    await pass(DAY);
    controller.abort('enough');
    expect(await ended).toBe('enough');
    const kinds = {
      'review.new': 'reviews',
      'post.published': 'posts',
      'article.changed': 'articles',
      'connection.lost': 'connections',
      'report.ready': 'reports',
    } as const;
    for (const [type, kind] of Object.entries(kinds))
      expect((seen.get(type) ?? Number.POSITIVE_INFINITY) - began, type).toBeLessThanOrEqual(latest.get(kind) ?? 0);
  });
});

describe('the cursor', () => {
  it('belongs to a brand, and a new key of it goes on', async () => {
    const world = new World();
    const cursor = memoryCursor();
    Object.assign(world.connections[0] as object, { name: 'key_live_0123456789', connected: false });
    expect(JSON.stringify(await once(world, cursor))).toMatch(/^(?!.*key_live).*connection\.lost/);
    expect(await once(world, cursor, {}, world.client({ apiKey: 'key_live_another_one' }))).toEqual([]);
    await expect(once(world, cursor, {}, world.client({ apiKey: 'key_live_third' }).forBulle('b'))).rejects.toThrow(
      'belongs to another',
    );
    expect(await cursor.load()).not.toContain('key_live');
  });

  const bare = ({ load, save }: WatchCursor) => ({ load, save });
  it.each([
    ['with a lease', memoryCursor],
    ['of two functions', () => bare(memoryCursor())],
  ])('%s has one watcher at a time', async (_, make) => {
    const world = new World();
    const cursor = make();
    const holder = async () => JSON.parse((await cursor.load()) ?? '').holder?.[0];
    const controllers = [new AbortController(), new AbortController()];
    const given: string[][] = [[], []];
    const runs = controllers.map(async ({ signal }, at) => {
      for await (const { id } of watch(world.client(), { cursor, signal })) given[at]?.push(id);
    });
    const ended = Promise.allSettled(runs);
    await pass(HOUR);
    const first = await holder();
    world.addReview('accounts/1/locations/0');
    await pass(2 * HOUR);
    expect(await holder()).toBe(first);
    controllers[given[0]?.length ? 0 : 1]?.abort();
    await pass(HOUR);
    world.addReview('accounts/1/locations/0');
    await pass(2 * HOUR);
    for (const controller of controllers) controller.abort();
    await pass(HOUR);
    await ended;
    expect(given.map(({ length }) => length)).toEqual([1, 1]);
    expect(new Set(given.flat()).size).toBe(2);
  });

  const part = '{"version":1,"outbox":[],"asked":[],"clock":{"t":1},"reviews":null}';
  it.each(['', '{}', 'null', '{"version":2}', part])('is refused if it is %j', async (text) => {
    await expect(once(new World(), { load: async () => text, save: async () => true })).rejects.toThrow(
      'the cursor is damaged',
    );
  });

  it.each(['load', 'save', 'lease'] as const)('whose %s hangs does not hold an aborted watch', async (method) => {
    const controller = new AbortController();
    const cursor = { ...memoryCursor(), [method]: () => new Promise<never>(() => {}) };
    const next = watch(new World().client(), { cursor, signal: controller.signal }).next();
    const reason = next.catch((error) => error);
    await pass(HOUR);
    controller.abort('SIGTERM');
    await pass(HOUR);
    expect(await Promise.race([reason, 'held'])).toBe('SIGTERM');
  });

  it('whose lease hangs at its end does not hold a watch that is over', async () => {
    const run = once(new World(), { ...memoryCursor(), lease: () => () => new Promise(() => {}) });
    await pass(HOUR);
    expect(await Promise.race([run, 'held'])).toEqual([]);
  });

  it('whose lease comes after the abort is free again', async () => {
    const controller = new AbortController();
    const end = vi.fn();
    const lease = () => new Promise<typeof end>((resolve) => setTimeout(resolve, HOUR, end));
    const cursor = { ...memoryCursor(), lease };
    const next = watch(new World().client(), { cursor, signal: controller.signal }).next();
    controller.abort('SIGTERM');
    await expect(next).rejects.toBe('SIGTERM');
    await pass(2 * HOUR);
    expect(end).toHaveBeenCalledOnce();
  });

  it('that accepts nothing ends the watch', async () => {
    const cursor = { load: async () => null, save: async () => false };
    await expect(once(new World(), cursor)).rejects.toThrow('refuses a text');
  });
});

it('goes on with a post and a listing that another brand has, and remembers a listing that is left out for once', async () => {
  const world = new World();
  const cursor = memoryCursor();
  const post = world.addPost(world.now() + HOUR, ['facebook']);
  await once(world, cursor);
  world.posts.delete(post);
  const fiche = 'accounts/1/locations/0';
  const reviews = world.listings.get(fiche) ?? [];
  world.listings.delete(fiche);
  world.gone = 403;
  await vi.advanceTimersByTimeAsync(25 * HOUR);
  expect(await once(world, cursor)).toEqual([]);
  world.listings.set(fiche, reviews);
  world.addReview(fiche);
  await vi.advanceTimersByTimeAsync(25 * HOUR);
  expect(types(await once(world, cursor))).toEqual(['review.new']);
});

it.each([
  ['of everything', 5, 99],
  ['of one read', 1, 5],
])('throws the error of an outage %s after what it saw, and goes on', async (_, from, to) => {
  const world = new World();
  const cursor = memoryCursor();
  world.breakAccount(0, true, 1);
  let requests = 0;
  world.fault = () => (++requests > from && requests < to ? new Response('{}', { status: 503 }) : undefined);
  const error = await once(world, cursor).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'service_unavailable', events: [{ type: 'connection.lost' }] });
  world.fault = undefined;
  expect(await once(world, cursor)).toEqual([]);
});

it.each([
  ['skips for a day a listing that the key does not reach any more', 404, []],
  ['asks again for a listing that could not be read', 500, ['review.new']],
])('%s', async (_, status, later) => {
  const world = new World();
  const cursor = memoryCursor();
  await once(world, cursor);
  const fetch = async (input: string | URL | Request) =>
    new Request(input).url.includes('locations%2F0') ? new Response('{}', { status }) : world.fetch(input);
  const client = world.client({ fetch });
  world.addReview('accounts/1/locations/1');
  await vi.advanceTimersByTimeAsync(6 * HOUR);
  expect(types(await once(world, cursor, {}, client).catch(({ events }) => events))).toEqual(['review.new']);
  world.addReview('accounts/1/locations/0');
  await vi.advanceTimersByTimeAsync(6 * HOUR);
  expect(types(await once(world, cursor))).toEqual(later);
});

it.each<[string, object]>([
  ['`cursor`', { cursor: {} }],
  ['`events`', { events: ['review'] }],
  ['`events`', { events: [] }],
  ['`perDay`', { perDay: 0 }],
  ['`since`', { since: 'yesterday' }],
  ['`since`', { since: '2026-02-30' }],
  ['`once`', { once: 1 }],
  ['`signal`', { signal: {} }],
  ['`sinse`', { sinse: 1 }],
])('refuses a wrong %s', (name, option) => {
  const cursor = memoryCursor();
  expect(() => watch(new World().client(), { cursor, ...option } as WatchOptions)).toThrow(name);
});

it('is a span for each look, and a count of events by type', async () => {
  const spans = new InMemorySpanExporter();
  const metrics = new InMemoryMetricExporter(AggregationTemporality.DELTA);
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }).register();
  const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 1e9 });
  api.metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  const stop = instrument(api);
  const world = new World({ listings: 1 });
  world.breakAccount(0, true, 1);
  await once(world, memoryCursor(), { events: ['connections', 'reviews'] });
  const flushed = reader.forceFlush();
  await pass(1_000);
  await flushed;
  stop();
  for (const one of [api.trace, api.context, api.metrics]) one.disable();
  const looks = spans.getFinishedSpans().filter(({ name }) => name === 'watch');
  expect(looks.map(({ attributes }) => attributes['multilocal.watch.kind'])).toEqual(['connections', 'reviews']);
  const found = metrics.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  const points = found.filter(({ descriptor }) => descriptor.name === 'multilocal.watch.events')[0]?.dataPoints;
  expect(points?.map(({ attributes, value }) => [attributes, value])).toEqual([
    [{ 'multilocal.event.type': 'connection.lost' }, 1],
  ]);
});
