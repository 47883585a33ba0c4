import type { Promisable } from 'type-fest';
import { MassDeletionError, RateLimitError, SyncStalledError } from '../core/errors/index.js';
import { isAfter } from '../core/timestamps.js';
import type { Change } from './change.js';
import type { Copy } from './copy.js';
import type { SyncArticle, SyncSource } from './source.js';
import type { ListingState } from './store.js';
import { BEGINNING, type Step, stalled, walk } from './walk.js';

/** From so many known ids on, the loss of more than half of them looks like a wrong key. */
const MASS = 10;
/** Up to so many missing articles are requested one by one. */
const MOST_REQUESTED = 50;

/** Where a listing keeps how far it has come. */
export interface ListingStore {
  load(): Promisable<ListingState | null>;
  save(state: ListingState | null): Promisable<void>;
}

/** Lists all articles and deletes the known ones that are gone. A listing that the budget ends is resumed by the next run. */
export async function* completeListing<Listed extends SyncArticle>(
  source: SyncSource<Listed>,
  copy: Copy<Listed>,
  allowMassDeletion: boolean,
  store: ListingStore | undefined,
): AsyncGenerator<Change<Listed>, void, undefined> {
  const saved = await store?.load();
  const listing = new Listing(source, copy, allowMassDeletion, saved ?? { pass: 1, position: BEGINNING, ids: [] });
  try {
    yield* listing.run(store !== undefined);
  } catch (error) {
    // Only the budget stops a listing again and again. After another failure a new listing sees more: what is deleted
    // behind the position of a resumed one is found by the next.
    if (error instanceof RateLimitError) await store?.save(listing.state);
    else if (error instanceof SyncStalledError || error instanceof MassDeletionError) await store?.save(null);
    throw error;
  }
  if (saved) await store?.save(null);
  if (listing.reached) yield { type: 'checkpoint', cursor: listing.reached };
}

/**
 * One complete listing.
 *
 * No listing proves a deletion by itself, since pages, totals and timestamps may be wrong or change meanwhile. So each
 * missing article is requested: only a 404 deletes it. Beyond 50, a second complete listing must agree.
 */
class Listing<Listed extends SyncArticle> {
  readonly #source: SyncSource<Listed>;
  readonly #copy: Copy<Listed>;
  readonly #known: number;
  readonly #allowMassDeletion: boolean;
  readonly #listed: Set<number>;
  #pass: number;
  #position: string;
  #isDoubtful = false;
  /** The latest timestamp, `''` if there is none. */
  reached: string;

  constructor(
    source: SyncSource<Listed>,
    copy: Copy<Listed>,
    allowMassDeletion: boolean,
    { pass, position, ids }: ListingState,
  ) {
    this.#source = source;
    this.#copy = copy;
    this.#known = copy.size;
    this.#allowMassDeletion = allowMassDeletion;
    this.#listed = new Set(ids);
    this.#pass = pass;
    this.#position = position;
    this.reached = copy.cursor ?? '';
  }

  get state(): ListingState {
    return { pass: this.#pass, position: this.#position, ids: [...this.#listed] };
  }

  /** @throws {MassDeletionError} if too many articles are missing. */
  async *run(canResume: boolean): AsyncGenerator<Change<Listed>, void, undefined> {
    yield* this.#list(canResume);
    let missing = this.#missing();
    if (missing.length > MOST_REQUESTED && this.#pass === 1) {
      this.#pass = 2;
      this.#position = BEGINNING;
      yield* this.#list(canResume);
      missing = this.#missing();
    }
    for (const id of missing) {
      const article = missing.length <= MOST_REQUESTED ? await this.#source.get(id) : undefined;
      if (article) yield* this.#copy.changes([article], true);
      else yield this.#copy.delete(id);
    }
  }

  async *#list(canResume: boolean): AsyncGenerator<Change<Listed>, void, undefined> {
    let isAnnounced = false;
    for await (const step of walk(this.#source, this.#position)) {
      const { articles, cursor, total, isDoubtful } = step;
      if (!isAnnounced) this.#source.announce({ total, requests: pagesLeft(step), canResume });
      isAnnounced = true;
      yield* this.#copy.changes(articles);
      for (const { id } of articles) this.#listed.add(id);
      this.#isDoubtful = isDoubtful;
      if (cursor === undefined || cursor === BEGINNING) continue;
      this.#position = cursor;
      if (isAfter(cursor, this.reached)) this.reached = cursor;
    }
  }

  /** @throws if so many are missing that the list cannot be right. */
  #missing(): number[] {
    const missing = this.#copy.ids.filter((id) => !this.#listed.has(id));
    const isMass = !this.#allowMassDeletion && this.#known > MASS && missing.length > this.#known / 2;
    if (missing.length <= MOST_REQUESTED && !isMass) return missing;
    if (this.#isDoubtful) {
      throw stalled(this.#source, `${missing.length} known articles are missing and \`total\` disagrees`, this.reached);
    }
    if (isMass) throw massDeletion(missing.length, this.#known);
    return missing;
  }
}

/** About how many requests the rest of a listing takes: each page repeats the last article of the page before. */
function pagesLeft({ total, limit }: Step<SyncArticle>): number {
  return Math.max(0, Math.ceil((total - limit) / Math.max(1, limit - 1)));
}

function massDeletion(missing: number, known: number): MassDeletionError {
  const message = `${missing} of ${known} known articles vanished: check the key, or set allowMassDeletion.`;
  return new MassDeletionError(message, { operation: 'articles.sync', missing, known });
}
