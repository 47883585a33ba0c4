import type { Post } from 'multilocal';
import { withoutForm } from 'multilocal/internal/text';
import { parseTimestamp } from 'multilocal/internal/timestamps';
import { type Action, at, type PlanProblem } from './actions.js';
import type { Context } from './context.js';
import type { Ledger } from './ledger.js';
import { isOnPlatforms, isScheduled } from './lookup.js';

/** Posts of one page, and most posts of a location. */
const LIMIT = 100;
const DAY = 86_400_000;

/**
 * Finds posts on the service that are the same as an action of the plan: location, text, platforms and moment. Posts
 * without a moment count only on the day on which they were created. Each location is read once.
 */
export class Twins {
  readonly #context: Context;
  readonly #ledger: Ledger | undefined;
  readonly #posts = new Map<unknown, Promise<readonly Post[]>>();

  /** The posts that the ledger knows are no twins. */
  constructor(context: Context, ledger: Ledger | undefined) {
    this.#context = context;
    this.#ledger = ledger;
  }

  /** Returns the warning about the twin of an action. */
  async find(action: Action): Promise<PlanProblem | undefined> {
    if (action.operation !== 'posts.create') return undefined;
    const { params } = action;
    const reading = this.#posts.get(params.bulle_id) ?? this.#read(params.bulle_id);
    this.#posts.set(params.bulle_id, reading);
    const known = this.#ledger?.idsOf(action.operation);
    const twin = (await reading).find((post) => !known?.has(String(post.id)) && this.#isTwin(post, params));
    if (!twin) return undefined;
    const message = `The service already has this post (id ${twin.id}): same location, text, platforms and moment.`;
    return { code: 'twin', message, path: at(action) };
  }

  async #read(bulle_id: unknown): Promise<readonly Post[]> {
    const { client, asking } = this.#context;
    const target = typeof bulle_id === 'string' ? { bulle_id } : {};
    const all = new Map<number, Post>();
    for (let offset = 0; ; offset += LIMIT) {
      const page = await client.posts.list(
        { limit: LIMIT, offset, ...target },
        { ...asking.options, validation: 'throw' },
      );
      const known = all.size;
      for (const post of page) all.set(post.id, post);
      // The service may repeat a page, and could repeat it forever.
      if (page.length < LIMIT || all.size === known) return [...all.values()];
    }
  }

  #isTwin(post: Post, params: Action['params']): boolean {
    const { content = params.text } = params;
    // A post that failed may be published again.
    if (post.status === 'error') return false;
    if (withoutForm(post.content) !== withoutForm(String(content)) || !isOnPlatforms(post, params)) return false;
    const hasMoment = Object.keys(params).some((name) => name.startsWith('scheduled_'));
    if (hasMoment) return isScheduled(post, params);
    const created = parseTimestamp(post.created_at)?.getTime();
    return created === undefined || Math.abs(created - this.#context.timer.date()) < DAY;
  }
}
