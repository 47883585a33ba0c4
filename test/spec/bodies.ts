// Answers as the specification writes them down, one a route.
import type { Post, Review, ReviewPage } from '../../src/index.js';
import { ARTICLE, CONFIRMATION, CREATION, LIST, PUBLICATION, SPHERE_IDENTITY, UPDATE } from '../support/fixtures.js';

const PLATFORMS = ['instagram', 'facebook', 'gmb', 'linkedin', 'pinterest', 'tiktok', 'snapchat', 'youtube'];
const flat = (prefix: string) => Object.fromEntries(PLATFORMS.map((name) => [`${prefix}_${name}`, null]));

/** A post that nobody targets: every flat field is null. */
export function aPost(fields: Partial<Post> = {}): Post {
  return {
    id: 42,
    bulle_id: 'b-lyon',
    content: 'La brioche du dimanche',
    platforms: ['facebook'],
    status: 'pending',
    image_url: null,
    image_urls: null,
    video_url: null,
    ...flat('scheduled'),
    ...flat('published'),
    ...flat('error'),
    platform_refs: {},
    created_at: '2026-11-21T09:00:00.123456+00:00',
    updated_at: '2026-11-21T09:00:00.123456+00:00',
    warnings: [],
    ...fields,
  };
}

export function aReview(review_id: string, fields: Partial<Review> = {}): Review {
  return {
    review_id,
    customer_name: 'Ada',
    rating: 5,
    text: null,
    review_timestamp: '2026-11-20T10:00:00Z',
    response_text: null,
    reply_date: null,
    responded: false,
    author_photo: null,
    ...fields,
  };
}

export function aReviewPage(reviews: Review[], fields: Partial<ReviewPage> = {}): ReviewPage {
  return {
    fiche: {
      id: 'accounts/1/locations/1',
      name: 'Lyon',
      address: null,
      place_id: 'p',
      average_rating: 4.6,
      total_reviews: 9,
    },
    reviews,
    average_rating: 4.6,
    total_reviews: 9,
    filtered_count: reviews.length,
    status_counts: { all: 9, responded: 4, drafts: 1, unresponded: 4 },
    page: 1,
    total_pages: 1,
    ...fields,
  };
}

const FICHE = 'accounts/1/locations/1';
const SNAPSHOT = {
  kind: 'snapshot',
  snapshot_id: 7,
  bulle_id: 'b-lyon',
  created_at: '2026-11-01T08:00:00Z',
  website_url: 'https://x.test',
  has_ai_analysis: false,
  onpage: { score: 81 },
};
const KEYWORD = {
  id: 3,
  keyword: 'boulangerie',
  last_position: null,
  previous_position: null,
  delta: null,
  last_search_volume: null,
  last_url: null,
  last_checked_at: null,
  created_at: '2026-11-01T08:00:00Z',
  history: [],
};
const SCORE = {
  kind: 'gmb',
  fiche_id: FICHE,
  fiche_name: 'Lyon',
  display_name: 'Lyon',
  score: 71,
  breakdown: { photos: 3 },
};

const BULLE = {
  id: 'b-lyon',
  name: 'Lyon',
  city: 'Lyon',
  tone: null,
  language: null,
  sphere_id: 's',
  created_at: '2026-01-01T00:00:00Z',
};
export const CONNECTION = {
  platform: 'gmb',
  connected: true,
  name: 'x',
  bulle_id: 'b-lyon',
  expires_at: '2026-12-01T00:00:00',
  needs_reconnect: false,
};

const media = (limits: object) => ({
  instagram: limits,
  facebook: limits,
  linkedin: limits,
  pinterest: limits,
  gmb: limits,
});

/** By operation; the writes whose answers the specification does not show are missing. */
export const BODIES: Readonly<Record<string, unknown>> = {
  health: { status: 'ok', api_version: '2.0', timestamp: '2026-11-14T09:30:00Z' },
  me: SPHERE_IDENTITY,
  'spheres.list': [
    {
      id: 's',
      name: 'S',
      slug: 's',
      default_language: 'fr',
      default_tone: 'x',
      created_at: '2026-01-01T00:00:00Z',
    },
  ],
  'bulles.list': [BULLE],
  'bulles.get': { ...BULLE, effective_tone: 'x', effective_language: 'fr', gmb_fiches_count: 2 },
  'connections.list': [CONNECTION],
  'platforms.limits': {
    character_limits: { facebook: 63206, instagram: 2200, threads: 500 },
    image_limits: media({ max_size_mb: 5, carousel_min: null, carousel_max: null }),
    video_limits: media({ max_size_mb: 75, max_duration_sec: null }),
  },
  'articles.list': LIST,
  'articles.get': ARTICLE,
  'articles.confirm': CONFIRMATION,
  'articles.create': CREATION,
  'articles.update': UPDATE,
  'articles.publish': PUBLICATION,
  'posts.create': {
    id: 42,
    content: 'La brioche',
    platforms: ['facebook'],
    status: 'scheduled',
    image_url: null,
    scheduled_facebook: '2026-12-01T08:00:00Z',
    created_at: '2026-11-21T09:00:00Z',
    updated_at: '2026-11-21T09:00:00Z',
    warnings: [],
  },
  'posts.list': [aPost()],
  'posts.get': aPost(),
  'social.publish': {
    post_id: 'sp_1',
    status: 'publishing',
    scheduled_at: null,
    platforms: ['facebook'],
    quota: { used: 1 },
  },
  'social.quota': { bulle_id: 'b-lyon', facebook_posts: 3, limit: 60 },
  'social.get': {
    post_id: 'sp_1',
    status: 'published',
    platforms: ['facebook'],
    content: 'Bonjour',
    scheduled: { facebook: null, instagram: null },
    published: { facebook: '2026-11-21T09:00:00Z', instagram: null },
    errors: { facebook: null, instagram: null },
  },
  'reviews.list': aReviewPage([aReview('r-1')]),
  'reviews.summary': {
    fiche: { id: FICHE, name: 'Lyon' },
    average_rating: 4.6,
    total_reviews: 9,
    status_counts: { all: 9, responded: 4, drafts: 1, unresponded: 4 },
  },
  'reviews.reply': { posted: true, review_id: 'r-1', rating: 5, customer_name: 'Ada', fiche_name: 'Lyon' },
  'acquisition.stats': {
    fiche_id: FICHE,
    total_requests: 4,
    by_channel: { sms: 1, email: 3 },
    by_status: { sent: 4 },
    last_30_days: 2,
  },
  'acquisition.requestReviews': {
    queued: true,
    queued_count: 1,
    batch_id: 'batch',
    contacts: [{ customer_name: 'Ada', channel: 'email', contact: 'ada@example.com' }],
    fiche_name: 'Lyon',
  },
  'gmb.metrics': {
    fiche_id: FICHE,
    fiche_name: 'Lyon',
    period_days: 30,
    kpis: {
      views_total: 3,
      views_search: 2,
      views_maps: 1,
      calls: 0,
      website: 0,
      directions: 0,
      messages: 0,
      bookings: 0,
    },
    timeseries: [{ label: '2026-11-20', vues: 3, interactions: 1 }],
    breakdown: { any: ['thing'] },
  },
  'gmb.optimizer.score': { ...SCORE, scored_at: '2026-11-01T08:00:00Z' },
  'gmb.optimizer.audit': {
    ...SCORE,
    suggestions: [
      { field: 'description', reason: 'courte', suggested_value: 'Longue' },
      { field: 'photos', reason: 'peu' },
    ],
    review_count: 9,
    avg_rating: 4.6,
    analyzed_at: '2026-11-01T08:00:00Z',
  },
  'visibility.scan': { fiche_id: FICHE, snapshot_id: 's', visibility_score: 12, scanned_at: '2026-11-01T08:00:00Z' },
  'seo.snapshot': SNAPSHOT,
  'seo.competitors': {
    kind: 'competitors',
    bulle_id: 'b-lyon',
    competitors: [{ domain: 'x.test' }],
    snapshot_date: '2026-11-01T08:00:00Z',
  },
  'seo.trackedKeywords.list': [{ ...KEYWORD, last_position: 4, history: [{ checked_at: '2026-11-01', position: 4 }] }],
  'seo.trackedKeywords.create': KEYWORD,
  'seo.searchConsole': {
    bulle_id: 'b-lyon',
    site_url: 'https://x.test',
    start_date: '2026-11-01',
    end_date: '2026-11-20',
    dimensions: ['query'],
    search_type: 'web',
    row_count: 1,
    rows: [{ keys: ['levain'], clicks: 3, impressions: 30, ctr: 0.1, position: 4.2 }],
  },
  'seo.scan': {
    ran: true,
    kind: 'full',
    bulle_id: 'b-lyon',
    scanned_at: '2026-11-21T09:00:00Z',
    quota_used: 1,
    quota_limit: 8,
  },
  'seo.keywordLookup': { kind: 'keyword-lookup', keyword: 'levain', result: { volume: 900 } },
  'qrCodes.list': [
    {
      id: 1,
      bulle_id: null,
      name: 'Comptoir',
      target: 'Avis Google',
      scan_count: 4,
      last_scanned_at: null,
      is_active: true,
      gate_enabled: false,
      gate_threshold: 4,
      created_at: '2026-11-01T08:00:00Z',
    },
  ],
  'qrCodes.create': {
    id: 2,
    name: 'Vitrine',
    target_url: 'https://x.test',
    short_url: 'https://s.test/2',
    png_url: 'https://s.test/2.png',
    color_hex: '#000000',
    with_logo: true,
    scan_count: 0,
    created_at: '2026-11-01T08:00:00Z',
  },
  'sites.list': [
    {
      platform: 'wordpress',
      id: 1,
      site_url: 'https://x.test',
      site_name: 'X',
      sphere_id: 's',
      bulle_id: null,
      is_shared: true,
      has_api_key: true,
      wp_version: '6.8',
      plugin_version: '2',
      theme_name: 'Levain',
    },
    {
      platform: 'wix',
      id: 2,
      site_url: 'https://y.test',
      site_name: 'Y',
      sphere_id: 's',
      bulle_id: 'b',
      is_shared: false,
      has_token: true,
    },
  ],
  'reports.list': [
    {
      fiche_name: 'Lyon',
      report_name: 'Octobre',
      period: '2026-10',
      generated_at: '2026-11-01T08:00:00Z',
      pdf_url: 'https://f.test/1.pdf',
      csv_url: 'https://f.test/1.csv',
    },
  ],
  'reports.create': { generated: true, type: 'fiche', report_id: 'rep_1', fiches_count: 1 },
  'images.upload': { uploaded: true, image_url: 'https://i.test/1.png', size_bytes: 68, format: 'png' },
  'images.generate': { generated: true, image_url: 'https://i.test/2.png', brand_aligned: true },
};
