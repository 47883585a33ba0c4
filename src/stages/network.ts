import type { Call, SendOnceOptions, Stages, UnsentReason } from '../core/call.js';

const NO_CONNECTION: UnsentReason = { what: 'no connection to the service', hint: 'Check `baseUrl` and the network.' };
const UNTRUSTED: UnsentReason = {
  what: 'the certificate of the service is not trusted',
  hint: 'Check `baseUrl`, the clock and the certificate authorities of this machine.',
  isPermanent: true,
};

const FOREIGN: UnsentReason = {
  what: '`fetch` does not work with its `dispatcher`',
  hint: 'Pass one of the same undici as `fetch`.',
  isPermanent: true,
};

/** A code counts only with its system call, if it has one: a connection in use may fail with the same code. */
const PROOFS: readonly (readonly [why: UnsentReason, syscall: RegExp, code: RegExp, message?: RegExp])[] = [
  // No connection was made. The excluded codes may also come from a connection that broke as soon as it was made.
  [NO_CONNECTION, /^connect$/, /^E(?!CONNRESET|CONNABORTED|PIPE)[A-Z]+$/],
  // The name does not resolve.
  [NO_CONNECTION, /^(getaddrinfo|query\w+)$/, /^E[A-Z_]+$/],
  // undici, Bun, and libraries that copy the code of a system error without its system call.
  [NO_CONNECTION, /^$/, /^(ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/],
  // The client refused the certificate: codes of OpenSSL, Node and undici. The service's alerts about our certificate
  // (ERR_SSL_…) are no proof: they may arrive after the request was sent.
  [UNTRUSTED, /^$/, /^((CERT|UNABLE_TO|(DEPTH_ZERO_)?SELF_SIGNED_CERT)[A-Z_]*|ERR_TLS_CERT_\w+|UND_ERR_PRX_TLS)$/],
  // undici looks at what it gets before it sends anything. The same code with another message may come from a redirect.
  [FOREIGN, /^$/, /^UND_ERR_INVALID_ARG$/, /^invalid on\w+ method$/],
];

/** Explains a failure if it proves that the service did nothing with the request. A write may then be sent again. */
export function whyUnsent(thrown: unknown): UnsentReason | undefined {
  try {
    return proofIn(thrown);
  } catch {
    // The value that a custom `fetch` throws may throw again when it is read.
    return undefined;
  }
}

function proofIn(thrown: unknown, depth = 0): UnsentReason | undefined {
  if (!isError(thrown) || depth > 4) return undefined;
  const { name, message, code, syscall, status, statusCode, response, cause, errors } = thrown;
  // A response arrived. `errors` of another class may come from a response.
  if ((status ?? statusCode ?? response ?? undefined) !== undefined) return undefined;
  if (errors && !(name === 'AggregateError' && Array.isArray(errors))) return undefined;
  // Every error must be a proof: an error with a code may have another failure as its cause, and one of several
  // addresses may have received the request.
  const inner = [...((errors as unknown[]) || []), ...(cause === undefined ? [] : [cause])];
  const whys = inner.map((error) => proofIn(error, depth + 1));
  if (!errors && (code || syscall || inner.length === 0)) {
    const isProof = ([, call, one, text = /^/]: (typeof PROOFS)[number]) =>
      call.test(`${syscall || ''}`) && one.test(`${code}`) && text.test(`${message}`);
    whys.push(PROOFS.find(isProof)?.[0]);
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
export const ownHeaders = isServer ? { 'user-agent': `multilocal/${VERSION}` } : {};

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

/** What a `fetch` of undici sends requests with. */
interface Dispatcher {
  dispatch(options: object, handler: object): boolean;
  readonly isMockActive?: boolean;
}

/** Where undici keeps the dispatcher of all requests, before version 8 and since. */
const PLACES = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));

/**
 * Makes a request leave only once, where `fetch` would send it again by itself. Deno and Bun before 1.3.12 do so with any
 * request if a reused connection breaks, so a costly write gets a connection of its own. Node does so after a 421.
 */
function sendOnce(call: Call): SendOnceOptions | undefined {
  const { repeatable, config, fetchOptions } = call;
  if (Deno?.createHttpClient && !repeatable) {
    const client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
    return { defaults: { client }, close: () => client.close() };
  }
  const { undici = '', bun } = process?.versions ?? {};
  if (bun && !repeatable) return { init: { keepalive: false } };
  const { fetch } = globalThis;
  if (!undici || (config.fetch ?? fetch) !== fetch || !IS_NODES.test(`${fetch}`)) return undefined;
  const given = (fetchOptions as { dispatcher?: Dispatcher }).dispatcher;
  const [old, current] = PLACES.map((place) => (globalThis as { [place: symbol]: Dispatcher | undefined })[place]);
  // Mocks of undici compare the body.
  if ((given ? [given] : [old, current]).some((dispatcher) => dispatcher?.isMockActive)) return undefined;
  if (!repeatable) return { init: onceReadable(call) };
  // Later versions may pass a dispatcher what it does not understand.
  const version = Number.parseInt(undici, 10);
  return dispatchOnce(given ?? (version < 8 ? old : version === 8 ? current : undefined));
}

/** The `fetch` of Node loads undici. Those of frameworks, libraries and tests in its place get what every `fetch` takes. */
const IS_NODES = /\bundici\b/;

/** A body that can be read only once, so that `fetch` cannot send it again. This works with every version of undici. */
function onceReadable({ headers, request }: Call): object {
  const bytes = new TextEncoder().encode(request.body);
  // Node does not know the length of such a body and would send it in chunks.
  headers.set('Content-Length', `${bytes.length}`);
  const body = {
    async *[Symbol.asyncIterator]() {
      yield bytes;
    },
  };
  // `fetch` refuses the body with `keepalive`.
  return { body, duplex: 'half', keepalive: false };
}

/** Refuses the second request. The limiter has not counted it, and most requests that may be repeated have no body. */
function dispatchOnce(dispatcher: Dispatcher | undefined): SendOnceOptions | undefined {
  if (!dispatcher) return undefined;
  let requests = 0;
  const dispatch: Dispatcher['dispatch'] = (...request) => {
    if (++requests > 1) throw new Error();
    return dispatcher.dispatch(...request);
  };
  const fetch: typeof globalThis.fetch = async (url, init) => {
    try {
      return await globalThis.fetch(url, Object.assign({}, init, { dispatcher: { dispatch } }));
    } catch (thrown) {
      // Node forgets the response after which it wanted to send the request again.
      if (requests > 1) return new Response(null, { status: 421 });
      throw thrown;
    }
  };
  return { fetch };
}

/** The stage of a call that knows the `fetch` of servers. */
export const network: NonNullable<Stages['network']> = {
  whyUnsent,
  readIncoming: setImmediate && (() => readIncoming(setImmediate)),
  sendOnce,
};
