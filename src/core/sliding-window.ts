/** Counts the events of the last `length` milliseconds. The clock is the caller's, and must never go back. */
export class SlidingWindow {
  readonly length: number;
  /** When events count from, oldest first. Those before `#start` have left the window. */
  readonly #times: number[] = [];
  #start = 0;

  constructor(length: number) {
    this.length = length;
  }

  /** How many events the window holds. */
  size(now: number): number {
    const times = this.#times;
    while ((times[this.#start] ?? now) <= now - this.length) this.#start++;
    // To take each event out of the array as it leaves would cost as much as the window is long.
    if (this.#start > times.length / 2) {
      times.splice(0, this.#start);
      this.#start = 0;
    }
    return times.length - this.#start;
  }

  /** Adds an event; no earlier than the last one. */
  add(time: number): void {
    this.#times.push(time);
  }

  /** When the window holds fewer than `max` events, so that one more has room: `now` if it does already. `max` need not be an integer. */
  opensAt(max: number, now: number): number {
    const count = this.size(now);
    if (count < max) return now;
    return (this.#times[this.#start + Math.floor(count - max)] ?? Number.POSITIVE_INFINITY) + this.length;
  }
}
