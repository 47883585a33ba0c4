import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestOptionFields } from '../../src/core/options.js';
import { buildRequest } from '../../src/core/request.js';
import { type Client, InvalidRequestError, type PostCreateParams, type Route } from '../../src/index.js';
import { articleEndpoints } from '../../src/resources/articles-schema.js';
import { anyText } from '../fuzz/arbitrary.js';
import { answering, makeClient, rejection, unsent } from '../support/clients.js';
import { CREATION, deepFreeze, PUBLICATION } from '../support/fixtures.js';
import { json, stubFetch } from '../support/stub-fetch.js';

const OPTIONS = Object.keys(requestOptionFields).filter((name) => !/^(onAttempt|listener)$/.test(name));

const REHEARSED = { extra: { dry_run: true } };

// test/core/schema.test.ts has other unknown names.
describe('an unknown parameter', () => {
  it.each(OPTIONS)('%s is not a parameter, and the message names its place', async (name) => {
    const error = await unsent((client) => client.articles.list({ [name]: {} }));
    expect(error.message).toBe(
      `articles.list: \`${name}\` is not a parameter. Pass it in \`options\`, the last argument.`,
    );
    expect(error.issues).toMatchObject([{ path: [name] }]);
    await unsent((client) => client.articles.update(42, { title: 'abc', [name]: {} }));
  });

  it('gets no such message inside a parameter', async () => {
    const contact = { customer_name: 'A', channel: 'sms', customer_phone: '+33600000000', headers: {} };
    const batch = await unsent((client) => client.acquisition.requestReviews({ contacts: [contact] } as never));
    expect(batch.message).toBe('acquisition.requestReviews: `contacts[0].headers` is an unknown parameter.');
  });

  it('is reported together with all other problems', async () => {
    const { issues } = await unsent((client) =>
      client.articles.create({ title: 'a', target_keyword: 1, tome: 'x' } as never),
    );
    expect(issues.map(({ path }) => path[0])).toEqual(['title', 'target_keyword', 'tome']);
  });
});

describe('extra', () => {
  it.each<[string, (client: Client) => PromiseLike<unknown>]>([
    ['extra', (client) => client.posts.delete(7, { extra: { dry_run: true } })],
    ['extra of a POST', (client) => client.articles.create({ title: 'Pain', target_keyword: 'pain' }, REHEARSED)],
    ['the parameters', (client) => client.posts.update(7, { dry_run: true } as object)],
  ])('dry_run in %s of a route without preview is refused, so nothing is executed', async (_, call) => {
    const error = await unsent(call);
    expect(error.issues).toEqual([{ path: ['dry_run'], message: 'is not supported by this operation' }]);
  });

  it.each<[string, (client: Client) => PromiseLike<unknown>]>([
    ['without a preview', (client) => client.posts.delete(7, { dry_run: true } as object)],
    ['with a preview', (client) => client.posts.publish(7, {}, { dry_run: true } as object)],
  ])('dry_run in the options is refused %s', async (_, call) => {
    const message = 'is a parameter. Pass it among the parameters';
    expect((await unsent(call)).issues).toEqual([{ path: ['dry_run'], message }]);
  });

  it('adds parameters unchecked: to the query of a read', async () => {
    const { client, sent } = answering();
    await client.articles.list({ status: 'all' }, { extra: { page_size: 5, flag: false, empty: '', none: undefined } });
    expect(sent()).toEqual({ status: 'all', page_size: '5', flag: 'false', empty: '' });
  });

  it('repeats the key of an array in a query', async () => {
    const { client, fetch } = answering();
    await client.articles.list({}, { extra: { tags: ['a', 'b c', undefined, 'd&e'] } });
    expect(fetch.calls[0]?.url.searchParams.getAll('tags')).toEqual(['a', 'b c', 'd&e']);
  });

  it.each<[string, (client: Client) => PromiseLike<unknown>]>([
    ['a Date that is none in a query', (client) => client.articles.list({}, { extra: { at: new Date(Number.NaN) } })],
    [
      'a Date that is none in a route',
      (c) => c.request({ method: 'GET', path: '/x', query: { at: new Date(Number.NaN) } }),
    ],
    ['what has no text in a query', (client) => client.articles.list({}, { extra: { at: Object.create(null) } })],
    ['a BigInt in a body', (client) => client.articles.update(42, {}, { extra: { at: 1n } })],
    ['a cycle in a body', (client) => client.articles.update(42, {}, { extra: { cycle: selfContaining() } })],
  ])('%s is an InvalidRequestError', async (_, call) => {
    await unsent(call);
  });

  it('a value that cannot be written is named by its place', async () => {
    const content_per_platform = { facebook: [{ at: 1n }] } as never;
    const post = { content: 'a', platforms: ['facebook' as const], content_per_platform };
    const { issues } = await unsent((client) => client.posts.create(post));
    const path = ['content_per_platform', 'facebook', 0, 'at'];
    expect(issues).toEqual([{ path, message: 'cannot be written as JSON or text' }]);
  });
});

describe('a path parameter', () => {
  it.each(['', '.', '..'])('%j is refused', async (id) => {
    const error = await unsent((client) => client.bulles.get(id));
    expect(error.issues[0]?.path).toEqual(['bulle_id']);
    await unsent((client) => client.articles.get(id as never));
    await unsent((client) => client.articles.update(id as never, { title: 'abc' }));
  });

  it.each([undefined, null, Number.NaN, Number.POSITIVE_INFINITY, 1.5, {}, [], true, [42], 2 ** 60])(
    'that is not an identifier (%j) is refused',
    async (id) => {
      await unsent((client) => client.articles.get(id as never));
    },
  );

  it('is one segment that decodes to the same text, or is refused', () => {
    const anything = fc.oneof(anyText, fc.string(), fc.constantFrom('.', '..', '', '%2e', '/', '\\', '%2F..'));
    fc.assert(
      fc.property(anything, (id) => {
        let path: string;
        try {
          ({ path } = buildRequest(articleEndpoints.get, {}, { article_id: id }));
        } catch (error) {
          return error instanceof InvalidRequestError && (['', '.', '..'].includes(id) || /\p{Surrogate}/u.test(id));
        }
        const segment = /^\/api\/v2\/articles\/([^/]*)$/.exec(new URL(`https://a.test/api/v2${path}`).pathname)?.[1];
        return segment !== undefined && decodeURIComponent(segment) === id;
      }),
      { numRuns: 500 },
    );
  });

  it('is refused among the parameters', async () => {
    const { issues } = await unsent((c) => c.articles.update(42, { title: 'abc', article_id: 7 } as never));
    expect(issues).toMatchObject([{ path: ['article_id'] }]);
  });
});

describe('client.request', () => {
  const route = (path: unknown): Route => ({ method: 'GET', path: path as '/x' });

  it.each([
    ...['', 'articles', 'https://evil.test/x', 'http:evil.test', '//evil.test/x', '///evil.test', '/\\evil.test'],
    ...['\\\\evil.test', '/..', '/../secret', '/a/../../secret', '/a/..', '/a/.', '/./a', '/%2e%2e/secret'],
    ...['/a/%2E%2E/secret', '/a/.%2e/b', '/a/%2e./b', '/%2e/a', '/a\\..\\..\\secret', '/a/\t../secret'],
    ...['/\t/evil.test', '/a/.\n./secret', '/a\u0000', ' /a', undefined, null, 42, {}],
  ])('%j does not leave /api/v2', async (path) => {
    await unsent((client) => client.request(route(path)));
  });

  it('a path that repeats /api/v2 is refused', async () => {
    const error = await unsent((client) => client.request(route('/api/v2/sites')));
    expect(error.message).toContain('below /api/v2');
  });

  it('any path stays below /api/v2 of the same address or is refused', async () => {
    const piece = fc.constantFrom(
      ...'.. . %2e %2E%2e / // \\ a ? # @ : %2f %5c .%2e é ; x.y'.split(' '),
      ...['\t', ' '],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
        const fetch = stubFetch(json({}));
        const client = makeClient({ fetch, baseUrl: 'https://stay.test/tenant', rateLimit: false });
        try {
          await client.request(route(`/${pieces.join('')}`));
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidRequestError);
          expect(fetch.calls).toHaveLength(0);
          return;
        }
        expect(fetch.calls[0]?.url.origin).toBe('https://stay.test');
        expect(fetch.calls[0]?.url.pathname).toMatch(/^\/tenant\/api\/v2\//);
      }),
      { numRuns: 300 },
    );
  });

  it.each(['/a', '/a/b%20c', '/a/b.c', '/a/...', '/a/..b', '/a/accounts%2F1', '/a@b', '/a:b'])(
    '%s is sent',
    async (path) => {
      const { client, fetch } = answering({});
      await client.request(route(path));
      expect(fetch.calls[0]?.url.pathname).toBe(`/api/v2${path}`);
    },
  );

  it.each(['get', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECT', '', 'GET\r\nx: y', undefined, 7])(
    'the method %j is refused',
    async (method) => {
      await unsent((client) => client.request({ method: method as 'GET', path: '/a' }));
    },
  );

  it.each([
    ['POST', '{"a":null}'],
    ['PUT', '{}'],
    ['PATCH', '{}'],
    ['GET', undefined],
    ['DELETE', undefined],
  ] as const)('%s sends the query, and the body %s', async (method, sentBody) => {
    const { client, fetch } = answering({});
    const query = { q: 'a b', n: 0, none: undefined };
    const body = method === 'POST' ? { body: { a: null, b: undefined } } : {};
    await client.request({ method, path: '/a', query, ...body });
    const [seen] = fetch.calls;
    expect([seen?.url.search, seen?.body]).toEqual(['?q=a+b&n=0', sentBody]);
    expect(seen?.headers['content-type']).toBe(sentBody && 'application/json');
  });

  it('has the same headers, errors and operation as every call', async () => {
    const fetch = stubFetch(json({ detail: 'non' }, { status: 404 }));
    const error = await rejection(makeClient({ fetch }).request({ method: 'GET', path: '/new/route' }));
    expect(error).toMatchObject({ code: 'not_found', method: 'GET', path: '/new/route' });
    expect(fetch.calls[0]?.headers['x-api-key']).toBeDefined();
  });
});

describe('parameters', () => {
  // test/resources/requests.test.ts has the parameters of views.
  it('options and routes are never changed', async () => {
    const options = deepFreeze({ headers: { 'x-a': 'b' }, extra: { deep: { list: [1] } } });
    const { client, sent } = answering(CREATION);
    const params = deepFreeze({
      title: 'abc',
      target_keyword: 'abc',
      site_ids: [1, 2],
      category: null,
      tone: undefined,
    });
    await client.forBulle('b-1').articles.create(params, options);
    expect(sent()).toEqual({ ...params, bulle_id: 'b-1', deep: { list: [1] } });
    const route = deepFreeze({ method: 'POST', path: '/a', query: { a: [1] }, body: { b: [2] } } as const);
    await answering({}).client.request(route as unknown as Route);
  });

  class Draft {
    content = 'Pain';
    platforms = ['facebook' as const];
    bulle_id = 'b-1';
    get dry_run() {
      return true as const;
    }
  }
  class Post extends Draft {
    media = [];
  }
  class Plain {
    status = 'all' as const;
    title() {}
  }

  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['a getter of the class', (client) => client.posts.create(new Draft())],
    ['a getter of the class above', (client) => client.posts.create(new Post() as PostCreateParams)],
    ['an inherited field', (client) => client.articles.list(Object.create({ status: 'all' }))],
    ['in the query of a list', (client) => client.posts.list(new Draft() as object).toArray()],
  ])('that a copy would lose are refused: %s', async (_, call) => {
    const { client, fetch } = answering();
    expect(String(await rejection(call(client)))).toMatch('must be a plain object');
    expect(fetch.calls).toEqual([]);
  });

  it('may be the own fields of a class', async () => {
    const { client, sent } = answering();
    await client.articles.list(new Plain());
    expect(sent()).toEqual({ status: 'all' });
  });

  it('may be null, which means none', async () => {
    const { client, sent } = answering();
    await client.articles.list(null as never);
    expect(sent()).toEqual({});
  });
});

describe('dates', () => {
  const date = new Date('2026-11-02T09:00:00.5+01:00');

  it('may be a Date, which is sent as ISO 8601 in UTC', async () => {
    const list = answering();
    await list.client.articles.list({ updated_since: date, since: date });
    expect(list.sent()).toEqual({ updated_since: '2026-11-02T08:00:00.500Z', since: '2026-11-02T08:00:00.500Z' });
    const publish = answering(PUBLICATION);
    await publish.client.articles.publish(42, { scheduled_at: date });
    expect(publish.sent()).toEqual({ scheduled_at: '2026-11-02T08:00:00.500Z' });
    expect(date.toISOString()).toBe('2026-11-02T08:00:00.500Z');
  });

  it.each([
    '2026-11-02T08:00:00.123456+00:00',
    '2026-11-02T08:00:00.123456789Z',
    '2026-11-02T08:00:00',
    '2026-11-02',
    '2026-11-02T08:00:00-03:30',
    '2026-11-02T08:00:00.123456+0000',
    '2026-11-02T08:00:00+00',
  ])('are sent unchanged if they are strings: %s', async (updated_since) => {
    const { client, sent, fetch } = answering();
    await client.articles.list({ updated_since });
    expect(sent()).toEqual({ updated_since });
    expect(fetch.calls[0]?.request.url).not.toContain('+');
  });

  it.each([
    ...['2026-12-01T09:00:00Z', '2026-12-01T09:00Z', '2026-12-01T09:00:00.123Z'],
    ...['2026-12-01T09:00:00+01:00', '2026-12-01T09:00:00-03:30', '2026-12-01T09:00:00+0100'],
  ])('scheduled_at %s has an offset and is sent unchanged', async (scheduled_at) => {
    const { client, sent } = answering(PUBLICATION);
    await client.articles.publish(42, { scheduled_at });
    expect(sent()).toEqual({ scheduled_at });
  });
});

describe('values', () => {
  const article = { title: 'abc', target_keyword: 'abc' };

  it('false, 0, empty text and null are sent', async () => {
    const { client, sent } = answering(CREATION);
    const given = { ...article, generate_content: false, category: null, excerpt: '', site_ids: [] };
    await client.articles.create(given);
    expect(sent()).toEqual(given);
  });

  it('of contacts that are blank are left out, whatever the channel', async () => {
    const batch = { queued: true, queued_count: 1, batch_id: 'b' };
    const { client, sent } = answering(batch);
    const [sms, email] = [
      { customer_name: 'A', channel: 'sms', customer_phone: '1' } as const,
      { customer_name: 'B', channel: 'email', customer_email: 'b@b.test' } as const,
    ];
    const rows = Object.freeze([
      Object.freeze({ ...sms, customer_email: null }),
      { ...sms, customer_email: ' ' },
      { ...email, customer_phone: undefined },
      { ...email, customer_phone: '2' },
    ]);
    await client.acquisition.requestReviews({ contacts: rows });
    expect(sent()).toEqual({ contacts: [sms, sms, email, { ...email, customer_phone: '2' }] });
    const needed = await unsent((one) =>
      one.acquisition.requestReviews({ contacts: [{ ...email, customer_email: ' ' }] }),
    );
    expect(needed.message).toContain("`contacts[0].customer_email` is required when `channel` is 'email'");
  });

  it('of an enumeration are checked strictly', async () => {
    const error = await unsent((client) => client.articles.list({ status: 'archived' as never }));
    expect(error.message).toMatch(/published/);
    // The one value that a message repeats, so that the likely one can be named.
    expect(error.message).toContain('archived');
  });

  it('dry_run is JSON true, never text', async () => {
    const { client, fetch } = answering({ would_publish: true });
    await client.articles.publish(42, { dry_run: true });
    expect(fetch.calls[0]?.body).toBe('{"dry_run":true}');
    await unsent((one) => one.articles.publish(42, { dry_run: 'true' } as never));
    await unsent((one) => one.articles.confirm(42, { rendered_url: '' }));
  });
});

class Money {
  toJSON() {
    return 1;
  }
}

describe('what a body is made of', () => {
  const undone = {
    would_publish: false,
    toJSON() {
      return { done: true };
    },
  };
  const inherited = Object.create({ toJSON: undone.toJSON });

  it.each<[string, (client: Client, extra: Record<string, unknown>) => PromiseLike<unknown>]>([
    ['dry_run: true', (client, extra) => client.articles.publish(42, { dry_run: true }, { extra })],
    ['client.dryRun', (client, extra) => client.dryRun.articles.publish(42, {}, { extra })],
  ])('%s cannot be undone by extra', async (_, call) => {
    for (const extra of [
      undone,
      inherited,
      Object.defineProperty({}, 'toJSON', { value: undone.toJSON }),
      { nested: undone },
      { nested: inherited },
      { list: [undone] },
      { dry_run: false },
      Object.defineProperty({}, 'dry_run', { get: () => false, enumerable: true }),
      JSON.parse('{"__proto__": {"dry_run": false}}'),
    ]) {
      const { client, fetch, sent } = answering({ would_publish: true });
      await call(client, extra).then(
        () => expect(sent()).toMatchObject({ dry_run: true }),
        (error) => {
          expect(error).toBeInstanceOf(InvalidRequestError);
          expect(fetch.calls).toHaveLength(0);
        },
      );
    }
  });

  it('cannot be replaced by a toJSON that every object inherits', async () => {
    const { client, fetch } = answering({ would_publish: true });
    Object.defineProperty(Object.prototype, 'toJSON', { value: () => ({}), configurable: true });
    const call = rejection(client.articles.publish(42, { dry_run: true }));
    try {
      expect(await call).toBeInstanceOf(InvalidRequestError);
    } finally {
      Reflect.deleteProperty(Object.prototype, 'toJSON');
    }
    expect(fetch.calls).toHaveLength(0);
  });

  class Draft {
    title = 'Pain';
    at = new Date('2026-11-02T08:00:00Z');
    none = undefined;
    #secret = 'x';
    get secret() {
      return this.#secret;
    }
  }
  let reads = 0;
  const counting = Object.defineProperty({}, 'value', { get: () => ++reads, enumerable: true });
  const shared = { a: 1 };
  it.each<[string, unknown, sent: unknown]>([
    ['each field, read once', { nested: counting }, { nested: { value: 1 } }],
    ['the own data of a class, and dates as text', new Draft(), { title: 'Pain', at: '2026-11-02T08:00:00.000Z' }],
    ['the same value twice', { x: shared, y: [shared, shared] }, { x: shared, y: [shared, shared] }],
  ])('contains %s', async (_, body, expected) => {
    const { client, sent } = answering({});
    await client.request({ method: 'POST', path: '/a', body });
    expect(sent()).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ['a method toJSON', new Money()],
    ['a function', { a: () => 1 }],
    ['a FormData', new FormData()],
    ['a Map', new Map([['a', 1]])],
    ['an address', new URL('https://a.test')],
    ['a hole in a list', { a: new Array(2) }],
    ['a cycle', selfContaining()],
    ['a number that JSON has not', { a: [Number.NaN] }],
  ])('is refused with %s', async (_, body) => {
    await unsent((client) => client.request({ method: 'POST', path: '/a', body }));
  });

  it.each(['GET', 'DELETE'] as const)('is refused for %s, which has no body', async (method) => {
    for (const body of [{ ids: [1] }, {}, null, '', 0]) {
      const error = await unsent((client) => client.request({ method, path: '/a', body }));
      expect(error.issues).toEqual([{ path: ['body'], message: `must be absent: a ${method} request has no body` }]);
    }
  });
});

function selfContaining(): unknown {
  const cycle: unknown[] = [];
  cycle.push(cycle, cycle);
  return { cycle };
}
