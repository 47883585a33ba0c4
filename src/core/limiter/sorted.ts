/** Numbers in ascending order. Adding at the end and removing at the beginning do not depend on their number. */
export class Sorted {
  readonly #values: number[];
  /** The values before it are removed. */
  #start = 0;

  constructor(values: readonly number[] = []) {
    this.#values = [...values];
  }

  get size(): number {
    return this.#values.length - this.#start;
  }

  toArray(): number[] {
    return this.#values.slice(this.#start);
  }

  /** Returns the value at a place counted from the end: 1 is the last one. `-Infinity` if there are not so many. */
  fromEnd(place: number): number {
    return place > this.size ? Number.NEGATIVE_INFINITY : (this.#values.at(-place) as number);
  }

  /** Returns how many values are not greater than this one. */
  countUpTo(value: number): number {
    return this.#indexAfter(value) - this.#start;
  }

  add(value: number): void {
    this.#values.splice(this.#indexAfter(value), 0, value);
  }

  /** Removes a value that is there. */
  remove(value: number): void {
    const index = this.#indexAfter(value) - 1;
    if (index === this.#start) this.#advance(index + 1);
    else this.#values.splice(index, 1);
  }

  /** Removes the values that are not greater than this one. */
  removeUpTo(value: number): void {
    this.#advance(this.#indexAfter(value));
  }

  #advance(start: number): void {
    this.#start = start;
    // Removing each value on its own would take time in proportion to their number.
    if (start > this.#values.length / 2) {
      this.#values.splice(0, start);
      this.#start = 0;
    }
  }

  #indexAfter(value: number): number {
    let low = this.#start;
    let high = this.#values.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#values[middle] as number) <= value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
