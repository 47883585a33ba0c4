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
import { answering, caught, freshUrl, makeClient, makePage, rejection } from '../support/clients.js';
import { ARTICLE, BULLE_IDENTITY, KEY, SPHERE_IDENTITY } from '../support/fixtures.js';
import { json, refuse, stubFetch } from '../support/stub-fetch.js';

const without = (...lacking: Permission[]): Identity => ({
  ...BULLE_IDENTITY,
  permissions: BULLE_IDENTITY.permissions.filter((one) => !lacking.includes(one as Permission)),
});

function setUp(identity: Identity, options: ClientOptions = {}) {
  return answering({ dry_run: true }, { identity, ...options });
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
});

type Kind = typeof MissingPermissionError | typeof MissingBulleIdError | typeof MissingFicheIdError | undefined;
type Act = (client: Client) => PromiseLike<unknown>;
const SPHERE = SPHERE_IDENTITY;
const BULLE = BULLE_IDENTITY;
const nobody = { ...BULLE, permissions: [] };
const article = { title: 'abc', target_keyword: 'abc' };
const [lyon, later, listing] = ['b-lyon', 'b-created-later', 'accounts/9/locations/9'];
const off = { preflight: false };

/** Without a class, the call is sent. */
const ROWS: [string, Identity, Act, Kind?, ClientOptions?][] = [
  [
    'a permission for a preview',
    without('publish'),
    (c) => c.articles.publish(42, { dry_run: true }),
    MissingPermissionError,
  ],
  ['a permission on dryRun', without('publish'), (c) => c.dryRun.articles.publish(42), MissingPermissionError],
  ['a permission, with preflight off', without('publish'), (c) => c.articles.publish(42), undefined, off],
  ['health, which needs none', nobody, (c) => c.health()],
  ['me, which always asks', nobody, (c) => c.me()],
  ['a route whose permission is unknown', nobody, (c) => c.request({ method: 'POST', path: '/new' })],
  ['a permission of a later version', { ...BULLE, permissions: ['admin', 'read'] }, (c) => c.articles.get(42)],

  ['no bulle_id', SPHERE, (c) => c.seo.scan(), MissingBulleIdError],
  ['undefined as bulle_id', SPHERE, (c) => c.seo.scan({ bulle_id: undefined }), MissingBulleIdError],
  ['a bulle_id', SPHERE, (c) => c.seo.scan({ bulle_id: 'b-1' })],
  ['no bulle_id, with a key of one location', BULLE, (c) => c.seo.scan()],
  ['no bulle_id, with preflight off', SPHERE, (c) => c.seo.scan(), undefined, off],
  ['no bulle_id for an article', SPHERE, (c) => c.articles.create(article), MissingBulleIdError],
  ['no bulle_id for articles.list', SPHERE, (c) => c.articles.list()],
  ['no bulle_id for connections.list', SPHERE, (c) => c.connections.list()],
  ['no bulle_id for an image', SPHERE, (c) => c.images.generate({ prompt: 'a' }), MissingBulleIdError],
  ...[true, undefined].map((align_with_brand): (typeof ROWS)[number] => [
    `no bulle_id for an image, align_with_brand ${align_with_brand}`,
    SPHERE,
    (c) => c.images.generate({ prompt: 'a', align_with_brand }),
    MissingBulleIdError,
  ]),
  ['an image without a brand', SPHERE, (c) => c.images.generate({ prompt: 'a', align_with_brand: false })],
  ['an image, with preflight off', SPHERE, (c) => c.images.generate({ prompt: 'a' }), undefined, off],

  ['no fiche_id', SPHERE, (c) => c.reviews.list(), MissingFicheIdError],
  ['no fiche_id, of one listing', { ...SPHERE, gmb_fiches: SPHERE.gmb_fiches.slice(0, 1) }, (c) => c.reviews.list()],
  ['no fiche_id, of no listing', { ...SPHERE, gmb_fiches: [] }, (c) => c.reviews.list()],
  ['no fiche_id, of one location', BULLE, (c) => c.reviews.list()],
  ['no fiche_id, of one location of two', { ...BULLE, gmb_fiches: SPHERE.gmb_fiches }, (c) => c.reviews.list()],
  ['no fiche_id, with preflight off', SPHERE, (c) => c.reviews.list(), undefined, off],

  ...[SPHERE, BULLE].flatMap((identity): (typeof ROWS)[number][] => [
    ['a location created later', identity, (c) => c.articles.list({ bulle_id: later })],
    ['another location', identity, (c) => c.articles.list({ bulle_id: lyon })],
    ['another listing', identity, (c) => c.reviews.list({ fiche_id: listing })],
  ]),
];

describe('what is refused before it is sent', () => {
  it.each(ROWS)('%s', async (_, identity, call, kind, options) => {
    const { fetch, client } = setUp(identity, options);
    if (!kind) await call(client);
    else {
      const expected = { origin: 'preflight', attempts: 0, outcome: 'not_applied' };
      expect(await caught(call(client), kind as typeof MissingBulleIdError)).toMatchObject(expected);
    }
    expect(fetch.calls).toHaveLength(kind ? 0 : 1);
  });

  it('nothing, while the identity is unknown, or by an ArticlesClient, which never knows it', async () => {
    const fetch = stubFetch(refuse(403, 'Permission manquante'));
    const error = await rejection(makeClient({ fetch }).articles.publish(42));
    expect(error).toMatchObject({ code: 'permission_denied', origin: 'service' });
    await rejection(makePage({ fetch }).confirm(42));
    expect(fetch.calls).toHaveLength(2);
  });

  it('with the error that the service would cause, and the listings as choices', async () => {
    const { client } = setUp(SPHERE);
    const bulle = { code: 'missing_bulle_id', status: 400, operation: 'seo.scan', path: '/seo/scan' };
    expect(await rejection(client.seo.scan())).toMatchObject(bulle);
    const fiche = { code: 'missing_fiche_id', status: 400, choices: SPHERE.gmb_fiches };
    expect(await rejection(client.reviews.list())).toMatchObject(fiche);
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
    expect([client.identity, client.scope]).toEqual([undefined, undefined]);
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

  it('is not replaced by an invalid response, or when me fails', async () => {
    for (const validation of ['throw', 'warn', 'off'] as const) {
      for (const reply of [json({ bulle: 7 }), refuse(401)]) {
        const client = makeClient({ fetch: stubFetch(reply), identity: SPHERE_IDENTITY, validation });
        await client.me().catch(() => {});
        expect(client.identity).toEqual(SPHERE_IDENTITY);
      }
    }
  });
});
