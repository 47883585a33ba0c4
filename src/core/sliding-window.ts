/** Counts the events of the last `length` milliseconds. The clock is the caller's, and must never go back. */
export class SlidingWindow {
  readonly length: number;
  /** When past events count from, oldest first. */
  readonly #times: number[] = [];

  constructor(length: number) {
    this.length = length;
  }

  /** How many events the window holds. */
  size(now: number): number {
    while ((this.#times[0] ?? now) <= now - this.length) this.#times.shift();
    return this.#times.length;
  }

  /** Adds an event; no earlier than the last one. */
  add(time: number): void {
    this.#times.push(time);
  }

  /**
   * When the window holds fewer than `max` events, so that one more has room: `now` if it does already. `max` need not be an
   * integer. `more` are the times of events to come, which are not added.
   */
  opensAt(max: number, now: number, more: readonly number[] = []): number {
    const count = this.size(now) + more.length;
    if (count < max) return now;
    const index = Math.floor(count - max);
    const times = this.#times;
    const time = index < times.length ? times[index] : more[index - times.length];
    return (time ?? Number.POSITIVE_INFINITY) + this.length;
  }
}
