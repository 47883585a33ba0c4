import type { Method, Outcome } from '../types.js';

/** Shared by every copy of the package in a process (ESM beside CommonJS, two versions), so that `instanceof` works. */
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
  | 'mass_deletion'
  | 'missing_bulle_id'
  | 'missing_fiche_id'
  | 'missing_permission'
  | 'no_fiche'
  | 'not_found'
  | 'permission_denied'
  | 'platform_not_connected'
  | 'quota_exceeded'
  | 'rate_limit'
  | 'redirect'
  | 'service_unavailable'
  | 'sync_stalled'
  | 'timeout'
  | 'unprocessable_entity'
  | 'wait_timeout';

/** What an error knows about the call that failed. */
export type ErrorContext = {
  operation?: string | undefined;
  method?: Method | undefined;
  path?: string | undefined;
  attempts?: number;
  outcome?: Outcome;
  cause?: unknown;
};

/** What an error of a class holds beside its message, for `satisfies`: the constructor takes any fields. */
export type FieldsOf<E extends MultilocalError> = ErrorContext & Omit<E, keyof MultilocalError>;

/**
 * Every error that the SDK throws, but for a caller's own abort, which rejects with `signal.reason`.
 *
 * `code` is stable across versions; `message` is for people and may change.
 * @example
 * try {
 *   await client.articles.get(42);
 * } catch (error) {
 *   if (!isMultilocalError(error)) throw error;
 *   console.error(error.code, error.outcome, error.message);
 * }
 */
export class MultilocalError extends Error {
  /** @internal The code of the class; an instance holds those of its ancestors too. */
  static readonly code: string = 'multilocal';

  /** Stable name of the kind of error: `'rate_limit'`, `'not_found'` … */
  readonly code: ErrorCode;
  /** The method that was called: `'articles.confirm'`; `undefined` when no call was made yet. */
  readonly operation: string | undefined;
  /** HTTP method of the route. */
  readonly method: Method | undefined;
  /** Path of the route, as it follows `/api/v2`. */
  readonly path: string | undefined;
  /** How many requests were sent for this call; 0 when nothing left the machine. */
  readonly attempts: number = 0;
  /** Did the write happen? See {@link Outcome}. */
  readonly outcome: Outcome = 'not_applied';

  /** @internal */
  constructor(message: string, { cause, ...fields }: ErrorContext & { [field: string]: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = new.target.code as ErrorCode;
    // Written from the code, since a bundler may have renamed the class.
    const name = `_${this.code}_error`
      .replace('error_error', 'error')
      .replace(/_(.)/g, (_, first) => first.toUpperCase());
    Object.defineProperty(this, 'name', { value: name, configurable: true, writable: true });
    Object.assign(this, fields);
  }

  /** @internal Whether this is an error of the class with that code, or of one that extends it. */
  [BRAND](code: string): boolean {
    let kind = this.constructor as { code?: string };
    while (kind.code && kind.code !== code) kind = Object.getPrototypeOf(kind);
    return kind.code === code;
  }

  /** What a logger should write: the fields above with `name` and `message`, which `JSON.stringify` leaves out. */
  toJSON(): Record<string, unknown> {
    return { name: this.name, message: this.message, ...(this as object) };
  }

  /** @internal */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Object.hasOwn(this, 'code')
      ? isBranded(value) && Object(value)[BRAND](this.code)
      : super[Symbol.hasInstance](value);
  }
}

/** Whether a value is an error of any copy of this SDK. */
export function isBranded(value: unknown): value is MultilocalError {
  return BRAND in Object(value);
}
