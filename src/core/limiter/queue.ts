import { LONGEST_TIMER, sleep, until } from '../abort.js';
import { hash } from '../text.js';
import { DAY } from '../timestamps.js';
import { RateLimitBook, type RateLimitStore, rankOf, type TakeAnswer, type TakeRequest, type Usage } from './book.js';
import { ClientLimits, type KnownLimits, type Limits } from './limits.js';
import { SharedAccount, StoreFailure } from './shared.js';

const MINUTE = 60_000;

export interface AcquireOptions extends Pick<TakeRequest, 'maxWait' | 'timeout' | 'retry'> {
  /** What the client of the call knows of the limits now. A client has one function, which identifies it. */
  limits: () => KnownLimits;
  signal: AbortSignal;
  /** How long every call of the key waits because the service asked this call to pause, in ms. Not part of `maxWait`. */
  pause: number;
  /** Called once with the expected ms, if the call has to wait. */
  onWait: (ms: number) => void;
  /** Creates the error of a call that would wait longer than `maxWait`. */
  refuse: (ms: number) => Error;
  /** The store that counts the requests of all processes. */
  shared?: {
    store: RateLimitStore;
    /** While the store fails, the process may use this part of the limits. 0: its calls fail. */
    share: number;
    /** Receives the first failure of an outage. */
    onOutage: (failure: StoreFailure) => void;
    /** Creates the error of a call that fails with the store. */
    fail: (failure: StoreFailure) => Error;
  };
}

/** Frees a place. `'unsent'`: nothing was sent, so the request does not count. */
export type Release = (result?: 'unsent') => void;

/** A call that wants a place. */
interface Waiter {
  readonly id: string;
  readonly options: AcquireOptions;
  readonly since: number;
  readonly shared: SharedAccount | undefined;
  /** Whether the store knows it. */
  isShared: boolean;
  isAnnounced: boolean;
  /** What its last answer depends on. */
  conditions: string;
  /** When it asks again. */
  askAt: number;
  /** Ends its pause. */
  wake(): void;
}

/**
 * The account of one key in this process: its book, its clients and its waiting calls. Times are monotonic, so a change
 * of the clock opens no window. Copies of the package in one process share it: keep its names.
 */
export class Account {
  readonly #key: () => Promise<string>;
  readonly #book = new RateLimitBook();
  readonly #clients = new ClientLimits();
  readonly #shared = new WeakMap<RateLimitStore, SharedAccount>();
  /** The waiting calls, in order. */
  readonly #waiters: Waiter[] = [];
  #calls = 0;
  /** How often calls gave a place back. */
  #released = 0;

  constructor(id: string) {
    this.#key = () => hash(id);
  }

  /**
   * Waits for a place. Resolves to the function to call when the request is over. Rejects at once if the wait would
   * exceed `maxWait`, and after `maxWait` if other calls delay it that long.
   */
  async acquire(options: AcquireOptions): Promise<Release> {
    options.signal.throwIfAborted();
    this.learn(options.limits);
    const waiter = this.#waiterOf(options);
    const { state, ms } = await this.#decide(waiter).catch((error) => {
      this.#giveBack(waiter);
      throw error;
    });
    if (state === 'refused') throw options.refuse(ms);
    let release = (result?: 'unsent') => (result ? this.#giveBack(waiter) : this.#settle(waiter, 'done'));
    return (result) => {
      release(result);
      release = () => {};
    };
  }

  /** Pauses all calls for this many ms. This process pauses even if the store cannot be reached. */
  hold(ms: number, store?: RateLimitStore): void {
    this.#book.hold(performance.now(), ms);
    if (store) this.#sharedOf(store).notify('hold', ms);
  }

  /** Counts the requests of the minute and the day, and the calls that wait. @throws a {@link StoreFailure}. */
  async usage(store?: RateLimitStore): Promise<Usage> {
    return (store && (await this.#sharedOf(store).count([MINUTE, DAY]))) || this.ownUsage();
  }

  /** Counts the requests and waiting calls of this process. */
  ownUsage(): Usage {
    return this.#book.count(performance.now(), [MINUTE, DAY]);
  }

  /** Notes what a client that calls knows of the limits now. */
  learn(client: () => KnownLimits): void {
    this.#clients.join(client);
    this.#wakeIfChanged();
  }

  /** Returns the lowest limits that this client and all that have called know. */
  limits(client: () => KnownLimits): Limits {
    return this.#clients.of(client);
  }

  /** Whether it has nothing to count, so that it can be deleted. */
  isIdle(): boolean {
    const { used, waiting } = this.ownUsage();
    return Math.max(...used, waiting, this.#waiters.length) === 0;
  }

  #sharedOf(store: RateLimitStore): SharedAccount {
    const shared = this.#shared.get(store) ?? new SharedAccount(store, this.#key());
    this.#shared.set(store, shared);
    return shared;
  }

  #waiterOf(options: AcquireOptions): Waiter {
    const shared = options.shared && this.#sharedOf(options.shared.store);
    // Only a store needs an id that no other process uses. Pages without https lack `crypto.randomUUID`.
    const id = shared ? crypto.getRandomValues(new Uint32Array(4)).join('-') : `${++this.#calls}`;
    const since = performance.now();
    return {
      id,
      options,
      since,
      shared,
      isShared: false,
      isAnnounced: false,
      conditions: '',
      askAt: 0,
      wake: () => {},
    };
  }

  /** Asks until the call gets a place or is refused. */
  async #decide(waiter: Waiter): Promise<TakeAnswer> {
    const { signal, shared } = waiter.options;
    for (;;) {
      waiter.conditions = this.#conditionsOf(waiter);
      let answer = await this.#take(waiter);
      this.#announce(waiter, answer);
      if (answer.state !== 'wait') this.#leave(waiter, answer.state);
      if (answer.state === 'go' && answer.ms > 0) await sleep(answer.ms, signal);
      if (answer.state === 'go' && waiter.isShared) answer = this.#takeOwn(waiter);
      signal.throwIfAborted();
      if (answer.state !== 'wait') return answer;
      // A call that continues without the store asks the store again after the cooldown. Always pause, even for 0 ms.
      const cooldown = (shared?.share && waiter.shared?.cooldown) || answer.ms;
      await this.#pause(waiter, Math.max(1, Math.min(answer.ms, cooldown)));
    }
  }

  /** Asks the store, or the book of this process if there is no store or if it fails. */
  async #take(waiter: Waiter): Promise<TakeAnswer> {
    const { options, shared } = waiter;
    const { share = 1, onOutage, fail } = options.shared ?? {};
    if (shared && (share === 0 || shared.cooldown === 0)) {
      try {
        const answer = await shared.take(this.#requestOf(waiter), options.signal);
        // It may have waited in the book.
        this.#book.settle(performance.now(), waiter.id, 'unsent');
        waiter.isShared = answer.state !== 'refused';
        return answer;
      } catch (failure) {
        if (!(failure instanceof StoreFailure)) throw failure;
        waiter.isShared = false;
        if (share === 0) throw fail?.(failure);
      }
    }
    const failure = shared?.takeUnreported();
    if (failure) onOutage?.(failure);
    return this.#book.take(performance.now(), this.#requestOf(waiter, share));
  }

  /** The store does not know what this process sent while it failed, or for clients without a store. */
  #takeOwn(waiter: Waiter): TakeAnswer {
    const request = this.#requestOf(waiter);
    const answer = this.#book.take(performance.now(), { ...request, maxWait: 0 });
    if (answer.state === 'go') return answer;
    this.#settle(waiter, 'unsent');
    const wait = { state: answer.ms > request.maxWait ? 'refused' : 'wait', ms: answer.ms } as const;
    this.#announce(waiter, wait);
    return wait;
  }

  /** What a call asks for, by the limits as they are now. They are finite, because they may travel as JSON. */
  #requestOf({ id, options, since }: Waiter, share = 1): TakeRequest {
    const { perMinute, perDay, reserve } = this.limits(options.limits);
    const windows = [[MINUTE, whole(perMinute * share)] as const, [DAY, whole(perDay * share)] as const];
    // A store that has lost the call counts from now on. A fraction of a millisecond is no wait.
    const rest = Math.max(0, Math.ceil(options.maxWait + options.pause - (performance.now() - since)));
    const request = { id, windows, maxWait: whole(rest), timeout: whole(options.timeout) };
    return { ...request, ...(options.retry && { retry: true }), ...(reserve > 0 && { reserve }) };
  }

  #announce(waiter: Waiter, { state, ms }: TakeAnswer): void {
    if (state === 'refused' || ms <= 0 || waiter.isAnnounced) return;
    waiter.isAnnounced = true;
    waiter.options.onWait(ms);
  }

  #settle({ id, shared, isShared }: Waiter, result: 'done' | 'unsent'): void {
    this.#book.settle(performance.now(), id, result);
    if (isShared) shared?.notify('settle', id, result);
  }

  /** Leaves the place of the call to others. */
  #giveBack(waiter: Waiter): void {
    this.#settle(waiter, 'unsent');
    this.#released++;
    this.#leave(waiter);
    this.#wakeIfChanged();
  }

  /** Waits in the queue until its time has come or another call wakes it. */
  async #pause(waiter: Waiter, ms: number): Promise<void> {
    waiter.askAt = performance.now() + ms;
    const woken = new Promise<void>((resolve) => {
      waiter.wake = resolve;
    });
    const wakeDue = () => {
      // Calls whose time has come ask in order.
      for (const { askAt, wake } of this.#waiters) if (askAt <= performance.now()) wake();
      waiter.wake();
    };
    const timer = setTimeout(wakeDue, Math.min(Math.ceil(ms), LONGEST_TIMER));
    if (!this.#waiters.includes(waiter)) {
      const place = this.#waiters.findLastIndex((other) => rank(other) <= rank(waiter)) + 1;
      this.#waiters.splice(place, 0, waiter);
    }
    this.#wakeIfChanged();
    await until(woken, waiter.options.signal).finally(() => clearTimeout(timer));
  }

  /**
   * Lets the first call ask again if it may have room earlier than it was asked to: a place was given back, or the limits
   * have changed. The next one follows when the first has left.
   */
  #wakeIfChanged(): void {
    const [first] = this.#waiters;
    if (first && first.conditions !== this.#conditionsOf(first)) first.wake();
  }

  #conditionsOf({ options }: Waiter): string {
    const { perMinute, perDay, reserve } = this.limits(options.limits);
    return [this.#released, perMinute, perDay, reserve].join();
  }

  #leave(waiter: Waiter, state?: 'go' | 'refused'): void {
    const place = this.#waiters.indexOf(waiter);
    if (place < 0) return;
    this.#waiters.splice(place, 1);
    // The calls behind a call that is refused may go earlier.
    if (state === 'refused') this.#released++;
    this.#wakeIfChanged();
  }
}

function rank({ options }: Waiter): number {
  return rankOf({ retry: options.retry, reserve: options.limits().reserve });
}

const whole = (value: number) => Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER);

const REGISTRY = Symbol.for('multilocal.limiters.7');

/**
 * Returns the account of a key at a base URL. Copies of the package in one process (ESM and CommonJS, or two versions)
 * share it. The map is in a closure, so an inspected global object shows a function and no keys.
 */
export function accountOf(baseUrl: string, apiKey = ''): Account {
  const holder = globalThis as { [REGISTRY]?: (id: string) => Account };
  holder[REGISTRY] ??= createRegistry();
  return holder[REGISTRY](`${apiKey}\n${baseUrl}`);
}

/** Idle accounts are forgotten. To look at all others for each of thousands of new keys would take long. */
function createRegistry(): (id: string) => Account {
  const accounts = new Map<string, Account>();
  let created = 0;
  return (id) => {
    const isTime = !accounts.has(id) && ++created % 100 === 0;
    if (isTime) for (const [other, account] of accounts) if (account.isIdle()) accounts.delete(other);
    const account = accounts.get(id) ?? new Account(id);
    accounts.set(id, account);
    return account;
  };
}
