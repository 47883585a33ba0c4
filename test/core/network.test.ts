import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionError } from '../../src/index.js';
import { caught, makeClient } from '../support/clients.js';
import { stubFetch } from '../support/stub-fetch.js';

/** An error as a runtime throws it: what it says, and the fields beside. The next one is its cause. */
type Shape = readonly [message: string, fields?: { code?: string | number; syscall?: string; errors?: Error[] }];

function thrown([shape, ...causes]: readonly Shape[]): Error {
  const [message, fields] = shape ?? ['?'];
  const cause = causes.length > 0 ? { cause: thrown(causes) } : {};
  return Object.assign(new TypeError(message, cause), fields);
}

const node = (...causes: Shape[]): readonly Shape[] => [['fetch failed'], ...causes];
const deno = (what: string): readonly Shape[] =>
  node([`error sending request for url (https://api.test/api/v2/articles/42/publish): ${what}`]);
const system = (syscall: string, code: string): Shape => [`${syscall} ${code} 127.0.0.1:443`, { code, syscall }];
const several = (...shapes: Shape[]): readonly Shape[] =>
  node(['', { code: 'ECONNREFUSED', errors: shapes.map((shape) => thrown([shape])) }]);

// Each as seen in Node 20 to 26, Bun 1.4 or Deno 2.9.
const UNSENT: Record<string, readonly Shape[]> = {
  'no network (Node)': node(system('connect', 'ENETUNREACH')),
  'no network (Bun)': [['ENETUNREACH: Was there a typo in the url or port?', { code: 'ENETUNREACH' }]],
  'no network (Deno)': deno('client error (Connect): tcp connect error: Network is unreachable (os error 101)'),
  'no route to the host': node(system('connect', 'EHOSTUNREACH')),
  'no response to the first packet': node(system('connect', 'ETIMEDOUT')),
  'no permission to connect': node(system('connect', 'EACCES')),
  'a resolver that fails': node(system('getaddrinfo', 'EAI_FAIL')),
  'a resolver of its own that finds no name': node(system('queryA', 'ENOTFOUND')),
  'refused on one address, unreachable on the other': several(
    system('connect', 'ECONNREFUSED'),
    system('connect', 'ENETUNREACH'),
  ),
  'no response on one address, no route to the other': several(
    system('connect', 'ETIMEDOUT'),
    system('connect', 'EHOSTUNREACH'),
  ),
  'closed within the handshake (Node)': node([
    'Client network socket disconnected before secure TLS connection was established',
    { code: 'ECONNRESET' },
  ]),
  'closed within the handshake (Deno)': deno('client error (Connect): tls handshake eof'),
  'reset within the handshake (Deno)': deno('client error (Connect): Connection reset by peer (os error 104)'),
  'a stream that the service did not process (Node)': node([
    'Stream closed with error code NGHTTP2_REFUSED_STREAM',
    { code: 'ERR_HTTP2_STREAM_ERROR' },
  ]),
  'a stream that the service did not process (Deno)': node([
    'stream error received: refused stream before processing any application logic',
  ]),
};

const PROXY: Record<string, readonly Shape[]> = {
  'a proxy that refuses the tunnel (Node)': node(
    ['Request was cancelled.', { code: 0 }],
    ['Proxy response (407) !== 200 when HTTP Tunneling', { code: 'UND_ERR_ABORTED' }],
  ),
  'a proxy that closes the connection (Node 26)': node(
    ['Proxy Connection failed', { code: 'UND_ERR_PRX_CONN' }],
    ['other side closed', { code: 'UND_ERR_SOCKET' }],
  ),
  'a proxy that wants to be paid for plain http (Node 26)': node([
    'Proxy Authentication Required (407)',
    { code: 'UND_ERR_INVALID_ARG' },
  ]),
  'a proxy that refuses the tunnel (Bun)': [
    ['Proxy refused to open a tunnel: 403 Forbidden', { code: 'ERR_PROXY_TUNNEL' }],
  ],
  'a proxy that refuses the tunnel (Deno)': deno('client error (Connect): unsuccessful tunnel'),
  'a proxy that wants a password (Deno)': deno('client error (Connect): proxy authentication required'),
};

const UNTRUSTED: Record<string, readonly Shape[]> = {
  'self-signed (Node)': node(['self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }]),
  'self-signed in the chain': node(['self-signed certificate in chain', { code: 'SELF_SIGNED_CERT_IN_CHAIN' }]),
  'of an unknown issuer': node(['unable to get issuer', { code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY' }]),
  'without its chain': node(['unable to verify', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }]),
  expired: node(['certificate has expired', { code: 'CERT_HAS_EXPIRED' }]),
  'of another host (Node)': node([
    "Hostname/IP does not match certificate's altnames",
    { code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
  ]),
  'of another host, of a proxy': node(
    ['Secure Proxy Connection failed', { code: 'UND_ERR_PRX_TLS' }],
    ["Hostname/IP does not match certificate's altnames", { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }],
  ),
  'self-signed (Bun)': [['self signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }]],
  'of another host (Bun)': [
    ['ERR_TLS_CERT_ALTNAME_INVALID fetching "https://api.test/"', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }],
  ],
  'any (Deno)': deno('client error (Connect): invalid peer certificate: certificate expired: verification time'),
};

const UNKNOWN: Record<string, readonly Shape[]> = {
  'a connection that is reset as soon as it is made': node(system('connect', 'ECONNRESET')),
  'no route any more while it waits': node(system('read', 'EHOSTUNREACH')),
  'no network any more while it waits': node(system('read', 'ENETUNREACH')),
  'no packet acknowledged any more': node(system('read', 'ETIMEDOUT')),
  'a refusal by ICMP while it writes': node(system('write', 'ECONNREFUSED')),
  'refused on one address, broken on the other': several(
    system('connect', 'ECONNREFUSED'),
    system('read', 'ECONNRESET'),
  ),
  'reset while it is made, or as the first bytes leave': node(system('connect', 'ECONNRESET')),
  'an alert that may come after the request: the service wants a certificate': node([
    'tlsv13 alert certificate required',
    { code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' },
  ]),
  'the same in Bun, where it looks like any failed handshake': [['The TLS handshake failed.', { code: 'EPROTO' }]],
  'the same in Deno': node(['received fatal alert: CertificateRequired']),
  'a stream that was cancelled': node(['Stream closed with error code NGHTTP2_CANCEL', { code: 'UND_ERR_INFO' }]),
  'a connection that the service leaves': node([
    'HTTP/2: "GOAWAY" frame received with code 0',
    { code: 'UND_ERR_SOCKET' },
  ]),
  'no connection to the next hop (Deno)': deno('client error (SendRequest): connection closed'),
  'nothing at all': [],
};

beforeEach(() => {
  vi.useFakeTimers();
  return () => void vi.useRealTimers();
});

/** A costly write that always fails like this. */
async function publish(shapes: readonly Shape[]) {
  const fetch = stubFetch(() => {
    throw thrown(shapes);
  });
  const failed = caught(makeClient({ fetch }).articles.publish(42), ConnectionError);
  await vi.runAllTimersAsync();
  return { error: await failed, sent: fetch.calls.length };
}

const rows = Object.entries;

describe('a costly write that met', () => {
  it.each(rows(UNSENT))('%s: is retried, and was not carried out', async (_, shapes) => {
    const { error, sent } = await publish(shapes);
    expect({ outcome: error.outcome, attempts: error.attempts, sent }).toEqual({
      outcome: 'not_applied',
      attempts: 3,
      sent: 3,
    });
  });

  it.each(rows(PROXY))('%s: is retried, was not carried out, and the proxy is to be checked', async (_, shapes) => {
    const { error } = await publish(shapes);
    expect(error).toMatchObject({ outcome: 'not_applied', attempts: 3 });
    expect(error.message).toContain('the proxy refused the connection; check the proxy');
  });

  it.each(rows(UNKNOWN))('%s: is sent once, its outcome unknown', async (_, shapes) => {
    expect((await publish(shapes)).error).toMatchObject({ outcome: 'unknown', attempts: 1 });
  });
});

describe('a certificate that is', () => {
  it.each(rows(UNTRUSTED))(
    '%s: was not carried out, is not retried in vain, and says what to check',
    async (_, shapes) => {
      const { error } = await publish(shapes);
      expect(error).toMatchObject({ outcome: 'not_applied', attempts: 1 });
      expect(error.message).toContain('the certificate is not trusted; check baseUrl, the clock');
    },
  );

  it('refused when an article is waited for: the wait ends at once', async () => {
    const fetch = stubFetch(() => {
      throw thrown(UNTRUSTED.expired ?? []);
    });
    const failed = caught(makeClient({ fetch }).articles.waitUntilWritten(42), ConnectionError);
    await vi.runAllTimersAsync();
    expect((await failed).outcome).toBe('not_applied');
    expect(fetch.calls).toHaveLength(1);
  });
});
