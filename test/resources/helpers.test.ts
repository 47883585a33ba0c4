import { describe, expect, it } from 'vitest';
import { isReactive, reactive, ref } from 'vue';
import {
  type Client,
  type CreatedPost,
  InvalidRequestError,
  InvalidResponseError,
  postStatusByPlatform,
  searchConsoleRows,
  type TemporalMoment,
} from '../../src/index.js';
import { aPost, BODIES } from '../spec/bodies.js';
import { caught, makeClient, makePage, thrown } from '../support/clients.js';
import { ARTICLE, deepFreeze, LIST, PUBLICATION } from '../support/fixtures.js';
import { json, stubFetch } from '../support/stub-fetch.js';

const AT = '2026-12-01T08:00:00+00:00';
const created = BODIES['posts.create'] as CreatedPost;

describe('postStatusByPlatform', () => {
  it('groups the flat fields of the targeted platforms, in the order of the post', () => {
    const fields = { scheduled_gmb: AT, published_facebook: AT, error_gmb: 'refusé' };
    const post = aPost({ platforms: ['gmb', 'facebook'], ...fields, platform_refs: { facebook: 'fb_1' } });
    const status = postStatusByPlatform(deepFreeze(post));
    expect(status).toEqual({
      gmb: { scheduled: AT, published: null, error: 'refusé', ref: null },
      facebook: { scheduled: null, published: AT, error: null, ref: 'fb_1' },
    });
    expect(Object.keys(status)).toEqual(['gmb', 'facebook']);
  });

  const none = { scheduled: null, published: null, error: null, ref: null };
  const bare = aPost({ platforms: [] });
  const later = { scheduled_threads: AT, published_threads: null, error_threads: null };
  const others = { scheduled_at: AT, published_at: AT, error_message: 'non', error_code: 7 };
  it.each<[string, object, object]>([
    ['a platform that is not targeted', { ...bare, error_tiktok: 'x' }, { tiktok: { error: 'x' } }],
    ['one with a reference', { ...bare, platform_refs: { youtube: { id: 7 } } }, { youtube: { ref: { id: 7 } } }],
    ['nothing for a post without platforms', bare, {}],
    ['one of later', { ...bare, platforms: ['threads'], published_threads: AT }, { threads: { published: AT } }],
    ['one of later that is not targeted', { ...bare, ...later }, { threads: { scheduled: AT } }],
    ['no other fields', { ...bare, ...others }, {}],
    ['those of the response of posts.create', created, { facebook: { scheduled: '2026-12-01T08:00:00Z' } }],
  ])('includes %s', (_, post, expected) => {
    const whole = Object.entries(expected).map(([name, fields]) => [name, { ...none, ...fields }]);
    expect(postStatusByPlatform(post as CreatedPost)).toEqual(Object.fromEntries(whole));
  });

  it('is not misled by names that every object has', () => {
    const post = aPost({ platforms: ['constructor', '__proto__', 'toString'], platform_refs: null });
    const status = postStatusByPlatform(post);
    for (const name of post.platforms) {
      expect(Object.hasOwn(status, name)).toBe(true);
      expect(Object.getOwnPropertyDescriptor(status, name)?.value).toEqual(none);
    }
    expect(Object.getPrototypeOf(status)).toBe(Object.prototype);
  });
});

// What `validation: 'warn'` lets through.
it.each<[string, () => unknown]>([
  ['searchConsoleRows', () => searchConsoleRows({} as never)],
  ['searchConsoleRows', () => searchConsoleRows({ dimensions: [], rows: null } as never)],
  ['searchConsoleRows', () => searchConsoleRows({ dimensions: ['query'], rows: [{ clicks: 1 }] } as never)],
  ['postStatusByPlatform', () => postStatusByPlatform({} as never)],
  ['postStatusByPlatform', () => postStatusByPlatform(null as never)],
])('%s throws a typed error for another shape', (operation, call) => {
  expect(thrown(call, InvalidResponseError)).toMatchObject({ operation, code: 'invalid_response' });
});

describe('searchConsoleRows', () => {
  const figures = { clicks: 3, impressions: 30, ctr: 0.1, position: 4.2 };

  it('names the keys by the dimensions of the report', () => {
    const report = deepFreeze({
      dimensions: ['page', 'query'],
      rows: [
        { keys: ['/pain', 'levain'], ...figures },
        { keys: ['/', 'pain'], ...figures },
      ],
    });
    expect(searchConsoleRows(report)).toEqual([
      { page: '/pain', query: 'levain', ...figures },
      { page: '/', query: 'pain', ...figures },
    ]);
  });

  it('has only figures without dimensions, and omits a missing key', () => {
    expect(searchConsoleRows({ dimensions: [], rows: [{ keys: [], ...figures }] })).toEqual([figures]);
    expect(searchConsoleRows({ dimensions: ['query', 'date'], rows: [{ keys: ['pain'], ...figures }] })).toEqual([
      { query: 'pain', ...figures },
    ]);
    expect(searchConsoleRows({ dimensions: ['query'], rows: [] })).toEqual([]);
  });

  it('names unknown dimensions, keeps new fields of rows, and loses no figure', () => {
    const row = { keys: ['x', 'y'], ...figures, brand_new: 1 };
    expect(searchConsoleRows({ dimensions: ['hour', 'clicks'], rows: [row] })).toEqual([
      { hour: 'x', ...figures, brand_new: 1 },
    ]);
  });
});

// A client in the state of a framework: private fields do not work through its proxies.
describe('a client in the state of a framework', () => {
  const client = makeClient({ fetch: stubFetch(json(ARTICLE)) });

  it.each([
    ['Client', client],
    ['a view', client.forBulle('b-1')],
    ['a view of other options', client.withOptions({ maxRetries: 0 }).forFiche('f-1')],
    ['dryRun', client.dryRun],
  ])('%s works in `reactive` and `ref`', async (_, one) => {
    expect(await reactive({ one }).one.articles.get(42)).toEqual(ARTICLE);
    expect(await ref(one).value.articles.get(42)).toEqual(ARTICLE);
    expect(reactive({ one }).one.identity).toBeUndefined();
  });

  it('ArticlesClient works in `reactive` and `ref`', async () => {
    const page = makePage({ fetch: stubFetch(json(LIST)) });
    expect(await reactive({ page }).page.list()).toEqual(LIST);
    expect(await ref(page).value.list()).toEqual(LIST);
  });

  it('all of it works behind the proxy of another framework, too', async () => {
    const behind = new Proxy(client, {});
    expect(await new Proxy(behind.articles, {}).get(42)).toEqual(ARTICLE);
    expect(await behind.request({ method: 'GET', path: '/articles/42' })).toEqual(ARTICLE);
    expect(await new Proxy(behind.forBulle('b-1').dryRun, {}).articles.get(42)).toEqual(ARTICLE);
    expect(behind.dryRun).toBe(client.dryRun);
    expect(`${behind.identity} ${behind.scope}`).toBe('undefined undefined');
    expect((await behind.budget()).minute.limit).toBe(60);
    const page = new Proxy(makePage({ fetch: stubFetch(json(LIST)) }), {});
    expect(await page.list().toArray()).toEqual(LIST.articles);
  });

  it.each(Object.keys({ ...client }))('every method of %s works behind it', async (name) => {
    const namespace = Reflect.get(client, name) as object;
    const behind = new Proxy(namespace, {}) as Record<string, (...given: unknown[]) => unknown>;
    for (const method of Object.getOwnPropertyNames(Object.getPrototypeOf(namespace))) {
      if (method === 'constructor') continue;
      const started = (async () => behind[method]?.())();
      const ending = started.then((one) => (Object(one).next ? (one as AsyncGenerator).next() : one));
      const error = await ending.then(() => '', String);
      expect(error, method).not.toMatch(/^TypeError/);
    }
  });

  it('so do the namespaces, and those within them', () => {
    const { constructor: _, ...namespaces } = client;
    const inner = Object.values(namespaces).flatMap((namespace) => Object.values(namespace));
    expect(inner.length).toBeGreaterThan(1);
    for (const namespace of [...Object.values(namespaces), ...inner]) {
      expect(isReactive(reactive({ namespace }).namespace), namespace.constructor.name).toBe(false);
    }
  });
});

describe('the moment to publish', () => {
  /** An object of a polyfill, or of a runtime that has `Temporal`. */
  const temporal = (type: string, date: string) =>
    Object.defineProperty({ epochMilliseconds: Date.parse(date) }, Symbol.toStringTag, { value: `Temporal.${type}` });

  const NINE = '2026-12-24T09:00:00+01:00';

  async function sent(call: (client: Client) => PromiseLike<unknown>): Promise<unknown> {
    const fetch = stubFetch(json(PUBLICATION));
    await call(makeClient({ fetch, validation: 'off' }));
    return JSON.parse(fetch.calls[0]?.body ?? '');
  }

  const post = { content: 'Pain', platforms: ['gmb'], bulle_id: 'b' } as const;

  it.each<[string, string | Date | TemporalMoment, string]>([
    ['an instant', temporal('Instant', NINE), '2026-12-24T08:00:00.000Z'],
    ['a date-time with a zone', temporal('ZonedDateTime', NINE), '2026-12-24T08:00:00.000Z'],
    ['the string of one', `${NINE}[Europe/Paris]`, NINE],
    ['in summer', '2026-07-14T09:00:00+02:00[Europe/Paris]', '2026-07-14T09:00:00+02:00'],
    ['with nanoseconds', '2026-12-24T09:00:00.123456789+01:00[Europe/Paris]', '2026-12-24T09:00:00.123456789+01:00'],
    ['the first of two equal hours', '2026-10-25T02:30:00+02:00[Europe/Paris]', '2026-10-25T02:30:00+02:00'],
    ['the second of two equal hours', '2026-10-25T02:30:00+01:00[Europe/Paris]', '2026-10-25T02:30:00+01:00'],
    ['west of Greenwich', '2026-12-24T09:00-03:30[America/St_Johns]', '2026-12-24T09:00-03:30'],
    ['in UTC', '2026-12-24T09:00:00+00:00[UTC]', '2026-12-24T09:00:00+00:00'],
    ['in a zone that is an offset', `${NINE}[+01:00]`, NINE],
    ...[
      '[!Europe/Paris]',
      '[Europe/Paris][u-ca=iso8601]',
      '[!Europe/Paris][!u-ca=islamic-umalqura]',
      '[u-ca=hebrew]',
      '[Europe/Paris][u-ca=hebrew][x=1]',
    ].map((suffix): [string, string, string] => [suffix, `${NINE}${suffix}`, NINE]),
    ['a string without a zone, unchanged', '2026-12-24T09:00:00.5+0100', '2026-12-24T09:00:00.5+0100'],
    ['a Date', new Date(NINE), '2026-12-24T08:00:00.000Z'],
  ])('%s', async (_, scheduled_at, written) => {
    const scheduled = { scheduled_at: written };
    const social = { text: 'Pain', platforms: ['gmb'], bulle_id: 'b' } as const;
    const bodies = [
      await sent(({ posts }) => posts.create({ ...post, scheduled_at })),
      await sent(({ posts }) => posts.create({ ...post, scheduled_gmb: scheduled_at })),
      await sent(({ posts }) => posts.update(1, { scheduled_at })),
      await sent(({ articles }) => articles.publish(42, { scheduled_at })),
      await sent((client) => client.social.publish({ ...social, scheduled_at })),
    ];
    const wanted = [{ ...post, ...scheduled }, { ...post, scheduled_gmb: written }, scheduled, scheduled];
    expect(bodies).toEqual([...wanted, { ...social, ...scheduled }]);
  });

  it.each<[string, (client: Client, since: TemporalMoment) => PromiseLike<unknown>, name?: string]>([
    ['articles.list', (client, updated_since) => client.articles.list({ updated_since }), 'updated_since'],
    ['articles.changes', (client, since) => client.articles.changes({ since }).next(), 'updated_since'],
    ['reviews.list', (client, date_from) => client.reviews.list({ date_from }), 'date_from'],
    ['posts.findRecent', (client, since) => client.posts.findRecent({ content: 'a', since })],
  ])('%s takes a moment of Temporal', async (_, call, name) => {
    const fetch = stubFetch(json([]));
    await Promise.resolve(call(makeClient({ fetch }), temporal('ZonedDateTime', NINE))).catch(() => {});
    const query = Object.fromEntries(fetch.calls[0]?.url.searchParams ?? []);
    expect(name && query[name]).toBe(name && '2026-12-24T08:00:00.000Z');
    expect(fetch.calls).toHaveLength(1);
  });

  it.each<[string, unknown]>([
    ['a day that no calendar has', '2027-02-30T09:00:00+01:00'],
    ['a day that no calendar has, with a zone', '2027-02-30T09:00:00+01:00[Europe/Paris]'],
    ['an offset that the zone does not have then', '2026-12-24T09:00:00+02:00[Europe/Paris]'],
    ['Z in a zone with another offset', '2026-12-24T09:00:00Z[Europe/Paris]'],
    ['another offset than the zone is', `${NINE}[+02:00]`],
    ['a zone that nobody knows', `${NINE}[Europe/Lyon]`],
    ['a zone without an offset', '2026-12-24T09:00:00[Europe/Paris]'],
    ['two zones', `${NINE}[Europe/Paris][Europe/Paris]`],
    ['an offset that a critical zone does not have', '2026-12-24T09:00:00+02:00[!Europe/Paris][u-ca=hebrew]'],
    ['a zone after the calendar', `${NINE}[u-ca=hebrew][Europe/Paris]`],
    ['a suffix that must not be ignored', `${NINE}[Europe/Paris][!x=1]`],
    ['a date without a zone', temporal('PlainDateTime', NINE)],
    ['an instant that is none', temporal('Instant', 'demain')],
    ['what only looks like an instant', { epochMilliseconds: Date.parse(NINE) }],
  ])('refuses %s', async (what, scheduled_at) => {
    const fetch = stubFetch(json({}));
    const call = makeClient({ fetch }).posts.create({ ...post, scheduled_at: scheduled_at as Date });
    const { issues, message } = await caught(call, InvalidRequestError);
    expect(issues.map(({ path }) => path)).toEqual([['scheduled_at']]);
    expect(message.includes('names an unknown time zone')).toBe(what === 'a zone that nobody knows');
    expect(fetch.calls).toHaveLength(0);
  });
});
