// 422 for what the table of the specification cannot express. test/spec/mock.test.ts covers its types, ranges and values.

import { describe, expect, test } from 'vitest';
import { createMockApi } from '../src/index.js';
import { call, expectInvalid, NOW, sampleOf } from './helpers.js';

const api = createMockApi({ now: NOW });
const sms = { customer_name: 'Léa', channel: 'sms', customer_phone: '+33600000000' };
const email = { customer_name: 'Paul', channel: 'email', customer_email: 'paul@mail.example' };

/** By operation: the parameter that the message names, and what is sent beside the sample of the table. */
const REFUSED: Record<string, readonly [name: string, params: Record<string, unknown>][]> = {
  'posts.create': [
    ['content', { content: '' }],
    ['scheduled_at', { scheduled_at: 'tomorrow' }],
    ['scheduled_tiktok', { scheduled_tiktok: 'soon' }],
  ],
  'posts.list': [['offset', { offset: 1.5 }]],
  'articles.create': [['wix_site_ids', { wix_site_ids: [1.5] }]],
  'articles.publish': [['scheduled_at', { scheduled_at: '2026-11-14T09:29:59Z' }]],
  'articles.list': [
    ['since', { since: '2026-02-30' }],
    // A + that was not encoded.
    ['updated_since', { updated_since: '2026-11-14T09:30:00.123456 00:00' }],
  ],
  'reviews.list': [
    ['min_stars', { min_stars: 4, max_stars: 3 }],
    ['date_from', { date_from: '2026-11-02', date_to: '2026-11-01' }],
  ],
  'acquisition.requestReviews': [
    ['contacts', { contacts: [] }],
    ['contacts[1].customer_name', { contacts: [sms, { ...email, customer_name: undefined }] }],
    ['contacts[0].channel', { contacts: [{ ...sms, channel: 'whatsapp' }] }],
    ['contacts[0].customer_phone', { contacts: [{ ...email, channel: 'sms' }] }],
    ['contacts[0].customer_email', { contacts: [{ ...sms, channel: 'email' }] }],
  ],
  'gmb.optimizer.apply': [['changes[0].value', { changes: [{ field: 'phone' }] }]],
  'images.generate': [['prompt', { prompt: '' }]],
  'sites.list': [['platform', { platform: 'drupal' }]],
  'seo.searchConsole': [
    ['end_date', { end_date: '2026-02-30' }],
    ['start_date', { start_date: '2026-11-05', end_date: '2026-11-04' }],
  ],
  'qrCodes.create': [
    ['target_url', { target_url: 'ftp://augustine.example' }],
    ['color_hex', { color_hex: '#12345G' }],
  ],
  'reports.create': [
    ['fiche_ids', { fiche_ids: [''] }],
    ['fiche_ids', { type: 'combine', fiche_ids: [api.ids.fiche, api.ids.fiche] }],
    ['date_start', { date_start: '2026-11-01' }],
  ],
};

test.each<[operation: string, params: Record<string, unknown>]>([
  ['posts.create', { content: ' ' }],
  ['articles.create', { title: '   ', target_keyword: '  ', tone: '', language: '' }],
  ['articles.update', { title: '', target_keyword: '' }],
  ['gmb.optimizer.apply', { changes: [{ field: 'description', value: '' }] }],
])('%s takes what the specification allows: %j', async (operation, params) => {
  const { line, body } = sampleOf(operation, params);
  expect((await call(createMockApi({ now: NOW }), line, { body })).status).toBeLessThan(300);
});

describe.each(Object.entries(REFUSED))('%s', (operation, rows) => {
  test.each(rows)('names `%s`: %j', async (name, params) => {
    const { line, body } = sampleOf(operation, params);
    await expectInvalid(api, line, name, { body });
  });
});
