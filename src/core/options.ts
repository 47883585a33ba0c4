import type { Except } from 'type-fest';
import * as z from 'zod/mini';
import { ConfigurationError } from './errors/index.js';
import { createRedactor, type Redactor } from './errors/redact.js';
import type { ClientEvent } from './events.js';
import { type ExtraHeaders, joinHeaders } from './headers.js';
import { issuesOf, OPTION_NAMES, printIssues } from './issues.js';
import { LOG_LEVELS, Log, type Logger, type LogLevel } from './log.js';
import type { RateLimitStore } from './rate-limit-store.js';
import * as s from './schema.js';
import { EMPTY, IN_QUOTES, QUOTED, readBaseUrl } from './url.js';

/** The options that are passed to `fetch`: all of `RequestInit`, except those that the client sets itself. */
export type FetchOptions = Except<RequestInit, 'method' | 'headers' | 'body' | 'redirect' | 'signal'>;

/**
 * How to handle a 2xx response that does not match its schema: throw an error, return it with a `drift` event, or do
 * not check it.
 */
export type Validation = 'throw' | 'warn' | 'off';

/** The last argument of every method. */
export interface RequestOptions {
  /**
   * Ends the call and all its waits. The call then rejects with `signal.reason`, which has no `outcome`: a write that
   * was already sent may have happened. The errors of `timeout` and `totalTimeout` have an `outcome`.
   */
  signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt, including reading the body. Overrides the client's `timeout`. */
  timeout?: number | undefined;
  /** Milliseconds for the whole call: attempts, waits and time in the queue. Overrides the client's `totalTimeout`. */
  totalTimeout?: number | undefined;
  /** Maximum number of retries. Overrides the client's `maxRetries`. */
  maxRetries?: number | undefined;
  /** Overrides the client's `validation`. */
  validation?: Validation | undefined;
  /** Headers for this call, added to the client's. `X-API-Key` is refused: use another client for another key. */
  headers?: ExtraHeaders | undefined;
  /** Options for `fetch` in this call, added to the client's. */
  fetchOptions?: FetchOptions | undefined;
  /** Parameters that this version does not know. They are sent unchecked and never replace a known parameter. */
  extra?: Readonly<Record<string, unknown>> | undefined;
}

/** A limiter of your own, for example one that several processes share. */
export interface CustomLimiter {
  /** Resolves when the next request may be sent. The client calls it before every attempt. */
  acquire(options: { signal?: AbortSignal | undefined }): Promise<void>;
}

/** The request budget of a client. */
export interface RateLimitOptions {
  /** Requests per minute. Default: the identity's `rate_limits`, or 60 if they are unknown, 0 or less. */
  perMinute?: number | undefined;
  /** Requests per day. Default: the identity's `rate_limits`, or 1000 if they are unknown, 0 or less. */
  perDay?: number | undefined;
  /**
   * Maximum wait in ms. A call that would wait longer fails at once with a `RateLimitError`. A call that already waits
   * fails after this time if other calls of the key delay it. Default 600 000.
   */
  maxWait?: number | undefined;
  /**
   * Number of places of the minute that this client leaves to others. Set it for background jobs, so that clients
   * without it, which answer people, need not wait. Default 0. At least one place stays for the client.
   */
  reserve?: number | undefined;
  /**
   * Counts the requests of all processes and machines that use the key, such as `redisStore` from `multilocal/redis`.
   * Default: this thread counts its own requests.
   */
  store?: RateLimitStore | undefined;
  /**
   * What to do if the store fails, which includes a call that takes longer than 2 s. `'local'`: this process counts its
   * own requests, up to the limits divided by `instances`, and asks the store again within 15 s. `'throw'`: calls fail
   * with a `ConnectionError`, and nothing is sent. Default `'local'`.
   */
  onStoreError?: 'local' | 'throw' | undefined;
  /** Number of processes that share the key. It matters only while the store fails. Default 1. */
  instances?: number | undefined;
}

/** Options that every client of the package takes. */
export interface BaseOptions {
  /**
   * Milliseconds for one attempt, including reading the body. Default 30 000, or 180 000 for operations in which the
   * service calls a provider.
   */
  timeout?: number | undefined;
  /** Milliseconds for the whole call: attempts, waits and time in the queue. Default: none. */
  totalTimeout?: number | undefined;
  /** Maximum number of retries. Default 2. A costly write is retried only if it provably did not happen. */
  maxRetries?: number | undefined;
  /**
   * The request budget. All clients of one thread with the same key and address share it. Other processes,
   * `worker_threads`, cluster workers and browser tabs count separately: give them a `store` that they share, or divide
   * the budget among them. `false` switches the limiter off: use it in tests against the mock.
   */
  rateLimit?: false | RateLimitOptions | CustomLimiter | undefined;
  /** How to handle a 2xx response that does not match its schema. Default `'throw'`. */
  validation?: Validation | undefined;
  /**
   * Whether to allow `http:` for any host. Default `false`: the client sends a key only over https, or to this machine.
   * Set it only for trusted networks, such as those of docker compose or CI, because `http:` sends the key unencrypted.
   * A client without a key does not need it.
   */
  allowHttp?: boolean | undefined;
  /** The `fetch` function. Default: the global `fetch`, which the client looks up at each call. */
  fetch?: typeof globalThis.fetch | undefined;
  /**
   * Options for `fetch` (`cache`, `next`, `dispatcher` …). They cannot change method, headers, body, redirect or
   * signal.
   */
  fetchOptions?: FetchOptions | undefined;
  /**
   * Headers for every request, except `X-API-Key` (use `apiKey`). The client itself adds only headers that the CORS
   * preflight of the articles routes allows.
   */
  headers?: ExtraHeaders | undefined;
  /**
   * Receives the client's lines: any object with `error`, `warn`, `info` and `debug`, such as a logger of pino, winston
   * or consola. Default: the global `console`, which the client looks up at each line. No line contains a key, a query,
   * a header or a body.
   */
  logger?: Logger | undefined;
  /**
   * How much the client logs. `'warn'`: waits over 5 s, retries of writes, unexpected responses, failures of `store`.
   * `'info'`: also retries of reads. `'debug'`: also one line for each request. `'error'` and `'off'`: nothing, because
   * the client throws its errors. Default: the environment variable `MULTILOCAL_LOG`, or `'warn'`.
   */
  logLevel?: LogLevel | undefined;
  /**
   * Called for each event of a call. No event contains a key or a body. May be async. Errors and rejections are
   * ignored.
   */
  onEvent?: ((event: ClientEvent) => unknown) | undefined;
}

/** Request options, and an option for the SDK's own loops. */
export interface CallOptions extends RequestOptions {
  /** Called for each request that is sent. */
  onAttempt?: (() => void) | undefined;
}

/** The checked options of a client, with their defaults. */
export interface Config extends BaseOptions {
  apiKey: string | undefined;
  log: Log;
  redactor: Redactor;
  /** Returns a redactor that masks these secrets and the key. */
  redactorWith(secrets: readonly string[]): Redactor;
  /** The base URL, which ends with `/api/v2`. */
  root: string;
  /** Whether to refuse calls locally if the identity shows that the service would refuse them. */
  preflight: boolean;
  maxRetries: number;
  rateLimit: false | RateLimitOptions | CustomLimiter;
  validation: Validation;
}

export const milliseconds = z.optional(
  z.custom<number>((value) => typeof value === 'number' && value > 0, s.must('a number above 0')),
);
const count = z.optional(s.atLeast(1));

export const aFunction = z.optional(
  z.custom<(...args: unknown[]) => unknown>((value) => typeof value === 'function', s.must('a function')),
);

/** An `AbortSignal`, also one of another realm or library. `null` means no signal, as for `fetch`. */
export const abortSignal = z.nullish(z.custom<AbortSignal>(isSignal, s.must('an AbortSignal')));

const requestFields = {
  timeout: milliseconds,
  totalTimeout: milliseconds,
  maxRetries: z.optional(s.int(0)),
  validation: z.optional(s.oneOf(['throw', 'warn', 'off'])),
  fetchOptions: z.optional(s.opaque),
  // Checked here, because the error of `fetch` would repeat an invalid value.
  headers: z.optional(
    z.custom<ExtraHeaders>(areHeaders, 'must be HTTP headers without `X-API-Key` (pass the key as `apiKey`)'),
  ),
};

/** The options of a call. Unknown options are refused, so a misplaced parameter cannot be ignored silently. */
export const requestOptionFields = {
  ...requestFields,
  signal: abortSignal,
  extra: z.optional(s.opaque),
  onAttempt: aFunction,
};

export const requestOptionsSchema = s.params(requestOptionFields);

export const requestOptionNames: ReadonlySet<string> = new Set(Object.keys(requestOptionFields));

const clientOptionsSchema = s.params({
  ...requestFields,
  apiKey: z.optional(
    s.string.check(
      z.refine((key) => key.trim() !== '', EMPTY),
      z.refine((key) => !QUOTED.test(key), IN_QUOTES),
      z.refine((key) => /^\s*[\x21-\x7e]*\s*$/.test(key), 'must be the key only, without spaces or `Bearer`'),
    ),
  ),
  // `readBaseUrl` checks it, because the allowed addresses depend on the other options.
  baseUrl: z.optional(s.anything),
  allowHttp: z.optional(s.boolean),
  fetch: aFunction,
  onEvent: aFunction,
  logger: z.optional(z.custom<Logger>(isLogger, s.must('a logger with error, warn, info and debug'))),
  logLevel: z.optional(s.oneOf(LOG_LEVELS)),
  rateLimit: z.optional(
    s.anyOf(
      [
        z.literal(false, s.must('false')),
        z.custom<CustomLimiter>(isCustomLimiter, s.must('{ acquire }')),
        s.params({
          perMinute: count,
          perDay: count,
          maxWait: z.optional(s.atLeast(0)),
          reserve: z.optional(s.int(0)),
          store: z.optional(z.custom<RateLimitStore>(isStore, s.must('a store, such as redisStore(evalFunction)'))),
          onStoreError: z.optional(s.oneOf(['local', 'throw'])),
          instances: z.optional(s.int(1)),
        }),
      ],
      'false, { acquire } or { perMinute, perDay, maxWait, reserve, store, onStoreError, instances }',
    ),
  ),
});

/**
 * Returns the options of a client.
 * @throws {ConfigurationError} if they are not an object. It is a common mistake to pass only the key.
 */
export function optionsOf<Options extends object>(given: Options | null | undefined): Partial<Options> {
  if (given === undefined || given === null || typeof given === 'object') return given ?? {};
  throw invalidOptions(`The options ${s.mustBe('an object such as { apiKey, baseUrl }', given)}.`);
}

/**
 * Checks the options of a client and adds the defaults.
 * @throws a {@link ConfigurationError} if an option is invalid. The message never contains a key.
 */
export function resolveConfig(
  options: BaseOptions,
  apiKey: string | undefined,
  baseUrl: string | undefined,
  preflight = true,
): Config {
  // Test environments such as jsdom may lack these globals.
  const { Request, AbortSignal } = globalThis as Partial<typeof globalThis>;
  if (!Request || !AbortSignal?.any) {
    const hint = 'For tests in jsdom, use the test environment `node`.';
    throw new ConfigurationError(`This runtime lacks \`Request\` or \`AbortSignal.any\`. ${hint}`);
  }
  const issues = issuesOf(clientOptionsSchema, { ...options, apiKey, baseUrl }, OPTION_NAMES) ?? [];
  const { root, problem } = readBaseUrl(baseUrl, apiKey === undefined || options.allowHttp === true);
  if (problem !== undefined) issues.push({ path: ['baseUrl'], message: problem });
  const key = typeof apiKey === 'string' ? apiKey.trim() : undefined;
  const redactor = createRedactor([key]);
  if (root === undefined || issues.length > 0) {
    throw invalidOptions(redactor.mask(printIssues(issues, 'The options')));
  }
  return {
    ...options,
    maxRetries: options.maxRetries ?? 2,
    rateLimit: options.rateLimit ?? {},
    validation: options.validation ?? 'throw',
    apiKey: key,
    log: new Log(options.logger, options.logLevel),
    root,
    preflight,
    redactor,
    redactorWith: (secrets) => (secrets.length === 0 ? redactor : createRedactor([key, ...secrets])),
  };
}

/** Refuses wrong options of a client without a key. @throws a {@link ConfigurationError} that names them. */
export function checkClientOptions(options: object): void {
  const issues = issuesOf(clientOptionsSchema, options, OPTION_NAMES);
  if (issues) throw invalidOptions(printIssues(issues, 'The options'));
}

/** Refuses wrong options of a view. @throws a {@link ConfigurationError} that names them. */
export function checkViewOptions(options: RequestOptions, redactor: Redactor): void {
  const issues = issuesOf(requestOptionsSchema, options, OPTION_NAMES);
  if (issues) throw invalidOptions(printIssues(redactor.issues(issues), '`options`'));
}

export function invalidOptions(text: string): ConfigurationError {
  return new ConfigurationError(`Invalid client options. ${text}`);
}

export function isCustomLimiter(value: unknown): value is CustomLimiter {
  return typeof (value as CustomLimiter | null | undefined)?.acquire === 'function';
}

function isStore(value: unknown): boolean {
  const { take, settle, hold } = Object(value) as Partial<RateLimitStore>;
  return [take, settle, hold].every((method) => typeof method === 'function');
}

function isLogger(value: unknown): boolean {
  const { error, warn, info, debug } = Object(value) as Partial<Logger>;
  return [error, warn, info, debug].every((method) => typeof method === 'function');
}

function isSignal(value: unknown): boolean {
  const { aborted, addEventListener, throwIfAborted } = Object(value) as Partial<AbortSignal>;
  const hasMethods = typeof addEventListener === 'function' && typeof throwIfAborted === 'function';
  return typeof aborted === 'boolean' && hasMethods;
}

function areHeaders(value: unknown): boolean {
  // The headers of a `Headers` object are not own properties, so they would be ignored silently.
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Headers) return false;
  try {
    joinHeaders(value as ExtraHeaders);
    // Requests with another key would count toward the budget of this client's key.
    return Object.entries(value).every(
      ([name, field]) =>
        field === undefined || ((field === null || typeof field === 'string') && !/^x-api-key$/i.test(name)),
    );
  } catch {
    return false;
  }
}

/** @throws {ConfigurationError} if the id of a view is empty. */
export function checkTarget(name: string, value: string): string {
  const issues = issuesOf(s.text(1), value);
  if (issues) throw new ConfigurationError(printIssues(issues, `\`${name}\``));
  return value;
}
