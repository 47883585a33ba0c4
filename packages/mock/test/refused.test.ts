// 422 for what the table of the specification cannot express. test/spec/mock.test.ts covers its types, ranges and values.

import { spec } from '@multilocal/test/spec/endpoints';
import { describe, expect, test } from 'vitest';
import { createMockApi } from '../src/index.js';
import { expectInvalid, NOW } from './helpers.js';

const api = createMockApi({ now: NOW });
const sms = { customer_name: 'Léa', channel: 'sms', customer_phone: '+33600000000' };
const email = { customer_name: 'Paul', channel: 'email', customer_email: 'paul@mail.example' };

/** By operation: the parameter that the message names, and what is sent beside the sample of the table. */
const REFUSED: Record<string, readonly [name: string, params: Record<string, unknown>][]> = {
  'posts.create': [
    ['content', { content: '   ' }],
    ['scheduled_at', { scheduled_at: 'tomorrow' }],
    ['scheduled_at', { scheduled_at: null }],
    ['scheduled_tiktok', { scheduled_tiktok: 'soon' }],
    ['gmb_fiche_id', { gmb_fiche_id: '' }],
    ['dry_run', { dry_run: 1 }],
  ],
  'posts.list': [
    ['limit', { limit: '' }],
    ['offset', { offset: -1 }],
    ['offset', { offset: 1.5 }],
    ['status', { status: '' }],
  ],
  'posts.update': [
    ['content', { content: '' }],
    ['content', { content: 'x'.repeat(5001) }],
    ['content', { content: null }],
    ['scheduled_at', { scheduled_at: 'soon' }],
  ],
  'social.publish': [
    ['scheduled_at', { scheduled_at: 'now' }],
    ['dry_run', { dry_run: 'true' }],
  ],
  'articles.create': [
    ['title', { title: '  a  ' }],
    ['title', { title: null }],
    ['wix_site_ids', { wix_site_ids: [1.5] }],
    ['ai_word_count_target', { ai_word_count_target: 0 }],
    ['tone', { tone: '' }],
    ['language', { language: null }],
    ['excerpt', { excerpt: null }],
    ['bulle_id', { bulle_id: 5 }],
  ],
  'articles.publish': [
    ['scheduled_at', { scheduled_at: '2026-11-14T09:29:59Z' }],
    ['scheduled_at', { scheduled_at: 'tomorrow' }],
    ['scheduled_at', { scheduled_at: null }],
    ['dry_run', { dry_run: 'true' }],
  ],
  'reviews.list': [
    ['min_stars', { min_stars: 4, max_stars: 3 }],
    ['date_from', { date_from: 'yesterday' }],
    ['date_to', { date_to: '2026-13-01' }],
    ['date_from', { date_from: '2026-11-02', date_to: '2026-11-01' }],
    ['sort_by', { sort_by: 'name' }],
    ['page', { page: 0 }],
  ],
  'reviews.reply': [
    ['text', { text: '  ' }],
    ['dry_run', { dry_run: 'yes' }],
    ['fiche_id', { fiche_id: '' }],
  ],
  'acquisition.requestReviews': [
    ['contacts', { contacts: [] }],
    ['contacts', { contacts: ['Léa'] }],
    ['contacts[1].customer_name', { contacts: [sms, { ...email, customer_name: undefined }] }],
    ['contacts[0].customer_name', { contacts: [{ ...sms, customer_name: ' ' }] }],
    ['contacts[0].channel', { contacts: [{ ...sms, channel: 'whatsapp' }] }],
    ['contacts[0].customer_phone', { contacts: [{ ...email, channel: 'sms' }] }],
    ['contacts[0].customer_email', { contacts: [{ ...email, customer_email: '' }] }],
    ['contacts[0].custom_message', { contacts: [{ ...email, custom_message: 5 }] }],
  ],
  'gmb.optimizer.apply': [
    ['changes', { changes: [] }],
    ['changes[0].field', { changes: [{ value: '1' }] }],
    ['changes[0].value', { changes: [{ field: 'phone' }] }],
  ],
  'seo.searchConsole': [
    ['dimensions', { dimensions: 'query,page' }],
    ['row_limit', { row_limit: 0 }],
    ['start_date', { start_date: 'x' }],
    ['end_date', { end_date: '2026-02-30' }],
    ['start_date', { start_date: '2026-11-05', end_date: '2026-11-04' }],
    ['search_type', { search_type: 'maps' }],
  ],
  'seo.trackedKeywords.create': [
    ['keyword', { keyword: ' ' }],
    ['keyword', { keyword: '' }],
  ],
  'seo.keywordLookup': [['keyword', { keyword: ' ' }]],
  'qrCodes.create': [
    ['target_url', { target_url: 'augustine.example' }],
    ['target_url', { target_url: 'ftp://augustine.example' }],
    ['name', { name: '' }],
    ['color_hex', { color_hex: '#fff' }],
    ['color_hex', { color_hex: '#12345G' }],
  ],
  'reports.create': [
    ['fiche_ids', { fiche_ids: [] }],
    ['fiche_ids', { fiche_ids: [''] }],
    ['date_start', { date_start: '2026-10-01T00:00:00Z' }],
    ['date_end', { date_end: '2026-02-30' }],
    ['date_start', { date_start: '2026-11-01' }],
    ['dry_run', { dry_run: 'no' }],
  ],
  'images.generate': [['prompt', { prompt: '' }]],
};

describe.each(Object.entries(REFUSED))('%s', (operation, rows) => {
  test.each(rows)('names `%s`: %j', async (name, params) => {
    const { method, path, sample } = spec.find((row) => row.operation === operation) ?? expect.unreachable();
    const names = path.match(/\{\w+\}/g) ?? [];
    const filled = names.reduce((at, id, index) => at.replace(id, encodeURIComponent(`${sample[index]}`)), path);
    const sent = { ...Object(sample[names.length]), ...params } as Record<string, string>;
    const query = method === 'GET' ? `?${new URLSearchParams(sent)}` : '';
    await expectInvalid(api, `${method} ${filled}${query}`, name, { body: sent });
  });
});
