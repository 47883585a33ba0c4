import { LONGEST_TIMER, onAbort, sleep } from './abort.js';
import type { RateWindow, TakeAnswer, TakeRequest } from './rate-limit-store.js';

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

/** A call that waits for a place. */
class Waiter {
  readonly id = createId();
  readonly options: AcquireOptions;
  /** The key of the queue in which it waits. */
  queue: string | undefined;
  /** The time at which it asks again. */
  told = 0;
  /** The number of places that were given back before it asked. */
  seen = 0;
  /** Ends its wait. */
  wake: () => void = () => {};

  constructor(options: AcquireOptions) {
    this.options = options;
  }

  /** What it asks for, by its limits as they are now. */
  get request(): TakeRequest {
    const { limits, holdBack, timeout, isRetry } = this.options;
    const maxWait = whole(limits().maxWait + holdBack);
    const request = { id: this.id, windows: windowsOf(limits()), maxWait, timeout: whole(timeout) };
    return isRetry ? { ...request, retry: true } : request;
  }

  /** The key of the queue for its limits as they are now. */
  get key(): string {
    return JSON.stringify([windowsOf(this.options.limits()), this.options.isRetry]);
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

/** The waiting calls with the same windows, in order of arrival. */
class Queue extends Set<Waiter> {
  // One iterator is kept, because a new one would have to skip every waiter that has left.
  readonly #iterator = this.values();
  #first: Waiter | undefined;

  /** The waiter that came first. The queue must not be empty. */
  get first(): Waiter {
    while (!this.#first || !this.has(this.#first)) this.#first = this.#iterator.next().value;
    return this.#first;
  }
}

/** The calls of this process that wait for a place in the windows of one key. The store decides who goes. */
export class Line {
  readonly #places: Places;
  /** The waiting calls by their windows. Empty queues are removed. */
  readonly #queues = new Map<string, Queue>();
  /** Number of places that calls of this process gave back. */
  #given = 0;

  constructor(places: Places) {
    this.#places = places;
  }

  /** Whether no call waits. */
  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  /**
   * Waits for a place. Resolves to the function to call when the request is over. Rejects at once if the wait would
   * exceed `maxWait`, and after `maxWait` if other calls delay it that long.
   */
  async acquire(options: AcquireOptions): Promise<Release> {
    options.signal.throwIfAborted();
    this.#wakeStale();
    const waiter = new Waiter(options);
    const { state, ms } = await this.#decide(waiter);
    if (state === 'refused') throw options.refuse(ms);
    return this.#releaseOf(waiter.id);
  }

  /** Asks until the call gets a place or is refused. A call that gives up leaves its place to others. */
  async #decide(waiter: Waiter): Promise<TakeAnswer> {
    const { signal, onWait } = waiter.options;
    try {
      for (let isFirst = true; ; isFirst = false) {
        waiter.seen = this.#given;
        const answer = await this.#places.take(waiter.request, signal);
        const { state, ms } = answer;
        if (isFirst && state !== 'refused' && ms > 0) onWait(ms);
        if (state !== 'wait') {
          this.#leave(waiter);
          this.#wakeStale();
          if (state === 'go' && ms > 0) await sleep(ms, signal);
          signal.throwIfAborted();
          return answer;
        }
        signal.throwIfAborted();
        this.#enter(waiter);
        this.#wakeStale();
        // A store that says 0 must not be asked without a pause.
        await waiter.pause(Math.max(1, ms), () => this.#wakeDue(waiter));
        signal.throwIfAborted();
      }
    } catch (error) {
      this.#leave(waiter);
      this.#giveBack(waiter.id);
      throw error;
    }
  }

  #releaseOf(id: string): Release {
    let isOver = false;
    return (result) => {
      if (isOver) return;
      isOver = true;
      if (result) this.#giveBack(id);
      else this.#places.settle(id, 'done');
    };
  }

  #giveBack(id: string): void {
    this.#places.settle(id, 'unsent');
    this.#given++;
    this.#wakeStale();
  }

  /** Lets the calls whose time has come ask in order, retries first. `waiter` is one of them. */
  #wakeDue(waiter: Waiter): void {
    const now = performance.now();
    const queues = [...this.#queues.values()].sort(
      (one, other) => Number(other.first.options.isRetry) - Number(one.first.options.isRetry),
    );
    for (const queue of queues) {
      for (const { told, wake } of queue) {
        if (told > now) break;
        wake();
      }
    }
    waiter.wake();
  }

  /**
   * Lets the first calls ask again that may have room earlier than they were told: a place was given back, or their
   * limits have become known. The next ones follow when the first got their answers.
   */
  #wakeStale(): void {
    for (const [key, { first }] of this.#queues) if (first.seen !== this.#given || first.key !== key) first.wake();
  }

  /** Puts a call into its queue. A call that asked again keeps its place. */
  #enter(waiter: Waiter): void {
    const { key } = waiter;
    if (waiter.queue !== key) this.#leave(waiter);
    waiter.queue = key;
    this.#queues.set(key, (this.#queues.get(key) ?? new Queue()).add(waiter));
  }

  #leave(waiter: Waiter): void {
    const { queue: key = '' } = waiter;
    const queue = this.#queues.get(key);
    queue?.delete(waiter);
    if (queue?.size === 0) this.#queues.delete(key);
  }
}

/** An id that no other process uses. Pages without https lack `crypto.randomUUID`. */
export function createId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
