import type { Promisable } from 'type-fest';
import { until, withFirst } from '../core/abort.js';
import { SyncConflictError } from '../core/errors/index.js';

/** Milliseconds until a reservation expires that is not renewed. Some runtimes end a run together with the visit that began it. */
export const LEASE = 30_000;

/** Ends the reservation of a store, and renews it. */
export interface Reservation {
  (): Promisable<void>;
  /**
   * Optional. Makes the reservation last longer. Returns `false` if another run has the store now. A run calls it every
   * ten seconds, and ends if it returns `false`.
   */
  renew?(): Promisable<boolean>;
}

/** The lease of a store that only one process uses. */
export function leaseInProcess(): () => Reservation | null {
  let end = Number.NEGATIVE_INFINITY;
  let owner: object | undefined;
  return () => {
    if (performance.now() < end) return null;
    const own = {};
    const renew = () => {
      if (owner !== own) return false;
      end = performance.now() + LEASE;
      return true;
    };
    owner = own;
    renew();
    const release = () => {
      if (owner === own) end = Number.NEGATIVE_INFINITY;
    };
    return Object.assign(release, { renew });
  };
}

/** The reservation that a run holds. It is renewed by a timer, and before a write if the timer was held up. */
export class LeaseRenewal {
  readonly #reservation: Reservation;
  readonly #operation: string;
  readonly #lost = new AbortController();
  readonly #timer: ReturnType<typeof setInterval>;
  #renewed = moments();
  /** The current renewal. */
  #renewal: Promise<void> | undefined;

  constructor(reservation: Reservation, operation: string) {
    this.#reservation = reservation;
    this.#operation = operation;
    this.#timer = setInterval(() => void this.#renew(), LEASE / 3);
    // A store that never responds must not keep the process alive.
    (this.#timer as { unref?(): void }).unref?.();
  }

  /** Aborts, with a {@link SyncConflictError}, when another run may have the store. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /** @throws {SyncConflictError} if another run may have the store: a machine may have been asleep. */
  async check(stop: AbortSignal): Promise<void> {
    if (this.#age > LEASE / 2) await withFirst([stop, this.signal], (signal) => until(this.#renew(), signal));
    this.signal.throwIfAborted();
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    // A renewal that ends later would take the store from the next run, unless the store is lost already.
    const released = Promise.resolve(this.signal.aborted || this.#renewal).then(() => this.#reservation());
    // A store may fail or hang. The reservation expires by itself, and the result of the run is more important.
    await until(released, AbortSignal.timeout(LEASE)).catch(() => {});
  }

  get #age(): number {
    return Math.max(...moments().map((now, clock) => now - (this.#renewed[clock] as number)));
  }

  #renew(): Promise<void> {
    if (!this.#reservation.renew) return Promise.resolve();
    // One that hangs is as good as none.
    if (this.#renewal && this.#age >= LEASE) this.#lose();
    this.#renewal ??= this.#ask().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #ask(): Promise<void> {
    const asked = moments();
    try {
      if (await this.#reservation.renew?.()) this.#renewed = asked;
      else this.#lose();
    } catch {
      // A database that fails for a moment has not given the store to another run.
      if (this.#age >= LEASE) this.#lose();
    }
  }

  #lose(): void {
    this.#lost.abort(lost(this.#operation));
  }
}

/** One of the clocks may stand still while the machine sleeps. */
function moments(): readonly number[] {
  return [performance.now(), Date.now()];
}

function lost(operation: string): SyncConflictError {
  const message =
    'The reservation of the store was not renewed, so another run may have it. Nothing more was stored. Run again to continue from its cursor.';
  return new SyncConflictError(`${operation}: ${message}`, { operation });
}
