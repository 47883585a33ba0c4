// Both clients use the same core. Most tests of the core use one of them: this file checks that they are wired alike.
import { expect, it } from 'vitest';
import type { ArticlesClientOptions } from '../../src/articles.js';
import { isMultilocalError } from '../../src/index.js';
import { freshUrl, makeClient, makePage, rejection } from '../support/clients.js';
import { ARTICLE } from '../support/fixtures.js';
import { json, refuse, stubFetch } from '../support/stub-fetch.js';

/** What a client sends, returns and tells the observer, with every option set to something else than its default. */
async function behaviourOf(make: (options: Partial<ArticlesClientOptions>) => ReturnType<typeof makePage>) {
  const fetch = stubFetch(refuse(503, 'x', { 'retry-after': '0' }), json({ ...ARTICLE, id: 'x' }));
  const events: string[] = [];
  const init: RequestInit[] = [];
  const articles = make({
    apiKey: 'another-key',
    baseUrl: `${freshUrl()}/tenant`,
    fetch: (input, options) => {
      init.push({ cache: new Request(input, options).cache });
      return fetch(input, options);
    },
    headers: { 'x-team': 'a' },
    fetchOptions: { cache: 'no-store' },
    maxRetries: 1,
    validation: 'off',
    onEvent: ({ type }) => void events.push(type),
  });
  const article = await articles.get(42);
  const refused = await rejection(articles.confirm(0.5));
  return {
    article,
    refused: isMultilocalError(refused) && { code: refused.code, attempts: refused.attempts, outcome: refused.outcome },
    calls: fetch.calls.map(({ url, headers, body }) => ({ path: url.pathname, headers, body })),
    init,
    events,
  };
}

it('Client and ArticlesClient pass all their options on', async () => {
  const articles = await behaviourOf(makePage);
  const client = await behaviourOf((options) => makeClient({ ...options, rateLimit: false }).articles as never);
  expect(articles).toEqual(client);
  expect(articles).toMatchObject({
    article: { id: 'x' },
    refused: { attempts: 0, outcome: 'not_applied' },
    calls: [{ path: '/tenant/api/v2/articles/42', headers: { 'x-api-key': 'another-key', 'x-team': 'a' } }, {}],
    init: [{ cache: 'no-store' }, { cache: 'no-store' }],
    events: ['request', 'response', 'retry', 'request', 'response'],
  });
});
