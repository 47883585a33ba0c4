import type { CopyState, ReadableArticleStore, Reservation, SyncProgress, SyncResult } from 'multilocal';
import { MassDeletionError, RateLimitError } from 'multilocal/internal/errors';
import { type Budget, spent } from './budget.js';
import { Catalogue } from './catalogue.js';
import type { Settings } from './options.js';
import { unavailable } from './refusal.js';
import { stopwatch, within } from './time.js';

const HOUR = 3_600_000;
const DAY = 86_400_000;
/** How long a visitor waits for a copy that is missing or old. */
const LONGEST_WAIT = 10_000;
/** Milliseconds after a failed run until an empty copy is tried again. */
const EMPTY_PAUSE = 10_000;
/** Work without a sign of progress for this time counts as lost, because some runtimes end it with the visit. */
const LOST_AFTER = 90_000;
/** Maximum number of requests of one run. The next one continues. */
const SLICE = 50;

/** Passes work that continues after the response to the runtime: `ctx.waitUntil` if there is one. */
export type Background = (work: Promise<unknown>) => void;

/** What visitors read. */
export interface Reading {
  articles: Catalogue;
  /** Milliseconds since the run that read them began. */
  age: number;
}

/** The copy of the published articles. A visit may start an update, and waits for it only if the copy is stale. */
export class Copy {
  readonly #settings: Settings;
  readonly #budget: Budget;
  readonly #store: ReadableArticleStore;
  #articles: Catalogue | undefined;
  /** The version of {@link Copy.#articles}. */
  #version: string | undefined;
  #state: CopyState | null = null;
  #age = () => Number.POSITIVE_INFINITY;
  /** Milliseconds until the next run may begin, after a failure. */
  #pause = () => 0;
  /** Milliseconds until the next listing may begin, after a failed one. */
  #listingPause = () => 0;
  #work: { promise: Promise<void>; silence: () => number } | undefined;

  constructor(settings: Settings, budget: Budget) {
    this.#settings = settings;
    this.#budget = budget;
    this.#store = settings.store;
  }

  /** @throws {Refusal} 503 if there is no copy, or if it is too old. */
  async read(background: Background): Promise<Reading> {
    const isOld = !this.#usable || !(this.#age() < 2 * this.#settings.refresh);
    this.#begin(background);
    if (isOld && this.#work) await within(this.#work.promise, LONGEST_WAIT);
    const articles = this.#usable;
    if (!articles) throw unavailable(Math.max(this.#pause(), 5_000));
    return { articles, age: this.#age() };
  }

  get #usable(): Catalogue | undefined {
    return this.#age() < this.#settings.maxStale ? this.#articles : undefined;
  }

  get #isFresh(): boolean {
    return this.#age() < this.#settings.refresh;
  }

  #begin(background: Background): void {
    if (this.#isFresh || this.#pause() > 0) return;
    if (this.#work && this.#work.silence() < LOST_AFTER) return;
    // A run that only waits for the limits of the key has renewed its reservation, so the new one leaves the work to it.
    const promise = this.#update()
      .catch((error) => this.#failed(error))
      .finally(() => {
        if (this.#work === work) this.#work = undefined;
      });
    const work = { promise, silence: stopwatch() };
    this.#work = work;
    background(promise);
  }

  #failed(error: unknown): void {
    const { refresh, perDay, onError } = this.#settings;
    // Every ten seconds, an outage of an hour would use up the day.
    const isEarly = !this.#usable && this.#budget.left > perDay / 2;
    const asked = error instanceof RateLimitError ? (error.retryAfter ?? 0) : 0;
    this.#pauseFor(Math.max(isEarly ? EMPTY_PAUSE : refresh, Math.min(asked, DAY)));
    onError(error);
  }

  #pauseFor(ms: number): void {
    const elapsed = stopwatch();
    this.#pause = () => ms - elapsed();
  }

  /** Takes over what another process has read, or runs. */
  async #update(): Promise<void> {
    await this.#load();
    if (this.#isFresh) return;
    const reservation = await this.#reserve();
    if (!reservation) return;
    const into = this.#store.lease ? reservedBy(this.#store, reservation) : this.#store;
    try {
      // Another run may have ended just before.
      if (this.#store.lease) await this.#load();
      if (this.#isFresh) return;
      await this.#run(into);
      if (this.#isListingDue) await this.#reconcile(into);
    } finally {
      await Promise.resolve(reservation()).catch(() => {
        // A reservation also expires by itself.
      });
    }
  }

  /** Reserves the store. `null` if another process has it, and there is a copy to show or a newer one. */
  async #reserve(): Promise<Reservation | null> {
    if (!this.#store.lease) return () => {};
    for (;;) {
      const release = await this.#store.lease();
      if (release) return release;
      if (this.#usable) {
        this.#pauseFor(1_000);
        return null;
      }
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await this.#load();
      if (this.#isFresh) return null;
    }
  }

  async #load(): Promise<void> {
    const state = this.#store.loadState ? ((await this.#store.loadState()) ?? null) : this.#state;
    if (state?.refreshedAt == null) {
      this.#state = state;
      return;
    }
    const before = this.#articles;
    if (state.version !== this.#version) await this.#build(state.version);
    // The age of a state that is known does not depend on the system clock, which may have been set back.
    // A moment of the future is of another process's clock. What is shown keeps its age then.
    const age = since(state.refreshedAt);
    if (state.refreshedAt !== this.#state?.refreshedAt && (Number.isFinite(age) || !before)) this.#age = stopwatch(age);
    this.#state = state;
  }

  async #save(state: CopyState): Promise<void> {
    this.#state = state;
    await this.#store.saveState?.(state);
  }

  async #build(version: string): Promise<void> {
    const articles = [];
    for await (const article of await this.#store.all()) articles.push(article);
    this.#articles = new Catalogue(articles, this.#articles);
    this.#version = version;
  }

  /** Reads the changes, or all articles if there is no copy. */
  async #run(into: ReadableArticleStore): Promise<void> {
    const age = stopwatch();
    const refreshedAt = new Date().toISOString();
    if (!this.#state) {
      // The first run needs no listing for deletions. A killed one continues as a first one.
      const isFirst = ((await this.#store.loadCursor()) ?? null) === null;
      await this.#save({ refreshedAt: null, reconciledAt: isFirst ? refreshedAt : null, version: '' });
    }
    let isChanged = false;
    for (let done = false; !done; ) {
      const result = await this.#sync(false, into);
      isChanged ||= hasChanged(result);
      done = result.done;
      if (done) await this.#take({ refreshedAt }, result.cursor, isChanged, age);
    }
  }

  get #isListingDue(): boolean {
    return since(this.#state?.reconciledAt) >= DAY && this.#listingPause() <= 0;
  }

  /** Looks for deletions. The next run continues a listing that needs more requests than one run has. */
  async #reconcile(into: ReadableArticleStore): Promise<void> {
    const reconciledAt = new Date().toISOString();
    try {
      const result = await this.#sync(true, into);
      if (result.done) await this.#take({ reconciledAt }, result.cursor, true);
      else await this.#take({}, result.cursor, hasChanged(result));
    } catch (error) {
      // The changes are read, so the copy is fresh. A listing may be long, and must not be repeated all the time.
      const elapsed = stopwatch();
      // A listing costs many requests, and one that lacks most articles will lack them an hour later, too.
      const pause = error instanceof MassDeletionError ? DAY : HOUR;
      this.#listingPause = () => pause - elapsed();
      this.#settings.onError(error);
    }
  }

  /** Shows what a run has stored, and informs other processes. */
  async #take(dates: Partial<CopyState>, cursor: string | null, isChanged: boolean, age = this.#age): Promise<void> {
    const before = this.#state ?? { refreshedAt: null, reconciledAt: null, version: '' };
    // A run that was killed has changed the store without a trace, except that the cursor moves now at the latest.
    const mark = isChanged ? crypto.randomUUID() : before.version.split(' ').at(-1);
    const state = { ...before, ...dates, version: `${cursor} ${mark}` };
    if (state.version !== this.#version) await this.#build(state.version);
    this.#age = age;
    await this.#save(state);
  }

  async #sync(reconcile: boolean, into: ReadableArticleStore): Promise<SyncResult> {
    const { articles, allowMassDeletion, perDay } = this.#settings;
    const { left } = this.#budget;
    if (left < 1)
      throw spent(
        `the ${perDay} requests of \`perDay\` are used up, so the copy is served as it is`,
        'articles.syncTo',
      );
    // A store that cannot keep the position of a listing needs a whole listing in one run.
    const most = this.#store.loadListing ? Math.min(left, SLICE) : left;
    const maxRequests = Number.isFinite(most) ? most : undefined;
    const reserved = maxRequests ?? 0;
    this.#budget.take(reserved);
    // What the run will have cost if it fails now: a failed run reports nothing more.
    let cost = 1;
    const onProgress = ({ requests, listing }: SyncProgress) => {
      cost = 1 + Math.max(requests, listing ? listing.requests + 1 : 0);
      if (this.#work) this.#work.silence = stopwatch();
    };
    const options = {
      reconcile,
      allowMassDeletion,
      maxRequests,
      onProgress,
      maxRetries: 0,
      validation: 'throw',
    } as const;
    try {
      const result = await articles.syncTo(into, options);
      cost = result.requests;
      return result;
    } finally {
      this.#budget.giveBack(reserved - cost);
      this.#budget.take(cost - reserved);
    }
  }
}

/** Milliseconds since a moment. A moment of the future is of a wrong clock, and counts as never. */
function since(moment: string | null | undefined): number {
  const ms = Date.now() - Date.parse(moment ?? '');
  return ms >= 0 ? ms : Number.POSITIVE_INFINITY;
}

function hasChanged({ upserted, unpublished, deleted }: SyncResult): boolean {
  return upserted + unpublished + deleted > 0;
}

/** The store as the runs under one reservation use it: they renew it, and leave its end to the copy. */
function reservedBy(store: ReadableArticleStore, reservation: Reservation): ReadableArticleStore {
  const renew = reservation.renew?.bind(reservation);
  const lease = () => Object.assign(() => {}, renew && { renew });
  return new Proxy(store, {
    get(target, name) {
      const value = name === 'lease' ? lease : Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
