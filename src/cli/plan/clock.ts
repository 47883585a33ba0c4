import { setTimeout } from 'node:timers/promises';
import type { Client, RequestOptions } from '../../index.js';
import { parseTimestamp } from '../../index.js';

/** Time as a run sees it. Tests pass another one. */
export interface Timer {
  /** Milliseconds that only grow, whatever happens to the clock of the machine. */
  now(): number;
  /** Rejects with the signal's reason if the signal aborts. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

export const realTimer: Timer = {
  now: () => performance.now(),
  wait: async (ms, signal) => {
    await setTimeout(ms, undefined, signal && { signal }).catch((error) => {
      signal?.throwIfAborted();
      throw error;
    });
  },
};

/**
 * The clock of the service. Lookups compare it with dates of the service, so the clock of this machine may be wrong. It
 * may be behind by the time that a response takes, and never ahead.
 */
export class ServiceClock {
  readonly #offset: number;
  readonly #timer: Timer;

  private constructor(offset: number, timer: Timer) {
    this.#offset = offset;
    this.#timer = timer;
  }

  /** Reads the clock: `GET /health`, which needs no key and does not count toward the budget. */
  static async read(client: Client, timer: Timer, options?: RequestOptions): Promise<ServiceClock> {
    const { data, response } = await client.health(options).withResponse();
    const header = Date.parse(response.headers.get('date') ?? '');
    const at = parseTimestamp(data.timestamp)?.getTime() ?? (Number.isNaN(header) ? Date.now() : header);
    return new ServiceClock(at - timer.now(), timer);
  }

  now(): Date {
    return new Date(this.#offset + this.#timer.now());
  }
}
