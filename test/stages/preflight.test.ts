import { describe, expect, it } from 'vitest';
import {
  Client,
  type ClientOptions,
  type Identity,
  MissingBulleIdError,
  MissingFicheIdError,
  MissingPermissionError,
  type Permission,
  PermissionDeniedError,
} from '../../src/index.js';
import { CALLS } from '../spec/calls.js';
import { callByName } from '../spec/endpoints.js';
import { caught, freshUrl, makeClient, makePage, rejection } from '../support/clients.js';
import { ARTICLE, BULLE_IDENTITY, CONFIRMATION, KEY, LIST, SPHERE_IDENTITY } from '../support/fixtures.js';
import { json, refuse, stubFetch } from '../support/stub-fetch.js';

const without = (...lacking: Permission[]): Identity => ({
  ...BULLE_IDENTITY,
  permissions: BULLE_IDENTITY.permissions.filter((one) => !lacking.includes(one as Permission)),
});

function setUp(identity: Identity | undefined, options: ClientOptions = {}) {
  const fetch = stubFetch(json({ dry_run: true }));
  return { fetch, client: makeClient({ fetch, validation: 'off', ...(identity && { identity }), ...options }) };
}

describe('permissions', () => {
  const calls = CALLS.filter(({ row }) => row.permission !== 'none' && row.operation !== 'me');

  it.each(calls.map(({ operation, row, args }) => [operation, row.permission as Permission, args] as const))(
    '%s without `%s` is refused, and nothing is sent; with it alone it is sent',
    async (operation, permission, args) => {
      const { fetch, client } = setUp(without(permission));
      const error = await caught(callByName(client, operation, args), MissingPermissionError);
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
      const only = setUp({ ...BULLE_IDENTITY, permissions: [permission] });
      await callByName(only.client, operation, args);
      expect(only.fetch.calls).toHaveLength(1);
    },
  );

  it('are needed for a preview too', async () => {
    const { fetch, client } = setUp(without('publish'));
    await caught(client.articles.publish(42, { dry_run: true }), MissingPermissionError);
    await caught(client.dryRun.articles.publish(42), MissingPermissionError);
    expect(fetch.calls).toHaveLength(0);
  });

  it.each<[string, (client: Client) => PromiseLike<unknown>]>([
    ['health needs none', (client) => client.health()],
    ['me always sends a request, even if the identity is known', (client) => client.me()],
    ['request has one that the client does not know', (client) => client.request({ method: 'POST', path: '/new' })],
  ])('%s', async (_, call) => {
    const { fetch, client } = setUp({ ...BULLE_IDENTITY, permissions: [] });
    await call(client);
    expect(fetch.calls).toHaveLength(1);
  });

  it('that this version does not know do not matter', async () => {
    await setUp({ ...BULLE_IDENTITY, permissions: ['admin', 'read'] }).client.articles.get(42);
  });
});

describe('nothing is refused', () => {
  it('while the identity is unknown', async () => {
    const fetch = stubFetch(refuse(403, 'Permission manquante'));
    const error = await rejection(makeClient({ fetch }).articles.publish(42));
    expect(error).toMatchObject({ code: 'permission_denied', origin: 'service' });
    expect(fetch.calls).toHaveLength(1);
  });

  it.each<[string, Identity, (client: Client) => PromiseLike<unknown>]>([
    ['a missing permission', without('publish'), (client) => client.articles.publish(42)],
    ['a missing bulle_id', SPHERE_IDENTITY, (client) => client.seo.scan()],
    ['a missing fiche_id', SPHERE_IDENTITY, (client) => client.reviews.list()],
    ['a bulle_id that an image needs', SPHERE_IDENTITY, (client) => client.images.generate({ prompt: 'a' })],
  ])('with preflight off: %s', async (_, identity, call) => {
    const { fetch, client } = setUp(identity, { preflight: false });
    await call(client);
    expect(fetch.calls).toHaveLength(1);
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

  it.each<[string, (client: Client) => PromiseLike<unknown>]>([
    ['a location created later', (client) => client.articles.list({ bulle_id: 'b-created-later' })],
    ['another location', (client) => client.articles.list({ bulle_id: 'b-lyon' })],
    ['another listing', (client) => client.reviews.list({ fiche_id: 'accounts/9/locations/9' })],
  ])('a target that the identity does not know: %s', async (_, call) => {
    for (const identity of [SPHERE_IDENTITY, BULLE_IDENTITY]) {
      const { fetch, client } = setUp(identity);
      await call(client);
      expect(fetch.calls).toHaveLength(1);
    }
  });
});

describe('a missing bulle_id', () => {
  it.each([{}, { bulle_id: undefined }])('with a sphere key is refused, and nothing is sent: %o', async (given) => {
    const { fetch, client } = setUp(SPHERE_IDENTITY);
    const error = await caught(client.seo.scan(given), MissingBulleIdError);
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

  it('with a bubble key is sent: the service uses the key’s location', async () => {
    const { fetch, client } = setUp(BULLE_IDENTITY);
    await client.seo.scan();
    expect(fetch.calls[0]?.body).toBe('{}');
  });

  it.each<[string, (client: Client) => PromiseLike<unknown>]>([
    ['the parameter', (client) => client.seo.scan({ bulle_id: 'b-1' })],
    ['the view', (client) => client.forBulle('b-1').seo.scan()],
    ['extra', (client) => client.seo.scan({}, { extra: { bulle_id: 'b-1' } })],
  ])('is not missing if %s names it', async (_, call) => {
    const { fetch, client } = setUp(SPHERE_IDENTITY);
    await call(client);
    expect(JSON.parse(fetch.calls[0]?.body ?? '')).toEqual({ bulle_id: 'b-1' });
  });

  it('of articles.create, and of images.generate unless align_with_brand is false, is refused', async () => {
    const { fetch, client } = setUp(SPHERE_IDENTITY);
    await caught(client.articles.create({ title: 'abc', target_keyword: 'abc' }), MissingBulleIdError);
    for (const given of [{}, { align_with_brand: true }, { align_with_brand: undefined }]) {
      await caught(client.images.generate({ prompt: 'a', ...given }), MissingBulleIdError);
    }
    expect(fetch.calls).toHaveLength(0);
    await client.images.generate({ prompt: 'a', align_with_brand: false });
    expect(fetch.calls).toHaveLength(1);
  });
});

describe('a missing fiche_id', () => {
  it('with a sphere key of several listings is refused, with the listings as choices', async () => {
    const { fetch, client } = setUp(SPHERE_IDENTITY);
    const error = await caught(client.reviews.list(), MissingFicheIdError);
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
    const { fetch, client } = setUp(identity);
    await client.reviews.list();
    expect(fetch.calls).toHaveLength(1);
  });

  it('is filled in by forFiche', async () => {
    const { fetch, client } = setUp(SPHERE_IDENTITY);
    await client.forFiche('accounts/1/locations/2').reviews.list();
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
