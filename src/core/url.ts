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

/** Common mistakes in environment files. */
export const EMPTY = 'is empty. Is the environment variable set?';
export const IN_QUOTES = 'is wrapped in quotes. Remove them, for example in the .env file';
export const QUOTED = /^\s*(["'`]).*\1\s*$/;

/** The address that every path is added to, or the reason why the client refuses it. */
type Address = { root: string; problem?: undefined } | { root?: undefined; problem: string };

const LOOPBACK = /^((.+\.)?localhost|\[::1\]|127(\.\d+){3})$/;

/** Whether the address is one of this machine. */
export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.test(hostname);

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
