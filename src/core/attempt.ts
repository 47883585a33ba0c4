import { until } from './abort.js';
import { type BodyText, hasTooManyParts, isCutShort, parseJson, readText } from './body.js';
import type { Call } from './call.js';
import { ConnectionError } from './errors/index.js';
import { ownConnection, readIncoming, whyUndone } from './network.js';

/** No response of this service comes near; one that does not end must not fill the memory or block the event loop. */
const LARGEST_BODY = 16_000_000;
const LARGEST_ERROR_BODY = 250_000;

/**
 * Sends one request and reads the whole body: redirects are not followed, and every status is a response. Keeps track of
 * the outcome. What was read stays with the call: ky looks at the status alone.
 * @throws {ConnectionError} if no whole response came.
 */
export async function attempt(call: Call, signal: AbortSignal): Promise<Response> {
  // The connections of the caller's own `fetch` are not ours to wait for.
  if (!call.config.fetch) await readIncoming();
  signal.throwIfAborted();
  const started = performance.now();
  const client = call.repeatable ? undefined : ownConnection();
  call.begin();
  try {
    const response = await until(send(call, signal, client && { client }), signal);
    // A network error in the shape of a response, or what a custom `fetch` gave in place of one.
    if (response.type === 'error' || !response.headers?.get) throw new Error('no response');
    call.release?.();
    call.response = response;
    const body = await until(readText(response, response.ok ? LARGEST_BODY : LARGEST_ERROR_BODY, signal), signal);
    keep(call, response, body, started);
    // The observer of the response event may have aborted the call.
    signal.throwIfAborted();
    return response;
  } catch (thrown) {
    signal.throwIfAborted();
    // An error response says enough without its body.
    if (call.response?.ok === false) {
      keep(call, call.response, { text: '' }, started);
      return call.response;
    }
    throw connectionError(call, thrown);
  } finally {
    call.release?.();
    client?.close();
  }
}

async function send({ config, endpoint, headers, options, request, url }: Call, signal: AbortSignal, own?: object) {
  return (config.fetch ?? globalThis.fetch)(url, {
    ...own,
    ...config.fetchOptions,
    ...options.fetchOptions,
    method: endpoint.method,
    headers,
    body: request.body ?? null,
    signal,
    // Followed, it would carry the key to wherever it points.
    redirect: 'manual',
  });
}

function keep(call: Call, response: Response, { text, truncated }: BodyText, started: number): void {
  const isTooLarge = truncated || hasTooManyParts(text);
  const json = isTooLarge ? undefined : parseJson(text);
  if (response.ok && !json && !isTooLarge && isCutShort(response, text)) throw new Error('cut short');
  call.receive({ response, text, json, isTooLarge }, performance.now() - started);
}

function connectionError(call: Call, thrown: unknown): ConnectionError {
  const undone = call.response ? undefined : whyUndone(thrown);
  if (undone) call.undo();
  const what = undone?.what ?? `the connection ${call.response ? 'broke' : 'failed'}`;
  const cause = call.redactor.cause(thrown);
  // Node gives a name with several addresses an error without words.
  const why = cause && innermost(cause).message;
  const hidden = !call.response && 'location' in globalThis ? HIDDEN : '';
  return call.error(ConnectionError, `${what}${why ? `: ${why}` : ''}`, { cause }, undone?.hint ?? hidden);
}

/** In pages and in workers of pages, where the browser hides why. */
const HIDDEN = 'The browser does not say why: check CORS, the content security policy and the network.';

function innermost(error: Error): Error {
  return error.cause instanceof Error ? innermost(error.cause) : error;
}
