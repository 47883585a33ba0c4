import { Call, type Session } from './call.js';
import type { Endpoint, Params } from './endpoint.js';
import type { Http } from './http.js';
import type { CallOptions } from './options.js';
import { type Asked, prepare, type View } from './prepare.js';
import { ApiPromise, type ApiResult } from './promise.js';
import { buildRequest, buildRoute, type Route } from './request.js';
import { follow, type RequestTrace, requestChannel, traced, traceOf } from './trace.js';

export type { View } from './prepare.js';

/** The only way from a method to the service. Checks everything that can be checked locally, then sends the call. */
export class Api {
  readonly session: Session;
  readonly #http: Http;
  readonly #view: View;

  constructor(session: Session, http: Http, view: View = {}) {
    this.session = session;
    this.#http = http;
    this.#view = view;
  }

  /**
   * The signal of the view. Methods that do more than send requests use it if their caller passes none: they wait, or
   * read a file.
   */
  get signal(): AbortSignal | undefined {
    return this.#view.options?.signal;
  }

  /**
   * Sends a call. `params` are the parameters of query or body, as the caller passed them. `path` are those of the
   * path.
   */
  send<T>(endpoint: Endpoint, params?: object, options?: CallOptions, path?: Params): ApiPromise<T> {
    return new ApiPromise(this.ask<T>(endpoint, params, options, path));
  }

  /** Like {@link send}, but resolves to the body and the response. Other kinds of promises use it. */
  ask<T>(endpoint: Endpoint, params?: object, options?: CallOptions, path?: Params): Promise<ApiResult<T>> {
    const build: Asked['build'] = (filled, extra) => buildRequest(endpoint, filled, extra);
    return this.#traced<T>({ endpoint, params, path, options, build });
  }

  /** Sends a call of a route that this version does not know. Checks only its form. */
  request<T>(route: Route, options?: CallOptions): ApiPromise<T> {
    // JavaScript callers may omit the route, or pass a key as the method.
    const { method: given, path } = Object(route);
    const method = typeof given === 'string' ? this.session.config.redactor.mask(given) : given;
    const build: Asked['build'] = (_, extra) => buildRoute(Object(route), extra);
    return new ApiPromise(this.#traced<T>({ endpoint: { operation: 'request', method, path }, options, build }));
  }

  /**
   * Checks a call like {@link send}, but sends nothing. Returns its parameters with those of the view. Methods that
   * begin with another request use it.
   */
  check(endpoint: Endpoint, params?: object, options?: CallOptions): Params {
    const build = (filled: Params) => buildRequest(endpoint, filled);
    return prepare(this.session, this.#view, { endpoint, params, options, build }).filled;
  }

  #traced<T>(asked: Asked): Promise<ApiResult<T>> {
    const create = () => traceOf(asked.endpoint, this.session.config);
    return traced(requestChannel, create, (trace) => this.#send<T>(asked, trace));
  }

  async #send<T>(asked: Asked, trace?: RequestTrace): Promise<ApiResult<T>> {
    const { filled, request, options } = prepare(this.session, this.#view, asked);
    const { endpoint } = asked;
    options.signal?.throwIfAborted();
    const call = new Call(this.session, endpoint, request, options, endpoint.confidential?.(filled) ?? []);
    const data = await follow(trace, call, () => this.#http.send<T>(call));
    return { data, response: call.response as Response };
  }
}
