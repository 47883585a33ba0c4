import type { Call } from '../core/call.js';
import type { Endpoint } from '../core/endpoint.js';
import { ConfigurationError } from '../core/errors/index.js';
import type { Listener } from '../core/events.js';
import { callError } from '../core/failure.js';
import { headerOf } from '../core/headers.js';
import { Http } from '../core/http.js';
import { BODY_MARK, PROXY_MARK } from './mark.js';

/** An endpoint that only `articlesProxy` has. */
export interface ProxyEndpoint extends Endpoint {
  /** Marks these endpoints. */
  isOfProxy: true;
  /** Returns the result of a call from the body of its response. Default: the body. */
  resultOf?(body: unknown, call: Call): unknown;
}

const WHAT = 'this address is not served by `articlesProxy`';

/** The calls whose response has a body of `articlesProxy`. */
const marked = new WeakSet<object>();

/** Notes which bodies `articlesProxy` has written. */
export const markListener: Listener = ({ type }, call) => {
  if (type === 'response' && (call as Call).received?.text.startsWith(BODY_MARK)) marked.add(call);
};

/** Sends calls like {@link Http}, and refuses responses of other servers to calls that only `articlesProxy` serves. */
export class PageHttp extends Http {
  override async run<T>(call: Call): Promise<T> {
    const { isOfProxy, resultOf } = call.endpoint as Partial<ProxyEndpoint>;
    if (!isOfProxy) return super.run(call);
    try {
      const body = await super.run(call);
      checkMark(call);
      return (resultOf?.(body, call) ?? body) as T;
    } catch (error) {
      // The service ignores or refuses what it does not know. Every other failure is the same at both addresses.
      if (/^(2..|400|404)$/.test(Object(error).status)) checkMark(call, error);
      throw error;
    }
  }
}

/** @throws {ConfigurationError} if another server than `articlesProxy` has sent the response. */
function checkMark(call: Call, cause?: unknown): void {
  if (marked.has(call) || (call.response && headerOf(call.response, PROXY_MARK) !== null)) return;
  throw callError(call, ConfigurationError, WHAT, { cause }, 'Set `baseUrl` to the address of the proxy.');
}
