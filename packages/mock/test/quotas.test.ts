import { expect, test } from 'vitest';
import { createMockApi, type MockQuotaName } from '../src/index.js';
import { call, DAY, NOW, sampleOf, send } from './helpers.js';

const SMS = { customer_name: 'Léa', channel: 'sms', customer_phone: '+33600000000' };

/** The operation that uses one of a quota, and the name of the quota in refusals. */
const ROWS: readonly [name: MockQuotaName, operation: string, label: string, params?: Record<string, unknown>][] = [
  ['articles', 'articles.create', "de création d'articles"],
  ['social', 'social.publish', 'de publications sociales'],
  ['sms', 'acquisition.requestReviews', "de demandes d'avis par SMS", { contacts: [SMS] }],
  ['email', 'acquisition.requestReviews', "de demandes d'avis par e-mail"],
  ['seo_scans', 'seo.scan', "d'analyses SEO"],
];

test.each(ROWS)('%s: runs out with 429, and is new in the next month', async (name, operation, label, params) => {
  const api = createMockApi({ now: NOW, quotas: { [name]: 2 } });
  const { line, body } = sampleOf(operation, params);
  const isDone = async (changes = {}) => (await send(api, line, { body: { ...body, ...changes } })).ok;
  expect([await isDone(), await isDone()]).toEqual([true, true]);

  const before = api.snapshot();
  const quota = { limit: 2, used: 2, remaining: 0, resets_at: '2026-12-01T00:00:00.000000+00:00' };
  const refusal = { status: 429, body: { detail: `Quota mensuel ${label} dépassé (2/2).`, quota } };
  expect(await call(api, line, { body })).toEqual(refusal);
  expect(await call(api, line, { body: { ...body, dry_run: true } })).toEqual(refusal);
  expect((await send(api, line, { body })).headers.get('retry-after')).toBeNull();
  expect(api.snapshot()).toEqual(before);

  // Only that of articles belongs to the brand.
  const other = 'fiche_id' in body ? { fiche_id: api.ids.otherFiche } : { bulle_id: api.ids.otherBulle };
  expect(await isDone(other)).toBe(name !== 'articles');
  api.advance(17 * DAY);
  expect(await isDone()).toBe(true);
});
