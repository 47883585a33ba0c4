import type { Post, Review } from 'multilocal';
import { isMultilocalError } from 'multilocal/internal/errors';
import type { Present } from './clock.js';
import type { Context } from './context.js';
import { asPost, MOST_PAGES, PAGE, type Thing } from './shown.js';
import type { Reading, There } from './sides.js';

type Posts = Map<string, Post>;

type Query = { readonly bulle_id?: string; readonly status?: 'pending' };

/** Reads posts by their ids: all that the service has, or until it has shown those that are wanted. */
export async function readPosts(context: Context, query: Query, wanted?: Set<string>): Promise<Posts> {
  const all: Posts = new Map();
  if (await readPages(context, query, all, wanted)) await readPages(context, query, all, wanted);
  return all;
}

/**
 * Reads each page from the last post of the page before on. Resolves to whether that one was missing somewhere: posts have left the list, and
 * others have moved to a page that was read before.
 */
async function readPages({ client, strict }: Context, query: Query, all: Posts, wanted?: Set<string>) {
  const seen = new Set<string>();
  let hasMoved = false;
  for (let offset = 0; wanted?.size !== 0; offset += PAGE - 1) {
    const page = await client.posts.list({ limit: PAGE, offset, ...query }, strict);
    const [first] = page;
    if (offset > 0 && !(first && seen.has(String(first.id)))) hasMoved = true;
    const known = seen.size;
    for (const post of page) {
      seen.add(String(post.id));
      all.set(String(post.id), post);
      wanted?.delete(String(post.id));
    }
    // The service may repeat a page, and could repeat it forever.
    if (page.length < PAGE || seen.size === known) break;
  }
  return hasMoved;
}

/** Reads reviews of a listing by their ids, until all are found: the newest ones, then those of each state if its list is short. */
async function readReviews({ client, strict }: Context, fiche_id: string, ids: readonly string[]) {
  const found = new Map<string, Review>();
  const isMissing = () => ids.some((id) => !found.has(id));
  for (const status of [undefined, 'unresponded', 'responded'] as const) {
    let pages = 0;
    for await (const page of client.reviews.list({ fiche_id, limit: PAGE, status }, strict).pages()) {
      for (const review of page.reviews) if (ids.includes(review.review_id)) found.set(review.review_id, review);
      const isLong = status !== undefined && page.total_pages > MOST_PAGES;
      if (++pages === MOST_PAGES || isLong || !isMissing()) break;
    }
    // The whole list was seen.
    if (!isMissing() || (status === undefined && pages < MOST_PAGES)) break;
  }
  return found;
}

/** A list that was read longer ago is read again before something is made: a run may wait for hours for the limits of its key. */
const FRESH_FOR = 5 * 60_000;

/** What is there: everything that the service has shown to a rehearsal or a run, each list read once, or again when it has grown old. */
export class Service implements There {
  readonly posts = new Map<string, Posts>();
  readonly things = new Map<string, Thing | 'gone'>();
  readonly reviews = new Map<string, ReadonlyMap<string, Review>>();
  readonly unclear = new Set<string>();
  pending: Posts | undefined;
  readonly #context: Context;
  /** When the list of each location or listing was read. */
  readonly #readAt = new Map<string, number>();
  #clock: (() => Present) | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  get clock(): Present | undefined {
    return this.#clock?.();
  }

  /** Reads what a step asks for. */
  async read(reading: Reading): Promise<void> {
    await this.#read(reading);
    if ('place' in reading) this.#readAt.set(reading.place, this.#context.timer.now());
  }

  async #read(reading: Reading): Promise<void> {
    switch (reading.what) {
      case 'posts':
        this.posts.set(reading.place, await readPosts(this.#context, reading.place ? { bulle_id: reading.place } : {}));
        return;
      case 'reviews':
        this.reviews.set(reading.place, await readReviews(this.#context, reading.place, reading.ids));
        return;
      case 'pending':
        this.pending = await readPosts(this.#context, { status: 'pending' });
        return;
      case 'clock': {
        const clock = await this.#context.clock();
        this.#clock = () => clock.now();
        return;
      }
      default:
        await this.readThing(reading.kind, reading.id);
    }
  }

  /** Looks at one object afresh. `gone`: the service answers 404 for its id, and nothing less proves that. */
  async readThing(kind: 'post' | 'article' | 'social', id: string | number): Promise<Thing | 'gone'> {
    const { client, counted, strict } = this.#context;
    const readings: Readonly<Record<typeof kind, () => Promise<Thing>>> = {
      post: () => client.posts.get(Number(id), strict),
      article: () => client.articles.get(Number(id), strict),
      social: () => client.social.get(String(id), counted).then(asPost),
    };
    const thing = await readings[kind]().catch((error) => {
      if (isMultilocalError(error) && error.code === 'not_found') return 'gone' as const;
      throw error;
    });
    this.things.set(`${kind} ${id}`, thing);
    return thing;
  }

  /** Whether others may have changed the list of a location or listing since it was read. */
  isOld(place: string): boolean {
    const readAt = this.#readAt.get(place);
    return readAt !== undefined && this.#context.timer.now() - readAt > FRESH_FOR;
  }

  /** Forgets such a list, so that it is read again. */
  forgetOld(place: string): void {
    if (!this.isOld(place)) return;
    this.posts.delete(place);
    this.reviews.delete(place);
  }

  /** What was changed or deleted is looked at again. What was deleted is no twin of what replaces it. */
  forget(id: string | number): void {
    this.things.delete(`post ${id}`);
    for (const list of [...this.posts.values(), ...(this.pending ? [this.pending] : [])]) list.delete(String(id));
  }
}
