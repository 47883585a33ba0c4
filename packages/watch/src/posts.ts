import type { Post } from 'multilocal';
import { postStatusByPlatform } from 'multilocal/internal/posts-platforms';
import { DAY, type Draft, type Found, gapOf, type Look, MINUTE, ofBulle, piecesOf, short, timeOf } from './look.js';
import { PAGE } from './reads.js';

/** What was told of a post on each platform: `PUBLISHED`, and a short hash of each error. */
type Marks = Record<string, string>;

/** What a cursor remembers of the posts. */
export interface PostsState {
  /** Posts that are not finished, and failed ones. Those without marks are `0`. */
  known: Record<number, Marks | 0>;
  /** The published posts where new ones stand, each with the second of its `created_at`. */
  edge: Record<number, number>;
  /** What was made up to this second and is not remembered is old. */
  old: number;
  /** A post that was not known is new only if it happened after this, in ms of the service. */
  floor: number;
  /** Number of published posts, if the list has the oldest one first. */
  count?: number;
  /** How the list was sorted: newest first, oldest first, or not at all. */
  order: 'desc' | 'asc' | 'none';
}

/** The mark of a platform on which a post is online, as long as a hash. */
const PUBLISHED = 'ONLINE.';
/** Published posts that a cursor remembers. Where the list is not sorted, all of them. */
const EDGE = 2_000;

/** Looks at the posts: pending and failed ones whole, published ones where new ones stand. */
export async function lookAtPosts(before: PostsState | undefined, look: Look): Promise<Found<PostsState>> {
  const posts = new PostsLook(before, look);
  for (const status of ['pending', 'error'] as const) await posts.list(status);
  await posts.readPublished();
  await posts.askForMissing();
  return { events: posts.events, state: posts.state() };
}

class PostsLook {
  readonly events: Draft[] = [];
  readonly #before: PostsState | undefined;
  readonly #look: Look;
  readonly #known = new Map<number, Marks>();
  /** Known posts that no list has shown yet. */
  readonly #missing: Set<number>;
  readonly #seen = new Set<number>();
  /** The remembered posts of the edge, and those that this look has seen. */
  readonly #edge: Map<number, number>;
  #floor: number;
  #order: PostsState['order'] = 'none';
  #count = 0;
  /** The first post of the last page. */
  #top: number | undefined;

  constructor(before: PostsState | undefined, look: Look) {
    this.#before = before;
    this.#look = look;
    this.#missing = new Set(Object.keys(before?.known ?? {}).map(Number));
    this.#edge = new Map(Object.entries(before?.edge ?? {}).map(([id, made]) => [Number(id), made]));
    this.#floor = before?.floor ?? look.since ?? Number.NaN;
  }

  /** Reads all posts of a status. They move while the pages are read, so what no page shows is asked for by id. */
  async list(status: 'pending' | 'error'): Promise<void> {
    for (let offset = 0; ; offset += PAGE) {
      const page = await this.#look.ask('posts.list', { status, offset });
      // What is published now is old at the first look. A post of the last minutes may not be in the list yet.
      if (Number.isNaN(this.#floor)) this.#floor = this.#look.now() - 2 * MINUTE;
      if (!this.#takeAll(page, offset)) return;
    }
  }

  /** Reads published posts: where new ones stand, and further while that finds known ones that have left the other lists. */
  async readPublished(): Promise<void> {
    const first = await this.#look.ask('posts.list', { status: 'published', offset: 0 });
    this.#order = orderOf(first, this.#before?.order);
    const start = this.#order === 'asc' ? Math.max(0, (this.#before?.count ?? 0) - PAGE) : 0;
    let fruitless = 0;
    for (let offset = start; ; offset += PAGE) {
      const page = offset === 0 ? first : await this.#look.ask('posts.list', { status: 'published', offset });
      const missing = this.#missing.size;
      this.#count = offset + page.length;
      if (!this.#takeAll(page, offset - start)) return;
      fruitless = this.#missing.size < missing ? 0 : fruitless + 1;
      // A page costs as much as a post by its id.
      if (this.#isEdge(page) && this.#missing.size <= fruitless) return;
    }
  }

  /** Asks for known posts that no list shows. One that is gone was deleted. */
  async askForMissing(): Promise<void> {
    const ids = [...this.#missing];
    const from = ids.length > this.#look.single ? Number.parseInt(short(`${this.#look.now()}`), 36) % ids.length : 0;
    const turns = [...ids.slice(from), ...ids.slice(0, from)];
    for (const id of turns.splice(0, this.#look.single)) {
      const post = await this.#look.ask('posts.get', id);
      if (post) this.#take(post);
    }
    for (const id of turns) this.#known.set(id, this.#before?.known[id] || {});
  }

  state(): PostsState {
    const edge = [...this.#edge].sort(([, one], [, other]) => other - one);
    // Where the list is not sorted, all of it is read each time.
    const dropped = edge.splice(this.#order === 'none' ? edge.length : EDGE);
    return {
      known: Object.fromEntries([...this.#known].map(([id, marks]) => [id, Object.keys(marks).length > 0 ? marks : 0])),
      edge: Object.fromEntries(edge),
      old: Math.max(this.#before?.old ?? 0, ...dropped.map(([, made]) => made)),
      floor: this.#floor,
      order: this.#order,
      ...(this.#order === 'asc' && { count: this.#count }),
    };
  }

  /** Returns whether further pages may have more. */
  #takeAll(page: readonly Post[], offset: number): boolean {
    for (const post of page) this.#take(post);
    const isRepeat = offset > 0 && page[0]?.id === this.#top;
    this.#top = page[0]?.id;
    if (page.length < PAGE || !isRepeat) return page.length >= PAGE;
    // The list repeats a page, so further posts cannot be read.
    if (!this.events.some(({ type }) => type === 'watch.gap'))
      this.events.push(gapOf('posts', [this.#look.now()], this.#look));
    return false;
  }

  /** Tells what is new of a post, and remembers it. */
  #take(post: Post): void {
    if (this.#seen.has(post.id)) return;
    this.#seen.add(post.id);
    this.#missing.delete(post.id);
    const { id, updated_at, bulle_id } = post;
    const told = this.#before?.known[id];
    const isOld = told === undefined && (this.#isRemembered(id) || madeAt(post) <= (this.#before?.old ?? 0));
    const marks: Marks = { ...(told || {}) };
    let isDone = post.platforms.length > 0;
    for (const [platform, status] of Object.entries(postStatusByPlatform(post))) {
      const { published = null, error = null } = status ?? {};
      if (!published) isDone = false;
      const mark = published ? PUBLISHED : error && short(error);
      const { [platform]: before = '' } = marks;
      if (!mark || piecesOf(before).includes(mark)) continue;
      // Of errors that differ each time, the cursor keeps the last ones.
      marks[platform] = (before + mark).slice(-8 * PUBLISHED.length);
      const at = published ?? updated_at;
      if (isOld || (told === undefined && !this.#isNew(at, published !== null))) continue;
      const type = published ? 'post.published' : 'post.failed';
      this.events.push({ type, key: [id, platform, published ?? error], at, ...ofBulle(bulle_id), platform, post });
    }
    // One that lacks a platform is followed for a day: it may be tried again.
    const isFollowed = !isDone && !this.#isRemembered(id) && timeOf(updated_at) + DAY > this.#look.now();
    if (post.status !== 'published' || isFollowed) this.#known.set(id, marks);
    else this.#edge.set(id, madeAt(post));
  }

  /** Whether what happened to a post that was not known is new. At the first look, a failure of the last day still holds. */
  #isNew(at: string, isPublished: boolean): boolean {
    if (this.#before || this.#look.since !== undefined) return !(timeOf(at) <= this.#floor);
    return !isPublished && timeOf(at) > this.#look.now() - DAY;
  }

  /** Whether no new post stands behind this page of published ones. */
  #isEdge(page: readonly Post[]): boolean {
    if (this.#order !== 'desc') return false;
    // The first time, what is published is old. With `since`, a post that was made long ago may be new.
    if (!this.#before) return this.#look.since === undefined;
    const { id, created_at } = page.at(-1) as Post;
    return this.#isRemembered(id) || Object.hasOwn(this.#before.known, id) || timeOf(created_at) <= this.#floor;
  }

  #isRemembered(id: number): boolean {
    return Object.hasOwn(this.#before?.edge ?? {}, id);
  }
}

function madeAt({ created_at }: Post): number {
  return Math.floor((timeOf(created_at) || 0) / 1_000);
}

/** How a page is sorted: by whatever a service could sort posts. One post shows no order. */
export function orderOf(page: readonly Post[], before: PostsState['order'] = 'desc'): PostsState['order'] {
  if (page.length < 2) return before;
  const latest = (post: Post) =>
    Math.max(...Object.values(postStatusByPlatform(post)).map((status) => timeOf(status?.published) || 0));
  const keys = [
    ({ id }: Post) => id,
    (post: Post) => timeOf(post.created_at),
    (post: Post) => timeOf(post.updated_at),
    latest,
  ];
  for (const key of keys) {
    const values = page.map(key);
    const steps = values.slice(1).map((value, index) => value - (values[index] as number));
    if (steps.every((step) => step === 0)) continue;
    if (steps.every((step) => step <= 0)) return 'desc';
    if (steps.every((step) => step >= 0)) return 'asc';
  }
  return 'none';
}
