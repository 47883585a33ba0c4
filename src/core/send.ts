import { ApiPromise, type ApiResult } from './api-promise.js';
import { Call } from './call.js';
import type { Endpoint, Params } from './endpoint.js';
import { DryRunUnsupportedError, type ErrorContext, InvalidRequestError } from './errors/index.js';
import { checkRequestOptions } from './options.js';
import { preflight } from './preflight.js';
import { type BuiltRequest, buildRequest } from './request.js';
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
    const { operation } = endpoint;
    checkRequestOptions(options, (message) => {
      return new InvalidRequestError(`${operation}: ${message}`, [{ path: [], message }], contextOf(endpoint));
    });
    const { filled, request } = ready(endpoint, params, options.extra, build);
    return new Call<T>(session, endpoint, request, options, endpoint.confidential?.(filled) ?? []).run();
  }

  /** Everything that can be known before a request is sent. */
  function ready(endpoint: Endpoint, params: Params, extra?: Params, build?: Parameters<Send>[3]) {
    if (view.dryRun && endpoint.method !== 'GET' && !endpoint.dryRun) {
      const message = `${endpoint.operation} has no preview, so client.dryRun refuses it. Nothing was sent.`;
      throw new DryRunUnsupportedError(message, contextOf(endpoint));
    }
    const filled = fillIn(endpoint, params, view);
    const request = shown(() => (build ? build(extra) : buildRequest(endpoint, filled, extra)));
    if (session.preflight && session.identity) {
      const sent = { ...contextOf(endpoint), path: redactor.text(request.path) };
      preflight(endpoint, { ...extra, ...filled }, session.identity, sent);
    }
    return { filled, request };
  }

  function contextOf({ operation, method, path }: Endpoint): ErrorContext {
    return { operation, method, path: redactor.text(String(path)) };
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
