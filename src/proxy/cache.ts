import type { CacheSettings } from './options.js';
import { Refusal } from './refusal.js';

/** Milliseconds for which a 404 is cached, `maxAge` at most. */
const MISSING_AGE = 30_000;
/** Milliseconds after a failed revalidation before the next visitor starts another. */
const REVALIDATION_PAUSE = 10_000;

/** Hands work to the runtime that goes on after the response: `ctx.waitUntil` if there is one. */
export type Background = (work: Promise<unknown>) => void;

/** JSON from the cache, with its age in milliseconds. */
export interface Cached {
  body: string;
  age: number;
}

export interface Query {
  key: string;
  /** Requests the JSON from the service. `isNew`: the cache holds nothing for this query. */
  load(isNew: boolean): Promise<string>;
  /** Never answered with a stale entry. */
  freshOnly?: boolean;
}

interface Entry {
  /** The cached JSON, or the 404 to repeat. */
  content: string | Refusal;
  storedAt: number;
  /** No revalidation starts before this time. */
  revalidateAt: number;
}

interface Load {
  promise: Promise<string>;
  startedAt: number;
}

/**
 * The responses in memory, least recently used first. Visitors with the same query share one request to the service.
 *
 * Ages are measured with the system clock. A monotonic clock may stop while the machine sleeps, and an unpublished article
 * would be shown for longer.
 */
export class Cache {
  readonly #settings: CacheSettings | undefined;
  /** Milliseconds after which a load counts as lost: some runtimes stop the work of a visitor who leaves. */
  readonly #lostAfter: number;
  readonly #entries = new Map<string, Entry>();
  readonly #loads = new Map<string, Load>();
  #size = 0;

  constructor(settings: CacheSettings | undefined, timeout: number) {
    this.#settings = settings;
    // A load of one article may take two requests.
    this.#lostAfter = 3 * timeout;
  }

  /** The JSON for a query. @throws {Refusal} if there is none, not even a stale entry. */
  async read(query: Query, background: Background): Promise<Cached> {
    const { key, freshOnly } = query;
    const entry = this.#entries.get(key);
    if (!entry || !this.#settings) return this.#fresh(query, background);
    this.#entries.delete(key);
    this.#entries.set(key, entry);

    const { maxAge, staleWhileRevalidate, staleIfError } = this.#settings;
    const { content, storedAt, revalidateAt } = entry;
    const now = Date.now();
    const age = Math.max(0, now - storedAt);
    if (content instanceof Refusal) {
      if (age < Math.min(MISSING_AGE, maxAge)) throw content;
      return this.#fresh(query, background);
    }
    if (age < maxAge) return { body: content, age };
    if (!freshOnly && age < maxAge + staleWhileRevalidate) {
      if (now >= revalidateAt) this.#load(query, background);
      return { body: content, age };
    }
    try {
      return await this.#fresh(query, background);
    } catch (error) {
      const isOutage = error instanceof Refusal && error.outage;
      if (!freshOnly && isOutage && age < maxAge + staleIfError) return { body: content, age };
      throw error;
    }
  }

  /** Stores what came with another response. */
  store(key: string, content: string | Refusal): void {
    const size = sizeOf(content);
    this.#drop(key);
    if (!this.#settings || size > this.#settings.maxSize) return;
    const now = Date.now();
    this.#entries.set(key, { content, storedAt: now, revalidateAt: now });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#settings.maxEntries && this.#size <= this.#settings.maxSize) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry) this.#size -= sizeOf(entry.content);
    this.#entries.delete(key);
  }

  async #fresh(query: Query, background: Background): Promise<Cached> {
    return { body: await this.#load(query, background), age: 0 };
  }

  /** Starts a load, or joins the one that is under way for the same query. */
  #load(query: Query, background: Background): Promise<string> {
    const { key } = query;
    const underway = this.#loads.get(key);
    if (underway && Date.now() - underway.startedAt < this.#lostAfter) return underway.promise;
    const load: Load = { promise: this.#loadAndStore(query), startedAt: Date.now() };
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

  async #loadAndStore({ key, load }: Query): Promise<string> {
    try {
      const body = await load(!this.#entries.has(key));
      this.store(key, body);
      return body;
    } catch (error) {
      const refusal = error instanceof Refusal ? error : undefined;
      if (refusal?.status === 404) this.store(key, refusal);
      else if (!refusal?.outage) this.#drop(key);
      const stale = this.#entries.get(key);
      if (stale) stale.revalidateAt = Date.now() + REVALIDATION_PAUSE;
      throw error;
    }
  }
}

function sizeOf(content: string | Refusal): number {
  return typeof content === 'string' ? content.length : 100;
}
