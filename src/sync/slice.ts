import { invalid } from '../core/request.js';
import { timeOf } from '../core/timestamps.js';
import type { SyncArticle, SyncSource } from './source.js';
import type { SyncProgress } from './store.js';

/** The limits of one run. */
export interface SliceOptions {
  /**
   * Maximum number of requests, retries included: an integer, 1 or more. Default: no limit.
   *
   * The run ends before the next page if it has sent this many, with `done: false`. A run always reads at least one page
   * and ends only where the next one can continue. So it sends a few more if a page is retried, or if articles with the
   * same `updated_at` fill several pages.
   */
  maxRequests?: number | undefined;
  /**
   * The time after which the run requests no further page: a `Date`, or ms since the epoch. Default: no limit. The run
   * then ends with `done: false`, and always reads at least one page. A request in flight is not cut off, so leave
   * room for one request before the limit of your platform.
   */
  deadline?: Date | number | undefined;
}

/** Ends a run before a request that belongs to the next run. */
export class SliceEnd extends Error {
  constructor(readonly limit: 'maxRequests' | 'deadline') {
    super();
  }
}

/** Decides where a run ends, and counts what there is to read. */
export class Slice {
  /** Whether the next run could continue here. */
  canEnd = false;
  readonly #maxRequests: number;
  readonly #deadline: number;
  readonly #progress: SyncProgress;

  constructor({ maxRequests, deadline }: SliceOptions, progress: SyncProgress) {
    this.#maxRequests = maxRequests ?? Number.POSITIVE_INFINITY;
    this.#deadline = typeof deadline === 'object' ? timeOf(deadline) : (deadline ?? Number.POSITIVE_INFINITY);
    this.#progress = progress;
  }

  get isLimited(): boolean {
    return Math.min(this.#maxRequests, this.#deadline) < Number.POSITIVE_INFINITY;
  }

  get isLate(): boolean {
    return Date.now() >= this.#deadline;
  }

  /** Returns the source with these limits. */
  limit<Listed extends SyncArticle>(source: SyncSource<Listed>): SyncSource<Listed> {
    return {
      ...source,
      list: async (position) => {
        this.#check();
        const page = await source.list(position);
        this.#progress.total ??= page.total;
        return page;
      },
      get: async (id) => {
        this.#check();
        return source.get(id);
      },
      announce: async (plan) => {
        await source.announce(plan);
        if (!plan.canResume && this.#progress.requests + plan.requests > this.#maxRequests)
          throw cannotResume('maxRequests');
      },
    };
  }

  #check(): void {
    if (!this.canEnd) return;
    if (this.#progress.requests >= this.#maxRequests) throw new SliceEnd('maxRequests');
    if (this.isLate) throw new SliceEnd('deadline');
  }
}

/** The error for a complete listing that would start again in every run, and never end. */
export function cannotResume(limit: SliceEnd['limit']): Error {
  const message =
    'is not enough for a complete listing, and this store cannot resume one. Use a store with loadListing and ' +
    'saveListing, or raise the limit';
  return invalid([{ path: [limit], message }], { operation: 'articles.syncTo' });
}
