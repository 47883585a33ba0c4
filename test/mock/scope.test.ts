import { beforeEach, describe, expect, test } from 'vitest';
import { KeyRing } from '../../src/mock/engine/auth.js';
import { brandSlice, targetFiche } from '../../src/mock/engine/scope.js';
import { Store } from '../../src/mock/engine/store.js';
import { createMockApi, type MockApi } from '../../src/mock/index.js';
import { call, NOW, page, send } from './helpers.js';

// From the specification, section Errors, by hand: they must not come from the code under test.
const BULLE_403 = "Cet établissement n'appartient pas à votre périmètre.";
const FICHE_403 = "Cette fiche GMB n'appartient pas à votre périmètre.";
const FICHE_404 = 'Aucune fiche GMB associée à cette clé API.';
const BULLE_400 = 'Cette clé API couvre plusieurs établissements. Précisez `bulle_id` (liste : GET /api/v2/bulles).';
const FICHE_400 = 'Cette clé API couvre plusieurs fiches Google. Précisez `fiche_id` (liste : GET /api/v2/me).';

let api: MockApi;
beforeEach(() => {
  api = createMockApi({ now: NOW });
});

describe('locations', () => {
  const reads = ['/bulles/{id}', '/connections?bulle_id={id}', '/articles?bulle_id={id}'];

  test.each(reads)('GET %s of another brand: 403', async (path) => {
    const { status, body } = await call(api, `GET ${path.replace('{id}', api.ids.outside.bulle)}`);
    expect(status).toBe(403);
    expect(body).toEqual({ detail: BULLE_403 });
  });

  test.each(reads)('GET %s of another location, bulle key: 403', async (path) => {
    const { status, body } = await call(api, `GET ${path.replace('{id}', api.ids.otherBulle)}`, {
      key: api.keys.bulle,
    });
    expect(status).toBe(403);
    expect(body).toEqual({ detail: BULLE_403 });
  });

  test.each(reads)('GET %s of an unknown location: 404 with the identifier', async (path) => {
    for (const key of [api.keys.sphere, api.keys.bulle]) {
      const { status, body } = await call(api, `GET ${path.replace('{id}', 'bul_n%C3%AEmes')}`, { key });
      expect(status).toBe(404);
      expect(body).toEqual({ detail: 'Établissement introuvable : bul_nîmes' });
    }
  });

  test('a target in a body: 400 without, 404 and 403 for wrong ones, filled in for a bulle key', async () => {
    const article = { title: 'Le pain du dimanche', target_keyword: 'pain' };
    const create = (bulle_id?: string, key = api.keys.sphere) =>
      call(api, 'POST /articles', { key, body: { ...article, ...(bulle_id === undefined ? {} : { bulle_id }) } });
    const before = api.snapshot();
    expect(await create()).toEqual({ status: 400, body: { detail: BULLE_400 } });
    expect(await create('bul_nowhere')).toEqual({
      status: 404,
      body: { detail: 'Établissement introuvable : bul_nowhere' },
    });
    expect(await create(api.ids.outside.bulle)).toEqual({ status: 403, body: { detail: BULLE_403 } });
    expect(await create(api.ids.otherBulle, api.keys.bulle)).toEqual({ status: 403, body: { detail: BULLE_403 } });
    expect((await create('')).status).toBe(422);
    expect(api.snapshot()).toEqual(before);
    expect((await create(undefined, api.keys.bulle)).status).toBe(201);
    expect(api.articles.all().at(-1)?.bulle_id).toBe(api.ids.bulle);
  });

  test('an empty target in a query is refused and does not count as absent', async () => {
    expect((await send(api, 'GET /articles?bulle_id=')).status).toBe(422);
  });
});

describe('listings', () => {
  const store = new Store([brandSlice], { now: Date.parse(NOW) * 1000 });
  const keyFor = (bulle_id?: string) => {
    const keys = new KeyRing();
    const key = keys.find(keys.add(bulle_id === undefined ? {} : { bulle_id }));
    if (key === undefined) throw new Error('no key');
    return key;
  };
  const error = (status: number, detail: string) => expect.objectContaining({ status, detail });
  const target = (bulle: string | undefined, fiche?: string) => () => targetFiche(store, keyFor(bulle), fiche);

  test('the listing of the location by default', () => {
    expect(target(api.ids.bulle)().id).toBe(api.ids.fiche);
    expect(target(undefined, api.ids.fiche)().id).toBe(api.ids.fiche);
  });

  test('the French texts', () => {
    expect(target(undefined)).toThrow(error(400, FICHE_400));
    expect(target(api.ids.bulleWithoutFiche)).toThrow(error(404, FICHE_404));
    expect(target(undefined, api.ids.outside.fiche)).toThrow(error(403, FICHE_403));
    expect(target(api.ids.otherBulle, api.ids.fiche)).toThrow(error(403, FICHE_403));
    expect(target(undefined, 'accounts/1/locations/2')).toThrow(
      error(404, 'Fiche GMB introuvable : accounts/1/locations/2'),
    );
  });
});

describe('articles', () => {
  test('a sphere key lists the brand, including its own articles, and no other brand', async () => {
    const { total, articles } = await page(api, { status: 'all', limit: '100' });
    expect(total).toBe(240);
    expect(articles.some(({ bulle_id, bulle_name }) => bulle_id === null && bulle_name === null)).toBe(true);
    const one = await page(api, { status: 'all', bulle_id: api.ids.otherBulle });
    expect(one.total).toBeGreaterThan(5);
    expect(one.articles.every(({ bulle_id }) => bulle_id === api.ids.otherBulle)).toBe(true);
  });

  test('a bulle key lists only its location', async () => {
    const { articles, total } = await page(api, { status: 'all', limit: '100' }, { key: api.keys.bulle });
    expect(total).toBe(articles.length);
    expect(articles.every(({ bulle_id }) => bulle_id === api.ids.bulle)).toBe(true);
  });

  test('one article: 403 outside the scope, 404 if unknown, 422 if the id is not a number', async () => {
    const brandOnly = api.articles.all().find(({ bulle_id }) => bulle_id === null);
    const elsewhere = api.articles.all().find(({ bulle_id }) => bulle_id === api.ids.otherBulle);
    for (const id of [brandOnly?.id, elsewhere?.id, api.ids.outside.article]) {
      expect(await call(api, `GET /articles/${id}`, { key: api.keys.bulle })).toEqual({
        status: 403,
        body: { detail: BULLE_403 },
      });
    }
    expect((await send(api, `GET /articles/${brandOnly?.id}`)).status).toBe(200);
    expect((await send(api, `GET /articles/${api.ids.outside.article}`)).status).toBe(403);
    expect(await call(api, 'GET /articles/777')).toEqual({
      status: 404,
      body: { detail: 'Article introuvable : 777' },
    });
    expect((await send(api, 'GET /articles/abc')).status).toBe(422);
  });
});

describe('permissions', () => {
  const writes = ['POST /articles', 'PUT /articles/8', 'POST /articles/8/publish'];

  test.each(writes)('%s needs publish', async (line) => {
    const before = api.snapshot();
    for (const key of [api.keys.readOnly, api.addKey({ permissions: ['read', 'schedule', 'delete'] })]) {
      const { status, body } = await call(api, line, { key });
      expect(status).toBe(403);
      expect(body.detail).toContain('`publish`');
    }
    expect(api.snapshot()).toEqual(before);
  });

  test('confirm needs only read; reads need read', async () => {
    expect((await send(api, 'POST /articles/42/confirm', { key: api.keys.readOnly })).status).toBe(200);
    const key = api.addKey({ permissions: ['publish'] });
    for (const line of ['GET /me', 'GET /articles', 'POST /articles/42/confirm']) {
      expect((await call(api, line, { key })).body.detail).toContain('`read`');
    }
  });
});
