import type { CacheSettings } from './options.js';
import { Refusal } from './refusal.js';

/** Milliseconds for which a 404 is cached, `maxAge` at most. */
const MISSING_AGE = 30_000;
/** Milliseconds after a failed revalidation before the next visitor starts another. */
const REVALIDATION_PAUSE = 10_000;
/** The part of the cache that responses to invented queries may always use. */
const INVENTED_SHARE = 1 / 4;

/** Hands work to the runtime that goes on after the response: `ctx.waitUntil` if there is one. */
export type Background = (work: Promise<unknown>) => void;

/** JSON from the cache, with its age in milliseconds. */
export interface Cached {
  body: string;
  age: number;
}

export interface Query {
  key: string;
  /** Takes the request from the budget. `isRefresh`: a cached response can be sent instead. @throws {Refusal} */
  admit(isRefresh: boolean): void;
  /** Requests the JSON from the service. */
  load(): Promise<string>;
  /** Whether visitors can make endlessly many queries of this kind. */
  isInvented?: boolean;
  /** Never answered with a stale entry. */
  freshOnly?: boolean;
}

interface Load {
  promise: Promise<string>;
  startedAt: number;
}

/**
 * The responses in memory. Visitors with the same query share one request to the service.
 *
 * Responses to invented queries (lists with parameters, confirmations, every 404) use the room that is free, and a
 * quarter in any case. They never take the other three quarters from the articles and the plain list.
 */
export class Cache {
  readonly #settings: CacheSettings | undefined;
  /** Milliseconds after which a load counts as lost: some runtimes stop the work of a visitor who leaves. */
  readonly #lostAfter: number;
  readonly #main = new Part();
  readonly #invented = new Part();
  readonly #loads = new Map<string, Load>();

  constructor(settings: CacheSettings | undefined, timeout: number) {
    this.#settings = settings;
    // A load of one article may take two requests.
    this.#lostAfter = 3 * timeout;
  }

  /** The JSON for a query. @throws {Refusal} if there is none, not even a stale entry. */
  async read(query: Query, background: Background): Promise<Cached> {
    const { key, freshOnly } = query;
    const entry = this.#entry(key);
    if (!entry || !this.#settings) return this.#fresh(query, background, false);

    const { maxAge, staleWhileRevalidate, staleIfError } = this.#settings;
    const { content, age } = entry;
    if (content instanceof Refusal) {
      if (age < Math.min(MISSING_AGE, maxAge)) throw content;
      return this.#fresh(query, background, false);
    }
    if (age < maxAge) return { body: content, age };
    if (!freshOnly && age < maxAge + staleWhileRevalidate) {
      // A visitor who gets the stale response need not know that it cannot be refreshed now.
      if (performance.now() >= entry.revalidateAt) this.#load(query, background, true).catch(() => {});
      return { body: content, age };
    }
    const isStale = !freshOnly && age < maxAge + staleIfError;
    try {
      return await this.#fresh(query, background, isStale);
    } catch (error) {
      if (isStale && error instanceof Refusal && error.outage) return { body: content, age };
      throw error;
    }
  }

  /** Stores a response. With `ifRoom`, it pushes out no article: they keep three quarters, and more only as long as it is free. */
  store(key: string, content: string | Refusal, { isInvented = false, ifRoom = false } = {}): void {
    if (!this.#settings) return;
    const { maxEntries, maxSize } = this.#settings;
    const [part, other] = isInvented ? [this.#invented, this.#main] : [this.#main, this.#invented];
    const entry = new Entry(content);
    if (ifRoom && !part.has(key)) {
      const own = 1 - INVENTED_SHARE;
      if (part.count + 1 > maxEntries * own || part.size + entry.size > maxSize * own) return;
    }
    other.drop(key);
    if (entry.size <= maxSize) part.set(key, entry);
    else part.drop(key);
    while (this.#main.count + this.#invented.count > maxEntries || this.#main.size + this.#invented.size > maxSize) {
      const { count, size } = this.#invented;
      if (count > maxEntries * INVENTED_SHARE || size > maxSize * INVENTED_SHARE) this.#invented.dropOldest();
      else this.#main.dropOldest();
    }
  }

  async #fresh(query: Query, background: Background, isRefresh: boolean): Promise<Cached> {
    return { body: await this.#load(query, background, isRefresh), age: 0 };
  }

  #entry(key: string): Entry | undefined {
    return this.#main.use(key) ?? this.#invented.use(key);
  }

  /** Starts a load, or joins the one that is under way for the same query. */
  async #load(query: Query, background: Background, isRefresh: boolean): Promise<string> {
    const { key } = query;
    const underway = this.#loads.get(key);
    if (underway && performance.now() - underway.startedAt < this.#lostAfter) return underway.promise;
    // Before there is a load to join: the refusal may be about this visitor only.
    query.admit(isRefresh);
    const load: Load = { promise: this.#loadAndStore(query), startedAt: performance.now() };
    this.#loads.set(key, load);
    const ended = load.promise
      .catch(() => {})
      .finally(() => {
        if (this.#loads.get(key) === load) this.#loads.delete(key);
      });
    // The visitor who came first may leave while others wait for the same response.
    background(ended);
    return load.promise;
  }

  async #loadAndStore({ key, load, isInvented = false }: Query): Promise<string> {
    try {
      const body = await load();
      this.store(key, body, { isInvented });
      return body;
    } catch (error) {
      const refusal = error instanceof Refusal ? error : undefined;
      if (refusal?.status === 404) this.store(key, refusal, { isInvented: true });
      else if (!refusal?.outage) {
        this.#main.drop(key);
        this.#invented.drop(key);
      }
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
  /** No revalidation starts before this time, which is monotonic. */
  revalidateAt = 0;
  readonly #storedAt = { monotonic: performance.now(), wall: Date.now() };

  constructor(content: string | Refusal) {
    this.content = content;
    this.size = typeof content === 'string' ? content.length : 100;
  }

  /**
   * Milliseconds by the clock that shows more. The monotonic clock may stop while the machine sleeps, and an unpublished
   * article would be shown for longer. The system clock may be set back, and nothing would get old.
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
    return entry;
  }

  /** Replaces an entry where it stands: only visitors make it recently used. */
  set(key: string, entry: Entry): void {
    this.#size += entry.size - (this.#entries.get(key)?.size ?? 0);
    this.#entries.set(key, entry);
  }

  drop(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }

  dropOldest(): void {
    const { value: oldest } = this.#entries.keys().next();
    if (oldest !== undefined) this.drop(oldest);
  }
}
