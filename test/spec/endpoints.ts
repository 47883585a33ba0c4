// The endpoint tables of the specification, typed in by hand. Where code and this file differ, look at the specification.

/** A parameter as the specification gives it. */
export interface SpecParam {
  type: 'string' | 'integer' | 'boolean' | 'string[]' | 'integer[]' | 'object' | 'object[]';
  required?: true;
  /** Of a number, or of a length. */
  range?: readonly [min: number, max: number];
  default?: string | number | boolean;
  values?: readonly string[];
}

export interface SpecEndpoint {
  /** The method of the client, as the contract names it. */
  operation: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  permission: 'read' | 'schedule' | 'publish' | 'delete' | 'none';
  target?: 'bulle_id' | 'fiche_id';
  dry_run?: true;
  params?: Record<string, SpecParam>;
  /** The arguments of one call that the mock's brand answers with something worth showing. */
  sample: readonly unknown[];
  /**
   * Errors that the specification names for this route: a quota, a state, a provider that fails. Statuses that it gives
   * for every route, and those of a target or an id, are not repeated.
   */
  errors?: readonly string[];
  /** An operation whose sample makes what this one asks for. */
  after?: string;
}

/** A location of the mock's brand. */
const BULLE = 'bul_lyon_croix_rousse';
/** A listing of the mock's brand. */
const FICHE = 'accounts/104829175630284517/locations/8837120495561027345';

const str: SpecParam = { type: 'string' };
const required: SpecParam = { type: 'string', required: true };
const int: SpecParam = { type: 'integer' };
const bool: SpecParam = { type: 'boolean' };
const PLATFORMS = ['facebook', 'instagram', 'gmb', 'linkedin', 'pinterest', 'tiktok', 'snapchat', 'youtube'] as const;
const platforms: SpecParam = { type: 'string[]', required: true, values: PLATFORMS };
const scheduled = Object.fromEntries(PLATFORMS.map((platform) => [`scheduled_${platform}`, str]));

export const spec: readonly SpecEndpoint[] = [
  // Health and identity
  { operation: 'health', method: 'GET', path: '/health', permission: 'none', sample: [] },
  { operation: 'me', method: 'GET', path: '/me', permission: 'read', sample: [] },
  { operation: 'spheres.list', method: 'GET', path: '/spheres', permission: 'read', sample: [] },
  { operation: 'bulles.list', method: 'GET', path: '/bulles', permission: 'read', sample: [] },
  { operation: 'bulles.get', method: 'GET', path: '/bulles/{bulle_id}', permission: 'read', sample: [BULLE] },
  {
    operation: 'connections.list',
    method: 'GET',
    path: '/connections',
    permission: 'read',
    target: 'bulle_id',
    sample: [{ bulle_id: BULLE }],
  },
  { operation: 'platforms.limits', method: 'GET', path: '/platforms/limits', permission: 'read', sample: [] },

  // Posts
  {
    operation: 'posts.create',
    method: 'POST',
    path: '/posts',
    permission: 'schedule',
    target: 'bulle_id',
    dry_run: true,
    params: {
      content: { type: 'string', range: [1, 5000] },
      text: { type: 'string', range: [1, 5000] },
      platforms,
      image_url: str,
      image_urls: { type: 'string[]', range: [2, 10] },
      video_url: str,
      scheduled_at: str,
      gmb_fiche_id: str,
      publish_now: bool,
      ...scheduled,
      content_per_platform: { type: 'object' },
    },
    errors: ['PlatformNotConnectedError'],
    sample: [
      {
        content: 'La brioche du dimanche sort du four à 8 h.',
        platforms: ['facebook', 'gmb'],
        scheduled_at: '2026-12-01T09:00:00+01:00',
        bulle_id: BULLE,
      },
    ],
  },
  {
    operation: 'posts.list',
    method: 'GET',
    path: '/posts',
    permission: 'read',
    target: 'bulle_id',
    params: {
      status: { type: 'string', values: ['pending', 'published', 'error'] },
      limit: { type: 'integer', range: [1, 100], default: 50 },
      offset: { type: 'integer', default: 0 },
    },
    sample: [{ status: 'published', limit: 2, bulle_id: BULLE }],
  },
  { operation: 'posts.get', method: 'GET', path: '/posts/{post_id}', permission: 'read', sample: [1] },
  {
    operation: 'posts.update',
    method: 'PUT',
    path: '/posts/{post_id}',
    permission: 'schedule',
    params: { content: { type: 'string' }, scheduled_at: str },
    sample: [131, { content: 'La brioche du samedi.' }],
  },
  { operation: 'posts.delete', method: 'DELETE', path: '/posts/{post_id}', permission: 'delete', sample: [14] },
  {
    operation: 'posts.publish',
    method: 'POST',
    path: '/posts/{post_id}/publish',
    permission: 'publish',
    dry_run: true,
    sample: [131, {}],
  },

  // Simplified social publishing
  {
    operation: 'social.publish',
    method: 'POST',
    path: '/social/publish',
    permission: 'publish',
    target: 'bulle_id',
    dry_run: true,
    params: {
      platforms,
      text: { type: 'string', required: true, range: [1, 63206] },
      image_url: str,
      image_urls: { type: 'string[]' },
      video_url: str,
      scheduled_at: str,
    },
    errors: ['QuotaExceededError'],
    sample: [{ platforms: ['facebook'], text: 'Ouvert ce lundi férié.', bulle_id: BULLE }],
  },
  {
    operation: 'social.quota',
    method: 'GET',
    path: '/social/quota',
    permission: 'read',
    target: 'bulle_id',
    sample: [{ bulle_id: BULLE }],
  },
  {
    operation: 'social.get',
    method: 'GET',
    path: '/social/posts/{post_id}',
    permission: 'read',
    sample: ['soc_1001'],
    after: 'social.publish',
  },

  // Articles
  {
    operation: 'articles.list',
    method: 'GET',
    path: '/articles',
    permission: 'read',
    target: 'bulle_id',
    params: {
      status: { type: 'string', values: ['published', 'draft', 'all'] },
      updated_since: str,
      since: str,
    },
    sample: [{ status: 'published', bulle_id: BULLE }],
  },
  { operation: 'articles.get', method: 'GET', path: '/articles/{article_id}', permission: 'read', sample: [1] },
  {
    operation: 'articles.confirm',
    method: 'POST',
    path: '/articles/{article_id}/confirm',
    permission: 'read',
    params: { rendered_url: { type: 'string', range: [1, 2048] } },
    sample: [1, { rendered_url: 'https://www.example.com/blog/pain-au-levain' }],
  },
  {
    operation: 'articles.create',
    method: 'POST',
    path: '/articles',
    permission: 'publish',
    target: 'bulle_id',
    params: {
      title: { type: 'string', required: true, range: [3, Number.POSITIVE_INFINITY] },
      target_keyword: { type: 'string', required: true, range: [2, Number.POSITIVE_INFINITY] },
      site_id: int,
      site_ids: { type: 'integer[]' },
      wix_site_id: int,
      wix_site_ids: { type: 'integer[]' },
      ai_word_count_target: { type: 'integer', default: 1500 },
      generate_content: { type: 'boolean', default: true },
      generate_image: { type: 'boolean', default: false },
      tone: { type: 'string', default: 'professional' },
      language: { type: 'string', default: 'fr' },
      featured_image_url: str,
      meta_title: str,
      meta_description: str,
      excerpt: str,
      category: { type: 'string', range: [0, 80] },
    },
    errors: ['QuotaExceededError'],
    sample: [{ title: 'Le pain de seigle', target_keyword: 'pain de seigle', bulle_id: BULLE }],
  },
  {
    operation: 'articles.update',
    method: 'PUT',
    path: '/articles/{article_id}',
    permission: 'publish',
    params: {
      title: str,
      content_html: str,
      excerpt: str,
      meta_title: str,
      meta_description: str,
      target_keyword: str,
      featured_image_url: str,
      category: { type: 'string', range: [0, 80] },
    },
    errors: ['ConflictError'],
    sample: [8, { category: 'Pains' }],
  },
  {
    operation: 'articles.publish',
    method: 'POST',
    path: '/articles/{article_id}/publish',
    permission: 'publish',
    dry_run: true,
    params: { scheduled_at: str },
    sample: [8, { scheduled_at: '2026-12-01T09:00:00+01:00' }],
  },

  // Reviews and acquisition
  {
    operation: 'reviews.list',
    method: 'GET',
    path: '/reviews',
    permission: 'read',
    target: 'fiche_id',
    params: {
      min_stars: { type: 'integer', range: [1, 5], default: 1 },
      max_stars: { type: 'integer', range: [1, 5], default: 5 },
      status: { type: 'string', values: ['responded', 'drafts', 'unresponded'] },
      keyword: str,
      date_from: str,
      date_to: str,
      sort_by: { type: 'string', default: 'date_desc' },
      limit: { type: 'integer', range: [1, 100], default: 25 },
      page: { type: 'integer', default: 1 },
    },
    sample: [{ status: 'unresponded', limit: 2, fiche_id: FICHE }],
  },
  {
    operation: 'reviews.summary',
    method: 'GET',
    path: '/reviews/summary',
    permission: 'read',
    target: 'fiche_id',
    sample: [{ fiche_id: FICHE }],
  },
  {
    operation: 'reviews.reply',
    method: 'POST',
    path: '/reviews/{review_id}/reply',
    permission: 'publish',
    target: 'fiche_id',
    dry_run: true,
    params: { text: required },
    errors: ['GoneError', 'BadGatewayError'],
    sample: [`${FICHE}/reviews/AbFvOqkR4Zt7cWmPx0`, { text: 'Merci, à bientôt !', fiche_id: FICHE }],
  },
  {
    operation: 'acquisition.stats',
    method: 'GET',
    path: '/acquisition/stats',
    permission: 'read',
    target: 'fiche_id',
    sample: [{ fiche_id: FICHE }],
  },
  {
    operation: 'acquisition.requestReviews',
    method: 'POST',
    path: '/acquisition/review-requests',
    permission: 'publish',
    target: 'fiche_id',
    dry_run: true,
    params: { contacts: { type: 'object[]', required: true } },
    errors: ['QuotaExceededError'],
    sample: [
      {
        contacts: [{ customer_name: 'Camille', channel: 'email', customer_email: 'camille@example.com' }],
        fiche_id: FICHE,
      },
    ],
  },

  // Listing, optimizer, visibility
  {
    operation: 'gmb.metrics',
    method: 'GET',
    path: '/gmb/metrics',
    permission: 'read',
    target: 'fiche_id',
    params: { period_days: { type: 'integer', range: [1, 90], default: 30 } },
    sample: [{ period_days: 7, fiche_id: FICHE }],
  },
  {
    operation: 'gmb.optimizer.score',
    method: 'GET',
    path: '/gmb/optimizer',
    permission: 'read',
    target: 'fiche_id',
    sample: [{ fiche_id: FICHE }],
  },
  {
    operation: 'gmb.optimizer.audit',
    method: 'POST',
    path: '/gmb/optimizer/audit',
    permission: 'publish',
    target: 'fiche_id',
    dry_run: true,
    errors: ['BadGatewayError'],
    sample: [{ fiche_id: FICHE }],
  },
  {
    operation: 'gmb.optimizer.apply',
    method: 'POST',
    path: '/gmb/optimizer/apply',
    permission: 'publish',
    target: 'fiche_id',
    dry_run: true,
    params: { changes: { type: 'object[]', required: true } },
    errors: ['BadGatewayError'],
    sample: [{ changes: [{ field: 'description', value: 'Pain au levain et brioches.' }], fiche_id: FICHE }],
  },
  {
    operation: 'visibility.scan',
    method: 'GET',
    path: '/visibility/scan',
    permission: 'read',
    target: 'fiche_id',
    sample: [{ fiche_id: FICHE }],
  },

  // SEO: `seo.snapshot` and `seo.competitors` are the two kinds of one route.
  {
    operation: 'seo.snapshot',
    method: 'GET',
    path: '/seo/data',
    permission: 'read',
    target: 'bulle_id',
    params: { kind: { type: 'string', values: ['snapshot', 'competitors'], default: 'snapshot' } },
    sample: [{ bulle_id: BULLE }],
  },
  {
    operation: 'seo.trackedKeywords.list',
    method: 'GET',
    path: '/seo/tracked-keywords',
    permission: 'read',
    target: 'bulle_id',
    sample: [{ bulle_id: BULLE }],
  },
  {
    operation: 'seo.trackedKeywords.create',
    method: 'POST',
    path: '/seo/tracked-keywords',
    permission: 'publish',
    target: 'bulle_id',
    params: { keyword: required },
    sample: [{ keyword: 'brioche artisanale', bulle_id: BULLE }],
  },
  {
    operation: 'seo.searchConsole',
    method: 'GET',
    path: '/seo/search-console',
    permission: 'read',
    target: 'bulle_id',
    params: {
      dimensions: { type: 'string[]', values: ['query', 'page', 'date', 'country', 'device'] },
      days: { type: 'integer', range: [1, 365] },
      start_date: str,
      end_date: str,
      row_limit: int,
      query_contains: str,
      query_equals: str,
      page_contains: str,
      page_equals: str,
      country: str,
      device: str,
      search_type: str,
    },
    sample: [{ dimensions: ['query'], days: 7, row_limit: 2, bulle_id: BULLE }],
  },
  {
    operation: 'seo.scan',
    method: 'POST',
    path: '/seo/scan',
    permission: 'publish',
    target: 'bulle_id',
    dry_run: true,
    errors: ['QuotaExceededError', 'BadGatewayError'],
    sample: [{ bulle_id: BULLE }],
  },
  {
    operation: 'seo.keywordLookup',
    method: 'POST',
    path: '/seo/keyword-lookup',
    permission: 'publish',
    target: 'bulle_id',
    dry_run: true,
    params: { keyword: required },
    errors: ['BadGatewayError'],
    sample: [{ keyword: 'boulangerie', bulle_id: BULLE }],
  },

  // QR codes, sites, reports, images
  {
    operation: 'qrCodes.list',
    method: 'GET',
    path: '/qr-codes',
    permission: 'read',
    target: 'bulle_id',
    sample: [{ bulle_id: BULLE }],
  },
  {
    operation: 'qrCodes.create',
    method: 'POST',
    path: '/qr-codes',
    permission: 'publish',
    target: 'bulle_id',
    params: { target_url: required, name: required, color_hex: str, with_logo: bool },
    sample: [{ target_url: 'https://www.example.com/avis', name: 'Comptoir', color_hex: '#7A3E1D', bulle_id: BULLE }],
  },
  {
    operation: 'sites.list',
    method: 'GET',
    path: '/sites',
    permission: 'read',
    target: 'bulle_id',
    params: { platform: { type: 'string', values: ['wordpress', 'wix', 'shopify', 'prestashop'] } },
    sample: [],
  },
  {
    operation: 'reports.list',
    method: 'GET',
    path: '/reports',
    permission: 'read',
    target: 'bulle_id',
    params: {
      type: { type: 'string', values: ['fiche'], default: 'fiche' },
      limit: { type: 'integer', range: [1, 100], default: 20 },
    },
    sample: [{ limit: 2 }],
  },
  {
    operation: 'reports.create',
    method: 'POST',
    path: '/reports',
    permission: 'publish',
    dry_run: true,
    params: {
      type: { type: 'string', required: true, values: ['fiche', 'combine'] },
      fiche_ids: { type: 'string[]', required: true },
      date_start: required,
      date_end: required,
      report_name: str,
    },
    sample: [
      { type: 'fiche', fiche_ids: [FICHE], date_start: '2026-10-01', date_end: '2026-10-31', report_name: 'Octobre' },
    ],
  },
  {
    operation: 'images.upload',
    method: 'POST',
    path: '/images/upload',
    permission: 'publish',
    params: { url: str, image_base64: str },
    sample: [{ url: 'https://www.example.com/images/brioche.jpg' }],
  },
  {
    operation: 'images.generate',
    method: 'POST',
    path: '/images/generate',
    permission: 'publish',
    target: 'bulle_id',
    params: { prompt: required, align_with_brand: { type: 'boolean', default: true } },
    sample: [{ prompt: 'Une brioche dorée sur un comptoir en bois', bulle_id: BULLE }],
  },
];

/** The row of an operation. `seo.snapshot` and `seo.competitors` share one, as they share their route. */
export function specOf(operation: string): SpecEndpoint | undefined {
  const name = operation === 'seo.competitors' ? 'seo.snapshot' : operation;
  return spec.find((row) => row.operation === name);
}

/** Calls a method of the client by its name, such as `'gmb.optimizer.audit'`. */
export function callByName(client: object, operation: string, args: readonly unknown[]): PromiseLike<unknown> {
  const names = operation.split('.');
  const method = names.pop() ?? '';
  const owner = names.reduce<unknown>((at, name) => Reflect.get(Object(at), name), client);
  return Reflect.apply(Reflect.get(Object(owner), method), owner, args);
}
