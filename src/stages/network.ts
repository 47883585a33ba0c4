import type { Call, Once, Stages, Why } from '../core/call.js';

const NO_CONNECTION: Why = { what: 'no connection to the service', hint: 'Check `baseUrl` and the network.' };
const UNTRUSTED: Why = {
  what: 'the certificate of the service is not trusted',
  hint: 'Check `baseUrl`, the clock and the certificate authorities of this machine.',
  isLasting: true,
};

/** A code counts only with its system call, if it has one: a connection in use may fail with the same code. */
const PROOFS: readonly (readonly [why: Why, syscall: RegExp, code: RegExp])[] = [
  // No connection was made. The excluded codes may also come from a connection that broke as soon as it was made.
  [NO_CONNECTION, /^connect$/, /^E(?!CONNRESET|CONNABORTED|PIPE)[A-Z]+$/],
  // The name does not resolve.
  [NO_CONNECTION, /^(getaddrinfo|query\w+)$/, /^E[A-Z_]+$/],
  // undici, Bun, and libraries that copy the code of a system error without its system call.
  [NO_CONNECTION, /^$/, /^(ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/],
  // The client refused the certificate. The service's alerts about our certificate (ERR_SSL_…) are no proof: they may
  // arrive after the request was sent.
  [UNTRUSTED, /^$/, /^((DEPTH_ZERO_)?SELF_SIGNED_CERT(_IN_CHAIN)?|ERR_TLS_CERT_ALTNAME_\w+|UND_ERR_PRX_TLS)$/],
  [UNTRUSTED, /^$/, /^UNABLE_TO_(GET_ISSUER_CERT(_LOCALLY)?|VERIFY_LEAF_SIGNATURE)$/],
  [UNTRUSTED, /^$/, /^CERT_(HAS_EXPIRED|NOT_YET_VALID|REVOKED|UNTRUSTED|REJECTED|SIGNATURE_FAILURE|CHAIN_TOO_LONG)$/],
];

/** Explains a failure if it proves that the service did nothing with the request. A write may then be sent again. */
export function whyUnsent(thrown: unknown): Why | undefined {
  try {
    return proofIn(thrown);
  } catch {
    // The value that a custom `fetch` throws may throw again when it is read.
    return undefined;
  }
}

function proofIn(thrown: unknown, depth = 0): Why | undefined {
  if (!isError(thrown) || depth > 4) return undefined;
  const { name, code, syscall, status, statusCode, response, cause, errors } = thrown;
  // A response arrived. `errors` of another class may come from a response.
  if ((status ?? statusCode ?? response ?? undefined) !== undefined) return undefined;
  if (errors && !(name === 'AggregateError' && Array.isArray(errors))) return undefined;
  // Every error must be a proof: an error with a code may have another failure as its cause, and one of several
  // addresses may have received the request.
  const inner = [...((errors as unknown[]) || []), ...(cause === undefined ? [] : [cause])];
  const whys = inner.map((error) => proofIn(error, depth + 1));
  if (!errors && (code || syscall || inner.length === 0)) {
    whys.push(PROOFS.find((proof) => proof[1].test(`${syscall || ''}`) && proof[2].test(`${code}`))?.[0]);
  }
  return whys.every(Boolean) ? whys[0] : undefined;
}

/** Whether a value is an error, even of another realm (Jest). The JSON of a response is never an error. */
function isError(value: unknown): value is Record<string, unknown> {
  return value instanceof Error || /^\[object (Error|DOMException)\]$/.test(Object.prototype.toString.call(value));
}

/** Whether the certificate is not trusted. Another attempt would get the same certificate. */
export function isUntrusted(thrown: unknown): boolean {
  return whyUnsent(thrown) === UNTRUSTED;
}

interface Timers {
  setImmediate(callback: () => void): void;
}

interface DenoClient {
  close(): void;
}

/** Globals that only some runtimes have. */
const { process, Deno } = globalThis as {
  process?: {
    versions?: { node?: string; undici?: string; bun?: string };
    getBuiltinModule?: (name: 'timers') => Timers | undefined;
  };
  Deno?: { createHttpClient(options: object): DenoClient };
};

/** Set by the build. */
declare const MULTILOCAL_VERSION: string | undefined;
const VERSION = typeof MULTILOCAL_VERSION === 'string' ? MULTILOCAL_VERSION : 'source';

/** Node has undici. Other runtimes that pretend to be Node have not. */
const isServer = Boolean(process?.versions?.undici || process?.versions?.bun || Deno) && !globalThis.window?.document;

/** Headers of every request. Pages must not send them: the service does not allow them in preflights. */
export const ownHeaders = isServer ? { 'User-Agent': `multilocal/${VERSION}` } : {};

/** Taken while the module loads: a test may replace the function of the module too (`node:test`). */
const setImmediate = process?.versions?.node?.startsWith('20.')
  ? process.getBuiltinModule?.('timers')?.setImmediate
  : undefined;

/**
 * Lets Node 20 read what has arrived on idle connections. Node then closes a connection with an unrequested response, or
 * one that the service has ended. Without this turn, Node 20 would take an unrequested response for the response to our
 * request (GHSA-35p6-xmwp-9g52).
 */
async function readIncoming(wait: Timers['setImmediate']): Promise<void> {
  // The first immediate ends the current phase of the event loop, so a whole turn runs before the second.
  for (const _ of [1, 2]) await new Promise<void>(wait);
}

/**
 * Deno sends any request again by itself if a reused connection breaks, so this one gets a connection of its own. Node
 * sends a request again after a 421, unless its body can be read only once. A `fetch` of the caller may not know such
 * bodies.
 */
function sendOnce({ config, headers, request }: Call): Once | undefined {
  if (Deno?.createHttpClient) {
    const client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
    return { defaults: { client }, close: () => client.close() };
  }
  if (!process?.versions?.undici || config.fetch) return undefined;
  const bytes = new TextEncoder().encode(request.body);
  // Node does not know the length of such a body and would send it in chunks.
  headers.set('Content-Length', `${bytes.length}`);
  // Still a text for a replaced `fetch` that does not know async iterables. `fetch` refuses the body with `keepalive`.
  const body = Object.assign(new String(request.body ?? ''), {
    async *[Symbol.asyncIterator]() {
      yield bytes;
    },
  });
  return { init: { body, duplex: 'half', keepalive: false } };
}

/** The stage of a call that knows the `fetch` of servers. */
export const network: NonNullable<Stages['network']> = {
  whyUnsent,
  readIncoming: setImmediate && (() => readIncoming(setImmediate)),
  sendOnce,
};
