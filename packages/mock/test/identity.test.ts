import { describe, expect, test } from 'vitest';
import { createMockApi } from '../src/index.js';
import { api, call, callList, freshApi, NOW, send, TEXTS } from './helpers.js';

freshApi();

describe('keys', () => {
  test('health needs no key', async () => {
    const { status, body } = await call(api, 'GET /health', { key: null });
    expect(status).toBe(200);
    expect(body).toEqual({ status: 'ok', api_version: '2.0', timestamp: expect.stringMatching(/^2026-11-14T09:30:0/) });
  });

  test('a revoked key is refused at once; a key expires by the clock', async () => {
    const key = api.addKey({ expires_at: new Date(Date.parse(NOW) + 60_000) });
    expect((await send(api, 'GET /me', { key })).status).toBe(200);
    api.advance(60_000);
    expect((await send(api, 'GET /me', { key })).status).toBe(401);
    api.revokeKey(api.keys.sphere);
    expect((await send(api, 'GET /me')).status).toBe(401);
  });
});

describe('GET /me', () => {
  test('a sphere key has no bulle and lists every listing of the brand', async () => {
    const { body } = await call(api, 'GET /me');
    expect(body).toMatchObject({
      api_version: '2.0',
      bulle: null,
      sphere: { id: api.ids.sphere, name: "Les Fournils d'Augustine", slug: 'les-fournils-d-augustine' },
      permissions: ['read', 'schedule', 'publish', 'delete'],
      rate_limits: { per_minute: 60, per_day: 1000 },
    });
    const fiches = body.gmb_fiches as { id: string }[];
    expect(fiches).toHaveLength(12);
    expect(Object.keys(fiches[0] ?? {})).toEqual(['id', 'name', 'address', 'service_area']);
    for (const { id } of fiches) expect(id).toMatch(/^accounts\/\d+\/locations\/\d+$/);
  });

  test('a bulle key shows its location and the listing of that', async () => {
    const { body } = await call(api, 'GET /me', { key: api.keys.bulle });
    expect(body.bulle).toEqual({ id: api.ids.bulle, name: expect.any(String), city: 'Lyon' });
    expect(body.gmb_fiches).toEqual([expect.objectContaining({ id: api.ids.fiche })]);
    expect(body.connected_platforms).toEqual(['facebook', 'instagram', 'gmb', 'linkedin', 'pinterest']);
  });
});

describe('spheres, bulles, connections, limits', () => {
  test('detail: missing values come from the sphere', async () => {
    const { body } = await call(api, `GET /bulles/${api.ids.bulle}`);
    const effective = { effective_tone: 'professional', effective_language: 'fr' };
    expect(body).toMatchObject({ tone: null, language: null, ...effective, gmb_fiches_count: 1 });
    const german = await call(api, 'GET /bulles/bul_strasbourg_krutenau');
    expect(german.body).toMatchObject({ language: 'de', effective_language: 'de' });
    expect((await call(api, `GET /bulles/${api.ids.bulleWithoutFiche}`)).body.gmb_fiches_count).toBe(0);
    expect(await call(api, `GET /bulles/${api.ids.outside.bulle}`)).toEqual(TEXTS.bulleOutOfScope);
    expect((await call(api, 'GET /bulles/bul_n%C3%AEmes')).body.detail).toBe('Établissement introuvable : bul_nîmes');
  });

  test('connections: no offset in expires_at, some in trouble, each with its location', async () => {
    const all = await callList(api, 'GET /connections');
    expect(new Set(all.map(({ bulle_id }) => bulle_id)).size).toBe(13);
    for (const { expires_at } of all) expect(expires_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    expect(all.filter(({ needs_reconnect }) => needs_reconnect).length).toBeGreaterThan(1);
    expect(all.filter(({ connected }) => !connected).length).toBe(1);
    const own = await callList(api, 'GET /connections', { key: api.keys.bulle });
    const named = await callList(api, `GET /connections?bulle_id=${api.ids.bulle}`);
    expect(own).toEqual(named);
    expect(own.every(({ bulle_id }) => bulle_id === api.ids.bulle)).toBe(true);
  });
});

describe('routes', () => {
  test.each(['GET /nothing', 'GET /articles/42/nothing', 'GET /articles/', 'GET /bulles/'])('%s: 404', async (line) => {
    const { status, body } = await call(api, line);
    expect(status).toBe(404);
    expect(body).toEqual({ detail: 'Ressource introuvable.' });
  });

  test('a known path with another method: 405', async () => {
    const response = await send(api, 'DELETE /articles/42');
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, PUT');
  });

  test.each(['', '/', '/api/v2', '/tenant', '/tenant/api/v2/'])('base URL with %j', async (path) => {
    const other = createMockApi({ baseUrl: `https://api.example.test${path}` });
    expect(other.baseUrl).toBe(`https://api.example.test${path.includes('tenant') ? '/tenant' : ''}`);
    expect((await send(other, 'GET /me')).status).toBe(200);
    expect(other.requests[0]?.path).toBe('/api/v2/me');
  });
});

describe('createMockApi({ bulles: 40 })', () => {
  test('has 40 locations, 39 of them with a listing, each with accounts that can publish', async () => {
    const api = createMockApi({ now: NOW, bulles: 40 });
    const bulles = await callList(api, 'GET /bulles');
    expect(new Set(bulles.map(({ id }) => id)).size).toBe(40);
    const { gmb_fiches: fiches } = (await call(api, 'GET /me')).body as { gmb_fiches: { id: string }[] };
    expect(new Set(fiches.map(({ id }) => id)).size).toBe(39);
    const params = { bulle_id: bulles.at(-1)?.id, platforms: ['facebook', 'gmb'], content: 'Bonjour', dry_run: true };
    expect((await send(api, 'POST /posts', { body: params })).status).toBe(200);
    expect((await send(api, `GET /gmb/optimizer?fiche_id=${fiches.at(-1)?.id}`)).status).toBe(200);
  });
});

describe('bulles.add', () => {
  test('a location with a listing and accounts, which sphere keys cover at once', async () => {
    const [given, address] = [{ name: 'Au Fournil', city: 'Saint-Malo', tone: 'familier' }, '1 quai Duguay'];
    const { id, fiche_id } = api.bulles.add({ ...given, address });
    const created_at = expect.stringMatching(/^2026-11-14T09:30:0/);
    const shown = { id: 'bul_saint_malo_1', ...given, language: null, sphere_id: api.ids.sphere, created_at };
    expect((await callList(api, 'GET /bulles')).at(-1)).toEqual(shown);
    const fiche = { id: fiche_id, name: 'Au Fournil', address, service_area: false };
    expect((await call(api, 'GET /me')).body.gmb_fiches).toContainEqual(fiche);
    const accounts = await callList(api, `GET /connections?bulle_id=${id}`);
    expect(accounts.map(({ platform, name }) => [platform, name])).toEqual([
      ['facebook', "Les Fournils d'Augustine Saint-Malo"],
      ['instagram', '@fournils.augustine.saint-malo'],
      ['gmb', 'Au Fournil'],
      ['tiktok', '@augustine.saint-malo'],
    ]);
    const { status } = await call(api, `GET /me`, { key: api.addKey({ bulle_id: id }) });
    expect(status).toBe(200);
  });

  test('each has its own ids; those of another location are refused; reset forgets them', async () => {
    const all = [{ id: 'bul_angers_1' }, {}, { city: 'Lyon' }, { city: 'Lyon' }];
    const added = all.map((given) => api.bulles.add(given));
    expect(added.map(({ id }) => id)).toEqual(['bul_angers_1', 'bul_avignon_1', 'bul_lyon_1', 'bul_lyon_2']);
    expect(new Set(added.map(({ fiche_id }) => fiche_id)).size).toBe(4);
    const before = api.snapshot();
    for (const id of ['bul_lyon_2', api.ids.bulle, api.ids.outside.bulle]) {
      expect(() => api.bulles.add({ id })).toThrow(`bulles.add: there is a location ${id}`);
    }
    expect(api.snapshot()).toEqual(before);
    api.reset();
    expect(await callList(api, 'GET /bulles')).toHaveLength(13);
  });
});
