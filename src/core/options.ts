import type { Except } from 'type-fest';
import * as z from 'zod/mini';
import { ConfigurationError } from './errors/index.js';
import { createRedactor, type Redactor } from './errors/redact.js';
import type { ClientEvent } from './events.js';
import { type ExtraHeaders, joinHeaders } from './headers.js';
import { issuesOf, OPTION_NAMES, printIssues } from './issues.js';
import * as s from './schema.js';
import { EMPTY, IN_QUOTES, QUOTED, readBaseUrl } from './url.js';

/** What may be passed on to `fetch`: everything but what the client decides itself. */
export type FetchOptions = Except<RequestInit, 'method' | 'headers' | 'body' | 'redirect' | 'signal'>;

/** What to do with a 2xx answer that does not have the expected shape. */
export type Validation = 'throw' | 'warn' | 'off';

/** The last argument of every method. */
export interface RequestOptions {
  /**
   * Ends the call, every wait included; the call then rejects with `signal.reason`, which knows no `outcome`: a write that
   * was under way may have happened. The errors of `timeout` and `totalTimeout` say so.
   */
  signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt, the reading of the body included. Overrides the client's. */
  timeout?: number | undefined;
  /** Milliseconds for the whole call: attempts, waits and queueing. */
  totalTimeout?: number | undefined;
  /** How often a failed attempt may be repeated. Overrides the client's. */
  maxRetries?: number | undefined;
  /** Overrides the client's `validation`. */
  validation?: Validation | undefined;
  /** Headers for this call, on top of the client's. `X-API-Key` is refused: a key has a client of its own. */
  headers?: ExtraHeaders | undefined;
  /** Passed to `fetch` for this call, on top of the client's. */
  fetchOptions?: FetchOptions | undefined;
  /** Parameters that this version does not know, sent unchecked. They replace none that it knows. */
  extra?: Readonly<Record<string, unknown>> | undefined;
}

/** A limiter of your own, such as one that several processes share. */
export interface CustomLimiter {
  /** Resolves when the next request may be sent; called before every attempt. */
  acquire(options: { signal?: AbortSignal | undefined }): Promise<void>;
}

/** The budget that a client keeps to. */
export interface RateLimitOptions {
  /** Requests a minute. Default: the identity's `rate_limits`, else 60. A reported limit of 0 or less counts as unknown. */
  perMinute?: number | undefined;
  /** Requests a day. Default: the identity's `rate_limits`, else 1000. A reported limit of 0 or less counts as unknown. */
  perDay?: number | undefined;
  /**
   * A call that would wait longer (ms) fails at once with a `RateLimitError`. Default 600 000. If other calls of the key
   * delay a call that already waits, it fails after this time.
   */
  maxWait?: number | undefined;
}

/** Options that every client of the package takes. */
export interface BaseOptions {
  /** Milliseconds for one attempt, the reading of the body included. Default 30 000; 180 000 where the service calls a provider first. */
  timeout?: number | undefined;
  /** Milliseconds for the whole call: attempts, waits and queueing. Default: none. */
  totalTimeout?: number | undefined;
  /** How often a failed attempt may be repeated. Default 2. Costly writes are repeated only where it is safe. */
  maxRetries?: number | undefined;
  /**
   * The request budget, counted by key and address over all clients of one thread. Other processes, `worker_threads`,
   * cluster workers and browser tabs count for themselves: divide the budget among them, or pass a limiter that they share.
   * `false` switches the limiter off, as tests against the mock should.
   */
  rateLimit?: false | RateLimitOptions | CustomLimiter | undefined;
  /** What to do with an answer of an unexpected shape. Default `'throw'`. */
  validation?: Validation | undefined;
  /**
   * Allow `http:` for any host. Default `false`: without it a key is sent only over https, or to this machine. Set it only
   * for trusted networks, such as those of docker compose or CI, because `http:` sends the key unencrypted. A client
   * without a key does not need it.
   */
  allowHttp?: boolean | undefined;
  /** Default: the global `fetch`, looked up at each call. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Passed to `fetch` (`cache`, `next`, `dispatcher` …). Cannot change method, headers, body, redirect or signal. */
  fetchOptions?: FetchOptions | undefined;
  /** Headers to add to every request, but `X-API-Key` (use `apiKey`). The SDK adds none of its own, which a browser's preflight would refuse. */
  headers?: ExtraHeaders | undefined;
  /** Called for each event of a call. No event contains a key or a body. May be async. Errors and rejections are ignored. */
  onEvent?: ((event: ClientEvent) => unknown) | undefined;
}

/** Request options, and what the SDK's own loops need to know of a call. */
export interface CallOptions extends RequestOptions {
  /** Called for each request that leaves. */
  onAttempt?: (() => void) | undefined;
}

/** Options as calls use them: checked, with their defaults. */
export interface Config extends BaseOptions {
  apiKey: string | undefined;
  redactor: Redactor;
  /** A redactor that knows more secrets than the key. */
  redactorWith(secrets: readonly string[]): Redactor;
  /** Base URL down to and with `/api/v2`. */
  root: string;
  /** Refuse locally what the identity shows to be refused. */
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

/** An `AbortSignal`, of another realm or library too. `null` is what `fetch` takes for none. */
export const abortSignal = z.nullish(z.custom<AbortSignal>(isSignal, s.must('an AbortSignal')));

const requestFields = {
  timeout: milliseconds,
  totalTimeout: milliseconds,
  maxRetries: z.optional(s.int(0)),
  validation: z.optional(s.oneOf(['throw', 'warn', 'off'])),
  fetchOptions: z.optional(s.opaque),
  // Checked here, because the error of `fetch` would repeat a value that it cannot send.
  headers: z.optional(
    z.custom<ExtraHeaders>(areHeaders, 'must be HTTP headers without `X-API-Key` (pass the key as `apiKey`)'),
  ),
};

/** The fields of the options of a call. A parameter that was put among them by mistake would be lost without a word. */
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
  // `readBaseUrl` reads it, because which addresses are allowed depends on the other options.
  baseUrl: s.anything,
  allowHttp: z.optional(s.boolean),
  fetch: aFunction,
  onEvent: aFunction,
  rateLimit: z.optional(
    s.anyOf(
      [
        z.literal(false, s.must('false')),
        z.custom<CustomLimiter>(isCustomLimiter, s.must('{ acquire }')),
        s.params({ perMinute: count, perDay: count, maxWait: z.optional(s.atLeast(0)) }),
      ],
      'false, { acquire } or { perMinute, perDay, maxWait }',
    ),
  ),
});

/** The options that a client was made with. @throws {ConfigurationError} if they are no object: a key alone is easily passed. */
export function optionsOf<Options extends object>(given: Options | null | undefined): Partial<Options> {
  if (given === undefined || given === null || typeof given === 'object') return given ?? {};
  const { error } = s.must('an object such as { apiKey, baseUrl }');
  throw new ConfigurationError(`Invalid client options. The options ${error({ input: given })}.`);
}

/** @throws a {@link ConfigurationError} for what cannot work; the message never repeats a key. */
export function resolveConfig(
  options: BaseOptions,
  apiKey: string | undefined,
  baseUrl: string | undefined,
  preflight = true,
): Config {
  // An environment for tests, such as that of jsdom, may lack them.
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
    throw new ConfigurationError(redactor.mask(`Invalid client options. ${printIssues(issues, 'The options')}`));
  }
  return {
    ...options,
    maxRetries: options.maxRetries ?? 2,
    rateLimit: options.rateLimit ?? {},
    validation: options.validation ?? 'throw',
    apiKey: key,
    root,
    preflight,
    redactor,
    redactorWith: (secrets) => (secrets.length === 0 ? redactor : createRedactor([key, ...secrets])),
  };
}

export function isCustomLimiter(value: unknown): value is CustomLimiter {
  return typeof (value as CustomLimiter | null | undefined)?.acquire === 'function';
}

function isSignal(value: unknown): boolean {
  const { aborted, addEventListener, throwIfAborted } = Object(value) as Partial<AbortSignal>;
  const hasMethods = typeof addEventListener === 'function' && typeof throwIfAborted === 'function';
  return typeof aborted === 'boolean' && hasMethods;
}

function areHeaders(value: unknown): boolean {
  // The fields of a `Headers` are not its properties: nobody would see them.
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Headers) return false;
  try {
    joinHeaders(value as ExtraHeaders);
    // Another key than that of the client would count on the limiter of the client's own.
    return Object.entries(value).every(
      ([name, field]) =>
        field === undefined || ((field === null || typeof field === 'string') && !/^x-api-key$/i.test(name)),
    );
  } catch {
    return false;
  }
}
