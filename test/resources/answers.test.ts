// Answers in their other forms, and how much may be missing from them.
import { describe, expect, it } from 'vitest';
import { type Client, InvalidResponseError } from '../../src/index.js';
import { aPost, aReview, aReviewPage, BODIES } from '../spec/bodies.js';
import { caught, makeClient } from '../support/clients.js';
import { BULLE_IDENTITY } from '../support/fixtures.js';
import { json, stubFetch } from '../support/stub-fetch.js';

const answering = (body: unknown) => makeClient({ fetch: stubFetch(json(body)), identity: BULLE_IDENTITY });
type Call = (client: Client) => PromiseLike<unknown>;

describe.each<[string, Call, unknown]>([
  ['no visibility scan', (client) => client.visibility.scan(), { fiche_id: 'f', snapshot: null }],
  ['no SEO scan', (client) => client.seo.snapshot(), { kind: 'snapshot', snapshot: null, bulle_id: 'b' }],
  ['no competitors', (client) => client.seo.competitors(), { kind: 'competitors', bulle_id: 'b', competitors: [] }],
  [
    'an SEO scan with every block, in any shape',
    (client) => client.seo.snapshot(),
    {
      ...(BODIES['seo.snapshot'] as object),
      ranked_keywords: [],
      competitors: [1],
      onpage: null,
      pagespeed: {},
      ai_analysis: 'x',
    },
  ],
  ['a site of another platform', (client) => client.sites.list(), [{ platform: 'ghost', id: 1 }]],
  ['a WordPress site without its fields', (client) => client.sites.list(), [{ platform: 'wordpress', id: 1 }]],
  [
    'a new status and a new platform',
    (client) => client.posts.get(1),
    aPost({ status: 'paused', platforms: ['threads'] }),
  ],
  [
    'a post with the least',
    (client) => client.posts.get(1),
    { id: 1, content: '', platforms: [], status: 'pending', created_at: 'x', updated_at: 'x' },
  ],
  [
    'a created post with the least',
    (client) => client.posts.create({ content: 'a', platforms: ['gmb'] }),
    { id: 1, platforms: [], status: 'scheduled' },
  ],
  [
    'a review with the least',
    (client) => client.reviews.list(),
    aReviewPage([{ review_id: 'r', rating: 1, responded: false }]),
  ],
  ['reviews without a mean', (client) => client.reviews.list(), aReviewPage([aReview('r')], { average_rating: null })],
  ['a listing never scored', (client) => client.gmb.optimizer.score(), { kind: 'gmb', fiche_id: 'f', score: null }],
  ['an empty report', (client) => client.reports.list(), [{}]],
  [
    'a report id that is a number',
    (client) =>
      client.reports.create({ type: 'fiche', fiche_ids: ['f'], date_start: '2026-10-01', date_end: '2026-10-01' }),
    { generated: false, type: 'fiche', report_id: 7 },
  ],
  ['a scan that did not run', (client) => client.seo.scan(), { ran: false }],
  [
    'a quota with counters of any name',
    (client) => client.social.quota(),
    { bulle_id: 'b', remaining: { facebook: 3 } },
  ],
  ['empty lists', (client) => client.qrCodes.list(), []],
])('%s', (_, call, body) => {
  it('is returned unchanged', async () => {
    expect(await call(answering(body))).toEqual(body);
  });
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
