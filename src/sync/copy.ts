import { invalid } from '../core/request.js';
import type { Change } from './change.js';
import type { SyncArticle } from './source.js';
import type { StoredVersion } from './store.js';
import { isAfterThat } from './walk.js';

/** The expected content of `known` and of a store's `ids`, for messages. */
export const NUMERIC_IDS = 'must hold numeric ids';

/** The ids of the stored articles, or pairs of id and `updated_at`. */
export type KnownArticles = Iterable<number | StoredVersion> | AsyncIterable<number | StoredVersion>;

/** The articles of a store. A run loads them only if it needs them. */
export interface StoredArticles {
  /** Whether `load` returns versions. A run then compares every article with them. */
  readonly hasVersions: boolean;
  load(): Promise<KnownArticles>;
}

/**
 * How articles were read: by a walk, by a complete listing, or one by one because they were missing from a complete
 * listing.
 */
export type Reading = 'walk' | 'listing' | 'request';

/** The articles that the caller has: the known ones, with the additions and removals of this run. */
export class Copy<Listed extends SyncArticle> {
  readonly cursor: string | undefined;
  readonly #bulle_id: string | undefined;
  /** The `updated_at` of each article. `undefined` if it is not known. */
  readonly #versions = new Map<number, string | undefined>();
  /** What is not loaded yet. */
  #stored: StoredArticles | undefined;
  /** Whether `known` or a store was given. */
  #isKnown: boolean;
  /** The locations of listed articles, as the service writes them. */
  readonly #locations = new Set<string>();
  readonly #isLater: (timestamp: string) => boolean;

  constructor(cursor: string | undefined, bulle_id: string | undefined, stored?: StoredArticles) {
    this.cursor = cursor;
    this.#bulle_id = bulle_id;
    this.#stored = stored;
    this.#isKnown = stored !== undefined;
    this.#isLater = cursor === undefined ? () => true : isAfterThat(cursor);
  }

  get size(): number {
    return this.#versions.size;
  }

  get ids(): number[] {
    return [...this.#versions.keys()];
  }

  has(id: number): boolean {
    return this.#versions.has(id);
  }

  /** @throws {InvalidRequestError} if an id is not a number. What cannot be iterated counts as such an id. */
  async fill(known: KnownArticles): Promise<void> {
    this.#isKnown = true;
    const given = Object(known);
    for await (const entry of (given[Symbol.asyncIterator] ?? given[Symbol.iterator]) ? known : [Number.NaN]) {
      const [id, version] = Array.isArray(entry) ? (entry as StoredVersion) : [entry as number];
      // The string '42' is another key of a Map than the number 42: the article would count as deleted.
      if (!Number.isSafeInteger(id)) {
        throw invalid([{ path: ['known'], message: NUMERIC_IDS }], { operation: 'articles.sync' });
      }
      // Without a cursor, everything is yielded again.
      this.#versions.set(id, this.cursor === undefined ? undefined : version);
    }
  }

  /** Loads the stored articles, unless they are loaded. */
  async load(): Promise<void> {
    const stored = this.#stored;
    this.#stored = undefined;
    if (stored) await this.fill(await stored.load());
  }

  /** Loads the stored articles if the changes for these articles depend on them. */
  async prepare(articles: readonly Listed[]): Promise<void> {
    const { hasVersions = false } = this.#stored ?? {};
    // Only a draft makes a difference: it is removed if it is stored. A published article is stored in any case.
    const isNeeded = ({ id, status }: Listed) => hasVersions || (status !== 'published' && !this.#versions.has(id));
    if (articles.some(isNeeded)) await this.load();
  }

  /** Yields the changes for these articles and counts them as applied. */
  *changes(articles: readonly Listed[], reading: Reading): Generator<Change<Listed>, void, undefined> {
    // The stored version of an article that was missing from a listing cannot be trusted.
    const isMissing = reading === 'request';
    for (const article of articles) {
      const { id, status, updated_at, bulle_id } = article;
      if (!isMissing && bulle_id != null) this.#locations.add(bulle_id);
      if (status === 'published' && !(isMissing && this.#isElsewhere(article))) {
        if (!isMissing && !this.#isWanted(article)) continue;
        // Only a complete listing may be read twice. A walk needs no versions, which would take memory.
        this.#versions.set(id, reading === 'walk' ? undefined : updated_at);
        yield { type: 'upsert', article };
      } else if (this.#versions.delete(id) || (!this.#isKnown && this.cursor !== undefined && this.#isNews(article))) {
        yield { type: 'unpublish', id, article };
      }
    }
  }

  /** Yields the deletion of an article that no longer exists. */
  delete(id: number): Change<Listed> {
    this.#versions.delete(id);
    return { type: 'delete', id };
  }

  #isWanted(article: Listed): boolean {
    const version = this.#versions.get(article.id);
    if (version !== undefined) return version !== article.updated_at;
    return this.#isNews(article) || (this.#isKnown && !this.#versions.has(article.id));
  }

  #isNews({ updated_at }: Listed): boolean {
    return this.#isLater(updated_at);
  }

  /** Whether an article that was requested by its id has moved to a location that the list does not show. */
  #isElsewhere({ bulle_id }: Listed): boolean {
    const isOneLocation = this.#bulle_id !== undefined && this.#locations.size > 0;
    return isOneLocation && bulle_id != null && !this.#locations.has(bulle_id);
  }
}
