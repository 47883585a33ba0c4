import { Call, type Session } from './call.js';
import type { Endpoint, Params } from './endpoint.js';
import { DryRunUnsupportedError, type ErrorContext, InvalidRequestError } from './errors/index.js';
import type { Http } from './http.js';
import { type CallOptions, requestOptionNames, requestOptionsSchema } from './options.js';
import { preflight } from './preflight.js';
import { ApiPromise, type ApiResult } from './promise.js';
import { type BuiltRequest, buildRequest, buildRoute, checkParams, invalid, type Route } from './request.js';

/** What a view (`forBulle`, `forFiche`, `dryRun`) adds to every call. */
export interface View {
  readonly bulle_id?: string;
  readonly fiche_id?: string;
  readonly dryRun?: boolean;
}

type Build = (params: Params) => BuiltRequest;

/** The one way from a method to the service: check everything that can be known beforehand, then send. */
export class Api {
  readonly session: Session;
  readonly #http: Http;
  readonly #view: View;

  constructor(session: Session, http: Http, view: View = {}) {
    this.session = session;
    this.#http = http;
    this.#view = view;
  }

  /** Sends a call. `params` hold the parameters of path, query and body under their names on the wire. */
  send<T>(endpoint: Endpoint, params: Params, options?: CallOptions): ApiPromise<T> {
    return new ApiPromise(this.ask<T>(endpoint, params, options));
  }

  /** As {@link send}, with the response: for promises of another kind. */
  ask<T>(endpoint: Endpoint, params: Params, options: CallOptions = {}): Promise<ApiResult<T>> {
    const build: Build = (filled) => buildRequest(endpoint, filled, options.extra);
    return this.#send<T>(endpoint, params, options, build);
  }

  /** Sends a call of a route that this version does not know: only its form is checked. */
  request<T>(route: Route, options: CallOptions = {}): ApiPromise<T> {
    // In JavaScript there may be no route.
    const { method, path } = Object(route);
    const build: Build = () => buildRoute(Object(route), options.extra);
    return new ApiPromise(this.#send<T>({ operation: 'request', method, path }, {}, options, build));
  }

  /**
   * Checks a call as sending it would, and gives its parameters with those of the view. Nothing is sent: this is for
   * methods that begin with another request.
   */
  check(endpoint: Endpoint, params: Params, options: CallOptions = {}): Params {
    const filled = this.#fill(endpoint, params);
    this.#ready(endpoint, filled, params, options, () => buildRequest(endpoint, filled));
    return filled;
  }

  async #send<T>(endpoint: Endpoint, params: Params, options: CallOptions, build: Build): Promise<ApiResult<T>> {
    const filled = this.#fill(endpoint, params);
    const request = this.#ready(endpoint, filled, params, options, () => build(filled));
    options.signal?.throwIfAborted();
    const call = new Call(this.session, endpoint, request, options, endpoint.confidential?.(filled) ?? []);
    const data = await this.#http.send<T>(call);
    return { data, response: call.response as Response };
  }

  /** Builds the request, or refuses what is known to fail. */
  #ready(
    endpoint: Endpoint,
    filled: Params,
    params: Params,
    options: CallOptions,
    build: () => BuiltRequest,
  ): BuiltRequest {
    const { identity, config } = this.session;
    try {
      checkOptions(endpoint, filled, params, options);
      const request = build();
      if (config.preflight) {
        const context = this.#context(endpoint, request.path);
        preflight(endpoint, { ...options.extra, ...filled }, identity, context);
      }
      return request;
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      // A key that was passed for an id, or for the name of a parameter, is not in the error that says so.
      const redactor = config.redactorWith(endpoint.confidential?.(filled) ?? []);
      throw invalid(redactor.issues(error.issues), this.#context(endpoint, endpoint.path));
    }
  }

  /**
   * Adds the view's target if the route takes one and the caller named none, and the preview if there is one.
   * @throws {DryRunUnsupportedError} for a write without a preview, if the view only previews.
   */
  #fill(endpoint: Endpoint, params: Params): Params {
    const { operation, method, target, dryRun, path } = endpoint;
    const view = this.#view;
    if (view.dryRun && method !== 'GET' && !dryRun) {
      const message = `${operation} has no preview: client.dryRun refuses it. Nothing was sent.`;
      throw new DryRunUnsupportedError(message, this.#context(endpoint, path));
    }
    const value = target && view[target];
    return {
      ...params,
      ...(target && value !== undefined && params[target] === undefined && { [target]: value }),
      ...(view.dryRun && dryRun && { dry_run: true }),
    };
  }

  #context({ operation, method }: Endpoint, path: string): ErrorContext {
    return { operation, method, path: this.session.config.redactor.mask(String(path)) };
  }
}

/** @throws {InvalidRequestError} for options that would be lost, or that undo a dry run. */
function checkOptions(endpoint: Endpoint, filled: Params, params: Params, options: CallOptions): void {
  // Left out, or sent all the same by `extra`, what was to be rehearsed would be done for real.
  const asked: Params = { ...filled, ...options?.extra, ...options };
  if (endpoint.permission !== undefined && !endpoint.dryRun && asked.dry_run) {
    throw invalid([{ path: ['dry_run'], message: 'has no preview' }]);
  }
  // No misspelt parameter, and easily put one argument too early.
  const option = Object.keys(params).find((name) => requestOptionNames.has(name));
  if (option !== undefined) throw invalid([{ path: [option], message: 'options go last' }]);
  checkParams(requestOptionsSchema, options);
}
