// `extra`: what a call sends when several sources name a parameter, and what no source may send.
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  type Client,
  InvalidRequestError,
  MissingBulleIdError,
  MissingFicheIdError,
  type RequestOptions,
} from '../../src/index.js';
import { answering, caught, makeClient, makePage, unsent } from '../support/clients.js';
import { ARTICLE, SPHERE_IDENTITY } from '../support/fixtures.js';
import { json, stubFetch } from '../support/stub-fetch.js';

type Act = (client: Client) => PromiseLike<unknown>;

/** A call that is refused because of the value at this path, and sends nothing. */
async function refused(call: Act, path: unknown) {
  const error = await unsent(call);
  expect(error.issues).toMatchObject([{ path }]);
  return error;
}

const DAYS = { date_start: '2026-10-01', date_end: '2026-10-31' };
const POST = { content: 'Pain', platforms: ['facebook'] } as const;

describe('the source nearest to the call wins', () => {
  const extra = { platforms: ['threads'] };
  const viewOf = (client: Client) => client.withOptions({ extra: { ...extra, tone: 'warm' } });
  const long = { content: 'x'.repeat(6000) };
  const LOST = { a: undefined, content: undefined };

  it.each<[string, Act, unknown]>([
    ['extra over a parameter', (c) => c.posts.create({ ...POST }, { extra }), { ...POST, ...extra }],
    ['extra of any value', (c) => c.posts.create({ ...POST }, { extra: long }), { ...POST, ...long }],
    [
      'extra of a read',
      (c) => c.posts.list({ limit: 10 }, { extra: { limit: 500, a: 'b' } }),
      { limit: '500', a: 'b' },
    ],
    [
      'extra of a route',
      (c) => c.request({ method: 'POST', path: '/x', body: { a: 1, b: 1 } }, { extra: { b: 2 } }),
      { a: 1, b: 2 },
    ],
    [
      'extra over undefined in a query',
      (c) => c.request({ method: 'GET', path: '/x', query: { a: 1, b: undefined } }, { extra: { a: 2 } }),
      { a: '2' },
    ],
    ['a parameter over a view', (c) => viewOf(c).posts.create({ ...POST }), { ...POST, tone: 'warm' }],
    [
      'a view over nothing',
      (c) => viewOf(c).posts.create({ content: 'Pain' } as never),
      { content: 'Pain', ...extra, tone: 'warm' },
    ],
    [
      'extra of the call over a view over undefined',
      (c) => viewOf(c).posts.create({ content: 'Pain', platforms: undefined } as never, { extra: { tone: 'cold' } }),
      { content: 'Pain', ...extra, tone: 'cold' },
    ],
    [
      'a view over undefined in a body',
      (c) => viewOf(c).request({ method: 'POST', path: '/x', body: { tone: undefined } }),
      { ...extra, tone: 'warm' },
    ],
    [
      'a query over a view over undefined',
      (c) => viewOf(c).request({ method: 'GET', path: '/x', query: { tone: undefined, platforms: 'gmb' } }),
      { platforms: 'gmb', tone: 'warm' },
    ],
    [
      'undefined names nothing',
      (c) => c.withOptions({ extra: { a: 1 } }).posts.create({ ...POST }, { extra: LOST }),
      { ...POST, a: 1 },
    ],
    ['on client.dryRun', (c) => c.dryRun.posts.create({ ...POST }, { extra }), { ...POST, ...extra, dry_run: true }],
  ])('%s', async (_, call, expected) => {
    const { client, sent } = answering({ dry_run: true });
    await call(client);
    expect(sent()).toEqual(expected);
  });

  it('also for posts.check', async () => {
    const each = { max_size_mb: 8, carousel_min: null, carousel_max: null, max_duration_sec: null };
    const named = { instagram: each, facebook: each, linkedin: each, pinterest: each, gmb: each };
    const limits = { character_limits: {}, image_limits: named, video_limits: named };
    const fetch = stubFetch(({ url }, at) => json(url.pathname.endsWith('limits') ? limits : [])({ url } as never, at));
    const client = makeClient({ fetch });
    const { issues } = await client.posts.check({ ...POST }, { extra: { ...extra, content: 7, image_urls: 5 } });
    expect(issues).toMatchObject([{ platform: 'threads', code: 'not_connected' }]);
    expect(fetch.calls.map(({ url }) => url.search)).toEqual(['', '']);
  });
});

describe('a parameter of extra is not checked', () => {
  it.each<[string, Act, unknown]>([
    [
      'a required one',
      (c) => c.posts.create({ content: 'a' } as never, { extra: { platforms: 7 } }),
      { content: 'a', platforms: 7 },
    ],
    [
      'one of two names',
      (c) => c.posts.create({ platforms: ['gmb'] } as never, { extra: { text: 'a' } }),
      { platforms: ['gmb'], text: 'a' },
    ],
    ['both of them', (c) => c.posts.create({ ...POST }, { extra: { text: 'a' } }), { ...POST, text: 'a' }],
    [
      'a list with a rule',
      (c) => c.reports.create({ type: 'combine', ...DAYS } as never, { extra: { fiche_ids: 5 } }),
      { type: 'combine', ...DAYS, fiche_ids: 5 },
    ],
    [
      'one beside a single source',
      (c) => c.images.upload({ url: 'a' }, { extra: { folder: 'b' } }),
      { url: 'a', folder: 'b' },
    ],
    ['a source of another kind', (c) => c.images.upload({} as never, { extra: { asset_id: 1 } }), { asset_id: 1 }],
    [
      'the name of a property of every object',
      (c) => c.posts.update(1, {}, { extra: { constructor: 1 } }),
      { constructor: 1 },
    ],
  ])('%s', async (_, call, expected) => {
    const { client, sent } = answering({});
    await call(client);
    expect(sent()).toEqual(expected);
  });

  // The types still require it: whether `extra` has it is decided at run time. An empty value stands for it.
  it('a required one, with an empty value for the compiler', async () => {
    const { client, sent } = answering({}, { identity: SPHERE_IDENTITY });
    const extra = { platforms: ['threads'], content: 'x'.repeat(6000), bulle_id: 'b' };
    await client.posts.create({ content: '', platforms: [] }, { extra });
    expect(sent()).toEqual(extra);
    const { issues } = await caught(client.posts.create({ content: '', platforms: [] }), InvalidRequestError);
    expect(issues.map(({ path }) => path)).toEqual([['content'], ['platforms']]);
  });

  it.each<[string, string[], object, Record<string, unknown>]>([
    ['a wrong parameter beside it', ['content'], { content: 7 }, { platforms: ['threads'] }],
    ['an unknown parameter', ['contnt'], { ...POST, contnt: 'a' }, { tone: 'a' }],
    ['a missing one', ['platforms'], { content: 'a' }, { tone: 'a' }],
    [
      'a broken rule about others',
      ['publish_now'],
      { content: 'a', publish_now: true, scheduled_at: '2030-01-01T00:00:00Z' },
      { platforms: ['threads'] },
    ],
  ])('but %s is refused', async (_, path, params, extra) => {
    await refused((client) => client.posts.create(params as never, { extra }), path);
  });

  it.each<[string, RequestOptions['extra'], unknown]>([
    ['a Map', new Map([['a', 1]]) as never, ['extra']],
    ['an object in a query', { filter: { a: 1 } }, ['filter']],
    ['a function in a query', { filter: () => 1 }, ['filter']],
    ['a number that is none', { filter: Number.NaN }, ['filter']],
  ])('but %s is refused, which would be lost', async (_, extra, path) => {
    await refused((client) => client.posts.list({}, { extra }), path);
  });

  it('but a body that is no object is refused beside it', async () => {
    await refused((c) => c.request({ method: 'POST', path: '/x', body: [1] }, { extra: { a: 1 } }), ['body']);
  });

  it('but the `dry_run` of a route is never contradicted', async () => {
    const { client, fetch } = answering({});
    const view = client.withOptions({ extra: { dry_run: true } });
    const route = (dry_run: boolean) => ({ method: 'POST', path: '/seo/scan', body: { dry_run } }) as const;
    const calls = [
      () => client.request(route(true), { extra: { dry_run: false } }),
      () => view.request(route(false)),
      () => view.request({ method: 'POST', path: '/seo/scan' }, { extra: { dry_run: false } }),
    ];
    for (const call of calls)
      expect((await caught(call(), InvalidRequestError)).issues).toMatchObject([{ path: ['dry_run'] }]);
    expect(fetch.calls).toHaveLength(0);
  });

  it('but contacts in it are masked in errors like others', async () => {
    const { client } = answering({});
    const contact = { customer_name: 'A', channel: 'sms', customer_phone: '0612345678' };
    const call = client.acquisition.requestReviews({} as never, { extra: { contacts: [contact], '0612345678': 1n } });
    expect(String(await caught(call, InvalidRequestError))).not.toContain('0612345678');
  });
});

const PARIS = { extra: { bulle_id: 'paris' } };

describe('the target', () => {
  it.each<[string, Act, string]>([
    ['the view', (c) => c.forBulle('lyon').posts.list(), 'lyon'],
    ['a parameter', (c) => c.forBulle('lyon').posts.list({ bulle_id: 'paris' }), 'paris'],
    ['extra of the call', (c) => c.forBulle('lyon').posts.list({}, { extra: { bulle_id: 'paris' } }), 'paris'],
    ['extra over a parameter', (c) => c.posts.list({ bulle_id: 'lyon' }, { extra: { bulle_id: 'paris' } }), 'paris'],
    ['extra of a view', (c) => c.forBulle('lyon').withOptions(PARIS).posts.list(), 'paris'],
    ['a view over extra of an outer one', (c) => c.withOptions(PARIS).forBulle('lyon').posts.list(), 'lyon'],
    ['the last of three views', (c) => c.forBulle('lyon').withOptions(PARIS).forBulle('nice').posts.list(), 'nice'],
    [
      'the second page of an iteration',
      (c) => c.withOptions(PARIS).forBulle('lyon').posts.list({ limit: 1 }).toArray({ limit: 2 }),
      'lyon',
    ],
    ['another option of a view', (c) => c.withOptions(PARIS).forBulle('lyon').withOptions({}).posts.list(), 'lyon'],
    ['extra where the route takes no target', (c) => c.withOptions(PARIS).forBulle('lyon').posts.get(1), 'paris'],
    [
      'a sync',
      (c) =>
        c
          .forBulle('lyon')
          .articles.sync({}, { extra: { bulle_id: 'paris' } })
          .next(),
      'paris',
    ],
  ])('is named by %s', async (_, call, bulle_id) => {
    const { client, sent } = answering([{ id: 1 }]);
    await Promise.resolve(call(client)).catch(() => {});
    expect(sent()).toMatchObject({ bulle_id });
  });

  it('that extra names is not missing, and null names none', async () => {
    const { client, fetch } = answering({}, { identity: SPHERE_IDENTITY });
    await client.posts.create({ ...POST }, { extra: { bulle_id: 'paris' } });
    await client.reviews.list({}, { extra: { fiche_id: 'f' } });
    await client.images.generate({ prompt: 'a' }, { extra: { align_with_brand: false } });
    expect(fetch.calls).toHaveLength(3);
    await caught(client.posts.create({ ...POST, bulle_id: 'b' }, { extra: { bulle_id: null } }), MissingBulleIdError);
    await caught(client.reviews.list({ fiche_id: 'f' }, { extra: { fiche_id: null } }), MissingFicheIdError);
    expect(fetch.calls).toHaveLength(3);
  });
});

describe('half a surrogate pair', () => {
  const CUT = 'Joyeux Noël 🎄'.slice(0, -1);
  const contact = { customer_name: 'A', channel: 'email', customer_email: 'a@b.test', custom_message: CUT } as const;
  it.each<[string, Act, unknown[]]>([
    ['a text', (c) => c.posts.create({ ...POST, content: CUT }), ['content']],
    ['a text of posts.check', (c) => c.posts.check({ ...POST, content: CUT }), ['content']],
    ['a nested text', (c) => c.acquisition.requestReviews({ contacts: [contact] }), ['contacts', 0, 'custom_message']],
    [
      'a key',
      (c) => c.posts.create({ ...POST, content_per_platform: { '\ud83c': 1 } }),
      ['content_per_platform', '\ufffd'],
    ],
    ['a query', (c) => c.reviews.list({ keyword: CUT }), ['keyword']],
    ['extra of a query', (c) => c.posts.list({}, { extra: { tags: ['a', CUT] } }), ['tags']],
    ['a name in a query', (c) => c.posts.list({}, { extra: { 'a\ud83c': 1 } }), ['a\ufffd']],
    ['an id', (c) => c.bulles.get(CUT), ['bulle_id']],
    ['a body of a route', (c) => c.request({ method: 'POST', path: '/x', body: [{ a: CUT }] }), [0, 'a']],
    ['a String', (c) => c.request({ method: 'POST', path: '/x', body: { a: new String(CUT) } }), ['a']],
    ['a path', (c) => c.request({ method: 'GET', path: `/${CUT.at(-1)}` }), ['path']],
  ])('in %s is refused with its place', async (_, call, path) => {
    const { message } = await refused(call, path);
    expect(message).not.toMatch(/\p{Surrogate}/u);
  });

  it('whole pairs are sent', async () => {
    const { client, sent } = answering({});
    await client.posts.create({ ...POST, content: '🎄👩‍👩‍👧' });
    expect(sent()).toMatchObject({ content: '🎄👩‍👩‍👧' });
  });
});

describe('dates', () => {
  const FILTERS: [string, (client: Client, date: never) => PromiseLike<unknown>][] = [
    ['updated_since', (c, updated_since) => c.articles.list({ updated_since })],
    ['since', (c, since) => c.articles.list({ since })],
    ['since', (c, since) => c.articles.changes({ since }).next()],
    ['date_from', (c, date_from) => c.reviews.list({ date_from })],
    ['date_to', (c, date_to) => c.reviews.list({ date_to })],
    ['since', (c, since) => c.posts.findRecent({ content: 'a', since })],
    ['since', (c, since) => c.reports.wait({ report_name: 'a', since })],
    ['scheduled_at', (c, scheduled_at) => c.posts.update(1, { scheduled_at })],
  ];
  const WRONG = ['yesterday', '01/02/2026', '20260101', '2027-02-30', '2026-01-01T25:00', '0000-01-01', ' 2026-01-01'];

  it.each(FILTERS)('that do not exist are refused: %s', async (name, call) => {
    const { client, fetch } = answering({});
    const far = [-62_167_219_200_000 - 1, Date.UTC(10_000, 0)].map((time) => new Date(time));
    for (const date of [...WRONG, ...far, new Date(Number.NaN)]) {
      const error = await caught(call(client, date as never), InvalidRequestError);
      expect(error.issues, String(date)).toMatchObject([{ path: [name] }]);
    }
    expect(fetch.calls).toHaveLength(0);
  });

  it.each(FILTERS.filter((_, index) => index !== 5 && index !== 6))(
    'of another realm are dates: %s',
    async (_, call) => {
      const { client, sent } = answering({});
      // A walk rejects, because the answer has no articles.
      await Promise.resolve(call(client, runInNewContext('new Date(1e12)') as never)).catch(() => {});
      expect(Object.values(sent() as object)).toContain('2001-09-09T01:46:40.000Z');
    },
  );

  it('with a space go as they are', async () => {
    const { client, sent } = answering({});
    await client.articles.list({ updated_since: '2026-11-02 08:00:00.123456+00' });
    expect(sent()).toEqual({ updated_since: '2026-11-02 08:00:00.123456+00' });
  });

  it('of another realm are dates in extra and routes, and those of ArticlesClient too', async () => {
    const at = runInNewContext('new Date(1e12)') as Date;
    const { client, sent, fetch } = answering({});
    const written = '2001-09-09T01:46:40.000Z';
    await client.posts.list({}, { extra: { at } });
    expect(sent()).toEqual({ at: written });
    await client.request({ method: 'GET', path: '/x', query: { at } });
    expect(sent()).toEqual({ at: written });
    await makePage({ fetch, validation: 'off' }).list({ since: at });
    expect(sent()).toEqual({ since: written });
  });
});

describe('paging names in extra place the first page, and an iteration goes on from there', () => {
  const rows = Array.from({ length: 23 }, (_, index) => ({ id: index, review_id: String(index) }));
  /** A service of `rows`, at most `limit` of them on a page. */
  const serve = () =>
    stubFetch((seen, at) => {
      const asked = (name: string) => Number(seen.url.searchParams.get(name) ?? 0);
      const limit = asked('limit') || 5;
      const pages = seen.url.searchParams.get('page');
      const start = pages ? (Number(pages) - 1) * limit : asked('offset');
      const items = rows.slice(start, start + limit);
      const total_pages = Math.ceil(rows.length / limit);
      return json(pages ? { reviews: items, filtered_count: rows.length, total_pages } : items)(seen, at);
    });

  it.each<[string, number, (client: Client) => AsyncIterable<object>]>([
    ['offset', 10, (c) => c.posts.list({ limit: 5 }, { extra: { offset: 10 } })],
    ['offset over a parameter, as text', 10, (c) => c.posts.list({ limit: 5, offset: 3 }, { extra: { offset: '10' } })],
    ['offset of a view', 10, (c) => c.withOptions({ extra: { offset: 10 } }).posts.list()],
    ['a parameter over a view', 3, (c) => c.withOptions({ extra: { offset: 10 } }).posts.list({ offset: 3 })],
    ['a size of its own', 0, (c) => c.posts.list({ limit: 2 }, { extra: { limit: 7 } })],
    ['page', 10, (c) => c.reviews.list({ limit: 5 }, { extra: { page: 3 } })],
    ['page as text', 10, (c) => c.reviews.list({ limit: 5, page: 1 }, { extra: { page: '3' } })],
  ])('%s', async (_, first, list) => {
    const found: unknown[] = [];
    for await (const item of list(makeClient({ fetch: serve(), validation: 'off' }))) found.push(Object(item).id);
    expect(found).toEqual(rows.slice(first).map(({ id }) => id));
  });

  /** Seven of them have one timestamp, and a page has five. */
  const at = (id: number) => `2026-01-01T00:00:${String(id > 11 && id < 19 ? 12 : id).padStart(2, '0')}Z`;
  const articles = rows.map(({ id }) => ({ ...ARTICLE, id, updated_at: at(id) }));
  const serveArticles = () =>
    stubFetch((seen, at) => {
      const { searchParams } = seen.url;
      const since = searchParams.get('updated_since');
      const offset = Number(searchParams.get('offset') ?? 0) || (Number(searchParams.get('page') ?? 1) - 1) * 5;
      const found = articles.filter(({ updated_at }) => since === null || updated_at > since);
      const page = { articles: found.slice(offset, offset + 5), total: found.length, limit: 5, offset };
      return json(page)(seen, at);
    });

  it.each<[string, (client: Client) => AsyncIterable<{ id: number }>]>([
    ['articles.list', (c) => c.articles.list({}, { extra: { offset: 10 } })],
    ['articles.list since a date', (c) => c.articles.list({ updated_since: '2020-01-01' }, { extra: { offset: 10 } })],
    ['articles.list of a view', (c) => c.withOptions({ extra: { offset: 10 } }).articles.list()],
    ['articles.list by page', (c) => c.articles.list({}, { extra: { page: 3 } })],
    ['articles.changes', (c) => c.articles.changes({}, { extra: { offset: 10 } })],
    ['articles.changes since extra', (c) => c.articles.changes({}, { extra: { updated_since: at(9) } })],
  ])('%s', async (_, list) => {
    const found: number[] = [];
    for await (const { id } of list(makeClient({ fetch: serveArticles() }))) found.push(id);
    expect(found).toEqual(rows.slice(10).map(({ id }) => id));
  });
});
