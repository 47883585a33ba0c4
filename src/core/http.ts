import ky, { HTTPError, type KyInstance, type NormalizedOptions, TimeoutError } from 'ky';
import { LONGEST_TIMER, onAbort } from './abort.js';
import { admit, holdOthers, isLimited } from './admit.js';
import { attempt } from './attempt.js';
import type { Call } from './call.js';
import { failureOf, withCallersStack } from './errors/failure.js';
import { readResponse } from './response.js';
import { retryDelay } from './retry.js';

/**
 * The way out: one ky instance a session. ky owns the attempts, the timeouts and the waits between attempts; our policy is
 * what we tell it. Its errors hold the request, so none of them leaves this class.
 */
export class Http {
  readonly #ky: KyInstance;

  constructor(root: string) {
    const waitForRoom = ({ options }: { options: NormalizedOptions }) => admit(callOf(options));
    this.#ky = ky.create({ prefix: root, hooks: { beforeRequest: [waitForRoom], beforeRetry: [waitForRoom] } });
  }

  /** Sends a call, as often as its policy allows, and gives the body of the response. */
  async send<T>(call: Call): Promise<T> {
    const { endpoint, options, request } = call;
    const detach = options.signal && onAbort(options.signal, () => call.controller.abort(options.signal?.reason));
    try {
      await this.#ky(`${request.path}${request.query}`, {
        method: endpoint.method,
        signal: call.controller.signal,
        timeout: timerOf(call.timeout),
        totalTimeout: call.totalTimeout === undefined ? false : timerOf(call.totalTimeout),
        retry: retryOptions(call),
        throwHttpErrors: (status) => !call.isAlreadyDeleted(status),
        fetch: (sent) => attempt(call, (sent as Request).signal),
        context: { call },
      });
      // Not ky's `parseJson`: it assigns to the response, which fails where a framework replaces the global `Response`.
      return readResponse(call) as T;
    } catch (thrown) {
      // A wait in the limiter that ky has given up leaves the queue.
      call.controller.abort();
      options.signal?.throwIfAborted();
      // The time ran out after the whole response had come.
      if (call.received?.response.ok && thrown instanceof TimeoutError) return readResponse(call) as T;
      // Its body may be missing.
      if (call.response && call.isAlreadyDeleted(call.response.status)) return undefined as T;
      throw withCallersStack(failureOf(call, thrown, kindOf(thrown)), this.send);
    } finally {
      detach?.();
      call.release?.('unsent');
    }
  }
}

function callOf({ context }: NormalizedOptions): Call {
  return context.call as Call;
}

/** ky asks `shouldRetry` and then `delay`, and hands neither of them the context: so they are made for each call. */
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
      call.emit({ type: 'retry', delay: wait, code: failure.code });
      // A 429 is about the key and not about this call: the limiter spends the wait, and holds every other call back too.
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

/** ky takes no delay beyond what timers know. */
function timerOf(ms: number): number {
  return Math.min(ms, LONGEST_TIMER);
}
