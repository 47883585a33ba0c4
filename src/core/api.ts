import { Call, codeOf, isCaching, type Session, type ViewStage } from './call.js';
import type { Endpoint, Params } from './endpoint.js';
import { type ErrorContext, InvalidRequestError, MultilocalError } from './errors/index.js';
import type { Listener } from './events.js';
import { type Caller, trimStack } from './failure.js';
import type { Http } from './http.js';
import { type CallOptions, fetchOptionsOf, requestOptionsSchema } from './options.js';
import type { Mask } from './redact.js';
import {
  type BuiltRequest,
  buildRequest,
  checkOptions,
  copyParams,
  type Extras,
  invalid,
  type OwnParams,
  ownFields,
  queryString,
  withExtras,
} from './request.js';

/** A response body together with its `Response`. */
export interface ApiResult<T> {
  /** The parsed body, to which the promise itself resolves. */
  data: T;
  /** The `Response` with status and headers. Its body has been read. */
  response: Response;
}

/**
 * A promise of a response body. `withResponse` also returns the `Response`. The request is sent at once, even if the
 * promise is never awaited.
 * @example
 * const article = await client.articles.get(42);
 * const { data, response } = await client.articles.get(42).withResponse();
 */
export class ApiPromise<T> extends Promise<T> {
  readonly #result: Promise<ApiResult<T>>;

  /** @internal */
  constructor(result: Promise<ApiResult<T>>) {
    super((resolve, reject) => {
      result.then(({ data }) => data).then(resolve, reject);
    });
    this.#result = result;
  }

  /** Makes `then`, `catch` and `finally` return plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** Returns the body together with the `Response` (status and headers). */
  withResponse(): Promise<ApiResult<T>> {
    // `then` marks this promise as handled. Otherwise a failure would also be reported as an unhandled rejection.
    return this.then(() => this.#result);
  }
}

/** Leads from a step of an iteration back to the call that began it. */
export interface Trail {
  /** @throws the reason of a signal that has aborted. */
  check(): void;
  /** Returns the error with the stack of the call. Later steps have no stack that shows the caller. */
  told(error: unknown): unknown;
}

/** The only way from a method to the service. Checks everything that can be checked locally, then sends the call. */
export class Api {
  readonly session: Session;
  readonly view: ViewStage | undefined;
  readonly http: Http;

  constructor(session: Session, http: Http, view?: ViewStage) {
    this.session = session;
    this.http = http;
    this.view = view;
  }

  /**
   * Sends a call. `params` are the parameters of query or body, as the caller passed them. `path` are the parameters of the
   * path.
   */
  send<T>(endpoint: Endpoint, params?: object, options?: CallOptions, path?: Params): ApiPromise<T> {
    return new ApiPromise(this.ask<T>(endpoint, params, options, path));
  }

  /**
   * Like {@link send}, but resolves to the body and the response. Other kinds of promises use it. `more` is called a
   * microtask later and may return further parameters of the query.
   */
  ask<T>(
    endpoint: Endpoint,
    params?: object,
    options?: CallOptions,
    path?: Params,
    more?: () => object | undefined,
  ): Promise<ApiResult<T>> {
    return this.traced(endpoint, async (listener) => {
      const { request, merged } = this.#prepare(endpoint, params, options, path, this.ask);
      if (more) await undefined;
      const further = more?.();
      if (further) request.query = queryString({ ...request.params, ...further });
      return this.start<T>(endpoint, request, merged, listener);
    });
  }

  /**
   * Checks a call like {@link send}, but sends nothing. Returns its parameters with `extra` and the view applied.
   * Methods that begin with another request use it.
   */
  check<Asked extends object>(endpoint: Endpoint, params?: Asked, options?: CallOptions): Asked {
    return this.#prepare(endpoint, params, options, undefined, this.check).request.params as Asked;
  }

  /** Runs a call, and publishes it if there is a listener. */
  traced<T>(endpoint: Endpoint, work: (listener?: Listener) => Promise<T>): Promise<T> {
    const { stages, config } = this.session;
    // Bun 1.4 lacks `hasSubscribers`, as did Node before 20.13.
    const isHeard = stages.trace?.channel && stages.trace.channel.hasSubscribers !== false;
    return isHeard ? stages.trace.publish(endpoint, config, work) : work();
  }

  /** Sends a request that was checked, with its retries. */
  start<T>(
    endpoint: Endpoint,
    request: BuiltRequest,
    options: CallOptions,
    listener: Listener | undefined,
  ): Promise<ApiResult<T>> {
    return this.following(options.signal, async (signal) => {
      const call = new Call(this.session, endpoint, request, { ...options, signal }, listener);
      try {
        const data = await this.http.run<T>(call);
        call.end();
        return { data, response: call.response as Response };
      } catch (error) {
        call.end(codeOf(error));
        throw error;
      }
    });
  }

  /**
   * Runs work with a signal that aborts as soon as the signal of the caller or of the view does.
   * @throws the reason of a signal that has aborted.
   */
  async following<T>(
    signal: AbortSignal | null | undefined,
    work: (signal: AbortSignal | undefined) => Promise<T>,
  ): Promise<T> {
    if (this.view) return this.view.following(signal, work);
    signal?.throwIfAborted();
    return work(signal ?? undefined);
  }

  /** Returns what a method that goes on after its call needs: the signals that end it, and the stack of its caller. */
  trail(options: CallOptions | undefined): Trail {
    const here = new Error();
    return {
      check: () => {
        for (const signal of [...(this.view?.signals ?? []), options?.signal]) signal?.throwIfAborted();
      },
      told: (error) => {
        if (error instanceof MultilocalError) error.stack = `${here.stack}`.replace(/^Error/, () => `${error}`);
        return error;
      },
    };
  }

  /** Returns the parameters of a call, with `extra` and the target of the view. */
  sent(endpoint: Endpoint, params: object | undefined, options: CallOptions | undefined): Params {
    const filled = ownFields(params as OwnParams);
    const extras = this.#extrasOf(options);
    this.view?.fill(endpoint, filled, extras);
    return withExtras(filled, extras);
  }

  #extrasOf(options: CallOptions | undefined): Extras {
    return { call: { ...options?.extra }, view: this.view?.options?.extra };
  }

  /** Checks the options of a call of the endpoint and adds the view's options. */
  merge(options: CallOptions | undefined, endpoint?: Endpoint): CallOptions {
    checkOptions(requestOptionsSchema, options);
    const given = endpoint?.method === 'GET' ? {} : fetchOptionsOf(options?.fetchOptions);
    const [name] = Object.entries(given).find(isCaching) ?? [];
    if (name && endpoint)
      throw invalid([{ path: ['fetchOptions', name], message: 'must be absent: no cache may answer a write' }]);
    return this.view?.merge(options) ?? { ...options };
  }

  contextOf({ operation, method, path }: Endpoint, filled: string = path): ErrorContext {
    return { operation, method, path: this.session.config.redactor.mask(String(filled)) };
  }

  /**
   * Adds the details of the call to the error of an invalid request. Masks the key, which may be an id or a name. The
   * stack of the error begins at the caller of `below`.
   */
  explained(error: unknown, endpoint: Endpoint, below: Caller, hide?: Mask): unknown {
    if (!(error instanceof InvalidRequestError)) return error;
    const { redactor, redactorWith } = this.session.config;
    const issues = (hide ? redactorWith(hide) : redactor).issues(error.issues);
    return trimStack(invalid(issues, this.contextOf(endpoint)), below);
  }

  /** Builds the request and merges the options, or throws if the call is known to fail. */
  #prepare(
    endpoint: Endpoint,
    given: unknown,
    options: CallOptions | undefined,
    path: Params | undefined,
    below: Caller,
  ) {
    const { stages, identity } = this.session;
    this.view?.refuseWrite(endpoint, () => this.contextOf(endpoint));
    let params: OwnParams = {};
    try {
      params = copyParams(given, {}, endpoint.constants);
      const merged = this.merge(options, endpoint);
      const extras = this.#extrasOf(options);
      this.view?.fill(endpoint, params, extras);
      stages.normalize?.(params, given);
      const preview = endpoint.dryRun ? stages.dryRun?.take(params, extras) : {};
      const request = buildRequest(endpoint, params, path, extras, preview, stages.problemsLeft);
      if (identity)
        stages.preflight?.(endpoint, request.params, identity, () => this.contextOf(endpoint, request.path));
      return { request, merged };
    } catch (error) {
      const hide = endpoint.confidential?.(withExtras(params, this.#extrasOf(options)));
      throw this.explained(error, endpoint, below, hide);
    }
  }
}

/** The way to the service of each object with methods. Private, because the way holds the key. */
const apis = new WeakMap<object, Api>();

/** Leads from the proxy of a framework to its object. No handler of a proxy can change what it gives. */
const SELF = Symbol('self');

/** What has methods that call the service. */
export class Resource {
  /** @internal */
  constructor(api: Api) {
    apis.set(this, api);
    // The reactive state of Vue leaves such an object as it is (`markRaw`), because a proxy takes time.
    Object.defineProperties(this, { [SELF]: { value: this }, __v_skip: { value: true } });
  }
}

/** Returns the way to the service. @throws {InvalidRequestError} for a method that was taken off its object. */
export function apiOf(owner: Resource): Api {
  const api = apis.get(Object(owner)[SELF]);
  if (api) return api;
  throw invalid([{ path: ['this'], message: 'must be the object of the method' }]);
}
