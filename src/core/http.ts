import ky, { isTimeoutError, type KyInstance, type NormalizedOptions } from 'ky';
import { LONGEST_TIMER, onAbort } from './abort.js';
import { admit, isLimited } from './admit.js';
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
        totalTimeout: timerOf(call.totalTimeout),
        retry: retryOptions(call),
        throwHttpErrors: (status) => !isAlreadyDeleted(call, status),
        fetch: (sent) => attempt(call, (sent as Request).signal),
        context: { call },
      });
      // Not ky's `parseJson`: it assigns to the response, which fails where a framework replaces the global `Response`.
      return readResponse(call) as T;
    } catch (thrown) {
      // A wait in the limiter that ky has given up leaves the queue.
      call.controller.abort();
      options.signal?.throwIfAborted();
      throw withCallersStack(failureOf(call, thrown, isTimeoutError(thrown)), this.send);
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
      const failure = failureOf(call, error, isTimeoutError(error));
      const wait = retryDelay(failure, call.attempts, call.repeatable, call.maxRetries);
      if (wait === undefined) return false;
      call.emit({ type: 'retry', delay: wait, code: failure.code });
      // A 429 is about the key and not about this call: the limiter spends the wait, and holds every other call back too.
      call.holdBack = failure.code === 'rate_limit' && isLimited(call) ? wait : 0;
      delay = wait - call.holdBack;
      return true;
    },
    delay: () => delay,
  };
}

/** An earlier attempt deleted it, and only its response was lost. */
function isAlreadyDeleted({ endpoint, outcome }: Call, status: number): boolean {
  return status === 404 && endpoint.method === 'DELETE' && outcome === 'unknown';
}

/** ky takes no delay beyond what timers know. */
function timerOf(ms: number | undefined): number | false {
  return ms !== undefined && ms <= LONGEST_TIMER ? ms : false;
}
