// Whatever a response holds and whatever `validation` says, a call ends in a result or a typed error, after few requests.
import { describe, expect, it } from 'vitest';
import { Client, isMultilocalError, memoryStore, type Validation } from '../../src/index.js';
import { endpoints } from '../../src/resources/endpoints.js';
import { BODIES } from '../spec/bodies.js';
import { callByName, spec } from '../spec/endpoints.js';
import { freshUrl, makePage } from '../support/clients.js';
import { KEY } from '../support/fixtures.js';

/** Far more than any of these calls needs for one broken body. */
const MOST_REQUESTS = 60;

const ROUTES = endpoints.map(({ path, ...rest }) => {
  return { ...rest, path: new RegExp(`/api/v2${path.replace(/\{\w+\}/g, '[^/]+')}$`) };
});

/** Answers each route with its valid body, except one. `requests` ends a call that would ask without end. */
function service(broken: string, body: unknown) {
  let requests = 0;
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    if (++requests > MOST_REQUESTS) throw new RangeError('too many requests');
    const { pathname } = new URL(`${input}`);
    const asked = ROUTES.filter(({ method, path }) => method === init?.method && path.test(pathname));
    const isBroken = asked.length === 0 || asked.some(({ operation }) => operation === broken);
    const answer = isBroken ? body : BODIES[asked[0]?.operation ?? ''];
    return Response.json(answer ?? null, { headers: { 'X-Multilocal-Proxy': '1' } });
  };
  return { fetch, count: () => requests };
}

const ROUGH: readonly unknown[] = [null, {}, [], 'x', 7, [null], [{}], ['x'], { articles: null }, { articles: [null] }];

/** A valid body with one part, at any depth, that is null, absent, a number or a text. */
function* damaged(body: unknown, depth = 0): Generator<unknown> {
  if (depth > 2 || typeof body !== 'object' || body === null) return;
  for (const [key, value] of Object.entries(body)) {
    const copy = (part: unknown) => (Array.isArray(body) ? [part] : { ...body, [key]: part });
    for (const part of [null, undefined, 7]) yield copy(part);
    for (const part of damaged(value, depth + 1)) yield copy(part);
  }
}

type Run = (client: Client, options: { validation: Validation }) => unknown;

async function drain(items: AsyncIterable<unknown>): Promise<void> {
  let count = 0;
  for await (const _ of items) if (++count > 1_000) throw new RangeError('too many items');
}

const soon = { pollInterval: 1, timeout: 2 };
const order = {
  type: 'fiche' as const,
  fiche_ids: ['f'],
  date_start: '2026-10-01',
  date_end: '2026-10-31',
  report_name: 'Octobre',
};
const post = { content: 'x', platforms: ['gmb' as const], image_urls: ['a', 'b'], video_url: 'c', bulle_id: 'b-lyon' };
const STAMP = '2026-01-01T00:00:00Z';

/** What does more than send a call: its name, the routes that it asks, and how it is called. */
const HELPERS: readonly [string, readonly string[], Run][] = [
  ['articles.changes', ['articles.list'], (c, o) => drain(c.articles.changes({}, o))],
  ['articles.sync', ['articles.list', 'articles.get'], (c, o) => drain(c.articles.sync({ known: [42, 5] }, o))],
  ['articles.sync (cursor)', ['articles.list'], (c, o) => drain(c.articles.sync({ cursor: STAMP }, o))],
  ['articles.syncTo', ['articles.list'], (c, o) => c.articles.syncTo(memoryStore(), o)],
  ['articles.waitUntilWritten', ['articles.get'], (c, o) => c.articles.waitUntilWritten(42, { ...soon, ...o })],
  [
    'reports.createAndWait',
    ['reports.list', 'reports.create'],
    (c, o) => c.reports.createAndWait(order, { ...soon, ...o }),
  ],
  ['reports.wait', ['reports.list'], (c, o) => c.reports.wait({ ...order, since: STAMP }, { ...soon, ...o })],
  ['posts.check', ['connections.list', 'platforms.limits'], (c, o) => c.posts.check(post, o)],
  [
    'posts.findRecent',
    ['posts.list'],
    (c, o) => c.posts.findRecent({ content: 'x', since: STAMP, platforms: ['facebook'] }, o),
  ],
];

/** Each list in its three ways besides `await`. */
const iterated: typeof HELPERS = endpoints
  .filter(({ operation }) => operation.endsWith('.list'))
  .map(({ operation, params }) => {
    const run: Run = async (client, options) => {
      const list = () =>
        callByName(client, operation, params ? [{}, options] : [options]) as ReturnType<Client['posts']['list']>;
      await Promise.all([drain(list()), drain(list().pages()), list().toArray({ limit: 300 })]);
    };
    return [`${operation}, iterated`, [operation], run];
  });

const SETTINGS = ['throw', 'warn', 'off'] as const;

/** Runs work that may fail with a typed error only, and returns the error. */
async function typed(work: () => unknown, given: string): Promise<Error | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    // To write a stack takes longer than the call.
    if (!isMultilocalError(error)) expect.fail(`${given}\n${(error as Error).stack}`);
    return error;
  }
}

/** The rough bodies under each setting. Only `off` gives a method each damaged body too: `warn` differs from it in events. */
const bodiesFor = (validation: Validation, route: string) =>
  validation === 'off' ? [...ROUGH, ...damaged(BODIES[route])] : ROUGH;

/** Runs a call against each broken body. Fails if it ends in anything but a result or a typed error. */
async function endure(routes: readonly string[], bodies: typeof bodiesFor, run: Run) {
  for (const route of routes) {
    for (const validation of SETTINGS) {
      for (const body of bodies(validation, route)) {
        const { fetch, count } = service(route, body);
        const client = new Client({ apiKey: KEY, baseUrl: freshUrl(), fetch, rateLimit: false, logLevel: 'off' });
        const given = `${route}, ${validation}: ${JSON.stringify(body)}`;
        const { message = '' } = (await typed(() => run(client, { validation }), given)) ?? {};
        if (validation !== 'throw') expect(message, given).not.toContain("Set `validation: 'warn'`");
        if (count() > MOST_REQUESTS) expect.fail(`${given}: ${count()} requests`);
      }
    }
  }
}

describe('broken bodies under every `validation`', () => {
  const operations = spec.filter(({ operation }) => endpoints.some((endpoint) => endpoint.operation === operation));

  it.each(operations.map((row) => [row.operation, row.sample] as const))('%s', async (operation, sample) => {
    await endure(
      [operation],
      () => ROUGH,
      (client, options) => callByName(client.withOptions(options), operation, sample),
    );
  });

  it.each([...HELPERS, ...iterated])('%s', async (_, routes, run) => {
    await endure(routes, bodiesFor, run);
  });

  it('me and Client.connect', async () => {
    for (const validation of SETTINGS) {
      for (const body of bodiesFor(validation, 'me')) {
        const { fetch } = service('me', body);
        const options = { apiKey: KEY, baseUrl: freshUrl(), fetch, rateLimit: false, validation } as const;
        for (const connect of [
          () => Client.connect(options),
          () => Client.connect({ ...options, scope: 'sphere' }),
          async () => new Client(options).me().then(() => Client.connect(options)),
        ]) {
          const given = JSON.stringify(body);
          await typed(async () => expect((await connect()).scope.kind, given).toMatch(/^(bulle|sphere)$/), given);
        }
      }
    }
  });

  it('the lists that only a proxy answers', async () => {
    for (const validation of SETTINGS) {
      for (const body of bodiesFor(validation, 'articles.list')) {
        const { fetch, count } = service('articles.list', body);
        const page = makePage({ fetch, validation });
        for (const work of [
          () => drain(page.latest({ category: 'Pains' })),
          () => drain(page.latest({ fields: ['title'] })),
          () => page.bySlug('x'),
          () => drain(page.list()),
          () => drain(page.changes()),
        ]) {
          await typed(work, `${validation} ${JSON.stringify(body)}`);
        }
        expect(count(), JSON.stringify(body)).toBeLessThanOrEqual(MOST_REQUESTS);
      }
    }
  });
});

describe('an identity that differs only where nobody needs it', () => {
  it.each([
    ['api_version', 2],
    ['sphere', null],
    ['connected_platforms', null],
  ])('is kept although %s is %j', async (name, value) => {
    const body = { ...Object(BODIES.me), [name]: value };
    const { fetch, count } = service('me', body);
    const options = { apiKey: KEY, baseUrl: freshUrl(), fetch, logLevel: 'off', validation: 'warn' } as const;
    const client = await Client.connect(options);
    expect(client.identity).toEqual(body);
    expect(client.scope).toEqual({ kind: 'sphere' });
    expect((await Client.connect({ ...options, identity: client.identity })).scope).toEqual({ kind: 'sphere' });
    expect(count()).toBe(1);
  });
});

describe('a method that calls other routes for itself needs only what it uses', () => {
  /** A body without some of its fields, at any depth. */
  const without = (body: unknown, ...names: string[]): unknown =>
    JSON.parse(JSON.stringify(body, (key, value) => (names.includes(key) ? undefined : value)));
  const listing = { service_area: undefined, address: 7 };
  const me = Object(BODIES.me);
  const post = { content: 'Pain', platforms: ['facebook' as const], bulle_id: 'b-lyon' };
  const order = { type: 'fiche', fiche_ids: ['f'], date_start: '2026-10-01', date_end: '2026-10-31' } as const;
  const odd = { ...Object(BODIES['articles.get']), title: 7, bulle_name: 7 };

  it.each<[string, string, unknown, (client: Client) => PromiseLike<unknown>]>([
    ['Client.connect', 'me', { ...me, gmb_fiches: [{ ...me.gmb_fiches[0], ...listing }] }, async () => {}],
    [
      'posts.check: limits of four platforms',
      'platforms.limits',
      without(BODIES['platforms.limits'], 'pinterest', 'gmb', 'video_limits'),
      ({ posts }) => posts.check(post),
    ],
    ['posts.check: no limits', 'platforms.limits', {}, ({ posts }) => posts.check(post)],
    [
      'posts.check: accounts',
      'connections.list',
      [{ platform: 'facebook', connected: true, name: 7, expires_at: 7, bulle_id: 'b-lyon' }],
      ({ posts }) => posts.check(post),
    ],
    [
      'articles.syncTo',
      'articles.list',
      { articles: [odd], total: 1, limit: 50, offset: 0 },
      ({ articles }) => articles.syncTo(memoryStore()),
    ],
    ['articles.waitUntilWritten', 'articles.get', odd, ({ articles }) => articles.waitUntilWritten(42)],
    [
      'reports.createAndWait: its order, before it waits',
      'reports.create',
      { report_id: 7, type: null },
      ({ reports }) =>
        reports.createAndWait(order, { timeout: 1, pollInterval: 1e6 }).catch((error) => {
          if (error.code !== 'wait_timeout') throw error;
        }),
    ],
    [
      'reports.createAndWait: the list',
      'reports.list',
      [{ fiche_name: 7, report_name: {}, period: 7, generated_at: 7 }],
      ({ reports }) =>
        reports.createAndWait(order, { timeout: 20, pollInterval: 1 }).catch((error) => {
          if (error.code !== 'wait_timeout') throw error;
        }),
    ],
  ])('%s: other differences are drift, and one warning', async (_, operation, body, work) => {
    const { fetch } = service(operation, body);
    const drifts: string[] = [];
    const warnings: string[] = [];
    const client = await Client.connect({
      apiKey: KEY,
      baseUrl: freshUrl(),
      fetch,
      onEvent: (event) => event.type === 'drift' && drifts.push(event.operation),
      logger: { ...console, warn: (line: string) => warnings.push(line) },
      ...(operation !== 'me' && { identity: me }),
    });
    await work(client);
    await work(client);
    expect(new Set(drifts)).toEqual(new Set([operation]));
    expect(warnings.filter((line) => line.includes('does not have the expected shape'))).toHaveLength(1);
  });

  it('called for themselves, me() and platforms.limits() are as strict as `validation` says', async () => {
    for (const [operation, body] of [
      ['me', without(me, 'service_area')],
      ['platforms.limits', without(BODIES['platforms.limits'], 'pinterest')],
    ] as const) {
      const { fetch } = service(operation, body);
      const client = await Client.connect({ apiKey: KEY, baseUrl: freshUrl(), fetch, logLevel: 'off' });
      await expect(callByName(client, operation, [])).rejects.toMatchObject({ code: 'invalid_response' });
    }
  });

  it('what it uses is needed, whatever `validation` says', async () => {
    for (const validation of ['throw', 'warn', 'off'] as const) {
      const { fetch } = service('me', without(me, 'rate_limits'));
      const options = { apiKey: KEY, baseUrl: freshUrl(), fetch, logLevel: 'off', validation } as const;
      await expect(Client.connect(options)).rejects.toMatchObject({ code: 'invalid_response' });
    }
  });
});
