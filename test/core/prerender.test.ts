// Next.js with `cacheComponents` fails a page that looks at the clock or asks for randomness before its first request.
import { expect, it, onTestFinished, vi } from 'vitest';
import { makeClient, makePage } from '../support/clients.js';
import { ARTICLE, LIST } from '../support/fixtures.js';
import { json, stubFetch } from '../support/stub-fetch.js';

/** Replaces the clock and the sources of randomness by functions that throw. */
function forbid(): void {
  const refuse = (name: string) => () => {
    throw new Error(`${name} was called before the request`);
  };
  class NoDate extends Date {
    constructor(...args: number[]) {
      super(...(args as [number]));
      if (args.length === 0) refuse('new Date()')();
    }
    static override now = refuse('Date.now');
  }
  vi.stubGlobal('Date', NoDate);
  vi.spyOn(Math, 'random').mockImplementation(refuse('Math.random'));
  vi.spyOn(crypto, 'getRandomValues').mockImplementation(refuse('crypto.getRandomValues'));
  vi.spyOn(crypto, 'randomUUID').mockImplementation(refuse('crypto.randomUUID'));
  onTestFinished(allow);
}

function allow(): void {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
}

it.each([
  ['Client', makeClient],
  ['ArticlesClient', makePage],
])('a read of %s asks neither the clock nor for randomness before its request', async (_, make) => {
  const replies = { get: json(ARTICLE), list: json(LIST) };
  for (const read of ['get', 'list'] as const) {
    const stub = stubFetch(replies[read]);
    const fetch: typeof stub = Object.assign((...args: Parameters<typeof stub>) => {
      allow();
      return stub(...args);
    }, stub);
    forbid();
    const client = make({ fetch });
    const articles = 'articles' in client ? client.articles : client;
    await (read === 'get' ? articles.get(42) : articles.list({ updated_since: '2026-11-01T00:00:00Z' }));
    expect(stub.calls).toHaveLength(1);
  }
});
