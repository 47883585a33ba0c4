import type { Settings } from '../settings.js';
import type { Clock, Micros } from './clock.js';

/** The input of a seed. The same context gives the same data. */
export interface SeedContext {
  readonly now: Micros;
  readonly bulles: number;
  /** Address of the folder of the mock's files, without a slash at its end. */
  readonly files: string;
}

/** One part of the state. It holds only JSON values, so that it can be copied and compared. */
export interface Slice<T> {
  readonly name: string;
  seed(context: SeedContext): T;
}

/** The state by part (`brand`, `articles` …), as JSON values. Only for comparisons, because its shape may change. */
export type MockSnapshot = Readonly<Record<string, unknown>>;

/** The state of the service: one value per slice. Each is seeded when it is first read, because most tests need few of them. */
export class Store {
  readonly #seeds = new Map<string, () => unknown>();
  readonly #values = new Map<string, unknown>();

  constructor(slices: readonly Slice<unknown>[], context: SeedContext) {
    for (const slice of slices) {
      if (this.#seeds.has(slice.name)) throw new Error(`two slices are named ${slice.name}`);
      this.#seeds.set(slice.name, () => slice.seed(context));
    }
  }

  /** The live value: handlers change it in place. */
  get<T>({ name }: Slice<T>): T {
    const seed = this.#seeds.get(name);
    if (seed === undefined) throw new Error(`slice ${name} is in no resource of resources/index.ts`);
    if (!this.#values.has(name)) this.#values.set(name, seed());
    // It is what the slice's own `seed` returned.
    return this.#values.get(name) as T;
  }

  snapshot(): MockSnapshot {
    const parts = [...this.#seeds].map(([name, seed]) => [name, this.get({ name, seed })]);
    return structuredClone(Object.fromEntries(parts));
  }
}

export interface Service {
  readonly clock: Clock;
  readonly store: Store;
  readonly settings: Settings;
  /** As in the seed: `https://api.multilocal.test/files`. */
  readonly files: string;
}

/** Work that becomes due with time: a text gets written, a publication goes online. */
interface Job {
  readonly kind: string;
  readonly id: number | string;
  readonly at: Micros;
}

/** Does one job, as of its instant `at`. */
export type JobRunner = (service: Service, id: number | string, at: Micros) => void;

export const jobsSlice: Slice<Job[]> = { name: 'jobs', seed: () => [] };

export const schedule = (store: Store, job: Job): void => void store.get(jobsSlice).push(job);

/** Removes the jobs of one id whose kind begins with `prefix`. */
export function cancel(store: Store, prefix: string, id: number | string): void {
  const jobs = store.get(jobsSlice);
  const kept = jobs.filter((job) => job.id !== id || !job.kind.startsWith(prefix));
  jobs.splice(0, jobs.length, ...kept);
}

/** Does every job that is due, in the order of their instants, as if each had been done at its instant. */
export function settle(service: Service, runners: ReadonlyMap<string, JobRunner>): Service {
  const jobs = service.store.get(jobsSlice);
  const now = service.clock.now();
  for (;;) {
    const [next] = jobs.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
    if (next === undefined) return service;
    // The job is removed first, because a runner may schedule or cancel other jobs of the same id.
    jobs.splice(jobs.indexOf(next), 1);
    const run = runners.get(next.kind);
    if (run === undefined) throw new Error(`no runner for jobs of kind ${next.kind}`);
    run(service, next.id, next.at);
  }
}
