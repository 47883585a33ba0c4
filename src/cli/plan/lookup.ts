import * as z from 'zod/mini';
import type { Params } from '../../core/endpoint.js';
import { withoutForm } from '../../core/text.js';
import { type Article, type Client, type Post, parseTimestamp, type RequestOptions } from '../../index.js';
import { findReport } from '../../resources/reports-match.js';
import { reportCreateParamsSchema } from '../../resources/reports-schema.js';

/** The input of a lookup. */
export interface Clue {
  readonly client: Client;
  readonly params: Params;
  /** A little before the action was started, by the clock of the service. */
  readonly since: Date;
  /** Ids of the objects that other actions of the same operation have created. */
  readonly known: ReadonlySet<string>;
  /** The parameters of other actions of the same operation that may have created the same object. */
  readonly rivals: readonly Params[];
  readonly options: RequestOptions;
}

/**
 * The result of a lookup.
 *
 * - `applied`: the service shows the result of the action.
 * - `absent`: the service does not show the result, although it would show one.
 * - `unclear`: the service does not show whether the action happened.
 */
export type Trace =
  | { readonly state: 'applied'; readonly ids?: (string | number)[] }
  | { readonly state: 'absent' | 'unclear' };

/** Finds the result of an operation whose response was lost. */
export interface Lookup {
  readonly find: (clue: Clue) => Promise<Trace>;
  /** Milliseconds from the response until the result shows. */
  readonly delay?: number;
  /** Milliseconds between two requests. */
  readonly every: number;
}

/** The service creates these objects without a provider, so they show at once. */
const RECORD = { every: 3_000 };
/** Providers and models do this work. It may take as long as the timeout of the client. */
const SLOW = { every: 15_000 };
/** The service lists a report when the report is ready, after one or two minutes. */
const REPORT = { delay: 120_000, every: 15_000 };

/** Number of pages of reviews that are searched for one reply. */
const MOST_PAGES = 10;

const ABSENT: Trace = { state: 'absent' };
const UNCLEAR: Trace = { state: 'unclear' };

/** The operations whose result can be looked up. Operations that may be repeated need no lookup. */
export const lookups: Readonly<Record<string, Lookup>> = {
  'posts.create': { ...RECORD, find: findPost },
  'posts.publish': { ...RECORD, find: findPublishedPost },
  'articles.create': { ...RECORD, find: findArticles },
  'articles.publish': { ...SLOW, find: findPublishedArticle },
  'reviews.reply': { ...RECORD, find: findReply },
  'seo.trackedKeywords.create': { ...RECORD, find: findKeyword },
  'qrCodes.create': { ...RECORD, find: findQrCode },
  'reports.create': { ...REPORT, find: findNewReport },
  'gmb.optimizer.audit': { ...SLOW, find: findAudit },
  'seo.scan': { ...SLOW, find: findScan },
};

/**
 * A service may change the texts that it stores: it shortens links, cuts names or adds signatures. So a new object may be
 * ours even if its text differs, unless another action has created it.
 */
async function findPost({ client, params, since, known, options }: Clue): Promise<Trace> {
  const { content = params.text } = params;
  const own: Post[] = [];
  const similar: Post[] = [];
  for await (const post of client.posts.list({ limit: 100, ...bulleOf(params) }, options)) {
    if (!isNew(post, since, known)) continue;
    const hasText = withoutForm(post.content) === withoutForm(String(content));
    const hasPlace = isOnPlatforms(post, params) && isScheduled(post, params);
    if (hasText && hasPlace) own.push(post);
    else if (hasText || hasPlace) similar.push(post);
  }
  return first(own, similar);
}

function isOnPlatforms({ platforms }: Post, params: Params): boolean {
  const wanted = new Set([params.platforms].flat());
  return new Set<unknown>(platforms).size === wanted.size && platforms.every((platform) => wanted.has(platform));
}

/** Whether a post has the dates of the plan. Services may drop the fractions of seconds. */
function isScheduled(post: Post, { platforms, scheduled_at, ...params }: Params): boolean {
  const single = Object.entries(params).filter(([name, date]) => name.startsWith('scheduled_') && date !== undefined);
  const common = [platforms].flat().map((platform) => [`scheduled_${platform}`, scheduled_at] as const);
  const dates = { ...(scheduled_at !== undefined && Object.fromEntries(common)), ...Object.fromEntries(single) };
  return Object.entries(dates).every(([name, date]) => {
    const [wanted, stored] = [date, Reflect.get(post, name)].map((each) => parseTimestamp(String(each))?.getTime());
    return wanted !== undefined && stored !== undefined && Math.abs(wanted - stored) < 1_000;
  });
}

/** A pending post may be on its way to a platform. Publishing the post again would show it twice. */
async function findPublishedPost({ client, params, since, options }: Clue): Promise<Trace> {
  const post = await client.posts.get(params.post_id as number, options);
  const dates = Object.entries(post).filter(([name]) => name.startsWith('published_'));
  const isOut = dates.some(([, date]) => isSince(date, since));
  return isOut || ['published', 'publishing'].includes(post.status) ? applied(post.id) : UNCLEAR;
}

async function findArticles({ client, params, since, known, options }: Clue): Promise<Trace> {
  const own: Article[] = [];
  const similar: Article[] = [];
  const list = client.articles.changes({ status: 'all', since, ...bulleOf(params) }, options);
  for await (const article of list) {
    if (!isNew(article, since, known)) continue;
    const { title, target_keyword } = article;
    const pairs = [[title, params.title] as const, [target_keyword, params.target_keyword] as const];
    const fits = pairs.filter(([stored]) => stored).map(([stored, given]) => isSame(stored, given));
    if (fits.length > 0 && fits.every(Boolean)) own.push(article);
    else similar.push(article);
  }
  if (own.length > 0) return applied(...own.map(({ id }) => id));
  return first([], similar);
}

/** No field shows that an article is scheduled. */
async function findPublishedArticle({ client, params, options }: Clue): Promise<Trace> {
  const { id, status } = await client.articles.get(params.article_id as number, options);
  if (params.scheduled_at !== undefined) return UNCLEAR;
  return status === 'published' ? applied(id) : ABSENT;
}

async function findReply({ client, params, since, options }: Clue): Promise<Trace> {
  const { review_id, text, fiche_id } = params as { review_id: string; text: string; fiche_id?: string };
  const all = client.identity?.gmb_fiches.map(({ id }) => id) ?? [];
  const own = all.filter((id) => review_id.startsWith(`${id}/`));
  const fiches = fiche_id !== undefined ? [fiche_id] : own.length > 0 ? own : all;
  let pages = 0;
  for (const fiche of fiches) {
    for await (const { reviews } of client.reviews.list({ fiche_id: fiche, limit: 100 }, options).pages()) {
      const review = reviews.find((each) => each.review_id === review_id);
      if (review && isSame(review.response_text, text)) return applied(review_id);
      // Somebody else has replied since, or the service has changed the text.
      if (review) return isSince(review.reply_date, since) ? UNCLEAR : ABSENT;
      if (++pages >= MOST_PAGES) return UNCLEAR;
    }
  }
  return UNCLEAR;
}

async function findKeyword({ client, params, options }: Clue): Promise<Trace> {
  const keywords = await client.seo.trackedKeywords.list(bulleOf(params), options);
  // A keyword is tracked only once, so it does not matter who added it.
  return first(keywords.filter(({ keyword }) => isSame(keyword, params.keyword)));
}

async function findQrCode({ client, params, since, known, options }: Clue): Promise<Trace> {
  const codes = await client.qrCodes.list(bulleOf(params), options);
  const fresh = codes.filter((code) => isNew(code, since, known));
  const own = fresh.filter(({ name, created_at }) => created_at && isSame(name, params.name));
  return first(own, fresh);
}

async function findNewReport({ client, params, since, rivals, options }: Clue): Promise<Trace> {
  const listed = await client.reports.list({ limit: 100 }, options);
  const before = listed.filter(({ generated_at }) => !isSince(generated_at, since));
  const { report, isAmbiguous } = findReport(listed, z.parse(reportCreateParamsSchema, params), before);
  // Without a name, a report that somebody else has ordered meanwhile looks the same.
  if (report && params.report_name === undefined) return UNCLEAR;
  if (report) return unlessRival(params, rivals);
  return isAmbiguous ? UNCLEAR : ABSENT;
}

async function findAudit({ client, params, since, rivals, options }: Clue): Promise<Trace> {
  const { fiche_id } = params as { fiche_id?: string };
  const { scored_at } = await client.gmb.optimizer.score(fiche_id === undefined ? {} : { fiche_id }, options);
  return isSince(scored_at, since) ? unlessRival(params, rivals) : ABSENT;
}

async function findScan({ client, params, since, rivals, options }: Clue): Promise<Trace> {
  const seo = await client.seo.snapshot(bulleOf(params), options);
  return seo.snapshot !== null && isSince(seo.created_at, since) ? unlessRival(params, rivals) : ABSENT;
}

function bulleOf({ bulle_id }: Params): { bulle_id?: string } {
  return typeof bulle_id === 'string' ? { bulle_id } : {};
}

/** Without an id, the result may be that of another action with the same target. */
function unlessRival(params: Params, rivals: readonly Params[]): Trace {
  const own = targetsOf(params);
  const mayBeOf = (other: unknown[]) => own.length === 0 || other.length === 0 || other.some((id) => own.includes(id));
  return rivals.map(targetsOf).some(mayBeOf) ? UNCLEAR : { state: 'applied' };
}

function targetsOf({ bulle_id, fiche_id, fiche_ids }: Params): unknown[] {
  return [bulle_id, fiche_id, fiche_ids].flat().filter((id) => id !== undefined);
}

/** Takes the first object that matches the action. An object that is only similar may belong to somebody else. */
function first(own: readonly { id: number }[], similar: readonly object[] = []): Trace {
  const [found] = own;
  if (found) return applied(found.id);
  return similar.length > 0 ? UNCLEAR : ABSENT;
}

/** Whether an object was created since then or at an unknown time, and not by another action of the plan. */
function isNew(
  { id, created_at }: { id: number; created_at?: string | null },
  since: Date,
  known: ReadonlySet<string>,
): boolean {
  return (!created_at || isSince(created_at, since)) && !known.has(String(id));
}

function applied(...ids: (string | number)[]): Trace {
  return { state: 'applied', ids };
}

/** Compares two texts. A service may trim and normalise the texts that it stores. */
function isSame(stored: string | null | undefined, given: unknown): boolean {
  return withoutForm(stored)?.toLowerCase() === withoutForm(String(given))?.toLowerCase();
}

/** Whether a date of the service is not before `since`. A date that cannot be read counts as new. */
function isSince(date: unknown, since: Date): boolean {
  if (date === null || date === undefined) return false;
  const at = parseTimestamp(String(date));
  return at === null || at >= since;
}
