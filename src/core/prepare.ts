import type { Session } from './call.js';
import { mergeOptions } from './defaults.js';
import type { Endpoint, Params } from './endpoint.js';
import { DryRunUnsupportedError, type ErrorContext, InvalidRequestError } from './errors/index.js';
import { type CallOptions, type RequestOptions, requestOptionNames, requestOptionsSchema } from './options.js';
import { preflight } from './preflight.js';
import { type BuiltRequest, checkOptions, copyParams, invalid } from './request.js';

/** The settings that a view (`forBulle`, `forFiche`, `dryRun`, `withOptions`) adds to every call. */
export interface View {
  readonly bulle_id?: string;
  readonly fiche_id?: string;
  readonly dryRun?: boolean;
  readonly options?: RequestOptions;
}

/** The arguments of a call. */
export interface Asked {
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
  /** The parameters of the call and of the view. */
  readonly filled: Params;
  readonly request: BuiltRequest;
  /** The options of the view and of the call. */
  readonly options: CallOptions;
}

/** Builds the request, or throws if the call is known to fail. */
export function prepare({ config, identity }: Session, view: View, asked: Asked): Prepared {
  const { endpoint, params, path, options: own, build } = asked;
  const defaults = view.options;
  const context = contextOf(config, endpoint, endpoint.path);
  const given = copyParams(endpoint.params, params, context);
  const filled = fill(endpoint, view, { ...endpoint.constants, ...given, ...path }, context);
  try {
    checkCall(endpoint, { ...filled, ...defaults?.extra }, given, own);
    const options = mergeOptions(defaults, own);
    const request = build(filled, options.extra);
    const place = contextOf(config, endpoint, request.path);
    if (config.preflight) preflight(endpoint, { ...options.extra, ...filled }, identity, place);
    return { filled, request, options };
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    // The key may have been passed as an id or as the name of a parameter, so the error is masked.
    const redactor = config.redactorWith(endpoint.confidential?.(filled) ?? []);
    throw invalid(redactor.issues(error.issues), context);
  }
}

/**
 * Adds the view's target if the route takes one and the caller passed none. Adds `dry_run` if the view only previews.
 * @throws {DryRunUnsupportedError} if the view only previews and the operation is a write without a preview.
 */
function fill(endpoint: Endpoint, view: View, given: Params, context: ErrorContext): Params {
  const { operation, method, target, dryRun } = endpoint;
  if (view.dryRun && method !== 'GET' && !dryRun) {
    const message = `${operation} has no preview, so client.dryRun refuses it. Nothing was sent.`;
    throw new DryRunUnsupportedError(message, context);
  }
  const value = target && view[target];
  return {
    ...given,
    ...(target && value !== undefined && given[target] === undefined && { [target]: value }),
    ...(view.dryRun && dryRun && { dry_run: true }),
  };
}

function contextOf({ redactor }: Session['config'], { operation, method }: Endpoint, path: string): ErrorContext {
  return { operation, method, path: redactor.mask(String(path)) };
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
