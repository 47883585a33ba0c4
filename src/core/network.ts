const UNTRUSTED =
  'the certificate is not trusted; check baseUrl, the clock and the certificate authorities of this machine';

/**
 * What shows that the service did nothing with a request, in the words of Node, undici, Bun and Deno, and what we say then.
 * Each pattern reads the system call (if any), the code (if any) and the message of an error.
 */
const PROOFS: readonly (readonly [shown: RegExp, what: string])[] = [
  // The client's own refusal, before it sends anything. An alert of the service (ERR_SSL_…) may come after the request.
  [/^ (?!ERR_SSL)\S*(CERT|UNABLE_TO|PRX_TLS)|invalid peer cert/, UNTRUSTED],
  [
    /HTTP Tunneling|UND_ERR_PRX_CONN|ERR_PROXY_TUNNEL|\btunnel(ing)?$|proxy authentication/i,
    'the proxy refused the connection; check the proxy and its credentials',
  ],
  // HTTP/2 promises that the request was not processed.
  [/REFUSED_STREAM|refused stream before/, 'the service took no more requests'],
  // What a connection in use may show too counts only if it comes from `connect`; a reset there may come after it.
  [
    /^(connect|getaddrinfo) (?!ECONNRESET)|^(?!read|write)\w* (E?Conn(ection)?Refused|ENOTFOUND|EAI_AGAIN|E(NET|HOST)UNREACH|UND_ERR_CONNECT_TIMEOUT) |before secure TLS|client error \(Connect\)|tcp connect error|dns error|lookup address/i,
    'could not connect; check baseUrl',
  ],
];

/**
 * What to say of a failure which shows that the service did nothing with the request, so that even a costly write may go
 * out again; `undefined` where it may have. Browsers tell nothing ("Failed to fetch").
 */
export function whyUndone(thrown: unknown): string | undefined {
  try {
    return proofIn(thrown);
  } catch {
    // What a custom `fetch` throws may throw again when it is looked at.
    return undefined;
  }
}

function proofIn(thrown: unknown, depth = 0): string | undefined {
  const { syscall = '', code, message, cause, errors } = Object(thrown) as Record<string, unknown>;
  if (depth > 4) return undefined;
  // Several addresses were tried: none may have got further than the others.
  if (Array.isArray(errors) && errors.length > 0) {
    const whys = errors.map((error) => proofIn(error, depth + 1));
    return whys.every(Boolean) ? whys[0] : undefined;
  }
  const hasCode = typeof code === 'string';
  const shown = `${syscall} ${hasCode ? code : ''} ${message}`;
  const why = PROOFS.find(([pattern]) => pattern.test(shown))?.[1];
  return why ?? (hasCode || cause === undefined ? undefined : proofIn(cause, depth + 1));
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
