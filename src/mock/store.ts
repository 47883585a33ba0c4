import type { Micros } from './timestamps.js';

/** What a seed is made from. The same context gives the same data. */
export interface SeedContext {
  readonly now: Micros;
}

/** One part of the state. It holds JSON values alone, so that it can be copied and compared. */
export interface Slice<T> {
  readonly name: string;
  seed(context: SeedContext): T;
}

/** The state of the service: one value a slice, all seeded at the start so that a snapshot is always whole. */
export class Store {
  readonly #values = new Map<string, unknown>();

  constructor(slices: readonly Slice<unknown>[], context: SeedContext) {
    for (const slice of slices) {
      if (this.#values.has(slice.name)) throw new Error(`two slices are named ${slice.name}`);
      this.#values.set(slice.name, slice.seed(context));
    }
  }

  /** The live value: handlers change it in place. */
  get<T>(slice: Slice<T>): T {
    if (!this.#values.has(slice.name)) throw new Error(`slice ${slice.name} is not registered in handlers/index.ts`);
    // The constructor put there what this slice's own `seed` returned.
    return this.#values.get(slice.name) as T;
  }

  snapshot(): Record<string, unknown> {
    return structuredClone(Object.fromEntries(this.#values));
  }
}
