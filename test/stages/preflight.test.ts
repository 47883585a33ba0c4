import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { Api } from '../../src/core/api.js';
import { type Endpoint, endpoint, type Params } from '../../src/core/endpoint.js';
import { Http } from '../../src/core/http.js';
import * as s from '../../src/core/schema.js';
import {
  Client,
  type Identity,
  MissingBulleIdError,
  MissingFicheIdError,
  MissingPermissionError,
  type Permission,
  PermissionDeniedError,
} from '../../src/index.js';
import { preflight } from '../../src/stages/preflight.js';
import { View } from '../../src/stages/view.js';
import { caught, freshUrl, makeClient, makePage, makeSession, rejection } from '../support/clients.js';
import { ARTICLE, BULLE_IDENTITY, CONFIRMATION, KEY, LIST, PUBLICATION, SPHERE_IDENTITY } from '../support/fixtures.js';
import { json, refuse, stubFetch } from '../support/stub-fetch.js';

const without = (...lacking: Permission[]): Identity => ({
  ...BULLE_IDENTITY,
  permissions: BULLE_IDENTITY.permissions.filter((one) => !lacking.includes(one as Permission)),
});

/** A route of the kind that the contract names, sent the way every resource sends. */
function sender(
  identity: Identity | undefined,
  options: { preflight?: boolean; view?: ConstructorParameters<typeof View>[0] } = {},
) {
  const fetch = stubFetch(json({ ok: true }));
  const session = makeSession({ fetch }, identity, options.preflight === false ? {} : { preflight });
  const api = new Api(session, new Http(session.config.root), new View(options.view));
  return { fetch, send: api.send.bind(api) };
}

const params = s.params({
  bulle_id: z.optional(s.string),
  fiche_id: z.optional(s.string),
  align_with_brand: z.optional(s.boolean),
});
const BULLE_ROUTE: Endpoint = endpoint({
  operation: 'seo.scan',
  method: 'POST',
  path: '/seo/scan',
  permission: 'publish',
  target: 'bulle_id',
  targetRequired: true,
  params,
});
const FICHE_ROUTE: Endpoint = endpoint({
  operation: 'reviews.list',
  method: 'GET',
  path: '/reviews',
  permission: 'read',
  target: 'fiche_id',
  targetRequired: true,
  params,
});
const IMAGE_ROUTE: Endpoint = endpoint({
  operation: 'images.generate',
  method: 'POST',
  path: '/images/generate',
  permission: 'publish',
  target: 'bulle_id',
  targetRequired: ({ align_with_brand }: Params) => align_with_brand !== false,
  params,
});

describe('permissions', () => {
  const calls: [operation: string, permission: Permission, call: (client: Client) => PromiseLike<unknown>][] = [
    ['articles.get', 'read', (client) => client.articles.get(42)],
    ['articles.list', 'read', (client) => client.articles.list()],
    ['articles.confirm', 'read', (client) => client.articles.confirm(42)],
    ['spheres.list', 'read', (client) => client.spheres.list()],
    ['bulles.list', 'read', (client) => client.bulles.list()],
    ['bulles.get', 'read', (client) => client.bulles.get('b-1')],
    ['connections.list', 'read', (client) => client.connections.list()],
    ['platforms.limits', 'read', (client) => client.platforms.limits()],
    ['articles.create', 'publish', (client) => client.articles.create({ title: 'abc', target_keyword: 'abc' })],
    ['articles.update', 'publish', (client) => client.articles.update(42, { title: 'abc' })],
    ['articles.publish', 'publish', (client) => client.articles.publish(42)],
    ['articles.publish', 'publish', (client) => client.articles.publish(42, { dry_run: true })],
    ['articles.publish', 'publish', (client) => client.dryRun.articles.publish(42)],
  ];

  it.each(calls)('%s without `%s` is refused, and nothing is sent', async (operation, permission, call) => {
    const fetch = stubFetch(json(ARTICLE));
    const error = await caught(call(makeClient({ fetch, identity: without(permission) })), MissingPermissionError);
    expect(error).toBeInstanceOf(PermissionDeniedError);
    expect(error).toMatchObject({
      code: 'missing_permission',
      message: expect.stringContaining('`client.me()` reads the permissions again'),
      permission,
      operation,
      status: 403,
      origin: 'preflight',
      attempts: 0,
      outcome: 'not_applied',
    });
    expect(fetch.calls).toHaveLength(0);
  });

  it.each(calls)('%s with only `%s` is sent', async (_, permission, call) => {
    const fetch = stubFetch(refuse(418));
    const identity = { ...BULLE_IDENTITY, permissions: [permission] };
    expect(await rejection(call(makeClient({ fetch, identity })))).toMatchObject({ status: 418 });
    expect(fetch.calls).toHaveLength(1);
  });

  it('health needs none', async () => {
    const fetch = stubFetch(json({ status: 'ok', api_version: '2.0', timestamp: 'x' }));
    await makeClient({ fetch, identity: { ...BULLE_IDENTITY, permissions: [] } }).health();
    expect(fetch.calls).toHaveLength(1);
  });

  it('me always sends a request, even if the identity is known', async () => {
    const fetch = stubFetch(json(BULLE_IDENTITY));
    const client = makeClient({ fetch, identity: { ...BULLE_IDENTITY, permissions: [] } });
    expect(await client.me()).toEqual(BULLE_IDENTITY);
    expect(client.identity).toEqual(BULLE_IDENTITY);
    expect(fetch.calls).toHaveLength(1);
  });

  it('request is sent without a check, because the client does not know its permission', async () => {
    const fetch = stubFetch(json({}));
    await makeClient({ fetch, identity: { ...BULLE_IDENTITY, permissions: [] } }).request({
      method: 'POST',
      path: '/new',
    });
    expect(fetch.calls).toHaveLength(1);
  });

  it('a permission that this version does not know does not matter', async () => {
    const identity = { ...BULLE_IDENTITY, permissions: ['admin', 'read'] };
    await makeClient({ fetch: stubFetch(json(ARTICLE)), identity }).articles.get(42);
  });
});

describe('nothing is refused', () => {
  it('while the identity is unknown', async () => {
    const fetch = stubFetch(refuse(403, 'Permission manquante'));
    const error = await rejection(makeClient({ fetch }).articles.publish(42));
    expect(error).toMatchObject({ code: 'permission_denied', origin: 'service' });
    expect(fetch.calls).toHaveLength(1);
  });

  it('with preflight off', async () => {
    const fetch = stubFetch(json(PUBLICATION));
    await makeClient({ fetch, identity: without('publish'), preflight: false }).articles.publish(42);
    expect(fetch.calls).toHaveLength(1);
    for (const route of [BULLE_ROUTE, FICHE_ROUTE, IMAGE_ROUTE]) {
      const off = sender(SPHERE_IDENTITY, { preflight: false });
      await off.send(route, {});
      expect(off.fetch.calls).toHaveLength(1);
    }
  });

  it('by an ArticlesClient, which never knows its identity', async () => {
    const fetch = stubFetch(json(CONFIRMATION));
    await makePage({ fetch }).confirm(42);
    expect(fetch.calls).toHaveLength(1);
  });

  it.each([
    ['articles.list', (client: Client) => client.articles.list(), LIST],
    ['connections.list', (client: Client) => client.connections.list(), []],
  ] as const)('%s with a sphere key and no bulle_id', async (_, call, answer) => {
    const fetch = stubFetch(json(answer));
    expect(await call(makeClient({ fetch, identity: SPHERE_IDENTITY }))).toEqual(answer);
    expect(fetch.calls).toHaveLength(1);
  });

  it.each(['b-created-later', 'b-lyon'])('a target that the identity does not know: %s', async (bulle_id) => {
    for (const identity of [SPHERE_IDENTITY, BULLE_IDENTITY]) {
      const fetch = stubFetch(json(LIST));
      await makeClient({ fetch, identity }).articles.list({ bulle_id });
      expect(fetch.calls).toHaveLength(1);
    }
  });

  it('a listing that the identity does not know', async () => {
    const { fetch, send } = sender(SPHERE_IDENTITY);
    await send(FICHE_ROUTE, { fiche_id: 'accounts/9/locations/9' });
    expect(fetch.calls).toHaveLength(1);
  });
});

describe('a missing bulle_id', () => {
  it('with a sphere key is refused, and nothing is sent', async () => {
    const { fetch, send } = sender(SPHERE_IDENTITY);
    const error = await caught(send(BULLE_ROUTE, {}), MissingBulleIdError);
    expect(error).toMatchObject({
      code: 'missing_bulle_id',
      status: 400,
      origin: 'preflight',
      operation: 'seo.scan',
      path: '/seo/scan',
      attempts: 0,
      outcome: 'not_applied',
    });
    expect(fetch.calls).toHaveLength(0);
  });

  it('is refused also if it is passed as undefined', async () => {
    const { fetch, send } = sender(SPHERE_IDENTITY);
    await caught(send(BULLE_ROUTE, { bulle_id: undefined }), MissingBulleIdError);
    expect(fetch.calls).toHaveLength(0);
  });

  it('with a bubble key is sent: the service uses the key’s location', async () => {
    const { fetch, send } = sender(BULLE_IDENTITY);
    await send(BULLE_ROUTE, {});
    expect(fetch.calls[0]?.body).toBe('{}');
  });

  it.each([
    ['the parameter', { bulle_id: 'b-1' }, {}, {}],
    ['the view', {}, { bulle_id: 'b-1' }, {}],
    ['extra', {}, {}, { extra: { bulle_id: 'b-1' } }],
  ] as const)('is not missing if %s names it', async (_, given, view, options) => {
    const { fetch, send } = sender(SPHERE_IDENTITY, { view });
    await send(BULLE_ROUTE, given, options);
    expect(JSON.parse(fetch.calls[0]?.body ?? '')).toEqual({ bulle_id: 'b-1' });
  });

  it('of articles.create is refused', async () => {
    const fetch = stubFetch(json({}));
    const { articles } = makeClient({ fetch, identity: SPHERE_IDENTITY });
    await caught(articles.create({ title: 'abc', target_keyword: 'abc' }), MissingBulleIdError);
    expect(fetch.calls).toHaveLength(0);
  });

  it('of images.generate is refused unless align_with_brand is false', async () => {
    for (const given of [{}, { align_with_brand: true }, { align_with_brand: undefined }]) {
      const { fetch, send } = sender(SPHERE_IDENTITY);
      await caught(send(IMAGE_ROUTE, given), MissingBulleIdError);
      expect(fetch.calls).toHaveLength(0);
    }
    const { fetch, send } = sender(SPHERE_IDENTITY);
    await send(IMAGE_ROUTE, { align_with_brand: false });
    expect(fetch.calls).toHaveLength(1);
  });
});

describe('a missing fiche_id', () => {
  it('with a sphere key of several listings is refused, with the listings as choices', async () => {
    const { fetch, send } = sender(SPHERE_IDENTITY);
    const error = await caught(send(FICHE_ROUTE, {}), MissingFicheIdError);
    expect(error).toMatchObject({ code: 'missing_fiche_id', status: 400, origin: 'preflight', attempts: 0 });
    expect(error.choices).toEqual(SPHERE_IDENTITY.gmb_fiches);
    expect(fetch.calls).toHaveLength(0);
  });

  it.each([
    ['a sphere key of one listing', { ...SPHERE_IDENTITY, gmb_fiches: SPHERE_IDENTITY.gmb_fiches.slice(0, 1) }],
    ['a sphere key of none', { ...SPHERE_IDENTITY, gmb_fiches: [] }],
    ['a bubble key', BULLE_IDENTITY],
    ['a bubble key of two listings', { ...BULLE_IDENTITY, gmb_fiches: SPHERE_IDENTITY.gmb_fiches }],
  ])('with %s is sent', async (_, identity) => {
    const { fetch, send } = sender(identity);
    await send(FICHE_ROUTE, {});
    expect(fetch.calls).toHaveLength(1);
  });

  it('is filled in by forFiche', async () => {
    const { fetch, send } = sender(SPHERE_IDENTITY, { view: { fiche_id: 'accounts/1/locations/2' } });
    await send(FICHE_ROUTE, {});
    expect(fetch.calls[0]?.url.searchParams.get('fiche_id')).toBe('accounts/1/locations/2');
  });
});

describe('the order of checks', () => {
  it('invalid parameters are reported before a missing permission', async () => {
    const client = makeClient({ fetch: stubFetch(json(ARTICLE)), identity: without('read') });
    expect(await rejection(client.articles.get(Number.NaN))).toMatchObject({ code: 'invalid_request' });
  });

  it('a refused call does not use the budget', async () => {
    const fetch = stubFetch(json(ARTICLE));
    const client = makeClient({ fetch, identity: without('publish'), rateLimit: { perMinute: 1, maxWait: 0 } });
    for (let call = 0; call < 5; call++) await caught(client.articles.publish(42), MissingPermissionError);
    await client.articles.get(42);
    expect(fetch.calls).toHaveLength(1);
  });

  it('later calls use the identity of client.me()', async () => {
    const fetch = stubFetch(json(without('publish')));
    const client = makeClient({ fetch });
    expect(client.identity).toBeUndefined();
    await client.me();
    await caught(client.articles.publish(42), MissingPermissionError);
    expect(fetch.calls).toHaveLength(1);
  });
});

describe('the identity', () => {
  it('connect sends one GET /me', async () => {
    const fetch = stubFetch(json(SPHERE_IDENTITY));
    const client = await Client.connect({ apiKey: KEY, baseUrl: freshUrl(), fetch });
    expect(fetch.calls.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual(['GET /api/v2/me']);
    expect(client.identity).toEqual(SPHERE_IDENTITY);
    expect(client.scope).toEqual({ kind: 'sphere' });
  });

  it('connect sends nothing with a stored identity', async () => {
    const fetch = stubFetch(json(SPHERE_IDENTITY));
    const client = await Client.connect({ apiKey: KEY, baseUrl: freshUrl(), fetch, identity: BULLE_IDENTITY });
    expect(fetch.calls).toHaveLength(0);
    expect(client.scope).toEqual({ kind: 'bulle', bulle: BULLE_IDENTITY.bulle });
  });

  it('connect rejects with the error of GET /me', async () => {
    const options = { apiKey: KEY, baseUrl: freshUrl(), fetch: stubFetch(refuse(401)) };
    expect(await rejection(Client.connect(options))).toMatchObject({ code: 'authentication', operation: 'me' });
    expect(await rejection(Client.connect({ apiKey: '', baseUrl: 'x' }))).toMatchObject({ code: 'configuration' });
  });

  it('new Client has no identity and sends nothing', () => {
    const fetch = stubFetch(json(SPHERE_IDENTITY));
    const client = makeClient({ fetch });
    expect(client.identity).toBeUndefined();
    expect(client.scope).toBeUndefined();
    expect(fetch.calls).toHaveLength(0);
  });

  it('me always sends a request, and its last response is the identity', async () => {
    const fetch = stubFetch(json(SPHERE_IDENTITY), json(BULLE_IDENTITY));
    const client = makeClient({ fetch });
    await client.me();
    expect(client.scope?.kind).toBe('sphere');
    const { data, response } = await client.me().withResponse();
    expect(data).toEqual(BULLE_IDENTITY);
    expect(response.status).toBe(200);
    expect(client.scope?.kind).toBe('bulle');
    expect(fetch.calls).toHaveLength(2);
  });

  it('is not replaced by an invalid response', async () => {
    for (const validation of ['throw', 'warn', 'off'] as const) {
      const client = makeClient({ fetch: stubFetch(json({ bulle: 7 })), identity: SPHERE_IDENTITY, validation });
      await client.me().catch(() => {});
      expect(client.identity).toEqual(SPHERE_IDENTITY);
    }
  });

  it('is not replaced when me fails', async () => {
    const client = makeClient({ fetch: stubFetch(refuse(401)), identity: SPHERE_IDENTITY });
    await rejection(client.me());
    expect(client.identity).toEqual(SPHERE_IDENTITY);
  });
});
