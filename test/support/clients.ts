import { expect } from 'vitest';
import { ArticlesClient, type ArticlesClientOptions } from '../../src/articles.js';
import { Client, type ClientOptions } from '../../src/client.js';
import { InvalidRequestError } from '../../src/index.js';
import { KEY, LIST } from './fixtures.js';
import { json, stubFetch } from './stub-fetch.js';

let count = 0;

/** An address that no other test has: clients with the same address and key share their budget. */
export function freshUrl(): string {
  count++;
  return `https://api-${count}.test`;
}

export function makeClient(options: ClientOptions = {}): Client {
  return new Client({ apiKey: KEY, baseUrl: freshUrl(), ...options });
}

/** The articles of a client: the tests of the core call them. */
export function makeArticles(options: ClientOptions = {}): Client['articles'] {
  return makeClient(options).articles;
}

/** The client for pages. */
export function makePage(options: Partial<ArticlesClientOptions> = {}): ArticlesClient {
  return new ArticlesClient({ apiKey: KEY, baseUrl: freshUrl(), ...options });
}

/** A client whose requests all get this answer, unchecked. `sent` is the body of the last request, or its query. */
export function answering(answer: unknown = LIST, options: ClientOptions = {}) {
  const fetch = stubFetch(json(answer));
  const client = makeClient({ fetch, validation: 'off', ...options });
  const sent = (): unknown => {
    const { body, url } = fetch.calls.at(-1) ?? {};
    return body === undefined ? Object.fromEntries(url?.searchParams ?? []) : JSON.parse(body);
  };
  return { client, fetch, sent };
}

/** The error of a call that is refused because of its parameters, before anything is sent. */
export async function unsent(call: (client: Client) => PromiseLike<unknown>): Promise<InvalidRequestError> {
  const { client, fetch } = answering();
  const error = await caught(call(client), InvalidRequestError);
  expect(error).toMatchObject({ code: 'invalid_request', attempts: 0, outcome: 'not_applied' });
  expect(error.issues.length).toBeGreaterThan(0);
  expect(fetch.calls).toHaveLength(0);
  return error;
}

type AnyClass<E> = abstract new (...args: never[]) => E;

/** What the promise rejects with, which must be of the class. */
export async function caught<E extends Error>(work: PromiseLike<unknown>, kind: AnyClass<E>): Promise<E> {
  const reason = await rejection(work);
  expect(reason).toBeInstanceOf(kind);
  return reason as E;
}

/** What the promise rejects with, whatever it is. */
export async function rejection(work: PromiseLike<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await work;
  } catch (reason) {
    return reason;
  }
  throw new Error(`expected a rejection, got ${JSON.stringify(value)}`);
}

/** What a function throws, which must be of the class. */
export function thrown<E extends Error>(work: () => unknown, kind: AnyClass<E>): E {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(kind);
    return error as E;
  }
  throw new Error('expected it to throw');
}

/** The most of these moments that any window of so many ms holds. */
export function densest(times: readonly number[], window: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  let most = 0;
  for (let first = 0, last = 0; last < sorted.length; last++) {
    while ((sorted[last] as number) - (sorted[first] as number) >= window) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
