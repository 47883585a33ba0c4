// Rules that the table in test/spec/endpoints.ts cannot express. spec.test.ts checks types, ranges and values of the table.
import { describe, expect, it } from 'vitest';
import { type Client, InvalidRequestError } from '../../src/index.js';
import { callByName } from '../spec/endpoints.js';
import { caught, makeClient } from '../support/clients.js';
import { json, stubFetch } from '../support/stub-fetch.js';

const emoji = (count: number) => '🥐'.repeat(count);
const urls = (count: number) => Array.from({ length: count }, (_, index) => `https://i.test/${index}.png`);
const sms = { customer_name: 'A', channel: 'sms', customer_phone: '1' };
const email = { customer_name: 'A', channel: 'email', customer_email: 'a@b' };
const report = { type: 'fiche', fiche_ids: ['f'], date_start: '2026-10-01', date_end: '2026-10-31' };

interface Limits {
  operation: string;
  /** The ids before the parameters. */
  ids?: readonly unknown[];
  base?: object;
  good: object[];
  /** The parameter that the error names, what is passed, and what the error says of it. */
  bad: [name: string, params: object, message?: string][];
}

const article = { title: 'abc', target_keyword: 'abc' };
const rendered = (length: number) => `https://a.test/${'x'.repeat(length - 15)}`;

const table: Limits[] = [
  {
    operation: 'articles.create',
    good: [article, { title: emoji(3), target_keyword: emoji(2) }, { ...article, site_ids: [1], wix_site_ids: [1] }],
    bad: [
      ['title', { ...article, title: emoji(2) }],
      ['target_keyword', { ...article, target_keyword: emoji(1) }],
      ['site_ids', { ...article, site_id: 1, site_ids: [1] }],
      ['wix_site_ids', { ...article, wix_site_id: 1, wix_site_ids: [1] }],
    ],
  },
  {
    operation: 'articles.update',
    ids: [1],
    good: [{ category: emoji(80) }, { title: 'abc' }],
    bad: [['category', { category: emoji(81) }]],
  },
  {
    operation: 'articles.confirm',
    ids: [1],
    good: [{ rendered_url: rendered(2048) }, { rendered_url: 'http://a.test' }],
    bad: [rendered(2049), ...['a.test', '//a.test', 'ftp://a.test', 'javascript:alert(1)', ' https://a.test']].map(
      (rendered_url) => ['rendered_url', { rendered_url }],
    ),
  },
  {
    operation: 'posts.create: the text',
    base: { platforms: ['gmb'] },
    good: [{ content: emoji(5000) }, { text: 'e\u0301'.repeat(2500) }],
    bad: [
      ['content', {}],
      ['content', { content: emoji(5001) }],
      ['text', { text: 'a'.repeat(5001) }],
      ['content', { content: 'a', text: 'a' }],
    ],
  },
  {
    operation: 'posts.create: the rest',
    base: { content: 'a', platforms: ['gmb'] },
    good: [
      { platforms: ['facebook', 'instagram', 'gmb', 'linkedin', 'pinterest', 'tiktok', 'snapchat', 'youtube'] },
      { scheduled_at: '2026-12-01T09:00Z' },
      { scheduled_youtube: '2026-12-01T09:00:00.5+0100' },
      { publish_now: true },
      { publish_now: false, scheduled_at: new Date(2e12) },
      { content_per_platform: {} },
      { dry_run: false },
    ],
    bad: [
      ['platforms', { platforms: [] }, 'must name at least one platform'],
      ['platforms[1]', { platforms: ['gmb', 'threads'] }],
      ['platforms', { platforms: ['gmb', 'gmb'] }],
      ['image_urls[1]', { image_urls: ['https://i.test/1.png', ''] }],
      ['image_url', { image_url: '' }],
      ['scheduled_at', { scheduled_at: '2026-12-01T09:00:00' }],
      ['scheduled_at', { scheduled_at: '2026-12-01' }],
      ['scheduled_at', { scheduled_at: new Date(Number.NaN) }],
      ['scheduled_tiktok', { scheduled_tiktok: '2026-12-01T09:00' }],
      ['scheduled_threads', { scheduled_threads: '2026-12-01T09:00Z' }],
      ['publish_now', { publish_now: true, scheduled_at: new Date(2e12) }, 'cannot be combined with a date'],
      ['publish_now', { publish_now: true, scheduled_gmb: new Date(2e12) }],
      ['gmb_fiche_id', { gmb_fiche_id: '' }],
      ['content_per_platform', { content_per_platform: [] }],
      ['bulle_id', { bulle_id: '' }],
      ['dry_run', { dry_run: 'true' }],
    ],
  },
  {
    operation: 'posts.list',
    good: [{ offset: 1e6 }],
    bad: [['statu', { statu: 'error' }]],
  },
  {
    operation: 'posts.update',
    ids: [1],
    good: [{}, { content: emoji(5001) }, { scheduled_at: new Date(2e12) }],
    bad: [['scheduled_at', { scheduled_at: '2026-12-01T09:00' }]],
  },
  {
    operation: 'social.publish',
    base: { platforms: ['gmb'], text: 'a' },
    good: [{ text: emoji(63_206) }, { image_urls: urls(1) }, { image_urls: urls(11) }, { scheduled_at: new Date(0) }],
    bad: [
      ['text', { text: emoji(63_207) }],
      ['platforms', { platforms: ['gmb', 'gmb'] }],
      ['scheduled_at', { scheduled_at: '2026-12-01T09:00' }],
    ],
  },
  {
    operation: 'reviews.list',
    good: [
      { min_stars: 3, max_stars: 3 },
      { min_stars: 5 },
      { max_stars: 1 },
      { limit: 100, page: 999 },
      { date_from: '2026-11-01', date_to: new Date(2e12) },
      { sort_by: 'rating_asc' },
    ],
    bad: [
      ['min_stars', { min_stars: 4, max_stars: 3 }, 'must not be more than `max_stars`'],
      ['date_from', { date_from: '2026-11' }],
      ['date_to', { date_to: '01/02/2026' }],
    ],
  },
  {
    operation: 'reviews.reply',
    ids: ['r'],
    base: { text: 'Merci' },
    good: [{}, { fiche_id: 'f' }],
    bad: [['fiche_id', { fiche_id: '' }]],
  },
  {
    operation: 'acquisition.requestReviews',
    good: [
      { contacts: [email, sms] },
      { contacts: [{ ...sms, custom_message: 'Bonjour' }] },
      {
        contacts: [
          { ...sms, customer_email: 'a@b' },
          { ...email, customer_phone: '1' },
        ],
      },
    ],
    bad: [
      ['contacts[0].customer_phone', { contacts: [{ ...sms, customer_phone: undefined }] }],
      ['contacts[1].customer_email', { contacts: [sms, { ...email, customer_email: undefined }] }],
      ['contacts[0].customer_email', { contacts: [{ ...sms, customer_email: 1 }] }],
      ['contacts[0].customer_email', { contacts: [{ ...email, customer_email: null, customer_phone: '1' }] }],
      ['contacts[0].customer_phone', { contacts: [{ ...sms, customer_phone: ' ' }] }],
      ['contacts[0].channel', { contacts: [{ ...sms, channel: 'fax' }] }],
      ['contacts[0].customer_name', { contacts: [{ ...sms, customer_name: '' }] }],
      ['contacts[0].phone', { contacts: [{ ...sms, phone: '1' }] }],
    ],
  },
  {
    operation: 'gmb.optimizer.apply',
    good: [{ changes: [{ field: 'description', value: '' }] }],
    bad: [
      ['changes[0].field', { changes: [{ field: '', value: 'a' }] }],
      ['changes[0].value', { changes: [{ field: 'a' }] }],
      ['changes[0].suggested_value', { changes: [{ field: 'a', value: 'b', suggested_value: 'c' }] }],
    ],
  },
  {
    operation: 'seo.searchConsole',
    good: [
      { start_date: '2024-02-29', end_date: '2024-02-29' },
      { days: 7, start_date: '2026-11-01' },
      { dimensions: [] },
    ],
    bad: [
      ['start_date', { start_date: '2026-02-29' }],
      ['start_date', { start_date: '2026-1-1' }],
      ['end_date', { end_date: '2026-11-01T00:00:00Z' }],
      ['end_date', { start_date: '2026-11-02', end_date: '2026-11-01' }],
    ],
  },
  { operation: 'seo.snapshot', good: [{}], bad: [['kind', { kind: 'competitors' }]] },
  { operation: 'seo.competitors', good: [{}], bad: [['kind', { kind: 'snapshot' }]] },
  {
    operation: 'qrCodes.create',
    base: { target_url: 'https://x.test', name: 'A' },
    good: [{ color_hex: '#000000' }, { color_hex: '#aBcDeF' }],
    bad: [
      ['color_hex', { color_hex: '#000' }, 'must be a colour of the form #RRGGBB'],
      ['color_hex', { color_hex: '000000' }],
      ['color_hex', { color_hex: '#00000g' }],
      ['color_hex', { color_hex: '#0000000' }],
    ],
  },
  {
    operation: 'reports.create',
    base: report,
    good: [{ date_start: '2026-10-31' }, { type: 'combine', fiche_ids: ['f', 'g'] }, { fiche_ids: ['f', 'g', 'h'] }],
    bad: [
      ['fiche_ids[0]', { fiche_ids: [''] }],
      ['fiche_ids', { type: 'combine' }],
      ['fiche_ids', { type: 'combine', fiche_ids: ['f', 'f'] }],
      ['date_start', { date_start: new Date(2e12) }],
      ['date_end', { date_end: '2026-11-31' }, 'must be a day that exists, as YYYY-MM-DD'],
      ['date_end', { date_end: '2026-09-30' }],
      ['report_name', { report_name: '' }],
    ],
  },
  {
    operation: 'reports.createAndWait',
    base: report,
    good: [],
    bad: [
      ['fiche_ids', { type: 'combine' }],
      ['dry_run', { dry_run: true }],
    ],
  },
  {
    operation: 'reports.wait',
    base: { report_name: 'Octobre' },
    good: [],
    bad: [
      ['report_name', { report_name: undefined }],
      ['since', { since: 'bientôt' }],
      ['date_start', { date_start: '2026-02-30' }],
      ['reportName', { reportName: 'x' }],
    ],
  },
  {
    operation: 'posts.findRecent',
    base: { content: 'a', since: new Date(2e12) },
    good: [{ since: '2026-11-21' }, { since: '2026-11-21T09:00:00.123456+01:00' }, { bulle_id: 'b' }],
    bad: [
      ['content', { content: undefined }],
      ['since', { since: undefined }],
      ['since', { since: 'yesterday' }],
      ['since', { since: new Date(Number.NaN) }],
      ['until', { until: new Date(2e12) }],
    ],
  },
];

/** Whatever is asked: an answer that no test looks at. */
const anything = () => stubFetch(json([]));

describe.each(table.map((row) => [row.operation, row] as const))('%s', (title, { ids = [], base, good, bad }) => {
  const operation = title.replace(/:.*/, '');
  const call = (client: Client, params: object) => callByName(client, operation, [...ids, { ...base, ...params }]);

  it.each(good.map((params) => [short(params), params] as const))('accepts %s', async (_name, params) => {
    const fetch = anything();
    await call(makeClient({ fetch, validation: 'off' }), params);
    expect(fetch.calls.length).toBeGreaterThan(0);
  });

  it.each(bad.map(([name, params, message = '']) => [short(params), name, params, message] as const))(
    'refuses %s, names %s and sends nothing',
    async (_name, name, params, message) => {
      const fetch = anything();
      const error = await caught(call(makeClient({ fetch }), params), InvalidRequestError);
      expect(error.issues.map(({ path }) => printed(path))).toEqual([name]);
      expect(error.message).toContain(`${operation}: \`${name}\` ${message}`);
      expect(error).toMatchObject({ code: 'invalid_request', attempts: 0, outcome: 'not_applied' });
      expect(fetch.calls).toHaveLength(0);
    },
  );
});

function printed(path: readonly (string | number)[]): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('');
}

function short(params: object): string {
  const text = JSON.stringify(params, (_, value) => (value === undefined ? 'undefined' : value));
  return text.length > 70 ? `${text.slice(0, 70)}… (${text.length})` : text;
}

it.each(['', '.', '..'])('refuses the path parameter %j', async (id) => {
  const fetch = anything();
  const client = makeClient({ fetch });
  for (const call of [client.social.get(id), client.reviews.reply(id, { text: 'a' })]) {
    const error = await caught(call, InvalidRequestError);
    expect(error.message).toMatch(/`(post|review)_id` must be an identifier/);
  }
  expect(fetch.calls).toHaveLength(0);
});
