import type { CacheSettings } from './options.js';
import { Refusal } from './refusal.js';

/** Milliseconds for which a 404 is cached, but at most `maxAge`. */
const MISSING_AGE = 30_000;
/** Milliseconds after a failed revalidation until a visitor can start another one. */
const REVALIDATION_PAUSE = 10_000;
/** The part of the cache that is reserved for responses to new queries. */
const NEW_SHARE = 1 / 4;
/** The part of the entries that can be popular. By default, the budget for them can refresh all of them every day. */
const POPULAR_SHARE = 1 / 8;

/** Passes work that continues after the response to the runtime: `ctx.waitUntil` if there is one. */
export type Background = (work: Promise<unknown>) => void;

/** JSON from the cache, with its age in milliseconds. */
export interface Cached {
  body: string;
  age: number;
}

export interface Query {
  key: string;
  /** Takes the request from the budget. `stale`: the kind of cached response to refresh. @throws {Refusal} */
  admit(stale: Stale | undefined): void;
  /** Requests the JSON from the service. */
  load(): Promise<string>;
  /** Whether visitors can send any number of different queries of this kind. */
  isNew?: boolean;
  /** Whether a stale entry must not be used. */
  freshOnly?: boolean;
}

/** A response to refresh. `popular`: visitors read it repeatedly, and it will soon be too old to be sent. */
type Stale = 'refresh' | 'popular';

interface Load {
  promise: Promise<string>;
  startedAt: number;
}

/**
 * The responses in memory. Visitors with the same query share one request to the service.
 *
 * A quarter of the cache is reserved for responses to new queries: lists with parameters, confirmations, every
 * 404. They can also use free room, but they never push out articles or the list without parameters from the other
 * three quarters.
 *
 * Popular responses are those that visitors read again after `maxAge`. Nothing pushes them out as long as visitors read
 * them. Without this rule, a visitor could push them out by reading many other entries, since these reads cost nothing.
 */
export class Cache {
  readonly #settings: CacheSettings | undefined;
  /** Milliseconds after which a load counts as lost, because some runtimes stop work when the visitor disconnects. */
  readonly #lostAfter: number;
  readonly #popular = new Part();
  readonly #main = new Part();
  readonly #new = new Part();
  readonly #parts = [this.#popular, this.#main, this.#new];
  readonly #loads = new Map<string, Load>();

  constructor(settings: CacheSettings | undefined, timeout: number) {
    this.#settings = settings;
    // The load of one article may need two requests.
    this.#lostAfter = 3 * timeout;
  }

  /** The JSON for a query. @throws {Refusal} if there is none, not even a stale entry. */
  async read(query: Query, background: Background): Promise<Cached> {
    const { key, freshOnly } = query;
    const entry = this.#entry(key);
    if (!entry || !this.#settings) return this.#fresh(query, background);

    const { maxAge, staleWhileRevalidate, staleIfError } = this.#settings;
    const { content, age } = entry;
    if (content instanceof Refusal) {
      if (age < Math.min(MISSING_AGE, maxAge)) throw content;
      return this.#fresh(query, background);
    }
    if (age < maxAge) return { body: content, age };
    if (!freshOnly && age < maxAge + staleWhileRevalidate) {
      // The visitor gets the stale response, so a failed refresh is not an error for the visitor.
      if (performance.now() >= entry.revalidateAt) this.#load(query, background, 'refresh').catch(() => {});
      return { body: content, age };
    }
    if (freshOnly || age >= maxAge + staleIfError) return this.#fresh(query, background);
    const isLate = this.#popular.has(key) && age >= (maxAge + staleIfError) / 2;
    try {
      return await this.#fresh(query, background, isLate ? 'popular' : 'refresh');
    } catch (error) {
      if (error instanceof Refusal && error.outage) return { body: content, age };
      throw error;
    }
  }

  /**
   * Stores a response. With `ifRoom`, only if the three quarters of the articles have room, so that it pushes out none.
   */
  store(key: string, content: string | Refusal, { isNew = false, ifRoom = false } = {}): void {
    if (!this.#settings) return;
    const { maxEntries, maxSize } = this.#settings;
    const article = this.#popular.has(key) ? this.#popular : this.#main;
    const part = isNew ? this.#new : article;
    const entry = new Entry(content);
    if (ifRoom && !part.has(key)) {
      const own = 1 - NEW_SHARE;
      const count = this.#popular.count + this.#main.count + 1;
      if (count > maxEntries * own || this.#popular.size + this.#main.size + entry.size > maxSize * own) return;
    }
    for (const other of this.#parts) if (other !== part || entry.size > maxSize) other.drop(key);
    if (entry.size <= maxSize) part.set(key, entry);
    while (sum(this.#parts, 'count') > maxEntries || sum(this.#parts, 'size') > maxSize) {
      this.#dropOldest(this.#settings);
    }
  }

  #dropOldest({ maxEntries, maxSize }: CacheSettings): void {
    const { count, size } = this.#new;
    if (count > maxEntries * NEW_SHARE || size > maxSize * NEW_SHARE) this.#new.dropOldest();
    else if (this.#main.count > 0) this.#main.dropOldest();
    else this.#popular.dropOldest();
  }

  async #fresh(query: Query, background: Background, stale?: Stale): Promise<Cached> {
    return { body: await this.#load(query, background, stale), age: 0 };
  }

  /** The entry for a key. Counts as read by a visitor. */
  #entry(key: string): Entry | undefined {
    const entry = this.#main.use(key);
    if (entry) this.#promote(key, entry);
    return entry ?? this.#popular.use(key) ?? this.#new.use(key);
  }

  /**
   * Makes an entry popular if it is read again after `maxAge`. It can replace the least recently read popular entry.
   */
  #promote(key: string, entry: Entry): void {
    if (!this.#settings) return;
    const { maxAge, staleIfError, maxEntries } = this.#settings;
    const now = performance.now();
    if (now - entry.firstRead < maxAge) return;
    if (this.#popular.count + 1 > maxEntries * POPULAR_SHARE) {
      const [oldestKey, oldest] = this.#popular.oldest ?? [];
      if (oldestKey === undefined || !oldest || now - oldest.lastRead < maxAge + staleIfError) return;
      this.#popular.drop(oldestKey);
      this.#main.set(oldestKey, oldest);
    }
    this.#main.drop(key);
    this.#popular.set(key, entry);
  }

  /** Starts a load, or waits for the running load of the same query. */
  async #load(query: Query, background: Background, stale: Stale | undefined): Promise<string> {
    const { key } = query;
    const underway = this.#loads.get(key);
    if (underway && performance.now() - underway.startedAt < this.#lostAfter) return underway.promise;
    // This must be before the load starts, because the refusal may be for this visitor only.
    query.admit(stale);
    const load: Load = { promise: this.#loadAndStore(query), startedAt: performance.now() };
    this.#loads.set(key, load);
    const ended = load.promise
      .catch(() => {})
      .finally(() => {
        if (this.#loads.get(key) === load) this.#loads.delete(key);
      });
    // The first visitor may disconnect while others wait for the same response.
    background(ended);
    return load.promise;
  }

  async #loadAndStore({ key, load, isNew = false }: Query): Promise<string> {
    try {
      const body = await load();
      this.store(key, body, { isNew });
      // A visitor waits for this response, so it counts as read.
      this.#entry(key);
      return body;
    } catch (error) {
      const refusal = error instanceof Refusal ? error : undefined;
      if (refusal?.status === 404) this.store(key, refusal, { isNew: true });
      else if (!refusal?.outage) for (const part of this.#parts) part.drop(key);
      const stale = this.#entry(key);
      if (stale) stale.revalidateAt = performance.now() + REVALIDATION_PAUSE;
      throw error;
    }
  }
}

/** A response and how old it is. */
class Entry {
  /** The cached JSON, or the 404 to repeat. */
  readonly content: string | Refusal;
  readonly size: number;
  /** No revalidation starts before this time (monotonic clock). */
  revalidateAt = 0;
  /** First and last read of this entry or of the entries that it replaced. */
  firstRead = Number.POSITIVE_INFINITY;
  lastRead = 0;
  readonly #storedAt = { monotonic: performance.now(), wall: Date.now() };

  constructor(content: string | Refusal) {
    this.content = content;
    this.size = typeof content === 'string' ? content.length : 100;
  }

  /**
   * Milliseconds by the clock that shows the larger age. The monotonic clock may stop while the machine sleeps, and an
   * unpublished article would be shown for too long. The system clock may be set back, and entries would never get old.
   */
  get age(): number {
    const { monotonic, wall } = this.#storedAt;
    return Math.max(performance.now() - monotonic, Date.now() - wall);
  }
}

/** Entries, least recently used first. */
class Part {
  readonly #entries = new Map<string, Entry>();
  #size = 0;

  get count(): number {
    return this.#entries.size;
  }

  get size(): number {
    return this.#size;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  use(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    entry.lastRead = performance.now();
    entry.firstRead = Math.min(entry.firstRead, entry.lastRead);
    return entry;
  }

  /** Replaces an entry without changing its position, because only reads of visitors make it recently used. */
  set(key: string, entry: Entry): void {
    const old = this.#entries.get(key);
    if (old) ({ firstRead: entry.firstRead, lastRead: entry.lastRead } = old);
    this.#size += entry.size - (old?.size ?? 0);
    this.#entries.set(key, entry);
  }

  drop(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }

  get oldest(): [string, Entry] | undefined {
    return this.#entries.entries().next().value;
  }

  dropOldest(): void {
    if (this.oldest) this.drop(this.oldest[0]);
  }
}

function sum(parts: readonly Part[], what: 'count' | 'size'): number {
  return parts.reduce((total, part) => total + part[what], 0);
}
