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
  const { operation, method } = endpoint;
  const given = { ...params };
  const context = { operation, method, path: endpoint.path as string };
  context.path = context.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const { [name]: value } = given;
    delete given[name];
    return pathSegment(name, value, context);
  });
  checkParams(endpoint.params ?? NO_PARAMS, given, context);

  const sent = { ...extra, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
  const inQuery = method === 'GET' || method === 'DELETE';
  return {
    path: context.path,
    query: inQuery ? queryString(sent, context) : '',
    body: inQuery ? undefined : jsonBody(sent, context),
    dryRun: endpoint.dryRun === true && sent.dry_run === true,
  };
}

/**
 * One path segment. `encodeURIComponent` leaves `.` and `..` alone, and URL parsers climb on them: a DELETE of `..`
 * would reach another resource.
 */
function pathSegment(name: string, value: unknown, context: ErrorContext): string {
  const text = typeof value === 'string' || Number.isSafeInteger(value) ? String(value) : '';
  if (/^\.{0,2}$/.test(text)) {
    throw invalid([{ path: [name], message: 'expected an identifier (not empty, not `.` or `..`)' }], context);
  }
  return written(name, context, () => encodeURIComponent(text));
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

/** Arrays repeat their key; `null` and `undefined` are left out. */
function queryString(params: Params, context: ErrorContext): string {
  const pairs = Object.entries(params).flatMap(([name, value]) => {
    const items = [value].flat().filter((item) => item !== undefined && item !== null);
    return items.map((item) => [name, written(name, context, () => asText(item))]);
  });
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
}

function asText(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : String(value);
  // Throws for half a surrogate pair, which would be sent as another character.
  encodeURIComponent(text);
  return text;
}

function jsonBody(body: unknown, context: ErrorContext): string {
  return written('', context, () => JSON.stringify(body, refuseUnwritable));
}

/** What `write` gives, or an error that names the parameter which cannot be written. */
function written(name: string, context: ErrorContext, write: () => string): string {
  try {
    return write();
  } catch {
    const message = 'expected what JSON or a URL can hold';
    throw invalid([{ path: name ? [name] : [], message }], context);
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
