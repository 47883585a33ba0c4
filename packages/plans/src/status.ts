import type { Client, Report } from 'multilocal';
import { findReport } from 'multilocal/internal/reports-match';
import { parseTimestamp } from 'multilocal/internal/timestamps';
import type { PlanJournal } from 'multilocal/node';
import { type Action, invalidPlan, readActions } from './actions.js';
import { Context, type PlanOptions } from './context.js';
import type { Entry, Made } from './journal-content.js';
import { checkJournal } from './ledger.js';
import { isOfSite } from './lookup.js';
import { unchanged } from './made.js';
import { checkOptions, Opened } from './opened.js';
import { rowOf } from './operations.js';
import type { Plan } from './plan.js';
import { noteSeen, unseen } from './posts-seen.js';
import { readPosts } from './service.js';
import { PAGE, type PlanState, type PlatformState, shownOf, worst } from './shown.js';
import { objectsOf } from './twins.js';

export type { PlatformState } from './shown.js';

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
  /** Where the action was written, if the plan says so: `semaine.csv:81`. */
  readonly source?: string | undefined;
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
  checkOptions('planStatus', options, ['journal']);
  const read = readActions(plan);
  if (read.issues.length > 0) throw invalidPlan('planStatus', read.issues);
  const context = new Context(client, options);
  const opened = await Opened.open(context, read, options.journal, options);
  const reading = new Reading(opened);
  await reading.lists();
  const statuses: ActionStatus[] = [];
  for (const action of opened.plan.actions) {
    const { key, operation, hash, source } = action;
    const entry = opened.ledger.entryOf(key);
    const status = await reading.statusOf(action, entry);
    const isChanged = entry?.made !== undefined && !entry.sent && entry.made.hash !== hash;
    const own = { key, operation, ids: entry?.made?.ids ?? [], ...status, ...(source !== undefined && { source }) };
    statuses.push({ ...own, ...(isChanged && { state: worst([status.state, 'open']) }) });
  }
  // Where the journal cannot be written now, the next run notes it.
  await noteSeen(opened).catch(unseen);
  const ok = statuses.every(({ state }) => state !== 'failed' && state !== 'gone');
  return { ok, actions: statuses, requests: context.requests };
}

type Status = Pick<ActionStatus, 'state' | 'platforms'>;

/** Clocks differ, and an article of the plan may have been changed by an earlier second of the service. */
const MARGIN = 86_400_000;

/** Reads what the service shows of the actions that were carried out. */
class Reading {
  readonly #opened: Opened;
  #reports: readonly Report[] = [];

  constructor(opened: Opened) {
    this.#opened = opened;
  }

  /** Reads the lists until they have shown what the actions made. */
  async lists(): Promise<void> {
    const { context, plan, ledger } = this.#opened;
    const of = (kind: string) =>
      plan.actions.flatMap((action) => {
        const entry = ledger.entryOf(action.key);
        const isRead = entry?.made && !entry.sent && rowOf(action.operation).object === kind;
        return isRead ? { ...entry.made, ids: objectsOf(entry, action), place: action.params.bulle_id } : [];
      });
    await this.#readPosts(of('post'));
    await this.#readArticles(of('article'));
    const { client, counted } = context;
    if (of('report').length > 0) this.#reports = await client.reports.list({ limit: PAGE }, counted);
  }

  async #readPosts(done: readonly (Made & { place: unknown })[]): Promise<void> {
    const places = [...new Set(done.map(({ place }) => place))];
    const [bulle_id] = places;
    // A plan of one location does not read the posts of the brand.
    const target = places.length === 1 && typeof bulle_id === 'string' ? { bulle_id } : {};
    for (const [id, post] of await readPosts(this.#opened.context, target, idsIn(done)))
      this.#opened.service.things.set(`post ${id}`, post);
  }

  async #readArticles(done: readonly Made[]): Promise<void> {
    const wanted = idsIn(done);
    if (wanted.size === 0) return;
    const { client, counted } = this.#opened.context;
    const updated_since = new Date(Math.min(...done.map(({ at }) => Date.parse(at))) - MARGIN);
    for await (const article of client.articles.list({ status: 'all', updated_since }, counted)) {
      this.#opened.service.things.set(`article ${article.id}`, article);
      wanted.delete(String(article.id));
      if (wanted.size === 0) return;
    }
  }

  async statusOf(action: Action, entry: Entry | undefined): Promise<Status> {
    if (entry?.sent) return { state: 'unknown' };
    const made = entry?.made;
    if (!made || entry.operation !== action.operation) return { state: 'open' };
    const { object } = rowOf(action.operation);
    const ids = objectsOf(entry, action);
    // The response has named a failure, and nothing else shows what happened.
    if (object === undefined) return { state: made.doubt ? 'unknown' : 'done' };
    if (object === 'report') {
      const isMissing = made.doubt ? 'unknown' : 'publishing';
      return { state: this.#hasReport(action, made) ? 'online' : isMissing };
    }
    // A response without an id, or a person, has said that it happened, and nothing shows what became of it.
    if (ids.length === 0) return { state: 'unknown' };
    const found: Status[] = [];
    for (const id of ids) found.push(await this.#thingOf(object, id));
    const status = together(found, entry.online);
    if (status.state !== 'failed' && status.state !== 'gone') return status;
    // The articles of connected sites need not be readable.
    if (object === 'article') return isOfSite(made.digests) ? { state: 'unknown' } : status;
    // What a run takes as done is no loss: an action has deleted it, or it was seen everywhere.
    const isDone = unchanged(action, entry, this.#opened.sides()).do === 'nothing';
    return isDone ? { ...status, state: entry.online ? 'online' : 'done' } : status;
  }

  async #thingOf(kind: 'post' | 'article' | 'social', id: string | number): Promise<Status> {
    const { context, service } = this.#opened;
    const thing = service.things.get(`${kind} ${id}`) ?? (await service.readThing(kind, id));
    if (thing === 'gone') return { state: 'gone' };
    if ('platforms' in thing) return shownOf(thing, context.timer.date());
    return { state: thing.status === 'published' ? 'online' : thing.content_html ? 'scheduled' : 'publishing' };
  }

  #hasReport({ params }: Action, { at }: Made): boolean {
    const since = Date.parse(at) - 60_000;
    const isOlder = ({ generated_at }: Report) => (parseTimestamp(generated_at)?.getTime() ?? since) < since;
    const { report, isAmbiguous } = findReport(this.#reports, params, this.#reports.filter(isOlder));
    return report !== undefined || isAmbiguous;
  }
}

const idsIn = (done: readonly Made[]) => new Set(done.flatMap(({ ids = [] }) => ids).map(String));

const BEST: readonly PlanState[] = ['online', 'publishing', 'scheduled', 'failed'];

/** Several posts of one key: on each platform, the one that has come furthest counts. A post that failed was published again. */
function together(found: readonly Status[], online: readonly string[] = []): Status {
  const names = [...new Set(found.flatMap(({ platforms }) => Object.keys(platforms ?? {})))];
  if (names.length === 0) return { ...found[0], state: worst(found.map(({ state }) => state)) };
  const bestOn = (name: string) => {
    const all = found.flatMap(({ platforms }) => platforms?.[name] ?? []);
    const best = BEST.map((state) => all.find((one) => one.state === state)).find(Boolean) ?? (all[0] as PlatformState);
    return online.includes(name) ? { ...best, state: 'online' as const } : best;
  };
  const platforms = Object.fromEntries(names.map((name) => [name, bestOn(name)]));
  return { state: worst(Object.values(platforms).map(({ state }) => state)), platforms };
}
