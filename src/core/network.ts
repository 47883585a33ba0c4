/** What to say of a failure: what happened, and what to do about it. */
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

/** What an error must show to prove that the service did nothing with a request. */
interface Proof {
  readonly why: Why;
  /** The system call. Without this pattern the error must not name one. */
  readonly syscall?: RegExp;
  readonly code: RegExp;
  /** The whole message, where a connection in use may show the same code. */
  readonly message?: RegExp;
}

/** Every pattern covers the whole text: a part of a message may be quoted from a response. */
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
  // Node: the service closed the connection within the TLS handshake.
  {
    why: NO_CONNECTION,
    code: /^ECONNRESET$/,
    message: /^Client network socket disconnected before secure TLS connection was established$/,
  },
  // Node, Bun: the client refused the certificate. undici: that of the proxy (PRX_TLS).
  // The service's alerts about our certificate (ERR_SSL_…) are no proof: they may come after the request.
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
 * What to say of a failure which proves that the service did nothing with the request, so that even a costly write may
 * be sent again. `undefined` where the request may have arrived. Browsers tell nothing ("Failed to fetch").
 */
export function whyUndone(thrown: unknown): Why | undefined {
  try {
    // A runtime's `fetch` throws a TypeError. The message of another error may be the whole text of a response: a proxy
    // in front of the service may fail with the words of Deno.
    return proofIn(thrown, Object(thrown).name === 'TypeError');
  } catch {
    // What a custom `fetch` throws may throw again when it is read.
    return undefined;
  }
}

function proofIn(thrown: unknown, isOfFetch: boolean, depth = 0): Why | undefined {
  if (!isError(thrown) || depth > 4) return undefined;
  const { name, code, syscall, status, statusCode, response, cause, errors } = thrown;
  const own = code || syscall || isOfFetch ? proofOf(thrown) : undefined;
  // Bun adds the status of the proxy, undici how the connection to the proxy ended.
  if (own === PROXY) return own;
  // A response came. `errors` of another class may be those of a response.
  if ((status ?? statusCode ?? response ?? undefined) !== undefined) return undefined;
  if (errors && !(name === 'AggregateError' && Array.isArray(errors))) return undefined;
  // All must be proof: a code may stand above the cause of another failure, and one of several addresses may have
  // received the request.
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

/** Also of another realm, as the errors of Node are in Jest. The JSON of a response is no error, whatever it holds. */
function isError(value: unknown): value is Record<string, unknown> {
  return value instanceof Error || /^\[object (Error|DOMException)\]$/.test(Object.prototype.toString.call(value));
}

/** Whether the next attempt would meet the same certificate. */
export function isUntrusted(thrown: unknown): boolean {
  return whyUndone(thrown) === UNTRUSTED;
}

/** What runtimes have and the others do not. */
const { process, Deno } = globalThis as {
  process?: { getBuiltinModule?: (name: 'timers') => { setImmediate: (callback: () => void) => void } };
  Deno?: { createHttpClient?: (options: object) => { close(): void } };
};

/** Not the global one, which may be a fake of a test. */
const timers = process?.getBuiltinModule?.('timers');

/**
 * Lets Node read what has arrived on idle connections. An unasked-for response, or the end of the connection, closes it
 * then; written first, our request would be given that response for its own (GHSA-35p6-xmwp-9g52, not fixed in Node 20).
 */
export async function readIncoming(): Promise<void> {
  // The first immediate ends the phase of the event loop that we are in, so a whole turn lies before the second.
  for (const _ of [1, 2]) if (timers) await new Promise<void>(timers.setImmediate);
}

/**
 * A connection of its own, for what may not be sent twice: Deno sends any request again by itself if a connection that was
 * used before breaks.
 */
export function ownConnection(): { close(): void } | undefined {
  return Deno?.createHttpClient?.({ poolMaxIdlePerHost: 0 });
}
