import { ApiPromise, type ApiResult } from './api-promise.js';
import { Call } from './call.js';
import type { Endpoint, Params } from './endpoint.js';
import { DryRunUnsupportedError, type ErrorContext, InvalidRequestError } from './errors/index.js';
import { checkRequestOptions } from './options.js';
import { preflight } from './preflight.js';
import { type BuiltRequest, buildRequest } from './request.js';
import type { CallOptions, Session, View } from './session.js';

/** The one way from a method to the service. `build` replaces the checks of a route that has no schema. */
export type Send = <T>(
  endpoint: Endpoint,
  params: Params,
  options?: CallOptions,
  build?: (extra: Params | undefined) => BuiltRequest,
) => ApiPromise<T>;

/** Bind a session and a view: build purely, refuse what is known to fail, then hand over to the call's policy. */
export function createSend(session: Session, view: View = {}): Send {
  const { redactor } = session.config;

  async function send<T>(...[endpoint, params, options = {}, build]: Parameters<Send>): Promise<ApiResult<T>> {
    options.signal?.throwIfAborted();
    const { operation, method } = endpoint;
    const context: ErrorContext = { operation, method, path: redactor.text(String(endpoint.path)) };
    checkRequestOptions(options, (message) => {
      return new InvalidRequestError(`${operation}: ${message}`, [{ path: [], message }], context);
    });
    if (view.dryRun && method !== 'GET' && !endpoint.dryRun) {
      const message = `${operation} has no preview, so client.dryRun refuses it. Nothing was sent.`;
      throw new DryRunUnsupportedError(message, context);
    }
    const filled = fillIn(endpoint, params, view);
    const request = shown(() => (build ? build(options.extra) : buildRequest(endpoint, filled, options.extra)));
    if (session.preflight && session.identity) {
      const sent = { ...context, path: redactor.text(request.path) };
      preflight(endpoint, { ...options.extra, ...filled }, session.identity, sent);
    }
    return new Call<T>(session, endpoint, request, options).run();
  }

  /** A key that was passed for an id, or for the name of a parameter, is not in the error that says so. */
  function shown(build: () => BuiltRequest): BuiltRequest {
    try {
      return build();
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      const path = error.path === undefined ? undefined : redactor.text(error.path);
      throw new InvalidRequestError(redactor.text(error.message), redactor.json(error.issues), { ...error, path });
    }
  }

  return (...call) => new ApiPromise(send(...call));
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
