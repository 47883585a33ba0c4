import type { ClientEvent } from 'multilocal';

/** Counts the requests of a client, including every attempt, as the service does. */
export interface Meter {
  record(event: ClientEvent): void;
  readonly total: number;
  /** Requests by operation, most first. */
  byOperation(): [operation: string, requests: number][];
  /** Seconds since the start. */
  seconds(): number;
}

export function createMeter(): Meter {
  const started = performance.now();
  const counts = new Map<string, number>();
  return {
    record({ type, operation }) {
      if (type === 'request') counts.set(operation, (counts.get(operation) ?? 0) + 1);
    },
    get total() {
      return [...counts.values()].reduce((sum, count) => sum + count, 0);
    },
    byOperation: () => [...counts].sort(([, a], [, b]) => b - a),
    seconds: () => (performance.now() - started) / 1000,
  };
}
