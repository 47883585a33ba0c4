// A service, a `fetch` or a limiter that means harm: errors are built all the same, and nothing blocks the event loop.
import { describe, expect, it, vi } from 'vitest';
import { MAX_RETRIES } from '../../src/core/config.js';
import { issuesOf } from '../../src/core/issues.js';
import { createRedactor } from '../../src/core/redact.js';
import { MOST_PARTS } from '../../src/core/response.js';
import * as s from '../../src/core/schema.js';
import { toNfc } from '../../src/core/text.js';
import {
  ApiError,
  type Client,
  ConnectionError,
  InvalidRequestError,
  InvalidResponseError,
  MultilocalError,
} from '../../src/index.js';
import { endpoints } from '../../src/resources/endpoints.js';
import { aPost } from '../spec/bodies.js';
import { caught, makeClient, rejection } from '../support/clients.js';
import { ARTICLE, BULLE_IDENTITY, KEY, LIST } from '../support/fixtures.js';
import { json, raw, refuse, stubFetch } from '../support/stub-fetch.js';

describe('a key that is part of a response', () => {
  it.each(['x', 'X', 'a', 'e', '-', 'x-powered-by', 'content-type', 'd', '0', '$&', '[a', 'a|b'])(
    '%j: the error is typed, has its outcome, and reads are retried',
    async (apiKey) => {
      const headers = { 'X-Powered-By': `say ${apiKey}`, 'x-trace': 'abc', 'retry-after': '0', 'set-cookie': 'a=b' };
      const fetch = stubFetch(refuse(503, 'non', headers));
      const client = makeClient({ fetch, apiKey });
      const error = await caught(client.articles.get(42), MultilocalError);
      expect(error).toMatchObject({ code: 'service_unavailable', attempts: MAX_RETRIES + 1, outcome: 'not_applied' });
      const write = await caught(client.articles.publish(42), MultilocalError);
      expect(write).toMatchObject({ code: 'service_unavailable', attempts: 1, outcome: 'unknown' });
      const { headers: shown } = error as unknown as { headers: Headers };
      expect([null, 'say [redacted]']).toContain(shown.get('x-powered-by'));
    },
  );

  it.each([
    ['k', 429, 'Quota mensuel atteint.', 'quota_exceeded', 'the monthly quota is used up'],
    ['mensuel', 429, 'Quota mensuel atteint.', 'quota_exceeded', 'said: "Quota [redacted] atteint"'],
    ['Plateforme', 400, 'Plateforme non connectée.', 'platform_not_connected', 'said: "[redacted] non connectée"'],
    ['exist', 404, 'Cet article manque.', 'not_found', 'the resource does not exist'],
  ])('%s: the mask changes neither the class nor our words', async (apiKey, status, detail, code, words) => {
    const error = await caught(makeClient({ fetch: stubFetch(refuse(status, detail)), apiKey }).me(), MultilocalError);
    expect(error.code).toBe(code);
    expect(error.message).toContain(words);
  });

  it.each(['a', 'path', 'message', 'expected', 'id'])(
    '%j: issues keep their path and their message',
    async (apiKey) => {
      const client = makeClient({ fetch: stubFetch(json({ ...ARTICLE, id: 'x' })), apiKey });
      const response = await caught(client.articles.get(42), InvalidResponseError);
      expect(response.issues).toEqual([{ path: [expect.any(String)], message: expect.any(String) }]);
      const request = await caught(client.articles.list({ statut: 'x' } as object), InvalidRequestError);
      expect(request.issues).toEqual([{ path: [expect.any(String)], message: expect.any(String) }]);
    },
  );

  it('the other headers are kept', async () => {
    const fetch = stubFetch(refuse(400, 'non', { 'X-Powered-By': 'a', trace: 'b' }));
    const error = await caught(makeClient({ fetch, apiKey: 'x' }).articles.get(42), ApiError);
    expect(Object.fromEntries(error.headers)).toEqual({ 'content-type': 'application/json', trace: 'b' });
  });
});

it.each([
  ...['(', '[', 'a|b', 'a widget with ml_live_1', 'string)'].map((tag) => [tag, 'an object']),
  ['Widget', 'a widget'],
])('a value that invents the type %j is %s', (tag, type) => {
  const issues = issuesOf(s.string, { [Symbol.toStringTag]: tag });
  expect(issues).toEqual([{ path: [], message: `must be a string; received ${type}` }]);
});

describe('what a custom fetch throws', () => {
  const trap = () => {
    throw new Error('trap');
  };
  const cycle = new Error('a');
  cycle.cause = new Error('b', { cause: cycle });
  const getter = (name: string) => Object.defineProperty(new Error('a'), name, { get: trap });

  it.each<[string, unknown]>([
    ['a getter `message` that throws', getter('message')],
    ['a getter `cause` that throws', getter('cause')],
    ['a getter `code` that throws', getter('code')],
    ['a getter `name` that throws', getter('name')],
    ['a getter `errors` that throws', getter('errors')],
    [
      'a cause that is a proxy',
      new Error('a', { cause: new Proxy(new Error('b'), { get: trap, getPrototypeOf: trap }) }),
    ],
    ['a proxy', new Proxy(new Error('a'), { get: trap, has: trap, getPrototypeOf: trap, ownKeys: trap })],
    ['a cycle of causes', cycle],
    ['a message that is no text', Object.assign(new Error('a'), { message: { toString: trap } })],
    ['a message that is a symbol', Object.assign(new Error('a'), { message: Symbol('a') })],
    ['a name that is no text', Object.assign(new Error('a'), { name: Object.create(null) })],
    ['a code that is a wide cycle', Object.assign(new Error('a'), { code: wideCycle() })],
    ['a frozen error', Object.freeze(new Error('a'))],
    ['nothing', undefined],
    ['a symbol', Symbol('a')],
  ])('%s: a ConnectionError with its outcome', async (_, thrown) => {
    const fetch = async () => Promise.reject(thrown);
    const read = await caught(makeClient({ fetch, maxRetries: 0 }).articles.get(42), ConnectionError);
    expect(read).toMatchObject({ code: 'connection', attempts: 1, outcome: 'not_applied' });
    const write = await caught(makeClient({ fetch }).articles.publish(42), ConnectionError);
    expect(write).toMatchObject({ code: 'connection', attempts: 1, outcome: 'unknown' });
  });

  it('a message of millions of characters: only its beginning is kept', async () => {
    const fetch = async () => Promise.reject(new Error('x'.repeat(5_000_000)));
    const error = await caught(makeClient({ fetch, maxRetries: 0 }).articles.get(42), ConnectionError);
    expect(error.message.length + String((error.cause as Error).message).length).toBeLessThan(10_000);
  });
});

function wideCycle(): object {
  const cycle: Record<string, unknown> = {};
  return Object.assign(cycle, Array(10).fill(cycle));
}

it.each([
  ['one of ten thousand characters', ['x'.repeat(10_000)]],
  ['twenty thousand', Array.from({ length: 20_000 }, (_, index) => `+336${String(index).padStart(8, '0')}`)],
])('the contacts are masked, however many or long: %s', { tags: 'long' }, async (_, phones) => {
  const redactor = createRedactor([KEY, ...phones]);
  const text = `${phones.at(-1)} ${KEY} ${phones[0]}`;
  expect(redactor.mask(text)).toBe('[redacted] [redacted] [redacted]');
  const contacts = phones.map((customer_phone) => ({ customer_name: 'Ada', channel: 'sms', customer_phone, x: 1 }));
  const error = await rejection(makeClient({}).acquisition.requestReviews({ contacts } as never));
  expect(error).toMatchObject({ code: 'invalid_request' });
});

const repeat = (item: string, count: number) => Array(count).fill(item).join();
const names = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":"x"`).join();
const TOO_MANY = MOST_PARTS + 1;

describe('a body of too many wrong values', { tags: 'long' }, () => {
  it.each<[string, (client: Client) => PromiseLike<unknown>, string]>([
    ['connections.list: items that are numbers', (c) => c.connections.list(), `[${repeat('1', TOO_MANY)}]`],
    ['connections.list: items without a field', (c) => c.connections.list(), `[${repeat('{}', TOO_MANY)}]`],
    ['articles.list', (c) => c.articles.list(), JSON.stringify(LIST).replace(/\[.*\]/, `[${repeat('{}', TOO_MANY)}]`)],
    ['reviews.list', (c) => c.reviews.list(), `{"reviews":[${repeat('0', TOO_MANY)}]}`],
    ['names in place of fields', (c) => c.articles.list(), `{${names(TOO_MANY)}}`],
    ['names of a record', (c) => c.platforms.limits(), `{"character_limits":{${names(100_000)}}}`],
    ['nesting', (c) => c.articles.list(), '['.repeat(TOO_MANY) + ']'.repeat(TOO_MANY)],
    ['one text', (c) => c.articles.list(), `"${KEY.repeat(200_000)}"`],
    ['no JSON', (c) => c.articles.list(), `<${KEY.repeat(200_000)}`],
    ['a long name', (c) => c.platforms.limits(), `{"character_limits":{"${'k'.repeat(5_000_000)}":"x"}}`],
  ])('%s: at most 100 issues, a bounded error, and no long block', async (_, call, body) => {
    const client = makeClient({ fetch: stubFetch(raw(body)), rateLimit: false, identity: BULLE_IDENTITY });
    const error = await caught(call(client), InvalidResponseError);
    expect(error.issues.length).toBeGreaterThan(0);
    expect(error.issues.length).toBeLessThanOrEqual(100);
    expect(error.message.length).toBeLessThan(5_000);
    expect(JSON.stringify(error).length).toBeLessThan(1_000_000);
    expect(error).toMatchObject({ attempts: 1 });
  });

  it.each(['400', '429', '500'])('with status %s: a bounded error', async (status) => {
    const body = `{"detail":[${repeat('{}', TOO_MANY)}]}`;
    const client = makeClient({ fetch: stubFetch(raw(body, { status: Number(status) })), maxRetries: 0 });
    const error = await caught(client.articles.list(), MultilocalError);
    expect(JSON.stringify(error).length).toBeLessThan(10_000);
  });

  it('is not parsed and does not count as a broken connection, chunked or not', async () => {
    const parse = vi.spyOn(JSON, 'parse');
    const body = `[${repeat('{}', TOO_MANY)}]`;
    const fetch = stubFetch(raw(body, { headers: { 'transfer-encoding': 'chunked' } }));
    const error = await caught(makeClient({ fetch }).connections.list(), InvalidResponseError);
    expect(parse.mock.calls.filter(([text]) => text === body)).toHaveLength(0);
    expect(error.issues).toEqual([{ path: [], message: 'is too large' }]);
    expect(fetch.calls).toHaveLength(1);
  });
});

describe('validation', () => {
  /** A value of which each look is counted. */
  const watched = () => {
    const get = vi.fn(() => 'wrong');
    return { item: Object.defineProperty({}, 'id', { get, enumerable: true }), looks: () => get.mock.calls.length };
  };
  const item = s.object({ id: s.integer });

  it.each<[string, s.Schema, (value: unknown) => unknown]>([
    ['a list', s.list(item), (value) => Array(10_000).fill(value)],
    ['a list of lists', s.list(s.list(item)), (value) => Array(200).fill(Array(200).fill(value))],
    ['a record', s.record(item), (value) => ({ ...Array(10_000).fill(value) })],
    ['an object with some named keys', s.named(['0', '1'], item), (value) => ({ ...Array(10_000).fill(value) })],
  ])('of %s ends at the maximum number of issues', (_, schema, make) => {
    const { item: value, looks } = watched();
    const issues = issuesOf(schema, make(value));
    expect(issues).toHaveLength(100);
    expect(looks()).toBeLessThan(1_000);
  });

  it('of each list of an endpoint does, too', () => {
    const seen = new Set<unknown>();
    const listsIn = (value: Partial<s.Schema>): s.Schema[] => {
      if (Object(value) !== value || seen.size === seen.add(value).size) return [];
      const inner = Object.values(value._zod?.def ?? value).flatMap(listsIn);
      return value._zod?.def.type === 'array' ? [value as s.Schema, ...inner] : inner;
    };
    const lists = listsIn(endpoints.map(({ params, response }) => [params, response]) as never);
    const wrong = Array.from({ length: 10_000 }, () => () => {});
    expect(lists.length).toBeGreaterThan(30);
    const found = lists.map(
      (one) => one._zod.run({ value: wrong, issues: [] }, { async: false }) as never as { issues: [] },
    );
    for (const { issues } of found) expect(issues.length).toBeLessThan(101);
  });

  it('checks every item of a list or a record', () => {
    const right = Array.from({ length: 10_000 }, (_, id) => ({ id }));
    expect(issuesOf(s.list(item), right)).toBeUndefined();
    expect(issuesOf(s.list(item), [...right, { id: 'x' }])).toEqual([
      { path: [10_000, 'id'], message: 'must be an integer; received a string' },
    ]);
    const record = Object.fromEntries(right.map((value) => [`k${value.id}`, value]));
    expect(issuesOf(s.record(item), { ...record, last: 1 })).toEqual([
      { path: ['last'], message: 'must be an object; received a number' },
    ]);
  });

  it('a response of 10 000 items is valid and returned unchanged', { tags: 'long' }, async () => {
    const articles = Array.from({ length: 10_000 }, (_, id) => ({ ...ARTICLE, id, content_html: '<p>a: {b}</p>' }));
    const list = { ...LIST, articles, total: 10_000 };
    expect(await makeClient({ fetch: stubFetch(json(list)) }).articles.list()).toEqual(list);
    const posts = Array.from({ length: 10_000 }, (_, id) => aPost({ id }));
    expect(await makeClient({ fetch: stubFetch(json(posts)) }).posts.list()).toHaveLength(10_000);
  });
});

describe('texts of the service', () => {
  it('are normalised in linear time, with no more marks in a row than any language needs', () => {
    expect(toNfc('cafe\u0301')).toBe('café');
    expect(toNfc(`a${'\u0301\u0323'.repeat(100_000)}b`).length).toBeLessThan(40);
  });
});
