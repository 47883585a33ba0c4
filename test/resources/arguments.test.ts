// Every method of both clients: what becomes of options that are no object.
import { describe, expect, it } from 'vitest';
import { InvalidRequestError, memoryStore } from '../../src/index.js';
import { spec } from '../spec/endpoints.js';
import { caught, makeClient, makePage, rejection } from '../support/clients.js';
import { ARTICLE, KEY } from '../support/fixtures.js';
import { expectNoKey } from '../support/render.js';
import { json, stubFetch } from '../support/stub-fetch.js';

// biome-ignore lint/suspicious/noExplicitAny: a promise or an iterator
type Method = (this: unknown, ...given: unknown[]) => any;

interface Found {
  operation: string;
  name: string;
  owner: object;
  method: Method;
}

/** The methods of a client and of everything public that it holds. */
function methodsOf(owner: object, prefix = ''): Found[] {
  const own: Found[] = [];
  for (let prototype = Object.getPrototypeOf(owner); prototype !== Object.prototype; ) {
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors<object>(prototype))) {
      const method = (descriptor as PropertyDescriptor).value;
      if (name === 'constructor' || typeof method !== 'function') continue;
      own.push({ operation: `${prefix}${name}`, name, owner, method });
    }
    prototype = Object.getPrototypeOf(prototype);
  }
  return [...own, ...Object.entries(owner).flatMap(([name, resource]) => methodsOf(resource, `${prefix}${name}.`))];
}

const fetch = stubFetch(json(ARTICLE));
const client = makeClient({ fetch });
/** They send no request and take no options. */
const WITHOUT_OPTIONS = ['budget', 'forBulle', 'forFiche'];
// `withOptions` sends no request either: test/stages/with-options.test.ts.
const METHODS = methodsOf(client).filter(({ name }) => ![...WITHOUT_OPTIONS, 'withOptions'].includes(name));
const ALL: [string, Found][] = [...METHODS, ...methodsOf(makePage({ fetch }), 'articles.')].map((found) => [
  `${found.owner.constructor.name}: ${found.operation}`,
  found,
]);

/** What the first use of a result fails with, be it a promise or an iterator. */
async function failure({ owner, method }: Found, given: unknown[]): Promise<InvalidRequestError> {
  const before = fetch.calls.length;
  const result = method.apply(owner, given);
  const { next } = Object(result);
  const error = await caught((next ? next.call(result) : result) as PromiseLike<unknown>, InvalidRequestError);
  expect(fetch.calls.length - before).toBe(0);
  return error;
}

it('every operation of the specification and every composed method is tested', () => {
  const found = METHODS.map(({ operation }) => operation);
  expect(found).toEqual(expect.arrayContaining(spec.map(({ operation }) => operation)));
  expect(found).toEqual(
    expect.arrayContaining(['request', 'articles.syncTo', 'articles.changes', 'posts.check', 'reports.createAndWait']),
  );
});

describe.each(ALL)('%s', (_, found) => {
  const { operation, method } = found;
  // The arguments of `BulleArgs` have no length: parameters and options.
  const before = Array.from({ length: (method.length || 2) - 1 }, () => undefined);

  it.each([[null], ['x'], [7], [[]]])('refuses the options %j', async (options) => {
    const error = await failure(found, [...before, options]);
    expect(error).toMatchObject({
      operation,
      issues: [{ path: ['options'], message: expect.stringContaining('must be an object; received ') }],
    });
  });

  it('says that it was taken off its object', async () => {
    const call = async () => {
      const result = method(...before);
      return result.next ? result.next() : result;
    };
    expect((await caught(call(), InvalidRequestError)).message).toContain('`this` must be the object of the method');
  });

  it('does not show a key that was passed as the name of an option', async () => {
    expectNoKey(await failure(found, [...before, { [KEY]: 1 }]), KEY);
  });
});

describe('options of two places', () => {
  it.each([[null], ['x'], [7], [[]]])('%j: refused in both places, before the store is used', async (wrong) => {
    const store = { ...memoryStore(), loadCursor: () => expect.unreachable() };
    const { syncTo } = client.articles;
    for (const given of [[wrong], [{}, wrong]]) {
      const error = await rejection((syncTo as Method).call(client.articles, store, ...given) as Promise<unknown>);
      expect(error).toMatchObject({ code: 'invalid_request', operation: 'articles.syncTo' });
    }
  });

  it.each([['x'], [7], [[]]])('%j: refused as parameters of a walk', async (wrong) => {
    for (const found of METHODS.filter(({ name }) => name === 'changes' || name === 'sync')) {
      expect(await failure(found, [wrong])).toMatchObject({ operation: found.operation });
    }
  });

  it('do not show a key that was passed as a name', async () => {
    for (const found of METHODS.filter(({ name }) => ['changes', 'sync', 'upload'].includes(name))) {
      const file = found.name === 'upload' ? { file: new Blob(['x']) } : {};
      expectNoKey(await failure(found, [{ ...file, [KEY]: 1 }]), KEY);
      expectNoKey(await failure(found, [file, { [KEY]: 1 }]), KEY);
    }
    const syncTo = METHODS.find(({ name }) => name === 'syncTo') as Found;
    expectNoKey(await failure(syncTo, [memoryStore(), { [KEY]: 1 }]), KEY);
  });
});

it('a walk names its own parameter for that of the list', async () => {
  const walk = client.articles.changes({ updated_since: '2026-11-21' } as never);
  expect(String(await rejection(walk.next()))).toContain(
    'articles.changes: `updated_since` is an unknown parameter. Did you mean `since`?',
  );
});

it('an error begins where the method was called', async () => {
  const misspelt = async () => await client.articles.list({ stauts: 'all' } as never);
  expect(String(((await rejection(misspelt())) as Error).stack)).toMatch(/at (async )?misspelt /);
});

it('a call without a route is refused', async () => {
  const found = METHODS.find(({ name }) => name === 'request') as Found;
  for (const route of [undefined, null, 'x']) {
    expect(await failure(found, [route])).toMatchObject({ operation: 'request', issues: [{ path: ['method'] }] });
  }
});
