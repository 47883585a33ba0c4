import type { Endpoint, Params } from './endpoint.js';
import { type ErrorContext, type FieldsOf, InvalidRequestError } from './errors/index.js';
import { issuesOf, printIssues } from './issues.js';
import { nearest } from './nearest.js';
import { type Schema, strictObject } from './schema.js';
import type { Issue, Method } from './types.js';

/** A request as the service will see it, but for its origin and headers. */
export interface BuiltRequest {
  /** Below `/api/v2`, path parameters filled in. */
  path: string;
  /** `''`, or with its leading `?`. */
  query: string;
  body: string | undefined;
  /** The body asks for a preview. */
  dryRun: boolean;
}

const NO_PARAMS = /* @__PURE__ */ strictObject({});

/**
 * Check the parameters and write the request: pure, and before anything else happens to a call.
 * `extra` goes unchecked and never replaces a checked parameter.
 * @throws {InvalidRequestError} naming each parameter that is wrong.
 */
export function buildRequest(endpoint: Endpoint, params: Params, extra: Params = {}): BuiltRequest {
  const context: ErrorContext = { operation: endpoint.operation, method: endpoint.method, path: endpoint.path };
  if (typeof params !== 'object' || params === null) {
    throw invalid([{ path: [], message: 'expected an object of parameters' }], context);
  }
  const inPath = new Set<string>();
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    inPath.add(name);
    return pathSegment(name, params[name], context);
  });
  const checked = without(params, inPath);
  const filled = { ...context, path };
  checkParams(endpoint.params ?? NO_PARAMS, checked, filled);

  const rest = { ...extra, ...withoutUndefined(checked) };
  const inQuery = endpoint.method === 'GET' || endpoint.method === 'DELETE';
  return {
    path,
    query: inQuery ? queryString(rest, filled) : '',
    body: inQuery ? undefined : jsonBody(rest, filled),
    dryRun: endpoint.dryRun === true && rest.dry_run === true,
  };
}

/**
 * One path segment. `encodeURIComponent` leaves `.` and `..` alone, and URL parsers climb on them: a DELETE of `..`
 * would reach another resource.
 */
function pathSegment(name: string, value: unknown, context: ErrorContext): string {
  const text = typeof value === 'string' || Number.isSafeInteger(value) ? String(value) : '';
  if (text === '' || text === '.' || text === '..') {
    throw invalid([{ path: [name], message: 'expected an identifier (not empty, not `.` or `..`)' }], context);
  }
  try {
    return encodeURIComponent(text);
  } catch {
    throw invalid([{ path: [name], message: 'expected well-formed text (it holds half a surrogate pair)' }], context);
  }
}

/** @throws {InvalidRequestError} naming each parameter that is wrong. */
export function checkParams(schema: Schema, params: unknown, context: ErrorContext): void {
  const issues = issuesOf(schema, params);
  if (issues)
    throw invalid(
      issues.map((issue) => withHint(issue, Object.keys(schema.fields ?? {}))),
      context,
    );
}

/** Add the name that was probably meant to an unknown parameter. */
function withHint({ path, message }: Issue, known: readonly string[]): Issue {
  if (message !== 'unknown parameter' || path.length > 1) return { path, message };
  const meant = nearest(String(path[0]), known);
  const hint = meant ? `did you mean \`${meant}\`?` : 'pass it in `extra` if the service has gained it';
  return { path, message: `${message}; ${hint}` };
}

export function invalid(issues: readonly Issue[], context: ErrorContext): InvalidRequestError {
  const fields = { ...context, issues } satisfies FieldsOf<InvalidRequestError>;
  return new InvalidRequestError(`${context.operation}: ${printIssues(issues)}`, fields);
}

function without(params: Params, names: ReadonlySet<string>): Params {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.has(name)));
}

function withoutUndefined(params: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
}

/** Arrays repeat their key; `null` and `undefined` are left out. */
function queryString(params: Params, context: ErrorContext): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === undefined || item === null) continue;
      try {
        const text = item instanceof Date ? item.toISOString() : String(item);
        // Throws for half a surrogate pair, which would be sent as another character.
        encodeURIComponent(text);
        search.append(name, text);
      } catch {
        throw invalid([{ path: [name], message: 'expected a value that can be written as text' }], context);
      }
    }
  }
  const text = search.toString();
  return text && `?${text}`;
}

function jsonBody(body: unknown, context: ErrorContext): string {
  try {
    return JSON.stringify(body, refuseUnwritable);
  } catch {
    const message =
      'expected parameters that JSON can write (no cycle, BigInt, function, symbol, NaN, Infinity, Map or Set)';
    throw invalid([{ path: [], message }], context);
  }
}

/** A route that the SDK does not know yet. */
export interface Route {
  method: Method;
  /** Below `/api/v2`, beginning with `/`, values already percent-encoded. */
  path: `/${string}`;
  query?: Params | undefined;
  /** Sent as JSON; `{}` on POST, PUT and PATCH where it is absent. */
  body?: unknown;
}

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies Method[];

/** Write the request of a route that has no schema: nothing is checked but that it stays below `/api/v2`. */
export function buildRoute({ method, path, query, body }: Route, extra: Params = {}): BuiltRequest {
  const context: ErrorContext = { operation: 'request' };
  if (!METHODS.includes(method)) {
    throw invalid([{ path: ['method'], message: `expected one of ${METHODS.join(', ')}` }], context);
  }
  if (!isPlainPath(path)) {
    const message =
      'expected a path below /api/v2 that begins with one `/` and has no `.` or `..` segment, query or fragment';
    throw invalid([{ path: ['path'], message }], context);
  }
  const inQuery = method === 'GET' || method === 'DELETE';
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  return {
    path,
    query: queryString(inQuery ? { ...extra, ...query } : (query ?? {}), context),
    body: inQuery
      ? undefined
      : jsonBody(isObject || body === undefined ? { ...extra, ...(body ?? {}) } : body, context),
    dryRun: false,
  };
}

/** URL parsers drop tabs and line ends, read `\` as `/` and climb on encoded dots: none of these may be in a path. */
function isPlainPath(path: unknown): path is string {
  if (typeof path !== 'string' || !/^\/[^/]/.test(path) || /[\s\\?#\p{Cc}]/u.test(path)) return false;
  return path.split('/').every((segment) => !/^(\.|%2e){1,2}$/i.test(segment));
}

/** `JSON.stringify` leaves out or alters what it cannot write: what is sent must be what was given. */
function refuseUnwritable(this: unknown, _key: string, value: unknown): unknown {
  const isNumber = typeof value === 'number';
  const isOpaque = typeof value === 'object' && value !== null && !Array.isArray(value) && !isPlain(value);
  const isLost =
    typeof value === 'function' || typeof value === 'symbol' || (value === undefined && Array.isArray(this));
  if (isLost || isOpaque || (isNumber && !Number.isFinite(value))) throw new TypeError();
  return value;
}

/** By tag and not by prototype: test runners have several `Object`s. */
function isPlain(value: object): boolean {
  return Object.prototype.toString.call(value) === '[object Object]';
}
