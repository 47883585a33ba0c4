import { inspect } from 'node:util';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/core/endpoint.js';
import type { Schema } from '../../src/core/schema.js';
import {
  ApiError,
  Client,
  type ClientOptions,
  InvalidRequestError,
  InvalidResponseError,
  MultilocalError,
} from '../../src/index.js';
import { BODIES } from '../spec/bodies.js';
import { ARTICLE } from '../support/fixtures.js';
import { accepts, type Change, change, validFor } from './arbitrary.js';
import { type Fields, invoke, OPERATIONS, paramsFor, pathParams, takes, withDefaults } from './operations.js';

/** Cases of each property and operation: some 270 pairs, so 500 make well over 100 000 cases. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 10);
const SEED = process.env.FUZZ_SEED === undefined ? {} : { seed: Number(process.env.FUZZ_SEED) };
const PARAMETERS = { numRuns: RUNS, ...SEED };
const LONG = { timeout: 600_000 + RUNS * 100 };

let cases = 0;
const plain = Object.getOwnPropertyNames(Object.prototype).sort().join();
afterEach(() => {
  expect(Object.getOwnPropertyNames(Object.prototype).sort().join(), 'Object.prototype').toBe(plain);
  expect(({} as Fields).polluted).toBeUndefined();
});
afterAll(() => {
  if (process.env.FUZZ_RUNS) console.log(`bad input: ${cases} cases`);
});

interface Sent {
  method: string;
  url: URL;
  body: string | undefined;
}

function setUp(answer: () => Response, options: ClientOptions = {}) {
  const sent: Sent[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    cases++;
    const request = new Request(input, init);
    const body = request.body === null ? undefined : await request.text();
    sent.push({ method: request.method, url: new URL(request.url), body });
    return answer();
  };
  const base = { apiKey: 'fuzz-key', baseUrl: 'https://fuzz.test', rateLimit: false, maxRetries: 0 } as const;
  return { client: new Client({ ...base, fetch, ...options }), sent };
}

/** What a call came to: nothing else than these may happen. */
async function settle(work: Promise<unknown>): Promise<{ data: unknown } | { error: unknown }> {
  try {
    return { data: await work };
  } catch (error) {
    return { error };
  }
}

const told = (error: unknown) => inspect(error, { depth: 4 }).slice(0, 800);

/** The error that a call ended with, which must be of the class. */
function errorIn<E extends Error>(end: object, kind: abstract new (...args: never[]) => E): E {
  const { error } = end as { error?: unknown };
  if (!(error instanceof kind)) throw new Error(`no ${kind.name}: ${told(end)}`);
  return error;
}

/** The parameters as the wire shows them, without the help of the code under test. */
function expectSent(endpoint: Endpoint, ids: readonly unknown[], params: Fields, request: Sent | undefined): void {
  const text = (value: unknown) => (value instanceof Date ? value.toISOString() : value);
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  expect(request?.method).toBe(endpoint.method);
  const pattern = endpoint.path.replaceAll(/\{\w+\}/g, '([^/]+)');
  const found = new RegExp(`^/api/v2${pattern}$`).exec(request?.url.pathname ?? '');
  expect(found?.slice(1).map(decodeURIComponent)).toEqual(ids.map(String));
  if (endpoint.method === 'GET' || endpoint.method === 'DELETE') {
    const pairs = given.flatMap(([name, value]) => [value].flat().map((item) => [name, String(text(item))]));
    expect([...(request?.url.searchParams ?? [])]).toEqual(pairs);
    expect(request?.body).toBeUndefined();
  } else {
    expect(request?.url.search).toBe('');
    expect(JSON.parse(request?.body ?? '')).toEqual(
      Object.fromEntries(given.map(([name, value]) => [name, text(value)])),
    );
  }
}

const preview = () => Response.json({ dry_run: true });

const id = fc.oneof(
  fc.integer({ min: 1 }),
  fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text !== '.' && text !== '..'),
  fc.constantFrom('accounts/1/locations/2', '%2e%2e', '...', '?a=1#b', '\\..\\', ' ', '\n', '%', '👍', '__proto__'),
);
const idsFor = (endpoint: Endpoint) => fc.tuple(...pathParams(endpoint).map(() => id));

const cyclic: Fields = {};
cyclic.self = cyclic;

/** Made anew each time would be the same: nobody may change them. */
const WRONG: readonly unknown[] = [
  ...[null, undefined, true, false, 10n, Symbol('x'), () => 1, cyclic],
  ...[Number.NaN, Infinity, -Infinity, -1, 0, 1.5, 2 ** 53, 1e308],
  ...['', 'x', 'x'.repeat(70_000), '\u0000'],
  ...[[], [[]], [null], Array(20).fill('facebook'), ['facebook', 'facebook'], new Array(3)],
  ...[{}, { toString: 1 }, { length: 3 }, Object.create(null), new Map([['a', 1]]), new Set([1]), new Uint8Array(3)],
  ...[new Date(Number.NaN), new Date(8.64e15), /x/, Promise.resolve(1), Object('boxed')],
];
const NAMES = ['', ...'unknown Limit bulleId 0 constructor toString __proto__ hasOwnProperty then é'.split(' ')];

const wrong: fc.Arbitrary<Change> = fc.record({
  place: fc.nat(10_000),
  kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add'),
  key: fc.constantFrom(...NAMES),
  value: fc.constantFrom(...WRONG),
});

/** `content_per_platform` takes any value: what JSON cannot write there has a test of its own. */
function isWritable(value: unknown, depth = 0): boolean {
  if (depth > 8) return false;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (Array.isArray(value))
    return Object.keys(value).length === value.length && value.every((item) => isWritable(item, depth + 1));
  if (typeof value !== 'object') return false;
  return (
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.values(value).every((item) => isWritable(item, depth + 1))
  );
}

describe.each(OPERATIONS)('the parameters of %s', (_, endpoint) => {
  const params = paramsFor(endpoint);

  it('are accepted where they are valid, and sent as they are', LONG, async () => {
    const { client, sent } = setUp(preview, { validation: 'off' });
    await fc.assert(
      fc.asyncProperty(idsFor(endpoint), params, async (ids, given) => {
        sent.length = 0;
        const end = await settle(invoke(client, endpoint, ids, given));
        if ('error' in end) throw new Error(`refused: ${told(end.error)}`);
        expect(sent).toHaveLength(1);
        expectSent(endpoint, ids, withDefaults(endpoint, given), sent[0]);
      }),
      PARAMETERS,
    );
  });

  if (endpoint.params)
    it('are refused with nothing sent where one is wrong', LONG, async () => {
      const { client, sent } = setUp(preview, { validation: 'off' });
      await fc.assert(
        fc.asyncProperty(idsFor(endpoint), params, wrong, async (ids, valid, mutation) => {
          const given = change(valid, mutation);
          // Anything but an object in their place is not for the schema to judge.
          if (typeof given !== 'object' || given === null || Object.getPrototypeOf(given) !== Object.prototype) return;
          const own = (given as Fields).content_per_platform;
          if (own !== undefined && typeof own === 'object' && !isWritable(own)) return;
          sent.length = 0;
          cases++;
          const effective = withDefaults(endpoint, given);
          const isValid = takes(endpoint, effective);
          const end = await settle(invoke(client, endpoint, ids, given));
          if (isValid) {
            if ('error' in end) throw new Error(`refused although it is valid: ${told(end.error)}`);
            expectSent(endpoint, ids, effective, sent[0]);
            return;
          }
          expect(sent, 'sent although it is wrong').toEqual([]);
          const error = errorIn(end, InvalidRequestError);
          expect(error.issues.length).toBeGreaterThan(0);
          expect(typeof JSON.stringify(error)).toBe('string');
        }),
        PARAMETERS,
      );
    });

  if (pathParams(endpoint).length > 0)
    it('are refused where an id is none', LONG, async () => {
      const { client, sent } = setUp(preview, { validation: 'off' });
      const isId = (value: unknown) => (typeof value === 'string' && value !== '') || Number.isSafeInteger(value);
      const none = fc.constantFrom(
        ...WRONG.filter((value) => !isId(value)),
        ...['.', '..', '\ud800', 'a\udc00b', '\udc00\ud800'],
      );
      await fc.assert(
        fc.asyncProperty(none, params, async (value, given) => {
          cases++;
          const end = await settle(invoke(client, endpoint, [value], given));
          expect(sent).toEqual([]);
          errorIn(end, InvalidRequestError);
        }),
        PARAMETERS,
      );
    });
});

describe('parameters that JSON and URLs cannot carry as they are', () => {
  const post = { content: 'Pain', platforms: ['facebook'] };

  // test/core/requests.test.ts has what no body may hold.
  const toJSON = () => {
    throw new TypeError('x');
  };
  it.each<[string, () => unknown]>([
    ['a symbol', () => Symbol('x')],
    ['undefined', () => [undefined]],
    ['a depth that overflows the stack', () => Array.from({ length: 50_000 }).reduce((inner: unknown) => [inner], 1)],
    ['a toJSON that throws', () => ({ toJSON })],
    ['a toJSON that is none', () => ({ toJSON: 1 })],
  ])('in content_per_platform: %s is refused, or sent as it is', async (_, make) => {
    const { client, sent } = setUp(preview, { validation: 'off' });
    const given = { ...post, content_per_platform: { gmb: make() } };
    const end = await settle(client.posts.create(given as never));
    if ('error' in end) {
      expect(end.error).toBeInstanceOf(InvalidRequestError);
      expect(sent).toEqual([]);
    } else expect(JSON.parse(sent[0]?.body ?? '')).toEqual(given);
  });

  it('what the caller passes is not changed, right or wrong', async () => {
    const { client } = setUp(preview, { validation: 'off' });
    for (const own of [{ mine: 1 }, ['facebook', 'query'], [1], [{ field: 'a', value: 'b' }]]) {
      const before = JSON.stringify(own);
      await settle(client.posts.create({ content: 'Pain', platforms: own } as never));
      await settle(client.gmb.optimizer.apply({ changes: own, fiche_id: 'f' } as never));
      await settle(client.seo.searchConsole({ dimensions: own } as never));
      expect(Object.isFrozen(own), `${before} is frozen`).toBe(false);
      expect(JSON.stringify(own)).toBe(before);
    }
  });

  it('a symbol for the name of a field is refused, or left out', async () => {
    const { client } = setUp(preview, { validation: 'off' });
    for (const params of [
      { ...post, [Symbol('x')]: 1 },
      { ...post, content_per_platform: { [Symbol('x')]: 1 } },
      { ...post, content_per_platform: { gmb: { [Symbol('x')]: 1 } } },
    ]) {
      const end = await settle(client.posts.create(params as never));
      if ('error' in end) errorIn(end, InvalidRequestError);
    }
  });

  it.each(['extra', 'query', 'body'] as const)(
    'unchecked ones (`%s`) end in an answer or an InvalidRequestError',
    LONG,
    async (where) => {
      const { client } = setUp(preview, { validation: 'off' });
      const field = fc.dictionary(fc.oneof(fc.constantFrom(...NAMES), fc.string()), fc.constantFrom(...WRONG), {
        maxKeys: 3,
      });
      await fc.assert(
        fc.asyncProperty(field, fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'), async (fields, method) => {
          cases++;
          const route = { method, path: '/new', ...(where === 'extra' ? {} : { [where]: fields }) } as never;
          const end = await settle(client.request(route, where === 'extra' ? { extra: fields } : {}));
          if ('error' in end) errorIn(end, InvalidRequestError);
        }),
        PARAMETERS,
      );
    },
  );
});

// --- answers ---

/** Written into the text of the answer, since no JavaScript value holds them. */
const NUMBERS = ['9007199254740993', '-9007199254740993', '123456789012345678901234567890', '1e400', '-0', '1E-400'];
const KEYS = [
  '',
  ...'__proto__ constructor prototype toString valueOf toJSON then length hasOwnProperty'.split(' '),
  ...['detail', 'message', 'error', 'loc', 'msg', 'id'],
];

const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, '', 'x', [], {}, [null], [[]], '2026-13-45', { polluted: true }),
  fc.constantFrom(...NUMBERS.map((_, index) => `@number${index}@`)),
  fc.constantFrom(...KEYS).map((key) => ({ [`@key@${key}`]: { polluted: true } })),
  fc.jsonValue({ maxDepth: 2 }),
);

const spoilt: fc.Arbitrary<Change[]> = fc.array(
  fc.record({
    place: fc.nat(10_000),
    kind: fc.constantFrom('replace', 'replace', 'remove', 'add', 'add'),
    key: fc.constantFrom(...KEYS.map((key) => `@key@${key}`), 'new_field'),
    value: odd,
  }),
  { maxLength: 3 },
);

function write(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll(/"@number(\d)@"/g, (_, index) => NUMBERS[Number(index)] as string)
    .replaceAll('@key@', '');
}

/** JSON that is nothing in particular, but for names that mean something to JavaScript or to the SDK. */
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    odd,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(...KEYS.map((key) => `@key@${key}`), 'articles', 'status', 'platforms'),
      tie('value'),
      {
        maxKeys: 4,
      },
    ),
  ),
})).value;

const answering = OPERATIONS.filter(([, { response }]) => response !== undefined);

describe.each(answering)('the answer to %s', (operation, endpoint) => {
  const schema = endpoint.response as Schema;
  const example = BODIES[operation];
  const body = example === undefined ? validFor(schema) : fc.oneof(fc.constant(example), validFor(schema));
  const ids = pathParams(endpoint).map(() => 1);
  const [params = {}] = fc.sample(
    paramsFor(endpoint).map(({ dry_run: _, ...rest }) => rest),
    { numRuns: 1, seed: 1 },
  );
  let text = '';
  const answer = () => new Response(text, { headers: { 'content-type': 'application/json' } });
  const strict = setUp(answer).client;
  const lenient = setUp(answer, { validation: 'warn' }).client;
  const open = setUp(answer, { validation: 'off' }).client;

  const check = async (written: string) => {
    text = written;
    const parsed: unknown = JSON.parse(text);
    const end = await settle(invoke(strict, endpoint, ids, params));
    if (accepts(schema, parsed)) {
      if ('error' in end) throw new Error(`a valid answer was refused: ${told(end.error)}`);
      expect(end.data).toEqual(parsed);
    } else {
      const error = errorIn(end, InvalidResponseError);
      expect(error.issues.length).toBeGreaterThan(0);
      inspect(error, { depth: null, showHidden: true });
      expect(typeof JSON.stringify(error)).toBe('string');
    }
    for (const client of [lenient, open]) {
      const given = await settle(invoke(client, endpoint, ids, params));
      if ('error' in given) throw new Error(`refused without validation: ${told(given.error)}`);
      expect(given.data).toEqual(parsed);
    }
  };

  it('is a typed result or a typed error: a valid one, and one that is spoilt', LONG, async () => {
    await fc.assert(
      fc.asyncProperty(body, spoilt, (valid, changes) => check(write(changes.reduce<unknown>(change, valid ?? null)))),
      PARAMETERS,
    );
  });

  it('is a typed result or a typed error: any JSON', LONG, async () => {
    await fc.assert(
      fc.asyncProperty(anyJson, (value) => check(write(value))),
      PARAMETERS,
    );
  });

  it('is a typed error where it is none at all', LONG, async () => {
    const garbage = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        ...['', ' ', '{', '[1,', '"', 'nul', '\ufeff{}', '<html>', 'NaN', '{"a":undefined}', '[]]', '['.repeat(20_000)],
      ),
    );
    await fc.assert(
      fc.asyncProperty(garbage, async (written) => {
        text = written;
        const end = await settle(invoke(strict, endpoint, ids, params));
        if ('error' in end) errorIn(end, MultilocalError);
      }),
      PARAMETERS,
    );
  });

  it('is an ApiError where the status is that of a failure, whatever the body', LONG, async () => {
    await fc.assert(
      fc.asyncProperty(
        anyJson,
        fc.constantFrom(400, 401, 403, 404, 408, 409, 410, 418, 422, 429, 500, 502, 503),
        async (value, status) => {
          const { client } = setUp(() => new Response(write(value), { status }));
          const end = await settle(invoke(client, endpoint, ids, params));
          const error = errorIn(end, ApiError);
          expect([typeof error.detail, typeof JSON.stringify(error)]).toEqual(['string', 'string']);
        },
      ),
      PARAMETERS,
    );
  });
});

describe('error bodies whose fields have names that mean something to JavaScript', () => {
  it.each([
    '{"detail":[{"loc":[{"toString":1,"valueOf":1}],"msg":"x"}]}',
    '{"detail":[{"loc":[{"toString":null}],"msg":"x"}]}',
    '{"detail":{"toString":1,"msg":{"toString":1}}}',
    '{"__proto__":{"polluted":true},"detail":{"__proto__":{"polluted":true}}}',
    '{"detail":[{"loc":{"length":1e9,"join":1},"msg":"x"}]}',
    `{"detail":[{"loc":${'['.repeat(5_000)}${']'.repeat(5_000)},"msg":"x"}]}`,
  ])('%s', async (text) => {
    const { client } = setUp(() => new Response(text, { status: 422 }));
    const end = await settle(client.articles.get(1));
    errorIn(end, ApiError);
  });
});

// test/core/needs.test.ts damages each part of what loops read.
it('articles.changes ends where the timestamps cannot be read and two answers take turns', async () => {
  const page = (...times: string[]) => {
    const articles = times.map((updated_at, index) => ({ ...ARTICLE, id: index, updated_at }));
    return { articles, total: 3, limit: 2, offset: 0 };
  };
  let asked = 0;
  const { client } = setUp(() => {
    if (++asked > 100) throw new Error('asks for ever');
    return Response.json(asked % 2 === 0 ? page('c', 'd') : page('a', 'b'));
  });
  const drain = async () => {
    for await (const _ of client.articles.changes());
  };
  await settle(drain());
  expect(asked).toBeLessThan(100);
});
