import { ApiPromise, type ApiResult } from './api-promise.js';
import { runCall } from './call.js';
import type { Endpoint, Params } from './endpoint.js';
import { type ErrorContext, InvalidRequestError } from './errors/index.js';
import { requestOptionsSchema } from './options.js';
import { type BuiltRequest, buildRequest, checkParams, invalid } from './request.js';
import type { CallOptions, Session } from './session.js';

type Fill = (endpoint: Endpoint, params: Params, context: ErrorContext) => Params;

type Build = (extra: Params | undefined) => BuiltRequest;

/** The one way from a method to the service. */
export interface Send {
  /** `build` replaces the checks of a route that has no schema. */
  <T>(endpoint: Endpoint, params: Params, options?: CallOptions, build?: Build): ApiPromise<T>;
  /**
   * Check a call as sending it would, and give its parameters with what the view fills in. Nothing is sent: this is for
   * methods that begin with another request.
   */
  prepare(endpoint: Endpoint, params: Params): Params;
}

/**
 * Bind a session: build purely, refuse what is known to fail, then hand over to the call's policy.
 * `fill` adds to the parameters of every call, or refuses it.
 */
export function createSend(session: Session, fill?: Fill): Send {
  const { redactor } = session.config;

  /** Everything that can be known before a request is sent. */
  const ready = (endpoint: Endpoint, params: Params, options?: CallOptions, build?: Build) => {
    const { operation, method } = endpoint;
    let path: string = endpoint.path;
    const context = {
      operation,
      method,
      // Looked through for keys only where an error asks: that costs as much as building the request. And whatever its
      // type: in `client.request` it is the caller's.
      get path() {
        return redactor.mask(String(path));
      },
    };
    const filled = fill ? fill(endpoint, params, context) : params;
    try {
      const extra = options?.extra;
      // Left out, or sent all the same by `extra`, what was to be rehearsed would be done for real.
      if (!build && !endpoint.dryRun && ({ ...filled, ...extra, ...options } as Params).dry_run) {
        throw invalid([{ path: ['dry_run'], message: 'has no preview' }]);
      }
      // No misspelt parameter, and easily put one argument too early.
      const option = Object.keys(params).find((name) => requestOptionsSchema.fields?.[name]);
      if (option) throw invalid([{ path: [option], message: 'options go last' }]);
      if (options) checkParams(requestOptionsSchema, options);
      const request = build ? build(extra) : buildRequest(endpoint, filled, extra);
      path = request.path;
      session.preflight?.(endpoint, { ...extra, ...filled }, session.identity, context);
      return { filled, request };
    } catch (error) {
      // A key that was passed for an id, or for the name of a parameter, is not in the error that says so.
      throw error instanceof InvalidRequestError ? invalid(redactor.json(error.issues), context) : error;
    }
  };

  async function send<T>(...[endpoint, params, options = {}, build]: Parameters<Send>): Promise<ApiResult<T>> {
    options.signal?.throwIfAborted();
    const { filled, request } = ready(endpoint, params, options, build);
    return runCall<T>(session, endpoint, request, options, endpoint.confidential?.(filled) ?? []);
  }

  return Object.assign(<T>(...call: Parameters<Send>) => new ApiPromise<T>(send(...call)), {
    prepare: (endpoint: Endpoint, params: Params) => ready(endpoint, params).filled,
  });
}
