import type { Promisable } from 'type-fest';
import { isMultilocalError, MassDeletionError, RateLimitError, SyncStalledError } from '../core/errors/index.js';
import { DAY, sortKey } from '../core/timestamps.js';
import type { RunEvent } from './change.js';
import type { Copy } from './copy.js';
import { cannotResume, SliceEnd } from './slice.js';
import type { SyncArticle, SyncSource } from './source.js';
import type { ListingState } from './store.js';
import { BEGINNING, isAfter, type Step, stalled, walk } from './walk.js';

/** With more known articles than this, the loss of more than half of them is probably caused by a wrong key. */
const MASS = 10;
/** Up to this number, missing articles are requested one by one. */
const MOST_REQUESTED = 50;

/** Keeps the position of a listing. */
export interface ListingStore {
  load(): Promisable<ListingState | null>;
  save(state: ListingState | null): Promisable<void>;
}

/** Lists all articles and yields the deletions. The next run resumes a listing that the budget ended. */
export async function* completeListing<Listed extends SyncArticle>(
  source: SyncSource<Listed>,
  copy: Copy<Listed>,
  allowMassDeletion: boolean,
  store: ListingStore | undefined,
): AsyncGenerator<RunEvent<Listed>, void, undefined> {
  const saved = (await store?.load()) ?? undefined;
  const listing = new Listing(source, copy, allowMassDeletion);
  if (saved) listing.resume(saved);
  try {
    yield* listing.run(store !== undefined);
  } catch (error) {
    if (error instanceof SliceEnd) await pause(listing.state, error.limit, store);
    else await keep(listing.state, error, store);
    throw error;
  }
  if (saved) await store?.save(null);
  if (listing.reached) yield { type: 'checkpoint', cursor: listing.reached };
}

/** Keeps the position of a listing that the next run continues. */
async function pause(state: ListingState, limit: SliceEnd['limit'], store: ListingStore | undefined): Promise<void> {
  if (!store) throw cannotResume(limit);
  await store.save(state);
}

/**
 * Keeps the position of a listing if the error is not about the list: a used-up budget, an abort, the caller's limiter.
 */
async function keep(state: ListingState, error: unknown, store: ListingStore | undefined): Promise<void> {
  const isWrong = error instanceof SyncStalledError || error instanceof MassDeletionError;
  // After a failure of the service, a new listing is better than a resumed one, which cannot see deletions before its
  // position.
  if (!isWrong && isMultilocalError(error) && !(error instanceof RateLimitError)) return;
  try {
    await store?.save(isWrong ? null : state);
  } catch {
    // The error that ended the listing is more important. The next listing starts again.
  }
}

/**
 * One complete listing.
 *
 * A listing alone does not prove a deletion, because pages, totals and timestamps may be wrong or change at the same
 * time. So each missing article is requested, and only a 404 deletes it. If more than 50 are missing, a second complete
 * listing must agree, and 50 of the missing articles are requested.
 */
class Listing<Listed extends SyncArticle> {
  readonly #source: SyncSource<Listed>;
  readonly #copy: Copy<Listed>;
  readonly #known: number;
  readonly #allowMassDeletion: boolean;
  #listed = new Set<number>();
  #position = BEGINNING;
  /** During the second listing: the ids that were missing from the first. */
  #missing: readonly number[] | null = null;
  #isDoubtful = false;
  /** The latest timestamp. `''` if there is none. */
  reached: string;

  constructor(source: SyncSource<Listed>, copy: Copy<Listed>, allowMassDeletion: boolean) {
    this.#source = source;
    this.#copy = copy;
    this.#known = copy.size;
    this.#allowMassDeletion = allowMassDeletion;
    this.reached = copy.cursor ?? '';
  }

  get state(): ListingState {
    return {
      ...this.#subject,
      position: this.#position,
      ids: [...this.#listed],
      missing: this.#missing,
      savedAt: new Date().toISOString(),
    };
  }

  /** Continues a recent listing of the same articles from its position. */
  resume({ bulle_id, isFirst, position, ids, missing, savedAt }: ListingState): void {
    const subject = this.#subject;
    // The articles that were deleted since would never be found. A date in the future is of a wrong clock.
    if (!(Math.abs(Date.now() - Date.parse(savedAt ?? '')) <= DAY)) return;
    if (bulle_id !== subject.bulle_id || isFirst !== subject.isFirst || sortKey(position) === undefined) return;
    this.#listed = new Set(ids);
    this.#position = position;
    this.#missing = missing;
    // The earlier run has delivered everything up to here.
    if (position !== BEGINNING && isAfter(position, this.reached)) this.reached = position;
  }

  /** @throws {MassDeletionError} if too many articles are missing. */
  async *run(canResume: boolean): AsyncGenerator<RunEvent<Listed>, void, undefined> {
    yield* this.#list(canResume);
    let missing = this.#findMissing();
    if (missing.length > MOST_REQUESTED && !this.#missing) {
      this.#missing = missing;
      this.#position = BEGINNING;
      yield* this.#list(canResume);
      missing = this.#findMissing();
    }
    if (missing.length > MOST_REQUESTED) {
      yield* this.#sample(missing);
      for (const id of missing) if (this.#copy.has(id)) yield this.#copy.delete(id);
      yield { type: 'page', canEnd: false };
    } else {
      for (const id of missing) yield* this.#ask(id);
    }
  }

  get #subject(): Pick<ListingState, 'bulle_id' | 'isFirst'> {
    return { bulle_id: this.#source.bulle_id ?? null, isFirst: this.#copy.cursor === undefined };
  }

  async *#list(canResume: boolean): AsyncGenerator<RunEvent<Listed>, void, undefined> {
    let isAnnounced = false;
    for await (const step of walk(this.#source, this.#position)) {
      const { articles, cursor, total, isDoubtful } = step;
      const requests = pagesLeft(step);
      if (!isAnnounced && Number.isFinite(requests)) await this.#source.announce({ total, requests, canResume });
      isAnnounced = true;
      yield* this.#copy.changes(articles, 'listing');
      for (const { id } of articles) this.#listed.add(id);
      this.#isDoubtful = isDoubtful;
      const isFurther = cursor !== undefined && isAfter(cursor, this.#position);
      if (isFurther) this.#position = cursor;
      if (isFurther && isAfter(cursor, this.reached)) this.reached = cursor;
      // A run that ended where it began would repeat this page forever.
      yield { type: 'page', canEnd: isFurther };
    }
  }

  /** The ids that were on no page of any listing. @throws if there are so many that the list is probably wrong. */
  #findMissing(): number[] {
    // An article that was removed since the first listing is no longer a candidate.
    const candidates = this.#missing?.filter((id) => this.#copy.has(id)) ?? this.#copy.ids;
    const missing = candidates.filter((id) => !this.#listed.has(id));
    const isMass = !this.#allowMassDeletion && this.#known > MASS && missing.length > this.#known / 2;
    if (missing.length <= MOST_REQUESTED && !isMass) return missing;
    if (this.#isDoubtful)
      this.#stall(`${missing.length} known articles are missing, but \`total\` is more than the list has`);
    if (isMass) throw massDeletion(missing.length, this.#known);
    return missing;
  }

  /** Requests a missing article. */
  async *#ask(id: number): AsyncGenerator<RunEvent<Listed>, void, undefined> {
    const article = await this.#source.get(id);
    if (article === 'missing') yield this.#copy.delete(id);
    else if (article !== 'unknown') yield* this.#copy.changes([this.#checked(article, id)], 'request');
    // A later run must not ask for it again.
    this.#listed.add(id);
    yield { type: 'page', canEnd: true };
  }

  /**
   * Requests 50 of the missing articles. If one of them exists, the list is wrong and others may exist too. A run may end
   * in between: the next one finds fewer that are missing.
   */
  async *#sample(missing: readonly number[]): AsyncGenerator<RunEvent<Listed>, void, undefined> {
    for (let place = 0; place < MOST_REQUESTED; place++) {
      yield { type: 'page', canEnd: true };
      const id = missing[Math.floor((place * missing.length) / MOST_REQUESTED)] as number;
      if ((await this.#source.get(id)) !== 'missing') {
        this.#stall(`${missing.length} known articles are missing from the list, but article ${id} exists`);
      }
      yield this.#copy.delete(id);
    }
  }

  #checked(article: Listed, id: number): Listed {
    if (article.id !== id) this.#stall(`the service returned article ${article.id} for article ${id}`);
    return article;
  }

  #stall(reason: string): never {
    throw stalled(this.#source, reason, this.reached);
  }
}

/**
 * The approximate number of requests for the rest of a listing: each page repeats the last article of the previous
 * page.
 */
function pagesLeft({ total, limit }: Step<SyncArticle>): number {
  return Math.max(0, Math.ceil((total - limit) / Math.max(1, limit - 1)));
}

function massDeletion(missing: number, known: number): MassDeletionError {
  const message = `${missing} of ${known} known articles are missing from the list. Check the key. If it is intended, set allowMassDeletion.`;
  return new MassDeletionError(message, { operation: 'articles.sync', missing, known });
}
