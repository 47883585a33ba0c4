import { until } from './abort.js';
import { type BodyText, hasTooManyParts, isCutShort, parseJson, readText } from './body.js';
import type { Call } from './call.js';
import { ConnectionError } from './errors/index.js';
import { ownConnection, readIncoming, whyUndone } from './network.js';

/**
 * Maximum size of a body, far above any response of this service. An endless body must not fill the memory or block the
 * event loop.
 */
const LARGEST_BODY = 16_000_000;
const LARGEST_ERROR_BODY = 250_000;

/**
 * Sends one request and reads the whole body. Redirects are not followed, and every status is a response. The call
 * records the outcome and the body, because ky looks only at the status.
 * @throws {ConnectionError} if no complete response arrived.
 */
export async function attempt(call: Call, signal: AbortSignal): Promise<Response> {
  // A custom `fetch` has connections of its own, which we cannot wait for.
  if (!call.config.fetch) await readIncoming();
  signal.throwIfAborted();
  const client = call.repeatable ? undefined : ownConnection();
  call.begin();
  try {
    const response = await until(send(call, signal, client && { client }), signal);
    // The response is a network error (`Response.error()`), or a custom `fetch` returned something else.
    if (response.type === 'error' || !response.headers?.get) throw new Error('no response');
    call.release?.();
    call.response = response;
    const body = await until(readText(response, response.ok ? LARGEST_BODY : LARGEST_ERROR_BODY, signal), signal);
    keep(call, response, body);
    // `onEvent` may have aborted the call.
    signal.throwIfAborted();
    return response;
  } catch (thrown) {
    signal.throwIfAborted();
    // The status of an error response is enough, even without its body.
    if (call.response?.ok === false) {
      keep(call, call.response, { text: '' });
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
    // `fetch` would send the key to the target of a redirect.
    redirect: 'manual',
  });
}

function keep(call: Call, response: Response, { text, truncated }: BodyText): void {
  const isTooLarge = truncated || hasTooManyParts(text);
  const json = isTooLarge ? undefined : parseJson(text);
  if (response.ok && !json && !isTooLarge && isCutShort(response, text)) throw new Error('cut short');
  call.receive({ response, text, json, isTooLarge });
}

function connectionError(call: Call, thrown: unknown): ConnectionError {
  const undone = call.response ? undefined : whyUndone(thrown);
  if (undone) call.undo();
  const what = undone?.what ?? `the connection ${call.response ? 'broke' : 'failed'}`;
  const cause = call.redactor.cause(thrown);
  // Node's error for a host with several addresses has an empty message.
  const why = cause && innermost(cause).message;
  const hidden = !call.response && 'location' in globalThis ? HIDDEN : '';
  return call.error(ConnectionError, `${what}${why ? `: ${why}` : ''}`, { cause }, undone?.hint ?? hidden);
}

/** For pages and their workers, where the browser hides the cause. */
const HIDDEN = 'The browser does not say why: check CORS, the content security policy and the network.';

function innermost(error: Error): Error {
  return error.cause instanceof Error ? innermost(error.cause) : error;
}
