// Every operation of these resources: what it sends, and that what comes back is given as it came.
import { describe, expect, it } from 'vitest';
import { endpoints } from '../../src/resources/index.js';
import { spec } from '../spec/endpoints.js';
import { makeClient } from '../support/clients.js';
import { BULLE_IDENTITY, deepFreeze, KEY } from '../support/fixtures.js';
import { json, raw, stubFetch } from '../support/stub-fetch.js';
import { BODIES } from './bodies.js';
import { EXAMPLES } from './calls.js';

const rowOf = (operation: string) =>
  spec.find((row) => row.operation === (operation === 'seo.competitors' ? 'seo.snapshot' : operation));
const cases = EXAMPLES.map((example) => [example.operation, example] as const);

/** Contract: operations whose attempts may take 180 s. */
const SLOW = [
  'articles.create',
  'articles.publish',
  'posts.create',
  'posts.publish',
  'social.publish',
  'reviews.reply',
  'acquisition.requestReviews',
  'gmb.optimizer.audit',
  'gmb.optimizer.apply',
  'seo.scan',
  'seo.keywordLookup',
  'reports.create',
  'images.upload',
  'images.generate',
];

/** The raw parts of a query, in any order. */
const sorted = (search = '') => search.slice(1).split('&').sort();

describe.each(cases)('%s', (operation, { call, path, query, body, alternatives = [] }) => {
  const answer = BODIES[operation];
  const run = async () => {
    const fetch = stubFetch(answer === undefined ? raw(null, { status: 204 }) : json(answer));
    const data = await call(makeClient({ fetch, identity: BULLE_IDENTITY }));
    return { data, request: fetch.calls[0], count: fetch.calls.length };
  };

  it('sends one request: method, path, query, body and headers', async () => {
    const { request, count } = await run();
    expect(count).toBe(1);
    expect(request).toMatchObject({ method: rowOf(operation)?.method });
    expect(request?.url.pathname).toBe(`/api/v2${path}`);
    expect(sorted(request?.url.search)).toEqual(sorted(query && `?${query}`));
    expect(request?.body === undefined ? undefined : JSON.parse(request.body)).toEqual(body);
    expect(request?.headers['x-api-key']).toBe(KEY);
    expect(request?.headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
  });

  it('sends every parameter of the specification, in the query of reads and in the body of writes', async () => {
    const { request } = await run();
    const row = rowOf(operation);
    const sent = new Set([
      ...(request?.url.searchParams.keys() ?? []),
      ...Object.keys(JSON.parse(request?.body ?? '{}')),
    ]);
    const known = [...Object.keys(row?.params ?? {}), ...(row?.target ? [row.target] : [])];
    expect([...sent, ...alternatives].sort()).toEqual(known.sort());
    if (row?.method === 'GET') expect(request?.body).toBeUndefined();
    else expect(request?.url.search).toBe('');
  });

  it('returns the response as it came', async () => {
    expect((await run()).data).toEqual(answer);
  });

  it.runIf(typeof answer === 'object')(
    'keeps fields and values of the response that this version does not know',
    async () => {
      const grown = Array.isArray(answer)
        ? answer.map((item) => ({ ...item, brand_new: 1, platform: 'threads' }))
        : { ...Object(answer), brand_new: 1, status: 'archived' };
      const client = makeClient({ fetch: stubFetch(json(grown)), identity: BULLE_IDENTITY });
      expect(await call(client)).toEqual(grown);
    },
  );
});

it('the contract names the operations with a timeout of 180 s', () => {
  const slow = endpoints.filter((endpoint) => endpoint.slow).map(({ operation }) => operation);
  expect(slow.sort()).toEqual(SLOW.sort());
});

it('has examples of operations that exist', () => {
  const known = endpoints.map(({ operation }) => operation);
  expect(EXAMPLES.map(({ operation }) => operation).filter((operation) => !known.includes(operation))).toEqual([]);
});

it.each([
  ['posts.update', 'PUT'],
  ['posts.delete', 'DELETE'],
  ['posts.publish', 'POST'],
  ['gmb.optimizer.apply', 'POST'],
])('%s gives a body that is not documented as it came', async (operation) => {
  const { call } = EXAMPLES.find((example) => example.operation === operation) as (typeof EXAMPLES)[number];
  for (const body of [{ ok: true }, [], null, 'fait', 7]) {
    expect(await call(makeClient({ fetch: stubFetch(json(body)) }))).toEqual(body);
  }
  expect(await call(makeClient({ fetch: stubFetch(raw('', { status: 200 })) }))).toBeUndefined();
});

it('never changes the given parameters', async () => {
  const fetch = stubFetch(json({ dry_run: true }));
  const client = makeClient({ fetch }).forBulle('b-lyon').forFiche('f');
  const params = deepFreeze({ content: 'a', platforms: ['gmb' as const], scheduled_at: '2026-12-01T09:00Z' });
  await client.dryRun.posts.create(params);
  await client.dryRun.gmb.optimizer.apply(deepFreeze({ changes: [{ field: 'a', value: 'b' }] }));
  expect(fetch.calls.map(({ body }) => JSON.parse(body ?? ''))).toEqual([
    { ...params, bulle_id: 'b-lyon', dry_run: true },
    { changes: [{ field: 'a', value: 'b' }], fiche_id: 'f', dry_run: true },
  ]);
});

it('sends neither undefined nor an absent parameter', async () => {
  const fetch = stubFetch(json(BODIES['seo.scan']));
  await makeClient({ fetch }).seo.scan({ bulle_id: undefined, dry_run: undefined });
  expect(fetch.calls[0]?.body).toBe('{}');
});
