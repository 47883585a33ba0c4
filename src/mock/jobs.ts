import type { JobRunner, Service } from './service.js';
import type { Slice, Store } from './store.js';
import type { Micros } from './timestamps.js';

/** Something that time will bring about: a text gets written, a publication goes online. */
export interface Job {
  readonly kind: string;
  readonly id: number | string;
  readonly at: Micros;
}

export const jobsSlice: Slice<Job[]> = { name: 'jobs', seed: () => [] };

export const schedule = (store: Store, job: Job): void => void store.get(jobsSlice).push(job);

/** Drop the jobs of a thing: those of one kind, or all. */
export function cancel(store: Store, prefix: string, id: number | string): void {
  const jobs = store.get(jobsSlice);
  const kept = jobs.filter((job) => job.id !== id || !job.kind.startsWith(prefix));
  jobs.splice(0, jobs.length, ...kept);
}

/** Do everything that is due, in the order in which it was due, as though it had been done then. */
export function settle(service: Service, runners: ReadonlyMap<string, JobRunner>): void {
  const jobs = service.store.get(jobsSlice);
  const now = service.clock.now();
  for (;;) {
    const next = jobs.reduce<Job | undefined>(
      (first, job) => (job.at <= now && (first === undefined || job.at < first.at) ? job : first),
      undefined,
    );
    if (next === undefined) return;
    // Out first: a runner may schedule or cancel others of the same thing.
    jobs.splice(jobs.indexOf(next), 1);
    const run = runners.get(next.kind);
    if (run === undefined) throw new Error(`no runner for jobs of kind ${next.kind}`);
    run(service, next.id, next.at);
  }
}
