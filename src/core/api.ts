import { Call, type Session } from './call.js';
import type { Endpoint, Params } from './endpoint.js';
import { DryRunUnsupportedError, type ErrorContext, InvalidRequestError } from './errors/index.js';
import type { Http } from './http.js';
import { type CallOptions, requestOptionNames, requestOptionsSchema } from './options.js';
import { preflight } from './preflight.js';
import { ApiPromise, type ApiResult } from './promise.js';
import {
  type BuiltRequest,
  buildRequest,
  buildRoute,
  checkOptions,
  copyParams,
  invalid,
  type Route,
} from './request.js';

/** What a view (`forBulle`, `forFiche`, `dryRun`) adds to every call. */
export interface View {
  readonly bulle_id?: string;
  readonly fiche_id?: string;
  readonly dryRun?: boolean;
}

/** A call as a method makes it. */
interface Asked {
  readonly endpoint: Endpoint;
  /** As the caller gave them, so perhaps no object. */
  readonly params?: unknown;
  /** Parameters that the method sets itself, such as those of the path. */
  readonly fixed?: Params | undefined;
  readonly options?: CallOptions | undefined;
  readonly build: (filled: Params) => BuiltRequest;
}

/** The only way from a method to the service: checks everything that can be checked locally, then sends. */
export class Api {
  readonly session: Session;
  readonly #http: Http;
  readonly #view: View;

  constructor(session: Session, http: Http, view: View = {}) {
    this.session = session;
    this.#http = http;
    this.#view = view;
  }

  /** Sends a call. `params` come from the caller, `fixed` from the method: those of the path, and `kind`. */
  send<T>(endpoint: Endpoint, params?: object, options?: CallOptions, fixed?: Params): ApiPromise<T> {
    return new ApiPromise(this.ask<T>(endpoint, params, options, fixed));
  }

  /** As {@link send}, with the response: for promises of another kind. */
  ask<T>(endpoint: Endpoint, params?: object, options?: CallOptions, fixed?: Params): Promise<ApiResult<T>> {
    const build = (filled: Params) => buildRequest(endpoint, filled, options?.extra);
    return this.#send<T>({ endpoint, params, fixed, options, build });
  }

  /** Sends a call of a route that this version does not know: only its form is checked. */
  request<T>(route: Route, options?: CallOptions): ApiPromise<T> {
    // In JavaScript there may be no route.
    const { method, path } = Object(route);
    const build = () => buildRoute(Object(route), options?.extra);
    return new ApiPromise(this.#send<T>({ endpoint: { operation: 'request', method, path }, options, build }));
  }

  /**
   * Checks a call as sending it would, and returns its parameters with those of the view. Nothing is sent: this is for
   * methods that begin with another request.
   */
  check(endpoint: Endpoint, params?: object, options?: CallOptions): Params {
    return this.#prepare({ endpoint, params, options, build: (filled) => buildRequest(endpoint, filled) }).filled;
  }

  async #send<T>(asked: Asked): Promise<ApiResult<T>> {
    const { filled, request } = this.#prepare(asked);
    const { endpoint, options = {} } = asked;
    options.signal?.throwIfAborted();
    const call = new Call(this.session, endpoint, request, options, endpoint.confidential?.(filled) ?? []);
    const data = await this.#http.send<T>(call);
    return { data, response: call.response as Response };
  }

  /** Builds the request, or refuses what is known to fail. */
  #prepare({ endpoint, params, fixed, options, build }: Asked): { filled: Params; request: BuiltRequest } {
    const { identity, config } = this.session;
    const given = copyParams(endpoint.params, params, this.#context(endpoint, endpoint.path));
    const filled = this.#fill(endpoint, { ...given, ...fixed });
    try {
      checkCall(endpoint, filled, given, options);
      const request = build(filled);
      const context = this.#context(endpoint, request.path);
      if (config.preflight) preflight(endpoint, { ...options?.extra, ...filled }, identity, context);
      return { filled, request };
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
  #fill(endpoint: Endpoint, given: Params): Params {
    const { operation, method, target, dryRun, path } = endpoint;
    const view = this.#view;
    if (view.dryRun && method !== 'GET' && !dryRun) {
      const message = `${operation} has no preview, so client.dryRun refuses it. Nothing was sent.`;
      throw new DryRunUnsupportedError(message, this.#context(endpoint, path));
    }
    const value = target && view[target];
    return {
      ...given,
      ...(target && value !== undefined && given[target] === undefined && { [target]: value }),
      ...(view.dryRun && dryRun && { dry_run: true }),
    };
  }

  #context({ operation, method }: Endpoint, path: string): ErrorContext {
    return { operation, method, path: this.session.config.redactor.mask(String(path)) };
  }
}

/** @throws {InvalidRequestError} for options that would be lost, or that undo a dry run. */
function checkCall(endpoint: Endpoint, filled: Params, given: Params, options: CallOptions | undefined): void {
  // Left out, or sent all the same by `extra`, what was to be rehearsed would be done for real.
  const asked: Params = { ...filled, ...options?.extra, ...options };
  if (endpoint.permission !== undefined && !endpoint.dryRun && asked.dry_run) {
    throw invalid([{ path: ['dry_run'], message: 'is not supported by this operation' }]);
  }
  // The name is spelled correctly, and it is easily put one argument too early.
  const option = Object.keys(given).find((name) => requestOptionNames.has(name));
  if (option !== undefined) {
    const message = 'is a request option. Pass it in the last argument, not among the parameters';
    throw invalid([{ path: [option], message }]);
  }
  checkOptions(requestOptionsSchema, options);
}
