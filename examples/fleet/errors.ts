// What becomes of a job whose slice failed.
import { DelayedError, type Job, UnrecoverableError, Worker } from 'bullmq';
import { isMultilocalError } from 'multilocal';

type Turn = Pick<Job, 'moveToDelayed' | 'token'>;

/** No retry can help: a person must act, then retries the job. */
const FINAL =
  /^(configuration|authentication|permission_denied|.+_out_of_scope|missing_permission|mass_deletion|quota_exceeded)$/;
const MINUTE = 60_000;

/** Ends a job's turn after an error. BullMQ reads from the error that is thrown what becomes of the job. */
export async function endTurn(error: unknown, worker: Pick<Worker, 'rateLimit'>, job: Turn): Promise<never> {
  // Another attempt, with a backoff. Among others after `sync_conflict`: another worker has taken the brand over.
  if (!isMultilocalError(error)) throw error;
  if (FINAL.test(error.code)) throw new UnrecoverableError(String(error));
  if (error.code !== 'rate_limit') throw error;

  const { retryAfter: ms = MINUTE, origin } = error;
  // This key has used its requests up: only its job waits.
  if (origin === 'preflight' || ms > MINUTE) return later(job, ms);
  // The service asks for a short pause: no worker takes a job until it is over.
  await worker.rateLimit(ms);
  throw Worker.RateLimitError();
}

/** Ends a job's turn without a result: after `ms`, the job goes behind the jobs that wait. It costs no attempt. */
export async function later(job: Turn, ms: number): Promise<never> {
  await job.moveToDelayed(Date.now() + ms, job.token);
  throw new DelayedError();
}
