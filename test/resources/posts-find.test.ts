import { describe, expect, it } from 'vitest';
import { aPost } from '../spec/bodies.js';
import { makeClient, rejection } from '../support/clients.js';
import { json, refuse, stubFetch } from '../support/stub-fetch.js';

const at = (minute: number, fraction = '') => `2026-11-21T09:${String(minute).padStart(2, '0')}:00${fraction}+00:00`;
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
      const fetch = stubFetch(json(posts));
      const found = await makeClient({ fetch }).posts.findRecent({ content: 'Pain', since, bulle_id: 'b' });
      expect(found.map(({ id }) => id)).toEqual([2, 4, 6, 7]);
      expect(fetch.calls.map(({ url }) => url.search)).toEqual([
        '?limit=100&bulle_id=b',
        '?limit=100&bulle_id=b&offset=7',
      ]);
    }
  });

  it('compares to the last digit of the fraction', async () => {
    const fetch = stubFetch(
      json([aPost({ id: 1, created_at: at(10, '.123455') }), aPost({ id: 2, created_at: at(10, '.123456') })]),
    );
    const { content } = aPost();
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
    ['oldest first', [...filler(100, 1), ...filler(100, 2)], 2],
    [
      'newest first, though by another date: what was planned long ago for later stands on top',
      [...filler(100, 3), ...filler(100, 2)],
      2,
    ],
  ])('reads every page, since no order is promised: %s', async (_, older, pages) => {
    const posts = [...older, aPost({ id: 9, content: 'Pain', created_at: at(30) })];
    const fetch = stubFetch(({ url }, index) => {
      const offset = Number(url.searchParams.get('offset'));
      return json(posts.slice(offset, offset + 100))({} as never, index) as Response;
    });
    const found = await makeClient({ fetch }).posts.findRecent({ content: 'Pain', since: at(30) });
    expect(found.map(({ id }) => id)).toEqual([9]);
    expect(fetch.calls).toHaveLength(pages + 1);
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

  it('finds a post whose creation got no response', async () => {
    const made = aPost({ id: 12, content: 'Pain', created_at: at(30) });
    const fetch = stubFetch(({ method }, index) =>
      (method === 'POST' ? refuse(502) : json([made]))({} as never, index),
    );
    const client = makeClient({ fetch });
    const error = await rejection(client.posts.create({ content: 'Pain', platforms: ['gmb'], bulle_id: 'b' }));
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 1 });
    expect(await client.posts.findRecent({ content: 'Pain', since: at(29), bulle_id: 'b' })).toEqual([made]);
  });
});
