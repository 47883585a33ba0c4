import {
  ApiError,
  BulleOutOfScopeError,
  ConnectionError,
  InvalidRequestError,
  InvalidResponseError,
  isMultilocalError,
  MissingBulleIdError,
  RateLimitError,
  RedirectError,
  TimeoutError,
} from '../core/errors/index.js';

/** Milliseconds to wait if the service requests a pause without a duration. */
export const PAUSE = 10_000;

interface RefusalInit {
  /** Milliseconds, sent as `Retry-After`. */
  retryAfter?: number;
  /** Whether a stale response may be sent: the service failed or the budget is used up, but query and key are valid. */
  outage?: boolean;
  headers?: Record<string, string>;
}

/**
 * A response other than 2xx. `detail` is the proxy's own text and contains nothing from the service, the key or the
 * visitor.
 */
export class Refusal extends Error {
  readonly retryAfter: number | undefined;
  readonly outage: boolean;
  readonly headers: Record<string, string>;

  constructor(
    readonly status: number,
    readonly detail: string,
    { retryAfter, outage = false, headers = {} }: RefusalInit = {},
  ) {
    super(detail);
    this.retryAfter = retryAfter;
    this.outage = outage;
    this.headers = headers;
  }
}

/** The response to visitors for an error. `missing` is the detail of a 404. Without it, a 404 means a wrong setup. */
export function refusalOf(error: unknown, missing?: string): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof RateLimitError) return busy(error.retryAfter ?? PAUSE);
  // Without an attempt, the call timed out in the queue of the client's limiter.
  if (error instanceof TimeoutError) return error.attempts === 0 ? busy(PAUSE) : unavailable(504);
  if (error instanceof ConnectionError || error instanceof RedirectError || error instanceof InvalidResponseError) {
    return unavailable(502);
  }
  if (error instanceof BulleOutOfScopeError) return byStatus(404, missing);
  if (error instanceof InvalidRequestError) return new Refusal(400, 'The service does not accept these parameters.');
  if (error instanceof ApiError && !(error instanceof MissingBulleIdError)) return byStatus(error.status, missing);
  return new Refusal(isMultilocalError(error) ? 502 : 500, 'The articles cannot be served.');
}

/** 503: no request to the service is possible now. */
export function busy(retryAfter: number): Refusal {
  return new Refusal(503, 'Too many requests at the moment. Try again later.', { retryAfter, outage: true });
}

function unavailable(status: 502 | 504): Refusal {
  return new Refusal(status, 'The articles are not available at the moment.', { outage: true });
}

function byStatus(status: number, missing: string | undefined): Refusal {
  if ((status === 404 || status === 410) && missing !== undefined) return new Refusal(404, missing);
  if (status === 400 || status === 422) return new Refusal(400, 'The service does not accept these parameters.');

  if (status === 408 || status === 504) return unavailable(504);
  return status >= 500 ? unavailable(502) : new Refusal(502, 'The articles cannot be served.');
}
