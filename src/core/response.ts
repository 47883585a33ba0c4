import { onAbort } from './abort.js';
import type { Call, Received } from './call.js';
import { InvalidResponseError } from './errors/index.js';
import { apiError, callError, shownBody } from './failure.js';
import { headerOf } from './headers.js';
import { issuesOf, printIssues } from './issues.js';
import type { Schema } from './schema.js';
import type { Issue } from './types.js';

/**
 * Checks the response of a call and returns its body unchanged: nothing is copied, reordered or left out.
 * @throws {DryRunNotHonoredError} if a preview was requested and the body does not show one.
 * @throws {InvalidResponseError} if the body is not JSON or does not match its schema.
 */
export function readResponse(call: Call): unknown {
  const { endpoint, request, config, options, redactor } = call;
  const { response, json, isTooLarge, text } = call.received as Received;
  const { status } = response;
  if (!response.ok) {
    if (call.isAlreadyDeleted(status)) return undefined;
    // ky accepts an opaque response, because its status is hidden.
    throw apiError(call, call.received as Received);
  }
  if (!json) {
    const issues = [{ path: [], message: isTooLarge ? 'is too large' : 'is not JSON' }];
    const fields = { issues, body: shownBody(call), status };
    const what = `the response ${issues[0]?.message}`;
    // A page may be of another server, so it does not show that the request succeeded.
    const next = endpoint.method === 'GET' ? '' : WRITTEN;
    if (/^\s*<(!doctype|html)/i.test(text)) throw callError(call, InvalidResponseError, what, fields, PAGE, next);
    throw callError(call, InvalidResponseError, what, fields);
  }
  if (request.dryRun) {
    call.session.stages.dryRun?.checkPreview(call, json.value);
    return json.value;
  }
  const validation = options.validation ?? config.validation;
  const isStrict = validation === 'throw' && !options.lenient;
  if (!isStrict) unchecked.set(response, call);
  const issues = endpoint.response && validation !== 'off' && issuesOf(endpoint.response, json.value);
  if (issues && isStrict) throw shapeError(call, issues, DRIFT);
  if (issues) call.emit({ type: 'drift', issues: redactor.issues(issues) });
  const missing = options.lenient && endpoint.needs && issuesOf(endpoint.needs, json.value);
  if (missing) throw shapeError(call, missing, NEEDED);
  return json.value;
}

/** The calls whose response may have another shape than the documented one, because of their `validation`. */
const unchecked = new WeakMap<Response, Call>();

/**
 * Returns the body of a call, if it has what the method itself needs: `schema`, by default the whole documented shape.
 * A body that was accepted although its shape is wrong must end in a typed error and not in a `TypeError`.
 * @throws {InvalidResponseError} if it does not, with any `validation`.
 */
export function needed<T>({ data, response }: { data: T; response: Response }, schema?: Schema): T {
  const call = unchecked.get(response);
  const needs = schema ?? call?.endpoint.response;
  const issues = call && needs && issuesOf(needs, data);
  if (!issues) return data;
  call.received = { response, text: JSON.stringify(data) ?? '', json: { value: data } };
  throw shapeError(call, issues, NEEDED);
}

/** Checks a body that a helper gets. @throws {InvalidResponseError} if it lacks what the helper needs. */
export function checkBody(helper: string, schema: Schema, body: unknown): void {
  const issues = issuesOf(schema, body);
  if (!issues) return;
  const message = `${helper}: the body does not have the expected shape. ${printIssues(issues, 'The body')}`;
  throw new InvalidResponseError(message, { operation: helper, issues, body: undefined, status: 200 });
}

function shapeError(call: Call, found: readonly Issue[], hint: string): InvalidResponseError {
  const { redactor, response } = call;
  const issues = redactor.issues(found);
  const differences = redactor.beginning(printIssues(issues, 'The response'));
  const fields = { issues, body: shownBody(call), status: (response as Response).status };
  const what = 'the response does not have the expected shape';
  return callError(call, InvalidResponseError, what, fields, `${differences} ${hint}`);
}

const NEEDED = 'The method needs this, whatever `validation` says.';
const DRIFT = "Set `validation: 'warn'` to accept such responses.";
const PAGE = 'It looks like a web page: check `baseUrl`.';
const WRITTEN = 'If it is correct, look whether the write happened.';

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
export const MOST_PARTS = 500_000;

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
export function isCutShort(response: Response, text: string): boolean {
  return /chunked/i.test(headerOf(response, 'transfer-encoding') ?? '') && /^\s*[[{]/.test(text);
}
