import { sleep, withFirst } from '../core/abort.js';
import { SyncConflictError } from '../core/errors/index.js';
import { emit } from '../core/events.js';
import { invalid } from '../core/request.js';
import type { SyncTrace } from '../stages/trace.js';
import type { Change, RunEvent } from './change.js';
import { LeaseRenewal } from './lease.js';
import { Slice, SliceEnd, type SliceOptions } from './slice.js';
import type { SyncArticle, SyncSource } from './source.js';
import type { ListingCost, Store, StorePage, SyncProgress, SyncResult } from './store.js';

/** The operation, for errors and traces. */
export const SYNC_TO = 'articles.syncTo';

/** Milliseconds between two attempts to reserve a store. */
export const LEASE_POLL = 1_000;

interface RunOptions extends SliceOptions {
  onProgress?: ((progress: SyncProgress) => unknown) | undefined;
}

/** One run into a store: reserves the store, applies events, counts, and ends at the limits of the run. */
export class Run<Stored extends SyncArticle> {
  readonly #store: Store<Stored>;
  readonly #slice: Slice;
  readonly #onProgress: RunOptions['onProgress'];
  readonly #progress: SyncProgress = { upserted: 0, unpublished: 0, deleted: 0, requests: 0, total: undefined };
  #cursor: string | null = null;
  /** Number of changes that are stored at the same time. */
  readonly #concurrency: number;
  /** The changes of the page, if they are stored together. */
  #page: Change<Stored>[] = [];
  #check: () => Promise<void> = async () => {};

  constructor(store: Store<Stored>, { onProgress, ...limits }: RunOptions) {
    this.#store = store;
    this.#concurrency = store.concurrency ?? 1;
    this.#slice = new Slice(limits, this.#progress);
    this.#onProgress = onProgress;
  }

  /** Whether the run may end early. */
  get isLimited(): boolean {
    return this.#slice.isLimited;
  }

  /** Counts a request. */
  readonly onAttempt = (): void => {
    this.#progress.requests++;
  };

  /** Reports the cost of a complete listing. */
  readonly onListing = (listing: ListingCost): void => {
    this.#progress.listing = listing;
    this.#report();
  };

  /**
   * Runs `work` while no other run has the store. Waits for the other run, until the deadline. The signal that `work` gets
   * also aborts if the reservation is lost.
   * @throws the reason of the signal.
   */
  async reserved(
    signal: AbortSignal | undefined,
    work: (signal?: AbortSignal) => Promise<SyncResult>,
  ): Promise<SyncResult> {
    if (!this.#store.lease) return work(signal);
    const stop = signal ?? new AbortController().signal;
    let reservation = await this.#store.lease();
    while (!reservation) {
      if (this.#slice.isLate) {
        this.#cursor = (await this.#store.loadCursor()) ?? null;
        return this.#result(false);
      }
      await sleep(LEASE_POLL, stop);
      reservation = await this.#store.lease();
    }
    const held = new LeaseRenewal(reservation, SYNC_TO);
    this.#check = () => held.check(stop);
    try {
      return await withFirst([stop, held.signal], work);
    } finally {
      await held.end();
    }
  }

  /** Notes on the trace of the run what the run did, even if it fails. */
  async follow(trace: SyncTrace | undefined, work: Promise<SyncResult>): Promise<SyncResult> {
    let done = false;
    try {
      const result = await work;
      done = result.done;
      return result;
    } finally {
      // A subscriber may have frozen the trace.
      if (trace) emit((written) => Object.assign(written, this.#counts, { done }), trace);
    }
  }

  /** Returns the source with the limits of the run. */
  limit(source: SyncSource<Stored>): SyncSource<Stored> {
    return this.#slice.limit(source);
  }

  /**
   * Applies the events of the run, which started from this cursor.
   * @throws {SyncConflictError} if another run changes the store at the same time.
   */
  async apply(events: AsyncIterable<RunEvent<Stored>>, cursor: string | null): Promise<SyncResult> {
    this.#cursor = cursor;
    try {
      for await (const event of events) await this.#take(event);
      await this.#finish(this.#cursor);
    } catch (error) {
      if (error instanceof SliceEnd) return this.#result(false);
      throw error;
    }
    return this.#result(true);
  }

  async #take(event: RunEvent<Stored>): Promise<void> {
    if (event.type === 'page') {
      await this.#finish(this.#cursor);
      this.#slice.canEnd = event.canEnd;
    } else if (event.type === 'checkpoint') {
      await this.#finish(event.cursor);
      this.#slice.canEnd = true;
      this.#report();
    } else if (this.#store.commit || this.#concurrency > 1) {
      this.#page.push(event);
    } else {
      await this.#check();
      await (event.type === 'upsert' ? this.#store.put(event.article) : this.#store.remove(event.id));
      this.#count(event);
    }
  }

  /** Stores the changes of the page, if they are not stored yet, and then the cursor. */
  async #finish(cursor: string | null): Promise<void> {
    const page = this.#page;
    if (page.length === 0 && cursor === this.#cursor) return;
    await this.#check();
    const changes = { ...changesOf(page), cursor, previous: this.#cursor };
    await (this.#store.commit ? this.#commit(changes) : this.#apply(changes));
    this.#cursor = cursor;
    this.#page = [];
    for (const change of page) this.#count(change);
  }

  async #apply({ upserts, removals, cursor, previous }: StorePage<Stored>): Promise<void> {
    const store = this.#store;
    const calls = [
      ...upserts.map((article) => () => store.put(article)),
      ...removals.map((id) => () => store.remove(id)),
    ];
    await runConcurrently(calls, this.#concurrency);
    if (cursor !== null && cursor !== previous) await store.saveCursor(cursor);
  }

  async #commit(page: StorePage<Stored>): Promise<void> {
    const isStored: unknown = await this.#store.commit?.(page);
    if (isStored === false) throw conflict();
    if (isStored !== true)
      throw invalid([{ path: ['store', 'commit'], message: 'must return true or false' }], { operation: SYNC_TO });
  }

  #count(change: Change<Stored>): void {
    if (change.type === 'upsert') this.#progress.upserted++;
    else if (change.type !== 'checkpoint') this.#progress[change.type === 'delete' ? 'deleted' : 'unpublished']++;
    this.#report();
  }

  #report(): void {
    emit(this.#onProgress, { ...this.#progress });
  }

  get #counts() {
    const { upserted, unpublished, deleted, requests } = this.#progress;
    return { upserted, unpublished, deleted, requests };
  }

  #result(done: boolean): SyncResult {
    return { ...this.#counts, cursor: this.#cursor, done };
  }
}

/** The changes of a page. The last change of an article counts, should a page list it twice. */
function changesOf<Stored extends SyncArticle>(page: readonly Change<Stored>[]) {
  const upserts = new Map<number, Stored>();
  const removals = new Set<number>();
  for (const change of page) {
    if (change.type === 'upsert') {
      removals.delete(change.article.id);
      upserts.set(change.article.id, change.article);
    } else if (change.type !== 'checkpoint') {
      upserts.delete(change.id);
      removals.add(change.id);
    }
  }
  return { upserts: [...upserts.values()], removals: [...removals] };
}

/**
 * Makes the calls, at most `most` at the same time. After an error no further call starts, and the first error is thrown
 * when the others have ended: a store that the caller gets back must be at rest.
 */
async function runConcurrently(calls: readonly (() => unknown)[], most: number): Promise<void> {
  const errors: unknown[] = [];
  let next = 0;
  const work = async () => {
    while (next < calls.length && errors.length === 0) await calls[next++]?.();
  };
  const workers = Array.from({ length: Math.min(most, calls.length) }, () =>
    work().catch((error) => errors.push(error)),
  );
  await Promise.all(workers);
  if (errors.length > 0) throw errors[0];
}

function conflict(): SyncConflictError {
  const message = 'Another run has changed the store. Run again to continue from its cursor.';
  return new SyncConflictError(`${SYNC_TO}: ${message}`, { operation: SYNC_TO });
}
