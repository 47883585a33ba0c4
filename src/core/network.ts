/** The explanation of a failure: what happened, and what to do about it. */
export interface Why {
  readonly what: string;
  readonly hint: string;
}

const NO_CONNECTION: Why = { what: 'no connection to the service', hint: 'Check `baseUrl` and the network.' };
const UNTRUSTED: Why = {
  what: 'the certificate of the service is not trusted',
  hint: 'Check `baseUrl`, the clock and the certificate authorities of this machine.',
};
const PROXY: Why = {
  what: 'the proxy refused the connection',
  hint: 'Check the proxy of this machine and its credentials.',
};
const REFUSED_STREAM: Why = { what: 'the service did not accept more requests', hint: '' };

/** The properties of an error that prove that the service did nothing with a request. */
interface Proof {
  readonly why: Why;
  /** The system call. Without this pattern, the error must not have one. */
  readonly syscall?: RegExp;
  readonly code: RegExp;
  /** The whole message. Needed if a connection in use may fail with the same code. */
  readonly message?: RegExp;
}

/** Every pattern matches the whole text, because a part of a message may be quoted from a response. */
const PROOFS: readonly Proof[] = [
  // Node: no connection was made. The excluded codes may also come from a connection that broke as soon as it was made.
  { why: NO_CONNECTION, syscall: /^connect$/, code: /^E(?!CONNRESET|CONNABORTED|PIPE)[A-Z]+$/ },
  // Node, Bun: the name does not resolve.
  { why: NO_CONNECTION, syscall: /^(getaddrinfo|query\w+)$/, code: /^E[A-Z_]+$/ },
  // undici, Bun, and libraries that copy the code of a system error without its system call.
  { why: NO_CONNECTION, code: /^(ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/ },
  // Bun: the network or the host is unreachable.
  {
    why: NO_CONNECTION,
    code: /^E(NET|HOST)UNREACH$/,
    message:
      /^E\w+: (Unable to connect\. Is the computer able to access the url|Was there a typo in the url or port)\?$/,
  },
  // Node: the service closed the connection during the TLS handshake.
  {
    why: NO_CONNECTION,
    code: /^ECONNRESET$/,
    message: /^Client network socket disconnected before secure TLS connection was established$/,
  },
  // Node, Bun: the client refused the certificate of the service. undici: the client refused that of the proxy
  // (PRX_TLS). The service's alerts about our certificate (ERR_SSL_…) are no proof: they may arrive after the request
  // was sent.
  { why: UNTRUSTED, code: /^((DEPTH_ZERO_)?SELF_SIGNED_CERT(_IN_CHAIN)?|ERR_TLS_CERT_ALTNAME_\w+|UND_ERR_PRX_TLS)$/ },
  { why: UNTRUSTED, code: /^UNABLE_TO_(GET_ISSUER_CERT(_LOCALLY)?|VERIFY_LEAF_SIGNATURE)$/ },
  {
    why: UNTRUSTED,
    code: /^CERT_(HAS_EXPIRED|NOT_YET_VALID|REVOKED|UNTRUSTED|REJECTED|SIGNATURE_FAILURE|CHAIN_TOO_LONG)$/,
  },
  // undici: the proxy refused the tunnel, closed the connection, or asks for a password (plain HTTP).
  { why: PROXY, code: /^UND_ERR_ABORTED$/, message: /^Proxy response \(\d+\) !== 200 when HTTP Tunneling$/ },
  { why: PROXY, code: /^UND_ERR_PRX_CONN$/, message: /^Proxy Connection failed$/ },
  { why: PROXY, code: /^UND_ERR_INVALID_ARG$/, message: /^Proxy Authentication Required \(407\)$/ },
  // Bun: the proxy refused the tunnel.
  { why: PROXY, code: /^ERR_PROXY_TUNNEL$/, message: /^Proxy refused to open a tunnel: \d{3} .*$/ },
  // Node: HTTP/2 promises that the service did not process the request.
  {
    why: REFUSED_STREAM,
    code: /^ERR_HTTP2_STREAM_ERROR$/,
    message: /^Stream closed with error code NGHTTP2_REFUSED_STREAM$/,
  },
];

const inDeno = (why: string) =>
  new RegExp(`^error sending request for url \\(\\S+\\): client error \\(Connect\\): ${why}$`);

/** Deno: its errors have neither code nor system call, so the whole message is the proof. The first match decides. */
const WORDS: readonly (readonly [message: RegExp, why: Why])[] = [
  [inDeno('invalid peer certificate: .+'), UNTRUSTED],
  [inDeno('(unsuccessful tunnel|unexpected eof while tunneling|proxy authentication required)'), PROXY],
  // No connection, an unknown name, or a failed TLS handshake.
  [inDeno('.+'), NO_CONNECTION],
  [/^stream error received: refused stream before processing any application logic$/, REFUSED_STREAM],
];

/**
 * Explains a failure that proves that the service did nothing with the request. Even a costly write may then be sent
 * again. Returns `undefined` if the request may have arrived. Browsers hide the cause ("Failed to fetch").
 */
export function whyUndone(thrown: unknown): Why | undefined {
  try {
    // A runtime's `fetch` throws a TypeError. The message of another error may be the whole text of a response: a proxy
    // in front of the service may fail with the words of Deno.
    return proofIn(thrown, Object(thrown).name === 'TypeError');
  } catch {
    // The value that a custom `fetch` throws may throw again when it is read.
    return undefined;
  }
}

function proofIn(thrown: unknown, isOfFetch: boolean, depth = 0): Why | undefined {
  if (!isError(thrown) || depth > 4) return undefined;
  const { name, code, syscall, status, statusCode, response, cause, errors } = thrown;
  const own = code || syscall || isOfFetch ? proofOf(thrown) : undefined;
  // Bun adds the status of the proxy, and undici adds how the connection to the proxy ended.
  if (own === PROXY) return own;
  // A response arrived. `errors` of another class may come from a response.
  if ((status ?? statusCode ?? response ?? undefined) !== undefined) return undefined;
  if (errors && !(name === 'AggregateError' && Array.isArray(errors))) return undefined;
  // Every error must be a proof: an error with a code may have another failure as its cause, and one of several
  // addresses may have received the request.
  const inner = [...((errors as unknown[]) || []), ...(cause === undefined ? [] : [cause])];
  const whys = inner.map((error) => proofIn(error, isOfFetch, depth + 1));
  if (!errors && (code || syscall || inner.length === 0)) whys.push(own);
  return whys.every(Boolean) ? whys[0] : undefined;
}

function proofOf({ code, syscall, message }: Record<string, unknown>): Why | undefined {
  if (!code && !syscall) return WORDS.find(([words]) => words.test(`${message}`))?.[1];
  const shows = (pattern: RegExp | undefined, value: unknown) => !pattern || pattern.test(`${value}`);
  return PROOFS.find(
    (proof) =>
      Boolean(proof.syscall) === Boolean(syscall) &&
      shows(proof.syscall, syscall) &&
      shows(proof.code, code) &&
      shows(proof.message, message),
  )?.why;
}

/**
 * Whether a value is an error, also one of another realm, such as Node's errors in Jest. The JSON of a response is
 * never an error.
 */
function isError(value: unknown): value is Record<string, unknown> {
  return value instanceof Error || /^\[object (Error|DOMException)\]$/.test(Object.prototype.toString.call(value));
}

/** Whether the certificate is not trusted. Another attempt would get the same certificate. */
export function isUntrusted(thrown: unknown): boolean {
  return whyUndone(thrown) === UNTRUSTED;
}

/** Globals that only some runtimes have. */
const { process, Deno } = globalThis as {
  process?: { getBuiltinModule?: (name: 'timers') => { setImmediate: (callback: () => void) => void } };
  Deno?: { createHttpClient?: (options: object) => { close(): void } };
};

/** The real timers: a test may have replaced the global ones. */
const timers = process?.getBuiltinModule?.('timers');

/**
 * Lets Node read what has arrived on idle connections. Node then closes a connection with an unrequested response, or
 * one that the service has ended. Without this turn, Node would take an unrequested response for the response to our
 * request (GHSA-35p6-xmwp-9g52, not fixed in Node 20).
 */
export async function readIncoming(): Promise<void> {
  // The first immediate ends the current phase of the event loop, so a whole turn runs before the second.
  for (const _ of [1, 2]) if (timers) await new Promise<void>(timers.setImmediate);
}

/**
 * Opens a separate connection for a request that must not be sent twice. Deno sends any request again by itself if a
 * reused connection breaks.
 */
export function ownConnection(): { close(): void } | undefined {
  return Deno?.createHttpClient?.({ poolMaxIdlePerHost: 0 });
}
