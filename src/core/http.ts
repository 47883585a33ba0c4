import ky, { HTTPError, type KyInstance, type NormalizedOptions, TimeoutError } from 'ky';
import { LONGEST_TIMER, onAbort } from './abort.js';
import { admit, holdOthers, isLimited } from './admit.js';
import { attempt } from './attempt.js';
import type { Call } from './call.js';
import { failureOf, withCallersStack } from './errors/failure.js';
import { readResponse } from './response.js';
import { retryDelay } from './retry.js';

/**
 * Sends calls through one ky instance per session. ky owns the attempts, the timeouts and the waits between attempts.
 * Our policy is in its options. ky's errors hold the request, so none of them leaves this class.
 */
export class Http {
  readonly #ky: KyInstance;

  constructor(root: string) {
    const waitForRoom = async ({ options }: { options: NormalizedOptions }) => {
      const call = callOf(options);
      const asked = performance.now();
      await admit(call);
      call.waited = performance.now() - asked;
    };
    this.#ky = ky.create({ prefix: root, hooks: { beforeRequest: [waitForRoom], beforeRetry: [waitForRoom] } });
  }

  /** Sends a call with its retries and returns the body of the response. */
  async send<T>(call: Call): Promise<T> {
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
      const ended = call.attempts > 0 && !call.isRetrying;
      if (ended && options.signal?.aborted) call.lose('aborted');
      options.signal?.throwIfAborted();
      // The time ran out after the whole response had arrived.
      if (call.received?.response.ok && thrown instanceof TimeoutError) return readResponse(call) as T;
      // The body of this 404 may be missing.
      if (call.response && call.isAlreadyDeleted(call.response.status)) return undefined as T;
      const failure = failureOf(call, thrown, kindOf(thrown));
      if (ended) call.lose(failure.code);
      throw withCallersStack(failure, this.send);
    } finally {
      detach?.();
      call.release?.('unsent');
      // The engine keeps ky's objects, and so the call, for several garbage collections. They must not keep the body.
      call.received = undefined;
    }
  }
}

function callOf({ context }: NormalizedOptions): Call {
  return context.call as Call;
}

/** ky calls `shouldRetry` and then `delay`, both without the context. So each call has its own functions. */
function retryOptions(call: Call) {
  let delay = 0;
  return {
    limit: call.maxRetries,
    methods: [call.endpoint.method],
    shouldRetry({ error }: { error: Error }) {
      if (call.controller.signal.aborted) return false;
      const failure = failureOf(call, error, kindOf(error));
      const wait = retryDelay(failure, call.attempts, call.repeatable, call.maxRetries);
      if (wait === undefined) return false;
      call.lose(failure.code);
      call.emit({ type: 'retry', delay: wait, code: failure.code });
      // A 429 concerns the key and not only this call. So the limiter does the waiting, and every other call waits too.
      call.holdBack = failure.code === 'rate_limit' && isLimited(call) ? wait : 0;
      if (call.holdBack > 0) holdOthers(call);
      call.isRetrying = true;
      delay = wait - call.holdBack;
      return true;
    },
    delay: () => delay,
  };
}

function kindOf(thrown: unknown): 'timeout' | 'status' | 'other' {
  if (thrown instanceof TimeoutError) return 'timeout';
  return thrown instanceof HTTPError ? 'status' : 'other';
}

/** Limits a delay to what timers support, because ky refuses longer ones. */
function timerOf(ms: number): number {
  return Math.min(ms, LONGEST_TIMER);
}
