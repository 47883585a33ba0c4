import { beforeEach, describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../src/core/errors/index.js';
import { createMockApi, type MockApi, type MockArticle } from '../../src/mock/index.js';
import { call, idsOf, NOW, page, send } from './helpers.js';

let api: MockApi;
beforeEach(() => {
  api = createMockApi({ now: NOW });
});

const published = (all: MockArticle[]) => all.filter(({ status }) => status === 'published');

function byChange(all: MockArticle[]): Map<string, MockArticle[]> {
  const groups = new Map<string, MockArticle[]>();
  for (const article of all) groups.set(article.updated_at, [...(groups.get(article.updated_at) ?? []), article]);
  return groups;
}

describe('the list', () => {
  test('published by default; draft; all', async () => {
    expect(await page(api)).toMatchObject({ total: 225, limit: 50, offset: 0 });
    expect((await page(api, { status: 'draft' })).total).toBe(15);
    expect((await page(api, { status: 'all' })).total).toBe(240);
    expect((await send(api, 'GET /articles?status=online')).status).toBe(422);
  });

  test('newest publication first', async () => {
    const { articles } = await page(api, { limit: '100' });
    const dates = articles.map(({ published_at }) => published_at);
    expect(dates).toEqual([...dates].sort().reverse());
  });

  test('pages follow each other without gap or repetition', async () => {
    const seen: unknown[] = [];
    for (let offset = 0; offset < 240; offset += 60) {
      const answer = await page(api, { status: 'all', limit: '60', offset: String(offset) });
      expect(answer).toMatchObject({ total: 240, limit: 60, offset });
      seen.push(...idsOf(answer.articles));
    }
    expect(new Set(seen).size).toBe(240);
    expect((await page(api, { status: 'all', offset: '240' })).articles).toEqual([]);
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'limit=1.5',
    'offset=-1',
    'updated_since=yesterday',
    'since=2026-02-30',
  ])('%s: 422 that names the parameter', async (query) => {
    const { status, body } = await call(api, `GET /articles?${query}`);
    expect(status).toBe(422);
    expect(body.detail).toContain(`\`${query.split('=')[0]}\``);
  });

  test('page size and offset as the options say', async () => {
    const small = createMockApi({ now: NOW, articlesPageSize: 7, articlesOffset: 'ignored' });
    const first = await page(small);
    const second = await page(small, { offset: '7' });
    expect(first).toMatchObject({ limit: 7, offset: 0 });
    expect(first.articles).toHaveLength(7);
    expect(second).toEqual(first);
  });

  test('since is about the publication, not the change', async () => {
    const all = published(api.articles.all());
    const cut = all.map(({ published_at }) => published_at).sort()[200] ?? '';
    const { total, articles } = await page(api, { since: cut, limit: '100' });
    expect(total).toBe(25);
    expect(articles.every(({ published_at }) => (published_at ?? '') >= cut)).toBe(true);
    expect((await page(api, { since: cut, status: 'draft' })).total).toBe(0);
  });
});

describe('updated_since', () => {
  test('strictly later, to the microsecond, oldest change first', async () => {
    const sorted = published(api.articles.all()).sort((a, b) => (a.updated_at < b.updated_at ? -1 : 1));
    const cursor = sorted[99]?.updated_at ?? '';
    const { articles, total } = await page(api, { updated_since: cursor, limit: '100' });
    const later = sorted.filter(({ updated_at }) => updated_at > cursor);
    expect(total).toBe(later.length);
    const dates = articles.map(({ updated_at }) => updated_at);
    expect(dates).toEqual([...dates].sort());
    expect(dates).not.toContain(cursor);

    const one = sorted.findLast(({ updated_at }) => /[1-8]\+/.test(updated_at)) as MockArticle;
    const micros = Number(one.updated_at.slice(20, 26));
    const nudged = (by: number) => one.updated_at.replace(/\.\d{6}/, `.${String(micros + by).padStart(6, '0')}`);
    expect(idsOf((await page(api, { updated_since: nudged(-1) })).articles)).toContain(one.id);
    expect(idsOf((await page(api, { updated_since: one.updated_at })).articles)).not.toContain(one.id);
  });

  test.each([
    ['2026-11-14T10:30:00.5+01:00', true],
    ['2026-11-14T09:30:00.5Z', true],
    ['2026-11-14T09:30:00.500000+00:00', true],
    ['2026-11-14T09:30:00.5', true],
    ['2026-11-14T04:00:00,5-0530', true],
    ['2026-11-14T09:30:00.499999', false],
    ['2026-11-14T10:30:00.499999+01', false],
  ])('%s, whichever way it is written', async (updated_since, excluded) => {
    const { id } = api.articles.add({ updated_at: '2026-11-14T09:30:00.5Z' });
    expect(idsOf((await page(api, { updated_since })).articles).includes(id)).toBe(!excluded);
  });

  test('a date alone is its midnight', async () => {
    const { id } = api.articles.add({ updated_at: '2026-11-14' });
    expect(idsOf((await page(api, { updated_since: '2026-11-13' })).articles)).toContain(id);
    expect(idsOf((await page(api, { updated_since: '2026-11-14' })).articles)).not.toContain(id);
  });

  test('a + that was not encoded is no date', async () => {
    const { status } = await send(api, 'GET /articles?updated_since=2026-11-14T09:30:00.123456+00:00');
    expect(status).toBe(422);
    const encoded = encodeURIComponent('2026-11-14T09:30:00.123456+00:00');
    expect((await send(api, `GET /articles?updated_since=${encoded}`)).status).toBe(200);
  });

  test('ties: in the order of ids, and lost to a cursor that stops among them', async () => {
    const groups = byChange(api.articles.all());
    const sizes = [...groups.values()].map(({ length }) => length).filter((size) => size > 1);
    expect(sizes.sort()).toEqual([2, 2, 3, 5, 8]);

    const [stamp = ''] = [...groups].find(([, { length }]) => length === 8) ?? [];
    const before = stamp.replace('.000000', '.000001').replace(/T09:30:00/, 'T09:29:59');
    const { articles } = await page(api, { status: 'all', updated_since: before, limit: '5' });
    expect(articles.map(({ updated_at }) => updated_at)).toEqual(Array(5).fill(stamp));
    expect(idsOf(articles)).toEqual([...idsOf(articles)].sort((a, b) => Number(a) - Number(b)));
    const next = await page(api, { status: 'all', updated_since: articles.at(-1)?.updated_at ?? '' });
    expect((next.articles[0]?.updated_at ?? '') > stamp).toBe(true);
  });
});

describe('one article', () => {
  test('as in the list, with every field of the specification', async () => {
    const { body } = await call(api, 'GET /articles/42');
    expect(Object.keys(body).sort()).toEqual(
      [
        ...['id', 'title', 'excerpt', 'content_html', 'featured_image_url', 'meta_title', 'meta_description'],
        ...['target_keyword', 'category', 'status', 'published_at', 'created_at', 'updated_at', 'slug'],
        ...['bulle_id', 'bulle_name'],
      ].sort(),
    );
    for (const name of ['published_at', 'created_at', 'updated_at']) {
      expect(body[name]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
    }
    const { articles } = await page(api, { bulle_id: String(body.bulle_id) });
    expect(articles.find(({ id }) => id === 42)).toEqual(body);
  });
});

describe('changes from outside the API', () => {
  test('touch, unpublish, remove and add change the lists', async () => {
    const cursor =
      api.articles
        .all()
        .map(({ updated_at }) => updated_at)
        .sort()
        .at(-1) ?? '';
    const changed = () => page(api, { status: 'all', updated_since: cursor });
    expect((await changed()).articles).toEqual([]);

    api.articles.touch(10, { title: 'Un autre titre' });
    api.articles.unpublish(11);
    api.articles.remove(12);
    const added = api.articles.add({ title: 'Le pain de la fête', bulle_id: api.ids.bulle });
    const { articles } = await changed();
    expect(articles.map(({ id, status }) => [id, status])).toEqual([
      [10, 'published'],
      [11, 'draft'],
      [added.id, 'published'],
    ]);
    expect(articles[0]?.slug).not.toContain('autre');
    expect(articles[1]).toMatchObject({ published_at: null, slug: expect.any(String) });
    expect(added).toMatchObject({ slug: 'le-pain-de-la-fete', bulle_name: expect.stringContaining('Lyon') });
    expect((await page(api)).total).toBe(224);
    expect((await send(api, 'GET /articles/12')).status).toBe(404);
    expect(() => api.articles.get(12)).toThrow(RangeError);
  });

  test('writes never share a timestamp, unless told to', () => {
    const stamps = [1, 2, 3, 4].map((id) => api.articles.touch(id).updated_at);
    expect(new Set(stamps).size).toBe(4);
    expect(stamps).toEqual([...stamps].sort());
    const updated_at = '2026-11-14T09:00:00.000001+00:00';
    expect([5, 6].map((id) => api.articles.touch(id, { updated_at }).updated_at)).toEqual([updated_at, updated_at]);
    expect(() => api.articles.touch(5, { updated_at: 'soon' })).toThrow(ConfigurationError);
  });
});
