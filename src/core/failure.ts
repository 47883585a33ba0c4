import type { Call, Received } from './call.js';
import { parseUrl } from './config.js';
import * as errors from './errors/index.js';
import { type FieldsOf, MultilocalError } from './errors/index.js';
import { headerOf } from './headers.js';
import type { Redactor } from './redact.js';
import { parseRetryAfter } from './retry.js';
import { isGeneric, knownText } from './texts.js';

/** Maximum length of the service's text in a message. `detail` has the whole text. */
const LONGEST_QUOTE = 500;
/** Maximum length of a JSON body that an error holds in parsed form. */
const LONGEST_SHOWN = 250_000;

const BY_STATUS: Record<number, typeof errors.ApiError> = {
  400: errors.BadRequestError,
  401: errors.AuthenticationError,
  403: errors.PermissionDeniedError,
  404: errors.NotFoundError,
  409: errors.ConflictError,
  410: errors.GoneError,
  422: errors.UnprocessableEntityError,
  429: errors.RateLimitError,
  500: errors.InternalServerError,
  502: errors.BadGatewayError,
  503: errors.ServiceUnavailableError,
};

/**
 * Creates an error of a call. The message says what happened (`what`), where, what the service wrote, what to do
 * (`hint`), and whether a write happened (`next`).
 */
export function callError<E extends MultilocalError>(
  call: Call,
  Kind: new (message: string, fields: FieldsOf<E>) => E,
  what: string,
  fields: FieldsOf<E>,
  hint = '',
  next = whatNext(call),
): E {
  const { context } = call;
  const { status, detail, origin } = fields as Partial<errors.ApiError>;
  const place = `${status ? `${status}, ` : ''}${context.method} ${context.path}`;
  const said =
    detail && origin === 'service' ? `The service said: "${detail.slice(0, LONGEST_QUOTE).replace(/\.$/, '')}".` : '';
  const sentences = [`${context.operation}: ${what} (${place}).`, said, hint, next];
  return new Kind(sentences.filter(Boolean).join(' '), { ...context, ...fields });
}

/** Says whether a write happened and what to do next. */
function whatNext({ context: { outcome }, endpoint: { trace }, repeatable }: Call): string {
  if (outcome === 'applied') return 'The request succeeded: do not send it again.';
  if (outcome === 'not_applied') return '';
  if (repeatable) return 'It is unknown whether the write happened. You can call it again.';
  return `It is unknown whether the write happened. ${trace ? `If it happened, ${trace}.` : 'Check this before you call it again.'}`;
}

/** A function on the stack. */
export type Caller = (...args: never[]) => unknown;

/**
 * Replaces the stack of an error. A stack from within ky does not show the caller. The new stack begins at the caller
 * of `below`.
 */
export function trimStack(failure: MultilocalError, below: Caller): MultilocalError {
  if (failure instanceof MultilocalError) Error.captureStackTrace?.(failure, below);
  return failure;
}

/** Creates the error of a call whose time ran out: in an attempt, in the queue of the limiter, or between attempts. */
export function timeoutError(call: Call): errors.TimeoutError {
  const { totalTimeout, timeout, attempts, started } = call;
  if (totalTimeout === undefined || Math.ceil(performance.now() - started) < totalTimeout) {
    return callError(call, errors.TimeoutError, `no complete response within ${timeout} ms`, {});
  }
  const unsent = attempts === 0 ? ', all of it before the first request was sent' : '';
  return callError(
    call,
    errors.TimeoutError,
    `the call took longer than \`totalTimeout\` (${totalTimeout} ms)${unsent}`,
    {},
  );
}

/** Creates the error of a response that is not 2xx. */
export function apiError(call: Call, { response, json }: Received): MultilocalError {
  const { status, type } = response;
  const { redactor, session } = call;
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    const location = redactor.json(redirectTarget(response, call.url)?.origin);
    const what = `the server redirects${location ? ` to ${location}` : ''}; redirects are not followed, to protect the key`;
    return callError(call, errors.RedirectError, what, { status, location }, 'Set `baseUrl` to the final address.');
  }
  const body = shownBody(call);
  // What the text means must not depend on what is masked in it.
  const detail = detailOf(json?.value, redactor);
  const retryAfter = parseRetryAfter(headerOf(response, 'retry-after'), headerOf(response, 'date'));
  const known = knownText(status, detail);
  const { texts } = session.stages;
  const about = known && texts?.about(known.kind.code, redactor.json(call.request.params), session.identity);
  const fields = {
    status,
    detail: redactor.mask(detail),
    body,
    headers: redactor.headers(response.headers),
    origin: 'service',
    ...(retryAfter !== undefined && { retryAfter }),
    ...redactor.json(known?.groups),
    ...about?.fields,
  } satisfies FieldsOf<errors.ApiError>;
  const said = about?.said ?? meaningOf(call, status);
  const hint = known ? '' : hintFor(call, status, detail);
  return callError(call, known?.kind ?? BY_STATUS[status] ?? errors.ApiError, said, fields, hint);
}

function meaningOf({ config, session }: Call, status: number): string {
  if (config.apiKey === undefined && (status === 401 || status === 403)) {
    return 'the server refused the request, and no API key was sent';
  }
  return session.stages.texts?.meanings[status] ?? `the service responded with the status ${status}`;
}

/** Returns what to do about a failure, or `''` if the response does not show it. */
function hintFor(call: Call, status: number, detail: string): string {
  const { config, endpoint, received, session } = call;
  if (status === 401 && config.apiKey !== undefined) return 'Check `apiKey`.';
  const hint = session.stages.texts?.hint(call, status, isGeneric(detail));
  if (status !== 404 || hint !== undefined) return hint ?? '';
  // A generic 404 on a route without an id, or a 404 without JSON, comes from another server or another path.
  const isElsewhere = (isGeneric(detail) && !endpoint.path.includes('{')) || (received?.text !== '' && !received?.json);
  return isElsewhere ? 'The service has no such route at this address: check `baseUrl`.' : '';
}

/** Returns the body for an error, without secrets. A long text, or a text that is not JSON, is cut. */
export function shownBody({ received, redactor }: Call): unknown {
  if (!received) return undefined;
  const { text, json } = received;
  return json && text.length <= LONGEST_SHOWN ? redactor.json(json.value) : redactor.beginning(text) || undefined;
}

/** Joins `detail`, `message` and `error` of a body. A text stays as it is, and any other value becomes JSON. */
function detailOf(body: unknown, redactor: Redactor): string {
  const { detail, message, error } = Object(body) as Record<string, unknown>;
  return [detail, message, error]
    .filter(Boolean)
    .map((part) => (typeof part === 'string' ? part : JSON.stringify(redactor.json(part))))
    .join('; ');
}

/** Returns the target of a redirect, if it is known. All but its origin might repeat parts of the request. */
export function redirectTarget(response: Response, requestUrl: string): URL | undefined {
  const location = headerOf(response, 'location');
  return location ? parseUrl(location, requestUrl) : undefined;
}
