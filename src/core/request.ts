import type { Endpoint, Params } from './endpoint.js';
import { type ErrorContext, type FieldsOf, InvalidRequestError } from './errors/index.js';
import type { Redactor } from './errors/redact.js';
import { exampleOf, issuesOf, type Names, OPTION_NAMES, printIssues } from './issues.js';
import * as s from './schema.js';
import type { Issue, Method } from './types.js';

/** A request as the service receives it, without its origin and headers. */
export interface BuiltRequest {
  /** Path below `/api/v2`, with its parameters filled in. */
  path: string;
  /** The query with its leading `?`, or `''`. */
  query: string;
  body: string | undefined;
  /** Whether the request asks for a preview. */
  dryRun: boolean;
  /** The parameters of the call. Errors name its target and its platforms. */
  params: Params;
}

const NO_PARAMS = s.params({});

const ITERATE =
  'is an unknown parameter. Iterate over the list to read every page, or collect it with `.toArray({ limit })`';

/** Messages for lists whose routes do not take these parameters. */
const PAGING: Names = { elsewhere: { limit: ITERATE, offset: ITERATE, page: ITERATE, cursor: ITERATE } };

/**
 * Copies the parameters of a call.
 * @throws {InvalidRequestError} if they are not an object. The copy of a string would have a parameter for each letter.
 */
export function copyParams(schema: s.Schema | undefined, params: unknown, context?: ErrorContext): Params {
  const given = params ?? {};
  // The tag is read and not the prototype, because test runners have several `Object`s.
  if (Object.prototype.toString.call(given) === '[object Object]') return { ...given };
  const be = schema ? `an object such as ${exampleOf(schema)}` : 'an object';
  throw invalid([{ path: [], message: s.mustBe(be, params) }], context);
}

/**
 * Checks the parameters and builds the request. Pure: it runs before anything else happens to a call. `extra` is not
 * checked and never replaces a checked parameter.
 * @throws {InvalidRequestError} with each invalid parameter.
 */
export function buildRequest(endpoint: Endpoint, given: Params, extra?: Params): BuiltRequest {
  const { operation, method, path, params, dryRun } = endpoint;
  const rest: Record<string, unknown> = { ...given };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    delete rest[name];
    return pathSegment(name, given[name]);
  });
  const preview = dryRun ? takeDryRun(rest) : {};
  checkParams(params ?? NO_PARAMS, rest, { names: operation.endsWith('.list') ? PAGING : {} });
  for (const name in rest) if (rest[name] === undefined) delete rest[name];
  const sent: Params = { ...extra, ...rest, ...preview };
  const inQuery = method === 'GET' || method === 'DELETE';
  return {
    path: filled,
    query: inQuery ? queryString(sent) : '',
    body: inQuery ? undefined : jsonBody(sent),
    dryRun: dryRun === true && sent.dry_run === true,
    params: given,
  };
}

/**
 * Removes `dry_run` from the parameters and returns it. It belongs to the route, so the schemas of parameters do not
 * contain it.
 */
function takeDryRun(params: Record<string, unknown>): { dry_run?: boolean } {
  const { dry_run } = params;
  delete params.dry_run;
  if (dry_run === undefined) return {};
  if (typeof dry_run !== 'boolean') throw invalid([{ path: ['dry_run'], message: s.mustBe('a boolean', dry_run) }]);
  return { dry_run };
}

/**
 * Encodes one path segment. `encodeURIComponent` leaves `.` and `..` unchanged, and URL parsers resolve them: a DELETE
 * of `..` would reach another resource.
 */
function pathSegment(name: string, value: unknown): string {
  const text = typeof value === 'string' || Number.isSafeInteger(value) ? String(value) : '';
  if (/^\.{0,2}$/.test(text)) throw invalid([{ path: [name], message: 'must be an identifier' }]);
  return written([name], () => encodeURIComponent(text));
}

interface Checking extends ErrorContext {
  /** Masks a key that was passed as a name. */
  redactor?: Redactor;
  names?: Names;
}

/**
 * Checks parameters, which may be absent.
 * @throws {InvalidRequestError} with each invalid parameter.
 */
export function checkParams(schema: s.Schema, params: unknown, checking: Checking = {}): void {
  const { redactor, names, ...context } = checking;
  // A Date or a Map is an object to the schema too.
  const given = params === null ? params : copyParams(schema, params, context);
  const issues = issuesOf(schema, given, names);
  if (issues) throw invalid(redactor?.issues(issues) ?? issues, context);
}

/**
 * Checks the options of a call, which may be absent.
 * @throws {InvalidRequestError} with each invalid option.
 */
export function checkOptions(schema: s.Schema, options: unknown = {}, checking: Checking = {}): void {
  const { redactor, ...context } = checking;
  const found = issuesOf(schema, options, OPTION_NAMES);
  const issues = found?.map(({ path, message }) => ({ path: path.length > 0 ? path : ['options'], message }));
  if (issues) throw invalid(redactor?.issues(issues) ?? issues, context);
}

/** Creates the error of a call that cannot be sent. `Api` adds the details of the call. */
export function invalid(issues: readonly Issue[], context: ErrorContext = {}): InvalidRequestError {
  const fields = { ...context, issues } satisfies FieldsOf<InvalidRequestError>;
  return new InvalidRequestError(`${context.operation ?? 'Request'}: ${printIssues(issues, 'The parameters')}`, fields);
}

/** Builds the query. An array repeats its name. `null` and `undefined` are left out. */
function queryString(params: Params): string {
  const pairs = Object.entries(params).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter((item) => item !== undefined && item !== null)
      .map((item) => [name, written([name], () => asText(item))]),
  );
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
}

function asText(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : String(value);
  // This throws for half a surrogate pair, which would be sent as another character.
  encodeURIComponent(text);
  return text;
}

/** Writes a body as JSON. `extra` is added to an object. Other values stay as they are. */
function jsonBody(body: unknown, extra: Params = {}): string {
  return written([], () => {
    const data = plainData(body);
    const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
    return JSON.stringify(isObject ? { ...(plainData(extra) as object), ...data } : data);
  });
}

/** Returns the result of `write`. If it throws, the error names the parameter that cannot be written. */
function written(path: Issue['path'], write: () => string): string {
  try {
    return write();
  } catch {
    throw invalid([{ path, message: 'cannot be written as JSON or text' }]);
  }
}

/** A route that the SDK does not know yet. */
export interface Route {
  /** HTTP method. A POST counts as a costly write: it is not retried if it may have succeeded. */
  method: Method;
  /** Path below `/api/v2`. It begins with `/`, and its values are already percent-encoded. */
  path: `/${string}`;
  /** Parameters of the query. An array repeats its name. `null` and `undefined` are left out. */
  query?: Params | undefined;
  /**
   * The body, sent as JSON. POST, PUT and PATCH send `{}` if it is absent. GET and DELETE refuse it. Only own
   * enumerable data is sent. Values that are not JSON, such as functions and `Map`s, are refused, and so are values
   * with a method `toJSON` (except `Date`).
   */
  body?: unknown;
}

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies Method[];

/**
 * Builds the request of a route that has no schema. Checks only that the route is well-formed and stays below
 * `/api/v2`.
 */
export function buildRoute({ method, path, query, body }: Route, extra: Params = {}): BuiltRequest {
  if (!METHODS.includes(method)) throw invalid([{ path: ['method'], message: `must be one of ${METHODS.join(', ')}` }]);
  if (!isPlainPath(path)) {
    const message = 'must be a path below /api/v2 that begins with `/`, without `.`, `..`, query or fragment';
    throw invalid([{ path: ['path'], message }]);
  }
  const inQuery = method === 'GET' || method === 'DELETE';
  if (inQuery && body !== undefined)
    throw invalid([{ path: ['body'], message: `must be absent: a ${method} request has no body` }]);
  return {
    path,
    query: queryString(inQuery ? { ...extra, ...query } : (query ?? {})),
    body: inQuery ? undefined : jsonBody(body === undefined ? {} : body, extra),
    dryRun: false,
    params: {},
  };
}

/**
 * Whether a path is safe. URL parsers drop tabs and line ends, read `\` as `/` and resolve encoded dots, so the path
 * must contain none of these.
 */
function isPlainPath(path: unknown): path is string {
  if (typeof path !== 'string' || !/^\/(?!api\/v2)[^/]/.test(path) || /[\s\\?#\p{Cc}]/u.test(path)) return false;
  return path.split('/').every((segment) => !/^(\.|%2e){1,2}$/i.test(segment));
}

/**
 * Copies a value so that JSON contains exactly what was checked: own enumerable data, each field read once. A method
 * `toJSON` could replace checked data (also `dry_run`), so a value that has one is refused. Values that JSON omits or
 * changes are refused too.
 */
function plainData(value: unknown, above: readonly unknown[] = []): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return value;
  // The tag is read and not the prototype, because test runners have several `Object`s.
  const tag = Object.prototype.toString.call(value);
  if (tag === '[object Date]') return Date.prototype.toISOString.call(value);
  const { toJSON } = value as { toJSON?: unknown };
  if (!/ (Object|Array)]/.test(tag) || typeof toJSON === 'function' || above.includes(value)) throw new TypeError();
  const within = [...above, value];
  if (Array.isArray(value)) return Array.from(value, (item) => plainData(item, within));
  const fields = Object.entries(value as object).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, plainData(field, within)]));
}
