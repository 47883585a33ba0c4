import ky, { isNetworkError } from 'ky';
import type { Transport } from '../transport.js';

/**
 * ky, with everything off that the policy of `send.ts` decides: retries, time-outs, errors by status, redirects.
 * The caller's fetch options bypass ky, whose own options (`hooks`, `json`, `searchParams` …) they could otherwise set.
 */
export const kyTransport: Transport = async ({ url, method, headers, body, signal, fetch, fetchOptions }) => {
  try {
    return await ky(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      signal,
      redirect: 'manual',
      retry: 0,
      timeout: false,
      throwHttpErrors: false,
      fetch: (request) => fetch(request, withoutReserved(fetchOptions)),
    });
  } catch (error) {
    // A ky error holds the request and with it the key: only what lies behind it may leave this file.
    throw isNetworkError(error) ? error.cause : error;
  }
};

function withoutReserved(options: object): object {
  const { method, headers, body, redirect, signal, ...rest } = options as RequestInit;
  return rest;
}
