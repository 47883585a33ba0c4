import type { Post } from 'multilocal';
import { postStatusByPlatform } from 'multilocal/internal/posts-platforms';
import { DAY, type Draft, type Found, type Look, MINUTE, ofBulle, PAGE, short, textOf, timeOf } from './look.js';

/** What was told of a post on each platform: `'p'` for published, else a short hash of the error. */
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

/** Published posts that a cursor remembers. Where the list is not sorted, all of them. */
const EDGE = 2_000;
/** A published post that lacks the result of a platform is followed for a day. It has this mark. */
const UNTIL = '~';

/** Looks at the posts: pending and failed ones whole, published ones where new ones stand. */
export async function lookAtPosts(before: PostsState | undefined, look: Look): Promise<Found<PostsState>> {
  const posts = new PostsLook(before, look);
  const waiting = await posts.list('pending');
  posts.begin();
  const failed = await posts.list('error');
  for (const post of [...waiting, ...failed]) posts.take(post);
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

  constructor(before: PostsState | undefined, look: Look) {
    this.#before = before;
    this.#look = look;
    this.#missing = new Set(Object.keys(before?.known ?? {}).map(Number));
    this.#edge = new Map(Object.entries(before?.edge ?? {}).map(([id, made]) => [Number(id), made]));
    this.#floor = before?.floor ?? look.since ?? Number.NaN;
  }

  /** What is there now is old, at the first look. A response has told the time of the service. */
  begin(): void {
    // A post of the last minutes may not be in the list yet.
    if (Number.isNaN(this.#floor)) this.#floor = this.#look.now() - 2 * MINUTE;
  }

  /** Reads all posts of a status. They move while the pages are read, so what no page shows is asked for by id. */
  async list(status: 'pending' | 'error'): Promise<Post[]> {
    const posts = new Map<number, Post>();
    for (let offset = 0; ; offset += PAGE) {
      const page = await this.#look.ask('posts.list', { status, offset });
      const size = posts.size;
      for (const post of page) posts.set(post.id, post);
      if (page.length < PAGE) return [...posts.values()];
      if (posts.size === size) return this.#unreadable(posts.values());
    }
  }

  /** Tells what is new of a post, and remembers it. */
  take(post: Post): void {
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
      const mark = published ? 'p' : error && short(error);
      if (!mark) isDone = false;
      if (!mark || marks[platform] === mark || isOld) continue;
      marks[platform] = mark;
      const at = published ?? updated_at;
      if (told === undefined && !this.#isAfterFloor(at, published !== null)) continue;
      const type = published ? 'post.published' : 'post.failed';
      const key = [id, platform, published ?? error];
      this.events.push({ type, key, at, ...ofBulle(bulle_id), platform, post });
    }
    this.#remember(post, marks, isDone);
  }

  /** Reads published posts: where new ones stand, and further while that finds known ones that have left the other lists. */
  async readPublished(): Promise<void> {
    const first = await this.#look.ask('posts.list', { status: 'published', offset: 0 });
    this.#order = orderOf(first, this.#before?.order);
    const isAscending = this.#order === 'asc' && this.#before?.count !== undefined;
    const start = isAscending ? Math.max(0, (this.#before?.count ?? 0) - PAGE) : 0;
    let page = start > 0 ? await this.#look.ask('posts.list', { status: 'published', offset: start }) : first;
    let fruitless = 0;
    for (let offset = start; ; ) {
      const [missing, seen] = [this.#missing.size, this.#seen.size];
      for (const post of page) this.take(post);
      this.#count = offset + page.length;
      if (page.length < PAGE) return;
      if (this.#seen.size === seen) return void this.#unreadable([]);
      fruitless = this.#missing.size < missing ? 0 : fruitless + 1;
      // A page costs as much as a post by its id.
      if (this.#isEdge(page) && this.#missing.size <= fruitless) return;
      offset += PAGE;
      page = await this.#look.ask('posts.list', { status: 'published', offset });
    }
  }

  /** Asks for known posts that no list shows. One that is gone was deleted. */
  async askForMissing(): Promise<void> {
    for (const id of [...this.#missing]) {
      const post = await this.#look.ask('posts.get', id);
      if (post) this.take(post);
    }
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

  /** Whether no new post stands behind this page of published ones. */
  #isEdge(page: readonly Post[]): boolean {
    if (this.#order !== 'desc') return false;
    // The first time, what is published is old. With `since`, a post that was made long ago may be new.
    if (!this.#before) return this.#look.since === undefined;
    const last = page.at(-1) as Post;
    return (
      this.#isRemembered(last.id) ||
      Object.hasOwn(this.#before.known, last.id) ||
      timeOf(last.created_at) <= this.#floor
    );
  }

  #isRemembered(id: number): boolean {
    return Object.hasOwn(this.#before?.edge ?? {}, id);
  }

  #remember(post: Post, marks: Marks, isDone: boolean): void {
    const { id, status } = post;
    if (status !== 'published') return void this.#known.set(id, marks);
    const until = Number(marks[UNTIL] ?? this.#look.now() + DAY);
    if (!isDone && this.#look.now() < until && !this.#isRemembered(id))
      this.#known.set(id, { ...marks, [UNTIL]: String(until) });
    else this.#edge.set(id, madeAt(post));
  }

  /** At the first look, a failure of the last day still holds. */
  #isAfterFloor(at: string, isPublished: boolean): boolean {
    const floor = isPublished || this.#look.since !== undefined ? this.#floor : this.#floor - DAY;
    return !(timeOf(at) <= floor);
  }

  /** The list repeats a page, so further posts cannot be read. */
  #unreadable(posts: Iterable<Post>): Post[] {
    if (!this.events.some(({ type }) => type === 'watch.gap'))
      this.events.push({
        type: 'watch.gap',
        key: ['pages', textOf(this.#look.now())],
        at: textOf(this.#look.now()),
        kind: 'posts',
      });
    return [...posts];
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
    const pairs = values.slice(1).map((value, index) => value - (values[index] as number));
    if (pairs.every((step) => step === 0)) continue;
    if (pairs.every((step) => step <= 0)) return 'desc';
    if (pairs.every((step) => step >= 0)) return 'asc';
  }
  return 'none';
}
