import type { Call, Received } from '../call.js';
import { parseRetryAfter } from '../retry.js';
import { parseUrl } from '../url.js';
import * as errors from './api-errors.js';
import { RedirectError, TimeoutError } from './client-errors.js';
import { isGeneric, KNOWN_TEXTS, MEANINGS, plain } from './messages.js';
import { type FieldsOf, MultilocalError } from './multilocal-error.js';

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

/** Creates the error of a failed call from ky's error and the state of the call. */
export function failureOf(call: Call, thrown: unknown, kind: 'timeout' | 'status' | 'other'): MultilocalError {
  if (kind === 'timeout') {
    const { totalTimeout, timeout, response, received } = call;
    // The whole response had arrived when the time ran out.
    if (received && !received.response.ok && !call.isRetrying) return errorFromResponse(call, received);
    // The time may have run out in an attempt, in the queue of the limiter or between two attempts.
    if (totalTimeout !== undefined && Math.ceil(performance.now() - call.started) >= totalTimeout) {
      const unsent = call.attempts === 0 ? ', all of it before the first request was sent' : '';
      return call.error(TimeoutError, `the call took longer than \`totalTimeout\` (${totalTimeout} ms)${unsent}`, {});
    }
    if (response?.ok !== false) return call.error(TimeoutError, `no complete response within ${timeout} ms`, {});
    // The status of an error response is enough, even without its body.
    return errorFromResponse(call, received ?? call.receive({ response, text: '', json: { value: undefined } }));
  }
  if (kind === 'status' && call.received) return errorFromResponse(call, call.received);
  // Our own errors and those of a custom limiter stay as they are.
  return thrown as MultilocalError;
}

/**
 * Replaces the stack of an error. A stack from within ky does not show the caller. The new stack begins at the caller
 * of `below`.
 */
export function withCallersStack(failure: MultilocalError, below: (...args: never[]) => unknown): MultilocalError {
  if (failure instanceof MultilocalError) Error.captureStackTrace?.(failure, below);
  return failure;
}

/** Creates the error of a response that is not 2xx. */
export function errorFromResponse(call: Call, { response }: Received): MultilocalError {
  const { status, type } = response;
  const { redactor, session } = call;
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    const location = redactor.json(redirectOrigin(response, call.url));
    const what = `the server redirects${location ? ` to ${location}` : ''}; redirects are not followed, to protect the key`;
    return call.error(RedirectError, what, { status, location }, 'Set `baseUrl` to the final address.');
  }
  const body = call.shownBody();
  const detail = detailOf(body);
  const retryAfter = parseRetryAfter(response.headers.get('retry-after'), response.headers.get('date'));
  const known = knownText(status, detail);
  const said = known?.say(call.request.params) ?? meaningOf(call, status);
  const fields = {
    status,
    detail,
    body,
    headers: redactor.headers(response.headers),
    origin: 'service',
    ...(retryAfter !== undefined && { retryAfter }),
    ...known?.groups,
    ...known?.fields?.(session.identity),
  } satisfies FieldsOf<errors.ApiError>;
  const hint = known ? '' : hintFor(call, status, detail);
  return call.error(known?.kind ?? BY_STATUS[status] ?? errors.ApiError, redactor.mask(said), fields, hint);
}

function meaningOf({ config }: Call, status: number): string {
  if (config.apiKey === undefined && (status === 401 || status === 403)) {
    return 'the server refused the request, and no API key was sent';
  }
  return MEANINGS[status] ?? `the service responded with the status ${status}`;
}

/** Returns what to do about a failure, or `''` if the response does not show it. */
function hintFor({ config, endpoint, received }: Call, status: number, detail: string): string {
  const { operation, path, permission } = endpoint;
  if (status === 401 && config.apiKey !== undefined) return 'Check `apiKey`.';
  if (status === 403 && config.apiKey !== undefined && permission)
    return `The operation needs the permission \`${permission}\`.`;
  if (status !== 404) return '';
  if (operation === 'request') return isGeneric(detail) ? 'Check `path`.' : '';
  // A generic 404 on a route without an id, or a 404 without JSON, comes from another server or another path.
  const isElsewhere = (isGeneric(detail) && !path.includes('{')) || (received?.text !== '' && !received?.json);
  return isElsewhere ? 'The service has no such route at this address: check `baseUrl`.' : '';
}

function knownText(status: number, detail: string) {
  const text = plain(detail);
  for (const [of, pattern, kind, say, fields] of KNOWN_TEXTS) {
    const match = of === status && pattern.exec(text);
    if (match) return { kind, say, fields, groups: match.groups };
  }
  return undefined;
}

/** Joins `detail`, `message` and `error` of a body. A text stays as it is, and any other value becomes JSON. */
function detailOf(body: unknown): string {
  const { detail, message, error } = Object(body) as Record<string, unknown>;
  return [detail, message, error]
    .filter(Boolean)
    .map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
    .join('; ');
}

/**
 * Returns the origin of the redirect target, if it is known. The rest of the address might repeat parts of the request.
 */
function redirectOrigin({ headers }: Response, requestUrl: string): string | undefined {
  const location = headers.get('location');
  return location ? parseUrl(location, requestUrl)?.origin : undefined;
}
