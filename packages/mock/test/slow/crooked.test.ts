// What each deviation of `crooked` changes on the wire, and that it changes nothing else.
import { spec } from '@multilocal/test/spec/endpoints';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createMockApi, type MockApiOptions, type MockDeviation, mockDeviations } from '../../src/index.js';
import { call, NOW, sampleOf, send } from '../helpers.js';

// The clock stands still, so that two mocks respond equally.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));

const readNames = spec.filter(({ method }) => method === 'GET').map(({ operation }) => operation);

/** The reads. Lists have an `offset`, and neither `limit` nor `status`. */
const READS: Record<string, string> = {
  ...Object.fromEntries(readNames.map((name) => [name, sampleOf(name).line])),
  'seo.competitors': 'GET /seo/data?kind=competitors&bulle_id=bul_lyon_croix_rousse',
  'posts.list': 'GET /posts?offset=20',
  'posts.get': 'GET /posts/3',
  'social.get': 'GET /social/posts/soc_3',
  'articles.list': 'GET /articles?offset=20',
  'articles.get': 'GET /articles/3',
};

/** Errors, also one of the route that `ok-errors` changes. */
const ERRORS: Record<string, string> = {
  'error 404': 'GET /articles/777',
  'error 400': 'GET /visibility/scan',
  'error 422': 'GET /posts?limit=0',
};

const CHANGES = ['posts.create', 'posts.update', 'posts.publish', 'social.publish', 'seo.trackedKeywords.create'];
const PREVIEWS = ['posts.create', 'posts.publish', 'social.publish', 'articles.publish'];
const WRITES = Object.fromEntries([
  ...CHANGES.map((name) => [name, sampleOf(name)] as const),
  ...PREVIEWS.map((name) => [`${name}, dry`, sampleOf(name, { dry_run: true })] as const),
]);

const ALL = [...Object.keys(READS), ...Object.keys(ERRORS), ...Object.keys(WRITES)];

interface Wire {
  status: number;
  headers: Record<string, string>;
  text: string;
}

async function wireOf(response: Response): Promise<Wire> {
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
}

/** What a mock responds to every request above. Each write has a mock of its own. */
async function wire(options: MockApiOptions = {}): Promise<Record<string, Wire>> {
  const create = () => createMockApi({ now: NOW, ...options });
  const api = create();
  const seen: Record<string, Wire> = {};
  for (const [name, line] of Object.entries({ ...READS, ...ERRORS })) {
    seen[name] = await wireOf(await send(api, line));
    if (name in READS) expect(api.requests.at(-1)?.operation).toBe(name);
  }
  for (const [name, { line, body }] of Object.entries(WRITES))
    seen[name] = await wireOf(await send(create(), line, { body }));
  return seen;
}

/** An object or a list of the wire: the tests say which of the two, and what it holds. */
type Json = Readonly<Record<string, never>> & readonly Json[];
/** What the crooked body must be. */
type Look = (straight: Json, crooked: Json) => unknown;

/** The test below reads its headers, or its page. */
const anything: Look = (_, crooked) => crooked;
const each =
  (change: (item: Json, index: number) => unknown): Look =>
  (list) =>
    list.map(change);
/** A change of the JSON text. */
const rewritten =
  (pattern: RegExp, by: (...found: string[]) => string): Look =>
  (straight) =>
    JSON.parse(JSON.stringify(straight).replace(pattern, by));

const ids = (list: readonly Json[]) => list.map(({ id }) => id);
const archived = (item: Json) => (Number(item.id) % 3 === 0 ? { ...item, status: 'archived' } : item);
const untitled = (article: Json) => ({ ...article, title: null, excerpt: null });
const inArticles =
  (change: (article: Json) => unknown): Look =>
  ({ articles, ...others }) => ({ ...others, articles: (articles as unknown as Json).map(change) });

const naive = rewritten(/\+00:00"/g, () => '"');
const inWholeSeconds = rewritten(/\.\d+\+00:00"/g, () => 'Z"');
const inCamelCase = rewritten(/"\w+":/g, (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()));

const published: Look = (straight, crooked) => {
  expect(straight).toHaveProperty('dry_run', true);
  expect(JSON.stringify(crooked)).not.toMatch(/dry_run|would_/);
  return crooked;
};

const oldestFirst: Look = (straight, crooked) => {
  const [newest = '', oldest = '', next = ''] = [straight[0], ...crooked].map((one) => String(one?.generated_at));
  expect(oldest < newest && oldest < next).toBe(true);
  expect(crooked).toHaveLength(2);
  return crooked;
};

/** Removes the two fields, and counts them. */
const widened: Look = (straight, crooked) => {
  const left = JSON.stringify(crooked).replaceAll(/,"revision":1,"labels":\[\]/g, '');
  expect(JSON.parse(left)).toEqual(straight);
  expect(JSON.stringify(crooked).length).toBeGreaterThan(left.length);
  return crooked;
};

const errors = (look: Look) => Object.fromEntries(Object.keys(ERRORS).map((name) => [name, look]));
const everywhere = (look: Look) => Object.fromEntries(ALL.map((name) => [name, look]));

/** Where each deviation shows, and how. */
const SHOWS: Record<MockDeviation, Record<string, Look>> = {
  'default-limit': {
    'articles.list': (all) => ({ ...all, limit: 5, articles: [...(all.articles ?? [])].slice(0, 5) }),
  },
  'default-status': { 'articles.list': (_, crooked) => ({ ...crooked, total: 240 }) },
  'offset-ignored': {
    'articles.list': (_, crooked) => ({ ...crooked, offset: 0, limit: 50 }),
    'posts.list': (straight, crooked) => [...crooked.slice(0, 20), ...straight.slice(0, 30)],
  },
  'offset-not-echoed': { 'articles.list': ({ offset: _, ...others }) => others },
  'posts-oldest-first': { 'posts.list': (_, crooked) => crooked.map((post, index) => ({ ...post, id: index + 21 })) },
  'reports-oldest-first': { 'reports.list': oldestFirst },
  'updated-at-moves': {
    'articles.get': (article) => ({ ...article, updated_at: expect.stringMatching(/^2026-11-14T09:30:00\.000/) }),
  },
  'dry-run-ignored': { 'posts.create, dry': published, 'social.publish, dry': published },
  'numbers-as-strings': {
    'reviews.summary': (all) => ({ ...all, average_rating: `${all.average_rating}`, total_reviews: '34' }),
  },
  'ids-as-strings': { 'sites.list': each((site) => ({ ...site, id: `${site.id}` })) },
  'missing-fields': {
    'reports.list': each(({ report_name: _, ...others }) => others),
    'connections.list': each(({ name: _, ...others }) => others),
  },
  'null-fields': {
    'articles.list': inArticles(untitled),
    'articles.get': untitled,
    'qrCodes.list': each((code) => ({ ...code, name: null })),
  },
  'new-words': {
    'posts.list': each(archived),
    'posts.get': archived,
    'articles.list': inArticles(archived),
    'articles.get': archived,
    'connections.list': (all) => [...all, { ...all.at(-1), platform: 'threads' }],
  },
  'camel-case': { 'seo.trackedKeywords.list': inCamelCase, 'seo.trackedKeywords.create': inCamelCase },
  'dates-without-offset': {
    ...{ 'posts.list': naive, 'posts.get': naive, 'posts.update': naive, 'posts.publish': naive },
    ...{ 'posts.create': naive, 'posts.create, dry': naive },
  },
  'mixed-dates': { 'qrCodes.list': each((code, index) => (index % 2 === 1 ? inWholeSeconds(code, code) : code)) },
  'unix-dates': {
    'gmb.optimizer.score': (all) => ({ ...all, scored_at: Math.floor(Date.parse(all.scored_at ?? '') / 1000) }),
  },
  'ninth-platform': { 'platforms.limits': rewritten(/"threads"/, () => '"bluesky"') },
  'quota-names': {
    'social.quota': () => ({
      ...{ bulle_id: 'bul_lyon_croix_rousse', monthly_limit: 60, monthly_used: 0, monthly_left: 60 },
      next_reset: '2026-12-01T00:00:00.000000+00:00',
    }),
  },
  'wrapped-lists': { 'connections.list': (data) => ({ data }) },
  'ok-errors': { 'visibility.scan': () => ({ detail: expect.any(String) }) },
  'extra-fields': everywhere(widened),
  'error-keys': errors(({ detail: message }) => ({ code: expect.any(Number), message })),
  'html-errors': errors(anything),
  'clock-behind': {
    ...everywhere(anything),
    health: (health) => ({ ...health, timestamp: '2026-11-14T09:20:00.000000+00:00' }),
  },
  'rate-headers': everywhere(anything),
};

const json = (text: string): Json => {
  try {
    return JSON.parse(text);
  } catch {
    return {} as Json;
  }
};

describe('crooked', () => {
  // Once: the clock stands still, so every straight mock responds equally.
  let asked: Record<string, Wire> | undefined;

  test.each(Object.entries(SHOWS))('%s', async (name, shows) => {
    asked ??= await wire();
    const straight = asked;
    const crooked = await wire({ crooked: [name as MockDeviation] });
    const differing = ALL.filter((one) => JSON.stringify(straight[one]) !== JSON.stringify(crooked[one]));
    expect(differing.sort()).toEqual(Object.keys(shows).sort());
    for (const [one, look] of Object.entries(shows)) {
      if (name !== 'dry-run-ignored') expect(crooked[one]?.status).toBe(straight[one]?.status);
      const body = json(crooked[one]?.text ?? '');
      expect(body).toEqual(look(json(straight[one]?.text ?? ''), body));
    }
  });

  test('true: all but error-keys, and the order of a list changes nothing', async () => {
    const all = Object.keys(mockDeviations) as MockDeviation[];
    const whole = await wire({ crooked: true });
    expect(await wire({ crooked: all.filter((name) => name !== 'error-keys').reverse() })).toEqual(whole);
    // Pages have no keys.
    expect(await wire({ crooked: all })).toEqual(whole);
  });
});

const crooked = (name: MockDeviation, options: MockApiOptions = {}) =>
  createMockApi({ now: NOW, crooked: [name], ...options });

describe('details', () => {
  test('failures are errors of the service, unless the test gives a body or a success', async () => {
    const api = createMockApi({ now: NOW, crooked: true });
    api.fail({ status: 503, headers: { 'retry-after': '7' } });
    const page = await send(api, 'GET /me');
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '7']);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await page.text()).toMatch(/^<!doctype html>[\s\S]*Erreur 503[\s\S]*<\/html>\n$/);
    api.fail({ status: 503, body: 'a gateway' });
    expect(await (await send(api, 'GET /me')).text()).toBe('a gateway');
    api.fail({ status: 409, body: { detail: 'mine' } });
    expect(await call(api, 'GET /me')).toEqual({ status: 409, body: { detail: 'mine' } });
    api.fail({ operation: 'connections.list', status: 200, detail: 'mine' });
    expect(await call(api, 'GET /connections')).toEqual({ status: 200, body: { detail: 'mine' } });
  });

  test('updated-at-moves: the next list has the article, and a refused read touches none', async () => {
    const api = crooked('updated-at-moves');
    const since = `GET /articles?updated_since=${encodeURIComponent(NOW)}`;
    await call(api, `GET /articles/${api.ids.outside.article}`);
    expect((await call(api, since)).body.total).toBe(0);
    const first = (await call(api, 'GET /articles/3')).body.updated_at;
    const { body } = await call(api, since);
    expect(body.articles).toMatchObject([{ id: 3, updated_at: first }]);
    expect((await call(api, 'GET /articles/3')).body.updated_at).not.toBe(first);
  });

  test('posts-oldest-first: pages go on where the last one ended, and filters hold', async () => {
    const api = crooked('posts-oldest-first');
    const page = async (query: string) => ids((await call(api, `GET /posts?${query}`)).body as never);
    expect([...(await page('limit=100')), ...(await page('limit=100&offset=100'))]).toEqual(
      Array.from({ length: 150 }, (_, index) => index + 1),
    );
    expect((await page('status=pending')).at(0)).toBe(119);
  });

  test('clock-behind: the header Date', async () => {
    const response = await send(crooked('clock-behind'), 'GET /articles/777');
    expect(response.headers.get('date')).toBe('Sat, 14 Nov 2026 09:20:00 GMT');
  });

  test('rate-headers: what is left of the minute', async () => {
    const left = async (api: ReturnType<typeof crooked>, key?: string | null) => {
      const { headers } = await send(api, 'GET /health', key === undefined ? {} : { key });
      return ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
    };
    const api = crooked('rate-headers', { rateLimit: { perMinute: 3, perDay: 100 } });
    await send(api, 'GET /me');
    api.advance(20_000);
    await send(api, 'GET /me');
    expect(await left(api)).toEqual(['3', '1', '40']);
    expect(await left(api, null)).toEqual(['3', '3', '60']);
    expect(await left(crooked('rate-headers'))).toEqual(['60', '60', '60']);
  });
});
