import { describe, expect, it } from 'vitest';
import {
  Client,
  ConfigurationError,
  type DryRunClient,
  DryRunNotHonoredError,
  DryRunUnsupportedError,
  InvalidRequestError,
} from '../../src/index.js';
import { answering, caught, makeClient, rejection, thrown } from '../support/clients.js';
import { BULLE_IDENTITY, PUBLICATION, SPHERE_IDENTITY } from '../support/fixtures.js';
import { stubFetch } from '../support/stub-fetch.js';

const PREVIEW = { dry_run: true, would_publish: { article_id: 42 }, quota: { used: 1 } };

type Act = (client: Client) => PromiseLike<unknown>;
const article = { title: 'abc', target_keyword: 'abc' };
const EVER = '1970-01-01T00:00:00Z';
const FICHE = 'accounts/1/locations/2';

describe('forBulle and forFiche', () => {
  it.each<[string, Act, sent: object]>([
    ['bulle_id to a query', (c) => c.forBulle('b').articles.list({ status: 'all' }), { status: 'all', bulle_id: 'b' }],
    ['bulle_id to a body', (c) => c.forBulle('b').articles.create(article), { ...article, bulle_id: 'b' }],
    ['fiche_id to a query', (c) => c.forFiche(FICHE).reviews.summary(), { fiche_id: FICHE }],
    ['fiche_id to a body', (c) => c.forFiche(FICHE).reviews.reply('r', { text: 'a' }), { text: 'a', fiche_id: FICHE }],
    ['nothing for a bulle_id of the call', (c) => c.forBulle('b').articles.list({ bulle_id: 'c' }), { bulle_id: 'c' }],
    ['bulle_id for undefined', (c) => c.forBulle('b').articles.list({ bulle_id: undefined }), { bulle_id: 'b' }],
    ['nothing for a fiche_id of the call', (c) => c.forFiche('f').reviews.list({ fiche_id: 'g' }), { fiche_id: 'g' }],
    ['the last bulle_id', (c) => c.forBulle('b').forBulle('c').articles.list(), { bulle_id: 'c' }],
    ['one of two: bulle_id', (c) => c.forFiche('f').forBulle('b').articles.list(), { bulle_id: 'b' }],
    ['one of two: fiche_id', (c) => c.forBulle('b').forFiche('f').reviews.summary(), { fiche_id: 'f' }],
    ['bulle_id on dryRun', (c) => c.dryRun.forBulle('b').forFiche('f').articles.list(), { bulle_id: 'b' }],
    ['bulle_id before dryRun', (c) => c.forFiche('f').dryRun.forBulle('b').articles.list(), { bulle_id: 'b' }],
    [
      'bulle_id to an iteration',
      (c) => c.forBulle('b').articles.list().toArray(),
      { bulle_id: 'b', updated_since: EVER },
    ],
    ['nothing where a PUT takes none', (c) => c.forBulle('b').articles.update(42, { title: 'abc' }), { title: 'abc' }],
    ['nothing where a POST takes none', (c) => c.forBulle('b').articles.publish(42), {}],
    ['nothing to the path of another', (c) => c.forBulle('b').bulles.get('c'), {}],
    ['nothing to spheres.list', (c) => c.forBulle('b').spheres.list(), {}],
    ['nothing to me', (c) => c.forBulle('b').me(), {}],
    ['nothing to health', (c) => c.forBulle('b').health(), {}],
  ])('add %s', async (_, act, sent) => {
    const made = answering();
    await act(made.client);
    expect(made.sent()).toEqual(sent);
    await made.client.articles.list();
    expect(made.sent()).toEqual({});
  });

  it.each([undefined, null, '', 42])('of %j is a ConfigurationError', (id) => {
    thrown(() => answering().client.forBulle(id as never), ConfigurationError);
    thrown(() => answering().client.forFiche(id as never), ConfigurationError);
  });
});

describe('one identity', () => {
  it('is shared by a client and all its views', async () => {
    const { client } = answering(SPHERE_IDENTITY);
    const views = [client.forBulle('b-1'), client.forFiche('f-1'), client.dryRun, client.forBulle('b-1').dryRun];
    for (const view of views) expect(view.identity).toBeUndefined();
    await views[0]?.me();
    expect(client.identity).toEqual(SPHERE_IDENTITY);
    for (const view of views) expect([view.identity, view.scope]).toEqual([client.identity, { kind: 'sphere' }]);
    await answering(BULLE_IDENTITY).client.dryRun.me();
    expect(client.scope).toEqual({ kind: 'sphere' });
  });

  it('is stored by a dry-run client', async () => {
    const { client } = answering(BULLE_IDENTITY);
    await client.dryRun.me();
    expect(client.scope).toEqual({ kind: 'bulle', bulle: BULLE_IDENTITY.bulle });
  });
});

describe('dry_run: true', () => {
  it.each([
    ['a would_ field', { would_publish: null }],
    ['a would_ field that is false', { would_post: false, quota: 3 }],
  ])('is honoured by %s', async (_, preview) => {
    const { client } = answering(preview);
    expect(await client.articles.publish(42, { dry_run: true })).toEqual(preview);
  });

  it.each([
    ['the real result', PUBLICATION],
    ['dry_run: false', { dry_run: false, article_id: 42 }],
    ['dry_run as text', { dry_run: 'true' }],
    ['nothing', {}],
    ['null', null],
    ['a list', [{ would_publish: true }]],
    ['text', 'would_publish'],
    ['would in a name', { i_would_publish: true, would: 1 }],
    ['a preview deeper down', { result: { dry_run: true } }],
  ])('is not honoured by %s: the operation counts as executed', async (_, body) => {
    const { client, fetch } = answering(body);
    const error = await caught(client.articles.publish(42, { dry_run: true }), DryRunNotHonoredError);
    const expected = { code: 'dry_run_not_honored', outcome: 'applied', attempts: 1, operation: 'articles.publish' };
    expect(error).toMatchObject(expected);
    expect(error.body).toEqual(body);
    expect(fetch.calls).toHaveLength(1);
  });

  it('is not honoured by an empty response, whatever the validation', async () => {
    for (const validation of ['throw', 'warn', 'off'] as const) {
      const fetch = stubFetch(() => new Response(null, { status: 204 }));
      const call = makeClient({ fetch, validation }).articles.publish(42, { dry_run: true });
      expect((await caught(call, DryRunNotHonoredError)).outcome).toBe('applied');
    }
  });

  it('false executes the operation', async () => {
    const { client, sent } = answering(PUBLICATION);
    expect(await client.articles.publish(42, { dry_run: false } as never)).toEqual(PUBLICATION);
    expect(sent()).toEqual({ dry_run: false });
  });

  it.each([true, undefined])('may stand in extra too: %j', async (dry_run) => {
    const { client, sent } = answering(PREVIEW);
    await client.articles.publish(42, { dry_run: true }, { extra: { dry_run } });
    expect(sent()).toEqual({ dry_run: true });
  });

  it.each([false, null, 'false'])('cannot be undone by extra: %j', async (dry_run) => {
    const { client, fetch } = answering(PREVIEW);
    for (const call of [
      client.articles.publish(42, { dry_run: true }, { extra: { dry_run } }),
      client.withOptions({ extra: { dry_run } }).articles.publish(42, { dry_run: true }),
      client.withOptions({ extra: { dry_run: true } }).articles.publish(42, {}, { extra: { dry_run } }),
      client.dryRun.articles.publish(42, {}, { extra: { dry_run } }),
    ]) {
      expect((await caught(call, InvalidRequestError)).issues).toMatchObject([{ path: ['dry_run'] }]);
    }
    expect(fetch.calls).toHaveLength(0);
  });

  it.each([
    [true, false],
    [false, true],
    [true, null],
  ])('cannot be undone by a view of a view: %j, then %j', async (outer, inner) => {
    const { client, fetch } = answering(PREVIEW);
    const view = client.withOptions({ extra: { dry_run: outer } });
    for (const owner of [view, view.forBulle('b'), view.dryRun]) {
      const error = thrown(() => owner.withOptions({ extra: { dry_run: inner } }), InvalidRequestError);
      expect(error).toMatchObject({ code: 'invalid_request', issues: [{ path: ['extra', 'dry_run'] }] });
    }
    const same = view.withOptions({ extra: { dry_run: outer } }).withOptions({ extra: { dry_run: undefined } });
    await rejection(same.dryRun.articles.publish(42, {}, { extra: { dry_run: inner } }));
    expect(fetch.calls).toHaveLength(0);
  });
});

describe('client.dryRun', () => {
  it('is one view', () => {
    const { client } = answering();
    expect(client.dryRun).toBe(client.dryRun);
    expect(client.forBulle('b').dryRun).not.toBe(client.dryRun);
  });

  it.each([false, null, undefined, 'false', 0])('cannot be undone: by a parameter, by extra (%j)', async (dry_run) => {
    for (const call of [
      (client: DryRunClient) => client.articles.publish(42, {}, { extra: { dry_run } }),
      (client: DryRunClient) => client.articles.publish(42, { dry_run } as never),
      (client: DryRunClient) => client.articles.publish(42, { dry_run } as never, { extra: { dry_run } }),
    ]) {
      const { client, fetch } = answering(PREVIEW);
      await call(client.dryRun).then(undefined, ({ code }) => expect(code).toBe('invalid_request'));
      for (const { body } of fetch.calls) expect(JSON.parse(body ?? '')).toEqual({ dry_run: true });
    }
  });

  it('says of `dry_run: false` what to use', async () => {
    const call = answering().client.dryRun.articles.publish(42, { dry_run: false } as never);
    const message = '`dry_run` is `false`, but client.dryRun only previews. Use the client itself.';
    expect((await caught(call, InvalidRequestError)).message).toContain(message);
  });

  it.each<[string, (client: Client) => DryRunClient]>([
    ['client.dryRun', (client) => client.dryRun],
    ['forBulle', (client) => client.forBulle('b-1').dryRun],
    ['dryRun.forBulle.forFiche', (client) => client.dryRun.forBulle('b-1').forFiche('f-1')],
    ['dryRun.withOptions', (client) => client.dryRun.withOptions({ maxRetries: 0, extra: { dry_run: true } })],
  ])('through %s refuses every write without a preview, and every route that is not a GET', async (_, view) => {
    const { client, fetch } = answering({});
    const dry = view(client) as Client;
    const calls: [string, PromiseLike<unknown>][] = [
      ['articles.update', dry.articles.update(42, { title: 'abc' })],
      ['articles.update', dry.articles.update(42, {}, { extra: { dry_run: true } })],
      ...(['POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method): [string, PromiseLike<unknown>] => [
        'request',
        dry.request({ method, path: '/x', ...(method === 'POST' && { body: { dry_run: true } }) }),
      ]),
    ];
    for (const [operation, call] of calls) {
      const error = await caught(call, DryRunUnsupportedError);
      expect(error).toMatchObject({ code: 'dry_run_unsupported', operation, attempts: 0, outcome: 'not_applied' });
    }
    expect(fetch.calls).toHaveLength(0);
  });

  it('syncs as usual', async () => {
    const { client } = answering();
    const events: string[] = [];
    for await (const { type } of client.dryRun.articles.sync({ known: [] })) events.push(type);
    expect(events).toContain('upsert');
    const ids: number[] = [];
    for await (const { id } of client.dryRun.articles.changes()) ids.push(id);
    expect(ids).toEqual([42]);
  });
});

it('a view is a Client', () => {
  const { client } = answering();
  for (const view of [client.forBulle('b'), client.forFiche('f'), client.dryRun]) expect(view).toBeInstanceOf(Client);
});
