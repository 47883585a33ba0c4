import * as z from 'zod/mini';
import { ConfigurationError } from './errors/index.js';
import { headerFields } from './headers.js';
import { issuesOf, type Names, printIssues } from './issues.js';
import { type BaseOptions, baseFields, fetchOptionsOf, type Validation } from './options.js';
import { createRedactor, type Mask, type Redactor } from './redact.js';
import * as s from './schema.js';

/** The checked options of a client, with their defaults. */
export interface Config extends BaseOptions {
  apiKey: string | undefined;
  redactor: Redactor;
  /** Returns a redactor that masks the key and what `hide` masks. */
  redactorWith(hide: Mask): Redactor;
  /** The base URL, which ends with `/api/v2`. */
  root: string;
  maxRetries: number;
  validation: Validation;
}

/** Options as the caller passed them, with the key and the address. */
interface GivenOptions extends BaseOptions {
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
}

/** Common mistakes in environment files. */
const EMPTY = 'is empty. Is the environment variable set?';
const IN_QUOTES = 'is wrapped in quotes. Remove them';
const QUOTED = /^\s*(["'`]).*\1\s*$/;

/** The schemas of the options that every client takes. */
export const optionFields = {
  ...baseFields,
  apiKey: z.optional(
    s.string.check(
      z.refine((key) => key.trim() !== '', EMPTY),
      z.refine((key) => !QUOTED.test(key), IN_QUOTES),
      z.refine((key) => /^\s*[\x21-\x7e]*\s*$/.test(key), 'must be the key only, without spaces or `Bearer`'),
    ),
  ),
  // `readBaseUrl` checks it, because the allowed addresses depend on the other options.
  baseUrl: z.optional(s.anything),
};

/**
 * Returns the options of a client.
 * @throws {ConfigurationError} if they are not an object. It is a common mistake to pass only the key.
 */
export function optionsOf<Options extends object>(given: Options | null | undefined): Partial<Options> {
  if (given === undefined || given === null || typeof given === 'object') return given ?? {};
  throw invalidOptions(`The options ${s.mustBe('an object such as { apiKey, baseUrl }', given)}.`);
}

/** The default of `maxRetries`. */
export const MAX_RETRIES = 2;

/**
 * Checks the options of a client with the schema of that client and adds the defaults.
 * @throws a {@link ConfigurationError} if an option is invalid. The message never contains a key.
 */
export function resolveConfig(options: GivenOptions, schema: s.Schema, names: Names): Config {
  const { apiKey, baseUrl, ...others } = options;
  // Test environments such as jsdom may lack these globals.
  const { Request, AbortSignal } = globalThis as Partial<typeof globalThis>;
  if (!Request || !AbortSignal?.any) {
    const hint = 'For tests in jsdom, use the test environment `node`.';
    throw new ConfigurationError(`This runtime lacks \`Request\` or \`AbortSignal.any\`. ${hint}`);
  }
  const issues = issuesOf(schema, options, names) ?? [];
  const { root, problem } = readBaseUrl(baseUrl, apiKey === undefined || options.allowHttp === true);
  if (problem !== undefined) issues.push({ path: ['baseUrl'], message: problem });
  const key = typeof apiKey === 'string' ? apiKey.trim() : undefined;
  const redactor = createRedactor([key]);
  if (root === undefined || issues.length > 0) {
    throw invalidOptions(redactor.mask(printIssues(issues, 'The options')));
  }
  return {
    ...others,
    // The caller may change the object later.
    headers: headerFields(options.headers),
    fetchOptions: fetchOptionsOf(options.fetchOptions),
    maxRetries: options.maxRetries ?? MAX_RETRIES,
    validation: options.validation ?? 'throw',
    apiKey: key,
    root,
    redactor,
    redactorWith: (hide) => createRedactor([key], hide),
  };
}

export function invalidOptions(text: string): ConfigurationError {
  return new ConfigurationError(`Invalid client options. ${text}`);
}

/** Parses an address. Returns `undefined` if it is invalid. Node 20 has no `URL.parse`. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    // `URL.canParse` does not help: once V8 has optimised the caller, it refuses hosts with letters such as `é` in Node
    // 20.
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** The address that every path is added to, or the reason why the client refuses it. */
type Address = { root: string; problem?: undefined } | { root?: undefined; problem: string };

const LOOPBACK = /^((.+\.)?localhost|\[::1\]|127(\.\d+){3})$/;

/** Whether the address belongs to this machine. */
export const isLoopback = ({ hostname }: Pick<URL, 'hostname'>): boolean => LOOPBACK.test(hostname);

/**
 * Reads a `baseUrl`. In a page it may be relative, but only a path. `api.test` is more likely an address without its
 * scheme, and `//host` would lead to another origin.
 */
export function readBaseUrl(baseUrl: unknown, isHttpAllowed: boolean): Address {
  const text = String(baseUrl);
  if (text.trim() === '') return { problem: EMPTY };
  if (QUOTED.test(text)) return { problem: IN_QUOTES };
  const isPath = /^\.{0,2}\//.test(text);
  const page = isPath ? pageAddress() : undefined;
  const url = parseUrl(text, page?.href);
  if (!url || !/^https?:$/.test(url.protocol) || (page && page.origin !== url.origin)) {
    const problem = 'must be an address that begins with https:// (or http:// for this machine)';
    return { problem: isPath ? `${problem}. A relative address works only in a page` : problem };
  }
  const { protocol, origin, pathname, href } = url;
  if (/[?#]|\/\/[^/]*@/.test(href))
    return { problem: 'must be the address of the service, without credentials, query or fragment' };
  if (protocol === 'http:' && !isHttpAllowed && !isLoopback(url)) {
    const hint = 'Set `allowHttp: true` to allow http:// on a trusted network';
    return { problem: `must begin with https://, because http:// sends the key unencrypted. ${hint}` };
  }
  return { root: `${origin}${pathname.replace(/\/*(\/api\/v2)?\/*$/, '')}/api/v2` };
}

/** Returns the base of relative addresses: the page or its `<base>`, or the script of a worker. */
function pageAddress(): URL | undefined {
  const { document, location } = globalThis as Partial<typeof globalThis>;
  return parseUrl(`${document?.baseURI ?? location?.href}`);
}
