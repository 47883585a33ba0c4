/** Counts what happened within the last so many milliseconds. */
export class SlidingWindow {
  /** Milliseconds. */
  readonly length: number;
  /** When past events count from, oldest first. */
  readonly #times: number[] = [];

  constructor(length: number) {
    this.length = length;
  }

  /** Events that the window holds. */
  size(now: number): number {
    while ((this.#times[0] ?? now) <= now - this.length) this.#times.shift();
    return this.#times.length;
  }

  /** An event; no earlier than the last one. */
  add(time: number): void {
    this.#times.push(time);
  }

  /**
   * When there is room for one more event than `max` allows to be in the window; in the past if there is room already.
   * `more` are the times of events to come, which are not added.
   */
  opensAt(max: number, now: number, more: readonly number[] = []): number {
    const count = this.size(now) + more.length;
    if (count < max) return now;
    const index = count - max;
    const times = this.#times;
    const time = index < times.length ? times[index] : more[index - times.length];
    return (time ?? Number.POSITIVE_INFINITY) + this.length;
  }
}
