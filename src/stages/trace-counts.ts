import { channelOf, type TraceBase, traced } from './trace.js';

/**
 * The context object of `tracingChannel('multilocal:plan')`: one call of `runPlan` or `rehearsePlan`. The same object goes
 * to every subscriber, from `start` to `asyncEnd`. It has no key, no id and no text.
 */
export interface PlanTrace extends TraceBase {
  /** `'runPlan'` or `'rehearsePlan'`. */
  operation: 'runPlan' | 'rehearsePlan';
  /**
   * How many actions have ended in which way, if there are some. Of a run: those that it settled, by outcome (`applied`,
   * `not_applied`, `unknown`). Of a rehearsal: by state (`ready`, `refused` …).
   */
  counts: Record<string, number>;
}

/**
 * The context object of `tracingChannel('multilocal:watch')`: one look of `watch` at a kind, of reviews at a listing. The same
 * object goes to every subscriber, from `start` to `asyncEnd`. It has no key, no id and no text.
 */
export interface WatchTrace extends TraceBase {
  /** Always `'watch'`. */
  operation: 'watch';
  /** What was looked at: `'reviews'`, `'posts'` … */
  kind: string;
  /** How many events were found, by type. */
  counts: Record<string, number>;
}

export const planChannel = channelOf<PlanTrace>('plan');
export const watchChannel = channelOf<WatchTrace>('watch');

/** Runs a plan, its rehearsal or a look, and publishes its trace. The work reports what to count. */
export function traceCounts<T>(
  of: Pick<PlanTrace, 'operation'> | Pick<WatchTrace, 'operation' | 'kind'>,
  work: (count: (name: string) => void) => Promise<T>,
): Promise<T> {
  const run = (trace?: Pick<PlanTrace, 'counts'>) =>
    work((name) => {
      // A subscriber may have frozen the trace, which must not change the run.
      if (trace && !Object.isFrozen(trace.counts)) trace.counts[name] = (trace.counts[name] ?? 0) + 1;
    });
  return of.operation === 'watch'
    ? traced(watchChannel, (): WatchTrace => ({ ...of, counts: {} }), run)
    : traced(planChannel, (): PlanTrace => ({ ...of, counts: {} }), run);
}
