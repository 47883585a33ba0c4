import type { CopyState, ReadableArticleStore, Reservation, SyncProgress, SyncResult } from 'multilocal';
import { MassDeletionError, RateLimitError } from 'multilocal/internal/errors';
import { type Budget, spent } from './budget.js';
import { Catalogue } from './catalogue.js';
import type { Settings } from './options.js';
import { unavailable } from './refusal.js';
import { hangs, LONGEST_WAIT, limited } from './store.js';
import { ago, type Moment, since, within } from './time.js';

const HOUR = 3_600_000;
const DAY = 86_400_000;
/** Milliseconds after a failed run until an empty copy is tried again. */
export const EMPTY_PAUSE = 10_000;
/** The same for a copy after a run that failed so late that visitors waited in vain. */
const LATE_PAUSE = 60_000;
/** Work without a sign of progress for this time counts as lost, because some runtimes end it with the visit. */
export const LOST_AFTER = 90_000;
const LOST =
  'The next one begins now. Pass the context of the runtime to the handler, so that `waitUntil` keeps it running.';
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
  /** What visitors read, and when the run that read it began. */
  #shown: { readonly articles: Catalogue; readonly version: string; readonly read: Moment } | undefined;
  #state: CopyState | null = null;
  /** When the next run, and the next listing, may begin. A failure moves it. */
  #next = { run: ago(), listing: ago() };
  /** The run that goes on: when it began, and when it made progress. */
  #work: { readonly promise: Promise<void>; readonly begun: Moment; progress: Moment } | undefined;

  constructor(settings: Settings, budget: Budget) {
    this.#settings = settings;
    this.#budget = budget;
    this.#store = limited(settings.store);
  }

  /** @throws {Refusal} 503 if there is no copy, or if it is too old. */
  async read(background: Background): Promise<Reading> {
    const isOld = !(this.#age < 2 * this.#settings.refresh);
    this.#begin(background);
    const work = this.#work;
    // From the beginning of the work on, so that an outage does not keep each visitor waiting. Timers cut off fractions, and
    // the visitor would leave just before the call of the store that hangs fails.
    const left = work ? Math.ceil(LONGEST_WAIT - since(work.begun)) : 0;
    if (isOld && work && left > 0) await within(work.promise, left);
    if (!this.#shown || !this.#isUsable) throw unavailable(Math.max(-since(this.#next.run), 5_000));
    return { articles: this.#shown.articles, age: this.#age };
  }

  get #age(): number {
    return this.#shown ? since(this.#shown.read) : Number.POSITIVE_INFINITY;
  }

  get #isUsable(): boolean {
    return this.#age < this.#settings.maxStale;
  }

  get #isFresh(): boolean {
    return this.#age < this.#settings.refresh;
  }

  #begin(background: Background): void {
    if (this.#isFresh || since(this.#next.run) < 0) return;
    if (this.#work && since(this.#work.progress) < LOST_AFTER) return;
    if (this.#work) this.#settings.onError(hangs('a run made no progress', LOST_AFTER, LOST));
    // A run that only waits for the limits of the key has renewed its reservation, so the new one leaves the work to it.
    const promise = this.#update()
      .catch((error) => {
        // Otherwise the run was reported as lost.
        if (this.#work === work) this.#failed(error, since(work.begun) >= LONGEST_WAIT);
      })
      .finally(() => {
        if (this.#work === work) this.#work = undefined;
      });
    const work = { promise, begun: ago(), progress: ago() };
    this.#work = work;
    background(promise);
  }

  #failed(error: unknown, isLate: boolean): void {
    const { refresh, perDay, onError } = this.#settings;
    // Every ten seconds, an outage of an hour would use up the day.
    const isEarly = !this.#isUsable && this.#budget.left > perDay / 2;
    const asked = error instanceof RateLimitError ? (error.retryAfter ?? 0) : 0;
    const least = isLate && this.#isUsable ? LATE_PAUSE : 0;
    this.#next.run = ago(-Math.max(isEarly ? EMPTY_PAUSE : refresh, Math.min(asked, DAY), least));
    onError(error);
  }

  /** Takes over what another process has read, or runs. */
  async #update(): Promise<void> {
    await this.#load();
    if (this.#isFresh) return;
    const reservation = await this.#reserve();
    if (!reservation) return;
    const into = this.#store.lease ? limited(this.#settings.store, reservation) : this.#store;
    try {
      // Another run may have ended just before.
      if (this.#store.lease) await this.#load();
      if (this.#isFresh) return;
      await this.#run(into);
      if (this.#isListingDue) await this.#reconcile(into);
    } finally {
      // A reservation also expires by itself.
      await within(Promise.resolve(reservation()), LONGEST_WAIT).catch(() => {});
    }
  }

  /** Reserves the store. `null` if another process has it, and there is a copy to show or a newer one. */
  async #reserve(): Promise<Reservation | null> {
    if (!this.#store.lease) return () => {};
    for (;;) {
      const release = await this.#store.lease();
      if (release) return release;
      if (this.#isUsable) {
        this.#next.run = ago(-1_000);
        return null;
      }
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await this.#load();
      if (this.#isFresh) return null;
    }
  }

  async #load(): Promise<void> {
    const state = this.#store.loadState ? ((await this.#store.loadState()) ?? null) : this.#state;
    if (state?.refreshedAt != null) {
      // The age of a state that is known does not depend on the system clock, which may have been set back.
      // A moment of the future is of another process's clock. What is shown keeps its age then.
      const age = this.#ageOf(state.refreshedAt);
      const isNew = state.refreshedAt !== this.#state?.refreshedAt && Number.isFinite(age);
      await this.#show(state.version, isNew ? ago(age) : undefined);
    }
    this.#state = state;
  }

  async #save(state: CopyState): Promise<void> {
    this.#state = state;
    await this.#store.saveState?.(state);
  }

  /** Shows a version of the store. `read`: when the run began that read it. */
  async #show(version: string, read?: Moment): Promise<void> {
    const before = this.#shown?.articles;
    let articles = version === this.#shown?.version ? before : undefined;
    if (!articles) {
      const all = [];
      for await (const article of await this.#store.all()) all.push(article);
      articles = new Catalogue(all, before);
    }
    this.#shown = { articles, version, read: read ?? this.#shown?.read ?? ago(Number.POSITIVE_INFINITY) };
  }

  /** Reads the changes, or all articles if there is no copy. */
  async #run(into: ReadableArticleStore): Promise<void> {
    const read = ago();
    const begun = new Date();
    let isFirst = false;
    if (!this.#state) {
      // The first run needs no listing for deletions. A killed one continues as a first one.
      isFirst = ((await this.#store.loadCursor()) ?? null) === null;
      await this.#save({ refreshedAt: null, reconciledAt: isFirst ? begun.toISOString() : null, version: '' });
    }
    let isChanged = false;
    for (let done = false; !done; ) {
      const result = await this.#sync(false, into);
      isChanged ||= hasChanged(result);
      done = result.done;
      // By now, a response has shown the clock of the service, and other processes may have other clocks.
      const refreshedAt = this.#settings.serviceTime(begun);
      const dates = isFirst ? { refreshedAt, reconciledAt: refreshedAt } : { refreshedAt };
      if (done) await this.#take(dates, result.cursor, isChanged, read);
    }
  }

  /** Milliseconds since a moment. A moment of the future is of a wrong clock, and counts as never. */
  #ageOf(moment: string | null | undefined): number {
    const ms = Date.parse(this.#settings.serviceTime(new Date())) - Date.parse(moment ?? '');
    return ms >= 0 ? ms : Number.POSITIVE_INFINITY;
  }

  get #isListingDue(): boolean {
    return this.#ageOf(this.#state?.reconciledAt) >= DAY && since(this.#next.listing) >= 0;
  }

  /** Looks for deletions. The next run continues a listing that needs more requests than one run has. */
  async #reconcile(into: ReadableArticleStore): Promise<void> {
    const begun = new Date();
    try {
      const result = await this.#sync(true, into);
      if (result.done) await this.#take({ reconciledAt: this.#settings.serviceTime(begun) }, result.cursor, true);
      else await this.#take({}, result.cursor, hasChanged(result));
    } catch (error) {
      // The changes are read, so the copy is fresh. A listing may be long, and must not be repeated all the time.
      // A listing costs many requests, and one that lacks most articles will lack them an hour later, too.
      this.#next.listing = ago(error instanceof MassDeletionError ? -DAY : -HOUR);
      this.#settings.onError(error);
    }
  }

  /** Shows what a run has stored, and informs other processes. */
  async #take(dates: Partial<CopyState>, cursor: string | null, isChanged: boolean, read?: Moment): Promise<void> {
    const before = this.#state ?? { refreshedAt: null, reconciledAt: null, version: '' };
    // A run that was killed has changed the store without a trace, except that the cursor moves now at the latest.
    const mark = isChanged ? crypto.randomUUID() : before.version.split(' ').at(-1);
    const state = { ...before, ...dates, version: `${cursor} ${mark}` };
    await this.#show(state.version, read);
    await this.#save(state);
  }

  async #sync(reconcile: boolean, into: ReadableArticleStore): Promise<SyncResult> {
    const { articles, allowMassDeletion, perDay } = this.#settings;
    const { left } = this.#budget;
    const detail = `the ${perDay} requests of \`perDay\` are used up, so the copy is served as it is`;
    if (left < 1) throw spent(detail, 'articles.syncTo');
    // A store that cannot keep the position of a listing needs a whole listing in one run.
    const most = this.#store.loadListing ? Math.min(left, SLICE) : left;
    const maxRequests = Number.isFinite(most) ? most : undefined;
    const reserved = maxRequests ?? 0;
    this.#budget.take(reserved);
    // What the run will have cost if it fails now: a failed run reports nothing more.
    let cost = 1;
    const onProgress = ({ requests, listing }: SyncProgress) => {
      cost = 1 + Math.max(requests, listing ? listing.requests + 1 : 0);
      if (this.#work) this.#work.progress = ago();
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

function hasChanged({ upserted, unpublished, deleted }: SyncResult): boolean {
  return upserted + unpublished + deleted > 0;
}
