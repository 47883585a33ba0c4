import { Deadline, sleep, until } from './abort.js';
import { isCutShort, isRedirect, looksLikePreview, redirectOrigin } from './answer.js';
import type { ApiResult } from './api-promise.js';
import { type Attempt, attempt } from './attempt.js';
import { type Endpoint, isRepeatable } from './endpoint.js';
import { errorFromAnswer } from './errors/from-answer.js';
import {
  ConnectionError,
  DryRunNotHonoredError,
  type ErrorContext,
  type FieldsOf,
  InvalidResponseError,
  type MultilocalError,
  QuotaExceededError,
  RateLimitError,
  RedirectError,
  refusal,
  TimeoutError,
} from './errors/index.js';
import type { ClientEvent, EventBase } from './events.js';
import { requestHeaders } from './headers.js';
import { issuesOf, printIssues } from './issues.js';
import { LimitExceeded, limiterOf, type Release } from './limiter.js';
import { isUnsent } from './network.js';
import { isCustomLimiter, type RateLimitOptions } from './options.js';
import type { BuiltRequest } from './request.js';
import { decide, type Failure } from './retry.js';
import { parseRetryAfter } from './retry-after.js';
import { createRedactor } from './secrets.js';
import type { CallOptions, Session } from './session.js';
import type { Issue, Outcome } from './types.js';

/** Milliseconds for one attempt where neither the call nor the client says. */
const TIMEOUT = 30_000;
const SLOW_TIMEOUT = 180_000;

/** An attempt that did not succeed: what the caller would get, and what the policy needs to know. */
interface Failed {
  error: MultilocalError;
  /** Absent where no repetition can help. */
  failure?: Failure;
}

type Without<Base, Event> = Event extends Base ? Omit<Event, keyof Base> : never;

/** One call on its way: its attempts, its waits, and what is known of its outcome. */
export async function runCall<T>(
  session: Session,
  endpoint: Endpoint,
  request: BuiltRequest,
  options: CallOptions,
  confidential: readonly string[],
): Promise<ApiResult<T>> {
  const { config } = session;
  const { apiKey, rateLimit, root } = config;
  const { operation, method } = endpoint;
  const { signal, totalTimeout = config.totalTimeout } = options;
  const { timeout = config.timeout ?? (endpoint.slow ? SLOW_TIMEOUT : TIMEOUT) } = options;
  const isWrite = method !== 'GET';
  const repeatable = isRepeatable(endpoint, request.dryRun);
  const maxRetries = options.maxRetries ?? config.maxRetries;
  const limiter =
    rateLimit && !isCustomLimiter(rateLimit) && endpoint.permission !== null ? limiterOf(root, apiKey) : undefined;

  const headers = requestHeaders(apiKey, config.headers, options.headers);
  if (endpoint.permission === null) headers.delete('X-API-Key');
  if (request.body === undefined) headers.delete('Content-Type');
  else headers.set('Content-Type', 'application/json');

  // A key among the headers of the caller is one more secret, and so may parameters be.
  const sent = headers.get('X-API-Key') ?? '';
  const redactor =
    confidential.length > 0 || (sent && sent !== apiKey)
      ? createRedactor([apiKey ?? '', sent, ...confidential])
      : config.redactor;
  /** For errors and events: a key that was passed for an id is not in it. */
  const path = redactor.text(request.path);

  let attempts = 0;
  /** An attempt was sent and nobody knows what became of it. */
  let ambiguous = false;

  const context = (outcome: Outcome = isWrite && ambiguous ? 'unknown' : 'not_applied') => {
    return { operation, method, path, attempts, outcome } satisfies ErrorContext;
  };

  /** How to find out what became of a write. */
  const hint = () => {
    if (!isWrite || !ambiguous) return '';
    const where = endpoint.trace ? `. Where it shows: ${endpoint.trace}` : ': look before you repeat it';
    return ` Whether it was carried out is unknown${repeatable ? '; it can be called again' : where}.`;
  };

  const tell = (what: string) => `${operation}: ${method} ${path}: ${what}.${hint()}`;

  const timedOut = (what: string) => new TimeoutError(tell(what), context());

  const emit = (event: Without<EventBase, ClientEvent>, attempt = attempts) => {
    // An observer's fault must not become the call's, nor the process's if it is async.
    try {
      const told: unknown = config.onEvent?.({ operation, method, path, attempt, ...event } as ClientEvent);
      if (told instanceof Promise) told.catch(() => {});
    } catch {}
  };

  const limits = () => {
    const { per_minute = 60, per_day = 1000 } = session.identity?.rate_limits ?? {};
    const { perMinute = per_minute, perDay = per_day, maxWait = 600_000 } = rateLimit as RateLimitOptions;
    return { perMinute, perDay, maxWait };
  };

  /** Wait for room in the budget. */
  const admit = async (limit: AbortSignal | undefined, holdBack: number): Promise<Release> => {
    if (isCustomLimiter(rateLimit)) await until(rateLimit.acquire({ signal: limit }), limit);
    if (!limiter) return () => {};
    const onWait = (delay: number) => emit({ type: 'wait', delay }, attempts + 1);
    try {
      return await limiter.acquire({ limits, signal: limit, repeated: attempts > 0, holdBack, timeout, onWait });
    } catch (error) {
      if (!(error instanceof LimitExceeded)) throw error;
      const detail = `the request budget has room in ${Math.ceil(error.wait / 1000)} s, which is longer than maxWait; nothing was sent`;
      throw new RateLimitError(tell(detail), {
        ...refusal(429, detail, context()),
        retryAfter: Math.ceil(error.wait),
      });
    }
  };

  const sendOnce = async (limit: AbortSignal | undefined, release: Release): Promise<Attempt> => {
    // The caller may have left while it was let in.
    if (limit?.aborted) release('unsent');
    limit?.throwIfAborted();
    attempts++;
    // Until an answer says otherwise: an abort or a time-out leaves it open what became of the request.
    const ambiguousBefore = ambiguous;
    ambiguous = true;
    options.onAttempt?.();
    emit({ type: 'request' });
    const started = performance.now();
    // Asynchronous, so that what a custom `fetch` throws before it returns a promise is a failure like any other.
    const send = async (attemptSignal: AbortSignal) =>
      (config.fetch ?? fetch)(`${root}${request.path}${request.query}`, {
        ...config.fetchOptions,
        ...options.fetchOptions,
        method,
        headers,
        body: request.body ?? null,
        signal: attemptSignal,
        // Followed, it would carry the key to wherever it points.
        redirect: 'manual',
      });
    const result = await attempt(send, { signal: limit, timeout, onAnswer: () => release() });
    ambiguous = ambiguousBefore;
    if (result.text !== undefined && result.response) {
      emit({ type: 'response', status: result.response.status, duration: performance.now() - started });
    }
    return result;
  };

  const broken = ({ response, thrown }: Attempt): Failed => {
    const unsent = !response && isUnsent(thrown);
    ambiguous ||= !unsent;
    const cause = redactor.cause(thrown);
    const what = unsent
      ? 'could not connect'
      : response
        ? 'the connection broke within the answer'
        : 'the connection failed';
    const why = cause ? ` (${innermost(cause).message})` : '';
    const hidden = !response && isCrossOrigin(root) ? `. ${HIDDEN}` : '';
    const error = new ConnectionError(tell(`${what}${why}${hidden}`), { ...context(), cause });
    return { error, failure: { kind: unsent ? 'unsent' : 'broken' } };
  };

  const redirected = (response: Response): Failed => {
    ambiguous = true;
    const origin = redirectOrigin(response, root);
    const location = origin && redactor.text(origin);
    const message = tell(
      `the answer is a redirect${location ? ` to ${location}` : ''}, which is never followed: check baseUrl`,
    );
    const fields = { ...context(), status: response.status, location } satisfies FieldsOf<RedirectError>;
    return { error: new RedirectError(message, fields) };
  };

  const refused = (response: Response, text: string): ApiResult<T> | Failed => {
    const { status } = response;
    if (status === 404 && method === 'DELETE' && ambiguous) {
      // The earlier attempt did it, only its answer was lost.
      return { data: undefined as T, response };
    }
    if (status >= 500 || status === 408) ambiguous = true;
    const retryAfter = parseRetryAfter(response.headers.get('retry-after'));
    const json = parseJson(text);
    const fields = {
      ...context(),
      status,
      body: json ? redactor.json(json.value) : redactor.excerpt(text) || undefined,
      headers: redactor.headers(response.headers),
      ...(retryAfter !== undefined && { retryAfter }),
    };
    const error = errorFromAnswer(fields, hint(), session.identity?.gmb_fiches);
    return { error, failure: { kind: 'status', status, retryAfter, quota: error instanceof QuotaExceededError } };
  };

  const accepted = (response: Response, text: string, truncated = false): ApiResult<T> | Failed => {
    const { status } = response;
    const applied = context(isWrite ? 'applied' : 'not_applied');
    const unexpected = (issues: readonly Issue[], body: unknown): Failed => {
      const message = tell(`the answer (${status}) is not what was expected: ${printIssues(issues)}`);
      const fields = { ...applied, issues, body, status } satisfies FieldsOf<InvalidResponseError>;
      return {
        error: new InvalidResponseError(
          `${message}${isWrite ? ' The request succeeded: do not repeat it.' : ''}`,
          fields,
        ),
      };
    };
    const json = text.trim() ? parseJson(text) : { value: undefined };
    if (!json && !truncated && isCutShort(response, text)) return broken({ response });
    if (truncated || !json) {
      const message = `expected ${truncated ? 'a body that ends' : 'JSON'}`;
      return unexpected([{ path: [], message }], redactor.excerpt(text) || undefined);
    }
    const data = json.value as T;
    if (request.dryRun) {
      if (looksLikePreview(data)) return { data, response };
      const message = tell('the answer to a dry run shows no preview: take the operation for executed');
      return { error: new DryRunNotHonoredError(message, { ...applied, body: redactor.json(data) }) };
    }
    const { validation = config.validation } = options;
    const found = validation !== 'off' && endpoint.response ? issuesOf(endpoint.response, data) : undefined;
    if (found) {
      const issues = redactor.json(found);
      if (validation === 'throw') return unexpected(issues, redactor.json(data));
      emit({ type: 'drift', issues });
    }
    return { data, response };
  };

  const judge = (result: Attempt): ApiResult<T> | Failed => {
    const { response, text, truncated, expired } = result;
    if (expired) {
      ambiguous = true;
      return { error: timedOut('no complete answer within the time-out'), failure: { kind: 'broken' } };
    }
    if (!response || text === undefined) return broken(result);
    if (isRedirect(response)) return redirected(response);
    return response.ok ? accepted(response, text, truncated) : refused(response, text);
  };

  const total = new Deadline(signal, totalTimeout);
  try {
    for (let holdBack = 0; ; ) {
      const result = judge(await sendOnce(total.signal, await admit(total.signal, holdBack)));
      if ('data' in result) return result;
      const { error, failure } = result;
      const decision = failure ? decide({ repeatable, maxRetries }, attempts, failure) : 'stop';
      if (decision === 'stop') throw error;
      const delay = decision.retryAfter;
      emit({ type: 'retry', delay, code: error.code });
      // A 429 is about the key and not about this call: the wait is spent at the head of the line, before everyone.
      holdBack = error instanceof RateLimitError && limiter ? delay : 0;
      if (!holdBack) await sleep(delay, total.signal);
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (!total.expired) throw error;
    // The time may have run out in an attempt, in the line of the limiter or between two attempts.
    throw timedOut(`totalTimeout (${totalTimeout} ms) ran out`);
  } finally {
    total.dispose();
  }
}

const HIDDEN =
  'A browser does not say why: an answer without CORS headers (only the articles routes answer other origins), a refused preflight, a Content-Security-Policy, or the network; its console knows';

/** Whether a page or a worker of a page asks another origin than its own, whose answers the browser may hide. */
function isCrossOrigin(root: string): boolean {
  const { location } = globalThis as { location?: { origin: string } };
  return location !== undefined && !root.startsWith(`${location.origin}/`);
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function innermost(error: Error): Error {
  return error.cause instanceof Error ? innermost(error.cause) : error;
}
