import type { PlanProgress } from 'multilocal/plans';
import type { Output } from '../output.js';

const BAR = 24;

const STATES: Readonly<Record<PlanProgress['state'], string>> = {
  previewing: 'previewing',
  looking: 'looking for the result of an earlier run',
  sending: 'sending',
  waiting: 'waiting for the limits of the key',
};

/** Shows on an interactive terminal which action runs, what it waits for, and how long the rest takes. */
export class PlanBar {
  readonly #output: Output;
  readonly #total: number;
  /** When the first action began. */
  readonly #started = performance.now();

  constructor(output: Output, total: number) {
    this.#output = output;
    this.#total = total;
  }

  show({ index, operation, state, delay }: PlanProgress): void {
    const filled = Math.round((BAR * index) / Math.max(1, this.#total));
    const bar =
      this.#output.paintNote('cyan', '━'.repeat(filled)) + this.#output.paintNote('dim', '━'.repeat(BAR - filled));
    const wait = delay === undefined ? '' : `, up to ${duration(delay)}`;
    const rest =
      index === 0 ? '' : `, ${duration(((performance.now() - this.#started) / index) * (this.#total - index))} left`;
    this.#output.status(`${bar}  ${index + 1} of ${this.#total}  ${operation}: ${STATES[state]}${wait}${rest}`);
  }
}

/** `40 s`, `7 minutes`. */
export function duration(ms: number): string {
  if (ms < 90_000) return `${Math.max(1, Math.ceil(ms / 1000))} s`;
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
