import { spec } from '@multilocal/test/spec/endpoints';
import { beforeEach, describe, expect, test } from 'vitest';
import { createMockApi, type MockApi } from '../src/index.js';
import { call, NOW } from './helpers.js';

const { ids } = createMockApi();
let api: MockApi;
let draft: number;
beforeEach(() => {
  api = createMockApi({ now: NOW });
  draft = api.articles.add({ status: 'draft', bulle_id: ids.bulle }).id;
});

const CONTACT = { customer_name: 'Léa', channel: 'sms', customer_phone: '+33600000000' };
const CHANGE = { field: 'phone', value: '+33 4 72 00 00 00' };

type Operation = [line: string, body: Record<string, unknown>, quota?: true];

/** Route, body, and whether the operation uses a monthly quota. */
const known: Record<string, Operation> = {
  'posts.create': ['POST /posts', { content: 'Bonjour', platforms: ['facebook'], publish_now: true }],
  'posts.publish': [`POST /posts/${ids.posts.pending}/publish`, {}],
  'social.publish': ['POST /social/publish', { text: 'Bonjour', platforms: ['facebook'] }, true],
  'articles.publish': ['POST /articles/{draft}/publish', {}, true],
  'reviews.reply': [`POST /reviews/${encodeURIComponent(ids.review)}/reply`, { text: 'Merci !' }],
  'acquisition.requestReviews': ['POST /acquisition/review-requests', { contacts: [CONTACT] }, true],
  'gmb.optimizer.audit': ['POST /gmb/optimizer/audit', {}],
  'gmb.optimizer.apply': ['POST /gmb/optimizer/apply', { changes: [CHANGE] }],
  'seo.scan': ['POST /seo/scan', {}, true],
  'seo.keywordLookup': ['POST /seo/keyword-lookup', { keyword: 'boulangerie lyon' }],
  'reports.create': [
    'POST /reports',
    { type: 'fiche', fiche_ids: [ids.fiche], date_start: '2026-10-01', date_end: '2026-10-31' },
  ],
};
/** Operations without a line above send the sample of the specification table. */
const others = spec
  .filter(({ operation, dry_run }) => dry_run === true && !(operation in known))
  .map(({ operation, method, path, sample }): [string, Operation] => {
    const names = path.match(/\{\w+\}/g) ?? [];
    const filled = names.reduce((at, name, index) => at.replace(name, encodeURIComponent(String(sample[index]))), path);
    return [operation, [`${method} ${filled}`, { ...Object(sample[names.length]) }]];
  });
const operations: [name: string, operation: Operation][] = [...Object.entries(known), ...others];
const run = ([line, body]: Operation, dry_run: boolean) =>
  call(api, line.replace('{draft}', String(draft)), { key: api.keys.bulle, body: { ...body, dry_run } });

test('the specification has a preview of each operation', () => {
  const dry = spec.filter((row) => row.dry_run === true).map(({ operation }) => operation);
  expect(operations.map(([name]) => name).sort()).toEqual(dry.sort());
});

describe.each(operations)('%s', (name, operation) => {
  test('a preview shows that it is one and changes nothing', async () => {
    const before = api.snapshot();
    const { status, body } = await run(operation, true);
    expect(api.requests.at(-1)?.operation).toBe(name);
    expect(status).toBe(200);
    expect(body.dry_run).toBe(true);
    if (name !== 'gmb.optimizer.apply') expect(Object.keys(body).some((key) => key.startsWith('would_'))).toBe(true);
    if (name in known) expect('quota' in body).toBe(operation[2] === true);
    expect(api.snapshot()).toEqual(before);
  });

  test('the same request without dry_run changes the state and has another response', async () => {
    const before = api.snapshot();
    const { status, body } = await run(operation, false);
    expect(status).toBeLessThan(300);
    expect(body).not.toHaveProperty('dry_run');
    expect(Object.keys(body).some((key) => key.startsWith('would_'))).toBe(false);
    expect(api.snapshot()).not.toEqual(before);
  });
});

test('a preview is refused like the operation', async () => {
  const small = createMockApi({ now: NOW, quotas: { social: 0, sms: 0, seo_scans: 0 } });
  for (const name of ['social.publish', 'acquisition.requestReviews', 'seo.scan']) {
    const [line, body] = known[name] ?? ['', {}];
    expect((await call(small, line, { key: small.keys.bulle, body: { ...body, dry_run: true } })).status).toBe(429);
  }
});
