import { ApiError, isMultilocalError, RateLimitError, TimeoutError } from 'multilocal/internal/errors';

interface RefusalInit {
  /** Milliseconds, sent as `Retry-After`. */
  retryAfter?: number | undefined;
  headers?: Record<string, string>;
}

/**
 * A response other than 2xx. `detail` is the proxy's own text and contains nothing from the service, the key or the
 * visitor.
 */
export class Refusal extends Error {
  readonly retryAfter: number | undefined;
  readonly headers: Record<string, string>;

  constructor(
    readonly status: number,
    readonly detail: string,
    { retryAfter, headers = {} }: RefusalInit = {},
  ) {
    super(detail);
    this.retryAfter = retryAfter;
    this.headers = headers;
  }
}

export const noArticle = (): Refusal => new Refusal(404, 'No such article.');

/** 503: the visitor can try again after some milliseconds. */
export const unavailable = (retryAfter: number): Refusal =>
  new Refusal(503, 'The articles are not available at the moment.', { retryAfter });

/** The response to a visitor for an error, such as a confirmation that failed. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof RateLimitError) return unavailable(error.retryAfter ?? 10_000);
  const status = error instanceof ApiError ? error.status : 0;
  if (status === 404 || status === 410) return noArticle();
  if (status === 400 || status === 422) return new Refusal(400, 'The service does not accept these parameters.');
  const isTimeout = error instanceof TimeoutError || status === 408 || status === 504;
  const own = isTimeout ? 504 : isMultilocalError(error) ? 502 : 500;
  return new Refusal(own, 'The request cannot be served at the moment.');
}
