import type { Endpoint, Params } from './endpoint.js';
import { type ErrorContext, type FieldsOf, InvalidRequestError } from './errors/index.js';
import { issuesOf, type Names, OPTION_NAMES, printIssues } from './issues.js';
import { requestOptionNames } from './options.js';
import type { Redactor } from './redact.js';
import * as s from './schema.js';
import { timeOf } from './timestamps.js';
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
  /** The parameters that are sent, `extra` included. Errors name their target and their platforms. */
  params: Params;
}

const NO_PARAMS = s.params({});

const UNSUPPORTED = 'is not supported by this operation';
const MISPLACED = 'is not a parameter. Pass it in `options`, the last argument';
const ITERATE = 'is an unknown parameter. `for await` reads all pages of the list';

/** Messages for names that are not parameters of the route. */
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

/** The parameters that are sent unchecked. */
export interface Extras {
  /** `extra` of the call. It wins over the parameters. */
  readonly call?: Params | undefined;
  /** `extra` of the view. The parameters win over it. */
  readonly view?: Params | undefined;
}

/** The `dry_run` of a call, if it has one. */
export type Preview = { dry_run?: boolean };

/** Returns the problems of parameters that remain with `extra`. `sent` is what is sent, with `extra`. */
export type ProblemsLeft = (found: Issue[], schema: s.Schema, params: Params, sent: Params, names: Names) => Issue[];

/** The parameters of one call: its own copy, which the steps of the call may change. */
export type OwnParams = Record<string, unknown>;

/**
 * Copies the parameters of a call. It is the only copy: the caller may change the original while the call waits.
 * @throws {InvalidRequestError} if they are not an object. The copy of a string would have a parameter for each letter.
 */
export function copyParams(params: unknown, context?: ErrorContext, constants?: Params): OwnParams {
  const given = params ?? {};
  if (s.tagOf(given) === 'Object') return { ...constants, ...ownFields(given) };
  throw invalid([{ path: [], message: s.mustBe('an object', params) }], context);
}

/** Copies an object, which may be absent, and the dates in it. */
export function ownFields<Value extends object>(value: Value | null | undefined): Value {
  const own: OwnParams = { ...value };
  for (const name in own) if (s.tagOf(own[name]) === 'Date') own[name] = new Date(own[name] as Date);
  return own as Value;
}

/** Copies an object without its fields that are `undefined`. Reads each field once. */
export function withoutUndefined<Value extends object>(value: Value): Partial<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Partial<Value>;
}

/** Returns what a call sends. The source nearest to the call wins: its `extra`, its parameters, `extra` of the view. */
export function withExtras(params: Params, { call = {}, view = {} }: Extras): OwnParams {
  return { ...withoutUndefined(view), ...withoutUndefined(params), ...withoutUndefined(call) };
}

/**
 * Checks the parameters and builds the request. It runs before anything else happens to a call. `preview` is the
 * `dry_run` of the call, which belongs to the route, so the schemas of parameters do not contain it.
 * @throws {InvalidRequestError} with each invalid parameter.
 */
export function buildRequest(
  endpoint: Endpoint,
  params: OwnParams,
  path: Params = {},
  extras: Extras = {},
  preview: Preview = {},
  problemsLeft: ProblemsLeft = (found) => found,
): BuiltRequest {
  const { operation, method, params: schema = NO_PARAMS } = endpoint;
  const filled = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => pathSegment(name, path[name]));
  const sent = withExtras(params, extras);
  const names = operation.endsWith('.list') ? LIST_NAMES : NAMES;
  const found = issuesOf(schema, params, names);
  const issues = found ? problemsLeft(found, schema, params, sent, names) : [];
  if (issues.length > 0) throw invalid(issues);
  // The operation would be executed although the caller wants a preview.
  if (!endpoint.dryRun && sent.dry_run) throw invalid([{ path: ['dry_run'], message: UNSUPPORTED }]);
  const inQuery = method === 'GET' || method === 'DELETE';
  const written = { ...sent, ...preview };
  return {
    path: filled,
    query: inQuery ? queryString(written) : '',
    body: inQuery ? undefined : jsonBody(written),
    dryRun: preview.dry_run === true,
    params: sent,
  };
}

/**
 * Encodes one path segment. `encodeURIComponent` leaves `.` and `..` unchanged, and URL parsers resolve them: a DELETE
 * of `..` would reach another resource.
 */
function pathSegment(name: string, value: unknown): string {
  const text = typeof value === 'string' || Number.isSafeInteger(value) ? String(value) : '';
  if (/^\.{0,2}$/.test(text)) throw invalid([{ path: [name], message: 'must be an identifier' }]);
  return encodeURIComponent(whole(text, [name]));
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
      .map((item) => [whole(name, [name]), written([name], () => whole(asText(item), [name]))]),
  );
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
}

function asText(value: unknown): string {
  const time = timeOf(value);
  const isMoment = !Number.isNaN(time) || s.tagOf(value) === 'Date';
  const text = isMoment ? new Date(time).toISOString() : String(value);
  const isData = typeof value === 'number' ? Number.isFinite(value) : !/^(function|symbol)$/.test(typeof value);
  // Objects have no text of their own.
  if (!isData || /^\[object /.test(text)) throw new TypeError();
  return text;
}

/** Half of a surrogate pair. Services refuse it, or replace it with another character. */
const HALF = /\p{Surrogate}/gu;

/** Returns the text. @throws {InvalidRequestError} with the path if the text contains half a surrogate pair. */
function whole(text: string, path: Issue['path']): string {
  if (text.search(HALF) < 0) return text;
  const shown = path.map((key) => (typeof key === 'string' ? key.replace(HALF, '\ufffd') : key));
  throw invalid([{ path: shown, message: 'must not contain half a surrogate pair, such as a cut emoji' }]);
}

/** Writes a body as JSON. Values that JSON would omit or change are refused. */
export function jsonBody(body: unknown): string {
  const places = new Map<unknown, Issue['path']>();
  return written([], () =>
    JSON.stringify(body, function (this: unknown, name: string, value: unknown) {
      const above = places.get(this);
      const place = above ? [...above, Array.isArray(this) ? Number(name) : name] : [];
      if (typeof value === 'object') places.set(value, place);
      whole(name, place);
      const kept = written(place, () => asWritten(this, name, value));
      if (s.tagOf(kept) === 'String') whole(String(kept), place);
      return kept;
    }),
  );
}

/** Returns a copy of checked parameters, which the caller cannot change. Dates become texts. */
export function copyOf<Given>(params: Given): Given {
  return JSON.parse(jsonBody(params));
}

/**
 * Keeps a value as it was checked. A method `toJSON` could replace checked data (even `dry_run`), so only the one of a
 * `Date` is allowed.
 */
function asWritten(holder: unknown, name: string, value: unknown): unknown {
  const given = (holder as Params)[name];
  if (s.tagOf(given) === 'Date') return Date.prototype.toISOString.call(given);
  const isData = /^(Object|Array|String|Boolean|Null)$/.test(s.tagOf(value));
  const isLeftOut = value === undefined && !Array.isArray(holder);
  if (typeof Object(given).toJSON === 'function' || !(isData || isLeftOut || Number.isFinite(value))) {
    throw new TypeError();
  }
  return value;
}

/** Returns the result of `write`. If it throws, the error names the parameter that cannot be written. */
function written<T>(path: Issue['path'], write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (error instanceof InvalidRequestError) throw error;
    throw invalid([{ path, message: 'cannot be written as JSON or text' }]);
  }
}
