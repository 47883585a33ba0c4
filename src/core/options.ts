import { ConfigurationError } from './errors/index.js';
import type { ClientEvent } from './events.js';
import { joinHeaders } from './headers.js';
import { issuesOf, printIssues } from './issues.js';
import { orUndefined } from './or-undefined.js';
import {
  anyOf,
  anything,
  int,
  maybe,
  oneOf,
  opaque,
  optional,
  record,
  type Schema,
  strictObject,
  string,
  where,
} from './schema.js';
import { createRedactor, type Redactor } from './secrets.js';

/** What may be passed on to `fetch`: everything but what the client decides itself. */
export type FetchOptions = Omit<RequestInit, 'method' | 'headers' | 'body' | 'redirect' | 'signal'>;

/** What to do with a 2xx answer that does not have the expected shape. */
export type Validation = 'throw' | 'warn' | 'off';

/** Headers to add; `null` or `undefined` adds none. */
export type ExtraHeaders = Readonly<Record<string, string | null | undefined>>;

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
  /**
   * The request budget, counted by key and address over all clients of the process; `false` switches the limiter off, as
   * tests against the mock should.
   */
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
export interface Config extends BaseOptions {
  apiKey: string | undefined;
  redactor: Redactor;
  /** Base URL down to and with `/api/v2`. */
  root: string;
  maxRetries: number;
  rateLimit: false | RateLimitOptions | CustomLimiter;
  validation: Validation;
}

/** A number; Infinity is welcome, and so is half a millisecond. */
// @__NO_SIDE_EFFECTS__
function from(min: number, what: string): Schema {
  return optional(where(anything, [(value) => typeof value === 'number' && value >= min, `a number ${what}`]));
}

export const milliseconds = /* @__PURE__ */ from(Number.MIN_VALUE, 'above 0');
const count = /* @__PURE__ */ from(1, 'from 1');
const aFunction = /* @__PURE__ */ optional(
  /* @__PURE__ */ where(anything, [(value) => typeof value === 'function', 'a function']),
);

const requestOptions = {
  timeout: milliseconds,
  totalTimeout: milliseconds,
  maxRetries: /* @__PURE__ */ optional(/* @__PURE__ */ int(0)),
  validation: /* @__PURE__ */ optional(/* @__PURE__ */ oneOf('throw', 'warn', 'off')),
  fetchOptions: /* @__PURE__ */ optional(opaque),
  headers: /* @__PURE__ */ optional(
    // Looked at beforehand because `fetch` repeats what it cannot send in its own error.
    /* @__PURE__ */ where(/* @__PURE__ */ record(/* @__PURE__ */ maybe(string)), [
      (headers) => Boolean(orUndefined(() => joinHeaders(headers))),
      'HTTP headers',
    ]),
  ),
};

export const unchecked: Schema = /* @__PURE__ */ optional(anything);

/** What the options of a call must be. A parameter that was put among them by mistake would be lost without a word. */
export const requestOptionsSchema: Schema = /* @__PURE__ */ strictObject({
  ...requestOptions,
  signal: unchecked,
  extra: unchecked,
  onAttempt: unchecked,
});

const clientOptionsSchema = /* @__PURE__ */ strictObject({
  ...requestOptions,
  apiKey: /* @__PURE__ */ optional(
    /* @__PURE__ */ where(string, [(key) => /^\s*[\x21-\x7e]+\s*$/.test(key), 'the key without spaces or `Bearer`']),
  ),
  baseUrl: /* @__PURE__ */ where(anything, [
    (baseUrl) => Boolean(rootOf(baseUrl)),
    'https:// (http:// on loopback) without credentials, query or fragment',
  ]),
  fetch: aFunction,
  onEvent: aFunction,
  rateLimit: /* @__PURE__ */ optional(
    /* @__PURE__ */ anyOf(
      /* @__PURE__ */ oneOf(false),
      /* @__PURE__ */ where(anything, [isCustomLimiter, '{ acquire }']),
      /* @__PURE__ */ strictObject({
        perMinute: count,
        perDay: count,
        maxWait: /* @__PURE__ */ from(0, 'from 0'),
      }),
    ),
  ),
});

/** @throws a {@link ConfigurationError} for what cannot work; the message never repeats a key. */
export function resolveConfig(options: BaseOptions, apiKey: string | undefined, baseUrl: string | undefined): Config {
  const issues = issuesOf(clientOptionsSchema, { ...options, apiKey, baseUrl });
  if (issues) throw new ConfigurationError(`Options: ${printIssues(issues)}`);
  const key = apiKey?.trim();
  return {
    ...options,
    maxRetries: options.maxRetries ?? 2,
    rateLimit: options.rateLimit ?? {},
    validation: options.validation ?? 'throw',
    apiKey: key,
    root: rootOf(baseUrl) as string,
    redactor: createRedactor([key]),
  };
}

export function isCustomLimiter(value: unknown): value is CustomLimiter {
  return typeof (value as CustomLimiter | null | undefined)?.acquire === 'function';
}

/** The address below which every path stands; `undefined` where the key must not go. */
function rootOf(baseUrl: unknown): string | undefined {
  return orUndefined(() => {
    const { protocol, hostname, origin, pathname, href } = new URL(String(baseUrl));
    const isLoopback = /^((.+\.)?localhost|\[::1\]|127(\.\d+){3})$/.test(hostname);
    const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback);
    if (!isSafe || /[?#]|\/\/[^/]*@/.test(href)) return undefined;
    return `${origin}${pathname.replace(/\/*(\/api\/v2)?\/*$/, '')}/api/v2`;
  });
}
