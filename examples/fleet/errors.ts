// What becomes of a job whose slice failed.
import { DelayedError, type Job, UnrecoverableError, Worker } from 'bullmq';
import { isMultilocalError } from 'multilocal';

export type Decision =
  /** No retry can help: somebody has to act. */
  | { action: 'fail' }
  /** The service asked for a pause: no worker takes a job for `ms`. */
  | { action: 'pause'; ms: number }
  /** The brand has used its requests up: only its job waits, and costs no attempt. */
  | { action: 'delay'; ms: number }
  /** An attempt with a backoff. */
  | { action: 'retry' };

/** A pause holds every brand back. A longer wait, such as the wait for the next day, concerns one key only. */
const LONGEST_PAUSE = 60_000;
/** A response without `Retry-After` is taken to mean the limit of a minute. */
const MINUTE = 60_000;

export function decide(error: unknown): Decision {
  if (!isMultilocalError(error)) return { action: 'retry' };
  switch (error.code) {
    case 'configuration':
    case 'authentication':
    case 'permission_denied':
    case 'bulle_out_of_scope':
    case 'fiche_out_of_scope':
    case 'missing_permission':
    case 'mass_deletion':
    case 'quota_exceeded':
      return { action: 'fail' };
    case 'rate_limit': {
      const { retryAfter: ms = MINUTE } = error;
      const isAsked = error.origin === 'service' && ms <= LONGEST_PAUSE;
      return { action: isAsked ? 'pause' : 'delay', ms };
    }
    // Among others `sync_conflict`: another worker has taken the brand over, and its cursor counts.
    default:
      return { action: 'retry' };
  }
}

/** Ends a job's turn as decided. BullMQ reads the decision from the error that is thrown. */
export async function obey(
  decision: Decision,
  error: unknown,
  worker: Pick<Worker, 'rateLimit'>,
  job: Pick<Job, 'moveToDelayed' | 'token'>,
): Promise<never> {
  switch (decision.action) {
    case 'fail':
      throw new UnrecoverableError(String(error));
    case 'pause':
      await worker.rateLimit(decision.ms);
      throw Worker.RateLimitError();
    case 'delay':
      return later(job, decision.ms);
    case 'retry':
      throw error;
  }
}

/** Ends a job's turn without a result: after `ms`, the job goes behind the jobs that wait. It costs no attempt. */
export async function later(job: Pick<Job, 'moveToDelayed' | 'token'>, ms: number): Promise<never> {
  await job.moveToDelayed(Date.now() + ms, job.token);
  throw new DelayedError();
}
