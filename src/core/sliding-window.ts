/** Counts the events of the last `length` milliseconds. The caller provides the time, which must never go back. */
export class SlidingWindow {
  readonly length: number;
  /** The times of the events, oldest first. Those before `#start` have left the window. */
  readonly #times: number[] = [];
  #start = 0;

  constructor(length: number) {
    this.length = length;
  }

  /** Returns the number of events in the window. */
  size(now: number): number {
    const times = this.#times;
    while ((times[this.#start] ?? now) <= now - this.length) this.#start++;
    // Removing each event on its own would take time in proportion to the number of events.
    if (this.#start > times.length / 2) {
      times.splice(0, this.#start);
      this.#start = 0;
    }
    return times.length - this.#start;
  }

  /** Adds an event. It must not be earlier than the last one. */
  add(time: number): void {
    this.#times.push(time);
  }

  /**
   * Returns the time at which the window has fewer than `max` events, so that one more has room. That is `now` if it
   * has room already. `max` need not be an integer.
   */
  opensAt(max: number, now: number): number {
    const count = this.size(now);
    if (count < max) return now;
    return (this.#times[this.#start + Math.floor(count - max)] ?? Number.POSITIVE_INFINITY) + this.length;
  }
}
