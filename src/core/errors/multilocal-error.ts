import type { Method, Outcome } from '../types.js';

/**
 * All copies of the package in a process (ESM and CommonJS, or two versions) share this symbol, so that `instanceof`
 * works.
 */
const BRAND: unique symbol = Symbol.for('multilocal.error');

/** The stable name of each kind of error. */
export type ErrorCode =
  | 'api_error'
  | 'authentication'
  | 'bad_gateway'
  | 'bad_request'
  | 'bulle_not_found'
  | 'bulle_out_of_scope'
  | 'configuration'
  | 'conflict'
  | 'connection'
  | 'dry_run_not_honored'
  | 'dry_run_unsupported'
  | 'fiche_out_of_scope'
  | 'gone'
  | 'internal_server_error'
  | 'invalid_request'
  | 'invalid_response'
  | 'journal_damaged'
  | 'journal_locked'
  | 'journal_lost'
  | 'journal_of_another_brand'
  | 'journal_unusable'
  | 'mass_deletion'
  | 'missing_bulle_id'
  | 'missing_fiche_id'
  | 'missing_permission'
  | 'no_fiche'
  | 'not_found'
  | 'permission_denied'
  | 'plan_incomplete'
  | 'plan_invalid'
  | 'plan_not_approved'
  | 'plan_unreadable'
  | 'plan_unresolved'
  | 'platform_not_connected'
  | 'quota_exceeded'
  | 'rate_limit'
  | 'redirect'
  | 'service_unavailable'
  | 'sync_conflict'
  | 'sync_stalled'
  | 'timeout'
  | 'unprocessable_entity'
  | 'wait_timeout';

/** The part of an error that describes the failed call. */
export type ErrorContext = {
  operation?: string | undefined;
  method?: Method | undefined;
  path?: string | undefined;
  attempts?: number;
  outcome?: Outcome;
  sentAt?: Date | undefined;
  cause?: unknown;
};

/**
 * The fields that an error class adds. The constructor accepts any fields, so callers check theirs with `satisfies`.
 */
export type FieldsOf<E extends MultilocalError> = ErrorContext & Omit<E, keyof MultilocalError>;

/**
 * The base class of all errors of the SDK. A call that you abort rejects with `signal.reason` instead.
 *
 * `code` is stable across versions. `message` is for people and may change.
 * @example
 * try {
 *   await client.articles.get(42);
 * } catch (error) {
 *   if (!isMultilocalError(error)) throw error;
 *   console.error(error.code, error.outcome, error.message);
 * }
 */
export class MultilocalError extends Error {
  /** The code of the class, which its instances have as `code`. */
  static readonly code: string = 'multilocal';

  /** Stable name of the kind of error: `'rate_limit'`, `'not_found'` … */
  readonly code: ErrorCode;
  /** The method that was called, such as `'articles.confirm'`. `undefined` if no call was made yet. */
  readonly operation: string | undefined;
  /** HTTP method of the route. */
  readonly method: Method | undefined;
  /** Path of the route after `/api/v2`. */
  readonly path: string | undefined;
  /** Number of requests sent for this call. 0 if nothing was sent. */
  readonly attempts: number = 0;
  /** Whether the write happened. See {@link Outcome}. */
  readonly outcome: Outcome = 'not_applied';
  /**
   * When the first attempt was sent, on the clock of this machine, if `outcome` is `'unknown'`. Pass it to
   * `posts.findRecent` as `since`. `undefined` for every other outcome.
   */
  declare readonly sentAt: Date | undefined;

  /** @internal */
  constructor(message: string, { cause, ...fields }: ErrorContext & { [field: string]: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = new.target.code as ErrorCode;
    // The name is derived from the code, because a bundler may have renamed the class.
    const name = `_${this.code}_error`
      .replace('error_error', 'error')
      .replace(/_(.)/g, (_, first) => first.toUpperCase());
    Object.defineProperty(this, 'name', { value: name, configurable: true, writable: true });
    Object.assign(this, fields);
    if (fields.headers) hideMethods(fields.headers as Headers);
  }

  /** @internal Whether this is an error of the class with that code, or of one that extends it. */
  [BRAND](code: string): boolean {
    let kind = this.constructor as { code?: string };
    while (kind.code && kind.code !== code) kind = Object.getPrototypeOf(kind);
    return kind.code === code;
  }

  /** Returns the content for loggers: the fields above and `name` and `message`, which `JSON.stringify` omits. */
  toJSON(): Record<string, unknown> {
    const { headers, ...fields } = this as { headers?: { toJSON(): object } };
    return { name: this.name, message: this.message, ...fields, ...(headers && { headers: headers.toJSON() }) };
  }

  /** @internal */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Object.hasOwn(this, 'code')
      ? isBranded(value) && Object(value)[BRAND](this.code)
      : super[Symbol.hasInstance](value);
  }
}

/**
 * Hides the methods of headers from loops: Koa 2 would send them as headers. Loggers that copy the fields of an error still
 * write the headers.
 */
function hideMethods(headers: Headers): void {
  for (const name in headers)
    Object.defineProperty(headers, name, { value: headers[name as keyof Headers], configurable: true });
  Object.defineProperty(headers, 'toJSON', { value: () => Object.fromEntries(headers), configurable: true });
}

/** Whether a value is an error of any copy of this SDK. */
export function isBranded(value: unknown): value is MultilocalError {
  return BRAND in Object(value);
}
