import type { Article, Client, Post, Report, SocialPost } from 'multilocal';
import { isMultilocalError } from 'multilocal/internal/errors';
import { postStatusByPlatform } from 'multilocal/internal/posts-platforms';
import { findReport } from 'multilocal/internal/reports-match';
import { parseTimestamp } from 'multilocal/internal/timestamps';
import type { PlanJournal } from 'multilocal/node';
import { type Action, invalidPlan, readActions } from './actions.js';
import { Context, type PlanOptions } from './context.js';
import { asKnown } from './digests.js';
import type { Entry } from './journal-content.js';
import { checkJournal, Ledger } from './ledger.js';
import { DOUBTFUL } from './outcome.js';
import type { Plan } from './plan.js';
import { readPosts } from './sights.js';

/**
 * - `open`: it was not carried out, or its parameters have changed since.
 * - `scheduled`: the service has it, and it is not online yet.
 * - `publishing`: its time has come, and the service does not show a result yet.
 * - `online`: it is online. For what has no place online, such as a QR code: it happened.
 * - `failed`: a platform has refused it.
 * - `gone`: it was made, and the service no longer has it.
 * - `unknown`: the response was lost, and it is not known yet what happened.
 */
export type PlanState = 'open' | 'scheduled' | 'publishing' | 'online' | 'failed' | 'gone' | 'unknown';

/** What became of an action on one platform. */
export interface PlatformState {
  /** What became of the post on this platform. */
  readonly state: PlanState;
  /** When it was published, or is due. ISO 8601. */
  readonly at?: string;
  /** The message of the platform. */
  readonly error?: string;
  /** Where it is, if the reference of the platform is a web address. */
  readonly link?: string;
}

/** What became of an action. */
export interface ActionStatus {
  /** Its key in the journal. */
  readonly key: string;
  /** Its operation, such as `posts.create`. */
  readonly operation: string;
  /** What became of it as a whole. A post is `online` when every platform shows it, and `failed` when one has refused it. */
  readonly state: PlanState;
  /** Ids of what was made. */
  readonly ids: readonly (string | number)[];
  /** By platform. Only for posts that the service has. */
  readonly platforms?: Readonly<Record<string, PlatformState>>;
}

/** The result of {@link planStatus}. */
export interface PlanStatus {
  /** Whether nothing failed and nothing is gone. */
  readonly ok: boolean;
  /** Each action of the plan, in its order. */
  readonly actions: readonly ActionStatus[];
  /** Requests that were sent. */
  readonly requests: number;
}

/**
 * Says what became of each action of a plan: on the service, and for posts on each platform. Sends reads only.
 *
 * Costs the pages of lists: `GET /posts` (100 posts a page, of the brand, or of a single location) until every post of the plan was seen,
 * `GET /articles` and `GET /reports` if the plan has some. A social publication is in no list and costs one request, as does an object that
 * the lists do not show: only a 404 says that it is gone.
 * @throws an `InvalidRequestError` if the plan is invalid.
 * @throws a `PlanError` if the journal is damaged or belongs to another brand.
 * @example
 * const { ok, actions } = await planStatus(client, plan, { journal });
 * const failed = actions.filter(({ state }) => state === 'failed' || state === 'gone');
 */
export async function planStatus(
  client: Client,
  plan: Plan,
  options: PlanOptions & { readonly journal: PlanJournal },
): Promise<PlanStatus> {
  checkJournal('planStatus', options?.journal);
  const read = readActions(plan);
  if (read.issues.length > 0) throw invalidPlan('planStatus', read.issues);
  const context = new Context(client, options);
  const owner = await context.owner();
  const ledger = await Ledger.open(options.journal, owner, { timer: context.timer });
  const actions = asKnown(read.actions, client, ledger.entries());
  const service = new Service(context);
  const known = actions.map((action) => [action, ledger.entryOf(action.key)] as const);
  const done = known.flatMap(([action, entry]) => (entry?.outcome === 'applied' ? [[action, entry] as const] : []));
  await service.read(done);
  const statuses: ActionStatus[] = [];
  for (const [action, entry] of known) {
    const { key, operation, hash } = action;
    const ids = entry?.ids ?? [];
    const status = await service.statusOf(action, entry);
    const isChanged = entry?.outcome === 'applied' && entry.hash !== hash;
    statuses.push({ key, operation, ids, ...status, ...(isChanged && { state: worst([status.state, 'open']) }) });
  }
  const ok = statuses.every(({ state }) => state !== 'failed' && state !== 'gone');
  return { ok, actions: statuses, requests: context.requests };
}

type Status = Pick<ActionStatus, 'state' | 'platforms'>;
type Done = readonly [action: Action, entry: Entry];

const PAGE = 100;
/** Clocks differ, and an article of the plan may have been changed by an earlier second of the service. */
const MARGIN = 86_400_000;

/** What the service shows of the actions that were carried out. */
class Service {
  readonly #context: Context;
  #posts: ReadonlyMap<string, Post> = new Map();
  readonly #articles = new Map<string, Article>();
  #reports: readonly Report[] = [];

  constructor(context: Context) {
    this.#context = context;
  }

  /** Reads the lists until they have shown what the actions made. */
  async read(done: readonly Done[]): Promise<void> {
    const of = (kind: Kind) => done.filter(([action]) => kindOf(action) === kind);
    await this.#readPosts(of('post'));
    await this.#readArticles(of('article'));
    const { client, counted } = this.#context;
    if (of('report').length > 0) this.#reports = await client.reports.list({ limit: PAGE }, counted);
  }

  async #readPosts(done: readonly Done[]): Promise<void> {
    const wanted = new Set(done.flatMap(([action, entry]) => idsOf(action, entry)));
    const places = [...new Set(done.map(([{ params }]) => params.bulle_id))];
    const [bulle_id] = places;
    // A plan of one location does not read the posts of the brand.
    const target = places.length === 1 && typeof bulle_id === 'string' ? { bulle_id } : {};
    this.#posts = await readPosts(this.#context, target, wanted);
  }

  async #readArticles(done: readonly Done[]): Promise<void> {
    const wanted = new Set(done.flatMap(([action, entry]) => idsOf(action, entry)));
    if (wanted.size === 0) return;
    const { client, counted } = this.#context;
    const first = Math.min(...done.map(([, { service_time }]) => Date.parse(service_time)));
    const updated_since = new Date(first - MARGIN);
    for await (const article of client.articles.list({ status: 'all', updated_since }, counted)) {
      this.#articles.set(String(article.id), article);
      wanted.delete(String(article.id));
      if (wanted.size === 0) return;
    }
  }

  async statusOf(action: Action, entry: Entry | undefined): Promise<Status> {
    if (!entry || entry.outcome === 'not_applied') return { state: 'open' };
    if (entry.outcome !== 'applied') return { state: 'unknown' };
    if (entry.operation !== action.operation) return { state: 'open' };
    const kind = kindOf(action);
    const ids = idsOf(action, entry);
    // The response has named a failure, and nothing else shows what happened.
    if (kind === 'other') return { state: entry.error === DOUBTFUL ? 'unknown' : 'online' };
    // A response without an id, or a person, has said that it happened, and nothing shows what became of it.
    if (ids.length === 0 && kind !== 'report') return { state: 'unknown' };
    if (kind === 'report') {
      const isMissing = entry.error === DOUBTFUL ? 'unknown' : 'publishing';
      return { state: this.#hasReport(action, entry) ? 'online' : isMissing };
    }
    const found: (Status | undefined)[] = [];
    for (const id of ids) found.push(await this.#objectOf(kind, id));
    const shown = found.map((status): Status => status ?? { state: 'gone' });
    return shown.length === 1 ? (shown[0] as Status) : { state: worst(shown.map(({ state }) => state)) };
  }

  /** Returns the status of an object. `undefined` if the service no longer has it. */
  async #objectOf(kind: Exclude<Kind, 'report' | 'other'>, id: string): Promise<Status | undefined> {
    const { client, counted, timer } = this.#context;
    const now = timer.date();
    try {
      if (kind === 'social') return statusOfSocial(await client.social.get(id, counted), now);
      if (kind === 'post') {
        return statusOfPost(this.#posts.get(id) ?? (await client.posts.get(Number(id), counted)), now);
      }
      const article = this.#articles.get(id) ?? (await client.articles.get(Number(id), counted));
      return { state: article.status === 'published' ? 'online' : article.content_html ? 'scheduled' : 'publishing' };
    } catch (error) {
      if (isMultilocalError(error) && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  #hasReport({ params }: Action, { service_time }: Entry): boolean {
    const since = Date.parse(service_time) - 60_000;
    const isOlder = ({ generated_at }: Report) => (parseTimestamp(generated_at)?.getTime() ?? since) < since;
    const { report, isAmbiguous } = findReport(this.#reports, params, this.#reports.filter(isOlder));
    return report !== undefined || isAmbiguous;
  }
}

type Kind = 'post' | 'social' | 'article' | 'report' | 'other';

/** What an action has made or changed. A deletion leaves nothing to look at. */
function kindOf({ operation }: Action): Kind {
  if (operation === 'posts.delete') return 'other';
  if (operation.startsWith('posts.')) return 'post';
  if (operation === 'social.publish') return 'social';
  if (operation.startsWith('articles.')) return 'article';
  return operation === 'reports.create' ? 'report' : 'other';
}

function idsOf({ params }: Action, { ids = [] }: Entry): string[] {
  const given = params.post_id ?? params.article_id;
  return (given === undefined ? ids : [given]).map(String);
}

function statusOfPost(post: Post, now: number): Status {
  const dates = Object.entries(postStatusByPlatform(post)).map(([name, one]) => [name, one ?? {}] as const);
  return statusOfAll(dates, post.status, now);
}

function statusOfSocial({ status, platforms, scheduled, published, errors }: SocialPost, now: number): Status {
  const datesOf = (name: (typeof platforms)[number]) => {
    return { scheduled: scheduled?.[name], published: published?.[name], error: errors?.[name] };
  };
  const dates = platforms.map((name) => [name, datesOf(name)] as const);
  return statusOfAll(dates, status, now);
}

type Dates = { readonly [Name in 'scheduled' | 'published' | 'error']?: string | null | undefined } & {
  readonly ref?: unknown;
};

/** The status of a post on its platforms. `status`: that of the whole post, which counts alone if the service names no platform. */
function statusOfAll(dates: readonly (readonly [string, Dates])[], status: string, now: number): Status {
  const platforms = dates.map(([name, own]) => [name, stateOf(own, status, now)] as const);
  const states = platforms.length > 0 ? platforms.map(([, { state }]) => state) : [stateOf({}, status, now).state];
  return { state: worst(states), platforms: Object.fromEntries(platforms) };
}

function stateOf(
  { scheduled = null, published = null, error, ref }: Dates,
  status: string,
  now: number,
): PlatformState {
  const due = parseTimestamp(scheduled)?.getTime();
  const at = published ?? scheduled;
  const link = typeof ref === 'string' && /^https?:\/\//i.test(ref) && { link: ref };
  const where = { ...(at !== null && { at }), ...link };
  if (published !== null) return { state: 'online', ...where };
  if (error || status === 'error') return { state: 'failed', ...where, ...(error && { error }) };
  if (status === 'published') return { state: 'online', ...where };
  return { state: status === 'publishing' || (due !== undefined && due <= now) ? 'publishing' : 'scheduled', ...where };
}

const BY_WEIGHT: readonly PlanState[] = ['failed', 'gone', 'unknown', 'open', 'publishing', 'scheduled'];

/** The state of several together: the one that a person must look at first. */
function worst(states: readonly PlanState[]): PlanState {
  return BY_WEIGHT.find((state) => states.includes(state)) ?? 'online';
}
