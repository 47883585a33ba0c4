import type { Micros } from './clock.js';
import type { Service, Slice, Store } from './store.js';

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
export function settle(service: Service, runners: ReadonlyMap<string, JobRunner>): void {
  const jobs = service.store.get(jobsSlice);
  const now = service.clock.now();
  for (;;) {
    const next = jobs.reduce<Job | undefined>(
      (first, job) => (job.at <= now && (first === undefined || job.at < first.at) ? job : first),
      undefined,
    );
    if (next === undefined) return;
    // The job is removed first, because a runner may schedule or cancel other jobs of the same id.
    jobs.splice(jobs.indexOf(next), 1);
    const run = runners.get(next.kind);
    if (run === undefined) throw new Error(`no runner for jobs of kind ${next.kind}`);
    run(service, next.id, next.at);
  }
}
