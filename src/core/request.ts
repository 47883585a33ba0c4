import type { Endpoint, Params } from './endpoint.js';
import { type ErrorContext, type FieldsOf, InvalidRequestError } from './errors/index.js';
import { issuesOf, type Names, OPTION_NAMES, printIssues } from './issues.js';
import { requestOptionNames } from './options.js';
import type { Redactor } from './redact.js';
import * as s from './schema.js';
import type { Issue } from './types.js';

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

const UNSUPPORTED = 'is not supported by this operation';
const MISPLACED = 'is a request option. Pass it in the last argument, not among the parameters';
const ITERATE = 'is an unknown parameter. Iterate over the list to read its pages';

/** Messages for names that are no parameters of the route. */
const NAMES: Names = {
  others: ['dry_run'],
  elsewhere: {
    ...Object.fromEntries(Array.from(requestOptionNames, (name) => [name, MISPLACED])),
    dry_run: UNSUPPORTED,
  },
};
const LIST_NAMES: Names = {
  ...NAMES,
  elsewhere: { ...NAMES.elsewhere, limit: ITERATE, offset: ITERATE, page: ITERATE, cursor: ITERATE },
};

/** The `dry_run` of a call, if it has one. */
export interface Preview {
  dry_run?: boolean;
}

/** The parameters of one call: its own copy, which the steps of the call may change. */
export type OwnParams = Record<string, unknown>;

/**
 * Copies the parameters of a call. It is the only copy: the caller may change the original while the call waits.
 * @throws {InvalidRequestError} if they are not an object. The copy of a string would have a parameter for each letter.
 */
export function copyParams(params: unknown, context?: ErrorContext, constants?: Params): OwnParams {
  const given = params ?? {};
  if (s.tagOf(given) === 'Object') return { ...constants, ...given };
  throw invalid([{ path: [], message: s.mustBe('an object', params) }], context);
}

/**
 * Checks the parameters and builds the request. It runs before anything else happens to a call, and removes what is not
 * sent from `params`. `extra` is not checked and never replaces a checked parameter. `preview` is the `dry_run` of the
 * call, which belongs to the route, so the schemas of parameters do not contain it.
 * @throws {InvalidRequestError} with each invalid parameter.
 */
export function buildRequest(
  endpoint: Endpoint,
  params: OwnParams,
  path: Params = {},
  extra: Params = {},
  preview: Preview = {},
): BuiltRequest {
  const { operation, method, params: schema = NO_PARAMS } = endpoint;
  const filled = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => pathSegment(name, path[name]));
  // The operation would be executed although the caller wants a preview.
  if (!endpoint.dryRun && extra.dry_run) throw invalid([{ path: ['dry_run'], message: UNSUPPORTED }]);
  const issues = issuesOf(schema, params, operation.endsWith('.list') ? LIST_NAMES : NAMES);
  if (issues) throw invalid(issues);
  for (const name in params) if (params[name] === undefined) delete params[name];
  const sent = { ...extra, ...params, ...preview };
  const inQuery = method === 'GET' || method === 'DELETE';
  return {
    path: filled,
    query: inQuery ? queryString(sent) : '',
    body: inQuery ? undefined : jsonBody(sent),
    dryRun: preview.dry_run === true,
    params,
  };
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
}

/**
 * Checks parameters of a method that does more than send, which may be absent.
 * @throws {InvalidRequestError} with each invalid parameter.
 */
export function checkParams(schema: s.Schema, params: unknown, { redactor, ...context }: Checking = {}): void {
  // A Date or a Map is an object to the schema too.
  const given = params === null ? params : copyParams(params, context);
  const issues = issuesOf(schema, given);
  if (issues) throw invalid(redactor?.issues(issues) ?? issues, context);
}

/**
 * Checks the options of a call, which may be absent.
 * @throws {InvalidRequestError} with each invalid option.
 */
export function checkOptions(schema: s.Schema, options: unknown = {}, { redactor, ...context }: Checking = {}): void {
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
export function queryString(params: Params): string {
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

/** Writes a body as JSON. Values that JSON would omit or change are refused. */
export function jsonBody(body: unknown): string {
  return written([], () => JSON.stringify(body, asWritten));
}

/**
 * Keeps a value as it was checked. A method `toJSON` could replace checked data (also `dry_run`), so only that of a
 * `Date` is allowed.
 */
function asWritten(this: unknown, name: string, value: unknown): unknown {
  const given = (this as Params)[name];
  if (s.tagOf(given) === 'Date') return Date.prototype.toISOString.call(given);
  const isData = /^(Object|Array|String|Boolean|Null)$/.test(s.tagOf(value));
  const isLeftOut = value === undefined && !Array.isArray(this);
  if (typeof Object(given).toJSON === 'function' || !(isData || isLeftOut || Number.isFinite(value))) {
    throw new TypeError();
  }
  return value;
}

/** Returns the result of `write`. If it throws, the error names the parameter that cannot be written. */
function written(path: Issue['path'], write: () => string): string {
  try {
    return write();
  } catch {
    throw invalid([{ path, message: 'cannot be written as JSON or text' }]);
  }
}
