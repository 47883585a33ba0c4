import ky, { HTTPError, type KyInstance, type NormalizedOptions, TimeoutError } from 'ky';
import { LONGEST_TIMER, onAbort, until } from './abort.js';
import { type Call, isCaching, type SendOnceOptions } from './call.js';
import { ConfigurationError, ConnectionError, type MultilocalError } from './errors/index.js';
import { apiError, callError, timeoutError, trimStack } from './failure.js';
import type { Release } from './limiter/queue.js';
import { type BodyText, hasTooManyParts, isCutShort, parseJson, readResponse, readText } from './response.js';
import { retryDelay } from './retry.js';

/**
 * Maximum size of a body, far above any response of this service. An endless body must not fill the memory or block the
 * event loop.
 */
const LARGEST_BODY = 16_000_000;
const LARGEST_ERROR_BODY = 250_000;

/** The attempts of one call: what only this file needs to know about them. */
class Attempts {
  readonly controller = new AbortController();
  /** The error of the last attempt, created when it is first needed. */
  failure: MultilocalError | undefined;
  /** Another attempt would fail in the same way. */
  isPermanent = false;
  /** Whether the attempt failed and another one follows. */
  isRetrying = false;
  /** How long the limiter delays every call of the key because the service asked this call to wait, in ms. */
  pause = 0;
  /** Frees the place in the limiter. */
  release: Release | undefined;

  constructor(readonly call: Call) {}

  /** Aborts when the call ends. A signal is made when it is read, and most calls need none. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }
}

/**
 * Sends calls through one ky instance per client. ky owns the attempts, the timeouts and the waits between attempts.
 * Our policy is in its options. ky's errors hold the request, so none of them leaves this class.
 */
export class Http {
  readonly #ky: KyInstance;

  constructor(root: string) {
    const admit = ({ options }: { options: NormalizedOptions }) => waitForRoom(options.context.attempts as Attempts);
    this.#ky = ky.create({ prefix: root, hooks: { beforeRequest: [admit], beforeRetry: [admit] } });
  }

  /** Sends a call with its retries and returns the body of the response. */
  async run<T>(call: Call): Promise<T> {
    const { endpoint, options, request } = call;
    const attempts = new Attempts(call);
    const { controller } = attempts;
    const detach = options.signal && onAbort(options.signal, () => controller.abort(options.signal?.reason));
    try {
      await this.#ky(`${request.path}${request.query}`, {
        method: endpoint.method,
        // Without a signal of the caller, only ky ends the attempt. An unused signal makes every call slower.
        ...(options.signal && { signal: controller.signal }),
        timeout: timerOf(call.timeout),
        totalTimeout: call.totalTimeout === undefined ? false : timerOf(call.totalTimeout),
        retry: retryOptions(attempts),
        throwHttpErrors: (status) => !call.isAlreadyDeleted(status),
        fetch: (sent) => attempt(attempts, (sent as Request).signal),
        context: { attempts },
      });
      // ky's `parseJson` is not used: it assigns to the response, which fails if a framework replaces the global
      // `Response`.
      return readResponse(call) as T;
    } catch (thrown) {
      // If ky gave up while the call waited in the limiter, the call must leave the queue.
      controller.abort();
      // A call that did not get a place for its next attempt has no attempt that ended.
      const isEnded = call.attempts > 0 && !attempts.isRetrying;
      if (isEnded && options.signal?.aborted) call.fail(options.signal.reason);
      options.signal?.throwIfAborted();
      recordStatus(attempts);
      const { received } = call;
      // The time ran out after the whole response had arrived, or a DELETE has nothing left to delete.
      const isDone = received && (received.response.ok ? thrown instanceof TimeoutError : call.outcome === 'applied');
      if (isDone) return readResponse(call) as T;
      const failure = failureOf(attempts, thrown);
      if (isEnded) call.fail(failure);
      throw trimStack(failure, this.run);
    } finally {
      detach?.();
      attempts.release?.('unsent');
      // The engine keeps ky's objects, and so the call, for several garbage collections. They must not keep the body.
      call.received = undefined;
    }
  }
}

/** Waits until the limiter has room for the next attempt. */
async function waitForRoom(attempts: Attempts): Promise<void> {
  const { call } = attempts;
  const asked = performance.now();
  const release = await call.session.stages.limiter?.admit(call, attempts);
  call.waited = performance.now() - asked;
  if (!release) return;
  attempts.release = release;
  // The call may have been aborted in the moment when it got its place.
  if (attempts.signal.aborted) release('unsent');
  attempts.signal.throwIfAborted();
}

/** ky calls `shouldRetry` and then `delay`, both without the context. So each call has its own functions. */
function retryOptions(attempts: Attempts) {
  const { call } = attempts;
  let delay = 0;
  return {
    limit: call.maxRetries,
    methods: [call.endpoint.method],
    shouldRetry({ error }: { error: Error }) {
      if (attempts.signal.aborted) return false;
      recordStatus(attempts);
      const failure = failureOf(attempts, error);
      const wait = attempts.isPermanent ? undefined : retryDelay(failure, call.attempts, call.repeatable);
      if (wait === undefined) return false;
      // A 429 concerns the key and not only this call. So the limiter does the waiting, and every other call waits too.
      const isHeld = failure.code === 'rate_limit' ? call.session.stages.limiter?.hold(call, wait) : undefined;
      if (isHeld === false) return false;
      call.fail(failure);
      call.emit({ type: 'retry', delay: wait, code: failure.code });
      attempts.pause = isHeld ? wait : 0;
      attempts.isRetrying = true;
      attempts.failure = undefined;
      delay = wait - attempts.pause;
      return true;
    },
    delay: () => delay,
  };
}

/** The status of an error response is enough, even if the time ran out before its body arrived. */
function recordStatus({ call, isRetrying }: Attempts): void {
  const { response, received } = call;
  if (response && !response.ok && !received && !isRetrying) {
    call.receive({ response, text: '', json: { value: undefined } });
  }
}

/** Returns the error for what ky threw. ky needs it up to twice: to decide about a retry, and at the end of the call. */
function failureOf(attempts: Attempts, thrown: unknown): MultilocalError {
  const { call, isRetrying } = attempts;
  const { received } = call;
  const isTimeout = thrown instanceof TimeoutError;
  // Our own errors and errors of a custom limiter stay as they are.
  if (!isTimeout && !(thrown instanceof HTTPError)) return thrown as MultilocalError;
  // With a response, it does not matter that the time ran out as well.
  const create = () => (received && !isRetrying ? apiError(call, received) : timeoutError(call));
  attempts.failure ??= create();
  return attempts.failure;
}

/** Limits a delay to what timers support, because ky refuses longer ones. */
const timerOf = (ms: number) => Math.min(ms, LONGEST_TIMER);

/**
 * Sends one request and reads the whole body. Redirects are not followed, and every status is a response. The call
 * records the outcome and the body, because ky looks only at the status.
 * @throws {ConnectionError} if no complete response arrived.
 */
async function attempt(attempts: Attempts, signal: AbortSignal): Promise<Response> {
  const { call } = attempts;
  const { network } = call.session.stages;
  await call.options.onAttempt?.();
  // A custom `fetch` has connections of its own, which we cannot wait for.
  if (!call.config.fetch) await network?.readIncoming?.();
  signal.throwIfAborted();
  const once = network?.sendOnce?.(call);
  attempts.isRetrying = false;
  attempts.failure = undefined;
  call.begin();
  let missing: string | undefined;
  try {
    missing = await until(exchange(attempts, signal, once), signal);
  } catch (thrown) {
    signal.throwIfAborted();
    // The status of an error response is enough, even without its body.
    if (call.response?.ok !== false) throw connectionError(attempts, thrown);
    keep(call, call.response, { text: '' });
  } finally {
    attempts.release?.();
    once?.close?.();
  }
  if (missing) throw callError(call, ConfigurationError, `\`fetch\` ${missing}`, {});
  // `onEvent` may have aborted the call.
  signal.throwIfAborted();
  return call.response as Response;
}

/** Sends the request and reads the response. Says what is wrong with the response of `fetch`. Ends soon after an abort. */
async function exchange(
  { call, release }: Attempts,
  signal: AbortSignal,
  once?: SendOnceOptions,
): Promise<string | undefined> {
  const response = await send(call, signal, once);
  signal.throwIfAborted();
  const missing = missingIn(response);
  if (missing) return missing;
  // `Response.error()` is the response of a network error.
  if (response.type === 'error') throw new Error('no response');
  release?.();
  call.response = response;
  if (response.ok && (response.bodyUsed || response.body?.locked)) {
    call.outcome = 'applied';
    return 'has read the body. It may read that of `response.clone()`';
  }
  const body = await readText(response, response.ok ? LARGEST_BODY : LARGEST_ERROR_BODY, signal);
  signal.throwIfAborted();
  keep(call, response, body);
  return undefined;
}

async function send(
  { config, endpoint, fetchOptions, headers, options, request, url }: Call,
  signal: AbortSignal,
  once?: SendOnceOptions,
) {
  const { method } = endpoint;
  const fetch = config.fetch ?? globalThis.fetch;
  const given = Object.entries(fetchOptions);
  const mayBeCached = method === 'GET' && !options.fresh;
  return (once?.fetch ?? fetch)(url, {
    ...once?.defaults,
    ...(!mayBeCached && noStore(fetch)),
    ...Object.fromEntries(given.filter((option) => mayBeCached || !isCaching(option))),
    body: request.body ?? null,
    ...once?.init,
    method,
    headers,
    signal,
    // `fetch` would send the key to the target of a redirect.
    redirect: 'manual',
  });
}

/** Asks for no cache, which some frameworks use by default: a write that it answers is not sent. */
function noStore(fetch: typeof globalThis.fetch): { cache: 'no-store' } | undefined {
  // That of the runtime does not cache writes, and would send two more headers. A bound function may be anyone's.
  if (/undici|function fetch\(\) \{\s*\[native code/.test(`${fetch}`)) return undefined;
  const asked = { cache: 'no-store' } as const;
  try {
    new Request('http://a', asked);
    return asked;
  } catch {
    // Older Workers do not have the option.
    return undefined;
  }
}

/** Says what the response of a custom `fetch` lacks. */
function missingIn(response: unknown): string {
  const { headers, body, text } = Object(response) as Partial<Response>;
  const isRead = typeof (body?.getReader ?? text) === 'function';
  const missing = typeof headers?.get !== 'function' ? 'headers' : isRead ? '' : 'text';
  return missing && `returned no Response (no \`${missing}\`)`;
}

function keep(call: Call, response: Response, { text, truncated }: BodyText): void {
  const isTooLarge = truncated || hasTooManyParts(text);
  const json = isTooLarge ? undefined : parseJson(text);
  if (response.ok && !json && !isTooLarge && isCutShort(response, text)) throw new Error('cut short');
  call.receive({ response, text, json, isTooLarge });
}

function connectionError(attempts: Attempts, thrown: unknown): ConnectionError {
  const { call } = attempts;
  const unsent = call.response ? undefined : call.session.stages.network?.whyUnsent(thrown);
  if (unsent) call.undo();
  attempts.isPermanent = unsent?.isPermanent === true;
  const what = unsent?.what ?? `the connection ${call.response ? 'broke' : 'failed'}`;
  const cause = call.redactor.cause(thrown);
  // Node's error for a host with several addresses has an empty message.
  const why = cause && innermost(cause).message;
  const hidden = !call.response && 'location' in globalThis ? HIDDEN : '';
  return callError(call, ConnectionError, `${what}${why ? `: ${why}` : ''}`, { cause }, unsent?.hint ?? hidden);
}

/** For pages and their workers, where the browser hides the cause. */
const HIDDEN = 'The browser does not say why: check CORS, the CSP and the network.';

function innermost(error: Error): Error {
  return error.cause instanceof Error ? innermost(error.cause) : error;
}
