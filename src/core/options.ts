import { ConfigurationError } from './errors/index.js';
import type { ClientEvent } from './events.js';
import type { Limits } from './limiter.js';
import { createRedactor, type Redactor } from './secrets.js';
import type { FetchOptions } from './transport.js';

/** What to do with a 2xx answer that does not have the expected shape. */
export type Validation = 'throw' | 'warn' | 'off';

/** Headers to add; `null` or `undefined` adds none. */
export type ExtraHeaders = Readonly<Record<string, string | null | undefined>>;

/** The last argument of every method. */
export interface RequestOptions {
  /** Ends the call, every wait included; the call then rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt, the reading of the body included. Overrides the client's. */
  timeout?: number | undefined;
  /** Milliseconds for the whole call: attempts, waits and queueing. */
  totalTimeout?: number | undefined;
  /** How often a failed attempt may be repeated. Overrides the client's. */
  maxRetries?: number | undefined;
  /** Overrides the client's `validation`. */
  validation?: Validation | undefined;
  /** Headers for this call, on top of the client's. */
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
  /** Requests a minute. Default: the identity's `rate_limits`, else 60. */
  perMinute?: number | undefined;
  /** Requests a day. Default: the identity's `rate_limits`, else 1000. */
  perDay?: number | undefined;
  /** A call that would wait longer (ms) fails at once with a `RateLimitError`. Default 600 000. */
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
  /** The request budget; `false` switches the limiter off. */
  rateLimit?: false | RateLimitOptions | CustomLimiter | undefined;
  /** What to do with an answer of an unexpected shape. Default `'throw'`. */
  validation?: Validation | undefined;
  /** Default: the global `fetch`, looked up at each call. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Passed to `fetch` (`cache`, `next`, `dispatcher` …). Cannot change method, headers, body, redirect or signal. */
  fetchOptions?: FetchOptions | undefined;
  /** Headers to add to every request. The SDK adds none of its own, which a browser's preflight would refuse. */
  headers?: ExtraHeaders | undefined;
  /** Told what happens; holds neither key nor body. What it throws is swallowed. */
  onEvent?: ((event: ClientEvent) => void) | undefined;
}

/** Options as `send` uses them: checked, with their defaults. */
export interface Config {
  apiKey: string | undefined;
  redactor: Redactor;
  /** Base URL down to and with `/api/v2`. */
  root: string;
  timeout: number | undefined;
  totalTimeout: number | undefined;
  maxRetries: number;
  rateLimit: false | RateLimitOptions | CustomLimiter;
  validation: Validation;
  fetch: typeof globalThis.fetch | undefined;
  fetchOptions: FetchOptions;
  headers: ExtraHeaders;
  onEvent: ((event: ClientEvent) => void) | undefined;
}

export const DEFAULT_LIMITS: Limits = { perMinute: 60, perDay: 1000, maxWait: 600_000 };

/** @throws {ConfigurationError} for what cannot work; the message never repeats a key. */
export function resolveConfig(options: BaseOptions, apiKey: string | undefined, baseUrl: string | undefined): Config {
  const { rateLimit = {}, validation = 'throw', maxRetries = 2 } = options;
  checkRequestOptions(options, (message) => new ConfigurationError(message));
  if (rateLimit !== false && !isCustomLimiter(rateLimit)) {
    if (typeof rateLimit !== 'object' || rateLimit === null) {
      throw new ConfigurationError('`rateLimit` must be false, an object of limits, or an object with `acquire`.');
    }
    for (const name of ['perMinute', 'perDay', 'maxWait'] as const) {
      const value = rateLimit[name];
      const least = name === 'maxWait' ? 0 : 1;
      if (value !== undefined && !(typeof value === 'number' && value >= least)) {
        throw new ConfigurationError(`\`rateLimit.${name}\` must be a number, ${least} or more.`);
      }
    }
  }
  for (const [name, type] of Object.entries({ fetch: 'function', onEvent: 'function', fetchOptions: 'object' })) {
    const value = options[name as 'fetch' | 'onEvent' | 'fetchOptions'];
    if (value !== undefined && (typeof value !== type || value === null)) {
      throw new ConfigurationError(`\`${name}\` must be ${type === 'object' ? 'an object' : 'a function'}.`);
    }
  }
  const key = apiKey === undefined ? undefined : checkKey(apiKey);
  return {
    apiKey: key,
    redactor: createRedactor(key === undefined ? [] : [key]),
    root: rootOf(baseUrl),
    timeout: options.timeout,
    totalTimeout: options.totalTimeout,
    maxRetries,
    rateLimit,
    validation,
    fetch: options.fetch,
    fetchOptions: options.fetchOptions ?? {},
    headers: options.headers ?? {},
    onEvent: options.onEvent,
  };
}

export function isCustomLimiter(value: unknown): value is CustomLimiter {
  return typeof (value as CustomLimiter | null | undefined)?.acquire === 'function';
}

/** Check what client options and request options have in common; a header's value is never repeated. */
export function checkRequestOptions(
  { timeout, totalTimeout, maxRetries, validation, headers }: Omit<RequestOptions, 'signal' | 'extra'>,
  fault: (message: string) => Error,
): void {
  for (const [name, value] of Object.entries({ timeout, totalTimeout })) {
    if (value !== undefined && !(typeof value === 'number' && value > 0)) {
      throw fault(`\`${name}\` must be a number of milliseconds above 0.`);
    }
  }
  if (maxRetries !== undefined && !(Number.isSafeInteger(maxRetries) && maxRetries >= 0)) {
    throw fault('`maxRetries` must be an integer, 0 or more.');
  }
  if (validation !== undefined && !['throw', 'warn', 'off'].includes(validation)) {
    throw fault("`validation` must be 'throw', 'warn' or 'off'.");
  }
  if (headers !== undefined && (typeof headers !== 'object' || headers === null)) {
    throw fault('`headers` must be an object of names and values.');
  }
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw fault('`headers` holds a name that no HTTP header can have.');
    if (value != null && !isHeaderValue(value)) {
      throw fault(`\`headers\` holds a value for ${name} that no HTTP header can have.`);
    }
  }
}

/** Printable Latin-1 without line ends: what `fetch` takes, and repeats in its own error when it does not. */
function isHeaderValue(value: unknown): boolean {
  return typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

function checkKey(apiKey: string): string {
  const key = typeof apiKey === 'string' ? apiKey.trim() : '';
  if (key === '') throw new ConfigurationError('`apiKey` is empty. Create a key in the account settings.');
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new ConfigurationError(
      '`apiKey` holds a character that no HTTP header can carry (a space, a line end, or one outside ASCII). Copy it again.',
    );
  }
  return key;
}

/** The address of the service below which every path stands. */
function rootOf(baseUrl: string | undefined): string {
  if (!baseUrl)
    throw new ConfigurationError('`baseUrl` is missing: the address of the service, such as https://api.example.com.');
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw new ConfigurationError('`baseUrl` is not an absolute URL, such as https://api.example.com.');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new ConfigurationError('`baseUrl` must hold no credentials, query or fragment.');
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new ConfigurationError(
      '`baseUrl` must begin with https:// (http:// is for loopback hosts alone), so that the key travels encrypted.',
    );
  }
  const path = url.pathname
    .replace(/\/+$/, '')
    .replace(/\/api\/v2$/, '')
    .replace(/\/+$/, '');
  return `${url.origin}${path}/api/v2`;
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d+){3}$/.test(hostname)
  );
}
