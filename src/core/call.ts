import { sleep, within } from './abort.js';
import { type BodyText, looksLikePreview, parseJson, readText, redirectOrigin } from './answer.js';
import type { ApiResult } from './api-promise.js';
import { refuseCutShort } from './cut-short.js';
import { type Endpoint, isRepeatable } from './endpoint.js';
import { errorFromAnswer } from './errors/from-answer.js';
import {
  ConnectionError,
  DryRunNotHonoredError,
  type ErrorContext,
  type Fail,
  InvalidResponseError,
  type MultilocalError,
  RateLimitError,
  RedirectError,
  refusal,
  TimeoutError,
} from './errors/index.js';
import type { ClientEvent, EventBase } from './events.js';
import { joinHeaders } from './headers.js';
import { issuesOf, printIssues } from './issues.js';
import { limiterOf, type Release } from './limiter.js';
import { isUnsent } from './network.js';
import { isCustomLimiter, type RateLimitOptions } from './options.js';
import type { BuiltRequest } from './request.js';
import { retryDelay } from './retry.js';
import { parseRetryAfter } from './retry-after.js';
import { createRedactor } from './secrets.js';
import type { CallOptions, Session } from './session.js';
import type { Outcome } from './types.js';

/** Milliseconds for one attempt where neither the call nor the client says. */
const TIMEOUT = 30_000;
const SLOW_TIMEOUT = 180_000;

/** No answer of this service comes near; one that does not end must not fill the memory. */
const LARGEST_BODY = 64_000_000;
const LARGEST_ERROR_BODY = 1_000_000;

const NO_BODY: BodyText = { text: '' };

/** A whole answer. */
interface Answer {
  response: Response;
  text: string;
  /** Absent where the text is not JSON, or goes on beyond what was read. */
  json: { value: unknown } | undefined;
}

type Without<Base, Event> = Event extends Base ? Omit<Event, keyof Base> : never;

/** One call on its way: its attempts, its waits, and what is known of its outcome. */
export async function runCall<T>(
  session: Session,
  endpoint: Endpoint,
  request: BuiltRequest,
  options: CallOptions,
  confidential: readonly (string | undefined)[],
): Promise<ApiResult<T>> {
  const { config } = session;
  const { apiKey, rateLimit, root, onEvent } = config;
  const { operation, method, permission } = endpoint;
  const {
    maxRetries = config.maxRetries,
    totalTimeout = config.totalTimeout,
    validation = config.validation,
  } = options;
  const { timeout = config.timeout ?? (endpoint.slow ? SLOW_TIMEOUT : TIMEOUT) } = options;
  const isWrite = method !== 'GET';
  const repeatable = isRepeatable(endpoint, request.dryRun);
  const custom = isCustomLimiter(rateLimit) ? rateLimit : undefined;
  const isLimited = rateLimit && !custom && permission !== null;

  const headers = joinHeaders({ Accept: 'application/json', 'X-API-Key': apiKey }, config.headers, options.headers, {
    'Content-Type': request.body === undefined ? null : 'application/json',
    // `null` takes it away, `undefined` leaves it.
    'X-API-Key': permission && undefined,
  });
  // A key among the headers of the caller is one more secret, and so may parameters be.
  const sent = headers.get('X-API-Key') ?? apiKey;
  const redactor =
    sent === apiKey && confidential.length === 0 ? config.redactor : createRedactor([apiKey, sent, ...confidential]);
  /** For errors and events: a key that was passed for an id is not in it. */
  const pathShown = () => redactor.mask(request.path);

  let attempts = 0;
  /** Of a write; `'unknown'` from the moment that it is sent until an answer says more. */
  let outcome: Outcome = 'not_applied';

  const fail: Fail = (Kind, what, fields) => {
    const path = pathShown();
    const known: ErrorContext = { operation, method, path, attempts, outcome: isWrite ? outcome : 'not_applied' };
    const trace = endpoint.trace ? `. If it was, ${endpoint.trace}` : ': look before you repeat it';
    const hint = {
      not_applied: '',
      unknown: ` Whether it was carried out is unknown${repeatable ? '; it can be called again' : trace}.`,
      applied: ' The request succeeded: do not repeat it.',
    };
    return new Kind(`${operation}: ${method} ${path}: ${what}.${isWrite ? hint[outcome] : ''}`, {
      ...known,
      ...fields,
    });
  };

  const emit = (event: Without<EventBase, ClientEvent>, attempt = attempts) => {
    if (!onEvent) return;
    // An observer's fault must not become the call's, nor the process's if it is async.
    const tell = async () => onEvent({ operation, method, path: pathShown(), attempt, ...event } as ClientEvent);
    tell().catch(() => {});
  };

  /** Wait for room in the budget. */
  const admit = async (signal: AbortSignal, holdBack: number): Promise<Release | undefined> => {
    if (custom) await custom.acquire({ signal });
    if (!isLimited) return undefined;
    // Looked up and joined in one go: a limiter that nobody waits in may be forgotten at any time.
    return limiterOf(root, apiKey).acquire({
      limits: () => {
        const { per_minute = 60, per_day = 1000 } = session.identity?.rate_limits ?? {};
        const { perMinute = per_minute, perDay = per_day, maxWait = 600_000 } = rateLimit as RateLimitOptions;
        return { perMinute, perDay, maxWait };
      },
      signal,
      repeated: attempts > 0,
      holdBack,
      timeout,
      onWait: (delay) => emit({ type: 'wait', delay }, attempts + 1),
      refuse: (wait) => {
        const retryAfter = Math.ceil(wait);
        const detail = `the client's own limiter has room in ${Math.ceil(wait / 1000)} s, over maxWait`;
        return fail(RateLimitError, detail, { ...refusal(429, detail), retryAfter });
      },
    });
  };

  /** Send one request and read the answer: redirects are not followed, every status is an answer. */
  const exchange = (limit: AbortSignal, release: Release | undefined): Promise<Answer> => {
    const outcomeBefore = outcome;
    const started = performance.now();
    let response: Response | undefined;

    const received = ({ ok, status }: Response, { text, truncated }: BodyText): Answer => {
      emit({ type: 'response', status, duration: performance.now() - started });
      const json = truncated ? undefined : parseJson(text);
      if (ok && !json && !truncated) refuseCutShort(response as Response, text);
      outcome = outcomeBefore;
      return { response: response as Response, text, json };
    };

    const sendAndRead = async (signal: AbortSignal) => {
      // The caller may have left while it was let in.
      if (signal.aborted) release?.('unsent');
      signal.throwIfAborted();
      outcome = 'unknown';
      attempts++;
      options.onAttempt?.();
      emit({ type: 'request' });
      try {
        const answer = await (config.fetch ?? fetch)(`${root}${request.path}${request.query}`, {
          ...config.fetchOptions,
          ...options.fetchOptions,
          method,
          headers,
          body: request.body ?? null,
          signal,
          // Followed, it would carry the key to wherever it points.
          redirect: 'manual',
        });
        // A network error in the shape of an answer, or what a custom `fetch` gave in place of one.
        if (answer.type === 'error' || !answer.headers?.get) throw new Error('no answer');
        release?.();
        response = answer;
        const body = await readText(answer, answer.ok ? LARGEST_BODY : LARGEST_ERROR_BODY, signal);
        signal.throwIfAborted();
        return received(answer, body);
      } catch (thrown) {
        signal.throwIfAborted();
        if (response && !response.ok) return received(response, NO_BODY);
        let what = `the connection ${response ? 'broke' : 'failed'}`;
        if (isUnsent(thrown) && !response) {
          outcome = outcomeBefore;
          what = 'could not connect; check baseUrl';
        }
        const cause = redactor.cause(thrown);
        // Node gives a name with several addresses an error without words.
        const why = cause && innermost(cause).message;
        const hidden = !response && 'location' in globalThis ? HIDDEN : '';
        throw fail(ConnectionError, `${what}${why ? ` (${why})` : ''}${hidden}`, { cause });
      }
    };

    return within(limit, timeout, sendAndRead, () => {
      if (response && !response.ok) return received(response, NO_BODY);
      throw fail(TimeoutError, `no whole answer in ${timeout} ms`, {});
    }).finally(release);
  };

  /** What the caller gets for an answer. Throws what is wrong with it. */
  const judge = ({ response, text, json }: Answer): ApiResult<T> => {
    const { status, ok, type } = response;
    const body = () => (json ? redactor.json(json.value) : redactor.beginning(text) || undefined);
    if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
      outcome = 'unknown';
      const location = redactor.json(redirectOrigin(response, root));
      const to = location ? ` to ${location}` : '';
      throw fail(RedirectError, `a redirect${to}, not followed: check baseUrl`, {
        status,
        location,
      });
    }
    const result = { data: json?.value as T, response };
    if (!ok) {
      // The earlier attempt did it, only its answer was lost.
      if (status === 404 && method === 'DELETE' && outcome === 'unknown') return { data: undefined as T, response };
      if (status >= 500 || status === 408) outcome = 'unknown';
      const retryAfter = parseRetryAfter(response.headers.get('retry-after'));
      const headers = new Headers(redactor.json([...response.headers]));
      const said = { status, body: body(), headers, ...(retryAfter !== undefined && { retryAfter }) };
      throw errorFromAnswer(fail, said, session.knownTexts, session.identity);
    }
    outcome = 'applied';
    if (json && request.dryRun) {
      if (looksLikePreview(json.value)) return result;
      throw fail(DryRunNotHonoredError, 'the answer shows no preview', { body: body() });
    }
    const issues = json
      ? endpoint.response && validation !== 'off' && redactor.json(issuesOf(endpoint.response, json.value))
      : [{ path: [], message: 'expected JSON; check baseUrl' }];
    if (!issues) return result;
    if (json && validation === 'warn') {
      emit({ type: 'drift', issues });
      return result;
    }
    const what = `unexpected answer (${status}): ${printIssues(issues)}`;
    throw fail(InvalidResponseError, what, { issues, body: body(), status });
  };

  const attemptUntilDone = async (limit: AbortSignal) => {
    for (let holdBack = 0; ; ) {
      const release = await admit(limit, holdBack);
      try {
        return judge(await exchange(limit, release));
      } catch (error) {
        limit.throwIfAborted();
        const failure = error as MultilocalError;
        const delay = retryDelay(failure, attempts, repeatable, maxRetries);
        if (delay === undefined) throw error;
        emit({ type: 'retry', delay, code: failure.code });
        // A 429 is about the key and not about this call: the wait is spent at the head of the line, before everyone.
        holdBack = isLimited && error instanceof RateLimitError ? delay : 0;
        if (!holdBack) await sleep(delay, limit);
      }
    }
  };

  return within(options.signal, totalTimeout, attemptUntilDone, () => {
    // The time may have run out in an attempt, in the line of the limiter or between two attempts.
    throw fail(TimeoutError, `totalTimeout (${totalTimeout} ms) ran out`, {});
  });
}

/** Said in pages and in workers of pages, where the browser hides why. */
const HIDDEN = '. Check CORS, CSP and the network';

function innermost(error: Error): Error {
  return error.cause instanceof Error ? innermost(error.cause) : error;
}
