import { DAY } from './look.js';

/** A moment by each of the clocks. */
export interface ClockState {
  /** By the cursor's own clock, which never runs faster than the others agree. */
  t: number;
  /** By the clock of this machine. */
  wall: number;
  /** By the `Date` of the service. */
  date?: number;
}

/** What a cursor remembers of the requests. */
export interface LedgerState {
  clock: ClockState;
  /** When each request of the last day left, and for what. */
  asked: [time: number, what: string][];
  /** Whether the last of them may be on its way. */
  flight: boolean;
  /** When the last request left that no response has followed, by the clock of this machine alone. */
  alone?: number | undefined;
}

/**
 * Counts the requests of 24 hours. Its clock goes on with the process. Time without a process counts as far as both this
 * machine and the `Date` of the service say that it has passed: until the first response, this machine alone.
 */
export class Ledger {
  readonly #state: LedgerState;
  #mark: ClockState;
  #began = performance.now();
  /** Whether nothing has answered yet. */
  #isFirst = true;
  #hasAsked: boolean;
  /** How long nobody watched, as this machine says. */
  readonly #away: number;

  constructor(state: LedgerState) {
    this.#state = state;
    this.#mark = state.clock;
    this.#away = Math.max(0, Date.now() - state.clock.wall);
    this.#hasAsked = Math.abs(Date.now() - (state.alone ?? 0)) < DAY;
    // A request that was on its way when the process died may have left at any moment since.
    const last = state.asked.at(-1);
    if (state.flight && last) last[0] = Math.max(last[0], this.now());
    state.flight = false;
  }

  now(): number {
    return Math.floor(this.#mark.t + (this.#isFirst ? this.#away : 0) + performance.now() - this.#began);
  }

  /** Number of requests in the last 24 hours, of all or of one kind. */
  used(what?: string): number {
    return this.#recent().filter(([, one]) => what === undefined || one === what).length;
  }

  /** Ms until the window has room for `count` more requests. */
  roomIn(count: number, most: number): number {
    const recent = this.#recent();
    // One place is for the request that the clock of this machine alone frees.
    const places = this.#isFirst && !this.#hasAsked ? most : Math.max(1, most - 1);
    const blocking = recent[recent.length + Math.min(count, places) - places - 1];
    return blocking ? Math.max(0, blocking[0] + DAY + 1 - this.#sure()) : 0;
  }

  /** Notes a request that is about to leave. */
  note(what: string): void {
    this.#hasAsked = true;
    if (this.#isFirst) this.#state.alone = Date.now();
    this.#state.asked.push([this.now(), what]);
    this.#state.flight = true;
    this.stamp();
  }

  /** A request is over. One that was never sent does not count. */
  settle(date: number | undefined, wasSent = true): void {
    this.#agree(date);
    const now = this.now();
    this.#state.flight = false;
    if (!wasSent) this.#state.asked.pop();
    // A request counts from its response. If the clock was ahead, no request may stay in the future.
    const last = this.#state.asked.at(-1);
    if (last && wasSent) last[0] = now;
    for (const entry of this.#state.asked) entry[0] = Math.min(entry[0], now);
    this.#state.asked = this.#recent();
  }

  /** Writes the clocks into the state, as soon as they agree: what this machine alone says may be wrong. */
  stamp(): void {
    if (this.#isFirst) return;
    const { date } = this.#mark;
    const passed = this.now() - this.#mark.t;
    this.#state.clock = { t: this.now(), wall: Date.now(), ...(date !== undefined && { date: date + passed }) };
  }

  #recent(): LedgerState['asked'] {
    const from = this.#sure() - DAY;
    return this.#state.asked.filter(([time]) => time > from);
  }

  /** The clock of this machine alone may be wrong, so it frees one request, whose response has the date of the service. */
  #sure(): number {
    const isAlone = this.#isFirst && this.#hasAsked && this.#mark.date !== undefined;
    return this.now() - (isAlone ? this.#away : 0);
  }

  #agree(date: number | undefined): void {
    if (this.#isFirst && date === undefined && this.#mark.date !== undefined) return;
    const running = performance.now() - this.#began;
    const wall = Math.max(0, Date.now() - this.#mark.wall);
    const known = date !== undefined && this.#mark.date !== undefined ? Math.max(0, date - this.#mark.date) : undefined;
    // A machine that slept has stopped the clock of its processes. Both others then say how long.
    const passed =
      known === undefined ? running + (this.#isFirst ? this.#away : 0) : Math.max(running, Math.min(wall, known));
    const t = this.#mark.t + passed;
    // A response may be read long after the service dated it.
    const before = this.#mark.date;
    const own = before === undefined ? date : Math.max(date ?? 0, before + passed);
    this.#mark = { t, wall: Date.now(), ...(own !== undefined && { date: own }) };
    this.#began = performance.now();
    this.#isFirst = false;
    this.#state.alone = undefined;
  }
}
