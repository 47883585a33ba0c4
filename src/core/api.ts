import { Call, type Session } from './call.js';
import { mergeOptions } from './defaults.js';
import type { Endpoint, Params } from './endpoint.js';
import { DryRunUnsupportedError, type ErrorContext, InvalidRequestError } from './errors/index.js';
import type { Http } from './http.js';
import { type CallOptions, type RequestOptions, requestOptionNames, requestOptionsSchema } from './options.js';
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

/** The settings that a view (`forBulle`, `forFiche`, `dryRun`, `withOptions`) adds to every call. */
export interface View {
  readonly bulle_id?: string;
  readonly fiche_id?: string;
  readonly dryRun?: boolean;
  readonly options?: RequestOptions;
}

/** The arguments of a call. */
interface Asked {
  readonly endpoint: Endpoint;
  /** As the caller passed them, so possibly not an object. */
  readonly params?: unknown;
  /** Path parameters, with their names in the specification. */
  readonly path?: Params | undefined;
  readonly options?: CallOptions | undefined;
  readonly build: (filled: Params, extra: CallOptions['extra']) => BuiltRequest;
}

/** A call that can be sent. */
interface Prepared {
  readonly filled: Params;
  readonly request: BuiltRequest;
  /** The options of the view and of the call. */
  readonly options: CallOptions;
}

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
    return this.#send<T>({ endpoint, params, path, options, build });
  }

  /** Sends a call of a route that this version does not know. Checks only its form. */
  request<T>(route: Route, options?: CallOptions): ApiPromise<T> {
    // JavaScript callers may omit the route.
    const { method, path } = Object(route);
    const build: Asked['build'] = (_, extra) => buildRoute(Object(route), extra);
    return new ApiPromise(this.#send<T>({ endpoint: { operation: 'request', method, path }, options, build }));
  }

  /**
   * Checks a call like {@link send}, but sends nothing. Returns its parameters with those of the view. Methods that
   * begin with another request use it.
   */
  check(endpoint: Endpoint, params?: object, options?: CallOptions): Params {
    return this.#prepare({ endpoint, params, options, build: (filled) => buildRequest(endpoint, filled) }).filled;
  }

  async #send<T>(asked: Asked): Promise<ApiResult<T>> {
    const { filled, request, options } = this.#prepare(asked);
    const { endpoint } = asked;
    options.signal?.throwIfAborted();
    const call = new Call(this.session, endpoint, request, options, endpoint.confidential?.(filled) ?? []);
    const data = await this.#http.send<T>(call);
    return { data, response: call.response as Response };
  }

  /** Builds the request, or throws if the call is known to fail. */
  #prepare({ endpoint, params, path, options: own, build }: Asked): Prepared {
    const { identity, config } = this.session;
    const defaults = this.#view.options;
    const given = copyParams(endpoint.params, params, this.#context(endpoint, endpoint.path));
    const filled = this.#fill(endpoint, { ...endpoint.constants, ...given, ...path });
    try {
      checkCall(endpoint, { ...filled, ...defaults?.extra }, given, own);
      const options = mergeOptions(defaults, own);
      const request = build(filled, options.extra);
      const context = this.#context(endpoint, request.path);
      if (config.preflight) preflight(endpoint, { ...options.extra, ...filled }, identity, context);
      return { filled, request, options };
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      // The key may have been passed as an id or as the name of a parameter, so the error is masked.
      const redactor = config.redactorWith(endpoint.confidential?.(filled) ?? []);
      throw invalid(redactor.issues(error.issues), this.#context(endpoint, endpoint.path));
    }
  }

  /**
   * Adds the view's target if the route takes one and the caller passed none. Adds `dry_run` if the view only previews.
   * @throws {DryRunUnsupportedError} if the view only previews and the operation is a write without a preview.
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

/**
 * Checks the place of options and `dry_run`.
 * @throws {InvalidRequestError} if an option would be ignored, or the call would be executed instead of previewed.
 */
function checkCall(endpoint: Endpoint, filled: Params, given: Params, options: CallOptions | undefined): void {
  // This operation would be executed although the caller wants a preview.
  const asked: Params = { ...filled, ...options?.extra, ...options };
  if (endpoint.permission !== undefined && !endpoint.dryRun && asked.dry_run) {
    throw invalid([{ path: ['dry_run'], message: 'is not supported by this operation' }]);
  }
  // The name is correct, so the message says where it belongs instead of "unknown parameter".
  const option = Object.keys(given).find((name) => requestOptionNames.has(name));
  if (option !== undefined) {
    const message = 'is a request option. Pass it in the last argument, not among the parameters';
    throw invalid([{ path: [option], message }]);
  }
  checkOptions(requestOptionsSchema, options);
}
