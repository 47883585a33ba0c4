// The endpoint tables of the specification, typed in by hand. Where code and this file differ, look there.
import type { MockControl } from 'multilocal/mock/server';

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
const AT = '2026-12-01T09:00:00+01:00';
const BRIOCHE = 'La brioche du dimanche sort du four à 8 h.';
const CAMILLE = { customer_name: 'Camille', channel: 'email', customer_email: 'camille@example.com' };
const CHANGE = { field: 'description', value: 'Pain au levain et brioches.' };
const AVIS = 'https://www.example.com/avis';
const OCTOBER = { date_start: '2026-10-01', date_end: '2026-10-31' };
const PLATFORMS = ['facebook', 'instagram', 'gmb', 'linkedin', 'pinterest', 'tiktok', 'snapchat', 'youtube'];
const platforms = `platforms!:string[] ${PLATFORMS.join('|')}`;
const scheduled = PLATFORMS.map((platform) => `scheduled_${platform}`).join(', ');

/** A name, `!` if required, its type unless it is a string, `1..5` for a range, `a|b` for values, `=a` for a default. */
function paramOf(text: string): [string, SpecParam] {
  const parts = /^(\w+)(!?)(?::([a-z[\]]+))?(?: (\d+)\.\.(\d+|∞))?(?: ([a-z|]+))?(?: =(\w+))?$/.exec(text);
  if (!parts) throw new Error(`"${text}" is no parameter`);
  const [, name = '', required, type = 'string', min, max, values, byDefault = ''] = parts;
  const isText = type === 'string';
  const param = {
    type: type as SpecParam['type'],
    ...(required && { required: true as const }),
    ...(min && { range: [Number(min), max === '∞' ? Number.POSITIVE_INFINITY : Number(max)] as const }),
    ...(values && { values: values.split('|') }),
    ...(byDefault && { default: isText ? byDefault : (JSON.parse(byDefault) as number | boolean) }),
  };
  return [name, param];
}

/** Operation, route, permission, target, and whether it has a preview. */
const ROUTES = `
# Health and identity
health GET /health none
me GET /me read
spheres.list GET /spheres read
bulles.list GET /bulles read
bulles.get GET /bulles/{bulle_id} read
connections.list GET /connections read bulle_id
platforms.limits GET /platforms/limits read

# Posts
posts.create POST /posts schedule bulle_id dry_run
posts.list GET /posts read bulle_id
posts.get GET /posts/{post_id} read
posts.update PUT /posts/{post_id} schedule
posts.delete DELETE /posts/{post_id} delete
posts.publish POST /posts/{post_id}/publish publish dry_run

# Simplified social publishing
social.publish POST /social/publish publish bulle_id dry_run
social.quota GET /social/quota read bulle_id
social.get GET /social/posts/{post_id} read

# Articles
articles.list GET /articles read bulle_id
articles.get GET /articles/{article_id} read
articles.confirm POST /articles/{article_id}/confirm read
articles.create POST /articles publish bulle_id
articles.update PUT /articles/{article_id} publish
articles.publish POST /articles/{article_id}/publish publish dry_run

# Reviews and acquisition
reviews.list GET /reviews read fiche_id
reviews.summary GET /reviews/summary read fiche_id
reviews.reply POST /reviews/{review_id}/reply publish fiche_id dry_run
acquisition.stats GET /acquisition/stats read fiche_id
acquisition.requestReviews POST /acquisition/review-requests publish fiche_id dry_run

# Listing, optimizer, visibility
gmb.metrics GET /gmb/metrics read fiche_id
gmb.optimizer.score GET /gmb/optimizer read fiche_id
gmb.optimizer.audit POST /gmb/optimizer/audit publish fiche_id dry_run
gmb.optimizer.apply POST /gmb/optimizer/apply publish fiche_id dry_run
visibility.scan GET /visibility/scan read fiche_id

# SEO: seo.snapshot and seo.competitors are the two kinds of one route.
seo.snapshot GET /seo/data read bulle_id
seo.trackedKeywords.list GET /seo/tracked-keywords read bulle_id
seo.trackedKeywords.create POST /seo/tracked-keywords publish bulle_id
seo.searchConsole GET /seo/search-console read bulle_id
seo.scan POST /seo/scan publish bulle_id dry_run
seo.keywordLookup POST /seo/keyword-lookup publish bulle_id dry_run

# QR codes, sites, reports, images
qrCodes.list GET /qr-codes read bulle_id
qrCodes.create POST /qr-codes publish bulle_id
sites.list GET /sites read bulle_id
reports.list GET /reports read bulle_id
reports.create POST /reports publish dry_run
images.upload POST /images/upload publish
images.generate POST /images/generate publish bulle_id
`;

/** The arguments of one call that the mock's brand answers with something worth showing: the target alone if absent. */
const SAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  'bulles.get': [BULLE],
  'posts.create': [{ content: BRIOCHE, platforms: ['facebook', 'gmb'], scheduled_at: AT, bulle_id: BULLE }],
  'posts.list': [{ status: 'published', limit: 2, bulle_id: BULLE }],
  'posts.get': [1],
  'posts.update': [131, { content: 'La brioche du samedi.' }],
  'posts.delete': [14],
  'posts.publish': [131, {}],
  'social.publish': [{ platforms: ['facebook'], text: 'Ouvert ce lundi férié.', bulle_id: BULLE }],
  'social.get': ['soc_1001'],
  'articles.list': [{ status: 'published', bulle_id: BULLE }],
  'articles.get': [1],
  'articles.confirm': [1, { rendered_url: 'https://www.example.com/blog/pain-au-levain' }],
  'articles.create': [{ title: 'Le pain de seigle', target_keyword: 'pain de seigle', bulle_id: BULLE }],
  'articles.update': [8, { category: 'Pains' }],
  'articles.publish': [8, { scheduled_at: AT }],
  'reviews.list': [{ status: 'unresponded', limit: 2, fiche_id: FICHE }],
  'reviews.reply': [`${FICHE}/reviews/AbFvOqkR4Zt7cWmPx0`, { text: 'Merci, à bientôt !', fiche_id: FICHE }],
  'acquisition.requestReviews': [{ contacts: [CAMILLE], fiche_id: FICHE }],
  'gmb.metrics': [{ period_days: 7, fiche_id: FICHE }],
  'gmb.optimizer.apply': [{ changes: [CHANGE], fiche_id: FICHE }],
  'seo.trackedKeywords.create': [{ keyword: 'brioche artisanale', bulle_id: BULLE }],
  'seo.searchConsole': [{ dimensions: ['query'], days: 7, row_limit: 2, bulle_id: BULLE }],
  'seo.keywordLookup': [{ keyword: 'boulangerie', bulle_id: BULLE }],
  'qrCodes.create': [{ target_url: AVIS, name: 'Comptoir', color_hex: '#7A3E1D', bulle_id: BULLE }],
  'sites.list': [],
  'reports.list': [{ limit: 2 }],
  'reports.create': [{ type: 'fiche', fiche_ids: [FICHE], ...OCTOBER, report_name: 'Octobre' }],
  'images.upload': [{ url: 'https://www.example.com/images/brioche.jpg' }],
  'images.generate': [{ prompt: 'Une brioche dorée sur un comptoir en bois', bulle_id: BULLE }],
};

/** The parameters of the operations that have some, but for the target and the ids of the path. */
const PARAMS: Readonly<Record<string, string>> = {
  'posts.create': `content 1..5000, text 1..5000, ${platforms}, image_url, image_urls:string[] 2..10, video_url, scheduled_at, gmb_fiche_id, publish_now:boolean, ${scheduled}, content_per_platform:object`,
  'posts.list': 'status pending|published|error, limit:integer 1..100 =50, offset:integer =0',
  'posts.update': 'content, scheduled_at',
  'social.publish': `${platforms}, text! 1..63206, image_url, image_urls:string[], video_url, scheduled_at`,
  'articles.list': 'status published|draft|all, updated_since, since',
  'articles.confirm': 'rendered_url 1..2048',
  'articles.create':
    'title! 3..∞, target_keyword! 2..∞, site_id:integer, site_ids:integer[], wix_site_id:integer, wix_site_ids:integer[], ai_word_count_target:integer =1500, generate_content:boolean =true, generate_image:boolean =false, tone =professional, language =fr, featured_image_url, meta_title, meta_description, excerpt, category 0..80',
  'articles.update':
    'title, content_html, excerpt, meta_title, meta_description, target_keyword, featured_image_url, category 0..80',
  'articles.publish': 'scheduled_at',
  'reviews.list':
    'min_stars:integer 1..5 =1, max_stars:integer 1..5 =5, status responded|drafts|unresponded, keyword, date_from, date_to, sort_by =date_desc, limit:integer 1..100 =25, page:integer =1',
  'reviews.reply': 'text!',
  'acquisition.requestReviews': 'contacts!:object[]',
  'gmb.metrics': 'period_days:integer 1..90 =30',
  'gmb.optimizer.apply': 'changes!:object[]',
  'seo.snapshot': 'kind snapshot|competitors =snapshot',
  'seo.trackedKeywords.create': 'keyword!',
  'seo.searchConsole':
    'dimensions:string[] query|page|date|country|device, days:integer 1..365, start_date, end_date, row_limit:integer, query_contains, query_equals, page_contains, page_equals, country, device, search_type',
  'seo.keywordLookup': 'keyword!',
  'qrCodes.create': 'target_url!, name!, color_hex, with_logo:boolean',
  'sites.list': 'platform wordpress|wix|shopify|prestashop',
  'reports.list': 'type fiche =fiche, limit:integer 1..100 =20',
  'reports.create': 'type! fiche|combine, fiche_ids!:string[], date_start!, date_end!, report_name',
  'images.upload': 'url, image_base64',
  'images.generate': 'prompt!, align_with_brand:boolean =true',
};

/** Errors of operations that no other route has. */
const ERRORS: Readonly<Record<string, string>> = {
  'posts.create': 'PlatformNotConnectedError',
  'social.publish': 'QuotaExceededError',
  'articles.create': 'QuotaExceededError',
  'articles.update': 'ConflictError',
  'reviews.reply': 'GoneError BadGatewayError',
  'acquisition.requestReviews': 'QuotaExceededError',
  'gmb.optimizer.audit': 'BadGatewayError',
  'gmb.optimizer.apply': 'BadGatewayError',
  'seo.scan': 'QuotaExceededError BadGatewayError',
  'seo.keywordLookup': 'BadGatewayError',
};

const routes = ROUTES.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

export const spec = routes.map((line): SpecEndpoint => {
  const [operation = '', method, path = '', permission, ...marks] = line.split(' ');
  const target = marks.find((mark) => mark !== 'dry_run') as SpecEndpoint['target'];
  const [params, errors] = [PARAMS[operation], ERRORS[operation]];
  const ownTarget = target ? [{ [target]: target === 'bulle_id' ? BULLE : FICHE }] : [];
  return {
    operation,
    method: method as SpecEndpoint['method'],
    path,
    permission: permission as SpecEndpoint['permission'],
    ...(target && { target }),
    ...(marks.includes('dry_run') && { dry_run: true }),
    ...(params && { params: Object.fromEntries(params.split(', ').map(paramOf)) }),
    ...(errors && { errors: errors.split(' ') }),
    ...(operation === 'social.get' && { after: 'social.publish' }),
    sample: SAMPLES[operation] ?? ownTarget,
  };
});

/** The row of an operation. `seo.snapshot` and `seo.competitors` share one, as they share their route. */
export function specOf(operation: string): SpecEndpoint | undefined {
  const name = operation === 'seo.competitors' ? 'seo.snapshot' : operation;
  return spec.find((row) => row.operation === name);
}

/** The request of the sample, with these parameters on top. `undefined` removes one. */
export function requestOf(
  { method, path, sample }: SpecEndpoint,
  { baseUrl, keys }: Pick<MockControl, 'baseUrl' | 'keys'>,
  changes: object = {},
): Request {
  const names = [...path.matchAll(/\{\w+\}/g)].map(([name]) => name);
  const filled = names.reduce((at, name, index) => at.replace(name, encodeURIComponent(`${sample[index]}`)), path);
  const params = Object.entries({ ...Object(sample[names.length]), ...changes }).filter(
    ([, value]) => value !== undefined,
  );
  const query = params.flatMap(([name, value]) => [value].flat().map((item): [string, string] => [name, `${item}`]));
  const headers = { 'x-api-key': keys.sphere };
  const url = `${baseUrl}/api/v2${filled}`;
  if (method === 'GET') return new Request(`${url}?${new URLSearchParams(query)}`, { headers });
  const body = JSON.stringify(Object.fromEntries(params));
  return new Request(url, { method, headers: { ...headers, 'content-type': 'application/json' }, body });
}

/** Calls a method of the client by its name, such as `'gmb.optimizer.audit'`. */
export function callByName(client: object, operation: string, args: readonly unknown[]): PromiseLike<unknown> {
  const names = operation.split('.');
  const method = names.pop() ?? '';
  const owner = names.reduce<unknown>((at, name) => Reflect.get(Object(at), name), client);
  return Reflect.apply(Reflect.get(Object(owner), method), owner, args);
}
