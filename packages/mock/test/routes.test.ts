import { spec } from '@multilocal/test/spec/endpoints';
import { describe, expect, test } from 'vitest';
import { createMockApi } from '../src/index.js';
import { OPERATIONS } from '../src/resources/index.js';
import { call, NOW, send, TEXTS } from './helpers.js';

const api = createMockApi({ now: NOW });
const rows = spec.map((row) => [`${row.method} ${row.path.replace(/\{\w+\}/g, '1')}`, row] as const);
const writes = rows.filter(([, { method }]) => method === 'POST' || method === 'PUT');

describe('the operations of the specification', () => {
  test('are all served, under the names of the contract', () => {
    const named = [...spec.map(({ operation }) => operation), 'seo.competitors'];
    const known: readonly string[] = OPERATIONS;
    expect(
      named.filter((operation) => !known.includes(operation)),
      'packages/mock/src/resources lacks what test/spec/endpoints.ts has',
    ).toEqual([]);
    expect(
      known.filter((operation) => !named.includes(operation)),
      'test/spec/endpoints.ts lacks what packages/mock/src/resources has',
    ).toEqual([]);
    for (const operation of named) {
      const takeBack = api.fail({ operation });
      takeBack();
    }
  });

  test.each(rows)('%s: its name, 401, and the permission it needs', async (line, { operation, permission }) => {
    if (permission === 'none') return expect((await call(api, line, { key: null })).status).toBe(200);
    expect((await call(api, line, { key: null })).status).toBe(401);
    expect(api.requests.at(-1)?.operation).toBe(operation);
    const others = (['read', 'schedule', 'publish', 'delete'] as const).filter((other) => other !== permission);
    const key = api.addKey({ permissions: others });
    expect(await call(api, line, { key })).toEqual({
      status: 403,
      body: { detail: expect.stringContaining(`\`${permission}\``) },
    });
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

/** What each write needs before its target is looked at. */
const BODIES: Record<string, Record<string, unknown>> = {
  '/articles': { title: 'Le pain du dimanche', target_keyword: 'pain' },
  '/posts': { content: 'Bonjour', platforms: ['facebook'] },
  '/social/publish': { text: 'Bonjour', platforms: ['facebook'] },
  '/seo/tracked-keywords': { keyword: 'pain' },
  '/seo/keyword-lookup': { keyword: 'pain' },
  '/qr-codes': { target_url: 'https://pain.example/', name: 'Comptoir' },
  '/images/generate': { prompt: 'Une miche dorée' },
  '/acquisition/review-requests': {
    contacts: [{ customer_name: 'Léa', channel: 'email', customer_email: 'lea@mail.example' }],
  },
  '/gmb/optimizer/apply': { changes: [{ field: 'phone', value: '+33 4 72 00 00 00' }] },
};

const to = async (line: string, target: Record<string, string>, key?: string) => {
  const [method = '', path = ''] = line.split(' ');
  const options = key === undefined ? {} : { key };
  if (method === 'GET') return call(api, `${line}?${new URLSearchParams(target)}`, options);
  return call(api, line, { ...options, body: { ...BODIES[path], ...target } });
};

describe('a location as the target', () => {
  const acting = [
    'POST /articles',
    'POST /posts',
    'POST /social/publish',
    'GET /social/quota',
    'GET /seo/data',
    'GET /seo/tracked-keywords',
    'POST /seo/tracked-keywords',
    'GET /seo/search-console',
    'POST /seo/scan',
    'POST /seo/keyword-lookup',
    'POST /images/generate',
  ];
  const listing = [
    'GET /articles',
    'GET /connections',
    'GET /posts',
    'GET /qr-codes',
    'POST /qr-codes',
    'GET /sites',
    'GET /reports',
  ];

  test.each([...acting, ...listing])(
    '%s: 404 with the identifier, 403 out of scope, an empty one is a mistake',
    async (line) => {
      const before = api.snapshot();
      for (const key of [api.keys.sphere, api.keys.bulle]) {
        expect(await to(line, { bulle_id: 'bul_nulle_part' }, key)).toEqual({
          status: 404,
          body: { detail: 'Établissement introuvable : bul_nulle_part' },
        });
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
    'GET /reviews',
    'GET /reviews/summary',
    'GET /acquisition/stats',
    'POST /acquisition/review-requests',
    'GET /gmb/metrics',
    'GET /gmb/optimizer',
    'POST /gmb/optimizer/audit',
    'POST /gmb/optimizer/apply',
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
