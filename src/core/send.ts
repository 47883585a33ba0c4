import { ApiPromise, type ApiResult } from './api-promise.js';
import { runCall } from './call.js';
import type { Endpoint, Params } from './endpoint.js';
import { DryRunUnsupportedError, InvalidRequestError } from './errors/index.js';
import { requestOptionsSchema } from './options.js';
import { type BuiltRequest, buildRequest, checkParams } from './request.js';
import type { CallOptions, Session, View } from './session.js';

/** The one way from a method to the service. */
export interface Send {
  /** `build` replaces the checks of a route that has no schema. */
  <T>(
    endpoint: Endpoint,
    params: Params,
    options?: CallOptions,
    build?: (extra: Params | undefined) => BuiltRequest,
  ): ApiPromise<T>;
  /**
   * Check a call as sending it would, and give its parameters with what the view fills in. Nothing is sent: this is for
   * methods that begin with another request.
   */
  prepare(endpoint: Endpoint, params: Params): Params;
}

/** Bind a session and a view: build purely, refuse what is known to fail, then hand over to the call's policy. */
export function createSend(session: Session, view: View = {}): Send {
  const { redactor } = session.config;

  async function send<T>(...[endpoint, params, options = {}, build]: Parameters<Send>): Promise<ApiResult<T>> {
    options.signal?.throwIfAborted();
    const { filled, request } = ready(endpoint, params, options, build);
    return runCall<T>(session, endpoint, request, options, endpoint.confidential?.(filled) ?? []);
  }

  /** Everything that can be known before a request is sent. */
  function ready(endpoint: Endpoint, params: Params, options: CallOptions = {}, build?: Parameters<Send>[3]) {
    const { operation, method } = endpoint;
    const context = { operation, method, path: redactor.text(String(endpoint.path)) };
    if (view.dryRun && method !== 'GET' && !endpoint.dryRun) {
      const message = `${operation} has no preview, so client.dryRun refuses it. Nothing was sent.`;
      throw new DryRunUnsupportedError(message, context);
    }
    const { extra } = options;
    const filled = fillIn(endpoint, params, view);
    try {
      checkParams(requestOptionsSchema, options, context);
      const request = build ? build(extra) : buildRequest(endpoint, filled, extra);
      const { identity, preflight } = session;
      if (identity)
        preflight?.(endpoint, { ...extra, ...filled }, identity, { ...context, path: redactor.text(request.path) });
      return { filled, request };
    } catch (error) {
      // A key that was passed for an id, or for the name of a parameter, is not in the error that says so.
      if (!(error instanceof InvalidRequestError)) throw error;
      const { issues, path = context.path } = error;
      const shown = { ...error, issues: redactor.json(issues), path: redactor.text(path) };
      throw new InvalidRequestError(redactor.text(error.message), shown);
    }
  }

  return Object.assign(<T>(...call: Parameters<Send>) => new ApiPromise<T>(send(...call)), {
    prepare: (endpoint: Endpoint, params: Params) => ready(endpoint, params).filled,
  });
}

/** Add the view's target where the route takes one and the caller named none, and the preview where there is one. */
function fillIn(endpoint: Endpoint, params: Params, view: View): Params {
  const { target } = endpoint;
  const value = target && view[target];
  return {
    ...params,
    ...(target && value !== undefined && params[target] === undefined && { [target]: value }),
    ...(view.dryRun && endpoint.dryRun && { dry_run: true }),
  };
}
