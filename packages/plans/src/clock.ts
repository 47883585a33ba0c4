import { setTimeout } from 'node:timers/promises';
import type { Client } from 'multilocal';
import { timeoutOf } from 'multilocal/internal/call';
import { ApiError } from 'multilocal/internal/errors';
import type { CallOptions } from 'multilocal/internal/options';
import { parseTimestamp } from 'multilocal/internal/timestamps';
import type { Sent } from './journal-content.js';
import { endpointOf } from './operation.js';

/** Time as a run sees it. Tests pass another one. */
export interface Timer {
  /** Milliseconds that only grow, whatever happens to the clock of the machine. They may stand still while it sleeps. */
  now(): number;
  /** The clock of the machine, in ms. */
  date(): number;
  /** Rejects with the signal's reason if the signal aborts. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

export const realTimer: Timer = {
  now: () => performance.now(),
  date: () => Date.now(),
  wait: (ms, signal) => setTimeout(ms, undefined, signal && { signal }).catch(() => signal?.throwIfAborted()),
};

/**
 * Difference in ms that two clocks may have. The service may cut dates to whole seconds, and the clocks of its machines
 * differ. A generous margin does no harm, because a lookup ignores objects that the journal knows or that differ from the
 * action.
 */
export const MARGIN = 60_000;

/** A request leaves at most that many ms after its start was saved. */
export const LEAVES_WITHIN = 30_000;

/** The present by all clocks, in ms. */
export interface Present {
  readonly earliest: number;
  readonly latest: number;
  /** Whether the service has shown a clock, and all clocks agree, apart from the margin. */
  readonly isSure: boolean;
}

/**
 * Compares three clocks: `GET /health`, the header `Date` of its response, and this machine. Each clock may be wrong: a
 * date without an offset, a cached response, or a clock that is ahead.
 */
export class ServiceClock {
  readonly #read: readonly number[];
  readonly #timer: Timer;
  readonly #now: number;
  readonly #date: number;

  private constructor(read: readonly number[], timer: Timer) {
    this.#read = read;
    this.#timer = timer;
    this.#now = timer.now();
    this.#date = timer.date();
  }

  /** Reads the clocks: `GET /health`, which needs no key and does not count toward the budget. */
  static async read(client: Client, timer: Timer, options?: CallOptions): Promise<ServiceClock> {
    const { timestamp, headers } = await client
      .health(options)
      .withResponse()
      .then(({ data, response }) => ({ timestamp: data.timestamp, headers: response.headers }))
      .catch((error) => {
        // A refusal has a date too.
        if (!(error instanceof ApiError)) throw error;
        return { timestamp: undefined, headers: error.headers };
      });
    const read = [parseTimestamp(timestamp)?.getTime(), Date.parse(headers.get('date') ?? '')];
    return new ServiceClock(read.filter((at) => at !== undefined && !Number.isNaN(at)) as number[], timer);
  }

  now(): Present {
    const date = this.#timer.date();
    // Two measurements of the time since then: the machine may have slept, and its clock may have been set.
    const passed = [this.#timer.now() - this.#now, date - this.#date];
    const all = [date, ...this.#read.flatMap((at) => passed.map((ms) => at + ms))];
    const [earliest, latest] = [Math.min(...all), Math.max(...all)];
    return { earliest, latest, isSure: this.#read.length > 0 && latest - earliest <= MARGIN };
  }
}

/** How long a request may be worked on after it was sent, in ms. */
export function finishesWithin(operation: string): number {
  const endpoint = endpointOf(operation);
  return (endpoint ? timeoutOf(endpoint) : 0) + MARGIN;
}

/**
 * Until when another run may still be sending a request, in ms since 1970 by this machine's clock `now`. `undefined` if none can be:
 * it has ended, or it was started too long ago by every clock, or in a future that no clock knows.
 */
export function busyUntil(operation: string, sent: Sent, { earliest }: Present, now: number): number | undefined {
  if (sent.isLost) return undefined;
  const longest = finishesWithin(operation) + LEAVES_WITHIN + MARGIN;
  const end = Date.parse(sent.service_end ?? sent.service_time) + (sent.service_end ? 0 : LEAVES_WITHIN);
  const left = end + finishesWithin(operation) - earliest;
  return left > 0 && left <= longest ? now + left : undefined;
}
