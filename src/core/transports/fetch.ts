import type { Transport } from '../transport.js';

/** Plain `fetch`, for the articles entry: ky alone weighs as much as the rest of it. */
export const fetchTransport: Transport = ({ url, method, headers, body, signal, fetch, fetchOptions }) =>
  fetch(url, {
    ...fetchOptions,
    method,
    headers,
    body: body ?? null,
    signal,
    redirect: 'manual',
  });
