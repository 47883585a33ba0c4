import ky, { HTTPError, type KyInstance, type NormalizedOptions, TimeoutError } from 'ky';
import { LONGEST_TIMER, onAbort } from './abort.js';
import { attempt } from './attempt.js';
import type { Call } from './call.js';
import type { MultilocalError } from './errors/index.js';
import { apiError, timeoutError, withCallersStack } from './failure.js';
import { readResponse } from './response.js';
import { retryDelay } from './retry.js';

/**
 * Sends calls through one ky instance per client. ky owns the attempts, the timeouts and the waits between attempts.
 * Our policy is in its options. ky's errors hold the request, so none of them leaves this class.
 */
export class Http {
  readonly #ky: KyInstance;

  constructor(root: string) {
    const waitForRoom = async ({ options }: { options: NormalizedOptions }) => {
      const call = options.context.call as Call;
      const asked = performance.now();
      await call.session.stages.limiter?.admit(call);
      call.waited = performance.now() - asked;
    };
    this.#ky = ky.create({ prefix: root, hooks: { beforeRequest: [waitForRoom], beforeRetry: [waitForRoom] } });
  }

  /** Sends a call with its retries and returns the body of the response. */
  async run<T>(call: Call): Promise<T> {
    const { endpoint, options, request } = call;
    const detach = options.signal && onAbort(options.signal, () => call.controller.abort(options.signal?.reason));
    try {
      await this.#ky(`${request.path}${request.query}`, {
        method: endpoint.method,
        // Without a signal of the caller, only ky ends the attempt. A signal that nobody uses costs every call time.
        ...(options.signal && { signal: call.controller.signal }),
        timeout: timerOf(call.timeout),
        totalTimeout: call.totalTimeout === undefined ? false : timerOf(call.totalTimeout),
        retry: retryOptions(call),
        throwHttpErrors: (status) => !call.isAlreadyDeleted(status),
        fetch: (sent) => attempt(call, (sent as Request).signal),
        context: { call },
      });
      // ky's `parseJson` is not used: it assigns to the response, which fails if a framework replaces the global
      // `Response`.
      return readResponse(call) as T;
    } catch (thrown) {
      // If ky gave up while the call waited in the limiter, the call must leave the queue.
      call.controller.abort();
      // A call that did not get a place for its next attempt has no attempt that ended.
      const isEnded = call.attempts > 0 && !call.isRetrying;
      if (isEnded && options.signal?.aborted) call.fail(options.signal.reason);
      options.signal?.throwIfAborted();
      recordStatus(call);
      const { received } = call;
      // The time ran out after the whole response had arrived, or a DELETE has nothing left to delete.
      const isDone = received?.response.ok ? thrown instanceof TimeoutError : call.outcome === 'applied';
      if (isDone) return readResponse(call) as T;
      const failure = failureOf(call, thrown);
      if (isEnded) call.fail(failure);
      throw withCallersStack(failure, this.run);
    } finally {
      detach?.();
      call.release?.('unsent');
      // The engine keeps ky's objects, and so the call, for several garbage collections. They must not keep the body.
      call.received = undefined;
    }
  }
}

/** ky calls `shouldRetry` and then `delay`, both without the context. So each call has its own functions. */
function retryOptions(call: Call) {
  let delay = 0;
  return {
    limit: call.maxRetries,
    methods: [call.endpoint.method],
    shouldRetry({ error }: { error: Error }) {
      if (call.controller.signal.aborted) return false;
      recordStatus(call);
      const failure = failureOf(call, error);
      const wait = call.isHopeless ? undefined : retryDelay(failure, call.attempts, call.repeatable);
      if (wait === undefined) return false;
      call.fail(failure);
      call.emit({ type: 'retry', delay: wait, code: failure.code });
      // A 429 concerns the key and not only this call. So the limiter does the waiting, and every other call waits too.
      const isHeld = failure.code === 'rate_limit' && call.session.stages.limiter?.hold(call, wait);
      call.holdBack = isHeld ? wait : 0;
      call.isRetrying = true;
      call.failure = undefined;
      delay = wait - call.holdBack;
      return true;
    },
    delay: () => delay,
  };
}

/** The status of an error response is enough, even if the time ran out before its body arrived. */
function recordStatus(call: Call): void {
  const { response, received, isRetrying } = call;
  if (response && !response.ok && !received && !isRetrying) {
    call.receive({ response, text: '', json: { value: undefined } });
  }
}

/** Returns the error for what ky threw. ky needs it up to twice: to decide about a retry, and at the end of the call. */
function failureOf(call: Call, thrown: unknown): MultilocalError {
  const { received, isRetrying } = call;
  const isTimeout = thrown instanceof TimeoutError;
  // Our own errors and those of a custom limiter stay as they are.
  if (!isTimeout && !(thrown instanceof HTTPError)) return thrown as MultilocalError;
  // With a response, it does not matter that the time ran out as well.
  const create = () => (received && !isRetrying ? apiError(call, received) : timeoutError(call));
  call.failure ??= create();
  return call.failure;
}

/** Limits a delay to what timers support, because ky refuses longer ones. */
function timerOf(ms: number): number {
  return Math.min(ms, LONGEST_TIMER);
}
