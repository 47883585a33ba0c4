// What the proxy answers beyond the service: newest first, filters, fields, related articles, ETags.

import type { Article } from 'multilocal';
import { describe, expect, it } from 'vitest';
import { article, ids, LIST, Service } from './helpers.js';

const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}T08:00:00Z`;
const online = (id: number, on: number, fields: Partial<Article> = {}) =>
  article(id, { published_at: day(on), ...fields });

/** Articles whose ids, dates of publication and dates of change have different orders. */
function journal() {
  const service = new Service();
  service.articles = [
    online(1, 9, { category: 'Pains', slug: 'le-pain' }),
    online(2, 3, { category: 'Pains', bulle_id: 'b-paris' }),
    online(3, 5, { category: 'Recettes', excerpt: 'Court.' }),
    online(4, 5, { category: null, bulle_id: null }),
    online(5, 1, { category: 'Pains' }),
    online(6, 30, { category: 'Recettes', status: 'draft', slug: 'brouillon' }),
  ];
  return service;
}

const listed = async (query: string) => ids(await journal().visit()(`${LIST}?${query}`));

describe('a list', () => {
  it.each([
    ['order=newest', [1, 4, 3, 2, 5]],
    ['', [1, 4, 3, 2, 5]],
    ['order=newest&limit=2', [1, 4]],
    ['order=newest&limit=2&offset=3', [2, 5]],
    ['offset=99', []],
    ['updated_since=2026-02-01T00:02:00Z', [3, 4, 5]],
    ['updated_since=2026-02-01T00:02:00Z&order=newest', [4, 3, 5]],
    ['since=2026-01-05T08:00:00Z', [1, 4, 3]],
    ['since=2026-01-05T08:00:00.000001Z', [1]],
    ['since=2026-01-05T09:00:00%2B01:00', [1, 4, 3]],
    ['category=Pains', [1, 2, 5]],
    ['category=pains', []],
    ['category=Pains&bulle_id=b-lyon&order=newest', [1, 5]],
    ['slug=le-pain', [1]],
    ['slug=brouillon', []],
    ['bulle_id=b-paris', [2]],
  ])('?%s has %j', async (query, expected) => {
    expect(await listed(query)).toEqual(expected);
  });

  it.each([
    ['', { total: 120, limit: 50, offset: 0 }],
    ['order=newest', { total: 120, limit: 20, offset: 0 }],
    ['limit=100', { total: 120, limit: 100, offset: 0 }],
    ['order=newest&limit=1', { total: 120, limit: 1, offset: 0 }],
    ['category=Pains&limit=2&offset=1', { total: 60, limit: 2, offset: 1 }],
  ])('?%s counts all that match, and has as many as its limit', async (query, expected) => {
    const service = new Service();
    service.articles = Array.from({ length: 120 }, (_, index) =>
      article(index + 1, index % 2 ? { category: 'Pains' } : {}),
    );
    service.pageSize = 200;
    const page = (await (await service.visit()(`${LIST}?${query}`)).json()) as { articles: object[] };
    expect(page).toMatchObject({ ...expected, articles: { length: expected.limit } });
  });

  it.each(['fields=id,slug', 'fields=slug,id', 'fields=id&fields=slug', 'fields=id,id&fields=slug'])(
    '?%s has only these fields, in the order of the service',
    async (query) => {
      const response = await journal().visit()(`${LIST}?limit=1&${query}`);
      expect(await response.text()).toContain('"articles":[{"id":1,"slug":"le-pain"}]');
    },
  );

  it('has no fields that the service did not send', async () => {
    const service = new Service();
    const { excerpt: _, ...lean } = article(1);
    service.articles = [lean];
    const { articles } = (await (await service.visit()(`${LIST}?fields=id,excerpt`)).json()) as { articles: object[] };
    expect(articles).toEqual([{ id: 1 }]);
  });
});

describe('related articles', () => {
  it('have the same category first, then the same location, then the nearest publication', async () => {
    const service = new Service();
    service.articles = [
      online(1, 15, { category: 'Pains' }),
      online(2, 14, { category: 'Recettes', bulle_id: 'b-paris' }),
      online(3, 16, { category: 'Recettes' }),
      online(4, 1, { category: 'Recettes' }),
      online(5, 15, { category: 'Pains', bulle_id: 'b-paris' }),
      online(6, 2, { category: 'Pains' }),
      online(7, 28, { category: 'Pains' }),
      online(8, 15, { category: 'Pains', status: 'draft' }),
    ];
    const related = async (query: string) =>
      ((await (await service.visit()(`${LIST}/1/related${query}`)).json()) as Article[]).map(({ id }) => id);
    // 6 and 7 are equally far: the newer one comes first.
    expect(await related('?limit=100')).toEqual([7, 6, 5, 3, 4, 2]);
    expect(await related('')).toEqual([7, 6, 5]);
    expect(await related('?limit=1')).toEqual([7]);
    // A missing category or location is none to share.
    for (const category of [null, '']) {
      const none = { category, bulle_id: null };
      service.articles = [online(1, 15, none), online(2, 1, none), online(3, 14, { category: 'Pains' })];
      expect(await related('?fields=id')).toEqual([3, 2]);
    }
  });
});

describe('an ETag', () => {
  const tagged = async (visit: ReturnType<Service['visit']>, path: string) => {
    const { headers } = await visit(path);
    return headers.get('etag') ?? '';
  };

  it.each([LIST, `${LIST}?order=newest&fields=id`, `${LIST}/1`, `${LIST}/1/related`, '/api/v2/categories'])(
    'of %s gives a 304 until the response changes',
    async (path) => {
      const service = journal();
      const visit = service.visit({ refresh: 0 });
      const etag = await tagged(visit, path);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const response = await visit(path, { headers: { 'if-none-match': known } });
        expect([response.status, await response.text(), response.headers.get('etag')]).toEqual([304, '', etag]);
        expect(response.headers.get('cache-control')).toContain('max-age');
        expect([response.headers.get('vary'), response.headers.get('x-multilocal-proxy')]).toEqual(['Origin', '1']);
      }
      const head = await visit(path, { method: 'HEAD', headers: { 'if-none-match': etag } });
      expect(head.status).toBe(304);
      const changedAt = { updated_at: '2026-03-01T00:00:00Z' };
      service.articles = service.articles.map((one) => (one.id === 1 ? { ...one, title: 'New', ...changedAt } : one));
      service.articles.push(online(9, 31, { ...changedAt, category: 'Pains' }));
      expect((await visit(path, { headers: { 'if-none-match': etag } })).status).toBe(200);
    },
  );

  it('is the same in each process', async () => {
    const [one, other] = [journal().visit(), journal().visit()];
    expect(await tagged(one, LIST)).toBe(await tagged(other, LIST));
    expect(await tagged(one, LIST)).not.toBe(await tagged(one, `${LIST}?limit=2`));
  });
});

it('every response has the mark of the proxy', async () => {
  const visit = journal().visit({ origins: '*' });
  for (const path of [LIST, `${LIST}/1`, `${LIST}/99`, `${LIST}?x=1`, '/nowhere']) {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT']) {
      const { headers } = await visit(path, { method });
      expect(headers.get('x-multilocal-proxy'), `${method} ${path}`).toBe('1');
    }
  }
});

describe('categories', () => {
  it('are those of the published articles, in the order of the alphabet', async () => {
    const service = new Service();
    const of = (id: number, category: string | null, fields = {}) => article(id, { category, ...fields });
    service.articles = [of(1, 'Pains'), of(2, 'Brioches'), of(3, 'Pains', { bulle_id: 'b-paris' }), of(4, null)];
    service.articles.push(of(5, 'Pains', { status: 'draft' }), of(6, ''));
    const visit = service.visit();
    const read = async (query = '') => (await visit(`/api/v2/categories${query}`)).json();
    expect(await read()).toEqual([
      { category: 'Brioches', count: 1 },
      { category: 'Pains', count: 2 },
    ]);
    expect(await read('?bulle_id=b-paris')).toEqual([{ category: 'Pains', count: 1 }]);
    expect(await read('?bulle_id=b-lille')).toEqual([]);
    expect((await visit('/api/v2/categories/Pains')).status).toBe(404);
  });
});
