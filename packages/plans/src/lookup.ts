import type { Article, Client, Post, RequestOptions } from 'multilocal';
import { findReport } from 'multilocal/internal/reports-match';
import { withoutForm } from 'multilocal/internal/text';
import { type Digests, digestOf } from './digests.js';
import { HOUR, isOnPlatforms, isScheduled, MOST_PAGES, ONLINE, PAGE, platformsOf, timeOf } from './shown.js';

/** The input of a lookup. */
export interface LookupInput {
  readonly client: Client;
  /** What was begun. The parameters may have changed since. */
  readonly begun: Digests;
  /** Counts before the request. */
  readonly before: Readonly<Record<string, number>> | undefined;
  /** A little before the action was started, by the clock of the service. */
  readonly since: Date;
  /** Ids of the objects that other actions of the same operation have created. */
  readonly known: ReadonlySet<string>;
  /** Other actions of the same operation that may have created the same object. */
  readonly rivals: readonly Digests[];
  readonly options: RequestOptions;
}

/**
 * The result of a lookup.
 *
 * - `applied`: the service shows the result of the action.
 * - `absent`: the service does not show the result, although it would show one.
 * - `unclear`: the service does not show whether the action happened.
 */
export type LookupResult =
  | { readonly state: 'applied'; readonly ids?: (string | number)[] }
  | { readonly state: 'absent' | 'unclear' };

/** Finds the result of an operation whose response was lost. */
export interface Lookup {
  readonly find: (clue: LookupInput) => Promise<LookupResult>;
  /** Milliseconds from the response until the result shows. */
  readonly delay?: number;
  /** Milliseconds between the first two requests. Each pause after that is twice as long as the one before. */
  readonly every: number;
}

/** The service creates these objects without a provider, so they show at once. */
const RECORD = { every: 3_000 };
/** Providers and models do this work. It may take as long as the timeout of the client. */
const SLOW = { every: 15_000 };
/** The service lists a report when the report is ready, after one or two minutes. */
const REPORT = { delay: 120_000, every: 15_000 };

const ABSENT: LookupResult = { state: 'absent' };
const UNCLEAR: LookupResult = { state: 'unclear' };

/** How results are found, by what is looked for. */
export const lookups = {
  post: { ...RECORD, find: findPost },
  publishedPost: { ...RECORD, find: findPublishedPost },
  articles: { ...RECORD, find: findArticles },
  publishedArticle: { ...SLOW, find: findPublishedArticle },
  reply: { ...RECORD, find: findReply },
  keyword: { ...RECORD, find: findKeyword },
  qrCode: { ...RECORD, find: findQrCode },
  report: { ...REPORT, find: findNewReport },
  requests: { ...RECORD, find: findRequests },
  audit: { ...SLOW, find: findAudit },
  scan: { ...SLOW, find: findScan },
} as const satisfies Readonly<Record<string, Lookup>>;

/**
 * A service may change what it stores: it shortens links, drops seconds, empties the date of a published post or leaves out
 * a platform. So a new post may be ours if it shares the text or a platform, unless another action has created it.
 */
async function findPost({ client, begun, since, known, options }: LookupInput): Promise<LookupResult> {
  const own: Post[] = [];
  const similar: Post[] = [];
  for await (const post of client.posts.list({ limit: PAGE, bulle_id: begun.bulle_id }, options)) {
    if (!mayBeOurs(post, since, known)) continue;
    const hasText = digestOf(post.content) === begun.content;
    const hasPlace = isOnPlatforms(post, begun) && isScheduled(post, begun);
    if (hasText && hasPlace && isNew(post, since)) own.push(post);
    else if (hasText || sharesPlatform(post, begun)) similar.push(post);
  }
  return first(own, similar);
}

/** A post without platforms may be on any. */
function sharesPlatform({ platforms }: Post, begun: Digests): boolean {
  const wanted = platformsOf(begun);
  return platforms.length === 0 || platforms.some((platform) => wanted.includes(platform));
}

/** A pending post may be on its way to a platform. Publishing the post again would show it twice. */
async function findPublishedPost({ client, begun, since, options }: LookupInput): Promise<LookupResult> {
  const post = await client.posts.get(Number(begun.post_id), options);
  const dates = Object.entries(post).filter(([name]) => name.startsWith('published_'));
  const isOut = dates.some(([, date]) => ageOf(date, since) === 'new');
  return isOut || ONLINE.includes(post.status) ? applied(post.id) : UNCLEAR;
}

async function findArticles({ client, begun, since, known, options }: LookupInput): Promise<LookupResult> {
  const own: Article[] = [];
  const similar: Article[] = [];
  const list = client.articles.changes({ status: 'all', since, bulle_id: begun.bulle_id }, options);
  for await (const article of list) {
    if (!mayBeOurs(article, since, known)) continue;
    const { title, target_keyword } = article;
    const pairs = [[title, begun.title] as const, [target_keyword, begun.target_keyword] as const];
    const fits = pairs.filter(([stored]) => stored).map(([stored, given]) => digestOf(stored) === given);
    if (fits.length > 0 && fits.every(Boolean) && isNew(article, since)) own.push(article);
    else similar.push(article);
  }
  if (own.length > 0) return applied(...own.map(({ id }) => id));
  // The specification does not say that the list has the articles of sites of other systems.
  return isOfSite(begun) ? UNCLEAR : first([], similar);
}

/** Whether articles are made for sites of other systems. */
export function isOfSite(digests: Digests = {}): boolean {
  return Object.keys(digests).some((name) => name.includes('site_id'));
}

/** No field shows that an article is scheduled. An article that is neither published nor a draft may be on its way. */
async function findPublishedArticle({ client, begun, options }: LookupInput): Promise<LookupResult> {
  const { id, status } = await client.articles.get(Number(begun.article_id), options);
  if (begun.scheduled_at !== undefined) return UNCLEAR;
  if (status === 'published') return applied(id);
  return status === 'draft' ? ABSENT : UNCLEAR;
}

async function findReply({ client, begun, options }: LookupInput): Promise<LookupResult> {
  const { review_id = '', text, fiche_id } = begun;
  const all = client.identity?.gmb_fiches.map(({ id }) => id) ?? [];
  const own = all.filter((id) => review_id.startsWith(`${id}/`));
  const fiches = fiche_id !== undefined ? [fiche_id] : own.length > 0 ? own : all;
  let pages = 0;
  for (const fiche of fiches) {
    for await (const { reviews } of client.reviews.list({ fiche_id: fiche, limit: PAGE }, options).pages()) {
      const review = reviews.find((each) => each.review_id === review_id);
      if (review && digestOf(review.response_text) === text) return applied(review_id);
      // Another reply may be older, or someone else's, or ours with a text that the service has changed.
      if (review) return withoutForm(review.response_text) ? UNCLEAR : ABSENT;
      if (++pages >= MOST_PAGES) return UNCLEAR;
    }
  }
  return UNCLEAR;
}

async function findKeyword({ client, begun, since, known, options }: LookupInput): Promise<LookupResult> {
  const keywords = await client.seo.trackedKeywords.list({ bulle_id: begun.bulle_id }, options);
  const fresh = keywords.filter((each) => mayBeOurs(each, since, known));
  // A keyword is tracked only once, so it does not matter who added it. The service may store it without accents.
  const own = keywords.filter(({ keyword }) => digestOf(keyword) === begun.keyword);
  return first(own, fresh);
}

async function findQrCode({ client, begun, since, known, options }: LookupInput): Promise<LookupResult> {
  const codes = await client.qrCodes.list({ bulle_id: begun.bulle_id }, options);
  const fresh = codes.filter((each) => mayBeOurs(each, since, known));
  const own = fresh.filter((each) => isNew(each, since) && digestOf(each.name) === begun.name);
  return first(own, fresh);
}

async function findNewReport({ client, begun, since, rivals, options }: LookupInput): Promise<LookupResult> {
  const listed = await client.reports.list({ limit: PAGE }, options);
  const before = listed.filter(({ generated_at }) => ageOf(generated_at, since) !== 'new');
  const { report_name: digest, fiche_ids = '', date_start, date_end } = begun;
  // The service names the report, and only the digest of the name is known.
  const named = listed.find(({ report_name }) => digestOf(report_name) === digest)?.report_name ?? '';
  const type = begun.type === 'combine' ? 'combine' : 'fiche';
  const order = { type, fiche_ids: fiche_ids.split(','), date_start, date_end } as const;
  const { report } = findReport(listed, { ...order, ...(digest !== undefined && { report_name: named }) }, before);
  // Without a name, a report that someone else has ordered meanwhile looks the same.
  if (report && digest === undefined) return UNCLEAR;
  if (report && named !== '') return unlessAmbiguous(begun, rivals);
  // Every other report that is new or has no date may be ours: the service may cut names.
  return listed.every(({ generated_at }) => ageOf(generated_at, since) === 'old') ? ABSENT : UNCLEAR;
}

/**
 * Compares the number of requests of each channel with that before. Somebody else may have asked customers, too, so only a
 * growth by exactly the contacts is ours. Where the counts may be those of 30 days, as many old requests may have left them
 * since then, and no growth proves nothing.
 */
async function findRequests({ client, begun, before, rivals, options }: LookupInput): Promise<LookupResult> {
  if (!before) return UNCLEAR;
  const { recent, ...now } = await countRequests(client, begun, options);
  const grown = (name: keyof typeof now) => now[name] - Number(before[name]);
  if (grown('total') === 0 && CHANNELS.every((channel) => grown(channel) === 0)) {
    const isOfAllTime = Math.max(now.total, now.sms + now.email) > recent;
    const canHide = CHANNELS.every((channel) => Number(begun[channel]) <= Number(before[channel]));
    return isOfAllTime || !canHide ? ABSENT : UNCLEAR;
  }
  return CHANNELS.every((channel) => grown(channel) === Number(begun[channel]))
    ? unlessAmbiguous(begun, rivals)
    : UNCLEAR;
}

const CHANNELS = ['sms', 'email'] as const;

/** The requests for reviews of a listing: by channel, all of them, and the recent ones. */
export async function countRequests(client: Client, { fiche_id }: Digests, options: RequestOptions) {
  const stats = await client.acquisition.stats({ fiche_id }, options);
  const { sms, email } = stats.by_channel;
  return { sms, email, total: stats.total_requests, recent: stats.last_30_days };
}

async function findAudit({ client, begun, since, rivals, options }: LookupInput): Promise<LookupResult> {
  const { fiche_id } = begun;
  const { score, scored_at } = await client.gmb.optimizer.score({ fiche_id }, options);
  if (score == null && scored_at == null) return ABSENT;
  return traceOf(scored_at, begun, since, rivals);
}

async function findScan({ client, begun, since, rivals, options }: LookupInput): Promise<LookupResult> {
  const seo = await client.seo.snapshot({ bulle_id: begun.bulle_id }, options);
  return seo.snapshot === null ? ABSENT : traceOf(seo.created_at, begun, since, rivals);
}

/** The trace of an action that leaves only the date of its last result. */
function traceOf(date: unknown, begun: Digests, since: Date, rivals: readonly Digests[]): LookupResult {
  const age = ageOf(date, since);
  if (age === 'new') return unlessAmbiguous(begun, rivals);
  return age === 'old' ? ABSENT : UNCLEAR;
}

/** Without an id, the result may be that of another action with the same target. */
function unlessAmbiguous(begun: Digests, rivals: readonly Digests[]): LookupResult {
  const own = targetsOf(begun);
  const mayBeOf = (other: string[]) => own.length === 0 || other.length === 0 || other.some((id) => own.includes(id));
  return rivals.map(targetsOf).some(mayBeOf) ? UNCLEAR : { state: 'applied' };
}

function targetsOf({ bulle_id, fiche_id, fiche_ids }: Digests): string[] {
  return [bulle_id, fiche_id, ...(fiche_ids?.split(',') ?? [])].filter((id) => id !== undefined);
}

/** Takes the first object that matches the action. An object that is only similar may belong to someone else. */
function first(own: readonly { id: number }[], similar: readonly object[]): LookupResult {
  const [found] = own;
  if (found) return applied(found.id);
  return similar.length > 0 ? UNCLEAR : ABSENT;
}

function applied(...ids: (string | number)[]): LookupResult {
  return { state: 'applied', ids };
}

type Dated = { readonly id: number; readonly created_at?: unknown };

/** Whether an object may be what was begun: it is not certainly older, and no other action has made it. */
function mayBeOurs({ id, created_at }: Dated, since: Date, known: ReadonlySet<string>): boolean {
  return ageOf(created_at, since) !== 'old' && !known.has(String(id));
}

function isNew({ created_at }: Dated, since: Date): boolean {
  return ageOf(created_at, since) === 'new';
}

/** No zone is further behind UTC, with a margin. */
const ZONES = 14 * HOUR;

/**
 * Compares a date of the service with `since`. A date without an offset is UTC for this SDK, but may be that of a zone behind
 * UTC. So it is not certainly `old` until it is old in every zone. A date without a time may be any of its day.
 */
function ageOf(date: unknown, since: Date): 'new' | 'old' | 'unknown' {
  const text = String(date).trim();
  const at = timeOf(text);
  if (Number.isNaN(at)) return 'unknown';
  if (at >= since.getTime()) return 'new';
  if (/:.*(?:Z|[+-][\d:]+)$/i.test(text)) return 'old';
  return at + ZONES + (text.includes(':') ? 0 : 24 * HOUR) >= since.getTime() ? 'unknown' : 'old';
}
