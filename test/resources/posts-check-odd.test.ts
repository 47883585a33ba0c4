import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { InvalidResponseError, type PostCreateParams } from '../../src/index.js';
import { connectionSchema } from '../../src/resources/connections-schema.js';
import { platformLimitsSchema } from '../../src/resources/platforms-schema.js';
import { findIssues } from '../../src/resources/posts-check.js';
import { caught, makeClient } from '../support/clients.js';
import { json, stubFetch } from '../support/stub-fetch.js';

const PLATFORMS = ['facebook', 'gmb', 'instagram'] as const;
const post: PostCreateParams = {
  content: 'Bonjour',
  platforms: [...PLATFORMS],
  image_urls: ['https://i.test/1.png', 'data:image/png;base64,AAAA'],
  bulle_id: 'b-lyon',
};
const LIMITS = { character_limits: {}, image_limits: {}, video_limits: {} };
const CODES = [
  'not_connected',
  'needs_reconnect',
  'expired',
  'text_too_long',
  'too_few_images',
  'too_many_images',
  'media_too_large',
];

/** A service that gives these accounts, one list a question. */
function serving(...lists: unknown[]) {
  let asked = 0;
  return stubFetch((seen, index) => {
    const isList = seen.url.pathname.endsWith('/connections');
    return json(isList ? lists[Math.min(asked++, lists.length - 1)] : LIMITS)(seen, index);
  });
}

const anyPlatform = fc.constantFrom(...PLATFORMS, 'threads', 'Facebook', '', '__proto__', 'constructor');
const maybe = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: null });
const anyConnection = fc.record(
  {
    platform: anyPlatform,
    connected: fc.boolean(),
    name: maybe(['Compte', '', '<b>']),
    bulle_id: maybe(['b-lyon', 'b-nantes', '']),
    expires_at: maybe(['2020-01-01', '2999-01-01T00:00:00', 'jamais', '', '0000-00-00']),
    needs_reconnect: maybe([true, false]),
  },
  { requiredKeys: ['platform', 'connected'] },
);
const anyNumber = fc.constantFrom(-1, 0, 1, 2, 5000, 1e300);
const anyLimits = fc.record({
  character_limits: fc.dictionary(anyPlatform, fc.constantFrom(-1, 0, 1, 5000)),
  image_limits: fc.dictionary(
    anyPlatform,
    fc.record(
      { max_size_mb: anyNumber, carousel_min: maybe([-1, 0, 2, 10]), carousel_max: maybe([-1, 0, 2, 10]) },
      { requiredKeys: ['max_size_mb'] },
    ),
  ),
  video_limits: fc.dictionary(anyPlatform, fc.record({ max_size_mb: anyNumber })),
});

describe('posts.check: any response of the service', () => {
  it('finds known issues in the order of the platforms, and none for a usable account', () => {
    fc.assert(
      fc.property(fc.array(anyConnection, { maxLength: 8 }), anyLimits, (connections, limits) => {
        for (const connection of connections) expect(connectionSchema.safeParse(connection).success).toBe(true);
        expect(platformLimitsSchema.safeParse(limits).success).toBe(true);
        const issues = findIssues(post, connections, limits, Date.UTC(2026, 10, 21));
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
          expect(found.some((code) => CODES.indexOf(code) < 3)).toBe(!isWell);
        }
      }),
    );
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['an object', { connections: [] }],
    ['null among the accounts', [null]],
    ['an account without a platform', [{ connected: true }]],
    ['an account whose state is a word', [{ platform: 'facebook', connected: 'true' }]],
  ])('%s is an InvalidResponseError, whatever `validation` says', async (_, accounts) => {
    for (const validation of ['throw', 'warn', 'off'] as const) {
      const client = makeClient({ fetch: serving(accounts), validation });
      expect(await caught(client.posts.check(post), InvalidResponseError)).toMatchObject({
        operation: 'connections.list',
        outcome: 'not_applied',
      });
    }
  });
});

describe('posts.check: accounts that change between reads', () => {
  const accounts = (fields: object) =>
    PLATFORMS.map((platform) => ({ platform, connected: true, bulle_id: 'b-lyon', ...fields }));
  const params = { ...post, image_urls: undefined };

  it('shows after a minute, with one request per check', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const fetch = serving(accounts({}), accounts({ needs_reconnect: true }), [], accounts({}));
      const client = makeClient({ fetch });
      const codes = async () => [...new Set((await client.posts.check(params)).issues.map(({ code }) => code))];
      const seen = [await codes()];
      for (let minute = 0; minute < 3; minute++) {
        vi.advanceTimersByTime(60_000);
        seen.push(await codes());
      }
      expect(seen).toEqual([[], ['needs_reconnect'], ['not_connected'], []]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('accounts of other locations do not count', async () => {
    const fetch = serving([...accounts({ bulle_id: 'b-nantes' }), ...accounts({ needs_reconnect: true })]);
    const { issues } = await makeClient({ fetch }).posts.check(params);
    expect(issues.map(({ code }) => code)).toEqual(Array(3).fill('needs_reconnect'));
  });
});
