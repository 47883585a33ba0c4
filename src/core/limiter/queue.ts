import { LONGEST_TIMER, onAbort, sleep } from '../abort.js';
import { rankOf } from './book.js';
import type { RateWindow, TakeAnswer, TakeRequest } from './store.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** The lengths of the windows. */
export const LENGTHS = [MINUTE, DAY];

/** The limits of one key, as the client of the waiting call knows them. */
export interface Limits {
  perMinute: number;
  perDay: number;
  /** Places of the minute that this client leaves to others. */
  reserve?: number;
  /** Maximum wait in ms. A call that would wait longer is refused. */
  maxWait: number;
}

export interface AcquireOptions {
  /** Read again for each decision, because the limits may become known while a call waits. */
  limits: () => Limits;
  signal: AbortSignal;
  /** Retries go first, because their calls arrived earlier than those that still wait. */
  isRetry: boolean;
  /** How long the service asked this call to pause, in ms. `maxWait` does not include this time. */
  holdBack: number;
  /** Ms after which the request counts as over without a `Release`: Workers drop the work of visitors who leave. */
  timeout: number;
  /** Called once with the expected ms, if the call has to wait. */
  onWait: (ms: number) => void;
  /** Creates the error of a call that would wait longer than `maxWait`. */
  refuse: (ms: number) => Error;
}

/**
 * Tells the limiter that the request is over. `'unsent'` means that nothing was sent, so the request does not count.
 */
export type Release = (result?: 'unsent') => void;

/** The store of one key. */
export interface Places {
  take(request: TakeRequest, signal: AbortSignal): TakeAnswer | Promise<TakeAnswer>;
  settle(id: string, result: 'done' | 'unsent'): void;
  /** Returns an id for a call. Without a store that others share, a counter is enough. */
  createId(): string;
}

/** The windows of these limits. They are finite, because they may travel as JSON. */
export function windowsOf({ perMinute, perDay, reserve = 0 }: Limits): RateWindow[] {
  return [
    [MINUTE, Math.max(1, whole(perMinute - reserve))],
    [DAY, whole(perDay)],
  ];
}

function whole(value: number): number {
  return Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER);
}

/** A call that wants a place. */
class Waiter {
  readonly id: string;
  readonly options: AcquireOptions;
  readonly rank: number;
  readonly #since = performance.now();
  /** The time at which it asks again. */
  told = 0;
  /** What its last answer depends on. */
  basis = '';
  /** Ends its wait. */
  wake: () => void = () => {};

  constructor(options: AcquireOptions, id: string) {
    this.id = id;
    this.options = options;
    this.rank = rankOf(this.request);
  }

  /** What it asks for, by its limits as they are now. */
  get request(): TakeRequest {
    const { limits, holdBack, timeout, isRetry } = this.options;
    const { maxWait, reserve = 0 } = limits();
    // A store that has lost the call counts from now on. A fraction of a millisecond is no wait.
    const rest = Math.max(0, Math.ceil(maxWait + holdBack - (performance.now() - this.#since)));
    const request = { id: this.id, windows: windowsOf(limits()), maxWait: whole(rest), timeout: whole(timeout) };
    return { ...request, ...(isRetry && { retry: true }), ...(reserve > 0 && { background: true }) };
  }

  /** Waits until `onTime` or somebody else wakes it, or until the signal aborts. */
  pause(ms: number, onTime: () => void): Promise<void> {
    this.told = performance.now() + ms;
    return new Promise((resolve) => {
      this.wake = () => {
        clearTimeout(timer);
        detach();
        resolve();
      };
      const timer = setTimeout(onTime, Math.min(Math.ceil(ms), LONGEST_TIMER));
      const detach = onAbort(this.options.signal, this.wake);
    });
  }
}

/** The calls of this process that wait for a place in the windows of one key. The store decides who goes. */
export class Queue {
  readonly #places: Places;
  /** The waiting calls, in order. */
  readonly #waiters: Waiter[] = [];
  /** Number of places that calls of this process gave back. */
  #given = 0;

  constructor(places: Places) {
    this.#places = places;
  }

  /** Whether no call waits. */
  get isEmpty(): boolean {
    return this.#waiters.length === 0;
  }

  /**
   * Waits for a place. Resolves to the function to call when the request is over. Rejects at once if the wait would
   * exceed `maxWait`, and after `maxWait` if other calls delay it that long.
   */
  async acquire(options: AcquireOptions): Promise<Release> {
    options.signal.throwIfAborted();
    this.#wakeStale();
    const waiter = new Waiter(options, this.#places.createId());
    const { state, ms } = await this.#decide(waiter);
    if (state === 'refused') throw options.refuse(ms);
    let isOver = false;
    return (result) => {
      if (isOver) return;
      isOver = true;
      if (result) this.#giveBack(waiter);
      else this.#places.settle(waiter.id, 'done');
    };
  }

  /** Asks until the call gets a place or is refused. A call that gives up leaves its place to others. */
  async #decide(waiter: Waiter): Promise<TakeAnswer> {
    const { signal, onWait } = waiter.options;
    try {
      for (let isFirst = true; ; isFirst = false) {
        waiter.basis = this.#basisOf(waiter);
        const answer = await this.#places.take(waiter.request, signal);
        const { state, ms } = answer;
        if (isFirst && state !== 'refused' && ms > 0) onWait(ms);
        if (state !== 'wait') {
          this.#leave(waiter, state);
          if (state === 'go' && ms > 0) await sleep(ms, signal);
          signal.throwIfAborted();
          return answer;
        }
        signal.throwIfAborted();
        if (isFirst) this.#enter(waiter);
        // Always pause, even if the store returns 0.
        const pause = waiter.pause(Math.max(1, ms), () => this.#wakeDue(waiter));
        this.#wakeStale();
        await pause;
        signal.throwIfAborted();
      }
    } catch (error) {
      this.#giveBack(waiter);
      throw error;
    }
  }

  #giveBack(waiter: Waiter): void {
    this.#places.settle(waiter.id, 'unsent');
    this.#given++;
    this.#leave(waiter);
    this.#wakeStale();
  }

  /** Lets the calls whose time has come ask in order. `waiter` is one of them. */
  #wakeDue(waiter: Waiter): void {
    const now = performance.now();
    for (const { told, wake } of this.#waiters) if (told <= now) wake();
    waiter.wake();
  }

  /**
   * Lets the first call ask again if it may have room earlier than it was told: a place was given back, or its limits
   * have become known. The next one follows when the first has left.
   */
  #wakeStale(): void {
    const [first] = this.#waiters;
    if (first && first.basis !== this.#basisOf(first)) first.wake();
  }

  #basisOf(waiter: Waiter): string {
    return JSON.stringify([this.#given, windowsOf(waiter.options.limits())]);
  }

  #enter(waiter: Waiter): void {
    const place = this.#waiters.findLastIndex(({ rank }) => rank <= waiter.rank) + 1;
    this.#waiters.splice(place, 0, waiter);
  }

  #leave(waiter: Waiter, state?: 'go' | 'refused'): void {
    const place = this.#waiters.indexOf(waiter);
    if (place < 0) return;
    this.#waiters.splice(place, 1);
    // The calls behind a call that is refused may go earlier.
    if (state === 'refused') this.#given++;
    this.#wakeStale();
  }
}

/** An id that no other process uses. Pages without https lack `crypto.randomUUID`. */
export function createId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
