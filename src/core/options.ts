import * as z from 'zod/mini';
import type { Params } from './endpoint.js';
import type { ClientEvent, Listener } from './events.js';
import { type ExtraHeaders, pairsOf } from './headers.js';
import * as s from './schema.js';

/** The options that are passed to `fetch`: all of `RequestInit`, except those that the client sets itself. */
export type FetchOptions = {
  [Name in Exclude<keyof RequestInit, 'method' | 'headers' | 'body' | 'redirect' | 'signal' | 'cache' | 'dispatcher'>]?:
    | RequestInit[Name]
    | undefined;
} & {
  /** How a browser or a framework caches the response. Node's own types do not name it. */
  cache?: 'default' | 'force-cache' | 'no-cache' | 'no-store' | 'only-if-cached' | 'reload' | undefined;
  /** What sends the request in Node: an agent or a proxy of undici. The types of pages do not name it. */
  dispatcher?: object | undefined;
};

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
  /**
   * Parameters that are sent unchecked: those that this version does not know, and new values of known ones. They win over
   * the parameters of the call. Only `dry_run` cannot be contradicted.
   */
  extra?: Readonly<Record<string, unknown>> | undefined;
}

/** Options that every client of the package takes, besides key and address. */
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
   * How to handle a 2xx response that does not match its schema. Default `'throw'`. What a method itself needs of a
   * response, such as the array of a list that is iterated, is always checked.
   */
  validation?: Validation | undefined;
  /**
   * Whether to allow `http:` for any host. Default `false`: the client sends a key only over https, or to this machine.
   * Set it only for trusted networks, such as docker compose or CI, because `http:` sends the key unencrypted.
   * A client without a key does not need it.
   */
  allowHttp?: boolean | undefined;
  /**
   * The `fetch` function: any that resolves to `{ ok, status, headers.get, text() }`, such as that of node-fetch. Default:
   * the global `fetch`, which the client looks up at each call.
   */
  fetch?: typeof globalThis.fetch | undefined;
  /**
   * Options for `fetch` (`cache`, `next`, `dispatcher` …). They cannot change method, headers, body, redirect or
   * signal.
   */
  fetchOptions?: FetchOptions | undefined;
  /**
   * Headers for every request, except `X-API-Key` (use `apiKey`). The client itself adds only headers that the CORS
   * preflight of the articles routes allows, and `Client` in Node, Bun and Deno a `User-Agent`.
   */
  headers?: ExtraHeaders | undefined;
  /**
   * Called for each event of a call. No event contains a key or a body. May be async. Errors and rejections are
   * ignored.
   */
  onEvent?: ((event: ClientEvent) => unknown) | undefined;
}

/** Request options, and options for the SDK's own loops. */
export interface CallOptions extends RequestOptions {
  /** Called before each request is sent. The request waits for it, and is not sent if it fails. */
  onAttempt?: (() => unknown) | undefined;
  /** Gets the events of the call. */
  listener?: Listener | undefined;
  /**
   * The caller is a method of the SDK, which uses only a part of the response: `needs` of the endpoint, or what the method
   * checks itself. Other differences to the documented shape are a `drift` event, and one warning for each operation.
   */
  lenient?: boolean | undefined;
  /** The read tells whether a write happened, so no cache may answer it: not even one that the client's `fetchOptions` ask for. */
  fresh?: boolean | undefined;
}

export const milliseconds = z.optional(
  z.custom<number>((value) => typeof value === 'number' && value > 0, s.must('a number above 0')),
);

/** An `AbortSignal`, even of another realm or library. `null` means no signal, as for `fetch`. */
export const abortSignal = z.nullish(z.custom<AbortSignal>(isSignal, s.must('an AbortSignal')));

/** A `Map` or `URLSearchParams` has no fields to send. */
const plainObject = z.custom<Params>((value) => s.tagOf(value) === 'Object', s.must('an object'));

const requestFields = {
  timeout: milliseconds,
  totalTimeout: milliseconds,
  maxRetries: z.optional(s.int(0)),
  validation: z.optional(s.oneOf(['throw', 'warn', 'off'])),
  fetchOptions: z.optional(plainObject.check(z.check(refuseOwn))),
  headers: z.optional(z.unknown().check(z.check(refuseHeaders))),
};

/** The options of a call. Unknown options are refused, so a misplaced parameter cannot be ignored silently. */
export const requestOptionFields = {
  ...requestFields,
  signal: abortSignal,
  extra: z.optional(plainObject),
  onAttempt: s.aFunction,
  listener: s.aFunction,
  lenient: z.optional(s.boolean),
  fresh: z.optional(s.boolean),
};

export const requestOptionsSchema = s.params(requestOptionFields);

export const requestOptionNames: ReadonlySet<string> = new Set(Object.keys(requestOptionFields));

/** The schemas of {@link BaseOptions}. `config.ts` adds those of key and address. */
export const baseFields = {
  ...requestFields,
  allowHttp: z.optional(s.boolean),
  fetch: s.aFunction,
  onEvent: s.aFunction,
};

function isSignal(value: unknown): boolean {
  const { aborted, addEventListener, throwIfAborted } = Object(value) as Partial<AbortSignal>;
  const hasMethods = typeof addEventListener === 'function' && typeof throwIfAborted === 'function';
  return typeof aborted === 'boolean' && hasMethods;
}

/** Joins the options for `fetch` of a client, its views and a call. The last one wins, unless it is `undefined` or `null`. */
export function fetchOptionsOf(...given: readonly (FetchOptions | undefined)[]): RequestInit {
  return Object.fromEntries(given.flatMap((one = {}) => Object.entries(one)).filter(([, value]) => value != null));
}

const ABSENT = 'must be absent: the client or `fetch` sets it';

/**
 * Refuses options that the client sets itself, because it would ignore them, and options that `fetch` refuses, because the error
 * of `fetch` does not show that nothing was sent.
 */
function refuseOwn({ value, issues }: z.core.ParsePayload<Params>): void {
  const own = ['method', 'headers', 'body', 'redirect', 'signal'].filter((name) => value?.[name] !== undefined);
  issues.push(...own.map((name) => issueOf(ABSENT, value, name)));
  if (own.length > 0) return;
  try {
    new Request('http://a', { ...fetchOptionsOf(value), method: 'PUT' });
  } catch (thrown) {
    issues.push(issueOf(`must be options that \`fetch\` takes (${(thrown as Error).message})`, value));
  }
}

const issueOf = (message: string, input: unknown, ...path: string[]) =>
  ({ code: 'custom', path, message, input }) as const;

/** Headers that describe how a request is sent. A wrong one could cut a body, or is ignored or refused by `fetch`. */
const FRAMING =
  /^((content-length|transfer-encoding|expect|upgrade|te|trailer|keep-alive):|connection:(?!close|keep))/i;

/** Names each header that cannot be sent. The error of `fetch` would repeat its value. */
function refuseHeaders({ value, issues }: z.core.ParsePayload): void {
  const pairs = pairsOf(value);
  if (!pairs) issues.push(issueOf(s.mustBe('an object, `Headers` or pairs of name and value', value), value));
  for (const [name, field] of pairs ?? []) {
    try {
      new Headers().set(name, `${field}`);
      if (FRAMING.test(`${name}:${field}`) && field != null) issues.push(issueOf(ABSENT, value, name));
      // Requests with another key would count toward the budget of this client's key.
      if (/^x-api-key$/i.test(name) && field !== undefined)
        issues.push(issueOf('must lack `X-API-Key`: pass the key as `apiKey`', value));
      else if (field != null && typeof field !== 'string')
        issues.push(issueOf(s.mustBe('a string', field), value, name));
    } catch {
      issues.push(issueOf('has a character that headers cannot hold', value, name));
    }
  }
}
