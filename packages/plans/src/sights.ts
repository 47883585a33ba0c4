import type { Article, Post } from 'multilocal';
import { isMultilocalError } from 'multilocal/internal/errors';
import { momentOf } from './accounts.js';
import { type Action, at, type PlanProblem } from './actions.js';
import type { Context } from './context.js';
import { isOnline, type Next, PENDING, shows } from './decide.js';
import { type Digests, digestOf, digestsOf } from './digests.js';
import type { Entry } from './journal-content.js';
import type { Ledger } from './ledger.js';
import { dateOn, isOnPlatforms, isScheduled, platformsOf, timeOf } from './lookup.js';

/** Posts of one page, and most posts of a location. */
const LIMIT = 100;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Posts = Map<string, Post>;

type Query = { readonly bulle_id?: string; readonly status?: 'pending' };

/** Reads posts by their ids: all that the service has, or until it has shown those that are wanted. */
export async function readPosts({ client, strict }: Context, query: Query, wanted?: Set<string>): Promise<Posts> {
  const all: Posts = new Map();
  for (let offset = 0; wanted?.size !== 0; offset += LIMIT) {
    const page = await client.posts.list({ limit: LIMIT, offset, ...query }, strict);
    const known = all.size;
    for (const post of page) {
      all.set(String(post.id), post);
      wanted?.delete(String(post.id));
    }
    // The service may repeat a page, and could repeat it forever.
    if (page.length < LIMIT || all.size === known) break;
  }
  return all;
}

/** Reads what the service has: the posts of each location once, the pending posts once, and single objects. */
export class Sights {
  readonly #context: Context;
  readonly #ledger: Ledger;
  readonly #lists = new Map<unknown, Promise<Posts>>();

  constructor(context: Context, ledger: Ledger) {
    this.#context = context;
    this.#ledger = ledger;
  }

  /** Returns a post or an article. `gone`: the service answers 404 for its id, and nothing less proves that. */
  async object(operation: string, id: string | number): Promise<Post | Article | 'gone'> {
    const { client, strict } = this.#context;
    const resource = operation.startsWith('posts.') ? client.posts : client.articles;
    const reading: Promise<Post | Article> = resource.get(Number(id), strict);
    return reading.catch((error) => {
      if (isMultilocalError(error) && error.code === 'not_found') return 'gone' as const;
      throw error;
    });
  }

  /**
   * Whether a post is as it was before a change or a deletion that the service has accepted. Neither response is specified, and a
   * 404 may be that of a proxy. A service may keep deleted posts under a status of its own.
   */
  async isUnchanged(action: Action, { change, digests, ids = [] }: Entry, response: unknown): Promise<boolean> {
    const isNew = (object: unknown) => shows(Object(object) as Post, digestsOf(action));
    if (change === undefined || action.operation === 'articles.create') return false;
    if (change === 'update' && isNew(response)) return false;
    const found = await this.object('posts.get', ids[0] ?? '').catch(() => undefined);
    if (change === 'update') return !isNew(found) && shows(Object(found) as Post, digests);
    if (found === undefined || found === 'gone') return found === undefined;
    // Any status of a publication, also one that is not documented.
    return PENDING.includes(found.status) || found.status.startsWith('publish');
  }

  /** What a decision asks for. Where nothing is changed, a post that the list of its location has is there. */
  async of({ params }: Action, { operation, id, change }: Next & { do: 'see' }): Promise<Post | Article | 'gone'> {
    const listed = change ? undefined : (await this.#postsOf(params.bulle_id)).get(String(id));
    return listed ?? this.object(operation, id);
  }

  /**
   * Returns the warning about a post that is the same as an action: location, text, platforms and moment. Posts without a
   * moment count only on the day on which they were created. A post that the ledger knows is not a twin. With `own`, the posts of
   * the plan, one that another key has made is a warning of its own: the key may have been renamed.
   */
  async twinOf(action: Action, own?: ReadonlySet<string>): Promise<PlanProblem | undefined> {
    const known = this.#ledger.idsOf(action.operation);
    const posts = [...(await this.#postsOf(action.params.bulle_id)).values()];
    const digests = digestsOf(action);
    const twins = posts.filter((post) => !(own ?? known).has(String(post.id)) && this.#isTwin(post, digests));
    const twin = twins.find(({ id }) => !known.has(String(id))) ?? twins[0];
    if (!twin) return undefined;
    const isKnown = known.has(String(twin.id));
    const message = `The service already has this post (id ${twin.id}): same location, text, platforms and moment.${isKnown ? ' Another key of the journal has made it, and a run makes it again.' : ''}`;
    return { code: isKnown ? 'made_before' : 'twin', message, path: at(action) };
  }

  /** Warns about pending posts on the same account within an hour. `own`: the posts of the plan, which warns of them itself. */
  async near(action: Action, own: ReadonlySet<string>): Promise<PlanProblem[]> {
    const posts = [...(await this.#postsOf(action.params.bulle_id)).values()];
    const others = posts.filter((post) => !own.has(String(post.id)) && !isOnline(post) && post.status !== 'error');
    const digests = digestsOf(action);
    return platformsOf(digests).flatMap((platform) => {
      const due = momentOf(action.params, platform) ?? Number.NaN;
      const isNear = (post: Post) => Math.abs(timeOf(Reflect.get(post, `scheduled_${platform}`)) - due) < HOUR;
      const found = others.find((post) => isNear(post) && !this.#isTwin(post, digests));
      if (!found) return [];
      const message = `${platform}: the service has another post (id ${found.id}) on the same account within an hour.`;
      return [{ code: 'same_account', message, path: at(action, 'platforms') }];
    });
  }

  /** Removes a post that was deleted from the lists: it is not a twin of the one that replaces it. */
  async forget(id: string | number | undefined): Promise<void> {
    for (const reading of this.#lists.values()) (await reading).delete(String(id));
  }

  #postsOf(bulle_id: unknown): Promise<Posts> {
    const reading =
      this.#lists.get(bulle_id) ?? readPosts(this.#context, typeof bulle_id === 'string' ? { bulle_id } : {});
    this.#lists.set(bulle_id, reading);
    return reading;
  }

  #isTwin(post: Post, digests: Digests): boolean {
    // A post that failed may be published again.
    if (post.status === 'error') return false;
    if (digestOf(post.content) !== digests.content || !isOnPlatforms(post, digests)) return false;
    // A date for a platform that the post does not target is none.
    const hasMoment = platformsOf(digests).some((platform) => dateOn(digests, platform) !== undefined);
    if (hasMoment) return isScheduled(post, digests);
    return !(Math.abs(timeOf(post.created_at) - this.#context.timer.date()) >= DAY);
  }
}
