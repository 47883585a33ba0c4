import { describe, expect, it } from 'vitest';
import {
  Client,
  ConfigurationError,
  type DryRunClient,
  DryRunNotHonoredError,
  DryRunUnsupportedError,
  InvalidRequestError,
} from '../../src/index.js';
import { caught, makeClient, rejection, thrown } from '../support/clients.js';
import { ARTICLE, BULLE_IDENTITY, CREATION, LIST, PUBLICATION, SPHERE_IDENTITY, UPDATE } from '../support/fixtures.js';
import { json, type Reply, refuse, stubFetch } from '../support/stub-fetch.js';

const PREVIEW = { dry_run: true, would_publish: { article_id: 42 }, quota: { used: 1 } };

function setUp(answer: unknown = LIST, ...more: Reply[]) {
  const fetch = stubFetch(json(answer), ...more);
  return {
    client: makeClient({ fetch }),
    fetch,
    query: () => Object.fromEntries(fetch.calls.at(-1)?.url.searchParams ?? []),
    sent: () => JSON.parse(fetch.calls.at(-1)?.body ?? 'null') as unknown,
  };
}

describe('forBulle', () => {
  it('adds bulle_id to the query of a read', async () => {
    const { client, query } = setUp();
    await client.forBulle('b-1').articles.list({ status: 'all' });
    expect(query()).toEqual({ status: 'all', bulle_id: 'b-1' });
    const connections = setUp([]);
    await connections.client.forBulle('b-1').connections.list();
    expect(connections.query()).toEqual({ bulle_id: 'b-1' });
  });

  it('adds bulle_id to the body of a write', async () => {
    const { client, sent, fetch } = setUp(CREATION);
    await client.forBulle('b-1').articles.create({ title: 'abc', target_keyword: 'abc' });
    expect(sent()).toEqual({ title: 'abc', target_keyword: 'abc', bulle_id: 'b-1' });
    expect(fetch.calls[0]?.url.search).toBe('');
  });

  it('adds nothing to a route that takes no bulle_id', async () => {
    const update = setUp(UPDATE);
    await update.client.forBulle('b-1').articles.update(42, { title: 'abc' });
    expect(update.sent()).toEqual({ title: 'abc' });
    const publish = setUp(PUBLICATION);
    await publish.client.forBulle('b-1').articles.publish(42);
    expect(publish.sent()).toEqual({});
    for (const [answer, call] of [
      [ARTICLE, (client: Client) => client.articles.get(42)],
      [SPHERE_IDENTITY, (client: Client) => client.me()],
      [[], (client: Client) => client.bulles.list()],
      [[], (client: Client) => client.spheres.list()],
      [{ status: 'ok', api_version: '2.0', timestamp: 'x' }, (client: Client) => client.health()],
      [{ id: 'b-2', name: 'x', gmb_fiches_count: 0 }, (client: Client) => client.bulles.get('b-2')],
    ] as const) {
      const { client, fetch } = setUp(answer);
      await call(client.forBulle('b-1'));
      expect(fetch.calls[0]?.url.href).not.toContain('b-1');
    }
  });

  it('an explicit bulle_id takes precedence, but undefined does not', async () => {
    const { client, query } = setUp();
    const view = client.forBulle('b-1');
    await view.articles.list({ bulle_id: 'b-2' });
    expect(query()).toEqual({ bulle_id: 'b-2' });
    await view.articles.list({ bulle_id: undefined });
    expect(query()).toEqual({ bulle_id: 'b-1' });
  });

  it('does not change the client', async () => {
    const { client, query } = setUp();
    client.forBulle('b-1');
    await client.articles.list();
    expect(query()).toEqual({});
  });

  it('replaces an earlier forBulle', async () => {
    const { client, query } = setUp();
    await client.forBulle('b-1').forBulle('b-2').articles.list();
    expect(query()).toEqual({ bulle_id: 'b-2' });
  });

  it('works for iterations', async () => {
    const { client, query } = setUp();
    for await (const article of client.forBulle('b-1').articles.changes()) expect(article.id).toBe(42);
    expect(query().bulle_id).toBe('b-1');
  });

  it.each([undefined, null, '', 42])('of %j is a ConfigurationError', (id) => {
    thrown(() => setUp().client.forBulle(id as never), ConfigurationError);
    thrown(() => setUp().client.forFiche(id as never), ConfigurationError);
  });
});

describe('forFiche', () => {
  it('adds fiche_id to a route that takes it, and no bulle_id, unless the call names another', async () => {
    const { client, sent } = setUp({ posted: true });
    const view = client.forBulle('b-1').forFiche('accounts/1/locations/2').withOptions({ validation: 'off' });
    await view.reviews.reply('r', { text: 'Merci' });
    expect(sent()).toEqual({ text: 'Merci', fiche_id: 'accounts/1/locations/2' });
    await view.reviews.reply('r', { text: 'Merci', fiche_id: 'f-2' });
    expect(sent()).toEqual({ text: 'Merci', fiche_id: 'f-2' });
    const dry = setUp({ would_post: true });
    expect(await dry.client.forFiche('f-1').dryRun.reviews.reply('r', { text: 'Merci' })).toEqual({ would_post: true });
    expect(dry.sent()).toEqual({ text: 'Merci', fiche_id: 'f-1', dry_run: true });
  });

  it('adds nothing to a route that takes bulle_id', async () => {
    const { client, query } = setUp();
    await client.forBulle('b-1').forFiche('f-1').articles.list();
    expect(query()).toEqual({ bulle_id: 'b-1' });
  });

  it('chained with forBulle and dryRun, in any order', async () => {
    const chains: ((client: Client) => Client | DryRunClient)[] = [
      (client) => client.forBulle('b-1').forFiche('f-1'),
      (client) => client.forFiche('f-1').forBulle('b-1'),
      (client) => client.forFiche('f-1').dryRun.forBulle('b-1'),
      (client) => client.dryRun.forBulle('b-1').forFiche('f-1'),
    ];
    for (const chain of chains) {
      const { client, query } = setUp();
      await chain(client).articles.list();
      expect(query()).toEqual({ bulle_id: 'b-1' });
    }
  });
});

describe('one identity', () => {
  it('is shared by a client and all its views', async () => {
    const { client } = setUp(SPHERE_IDENTITY);
    const views = [client.forBulle('b-1'), client.forFiche('f-1'), client.dryRun, client.forBulle('b-1').dryRun];
    for (const view of views) expect(view.identity).toBeUndefined();
    await views[0]?.me();
    expect(client.identity).toEqual(SPHERE_IDENTITY);
    for (const view of views) {
      expect(view.identity).toBe(client.identity);
      expect(view.scope).toEqual({ kind: 'sphere' });
    }
  });

  it('is not shared by two clients', async () => {
    const [one, two] = [setUp(SPHERE_IDENTITY), setUp(BULLE_IDENTITY)];
    await one.client.me();
    expect(two.client.identity).toBeUndefined();
  });

  it('is stored by a dry-run client', async () => {
    const { client } = setUp(BULLE_IDENTITY);
    await client.dryRun.me();
    expect(client.scope).toEqual({ kind: 'bulle', bulle: BULLE_IDENTITY.bulle });
  });
});

describe('dry_run: true', () => {
  it('resolves to the unchanged preview', async () => {
    const { client, sent } = setUp(PREVIEW);
    expect(await client.articles.publish(42, { dry_run: true })).toEqual(PREVIEW);
    expect(sent()).toEqual({ dry_run: true });
  });

  it.each([
    ['dry_run: true', { dry_run: true }],
    ['a would_ field', { would_publish: null }],
    ['a would_ field that is false', { would_post: false, quota: 3 }],
  ])('is honoured by %s', async (_, preview) => {
    const { client } = setUp(preview);
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
    const { client, fetch } = setUp(body);
    const error = await caught(client.articles.publish(42, { dry_run: true }), DryRunNotHonoredError);
    expect(error).toMatchObject({
      code: 'dry_run_not_honored',
      outcome: 'applied',
      attempts: 1,
      operation: 'articles.publish',
    });
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
    const { client, sent } = setUp(PUBLICATION);
    expect(await client.articles.publish(42, { dry_run: false } as never)).toEqual(PUBLICATION);
    expect(sent()).toEqual({ dry_run: false });
  });

  it.each([true, undefined])('may stand in extra too: %j', async (dry_run) => {
    const { client, sent } = setUp(PREVIEW);
    await client.articles.publish(42, { dry_run: true }, { extra: { dry_run } });
    expect(sent()).toEqual({ dry_run: true });
  });

  it.each([false, null, 'false'])('cannot be undone by extra: %j', async (dry_run) => {
    const { client, fetch } = setUp(PREVIEW);
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
    const { client, fetch } = setUp(PREVIEW);
    const view = client.withOptions({ extra: { dry_run: outer } });
    for (const owner of [view, view.forBulle('b'), view.dryRun]) {
      const error = thrown(() => owner.withOptions({ extra: { dry_run: inner } }), InvalidRequestError);
      expect(error).toMatchObject({ code: 'invalid_request', issues: [{ path: ['extra', 'dry_run'] }] });
    }
    const same = view.withOptions({ extra: { dry_run: outer } }).withOptions({ extra: { dry_run: undefined } });
    await rejection(same.dryRun.articles.publish(42, {}, { extra: { dry_run: inner } }));
    expect(fetch.calls).toHaveLength(0);
  });

  it('fails with the error of the status', async () => {
    const fetch = stubFetch(refuse(403, "Cet établissement n'appartient pas à votre périmètre."));
    const error = await rejection(makeClient({ fetch }).articles.publish(42, { dry_run: true }));
    expect(error).toMatchObject({ code: 'bulle_out_of_scope', outcome: 'not_applied' });
  });
});

describe('client.dryRun', () => {
  it('is one view', () => {
    const { client } = setUp();
    expect(client.dryRun).toBe(client.dryRun);
    expect(client.forBulle('b').dryRun).not.toBe(client.dryRun);
  });

  it('previews with unchanged parameters', async () => {
    const { client, sent, fetch } = setUp(PREVIEW);
    expect(await client.dryRun.articles.publish(42, { scheduled_at: '2026-12-01T09:00:00Z' })).toEqual(PREVIEW);
    expect(sent()).toEqual({ scheduled_at: '2026-12-01T09:00:00Z', dry_run: true });
    expect(fetch.calls[0]?.url.pathname).toBe('/api/v2/articles/42/publish');
  });

  it.each([false, null, undefined, 'false', 0])('cannot be undone: by a parameter, by extra (%j)', async (dry_run) => {
    for (const call of [
      (client: DryRunClient) => client.articles.publish(42, {}, { extra: { dry_run } }),
      (client: DryRunClient) => client.articles.publish(42, { dry_run } as never),
      (client: DryRunClient) => client.articles.publish(42, { dry_run } as never, { extra: { dry_run } }),
    ]) {
      const { client, fetch } = setUp(PREVIEW);
      await call(client.dryRun).then(undefined, (error: unknown) =>
        expect(error).toMatchObject({ code: 'invalid_request' }),
      );
      for (const { body } of fetch.calls) expect(JSON.parse(body ?? '')).toEqual({ dry_run: true });
    }
  });

  it.each<[string, (client: Client) => DryRunClient]>([
    ['client.dryRun', (client) => client.dryRun],
    ['forBulle', (client) => client.forBulle('b-1').dryRun],
    ['dryRun.forBulle.forFiche', (client) => client.dryRun.forBulle('b-1').forFiche('f-1')],
  ])('through %s refuses every write without a preview, and every route that is not a GET', async (_, view) => {
    const { client, fetch } = setUp({});
    const dry = view(client) as Client;
    const calls: [string, PromiseLike<unknown>][] = [
      ['articles.update', dry.articles.update(42, { title: 'abc' })],
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

  it('refuses other writes also with extra', async () => {
    const { client, fetch } = setUp({});
    const call = (client.dryRun as Client).articles.update(42, {}, { extra: { dry_run: true } });
    await caught(call, DryRunUnsupportedError);
    expect(fetch.calls).toHaveLength(0);
  });

  it('syncs as usual', async () => {
    const { client } = setUp();
    const events: string[] = [];
    for await (const { type } of client.dryRun.articles.sync({ known: [] })) events.push(type);
    expect(events).toContain('upsert');
    const ids: number[] = [];
    for await (const { id } of client.dryRun.articles.changes()) ids.push(id);
    expect(ids).toEqual([42]);
  });

  it('does not change the client', async () => {
    const { client, sent } = setUp(PUBLICATION);
    expect(client.dryRun).toBeDefined();
    expect(await client.articles.publish(42)).toEqual(PUBLICATION);
    expect(sent()).toEqual({});
  });
});

it('a view is a Client', () => {
  const { client } = setUp();
  for (const view of [client.forBulle('b'), client.forFiche('f'), client.dryRun]) expect(view).toBeInstanceOf(Client);
});
