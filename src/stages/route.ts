import { type Api, ApiPromise } from '../core/api.js';
import type { Endpoint } from '../core/endpoint.js';
import type { Listener } from '../core/events.js';
import type { CallOptions } from '../core/options.js';
import { type BuiltRequest, type Extras, invalid, jsonBody, queryString, withExtras } from '../core/request.js';
import { tagOf } from '../core/schema.js';
import type { Method } from '../core/types.js';
import { onlyDryRun } from './view.js';

/** A route that the SDK does not know yet. */
export interface Route {
  /** HTTP method. A POST counts as a costly write: it is not retried if it may have succeeded. */
  method: Method;
  /** Path below `/api/v2`. It begins with `/`, and its values are already percent-encoded. */
  path: `/${string}`;
  /** Parameters of the query. An array repeats its name. `null` and `undefined` are left out. */
  query?: Readonly<Record<string, unknown>> | undefined;
  /**
   * The body, sent as JSON. POST, PUT and PATCH send `{}` if it is absent. GET and DELETE refuse it. Only own
   * enumerable data is sent. Values that are not JSON, such as functions and `Map`s, are refused, and so are values
   * with a method `toJSON` (except `Date`).
   */
  body?: unknown;
}

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies Method[];

/** Sends a call of a route that this version does not know. Checks only its form. */
export function sendRoute<T>(api: Api, given: Route, options?: CallOptions): ApiPromise<T> {
  // JavaScript callers may omit the route, or pass a key as the method.
  const route = Object(given) as Route;
  const method = typeof route.method === 'string' ? api.session.config.redactor.mask(route.method) : route.method;
  const endpoint = { operation: 'request', method: method as Method, path: route.path };
  const send = async (listener?: Listener) => {
    const { request, merged } = prepare(api, endpoint, route, options);
    return api.start<T>(endpoint, request, merged, listener);
  };
  return new ApiPromise(api.traced(endpoint, send));
}

function prepare(api: Api, endpoint: Endpoint, route: Route, options: CallOptions | undefined) {
  api.view?.refuseWrite(endpoint, () => api.contextOf(endpoint));
  try {
    const merged = api.merge(options, endpoint);
    return { request: buildRoute(route, { call: { ...options?.extra }, view: api.view?.options?.extra }), merged };
  } catch (error) {
    throw api.explained(error, endpoint, sendRoute);
  }
}

/**
 * Builds the request of a route that has no schema. Checks only that the route is well-formed and stays below
 * `/api/v2`.
 */
function buildRoute({ method, path, query, body }: Route, extras: Extras): BuiltRequest {
  if (!METHODS.includes(method)) throw invalid([{ path: ['method'], message: `must be one of ${METHODS.join(', ')}` }]);
  if (!isPlainPath(path)) {
    const message = 'must be a path below /api/v2 that begins with `/`, without `.`, `..`, query or fragment';
    throw invalid([{ path: ['path'], message }]);
  }
  const inQuery = method === 'GET' || method === 'DELETE';
  if (inQuery && body !== undefined)
    throw invalid([{ path: ['body'], message: `must be absent: a ${method} request has no body` }]);
  // `jsonBody` refuses a method `toJSON`, which a copy would not have.
  const { toJSON } = Object(body ?? {}) as { toJSON?: unknown };
  const isData = tagOf(body ?? {}) === 'Object' && typeof toJSON !== 'function';
  const isExtended = body === undefined || (body !== null && isData);
  if (!inQuery && !isExtended && Object.keys(withExtras({}, extras)).length > 0)
    throw invalid([{ path: ['body'], message: 'must be an object if `extra` adds parameters to it' }]);
  onlyDryRun([Object(inQuery ? query : body), extras.call, extras.view]);
  return {
    path,
    query: queryString(inQuery ? withExtras(query ?? {}, extras) : (query ?? {})),
    body: inQuery ? undefined : jsonBody(isExtended ? withExtras({ ...body }, extras) : body),
    dryRun: false,
    params: {},
  };
}

/**
 * Whether a path is safe. URL parsers drop tabs and line ends, read `\` as `/` and resolve encoded dots, so the path
 * must contain none of these.
 */
function isPlainPath(path: unknown): path is string {
  if (typeof path !== 'string' || !/^\/(?!api\/v2)[^/]/.test(path) || /[\s\\?#\p{Cc}\p{Surrogate}]/u.test(path))
    return false;
  return path.split('/').every((segment) => !/^(\.|%2e){1,2}$/i.test(segment));
}
