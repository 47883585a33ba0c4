// Every operation with every parameter: what it sends, and that the response is returned as it came.
import { describe, expect, it } from 'vitest';
import { InvalidResponseError } from '../../src/index.js';
import { endpoints } from '../../src/resources/endpoints.js';
import { aPost, aReview, aReviewPage, BODIES } from '../spec/bodies.js';
import { CALLS } from '../spec/calls.js';
import { callByName } from '../spec/endpoints.js';
import { caught, makeClient } from '../support/clients.js';
import { BULLE_IDENTITY, deepFreeze, KEY } from '../support/fixtures.js';
import { json, raw, stubFetch } from '../support/stub-fetch.js';

/** Contract: operations whose attempts may take 180 s. */
const SLOW = [
  ...['articles.create', 'articles.publish', 'posts.create', 'posts.publish', 'social.publish', 'reviews.reply'],
  ...['acquisition.requestReviews', 'gmb.optimizer.audit', 'gmb.optimizer.apply', 'seo.scan', 'seo.keywordLookup'],
  ...['reports.create', 'images.upload', 'images.generate'],
];

/** The response with something that this version does not know in every object of it. */
function later(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(later);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, later(item)]));
  // The names of some objects are platforms.
  return 'gmb' in value || 'facebook' in value ? inner : { ...inner, field_of_a_later_version: { a: [1, null, 'x'] } };
}

describe.each(CALLS.map((sample) => [sample.operation, sample] as const))('%s', (operation, sample) => {
  const { row, args, path, query, body, replaced } = sample;
  const answer = BODIES[operation];
  const ask = (response: unknown, validation: 'throw' | 'warn' | 'off' = 'throw') =>
    callByName(makeClient({ fetch: stubFetch(json(response)), validation }), operation, args);

  it('sends one request: method, path, query, body and headers', async () => {
    const fetch = stubFetch(answer === undefined ? raw(null, { status: 204 }) : json(answer));
    await callByName(makeClient({ fetch }), operation, args);
    expect(fetch.calls).toHaveLength(1);
    const [request] = fetch.calls;
    expect(request).toMatchObject({ method: row.method, url: { pathname: `/api/v2${path}` } });
    expect(request?.url.search.slice(1).split('&').filter(Boolean).sort()).toEqual(query);
    expect(request?.body === undefined ? undefined : JSON.parse(request.body)).toEqual(body);
    expect(request?.headers).toEqual({
      accept: 'application/json',
      'user-agent': expect.stringMatching(/^multilocal\/./),
      ...(row.permission !== 'none' && { 'x-api-key': KEY }),
      ...(body && { 'content-type': 'application/json' }),
    });
  });

  it('sends every parameter of the specification', () => {
    const sent = new Set([...query.map((pair) => pair.replace(/=.*/, '')), ...Object.keys(body ?? {})]);
    const known = [...Object.keys(row.params ?? {}), ...(row.target ? [row.target] : [])];
    expect([...sent, ...replaced].sort()).toEqual(known.sort());
  });

  if (answer === undefined) {
    it('returns a body that is not documented as it came', async () => {
      for (const body of [{ ok: true }, [], null, 'fait', 7]) expect(await ask(body)).toEqual(body);
      const nothing = stubFetch(raw('', { status: 200 }));
      expect(await callByName(makeClient({ fetch: nothing }), operation, args)).toBeUndefined();
    });
    return;
  }

  it.each(['throw', 'warn', 'off'] as const)('returns the response as it came, validation: %s', async (validation) => {
    expect(await ask(answer, validation)).toEqual(answer);
  });

  it('keeps fields that this version does not know', async () => {
    expect(await ask(later(answer))).toEqual(later(answer));
  });

  it.each([[null], [7], ['ok'], [true], [Array.isArray(answer) ? {} : []]])(
    'says that %j is not what was expected, and whether the operation was executed',
    async (body) => {
      const error = await caught(ask(body), InvalidResponseError);
      expect(error).toMatchObject({ operation, body, outcome: row.method === 'GET' ? 'not_applied' : 'applied' });
      expect(error.issues[0]?.path.slice(1)).toEqual([]);
    },
  );
});

it('every endpoint has a row in the table', () => {
  expect(endpoints.map(({ operation }) => operation).sort()).toEqual(CALLS.map(({ operation }) => operation).sort());
});

it('the contract names the operations with a timeout of 180 s', () => {
  const slow = endpoints.filter((endpoint) => endpoint.slow).map(({ operation }) => operation);
  expect(slow.sort()).toEqual(SLOW.sort());
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

// Answers in their other forms, and how much may be missing from them.
describe('responses in other forms', () => {
  const answering = (body: unknown) => makeClient({ fetch: stubFetch(json(body)), identity: BULLE_IDENTITY });
  const month = { date_start: '2026-10-01', date_end: '2026-10-01' };
  const report = { type: 'fiche', fiche_ids: ['f'], ...month };
  const leastPost = { id: 1, content: '', platforms: [], status: 'pending', created_at: 'x', updated_at: 'x' };
  const leastReview = { review_id: 'r', rating: 1, responded: false };
  const blocks = { ranked_keywords: [], competitors: [1], onpage: null, pagespeed: {}, ai_analysis: 'x' };

  it.each<[string, operation: string, body: unknown, ...args: unknown[]]>([
    ['no visibility scan', 'visibility.scan', { fiche_id: 'f', snapshot: null }],
    ['no SEO scan', 'seo.snapshot', { kind: 'snapshot', snapshot: null, bulle_id: 'b' }],
    ['no competitors', 'seo.competitors', { kind: 'competitors', bulle_id: 'b', competitors: [] }],
    ['an SEO scan with every block, in any shape', 'seo.snapshot', { ...Object(BODIES['seo.snapshot']), ...blocks }],
    ['a site of another platform', 'sites.list', [{ platform: 'ghost', id: 1, is_shared: true }]],
    ['a WordPress site without its fields', 'sites.list', [{ platform: 'wordpress', id: 1, is_shared: true }]],
    ['a new status and a new platform', 'posts.get', aPost({ status: 'paused', platforms: ['threads'] }), 1],
    ['a post with the least', 'posts.get', leastPost, 1],
    [
      'a created post with the least',
      'posts.create',
      { id: 1, platforms: [], status: 'scheduled' },
      { content: 'a', platforms: ['gmb'] },
    ],
    ['a review with the least', 'reviews.list', aReviewPage([leastReview])],
    ['reviews without a mean', 'reviews.list', aReviewPage([aReview('r')], { average_rating: null })],
    ['a listing never scored', 'gmb.optimizer.score', { kind: 'gmb', fiche_id: 'f', score: null }],
    ['an empty report', 'reports.list', [{}]],
    ['a report id', 'reports.create', { generated: false, type: 'fiche', report_id: 7, fiches_count: 0 }, report],
    ['a scan that did not run', 'seo.scan', { ran: false, kind: 'full', quota_used: 8, quota_limit: 8 }],
    ['a quota with counters of any name', 'social.quota', { bulle_id: 'b', remaining: { facebook: 3 } }],
    ['empty lists', 'qrCodes.list', []],
  ])('%s: returned unchanged', async (_, operation, body, ...args) => {
    expect(await callByName(answering(body), operation, args)).toEqual(body);
  });

  it('returns an unexpected body with validation off', async () => {
    const fetch = stubFetch(json({ uploaded: 'yes' }));
    const client = makeClient({ fetch, validation: 'off' });
    expect(await client.images.upload({ url: 'https://x.test' })).toEqual({ uploaded: 'yes' });
  });

  it('names the unexpected field of a list', async () => {
    const error = await caught(answering([aPost(), { ...aPost(), id: 'x' }]).posts.list(), InvalidResponseError);
    expect(error.issues).toEqual([{ path: [1, 'id'], message: 'must be an integer; received a string' }]);
  });
});
