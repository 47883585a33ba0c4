import type { Method } from './types.js';

/** What may be passed on to `fetch`: everything but what the client decides itself. */
export type FetchOptions = Omit<RequestInit, 'method' | 'headers' | 'body' | 'redirect' | 'signal'>;

/** One attempt, ready to go. */
export interface TransportRequest {
  url: string;
  method: Method;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal;
  fetch: typeof globalThis.fetch;
  fetchOptions: FetchOptions;
}

/**
 * The port behind which the HTTP library stands: one attempt, no retries, no time-outs, redirects not followed,
 * every status an answer. What it throws is taken for a failed connection.
 */
export type Transport = (request: TransportRequest) => Promise<Response>;
