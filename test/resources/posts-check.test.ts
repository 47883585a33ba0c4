import * as fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Connection,
  InvalidRequestError,
  InvalidResponseError,
  MissingBulleIdError,
  type PlatformLimits,
  type PostCreateParams,
} from '../../src/index.js';
import { connectionSchema } from '../../src/resources/connections-schema.js';
import { platformLimitsSchema } from '../../src/resources/platforms-schema.js';
import { findIssues, LIMITS_AGE } from '../../src/resources/posts-check.js';
import { caught, makeClient, rejection } from '../support/clients.js';
import { BULLE_IDENTITY, SPHERE_IDENTITY } from '../support/fixtures.js';
import { hang, json, refuse, stubFetch } from '../support/stub-fetch.js';

const NOW = '2026-11-21T09:00:00Z';
const LIMITS: PlatformLimits = {
  character_limits: { facebook: 100, gmb: 10, instagram: 20, threads: 5 },
  image_limits: {
    facebook: { max_size_mb: 1, carousel_min: 3, carousel_max: 4 },
    gmb: { max_size_mb: 1, carousel_min: null, carousel_max: null },
    instagram: { max_size_mb: 2, carousel_min: 2, carousel_max: null },
    linkedin: { max_size_mb: 2 },
    pinterest: { max_size_mb: 2 },
  },
  video_limits: {
    facebook: { max_size_mb: 1, max_duration_sec: null },
    gmb: { max_size_mb: 9 },
    instagram: { max_size_mb: 9 },
    linkedin: { max_size_mb: 9 },
    pinterest: { max_size_mb: 9 },
  },
};
const account = (platform: string, fields: Partial<Connection> = {}): Connection => ({
  platform,
  connected: true,
  name: 'Compte',
  bulle_id: 'b-lyon',
  expires_at: '2027-01-01T00:00:00',
  needs_reconnect: false,
  ...fields,
});
const ALL = ['facebook', 'gmb', 'instagram', 'tiktok'].map((platform) => account(platform));

/** A service with these accounts. */
function serving(connections: readonly Connection[] = ALL, limits: PlatformLimits = LIMITS) {
  return stubFetch((seen, index) =>
    json(seen.url.pathname.endsWith('/connections') ? connections : limits)(seen, index),
  );
}
const paths = (fetch: ReturnType<typeof serving>) => fetch.calls.map(({ url }) => url.pathname.slice(7) + url.search);
const post = (fields: Partial<PostCreateParams> = {}) =>
  ({ content: 'Bonjour', platforms: ['facebook'], bulle_id: 'b-lyon', ...fields }) as PostCreateParams;
const urls = (count: number) => Array.from({ length: count }, (_, index) => `https://i.test/${index}.png`);
const dataUri = (bytes: number, type = 'image/png') => `data:${type};base64,${Buffer.alloc(bytes).toString('base64')}`;

beforeEach(() => void vi.useFakeTimers({ now: new Date(NOW), toFake: ['Date', 'performance'] }));

/** What the check finds, as `platform code`. */
async function found(params: PostCreateParams, connections?: readonly Connection[], limits?: PlatformLimits) {
  const { ok, issues } = await makeClient({ fetch: serving(connections, limits) }).posts.check(params);
  expect(ok).toBe(issues.length === 0);
  return issues.map(({ platform, code }) => `${platform} ${code}`);
}

describe('posts.check: accounts', () => {
  it.each<[string, Partial<Connection>, string[]]>([
    ['all is well', {}, []],
    ['it does not expire', { expires_at: null }, []],
    ['it expires in a second', { expires_at: '2026-11-21T09:00:01' }, []],
    ['it expires now', { expires_at: '2026-11-21T09:00:00' }, ['facebook expired']],
    ['it expired, with an offset', { expires_at: '2026-11-21T10:00:00+01:00' }, ['facebook expired']],
    ['it must be connected again though it is connected', { needs_reconnect: true }, ['facebook needs_reconnect']],
    ['it is switched off', { connected: false }, ['facebook not_connected']],
    [
      'everything is wrong',
      { connected: false, needs_reconnect: true, expires_at: '2020-01-01T00:00:00' },
      ['facebook not_connected', 'facebook needs_reconnect', 'facebook expired'],
    ],
    ['fields are absent or null', { name: null }, []],
    ['it is of another location', { bulle_id: 'b-nantes' }, ['facebook not_connected']],
    ['the location is not said', { bulle_id: null }, []],
  ])('%s', async (_, fields, issues) => {
    expect(await found(post(), [account('facebook', fields)])).toEqual(issues);
  });

  it('reports each platform without an account as not connected, in the order of the post', async () => {
    const platforms = ['youtube', 'gmb', 'tiktok'] as const;
    expect(await found(post({ platforms }), [account('gmb')])).toEqual([
      'youtube not_connected',
      'tiktok not_connected',
    ]);
  });

  it('uses the best of several accounts', async () => {
    const bad = account('facebook', { needs_reconnect: true });
    expect(await found(post(), [bad, account('facebook')])).toEqual([]);
    expect(await found(post(), [account('facebook', { connected: false, needs_reconnect: true }), bad])).toEqual([
      'facebook needs_reconnect',
    ]);
  });
});

describe('posts.check: the accounts of a brand', () => {
  const BULLES = Array.from({ length: 40 }, (_, index) => `b-${index}`);
  const OF_BRAND = BULLES.map((bulle_id, index) => account(index % 2 ? 'facebook' : 'gmb', { bulle_id }));
  const sphere = { identity: SPHERE_IDENTITY, rateLimit: false } as const;

  it('are read once a minute for 40 locations, from views too', async () => {
    const fetch = serving(OF_BRAND);
    const client = makeClient({ fetch, ...sphere });
    const checkAll = () =>
      Promise.all(
        BULLES.map(async (bulle_id, index) => {
          const { posts } = index < 20 ? client : client.forBulle(bulle_id);
          const { issues } = await posts.check(post({ platforms: ['facebook', 'gmb'], bulle_id }));
          return issues.map(({ platform }) => platform);
        }),
      );
    expect(await checkAll()).toEqual(BULLES.map((_, index) => (index % 2 ? ['gmb'] : ['facebook'])));
    expect(paths(fetch).sort()).toEqual(['/connections', '/platforms/limits']);
    vi.advanceTimersByTime(59_999);
    await checkAll();
    expect(fetch.calls).toHaveLength(2);
    vi.advanceTimersByTime(1);
    await checkAll();
    expect(paths(fetch).slice(2)).toEqual(['/connections']);
    vi.advanceTimersByTime(LIMITS_AGE);
    await checkAll();
    expect(paths(fetch).slice(3).sort()).toEqual(['/connections', '/platforms/limits']);
  });

  it.each([
    ['one of them names no location', [...OF_BRAND, account('facebook'), account('facebook', { bulle_id: null })]],
    ['none is of the location, which may be unknown', OF_BRAND],
  ])('are read for the location too if %s', async (_, accounts) => {
    const fetch = serving(accounts);
    await makeClient({ fetch, ...sphere }).posts.check(post());
    expect(paths(fetch).sort()).toEqual(['/connections', '/connections?bulle_id=b-lyon', '/platforms/limits']);
  });

  it('are not read with the key of one location', async () => {
    const fetch = serving();
    await makeClient({ fetch, identity: BULLE_IDENTITY }).posts.check(post());
    expect(paths(fetch).sort()).toEqual(['/connections?bulle_id=b-lyon', '/platforms/limits']);
  });
});

describe('posts.check: text', () => {
  it('counts code points, at the limit and one more', async () => {
    expect(await found(post({ content: '🥐'.repeat(100) }))).toEqual([]);
    expect(await found(post({ content: '🥐'.repeat(101) }))).toEqual(['facebook text_too_long']);
  });

  it('checks `text` too, with the limit of each platform', async () => {
    const params = { text: 'Douze lettres', platforms: ['gmb', 'instagram', 'tiktok'], bulle_id: 'b-lyon' } as const;
    expect(await found(params)).toEqual(['gmb text_too_long']);
  });

  it('uses a text in content_per_platform instead of the content, and ignores other values', async () => {
    const params = { platforms: ['gmb', 'facebook'], content: 'Un texte assez long' } as const;
    expect(await found(post(params))).toEqual(['gmb text_too_long']);
    expect(await found(post({ ...params, content_per_platform: { gmb: 'court' } }))).toEqual([]);
    expect(await found(post({ ...params, content_per_platform: { gmb: { text: 'court' } } }))).toEqual([
      'gmb text_too_long',
    ]);
    expect(await found(post({ content_per_platform: { facebook: 'a'.repeat(101) } }))).toEqual([
      'facebook text_too_long',
    ]);
  });

  it('names the length and the limit', async () => {
    const { issues } = await makeClient({ fetch: serving() }).posts.check(post({ content: 'a'.repeat(101) }));
    expect(issues[0]?.message).toBe('facebook: 101 characters, but at most 100 are allowed');
  });
});

describe('posts.check: media', () => {
  const LARGE = dataUri(1024 ** 2 + 1);

  it.each<[string, PostCreateParams, string[]]>([
    ['one image is no carousel', post({ image_url: 'https://i.test/1.png' }), []],
    ['fewer than a carousel has', post({ image_urls: urls(2) }), ['facebook too_few_images']],
    ['the fewest', post({ image_urls: urls(3) }), []],
    ['the most', post({ image_urls: urls(4) }), []],
    ['more than a carousel has', post({ image_urls: urls(5) }), ['facebook too_many_images']],
    ['a carousel where there are none', post({ platforms: ['gmb'], image_urls: urls(2) }), ['gmb too_many_images']],
    ['a carousel of an unknown most', post({ platforms: ['instagram'], image_urls: urls(9) }), []],
    ['a platform without limits', post({ platforms: ['tiktok'], image_urls: urls(10) }), []],
    ['a data URI at the edge', post({ image_url: dataUri(1024 ** 2) }), []],
    ['a data URI past it', post({ image_url: LARGE }), ['facebook media_too_large']],
    ['two, said once', post({ image_urls: [LARGE, dataUri(2 ** 20 + 2), ...urls(1)] }), ['facebook media_too_large']],
    ['each by its own limit', post({ platforms: ['instagram', 'gmb'], image_url: LARGE }), ['gmb media_too_large']],
    ['a video', post({ video_url: dataUri(1024 ** 2 + 1, 'video/mp4') }), ['facebook media_too_large']],
    ['a video without limits', post({ platforms: ['gmb'], video_url: dataUri(1024 ** 2 + 1, 'video/mp4') }), []],
    ['an address, whose size nobody knows', post({ image_url: 'https://i.test/huge.png' }), []],
  ])('%s', async (_, params, issues) => {
    expect(await found(params)).toEqual(issues);
  });
});

describe('posts.check: what it costs', () => {
  it('two reads for many checks at once, then none for a minute, then one: limits are cached without end', async () => {
    const fetch = serving();
    const client = makeClient({ fetch });
    await Promise.all(Array.from({ length: 5 }, () => client.posts.check(post())));
    expect(fetch.calls).toHaveLength(2);
    vi.advanceTimersByTime(59_999);
    await client.dryRun.posts.check(post({ content: 'Autre', platforms: ['gmb'] }));
    expect(fetch.calls).toHaveLength(2);
    vi.advanceTimersByTime(1);
    await client.posts.check(post());
    expect(paths(fetch).slice(2)).toEqual(['/connections?bulle_id=b-lyon']);
    // Another client has a memory of its own.
    await makeClient({ fetch }).posts.check(post());
    expect(fetch.calls).toHaveLength(5);
  });

  it('one more for each location, also for views', async () => {
    const fetch = serving([]);
    const client = makeClient({ fetch });
    const { bulle_id: _, ...rest } = post();
    await client.forBulle('b-lyon').posts.check(rest as PostCreateParams);
    await client.forBulle('b-nantes').dryRun.posts.check(rest as PostCreateParams);
    await client.posts.check(post());
    const locations = ['b-lyon', 'b-nantes'].map((id) => `/connections?bulle_id=${id}`);
    expect(paths(fetch).sort()).toEqual([...locations, '/platforms/limits']);
  });

  it('does not cache failures', async () => {
    const broken = { connections: true, limits: true };
    const fetch = stubFetch((seen, index) => {
      const what = seen.url.pathname.endsWith('/connections') ? 'connections' : 'limits';
      return (broken[what] ? refuse(403) : json(what === 'limits' ? LIMITS : ALL))(seen, index);
    });
    const client = makeClient({ fetch });
    expect(await rejection(client.posts.check(post()))).toMatchObject({ code: 'permission_denied' });
    broken.connections = false;
    expect(await rejection(client.posts.check(post()))).toMatchObject({ operation: 'platforms.limits' });
    broken.limits = false;
    expect(await client.posts.check(post())).toEqual({ ok: true, issues: [] });
    expect(paths(fetch).filter((path) => path.startsWith('/connections'))).toHaveLength(2);
  });
});

describe('posts.check: the location', () => {
  const anywhere = { content: 'Bonjour', platforms: ['facebook'] } as const;

  it('is the location of a bubble key', async () => {
    const fetch = serving();
    const client = makeClient({ fetch, identity: BULLE_IDENTITY });
    expect(await client.posts.check(anywhere)).toEqual({ ok: true, issues: [] });
    expect(paths(fetch)).toContain('/connections');
  });

  it('is required with a sphere key, before anything is sent', async () => {
    const fetch = serving();
    const client = makeClient({ fetch, identity: SPHERE_IDENTITY });
    const error = await caught(client.posts.check(anywhere), MissingBulleIdError);
    expect(error).toMatchObject({ operation: 'posts.check', origin: 'preflight', attempts: 0 });
    expect(fetch.calls).toHaveLength(0);
  });

  it('is required without an identity if the accounts belong to several locations', async () => {
    const fetch = serving([...ALL, account('facebook', { bulle_id: 'b-nantes' })]);
    for (const options of [{}, { identity: SPHERE_IDENTITY, preflight: false }]) {
      const error = await caught(makeClient({ fetch, ...options }).posts.check(anywhere), MissingBulleIdError);
      expect(error).toMatchObject({ operation: 'posts.check', origin: 'preflight', status: 400 });
    }
  });

  it('needs only the permission read', async () => {
    const identity = { ...BULLE_IDENTITY, permissions: ['read'] };
    expect(await makeClient({ fetch: serving(), identity }).posts.check(anywhere)).toMatchObject({ ok: true });
  });
});

describe('posts.check', () => {
  it('refuses the parameters that posts.create refuses, before anything is sent, also on client.dryRun', async () => {
    const fetch = serving();
    const { posts, dryRun } = makeClient({ fetch });
    for (const call of [posts.check(post({ platforms: [] })), dryRun.posts.check(post({ platforms: [] }))]) {
      expect(await caught(call, InvalidRequestError)).toMatchObject({ operation: 'posts.check' });
    }
    await caught(posts.check({} as PostCreateParams), InvalidRequestError);
    await caught(posts.check(undefined as never), InvalidRequestError);
    expect(fetch.calls).toHaveLength(0);
  });

  it('ends at once for the caller of the signal, and continues for others', async () => {
    const release: (() => void)[] = [];
    const fetch = stubFetch(async ({ url }, index) => {
      await new Promise<void>((resolve) => release.push(resolve));
      return json(url.pathname.endsWith('/connections') ? ALL : LIMITS)({} as never, index) as Response;
    });
    const client = makeClient({ fetch });
    const controller = new AbortController();
    const reason = new Error('enough');
    const left = client.posts.check(post(), { signal: controller.signal });
    const other = client.posts.check(post());
    await expect.poll(() => release).toHaveLength(2);
    controller.abort(reason);
    expect(await rejection(left)).toBe(reason);
    for (const resolve of release) resolve();
    expect(await other).toMatchObject({ ok: true });
    expect(fetch.calls).toHaveLength(2);
    expect(await rejection(client.posts.check(post(), { signal: controller.signal }))).toBe(reason);
  });

  it('passes the other request options on', async () => {
    vi.useRealTimers();
    const client = makeClient({ fetch: stubFetch(hang), maxRetries: 0 });
    expect(await rejection(client.posts.check(post(), { timeout: 20 }))).toMatchObject({ code: 'timeout' });
  });
});

describe('posts.check: any response of the service', () => {
  const PLATFORMS = ['facebook', 'gmb', 'instagram'] as const;
  const image_urls = ['https://i.test/1.png', 'data:image/png;base64,AAAA'];
  const odd = post({ platforms: [...PLATFORMS], image_urls });
  const OF_ACCOUNTS = ['not_connected', 'needs_reconnect', 'expired'];
  const CODES = [...OF_ACCOUNTS, 'text_too_long', 'too_few_images', 'too_many_images', 'media_too_large'];

  const anyPlatform = fc.constantFrom(...PLATFORMS, 'threads', 'Facebook', '', '__proto__', 'constructor');
  const maybe = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: null });
  const anyConnection = fc.record(
    {
      platform: anyPlatform,
      connected: fc.boolean(),
      name: maybe(['Compte', '', '<b>']),
      bulle_id: maybe(['b-lyon', 'b-nantes', '']),
      expires_at: maybe(['2020-01-01', '2999-01-01T00:00:00', 'jamais', '', '0000-00-00']),
      needs_reconnect: fc.boolean(),
    },
    { requiredKeys: ['platform', 'connected', 'needs_reconnect'] },
  );
  const anyNumber = fc.constantFrom(-1, 0, 1, 2, 5000, Number.MAX_SAFE_INTEGER);
  const byPlatform = <T>(limit: fc.Arbitrary<T>) =>
    fc
      .tuple(
        fc.dictionary(anyPlatform, limit),
        fc.record({ instagram: limit, facebook: limit, linkedin: limit, pinterest: limit, gmb: limit }),
      )
      .map(([others, five]) => ({ ...others, ...five }));
  const anyLimits = fc.record({
    character_limits: fc.dictionary(anyPlatform, fc.constantFrom(-1, 0, 1, 5000)),
    image_limits: byPlatform(
      fc.record(
        { max_size_mb: anyNumber, carousel_min: maybe([-1, 0, 2, 10]), carousel_max: maybe([-1, 0, 2, 10]) },
        { requiredKeys: ['max_size_mb'] },
      ),
    ),
    video_limits: byPlatform(fc.record({ max_size_mb: anyNumber })),
  });

  it('finds known issues in the order of the platforms, and none for a usable account', () => {
    fc.assert(
      fc.property(fc.array(anyConnection, { maxLength: 8 }), anyLimits, (connections, limits) => {
        for (const connection of connections) expect(connectionSchema.safeParse(connection).success).toBe(true);
        expect(platformLimitsSchema.safeParse(limits).success).toBe(true);
        const issues = findIssues(odd, connections, limits, Date.UTC(2026, 10, 21));
        const places = issues.map(({ platform }) => PLATFORMS.indexOf(platform as (typeof PLATFORMS)[number]));
        expect(places).toEqual([...places].sort());
        expect(CODES).toEqual(expect.arrayContaining(issues.map(({ code }) => code)));
        for (const platform of PLATFORMS) {
          const isWell = connections.some(
            (account) =>
              account.platform === platform &&
              account.connected &&
              account.needs_reconnect !== true &&
              account.expires_at !== '2020-01-01',
          );
          const found = issues.filter((issue) => issue.platform === platform).map(({ code }) => code);
          expect(found.some((code) => OF_ACCOUNTS.includes(code))).toBe(!isWell);
        }
      }),
    );
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['null among the accounts', [null]],
    ['an account whose state is a word', [{ platform: 'facebook', connected: 'true' }]],
  ])('%s is an InvalidResponseError, whatever `validation` says', async (_, accounts) => {
    for (const validation of ['throw', 'warn', 'off'] as const) {
      const client = makeClient({ fetch: serving(accounts as Connection[]), validation });
      expect(await caught(client.posts.check(odd), InvalidResponseError)).toMatchObject({
        operation: 'connections.list',
        outcome: 'not_applied',
      });
    }
  });
});
