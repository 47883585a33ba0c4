import { describe, expect, it, vi } from 'vitest';
import { ConnectionError, type Post } from '../../src/index.js';
import { aPost } from '../spec/bodies.js';
import { caught, makeClient, rejection } from '../support/clients.js';
import { json, refuse, stubFetch } from '../support/stub-fetch.js';

const at = (minute: number, fraction = '') => `2026-11-21T09:${String(minute).padStart(2, '0')}:00${fraction}+00:00`;
/** A list whose first posts leave it after a page. */
const serving = (posts: Post[], gone = 0) =>
  stubFetch(({ url }, index) => {
    const offset = Number(url.searchParams.get('offset'));
    const left = posts.slice(index > 0 ? gone : 0);
    return json(left.slice(offset, offset + 100))({} as never, index) as Response;
  });
const filler = (count: number, minute: number) =>
  Array.from({ length: count }, (_, index) =>
    aPost({ id: 1000 * minute + index, content: 'Autre', created_at: at(minute) }),
  );

describe('posts.findRecent', () => {
  it('finds posts with the content, created at or after the date', async () => {
    const posts = [
      aPost({ id: 1, content: 'Pain', created_at: at(9, '.999999') }),
      aPost({ id: 2, content: 'Pain', created_at: at(10) }),
      aPost({ id: 3, content: 'Brioche', created_at: at(11) }),
      aPost({ id: 4, content: 'Pain', created_at: '2026-11-21T11:30:00+02:00' }),
      aPost({ id: 5, content: 'Pain', created_at: '2026-11-21T10:30:00+02:00' }),
      aPost({ id: 6, content: 'Pain', created_at: '2026-11-21T09:10:00.000001' }),
      aPost({ id: 7, content: 'Pain', created_at: 'bientôt' }),
    ];
    for (const since of [new Date(at(10)), at(10), '2026-11-21T10:10:00+01:00', '2026-11-21T09:10:00']) {
      const fetch = serving(posts);
      const found = await makeClient({ fetch }).posts.findRecent({ content: 'Pain', since, bulle_id: 'b' });
      expect(found.map(({ id }) => id)).toEqual([2, 4, 6, 7]);
      expect(fetch.calls.map(({ url }) => url.search)).toEqual([
        '?limit=100&bulle_id=b',
        '?limit=100&bulle_id=b&offset=6',
      ]);
    }
  });

  it('takes parameters from the state of a framework, which gives proxies of lists', async () => {
    const fetch = stubFetch(json([aPost({ id: 1, platforms: ['facebook'] })]));
    const platforms = new Proxy(['facebook' as const], {});
    const params = new Proxy({ content: `${aPost().content}`, platforms, since: new Date(0) }, {});
    expect(await makeClient({ fetch }).posts.findRecent(params)).toHaveLength(1);
  });

  it('compares to the last digit of the fraction', async () => {
    const fetch = stubFetch(
      json([aPost({ id: 1, created_at: at(10, '.123455') }), aPost({ id: 2, created_at: at(10, '.123456') })]),
    );
    const content = `${aPost().content}`;
    const found = await makeClient({ fetch }).posts.findRecent({ content, since: at(10, '.123456') });
    expect(found.map(({ id }) => id)).toEqual([2]);
  });

  it('compares contents by their words, because services trim and normalise texts', async () => {
    const content = '  Café\u0301 du\r\n\r\nmatin  🥐\n';
    const stored = ['Caf\u00e9\u0301 du\n\nmatin 🥐', 'Cafe\u0301\u0301 du matin 🥐', content];
    const fetch = stubFetch(json(stored.map((text, id) => aPost({ id, content: text }))));
    const found = await makeClient({ fetch }).posts.findRecent({ content, since: at(0) });
    expect(found.map(({ id }) => id)).toEqual([0, 1, 2]);
    const other = stubFetch(
      json([aPost({ content: 'café du matin 🥐' }), aPost({ id: 2, content: 'Cafés du matin' })]),
    );
    expect(await makeClient({ fetch: other }).posts.findRecent({ content: 'Café du matin 🥐', since: at(0) })).toEqual(
      [],
    );
  });

  it.each([
    ['oldest first', [...filler(100, 1), ...filler(100, 2)], 3],
    // What was planned long ago for later stands on top.
    ['newest first, though by another date', [...filler(100, 3), ...filler(100, 2)], 3],
    ['of which the first one leaves the list meanwhile', filler(100, 1), 5, 1],
    ['of which several leave the list meanwhile', filler(100, 1), 4, 5],
  ])('reads every page, since no order is promised: %s', async (_, older, requests, gone = 0) => {
    const posts = [...older, aPost({ id: 9, content: 'Pain', created_at: at(30) })];
    const fetch = serving(posts, gone);
    const found = await makeClient({ fetch }).posts.findRecent({ content: 'Pain', since: at(30) });
    expect(found.map(({ id }) => id)).toEqual([9]);
    expect(fetch.calls).toHaveLength(requests);
  });

  it('returns a post once if pages shift', async () => {
    const pain = aPost({ id: 7, content: 'Pain', created_at: at(30) });
    const fetch = stubFetch(json([...filler(99, 31), pain]), json([pain]));
    expect(await makeClient({ fetch }).posts.findRecent({ content: 'Pain', since: at(30) })).toEqual([pain]);
  });

  it('finds nothing in an empty list, and reads the location of the view', async () => {
    const fetch = stubFetch(json([]));
    expect(
      await makeClient({ fetch })
        .forBulle('b-lyon')
        .posts.findRecent({ content: 'Pain', since: at(0) }),
    ).toEqual([]);
    expect(fetch.calls[0]?.url.search).toBe('?limit=100&bulle_id=b-lyon');
  });

  it('rejects if a page fails', async () => {
    const fetch = stubFetch(json(filler(100, 1)), refuse(403));
    const call = makeClient({ fetch }).posts.findRecent({ content: 'Pain', since: at(0) });
    expect(await rejection(call)).toMatchObject({ code: 'permission_denied', operation: 'posts.list' });
  });

  it('finds posts for exactly these platforms', async () => {
    const platforms = [['gmb'], ['gmb', 'facebook'], ['facebook', 'gmb'], ['gmb', 'facebook', 'tiktok'], []];
    const fetch = stubFetch(json(platforms.map((names, id) => aPost({ id, content: 'Pain', platforms: names }))));
    const params = { content: 'Pain', since: at(0), platforms: ['facebook', 'gmb'] } as const;
    expect((await makeClient({ fetch }).posts.findRecent(params)).map(({ id }) => id)).toEqual([1, 2]);
  });

  it('finds posts scheduled for that moment on a platform, to the second, and posts without a date', async () => {
    const dates = [
      { scheduled_facebook: '2026-12-24T08:00:00+00:00', scheduled_gmb: '2026-12-24T09:00:00.250+01:00' },
      { scheduled_facebook: '2026-12-24T08:00:00+00:00', scheduled_gmb: '2026-12-24T18:00:00+00:00' },
      { scheduled_facebook: '2026-12-24T07:59:59+00:00', scheduled_gmb: '2026-12-24T08:00:01+00:00' },
      { scheduled_facebook: null, scheduled_gmb: null },
      { scheduled_facebook: 'bientôt', scheduled_gmb: null },
    ];
    const fetch = stubFetch(json(dates.map((scheduled, id) => aPost({ id, content: 'Pain', ...scheduled }))));
    const { posts } = makeClient({ fetch });
    const moments = [
      new Date('2026-12-24T08:00:00Z'),
      '2026-12-24T09:00:00+01:00[Europe/Paris]',
      { [Symbol.toStringTag]: 'Temporal.Instant', epochMilliseconds: Date.parse('2026-12-24T08:00:00Z') } as const,
    ];
    for (const scheduled_at of moments) {
      const found = await posts.findRecent({ content: 'Pain', since: at(0), scheduled_at });
      expect(found.map(({ id }) => id)).toEqual([0, 1, 3, 4]);
    }
  });

  describe('with the clock of the service', () => {
    const HOUR = 3_600_000;
    const NOW = Date.parse('2026-11-21T09:00:00.900Z');

    /** A service whose clock is ahead, which creates a post at `POST` and loses its response. */
    function open(ahead: number, headersOf: (date: string) => Record<string, string> = (date) => ({ date })) {
      vi.useFakeTimers({ toFake: ['Date'], now: NOW });
      // The service stores whole seconds.
      const second = () => new Date(Math.floor((Date.now() + ahead) / 1_000) * 1_000);
      const made = [aPost({ id: 1, content: 'Pain', created_at: new Date(NOW + ahead - 60_000).toISOString() })];
      const fetch = stubFetch(({ method }, index) => {
        const init = { headers: headersOf(second().toUTCString()) };
        if (method === 'GET') return json(made, init)({} as never, index) as Response;
        made.push(aPost({ id: 2, content: 'Pain', created_at: second().toISOString() }));
        throw new TypeError('terminated');
      });
      return makeClient({ fetch });
    }

    async function lose(client: ReturnType<typeof makeClient>) {
      const lost = client.posts.create({ content: 'Pain', platforms: ['gmb'], bulle_id: 'b' });
      const { sentAt: since } = await caught(lost, ConnectionError);
      if (!since) throw new Error('expected sentAt');
      return since;
    }

    it.each([0, 3 * HOUR, -3 * HOUR])('finds the lost post alone if that clock is %i ms ahead', async (ahead) => {
      const client = open(ahead);
      const since = await lose(client);
      vi.setSystemTime(NOW + 60_000);
      for (const moment of [since, since.toISOString()]) {
        // A view has the clock of its client.
        const found = await client.forBulle('b').posts.findRecent({ content: 'Pain', since: moment });
        expect(found.map(({ id }) => id)).toEqual([2]);
      }
    });

    it('corrects nothing without the date of a response that was not cached', async () => {
      for (const headersOf of [() => ({}), () => ({ date: 'hier' }), (date: string) => ({ date, age: '7200' })]) {
        const client = open(-3 * HOUR, headersOf);
        expect(await client.posts.findRecent({ content: 'Pain', since: await lose(client) })).toEqual([]);
      }
    });
  });
});
