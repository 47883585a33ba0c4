import { spec } from '@multilocal/test/spec/endpoints';
import { describe, expect, test } from 'vitest';
import { createMockApi } from '../src/index.js';
import { OPERATIONS } from '../src/resources/index.js';
import { call, NOW, sampleOf, send, TEXTS } from './helpers.js';

const api = createMockApi({ now: NOW });
const rows = spec.map((row) => [`${row.method} ${row.path.replace(/\{\w+\}/g, '1')}`, row] as const);
const writes = rows.filter(([, { method }]) => method === 'POST' || method === 'PUT');

describe('the operations of the specification', () => {
  test('are all served, under the names of the contract', () => {
    const named = [...spec.map(({ operation }) => operation), 'seo.competitors'];
    const known: readonly string[] = OPERATIONS;
    expect([...known].sort()).toEqual(named.sort());
    for (const operation of named) api.fail({ operation })();
  });

  test.each(rows)('%s: its name, 401, and the permission it needs', async (line, { operation, permission }) => {
    if (permission === 'none') return expect((await call(api, line, { key: null })).status).toBe(200);
    expect((await call(api, line, { key: null })).status).toBe(401);
    expect(api.requests.at(-1)?.operation).toBe(operation);
    const others = (['read', 'schedule', 'publish', 'delete'] as const).filter((other) => other !== permission);
    const key = api.addKey({ permissions: others });
    const body = { detail: expect.stringContaining(`\`${permission}\``) };
    expect(await call(api, line, { key })).toEqual({ status: 403, body });
    const allowed = await send(api, line, { key: api.addKey({ permissions: [permission] }) });
    expect(allowed.status).not.toBe(403);
  });

  test.each(writes)('%s: 400 without Content-Type, or if the body is not a JSON object', async (line) => {
    const before = api.snapshot();
    expect((await call(api, line, { headers: { 'content-type': 'text/plain' } })).status).toBe(400);
    for (const text of ['{', '[]', 'null']) expect((await call(api, line, { text })).status).toBe(400);
    expect(api.snapshot()).toEqual(before);
  });
});

/** The sample of a route with another target. */
const to = async (line: string, target: Record<string, string>, key = api.keys.sphere) => {
  if (line.startsWith('GET')) return call(api, `${line}?${new URLSearchParams(target)}`, { key });
  const { operation } = spec.find(({ method, path }) => line === `${method} ${path}`) ?? expect.unreachable();
  const { bulle_id: _bulle, fiche_id: _fiche, ...body } = sampleOf(operation).body;
  return call(api, line, { key, body: { ...body, ...target } });
};

describe('a location as the target', () => {
  const acting = [
    ...['POST /articles', 'POST /posts', 'POST /social/publish', 'GET /social/quota', 'POST /images/generate'],
    ...['GET /seo/data', 'GET /seo/tracked-keywords', 'POST /seo/tracked-keywords', 'GET /seo/search-console'],
    ...['POST /seo/scan', 'POST /seo/keyword-lookup'],
  ];
  const listing = [
    ...['GET /articles', 'GET /connections', 'GET /posts', 'GET /qr-codes', 'POST /qr-codes', 'GET /sites'],
    'GET /reports',
  ];

  test.each([...acting, ...listing])(
    '%s: 404 with the identifier, 403 out of scope, an empty one is a mistake',
    async (line) => {
      const before = api.snapshot();
      for (const key of [api.keys.sphere, api.keys.bulle]) {
        const body = { detail: 'Établissement introuvable : bul_nulle_part' };
        expect(await to(line, { bulle_id: 'bul_nulle_part' }, key)).toEqual({ status: 404, body });
        expect(await to(line, { bulle_id: api.ids.outside.bulle }, key)).toEqual(TEXTS.bulleOutOfScope);
      }
      expect(await to(line, { bulle_id: api.ids.otherBulle }, api.keys.bulle)).toEqual(TEXTS.bulleOutOfScope);
      expect((await to(line, { bulle_id: '' })).status).toBe(422);
      expect(api.snapshot()).toEqual(before);
    },
  );

  test.each(acting)('%s: a sphere key must name one, a bubble key has its own', async (line) => {
    const before = api.snapshot();
    expect(await to(line, {})).toEqual(TEXTS.bulleMissing);
    expect(api.snapshot()).toEqual(before);
    expect((await to(line, {}, api.keys.bulle)).status).toBeLessThan(300);
    expect((await to(line, { bulle_id: api.ids.otherBulle })).status).toBeLessThan(300);
  });

  test.each(listing)('%s: the whole brand without one', async (line) => {
    expect((await to(line, {})).status).toBeLessThan(300);
  });
});

describe('a listing as the target', () => {
  const acting = [
    ...['GET /reviews', 'GET /reviews/summary', 'GET /acquisition/stats', 'POST /acquisition/review-requests'],
    ...['GET /gmb/metrics', 'GET /gmb/optimizer', 'POST /gmb/optimizer/audit', 'POST /gmb/optimizer/apply'],
    'GET /visibility/scan',
  ];

  test.each(acting)('%s: the French texts', async (line) => {
    const before = api.snapshot();
    expect(await to(line, {})).toEqual(TEXTS.ficheMissing);
    expect(await to(line, {}, api.addKey({ bulle_id: api.ids.bulleWithoutFiche }))).toEqual(TEXTS.noFiche);
    expect(await to(line, { fiche_id: api.ids.outside.fiche })).toEqual(TEXTS.ficheOutOfScope);
    expect(await to(line, { fiche_id: api.ids.otherFiche }, api.keys.bulle)).toEqual(TEXTS.ficheOutOfScope);
    expect((await to(line, { fiche_id: 'accounts/1/locations/2' })).status).toBe(404);
    expect((await to(line, { fiche_id: '' })).status).toBe(422);
    expect(api.snapshot()).toEqual(before);
  });

  test.each(acting)('%s: the listing of the location by default, any other of the brand by its name', async (line) => {
    expect((await to(line, {}, api.keys.bulle)).status).toBeLessThan(300);
    expect((await to(line, { fiche_id: api.ids.otherFiche })).status).toBeLessThan(300);
    const { body } = await to('GET /gmb/metrics', {}, api.keys.bulle);
    expect(body.fiche_id).toBe(api.ids.fiche);
  });
});
