// Each operation with every parameter that it takes, as a user calls it, and what must go over the wire.
import type { Client } from '../../src/client.js';
import type { RequestOptions } from '../../src/index.js';

export interface Example {
  operation: string;
  call: (client: Client, options?: RequestOptions) => PromiseLike<unknown>;
  /** Path parameters filled in. */
  path: string;
  query?: string;
  body?: unknown;
  /** Parameters of the specification that stand in for another one that is sent. */
  alternatives?: readonly string[];
}

const FICHE = 'accounts/1/locations/2';
const FICHE_QUERY = 'fiche_id=accounts%2F1%2Flocations%2F2';
const AT = new Date('2026-12-01T08:00:00Z');
const UTC = '2026-12-01T08:00:00.000Z';
const LOCAL = '2026-12-01T09:00:00+01:00';
const PNG = 'data:image/png;base64,iVBORw0KGgo=';
const days = { date_start: '2026-10-01', date_end: '2026-10-31' };
const schedule = {
  scheduled_instagram: LOCAL,
  scheduled_facebook: LOCAL,
  scheduled_gmb: LOCAL,
  scheduled_linkedin: LOCAL,
  scheduled_pinterest: LOCAL,
  scheduled_tiktok: LOCAL,
  scheduled_snapchat: LOCAL,
  scheduled_youtube: LOCAL,
};
const post = {
  platforms: ['facebook', 'gmb'],
  image_url: 'https://i.test/1.png',
  image_urls: ['https://i.test/1.png', 'https://i.test/2.png'],
  video_url: 'https://i.test/1.mp4',
  gmb_fiche_id: FICHE,
  publish_now: false,
  ...schedule,
  content_per_platform: { gmb: 'court' },
  bulle_id: 'b-lyon',
} as const;
const contacts = [
  { customer_name: 'Ada', channel: 'sms', customer_phone: '+33600000000', custom_message: 'Bonjour' },
  { customer_name: 'Max', channel: 'email', customer_email: 'max@example.com' },
] as const;
const changes = [{ field: 'description', value: 'Boulangerie' }];
const console_ = {
  dimensions: ['query', 'page'],
  days: 28,
  start_date: '2026-11-01',
  end_date: '2026-11-20',
  row_limit: 100,
  query_contains: 'pain',
  query_equals: 'pain au levain',
  page_contains: '/blog',
  page_equals: 'https://x.test/blog?a=1&b=2',
  country: 'fra',
  device: 'MOBILE',
  search_type: 'web',
} as const;

export const EXAMPLES: readonly Example[] = [
  {
    operation: 'posts.create',
    call: (client, options) => client.posts.create({ content: 'Pain', scheduled_at: AT, ...post }, options),
    path: '/posts',
    body: { content: 'Pain', scheduled_at: UTC, ...post },
    alternatives: ['text'],
  },
  {
    operation: 'posts.list',
    call: (client, options) =>
      client.posts.list({ status: 'error', limit: 100, offset: 0, bulle_id: 'b-lyon' }, options),
    path: '/posts',
    query: 'status=error&limit=100&offset=0&bulle_id=b-lyon',
  },
  { operation: 'posts.get', call: (client, options) => client.posts.get(42, options), path: '/posts/42' },
  {
    operation: 'posts.update',
    call: (client, options) => client.posts.update(42, { content: 'Pain', scheduled_at: LOCAL }, options),
    path: '/posts/42',
    body: { content: 'Pain', scheduled_at: LOCAL },
  },
  { operation: 'posts.delete', call: (client, options) => client.posts.delete(42, options), path: '/posts/42' },
  {
    operation: 'posts.publish',
    call: (client, options) => client.posts.publish(42, {}, options),
    path: '/posts/42/publish',
    body: {},
  },
  {
    operation: 'social.publish',
    call: (client, options) =>
      client.social.publish(
        {
          platforms: ['tiktok'],
          text: 'Bonjour',
          image_url: 'https://i.test/1.png',
          image_urls: ['https://i.test/1.png'],
          video_url: 'https://i.test/1.mp4',
          scheduled_at: AT,
          bulle_id: 'b-lyon',
        },
        options,
      ),
    path: '/social/publish',
    body: {
      platforms: ['tiktok'],
      text: 'Bonjour',
      image_url: 'https://i.test/1.png',
      image_urls: ['https://i.test/1.png'],
      video_url: 'https://i.test/1.mp4',
      scheduled_at: UTC,
      bulle_id: 'b-lyon',
    },
  },
  {
    operation: 'social.quota',
    call: (client, options) => client.social.quota({ bulle_id: 'b-lyon' }, options),
    path: '/social/quota',
    query: 'bulle_id=b-lyon',
  },
  {
    operation: 'social.get',
    call: (client, options) => client.social.get('sp/1', options),
    path: '/social/posts/sp%2F1',
  },
  {
    operation: 'reviews.list',
    call: (client, options) =>
      client.reviews.list(
        {
          min_stars: 1,
          max_stars: 3,
          status: 'unresponded',
          keyword: 'croissant & café',
          date_from: AT,
          date_to: '2026-12-31T23:59:59+01:00',
          sort_by: 'date_desc',
          limit: 50,
          page: 2,
          fiche_id: FICHE,
        },
        options,
      ),
    path: '/reviews',
    query: `min_stars=1&max_stars=3&status=unresponded&keyword=croissant+%26+caf%C3%A9&date_from=2026-12-01T08%3A00%3A00.000Z&date_to=2026-12-31T23%3A59%3A59%2B01%3A00&sort_by=date_desc&limit=50&page=2&${FICHE_QUERY}`,
  },
  {
    operation: 'reviews.summary',
    call: (client, options) => client.reviews.summary({ fiche_id: FICHE }, options),
    path: '/reviews/summary',
    query: FICHE_QUERY,
  },
  {
    operation: 'reviews.reply',
    call: (client, options) =>
      client.reviews.reply('accounts/1/locations/2/reviews/é', { text: 'Merci', fiche_id: FICHE }, options),
    path: '/reviews/accounts%2F1%2Flocations%2F2%2Freviews%2F%C3%A9/reply',
    body: { text: 'Merci', fiche_id: FICHE },
  },
  {
    operation: 'acquisition.stats',
    call: (client, options) => client.acquisition.stats({ fiche_id: FICHE }, options),
    path: '/acquisition/stats',
    query: FICHE_QUERY,
  },
  {
    operation: 'acquisition.requestReviews',
    call: (client, options) => client.acquisition.requestReviews({ contacts, fiche_id: FICHE }, options),
    path: '/acquisition/review-requests',
    body: { contacts, fiche_id: FICHE },
  },
  {
    operation: 'gmb.metrics',
    call: (client, options) => client.gmb.metrics({ period_days: 90, fiche_id: FICHE }, options),
    path: '/gmb/metrics',
    query: `period_days=90&${FICHE_QUERY}`,
  },
  {
    operation: 'gmb.optimizer.score',
    call: (client, options) => client.gmb.optimizer.score({ fiche_id: FICHE }, options),
    path: '/gmb/optimizer',
    query: FICHE_QUERY,
  },
  {
    operation: 'gmb.optimizer.audit',
    call: (client, options) => client.gmb.optimizer.audit({ fiche_id: FICHE }, options),
    path: '/gmb/optimizer/audit',
    body: { fiche_id: FICHE },
  },
  {
    operation: 'gmb.optimizer.apply',
    call: (client, options) => client.gmb.optimizer.apply({ changes, fiche_id: FICHE }, options),
    path: '/gmb/optimizer/apply',
    body: { changes, fiche_id: FICHE },
  },
  {
    operation: 'visibility.scan',
    call: (client, options) => client.visibility.scan({ fiche_id: FICHE }, options),
    path: '/visibility/scan',
    query: FICHE_QUERY,
  },
  {
    operation: 'seo.snapshot',
    call: (client, options) => client.seo.snapshot({ bulle_id: 'b-lyon' }, options),
    path: '/seo/data',
    query: 'kind=snapshot&bulle_id=b-lyon',
  },
  {
    operation: 'seo.competitors',
    call: (client, options) => client.seo.competitors({ bulle_id: 'b-lyon' }, options),
    path: '/seo/data',
    query: 'kind=competitors&bulle_id=b-lyon',
  },
  {
    operation: 'seo.trackedKeywords.list',
    call: (client, options) => client.seo.trackedKeywords.list({ bulle_id: 'b-lyon' }, options),
    path: '/seo/tracked-keywords',
    query: 'bulle_id=b-lyon',
  },
  {
    operation: 'seo.trackedKeywords.create',
    call: (client, options) => client.seo.trackedKeywords.create({ keyword: 'pain', bulle_id: 'b-lyon' }, options),
    path: '/seo/tracked-keywords',
    body: { keyword: 'pain', bulle_id: 'b-lyon' },
  },
  {
    operation: 'seo.searchConsole',
    call: (client, options) => client.seo.searchConsole({ ...console_, bulle_id: 'b-lyon' }, options),
    path: '/seo/search-console',
    query:
      'dimensions=query&dimensions=page&days=28&start_date=2026-11-01&end_date=2026-11-20&row_limit=100&query_contains=pain&query_equals=pain+au+levain&page_contains=%2Fblog&page_equals=https%3A%2F%2Fx.test%2Fblog%3Fa%3D1%26b%3D2&country=fra&device=MOBILE&search_type=web&bulle_id=b-lyon',
  },
  {
    operation: 'seo.scan',
    call: (client, options) => client.seo.scan({ bulle_id: 'b-lyon' }, options),
    path: '/seo/scan',
    body: { bulle_id: 'b-lyon' },
  },
  {
    operation: 'seo.keywordLookup',
    call: (client, options) => client.seo.keywordLookup({ keyword: 'pain', bulle_id: 'b-lyon' }, options),
    path: '/seo/keyword-lookup',
    body: { keyword: 'pain', bulle_id: 'b-lyon' },
  },
  {
    operation: 'qrCodes.list',
    call: (client, options) => client.qrCodes.list({ bulle_id: 'b-lyon' }, options),
    path: '/qr-codes',
    query: 'bulle_id=b-lyon',
  },
  {
    operation: 'qrCodes.create',
    call: (client, options) =>
      client.qrCodes.create(
        { target_url: 'https://x.test', name: 'Vitrine', color_hex: '#7a4B1e', with_logo: false, bulle_id: 'b-lyon' },
        options,
      ),
    path: '/qr-codes',
    body: { target_url: 'https://x.test', name: 'Vitrine', color_hex: '#7a4B1e', with_logo: false, bulle_id: 'b-lyon' },
  },
  {
    operation: 'sites.list',
    call: (client, options) => client.sites.list({ platform: 'shopify', bulle_id: 'b-lyon' }, options),
    path: '/sites',
    query: 'platform=shopify&bulle_id=b-lyon',
  },
  {
    operation: 'reports.list',
    call: (client, options) => client.reports.list({ type: 'fiche', limit: 1, bulle_id: 'b-lyon' }, options),
    path: '/reports',
    query: 'type=fiche&limit=1&bulle_id=b-lyon',
  },
  {
    operation: 'reports.create',
    call: (client, options) =>
      client.reports.create({ type: 'combine', fiche_ids: [FICHE, 'g'], ...days, report_name: 'Octobre' }, options),
    path: '/reports',
    body: { type: 'combine', fiche_ids: [FICHE, 'g'], ...days, report_name: 'Octobre' },
  },
  {
    operation: 'images.upload',
    call: (client, options) => client.images.upload({ image_base64: PNG }, options),
    path: '/images/upload',
    body: { image_base64: PNG },
    alternatives: ['url'],
  },
  {
    operation: 'images.generate',
    call: (client, options) =>
      client.images.generate({ prompt: 'Une brioche', align_with_brand: true, bulle_id: 'b-lyon' }, options),
    path: '/images/generate',
    body: { prompt: 'Une brioche', align_with_brand: true, bulle_id: 'b-lyon' },
  },
];
