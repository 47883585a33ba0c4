import { describe, expect, it } from 'vitest';
import { article, confirmation, ids, LIST, Service } from './helpers.js';

/** A key of a brand with two locations and one article of the brand itself. */
function brand() {
  const service = new Service();
  service.articles = [
    article(1),
    article(2, { bulle_id: 'b-paris' }),
    article(3, { bulle_id: null }),
    article(4, { bulle_id: 'b-paris', status: 'draft' }),
    article(5),
  ];
  return service;
}

describe('a client of the whole brand', () => {
  it('shows every location, and each by itself', async () => {
    const visit = brand().visit();
    expect(await ids(await visit(LIST))).toEqual([5, 3, 2, 1]);
    expect(await ids(await visit(`${LIST}?bulle_id=b-paris`))).toEqual([2]);
  });

  it('has empty lists of locations without articles', async () => {
    const response = await brand().visit()(`${LIST}?bulle_id=${encodeURIComponent('b&status=all#/../me')}`);
    expect([response.status, await response.json()]).toEqual([200, { articles: [], total: 0, limit: 50, offset: 0 }]);
  });

  it.each([1, 2, 3])('shows article %i before any list was requested', async (id) => {
    expect((await brand().visit()(`${LIST}/${id}`)).status).toBe(200);
  });
});

describe('a view of one location', () => {
  const viewed = (service: Service) => service.visit({ client: service.client().forBulle('b-lyon') });

  it('shows its articles', async () => {
    const service = brand();
    const visit = viewed(service);
    expect(await ids(await visit(LIST))).toEqual([5, 1]);
    expect(await ids(await visit(`${LIST}?bulle_id=b-lyon`))).toEqual([5, 1]);
    expect((await visit(`${LIST}/1`)).status).toBe(200);
  });

  it('shows no list of another', async () => {
    const service = brand();
    expect(await ids(await viewed(service)(`${LIST}?bulle_id=b-paris`))).toEqual([]);
    expect(service.asked).toEqual([expect.stringContaining('bulle_id=b-lyon')]);
  });

  it('has no related articles of another', async () => {
    const response = await viewed(brand())(`${LIST}/1/related`);
    expect(((await response.json()) as { id: number }[]).map(({ id }) => id)).toEqual([5]);
  });

  it.each([2, 3, 4])('shows no article of another (%i), nor that there is one', async (id) => {
    for (const listed of [false, true]) {
      const service = brand();
      const visit = viewed(service);
      if (listed) await visit(LIST);
      const [other, missing] = [await visit(`${LIST}/${id}`), await visit(`${LIST}/99`)];
      expect(other.status).toBe(404);
      expect(await other.text()).toBe(await missing.text());
    }
  });

  it('confirms no article of another', async () => {
    const service = brand();
    const visit = viewed(service);
    expect((await visit(`${LIST}/2/confirm`, confirmation({}))).status).toBe(404);
    expect((await visit(`${LIST}/1/confirm`, confirmation({}))).status).toBe(200);
    expect(service.asked.filter((line) => line.startsWith('POST'))).toEqual(['POST /articles/1/confirm']);
  });

  it('shows nothing if its location has no article', async () => {
    const service = brand();
    const visit = service.visit({ client: service.client().forBulle('b-nice') });
    expect(await ids(await visit(LIST))).toEqual([]);
    for (const id of [1, 2, 3]) expect((await visit(`${LIST}/${id}`)).status).toBe(404);
  });
});
