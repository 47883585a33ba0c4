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
  InvalidResponseError,
  type MultilocalError,
  QuotaExceededError,
  RateLimitError,
  RedirectError,
  TimeoutError,
} from './errors/index.js';
import type { ClientEvent, EventBase } from './events.js';
import { requestHeaders } from './headers.js';
import { issuesOf, printIssues } from './issues.js';
import { LimitExceeded, type Limiter, type Limits, limiterOf, type Release } from './limiter.js';
import { isUnsent } from './network.js';
import { DEFAULT_LIMITS, isCustomLimiter } from './options.js';
import type { BuiltRequest } from './request.js';
import { decide, type Failure } from './retry.js';
import { parseRetryAfter } from './retry-after.js';
import { createRedactor, type Redactor } from './secrets.js';
import type { CallOptions, Session } from './session.js';
import type { Outcome } from './types.js';

/** Milliseconds for one attempt where neither the call nor the client says. */
const TIMEOUT = 30_000;
const SLOW_TIMEOUT = 180_000;

/** An attempt that did not succeed: what the caller would get, and what the policy needs to know. */
interface Failed {
  error: MultilocalError;
  /** Absent where no repetition can help. */
  failure?: Failure;
}

/** One call on its way: its attempts, its waits, and what is known of its outcome. */
export class Call<T> {
  readonly #session: Session;
  readonly #endpoint: Endpoint;
  readonly #request: BuiltRequest;
  readonly #options: CallOptions;
  readonly #headers: Record<string, string>;
  readonly #redactor: Redactor;
  /** For errors and events: a key that was passed for an id is not in it. */
  readonly #path: string;
  #attempts = 0;
  /** An attempt was sent and nobody knows what became of it. */
  #ambiguous = false;

  constructor(
    session: Session,
    endpoint: Endpoint,
    request: BuiltRequest,
    options: CallOptions,
    confidential: readonly string[],
  ) {
    const { apiKey, headers } = session.config;
    this.#session = session;
    this.#endpoint = endpoint;
    this.#request = request;
    this.#options = options;
    const kind = { isPublic: endpoint.permission === null, hasBody: request.body !== undefined };
    this.#headers = requestHeaders(apiKey, kind, headers, options.headers);
    const sent = Object.entries(this.#headers).find(([name]) => name.toLowerCase() === 'x-api-key')?.[1];
    // A key among the headers of the caller is one more secret, and so may parameters be.
    const secrets = [...confidential, ...(sent && sent !== apiKey ? [sent] : [])];
    this.#redactor = secrets.length > 0 ? createRedactor([apiKey ?? '', ...secrets]) : session.config.redactor;
    this.#path = this.#redactor.text(request.path);
  }

  /** Attempts, until one succeeds or the policy says stop. */
  async run(): Promise<ApiResult<T>> {
    const { signal, totalTimeout = this.#session.config.totalTimeout } = this.#options;
    const total = new Deadline(signal, totalTimeout);
    try {
      return await this.#repeat(total.signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (!total.expired) throw error;
      // The time may have run out in an attempt, in the line of the limiter or between two attempts.
      throw this.#timeout(`totalTimeout (${totalTimeout} ms) ran out`);
    } finally {
      total.dispose();
    }
  }

  async #repeat(signal: AbortSignal): Promise<ApiResult<T>> {
    const rules = {
      repeatable: isRepeatable(this.#endpoint, this.#request.dryRun),
      maxRetries: this.#options.maxRetries ?? this.#session.config.maxRetries,
    };
    for (let holdBack = 0; ; ) {
      const result = this.#judge(await this.#attempt(await this.#admit(signal, holdBack), signal));
      if ('data' in result) return result;
      const { error, failure } = result;
      const decision = failure ? decide(rules, this.#attempts, failure) : 'stop';
      if (decision === 'stop') throw error;
      const delay = decision.retryAfter;
      this.#emit({ type: 'retry', ...this.#event(), delay, code: error.code });
      // A 429 is about the key and not about this call: the wait is spent at the head of the line, before everyone.
      holdBack = error instanceof RateLimitError && this.#limiter ? delay : 0;
      if (!holdBack) await sleep(delay, signal);
    }
  }

  /** Wait for the limiter. */
  async #admit(signal: AbortSignal, holdBack: number): Promise<Release> {
    const { rateLimit } = this.#session.config;
    if (isCustomLimiter(rateLimit)) await until(rateLimit.acquire({ signal }), signal);
    const release = await this.#limiter
      ?.acquire({
        limits: () => this.#limits,
        signal,
        repeated: this.#attempts > 0,
        holdBack,
        timeout: this.#timeoutMs,
        onWait: (delay) => this.#emit({ type: 'wait', ...this.#event(), attempt: this.#attempts + 1, delay }),
      })
      .catch((error) => {
        throw error instanceof LimitExceeded ? this.#overBudget(error.wait) : error;
      });
    return release ?? (() => {});
  }

  async #attempt(release: Release, signal: AbortSignal): Promise<Attempt> {
    const { config, transport } = this.#session;
    // The caller may have left while it was let in.
    if (signal.aborted) release('unsent');
    signal.throwIfAborted();
    this.#attempts++;
    // Until an answer says otherwise: an abort or a time-out leaves it open what became of the request.
    const ambiguousBefore = this.#ambiguous;
    this.#ambiguous = true;
    this.#options.onAttempt?.();
    this.#emit({ type: 'request', ...this.#event() });
    const started = performance.now();
    const result = await attempt(
      transport,
      {
        url: `${config.root}${this.#request.path}${this.#request.query}`,
        method: this.#endpoint.method,
        headers: this.#headers,
        body: this.#request.body,
        fetch: config.fetch ?? globalThis.fetch,
        fetchOptions: { ...config.fetchOptions, ...this.#options.fetchOptions },
      },
      { signal, timeout: this.#timeoutMs, onAnswer: () => release() },
    );
    this.#ambiguous = ambiguousBefore;
    if (result.kind === 'answer') {
      const { status } = result.response;
      this.#emit({ type: 'response', ...this.#event(), status, duration: performance.now() - started });
    }
    return result;
  }

  #judge(result: Attempt): ApiResult<T> | Failed {
    if (result.kind === 'timeout') {
      this.#ambiguous = true;
      return { error: this.#timeout('no complete answer within the time-out'), failure: { kind: 'broken' } };
    }
    if (result.kind === 'broken') return this.#broken(result);
    const { response, text, truncated } = result;
    if (isRedirect(response)) return { error: this.#redirected(response) };
    return response.ok ? this.#accept(response, text, truncated) : this.#refused(response, text);
  }

  #broken({ thrown, answered }: Attempt & { kind: 'broken' }): Failed {
    const unsent = !answered && isUnsent(thrown);
    this.#ambiguous ||= !unsent;
    const cause = this.#redactor.cause(thrown);
    const what = unsent
      ? 'could not connect'
      : answered
        ? 'the connection broke within the answer'
        : 'the connection failed';
    const error = new ConnectionError(this.#tell(`${what}${cause ? ` (${innermost(cause).message})` : ''}`), {
      ...this.#context(),
      cause,
    });
    return { error, failure: { kind: unsent ? 'unsent' : 'broken' } };
  }

  #redirected(response: Response): MultilocalError {
    this.#ambiguous = true;
    const { status } = response;
    const origin = redirectOrigin(response, this.#session.config.root);
    const where = origin ? ` to ${this.#redactor.text(origin)}` : '';
    return new RedirectError(
      this.#tell(`the answer is a redirect${where}, which is never followed: check baseUrl`),
      status,
      origin && this.#redactor.text(origin),
      this.#context(),
    );
  }

  #refused(response: Response, text: string): ApiResult<T> | Failed {
    const { status } = response;
    if (status === 404 && this.#endpoint.method === 'DELETE' && this.#ambiguous) {
      // The earlier attempt did it, only its answer was lost.
      return { data: undefined as T, response };
    }
    if (status >= 500 || status === 408) this.#ambiguous = true;
    const retryAfter = parseRetryAfter(response.headers.get('retry-after'));
    const json = parseJson(text);
    const error = errorFromAnswer(
      {
        ...this.#context(),
        status,
        body: json ? this.#redactor.json(json.value) : this.#redactor.excerpt(text) || undefined,
        headers: this.#redactor.headers(response.headers),
        retryAfter,
      },
      this.#hint(),
      this.#session.identity?.gmb_fiches,
    );
    return { error, failure: { kind: 'status', status, retryAfter, quota: error instanceof QuotaExceededError } };
  }

  #accept(response: Response, text: string, truncated: boolean): ApiResult<T> | Failed {
    const { status } = response;
    const context = { ...this.#context(), outcome: this.#isWrite ? ('applied' as const) : undefined };
    const fault = (issues: readonly { path: readonly (string | number)[]; message: string }[], body: unknown) => {
      const applied = this.#isWrite ? ' The request succeeded: do not repeat it.' : '';
      const message = `${this.#tell(`the answer (${status}) is not what was expected: ${printIssues(issues)}`)}${applied}`;
      return { error: new InvalidResponseError(message, issues, this.#redactor.json(body), status, context) };
    };
    const json = text.trim() === '' ? { value: undefined } : parseJson(text);
    if (!json && !truncated && isCutShort(response, text)) {
      return this.#broken({ kind: 'broken', thrown: undefined, answered: true });
    }
    if (truncated || !json) {
      return fault(
        [{ path: [], message: truncated ? 'expected a body that ends' : 'expected JSON' }],
        this.#redactor.excerpt(text) || undefined,
      );
    }
    const data = json.value;
    if (this.#request.dryRun) {
      if (looksLikePreview(data)) return { data: data as T, response };
      const message = this.#tell('the answer to a dry run shows no preview: take the operation for executed');
      return { error: new DryRunNotHonoredError(message, this.#redactor.json(data), context) };
    }
    const validation = this.#options.validation ?? this.#session.config.validation;
    const { response: schema } = this.#endpoint;
    const issues = validation === 'off' || !schema ? undefined : this.#redactor.json(issuesOf(schema, data));
    if (issues && validation === 'throw') return fault(issues, data);
    if (issues) this.#emit({ type: 'drift', ...this.#event(), issues });
    return { data: data as T, response };
  }

  #timeout(what: string): TimeoutError {
    return new TimeoutError(this.#tell(what), this.#context());
  }

  #overBudget(wait: number): RateLimitError {
    const retryAfter = Math.ceil(wait);
    const detail = `the request budget has room in ${Math.ceil(wait / 1000)} s, which is longer than maxWait; nothing was sent`;
    return new RateLimitError(this.#tell(detail), {
      ...this.#context(),
      status: 429,
      detail,
      retryAfter,
      origin: 'preflight',
    });
  }

  /** For one attempt. */
  get #timeoutMs(): number {
    const { timeout = this.#session.config.timeout } = this.#options;
    return timeout ?? (this.#endpoint.slow ? SLOW_TIMEOUT : TIMEOUT);
  }

  get #isWrite(): boolean {
    return this.#endpoint.method !== 'GET';
  }

  /** The in-memory limiter, unless it is off, replaced, or the route has no key whose budget it would spend. */
  get #limiter(): Limiter | undefined {
    const { rateLimit, root, apiKey } = this.#session.config;
    if (rateLimit === false || isCustomLimiter(rateLimit) || this.#endpoint.permission === null) return undefined;
    return limiterOf(root, apiKey);
  }

  get #limits(): Limits {
    const { rateLimit } = this.#session.config;
    const known = this.#session.identity?.rate_limits;
    const own = rateLimit === false || isCustomLimiter(rateLimit) ? {} : rateLimit;
    return {
      perMinute: own.perMinute ?? known?.per_minute ?? DEFAULT_LIMITS.perMinute,
      perDay: own.perDay ?? known?.per_day ?? DEFAULT_LIMITS.perDay,
      maxWait: own.maxWait ?? DEFAULT_LIMITS.maxWait,
    };
  }

  #outcome(): Outcome {
    return this.#isWrite && this.#ambiguous ? 'unknown' : 'not_applied';
  }

  #context(): ErrorContext {
    const { operation, method } = this.#endpoint;
    return { operation, method, path: this.#path, attempts: this.#attempts, outcome: this.#outcome() };
  }

  #tell(what: string): string {
    const { operation, method } = this.#endpoint;
    return `${operation}: ${method} ${this.#path}: ${what}.${this.#hint()}`;
  }

  /** How to find out what became of a write. */
  #hint(): string {
    if (this.#outcome() !== 'unknown') return '';
    const { trace } = this.#endpoint;
    if (trace) return ` Whether it was carried out is unknown. Where it shows: ${trace}.`;
    const isHarmless = isRepeatable(this.#endpoint, this.#request.dryRun);
    return ` Whether it was carried out is unknown${isHarmless ? '; it can be called again' : ': look before you repeat it'}.`;
  }

  #event(): EventBase {
    const { operation, method } = this.#endpoint;
    return { operation, method, path: this.#path, attempt: this.#attempts };
  }

  #emit(event: ClientEvent): void {
    // An observer's fault must not become the call's, nor the process's if it is async.
    try {
      const told: unknown = this.#session.config.onEvent?.(event);
      if (told instanceof Promise) told.catch(() => {});
    } catch {}
  }
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
