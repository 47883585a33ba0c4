import { Deadline, sleep, until } from './abort.js';
import { isCutShort, looksLikePreview, redirectOrigin } from './answer.js';
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
import { type Failure, retryDelay } from './retry.js';
import { parseRetryAfter } from './retry-after.js';
import { createRedactor } from './secrets.js';
import type { CallOptions, Session } from './session.js';

/** Milliseconds for one attempt where neither the call nor the client says. */
const TIMEOUT = 30_000;
const SLOW_TIMEOUT = 180_000;

/** What an attempt came to: a body, or what the caller would get and what the policy needs to know. */
type Verdict<T> =
  | (ApiResult<T> & { error?: undefined })
  | {
      error: MultilocalError;
      /** Absent where no repetition can help. */
      failure?: Failure;
    };

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
  const { signal, maxRetries = config.maxRetries, totalTimeout = config.totalTimeout } = options;
  const { timeout = config.timeout ?? (endpoint.slow ? SLOW_TIMEOUT : TIMEOUT) } = options;
  const isWrite = method !== 'GET';
  const repeatable = isRepeatable(endpoint, request.dryRun);
  const needsKey = endpoint.permission !== null;
  const limiter = rateLimit && !isCustomLimiter(rateLimit) && needsKey ? limiterOf(root, apiKey) : undefined;

  const headers = requestHeaders(apiKey, config.headers, options.headers) as Headers;
  if (!needsKey) headers.delete('X-API-Key');
  headers.delete('Content-Type');
  if (request.body !== undefined) headers.set('Content-Type', 'application/json');

  // A key among the headers of the caller is one more secret, and so may parameters be.
  const sent = headers.get('X-API-Key') ?? apiKey;
  const redactor =
    sent === apiKey && confidential.length === 0 ? config.redactor : createRedactor([apiKey, sent, ...confidential]);
  /** For errors and events: a key that was passed for an id is not in it. */
  const path = redactor.text(request.path);

  let attempts = 0;
  /** An attempt was sent and nobody knows what became of it. */
  let ambiguous = false;

  const context = (): ErrorContext => {
    return { operation, method, path, attempts, outcome: isWrite && ambiguous ? 'unknown' : 'not_applied' };
  };

  /** What happened, and how to find out what became of a write. */
  const tell = (what: string) => {
    const trace = endpoint.trace ? `. Where it shows: ${endpoint.trace}` : ': look before you repeat it';
    const hint = ` Whether it was carried out is unknown${repeatable ? '; it can be called again' : trace}.`;
    return `${operation}: ${method} ${path}: ${what}.${isWrite && ambiguous ? hint : ''}`;
  };

  const emit = (event: Without<EventBase, ClientEvent>, attempt = attempts) => {
    // An observer's fault must not become the call's, nor the process's if it is async.
    try {
      const told: unknown = config.onEvent?.({ operation, method, path, attempt, ...event } as ClientEvent);
      Promise.resolve(told).catch(() => {});
    } catch {}
  };

  /** Wait for room in the budget. */
  const admit = async (limit: AbortSignal, holdBack: number): Promise<Release | undefined> => {
    if (isCustomLimiter(rateLimit)) await until(rateLimit.acquire({ signal: limit }), limit);
    return limiter
      ?.acquire({
        limits: () => {
          const { per_minute = 60, per_day = 1000 } = session.identity?.rate_limits ?? {};
          const { perMinute = per_minute, perDay = per_day, maxWait = 600_000 } = rateLimit as RateLimitOptions;
          return { perMinute, perDay, maxWait };
        },
        signal: limit,
        repeated: attempts > 0,
        holdBack,
        timeout,
        onWait: (delay) => emit({ type: 'wait', delay }, attempts + 1),
      })
      .catch((error) => {
        if (!(error instanceof LimitExceeded)) throw error;
        const retryAfter = Math.ceil(error.wait);
        const detail = `the request budget has room in ${Math.ceil(retryAfter / 1000)} s, beyond maxWait; nothing was sent`;
        throw new RateLimitError(tell(detail), { ...refusal(429, detail, context()), retryAfter });
      });
  };

  const sendOnce = async (limit: AbortSignal, release?: Release): Promise<Attempt> => {
    // The caller may have left while it was let in.
    if (limit.aborted) release?.('unsent');
    limit.throwIfAborted();
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
    const result = await attempt(send, limit, timeout, release);
    ambiguous = ambiguousBefore;
    const { text, response } = result;
    if (text !== undefined && response) {
      emit({ type: 'response', status: response.status, duration: performance.now() - started });
    }
    return result;
  };

  const judge = ({ response, text, truncated, thrown, expired }: Attempt): Verdict<T> => {
    if (expired) {
      ambiguous = true;
      return { error: new TimeoutError(tell('no complete answer within the time-out'), context()), failure: {} };
    }
    const json = parseJson(text);
    if (!response || text === undefined || (response.ok && !json && !truncated && isCutShort(response, text))) {
      const unsent = !response && isUnsent(thrown);
      ambiguous ||= !unsent;
      const cause = redactor.cause(thrown);
      const what = unsent
        ? 'could not connect'
        : response
          ? 'the connection broke within the answer'
          : 'the connection failed';
      const hidden = !response && isCrossOrigin(root) ? HIDDEN : '';
      const message = tell(`${what}${cause ? ` (${innermost(cause).message})` : ''}${hidden}`);
      return { error: new ConnectionError(message, { ...context(), cause }), failure: { unsent } };
    }
    const { status, ok, type } = response;
    if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
      ambiguous = true;
      const location = redactor.text(redirectOrigin(response, root));
      const message = tell(
        `the answer is a redirect${location && ` to ${location}`}, which is never followed: check baseUrl`,
      );
      const fields = { ...context(), status, location: location || undefined } satisfies FieldsOf<RedirectError>;
      return { error: new RedirectError(message, fields) };
    }
    const body = () => (json ? redactor.json(json.value) : redactor.excerpt(text) || undefined);
    if (!ok) {
      // The earlier attempt did it, only its answer was lost.
      if (status === 404 && method === 'DELETE' && ambiguous) return { data: undefined as T, response };
      ambiguous ||= status >= 500 || status === 408;
      const retryAfter = parseRetryAfter(response.headers.get('retry-after'));
      const said = {
        status,
        body: body(),
        headers: redactor.headers(response.headers),
        ...(retryAfter !== undefined && { retryAfter }),
      };
      const error = errorFromAnswer(tell, { ...context(), ...said }, session.knownTexts, session.identity);
      return { error, failure: { status, retryAfter, quota: error instanceof QuotaExceededError } };
    }
    const fields: ErrorContext = { ...context(), outcome: isWrite ? 'applied' : 'not_applied' };
    const data = json?.value as T;
    if (json && request.dryRun) {
      if (looksLikePreview(data)) return { data, response };
      const message = tell('the answer to a dry run shows no preview: take the operation for executed');
      return { error: new DryRunNotHonoredError(message, { ...fields, body: body() }) };
    }
    const { validation = config.validation } = options;
    const isWhole = json && !truncated;
    const issues = !isWhole
      ? [{ path: [], message: `expected ${truncated ? 'a body that ends' : 'JSON'}` }]
      : endpoint.response && validation !== 'off' && redactor.json(issuesOf(endpoint.response, data));
    if (!issues) return { data, response };
    if (isWhole && validation === 'warn') {
      emit({ type: 'drift', issues });
      return { data, response };
    }
    const message = tell(`the answer (${status}) is not what was expected: ${printIssues(issues)}`);
    const advice = isWrite ? ' The request succeeded: do not repeat it.' : '';
    return { error: new InvalidResponseError(`${message}${advice}`, { ...fields, issues, body: body(), status }) };
  };

  const total = new Deadline(signal, totalTimeout);
  try {
    for (let holdBack = 0; ; ) {
      const verdict = judge(await sendOnce(total.signal, await admit(total.signal, holdBack)));
      if (!verdict.error) return verdict;
      const { error, failure } = verdict;
      const delay = failure && retryDelay(attempts, failure, { repeatable, maxRetries });
      if (delay === undefined) throw error;
      emit({ type: 'retry', delay, code: error.code });
      // A 429 is about the key and not about this call: the wait is spent at the head of the line, before everyone.
      holdBack = limiter && error instanceof RateLimitError ? delay : 0;
      if (!holdBack) await sleep(delay, total.signal);
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (!total.expired) throw error;
    // The time may have run out in an attempt, in the line of the limiter or between two attempts.
    throw new TimeoutError(tell(`totalTimeout (${totalTimeout} ms) ran out`), context());
  } finally {
    total.dispose();
  }
}

const HIDDEN =
  '. A browser hides why: check CORS (the articles routes alone answer other origins), the Content-Security-Policy and the network';

/** Whether a page or a worker of a page asks another origin than its own, whose answers the browser may hide. */
function isCrossOrigin(root: string): boolean {
  const { location } = globalThis as { location?: { origin: string } };
  return location !== undefined && !root.startsWith(`${location.origin}/`);
}

/** `undefined` where it is not JSON; nothing at all is `undefined` itself. */
function parseJson(text = ''): { value: unknown } | undefined {
  try {
    return { value: text.trim() ? JSON.parse(text) : undefined };
  } catch {
    return undefined;
  }
}

function innermost(error: Error): Error {
  return error.cause instanceof Error ? innermost(error.cause) : error;
}
