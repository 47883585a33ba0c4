import type { Promisable } from 'type-fest';
import { SyncConflictError } from '../core/errors/index.js';

/** Milliseconds until a reservation that nobody renews expires. Some runtimes end a run together with the visit that began it. */
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
  let until = Number.NEGATIVE_INFINITY;
  let owner: object | undefined;
  return () => {
    if (performance.now() < until) return null;
    const own = {};
    const renew = () => {
      if (owner !== own) return false;
      until = performance.now() + LEASE;
      return true;
    };
    owner = own;
    renew();
    const end = () => {
      if (owner === own) until = Number.NEGATIVE_INFINITY;
    };
    return Object.assign(end, { renew });
  };
}

/** The reservation that a run holds. It is renewed by a timer, and before a write if the timer was held up. */
export class HeldReservation {
  readonly #reservation: Reservation;
  readonly #operation: string;
  readonly #lost = new AbortController();
  readonly #timer: ReturnType<typeof setInterval>;
  #renewed = moments();

  constructor(reservation: Reservation, operation: string) {
    this.#reservation = reservation;
    this.#operation = operation;
    this.#timer = setInterval(() => void this.#renew(), LEASE / 3);
  }

  /** Aborts, with a {@link SyncConflictError}, when another run may have the store. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /** @throws {SyncConflictError} if another run may have the store: a machine may have been asleep. */
  async check(): Promise<void> {
    if (this.#age > LEASE / 2) await this.#renew();
    this.signal.throwIfAborted();
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    try {
      await this.#reservation();
    } catch {
      // The reservation expires by itself, and the result of the run is more important.
    }
  }

  get #age(): number {
    return Math.max(...moments().map((now, clock) => now - (this.#renewed[clock] as number)));
  }

  async #renew(): Promise<void> {
    const { renew } = this.#reservation;
    if (!renew) return;
    const asked = moments();
    try {
      if (await renew()) this.#renewed = asked;
      else this.#lost.abort(lost(this.#operation));
    } catch {
      // A database that fails for a moment has not given the store to another run.
      if (this.#age >= LEASE) this.#lost.abort(lost(this.#operation));
    }
  }
}

/** One of the clocks may stand still while the machine sleeps. */
function moments(): readonly number[] {
  return [performance.now(), Date.now()];
}

function lost(operation: string): SyncConflictError {
  const message =
    'The reservation of the store could not be renewed, so another run may use the store. Nothing more was stored. Run again to continue from the stored cursor.';
  return new SyncConflictError(`${operation}: ${message}`, { operation });
}
