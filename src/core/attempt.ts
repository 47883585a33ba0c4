import { onAbort, until } from './abort.js';
import type { Call, Once } from './call.js';
import { ConfigurationError, ConnectionError } from './errors/index.js';
import { callError } from './failure.js';

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
  const { network } = call.session.stages;
  await call.options.onAttempt?.();
  // A custom `fetch` has connections of its own, which we cannot wait for.
  if (!call.config.fetch) await network?.readIncoming?.();
  signal.throwIfAborted();
  const once = call.repeatable ? undefined : network?.sendOnce?.(call);
  call.begin();
  let misused: ConfigurationError | undefined;
  try {
    const response = await until(send(call, signal, once), signal);
    const missing = missingIn(response);
    if (missing) {
      misused = callError(call, ConfigurationError, `\`fetch\` returned no Response (no \`${missing}\`)`, {});
      throw misused;
    }
    // `Response.error()` is the response of a network error.
    if (response.type === 'error') throw new Error('no response');
    call.release?.();
    call.response = response;
    const body = await until(readText(response, response.ok ? LARGEST_BODY : LARGEST_ERROR_BODY, signal), signal);
    keep(call, response, body);
    // `onEvent` may have aborted the call.
    signal.throwIfAborted();
    return response;
  } catch (thrown) {
    signal.throwIfAborted();
    if (misused) throw misused;
    // The status of an error response is enough, even without its body.
    if (call.response?.ok === false) {
      keep(call, call.response, { text: '' });
      return call.response;
    }
    throw connectionError(call, thrown);
  } finally {
    call.release?.();
    once?.close?.();
  }
}

async function send({ config, endpoint, headers, options, request, url }: Call, signal: AbortSignal, once?: Once) {
  return (config.fetch ?? globalThis.fetch)(url, {
    ...once?.defaults,
    ...config.fetchOptions,
    ...options.fetchOptions,
    body: request.body ?? null,
    ...once?.init,
    method: endpoint.method,
    headers,
    signal,
    // `fetch` would send the key to the target of a redirect.
    redirect: 'manual',
  });
}

/** Names what we need of a response and the one of a custom `fetch` lacks. */
function missingIn(response: unknown): string | undefined {
  const { headers, body, text } = Object(response) as Partial<Response>;
  if (typeof headers?.get !== 'function') return 'headers';
  return typeof (body?.getReader ?? text) === 'function' ? undefined : 'text';
}

function keep(call: Call, response: Response, { text, truncated }: BodyText): void {
  const isTooLarge = truncated || hasTooManyParts(text);
  const json = isTooLarge ? undefined : parseJson(text);
  if (response.ok && !json && !isTooLarge && isCutShort(response, text)) throw new Error('cut short');
  call.receive({ response, text, json, isTooLarge });
}

function connectionError(call: Call, thrown: unknown): ConnectionError {
  const unsent = call.response ? undefined : call.session.stages.network?.whyUnsent(thrown);
  if (unsent) call.undo();
  call.isHopeless = unsent?.isLasting === true;
  const what = unsent?.what ?? `the connection ${call.response ? 'broke' : 'failed'}`;
  const cause = call.redactor.cause(thrown);
  // Node's error for a host with several addresses has an empty message.
  const why = cause && innermost(cause).message;
  const hidden = !call.response && 'location' in globalThis ? HIDDEN : '';
  return callError(call, ConnectionError, `${what}${why ? `: ${why}` : ''}`, { cause }, unsent?.hint ?? hidden);
}

/** For pages and their workers, where the browser hides the cause. */
const HIDDEN = 'The browser does not say why: check CORS, the content security policy and the network.';

function innermost(error: Error): Error {
  return error.cause instanceof Error ? innermost(error.cause) : error;
}

/** The text of a body. */
export interface BodyText {
  text: string;
  /** The body is longer than the limit, and `text` is its beginning. */
  truncated?: boolean;
}

/** Reads a body as text, up to a number of bytes. Cancels the body when the signal aborts. */
export async function readText(response: Response, limit: number, signal: AbortSignal): Promise<BodyText> {
  const reader = response.body?.getReader?.();
  // Some runtimes (React Native) have bodies without streams, and some libraries (node-fetch) have streams of Node.
  if (!reader) {
    const text = await response.text();
    return text.length > limit ? { text: text.slice(0, limit), truncated: true } : { text };
  }
  const stop = () => void reader.cancel().catch(() => {});
  const detach = onAbort(signal, stop);
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let left = limit; left >= 0; ) {
      const { done, value } = await reader.read();
      if (done) return { text: text + decoder.decode() };
      left -= value.byteLength;
      text += decoder.decode(value, { stream: true });
    }
    return { text, truncated: true };
  } finally {
    detach();
    stop();
  }
}

/** Parses JSON. Returns `undefined` if the text is not JSON. An empty text has the value `undefined`. */
export function parseJson(text: string): { value: unknown } | undefined {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Parsing and checking one part takes about two microseconds. Responses of this service have far fewer parts. */
const MOST_PARTS = 500_000;

/**
 * Whether a text has so many objects, arrays and names that `JSON.parse` would block the event loop for seconds. A
 * colon counts as the end of a name if it follows a quote or white space. So colons in timestamps and addresses do not
 * count.
 */
export function hasTooManyParts(text: string): boolean {
  // A part has at least one character.
  if (text.length <= MOST_PARTS) return false;
  const part = /[[{]|["\s]:/g;
  let parts = 0;
  while (parts <= MOST_PARTS && part.test(text)) parts++;
  return parts > MOST_PARTS;
}

/**
 * Whether a body that is not JSON is the beginning of a JSON text. If the service sends `Connection: close`, undici
 * takes an incomplete chunked body for a complete one.
 */
export function isCutShort({ headers }: Response, text: string): boolean {
  return /chunked/i.test(headers.get('transfer-encoding') ?? '') && /^\s*[[{]/.test(text);
}
