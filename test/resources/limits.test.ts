// Rules that the table in test/spec/endpoints.ts cannot express. spec.test.ts checks types, ranges and values of the table.
import { describe, expect, it } from 'vitest';
import { type Client, InvalidRequestError } from '../../src/index.js';
import { caught, makeClient } from '../support/clients.js';
import { json, stubFetch } from '../support/stub-fetch.js';

/** A call that the types may forbid, as JavaScript would make it. */
type Loose = (params: Record<string, unknown>) => PromiseLike<unknown>;

const emoji = (count: number) => '🥐'.repeat(count);
const urls = (count: number) => Array.from({ length: count }, (_, index) => `https://i.test/${index}.png`);
const sms = { customer_name: 'A', channel: 'sms', customer_phone: '1' };
const email = { customer_name: 'A', channel: 'email', customer_email: 'a@b' };
const days = { date_start: '2026-10-01', date_end: '2026-10-31' };

interface Limits {
  operation: string;
  /** Default: the method that the operation names. */
  of?: (client: Client) => Loose;
  base?: Record<string, unknown>;
  good: Record<string, unknown>[];
  /** The parameter that the error names, then what is passed. */
  bad: [name: string, params: Record<string, unknown>][];
}

/** The method behind `'gmb.optimizer.apply'`, bound to its resource. */
function methodOf(client: Client, operation: string): Loose {
  let owner: object = client;
  let value: unknown = client;
  for (const name of operation.split('.')) {
    owner = value as object;
    value = (owner as Record<string, unknown>)[name];
  }
  return (value as Loose).bind(owner);
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
      ['ai_word_count_target', { ...article, ai_word_count_target: '1500' }],
      ['generate_image', { ...article, generate_image: 'true' }],
      ['tone', { ...article, tone: null }],
      ['site_ids', { ...article, site_id: 1, site_ids: [1] }],
      ['wix_site_ids', { ...article, wix_site_id: 1, wix_site_ids: [1] }],
      ['site_ids', { ...article, site_ids: '1,2' }],
      ['site_id', { ...article, site_id: 1.5 }],
    ],
  },
  {
    operation: 'articles.update',
    of: (client) => (params) => client.articles.update(1, params),
    good: [{ category: emoji(80) }, { title: 'abc' }],
    bad: [['category', { category: emoji(81) }]],
  },
  {
    operation: 'articles.confirm',
    of: (client) => (params) => client.articles.confirm(1, params),
    good: [{ rendered_url: rendered(2048) }, { rendered_url: 'http://a.test' }],
    bad: [rendered(2049), ...['a.test', '//a.test', 'ftp://a.test', 'javascript:alert(1)', ' https://a.test']].map(
      (rendered_url) => ['rendered_url', { rendered_url }],
    ),
  },
  {
    operation: 'posts.create: the text',
    base: { platforms: ['gmb'] },
    good: [{ content: 'a' }, { text: 'a' }, { content: emoji(5000) }, { text: 'e\u0301'.repeat(2500) }],
    bad: [
      ['content', {}],
      ['content', { content: emoji(5001) }],
      ['text', { text: 'a'.repeat(5001) }],
      ['content', { content: 'a', text: 'a' }],
      ['content', { content: null }],
    ],
  },
  {
    operation: 'posts.create: the rest',
    base: { content: 'a', platforms: ['gmb'] },
    good: [
      { platforms: ['facebook', 'instagram', 'gmb', 'linkedin', 'pinterest', 'tiktok', 'snapchat', 'youtube'] },
      { scheduled_at: new Date() },
      { scheduled_at: '2026-12-01T09:00Z' },
      { scheduled_youtube: '2026-12-01T09:00:00.5+0100' },
      { publish_now: true },
      { publish_now: false, scheduled_at: new Date() },
      { content_per_platform: {} },
      { dry_run: false },
    ],
    bad: [
      ['platforms', { platforms: 'gmb' }],
      ['platforms[0]', { platforms: ['Facebook'] }],
      ['platforms[1]', { platforms: ['gmb', 'threads'] }],
      ['platforms', { platforms: ['gmb', 'gmb'] }],
      ['image_urls', { image_urls: 'https://i.test/1.png' }],
      ['image_urls[1]', { image_urls: ['https://i.test/1.png', ''] }],
      ['image_url', { image_url: '' }],
      ['scheduled_at', { scheduled_at: '2026-12-01T09:00:00' }],
      ['scheduled_at', { scheduled_at: '2026-12-01' }],
      ['scheduled_at', { scheduled_at: '2026-13-01T09:00Z' }],
      ['scheduled_at', { scheduled_at: new Date(Number.NaN) }],
      ['scheduled_at', { scheduled_at: 1_790_000_000 }],
      ['scheduled_tiktok', { scheduled_tiktok: '2026-12-01T09:00' }],
      ['scheduled_threads', { scheduled_threads: '2026-12-01T09:00Z' }],
      ['publish_now', { publish_now: true, scheduled_at: new Date() }],
      ['publish_now', { publish_now: true, scheduled_gmb: new Date() }],
      ['gmb_fiche_id', { gmb_fiche_id: '' }],
      ['content_per_platform', { content_per_platform: [] }],
      ['bulle_id', { bulle_id: '' }],
      ['dry_run', { dry_run: 'true' }],
      ['platform', { platform: 'gmb' }],
    ],
  },
  {
    operation: 'posts.list',
    good: [{ offset: 1e6 }],
    bad: [
      ['limit', { limit: 2.5 }],
      ['statu', { statu: 'error' }],
    ],
  },
  {
    operation: 'posts.update',
    of: (client) => (params) => client.posts.update(1, params),
    good: [{}, { content: 'a' }, { content: emoji(5001) }, { scheduled_at: new Date() }],
    bad: [
      ['scheduled_at', { scheduled_at: '2026-12-01T09:00' }],
      ['platforms', { platforms: ['gmb'] }],
    ],
  },
  {
    operation: 'social.publish',
    base: { platforms: ['gmb'], text: 'a' },
    good: [{ text: emoji(63_206) }, { image_urls: urls(1) }, { image_urls: urls(11) }, { scheduled_at: new Date() }],
    bad: [
      ['text', { text: emoji(63_207) }],
      ['platforms', { platforms: ['gmb', 'gmb'] }],
      ['scheduled_at', { scheduled_at: '2026-12-01T09:00' }],
      ['content', { content: 'a' }],
    ],
  },
  {
    operation: 'reviews.list',
    good: [
      { min_stars: 1, max_stars: 5 },
      { min_stars: 3, max_stars: 3 },
      { min_stars: 5 },
      { max_stars: 1 },
      { limit: 1, page: 1 },
      { limit: 100, page: 999 },
      { date_from: '2026-11-01', date_to: new Date() },
      { sort_by: 'rating_asc' },
      { status: 'drafts' },
    ],
    bad: [
      ['min_stars', { min_stars: 4, max_stars: 3 }],
      ['min_stars', { min_stars: 2.5 }],
      ['date_from', { date_from: 20261101 }],
      ['date_from', { date_from: '2026-11' }],
      ['date_to', { date_to: '01/02/2026' }],
      ['bulle_id', { bulle_id: 'b' }],
    ],
  },
  {
    operation: 'reviews.reply',
    of: (client) => (params) => client.reviews.reply('r', params as { text: string }),
    base: { text: 'Merci' },
    good: [{}, { fiche_id: 'f' }],
    bad: [['fiche_id', { fiche_id: '' }]],
  },
  {
    operation: 'acquisition.requestReviews',
    good: [{ contacts: [sms] }, { contacts: [email, sms] }, { contacts: [{ ...sms, custom_message: 'Bonjour' }] }],
    bad: [
      ['contacts', { contacts: sms }],
      ['contacts[0].customer_phone', { contacts: [{ ...sms, customer_phone: undefined }] }],
      ['contacts[1].customer_email', { contacts: [sms, { ...email, customer_email: undefined }] }],
      ['contacts[0].customer_email', { contacts: [{ ...sms, customer_email: 'a@b' }] }],
      ['contacts[0].customer_phone', { contacts: [{ ...email, customer_phone: '1' }] }],
      ['contacts[0].customer_phone', { contacts: [{ ...sms, customer_phone: '' }] }],
      ['contacts[0].channel', { contacts: [{ ...sms, channel: 'fax' }] }],
      ['contacts[0].channel', { contacts: [{ customer_name: 'A' }] }],
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
      { dimensions: ['query', 'page', 'date', 'country', 'device'] },
      { row_limit: 1 },
    ],
    bad: [
      ['start_date', { start_date: new Date() }],
      ['start_date', { start_date: '2026-02-29' }],
      ['start_date', { start_date: '2026-11-31' }],
      ['start_date', { start_date: '2026-1-1' }],
      ['end_date', { end_date: '2026-11-01T00:00:00Z' }],
      ['end_date', { end_date: '' }],
      ['end_date', { start_date: '2026-11-02', end_date: '2026-11-01' }],
    ],
  },
  {
    operation: 'seo.snapshot',
    good: [{}],
    bad: [['kind', { kind: 'competitors' }]],
  },
  {
    operation: 'seo.competitors',
    good: [{}],
    bad: [['kind', { kind: 'snapshot' }]],
  },
  {
    operation: 'qrCodes.create',
    base: { target_url: 'https://x.test', name: 'A' },
    good: [{ color_hex: '#000000' }, { color_hex: '#aBcDeF' }, { with_logo: true }],
    bad: [
      ['color_hex', { color_hex: '#000' }],
      ['color_hex', { color_hex: '000000' }],
      ['color_hex', { color_hex: '#00000g' }],
      ['color_hex', { color_hex: '#0000000' }],
    ],
  },
  ...(['create', 'createAndWait'] as const).map(
    (method): Limits => ({
      operation: `reports.${method}`,
      of: (client) => (params) =>
        // What is accepted would go on to wait.
        client.reports[method](params as never, { signal: AbortSignal.timeout(50) }).catch((error) => {
          if (error instanceof InvalidRequestError) throw error;
        }),
      base: { type: 'fiche', fiche_ids: ['f'], ...days },
      good: [
        { date_start: '2026-10-31' },
        { type: 'combine', fiche_ids: ['f', 'g'] },
        { fiche_ids: ['f', 'g', 'h'] },
        { report_name: 'Octobre' },
      ],
      bad: [
        ['fiche_ids', { fiche_ids: [] }],
        ['fiche_ids', { fiche_ids: 'f' }],
        ['fiche_ids[0]', { fiche_ids: [''] }],
        ['fiche_ids', { type: 'combine' }],
        ['fiche_ids', { type: 'combine', fiche_ids: ['f', 'f'] }],
        ['date_start', { date_start: new Date() }],
        ['date_start', { date_start: '2026-02-30' }],
        ['date_end', { date_end: '2026-9-30' }],
        ['date_end', { date_end: '2026-09-30' }],
        ['report_name', { report_name: '' }],
        ['bulle_id', { bulle_id: 'b' }],
        ...(method === 'createAndWait' ? [['dry_run', { dry_run: true }] as [string, Record<string, unknown>]] : []),
      ],
    }),
  ),
  {
    operation: 'posts.findRecent',
    base: { content: 'a', since: new Date() },
    good: [{ since: '2026-11-21' }, { since: '2026-11-21T09:00:00.123456+01:00' }, { bulle_id: 'b' }],
    bad: [
      ['content', { content: undefined }],
      ['since', { since: undefined }],
      ['since', { since: 'yesterday' }],
      ['since', { since: new Date(Number.NaN) }],
      ['until', { until: new Date() }],
    ],
  },
];

/** Whatever is asked: an answer that no test looks at. */
const anything = () => stubFetch(json([]));

describe.each(table.map((row) => [row.operation, row] as const))('%s', (operation, { of, base, good, bad }) => {
  const call = of ?? ((client: Client) => methodOf(client, operation.replace(/:.*/, '')));

  it.each(good.map((params) => [short(params), params] as const))('accepts %s', async (_name, params) => {
    const fetch = anything();
    await call(makeClient({ fetch, validation: 'off' }))({ ...base, ...params });
    expect(fetch.calls.length).toBeGreaterThan(0);
  });

  it.each(bad.map(([name, params]) => [short(params), name, params] as const))(
    'refuses %s, names %s and sends nothing',
    async (_name, name, params) => {
      const fetch = anything();
      const error = await caught(call(makeClient({ fetch }))({ ...base, ...params }), InvalidRequestError);
      expect(error.issues.map(({ path }) => printed(path))).toEqual([name]);
      expect(error.message).toContain(name);
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

it('names the allowed values', async () => {
  const client = makeClient({ fetch: anything() });
  const message = async (call: PromiseLike<unknown>) => (await caught(call, InvalidRequestError)).message;
  expect(await message(client.posts.create({ content: 'a', platforms: [] }))).toBe(
    'posts.create: `platforms` must name at least one platform.',
  );
  expect(
    await message(
      client.posts.create({ content: 'a', platforms: ['gmb'], publish_now: true, scheduled_at: new Date() }),
    ),
  ).toBe('posts.create: `publish_now` cannot be combined with a date.');
  expect(await message(client.reviews.list({ min_stars: 4, max_stars: 2 }))).toBe(
    'reviews.list: `min_stars` must not be more than `max_stars`.',
  );
  expect(
    await message(client.reports.create({ type: 'fiche', fiche_ids: ['f'], ...days, date_end: '2026-11-31' })),
  ).toBe('reports.create: `date_end` must be a day that exists, as YYYY-MM-DD.');
  expect(await message(client.qrCodes.create({ target_url: 'https://x', name: 'a', color_hex: 'red' }))).toBe(
    'qrCodes.create: `color_hex` must be a colour of the form #RRGGBB.',
  );
});
