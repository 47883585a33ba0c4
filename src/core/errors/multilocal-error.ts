import type { Method, Outcome } from '../types.js';

/** Shared by every copy of the package in a process (ESM beside CommonJS, two versions), so that `instanceof` works. */
const BRAND = Symbol.for('multilocal.error');

/** What an error knows about the call that failed. */
export interface ErrorContext {
  operation?: string | undefined;
  method?: Method | undefined;
  path?: string | undefined;
  attempts?: number | undefined;
  outcome?: Outcome | undefined;
  cause?: unknown;
}

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
  readonly code: string;
  /** The method that was called: `'articles.confirm'`; `undefined` when no call was made yet. */
  readonly operation: string | undefined;
  /** HTTP method of the route. */
  readonly method: Method | undefined;
  /** Path of the route, as it follows `/api/v2`. */
  readonly path: string | undefined;
  /** How many requests were sent for this call; 0 when nothing left the machine. */
  readonly attempts: number;
  /** Did the write happen? See {@link Outcome}. */
  readonly outcome: Outcome;

  /** @internal */
  constructor(message: string, context: ErrorContext = {}) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    const codes: string[] = [];
    for (let kind: { code?: string } = new.target; kind.code; kind = Object.getPrototypeOf(kind)) {
      if (Object.hasOwn(kind, 'code')) codes.push(kind.code);
    }
    const code = codes[0] as string;
    hidden(this, BRAND, codes);
    // Written from the code, since a bundler may have renamed the class.
    hidden(this, 'name', `${pascalCase(code.replace(/_error$/, ''))}Error`);
    this.code = code;
    this.operation = context.operation;
    this.method = context.method;
    this.path = context.path;
    this.attempts = context.attempts ?? 0;
    this.outcome = context.outcome ?? 'not_applied';
  }

  /** What a logger should write: the fields above with `name` and `message`, which `JSON.stringify` leaves out. */
  toJSON(): Record<string, unknown> {
    return { name: this.name, message: this.message, ...(this as object) };
  }

  /** @internal */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (!Object.hasOwn(this, 'code')) return Function.prototype[Symbol.hasInstance].call(this, value);
    return brandOf(value)?.includes(this.code) ?? false;
  }
}

/**
 * Tell whether a value is an error of this SDK, without `instanceof`: works across realms and copies of the package.
 * @example if (isMultilocalError(error) && error.code === 'rate_limit') await later(error);
 */
export function isMultilocalError(value: unknown): value is MultilocalError {
  return brandOf(value) !== undefined;
}

function brandOf(value: unknown): string[] | undefined {
  return typeof value === 'object' && value !== null ? (value as { [BRAND]?: string[] })[BRAND] : undefined;
}

function hidden(target: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(target, key, { value, configurable: true, writable: true });
}

function pascalCase(snake: string): string {
  return snake.replace(/(^|_)(.)/g, (_, __, letter: string) => letter.toUpperCase());
}
