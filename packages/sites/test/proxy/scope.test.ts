import { describe, expect, it } from 'vitest';
import { article, confirmation, ids, LIST, Service } from './helpers.js';

/** The service of a brand with two locations and one article of the brand itself. */
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

const viewed = (service: Service, bulle_id = 'b-lyon') =>
  service.visit({ client: service.client().forBulle(bulle_id) });

it.each([
  ['', [5, 3, 2, 1], [5, 1]],
  ['?bulle_id=b-lyon', [5, 1], [5, 1]],
  ['?bulle_id=b-paris', [2], []],
  [`?bulle_id=${encodeURIComponent('b&status=all#/../me')}`, [], []],
])('the list%s has %j of a brand, and %j of a view of Lyon', async (query, ofBrand, ofView) => {
  const service = brand();
  expect(await ids(await brand().visit()(LIST + query))).toEqual(ofBrand);
  expect(await ids(await viewed(service)(LIST + query))).toEqual(ofView);
  expect(service.asked).toEqual([expect.stringContaining('bulle_id=b-lyon')]);
});

describe('a view of one location', () => {
  it('has no related articles of another, and confirms none', async () => {
    const service = brand();
    const visit = viewed(service);
    const related = (await (await visit(`${LIST}/1/related`)).json()) as { id: number }[];
    expect(related.map(({ id }) => id)).toEqual([5]);
    expect((await visit(`${LIST}/2/confirm`, confirmation({}))).status).toBe(404);
    expect((await visit(`${LIST}/1/confirm`, confirmation({}))).status).toBe(200);
    expect(service.asked.slice(1)).toEqual(['POST /articles/1/confirm']);
  });

  it('shows no article of another, nor that there is one', async () => {
    const visit = viewed(brand());
    const read = async (id: number) => (await visit(`${LIST}/${id}`)).json();
    for (const id of [2, 3, 4, 99]) expect(await read(id)).toEqual({ detail: 'No such article.' });
  });
});
