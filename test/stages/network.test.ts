import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { type Client, ConnectionError } from '../../src/index.js';
import { isUntrusted, whyUnsent } from '../../src/stages/network.js';
import { caught, makeClient } from '../support/clients.js';
import { stubFetch } from '../support/stub-fetch.js';

/** An error as a runtime throws it: what it says, and the fields beside. The next one is its cause. */
type Shape = readonly [message: string, fields?: Fields];
type Fields = { code?: string | number; syscall?: string; errors?: Error[]; status?: number };

function thrown([shape, ...causes]: readonly Shape[]): Error {
  const [message, fields] = shape ?? ['?'];
  const cause = causes.length > 0 ? { cause: thrown(causes) } : {};
  const { errors, ...others } = fields ?? {};
  return Object.assign(errors ? new AggregateError(errors, message, cause) : new TypeError(message, cause), others);
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
  'a refusal (Bun)': [
    ['ECONNREFUSED: Unable to connect. Is the computer able to access the url?', { code: 'ECONNREFUSED' }],
  ],
  'an unknown name (Bun)': [['getaddrinfo ENOTFOUND nothing.invalid', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }]],
  'a library that copies the code of the system error': [
    ['connect ECONNREFUSED 127.0.0.1:443', { code: 'ECONNREFUSED' }],
    system('connect', 'ECONNREFUSED'),
  ],
  'no route to the host': node(system('connect', 'EHOSTUNREACH')),
  'no response to the first packet': node(system('connect', 'ETIMEDOUT')),
  'no permission to connect': node(system('connect', 'EACCES')),
  'a resolver that fails': node(system('getaddrinfo', 'EAI_FAIL')),
  'a resolver of its own that finds no name': node(system('queryA', 'ENOTFOUND')),
  'refused on one address, unreachable on the other': several(
    system('connect', 'ECONNREFUSED'),
    system('connect', 'ENETUNREACH'),
  ),
};

const alt = { code: 'ERR_TLS_CERT_ALTNAME_INVALID' };
const UNTRUSTED: Record<string, readonly Shape[]> = {
  'self-signed (Node)': node(['self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }]),
  'of an unknown issuer': node(['unable to get issuer', { code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY' }]),
  expired: node(['certificate has expired', { code: 'CERT_HAS_EXPIRED' }]),
  'of another host, of a proxy': node(
    ['Secure Proxy Connection failed', { code: 'UND_ERR_PRX_TLS' }],
    ['other host', alt],
  ),
  'of another host (Bun)': [['ERR_TLS_CERT_ALTNAME_INVALID fetching "https://api.test/"', alt]],
};

// Not sent, but only a sentence says so: the outcome is unknown, which is the safe side.
const ONLY_SAID: Record<string, readonly Shape[]> = {
  'no network (Bun)': [['ENETUNREACH: Was there a typo in the url or port?', { code: 'ENETUNREACH' }]],
  'an unknown name (Deno)': deno('client error (Connect): dns error: failed to lookup address information'),
  'closed within the handshake (Node)': node([
    'Client network socket disconnected before secure TLS connection was established',
    { code: 'ECONNRESET' },
  ]),
  'a stream that the service did not process (Node)': node([
    'Stream closed with error code NGHTTP2_REFUSED_STREAM',
    { code: 'ERR_HTTP2_STREAM_ERROR' },
  ]),
  'a proxy that refuses the tunnel (Node)': node(
    ['Request was cancelled.', { code: 0 }],
    ['Proxy response (407) !== 200 when HTTP Tunneling', { code: 'UND_ERR_ABORTED' }],
  ),
  'a proxy that closes the connection (Node 26)': node(
    ['Proxy Connection failed', { code: 'UND_ERR_PRX_CONN' }],
    ['other side closed', { code: 'UND_ERR_SOCKET' }],
  ),
  'a proxy that refuses the tunnel (Bun)': [
    ['Proxy refused to open a tunnel: 407 Proxy Authentication Required', { code: 'ERR_PROXY_TUNNEL', status: 407 }],
  ],
};

const UNKNOWN: Record<string, readonly Shape[]> = {
  'a connection that is reset as soon as it is made': node(system('connect', 'ECONNRESET')),
  'no route any more while it waits': node(system('read', 'EHOSTUNREACH')),
  'no network any more while it waits': node(system('read', 'ENETUNREACH')),
  'a refusal by ICMP while it writes': node(system('write', 'ECONNREFUSED')),
  'refused on one address, broken on the other': several(
    system('connect', 'ECONNREFUSED'),
    system('read', 'ECONNRESET'),
  ),
  'an alert that may come after the request: the service wants a certificate': node([
    'tlsv13 alert certificate required',
    { code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' },
  ]),
  'a connection that breaks as soon as it is made': node(system('connect', 'EPIPE')),
  'nothing at all': [],
};

const CONNECT = 'error sending request for url (https://api.test/): client error (Connect): tcp connect error';
const failed = (message: string, fields: object = {}, cause?: unknown) =>
  Object.assign(new Error(message, cause === undefined ? {} : { cause }), fields);
const refused = (fields: object = {}) => failed('connect ECONNREFUSED', { code: 'ECONNREFUSED', ...fields });
const reset = () => failed('read ECONNRESET', { code: 'ECONNRESET', syscall: 'read' });

/** What a custom `fetch` may throw after the service received the request. */
const CUSTOM: Record<string, unknown> = {
  // Messages prove nothing: they may quote a response.
  'a quoted error of Deno': new TypeError(`HTTP 502: ${CONNECT}`),
  'an error of Deno that is the whole response': failed(CONNECT),
  // A code of something else.
  'a proxy behind the service': failed('tunnel', { code: 'ERR_PROXY_TUNNEL' }),
  'a certificate behind the service': failed('refused', { code: 'FACEBOOK_CERT_EXPIRED' }),
  'a request that was cancelled': failed('HTTP Tunneling', { code: 'UND_ERR_ABORTED' }),
  'no route, from an unknown system call': failed('EHOSTUNREACH', { code: 'EHOSTUNREACH' }),
  'a code of HTTP above a refusal': failed('Bad gateway', { code: 502 }, refused()),
  // A response came.
  'a status': failed('Bad gateway', { code: 'ECONNREFUSED', status: 502 }),
  'a statusCode': failed('Bad gateway', { code: 'ECONNREFUSED', statusCode: 502 }),
  'a response': failed('Bad gateway', { code: 'ECONNREFUSED', response: {} }),
  'a status above a refusal': failed('Bad gateway', { status: 502 }, refused()),
  'a status below a refusal': failed('Bad gateway', { code: 'ECONNREFUSED' }, refused({ status: 502 })),
  'a certificate and a status': failed('Bad gateway', { code: 'CERT_HAS_EXPIRED', status: 502 }),
  // The connection was in use.
  'a reset of a tunnel': failed('read ECONNRESET tunnel', { code: 'ECONNRESET', syscall: 'read' }),
  'a refusal while it reads': refused({ syscall: 'read' }),
  'a refusal while it writes': refused({ syscall: 'write' }),
  'a system call above a refusal': failed('read', { syscall: 'read' }, refused()),
  'a refusal that wraps a reset': failed('boom', { code: 'ECONNREFUSED' }, reset()),
  'a refusal that wraps a closed connection': failed('boom', { code: 'ECONNREFUSED' }, failed('socket hang up')),
  'a refusal that wraps a response': failed('boom', { code: 'ECONNREFUSED' }, { detail: 'non' }),
  // What is no error of a runtime.
  'errors of the service': failed('boom', { errors: [{ code: 'ECONNREFUSED' }] }),
  'errors on an error that is no AggregateError': failed('boom', { errors: [refused()] }),
  'a refusal with errors of the service': refused({ errors: [{ code: 'ECONNREFUSED' }] }),
  'an AggregateError of JSON': new AggregateError([{ code: 'ECONNREFUSED' }]),
  'an AggregateError of nothing': new AggregateError([]),
  'an AggregateError of a refusal and a reset': new AggregateError([refused(), reset()]),
  'an AggregateError with a status': Object.assign(new AggregateError([refused()]), { status: 502 }),
  'JSON as a cause': failed('HTTP 502', {}, { code: 'ECONNREFUSED' }),
  'JSON with a stack': { name: 'Error', message: 'x', stack: 'Error: x', code: 'ECONNREFUSED' },
  'an error that cannot be read': Object.defineProperty(new Error('x'), 'code', {
    get() {
      throw refused();
    },
  }),
};

const rows = Object.entries;

describe('no proof that the service did nothing is', () => {
  it.each([...rows(UNKNOWN), ...rows(ONLY_SAID)])('%s', (_, shapes) => {
    expect(whyUnsent(thrown(shapes))).toBeUndefined();
  });

  it.each(rows(CUSTOM))('from a custom fetch: %s', (_, value) => {
    expect(whyUnsent(value)).toBeUndefined();
  });
});

describe('proof that the service did nothing is', () => {
  it.each(rows(UNSENT))('%s', (_, shapes) => {
    expect(whyUnsent(thrown(shapes))).toMatchObject({ what: 'no connection to the service' });
    expect(isUntrusted(thrown(shapes))).toBe(false);
  });

  it.each(rows(UNTRUSTED))('a certificate that is %s, which the next attempt would get too', (_, shapes) => {
    expect(isUntrusted(thrown(shapes))).toBe(true);
  });

  it.each(['refused', 'new AggregateError([refused])'])('a refusal of another realm, as in Jest: %s', (error) => {
    const cause = runInNewContext(
      `const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED', syscall: 'connect' }); ${error}`,
    );
    expect(whyUnsent(new TypeError('fetch failed', { cause }))).toBeDefined();
  });
});

// Node 22 and 24 with a dispatcher of undici 8, Node 26 with one of undici 6.
it.each([
  ['invalid onRequestStart method', true],
  ['invalid onConnect method', true],
  // A `fetch` of one's own may throw it after the response.
  ['store.dispatch is not a function', false, {}],
  ['Invalid URL protocol: the URL must start with `http:` or `https:`.', false],
])(
  'what undici refuses to dispatch was not sent: %s, %s',
  async (message, isProof, fields = { code: 'UND_ERR_INVALID_ARG' }) => {
    const fetch = stubFetch(() => Promise.reject(thrown(node([message, fields]))));
    const client = makeClient({ fetch });
    const error = await caught(client.articles.publish(42), ConnectionError);
    expect(error.outcome).toBe(isProof ? 'not_applied' : 'unknown');
    expect(error.message.includes('Pass one of the same undici as `fetch`.')).toBe(isProof);
    if (isProof) await caught(client.articles.get(42), ConnectionError);
    expect(fetch.calls).toHaveLength(isProof ? 2 : 1);
  },
);

// test/core/retry.test.ts has other failures, and test/faults has them on real sockets.
it.each<[string, (client: Client) => PromiseLike<unknown>]>([
  ['a costly write is not repeated', (client) => client.articles.publish(42)],
  ['a wait for an article ends at once', (client) => client.articles.waitUntilWritten(42)],
])('after a certificate that is not trusted, %s', async (_, call) => {
  const fetch = stubFetch(() => Promise.reject(thrown(UNTRUSTED.expired ?? [])));
  const error = await caught(call(makeClient({ fetch })), ConnectionError);
  expect(error).toMatchObject({ code: 'connection', outcome: 'not_applied', attempts: 1 });
  expect(error.message).toContain('Check `baseUrl`, the clock and the certificate authorities of this machine.');
  expect(fetch.calls).toHaveLength(1);
});

/** Each pattern of a proof, by an error that it fits. */
const PROOFS: readonly Shape[] = [
  system('connect', 'ENETUNREACH'),
  system('getaddrinfo', 'EAI_AGAIN'),
  system('queryAaaa', 'ENOTFOUND'),
  ['refused', { code: 'ECONNREFUSED' }],
  ['refused', { code: 'ConnectionRefused' }],
  ['unknown', { code: 'ENOTFOUND' }],
  ['late', { code: 'UND_ERR_CONNECT_TIMEOUT' }],
  ...[
    'SELF_SIGNED_CERT_IN_CHAIN',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'UND_ERR_PRX_TLS',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'CERT_NOT_YET_VALID',
    'CERT_CHAIN_TOO_LONG',
  ].map((code): Shape => ['refused', { code }]),
];

describe('only the whole text is proof', () => {
  it.each(PROOFS.map((shape) => [shape]))('%j', ([message, fields = {}]) => {
    expect(whyUnsent(thrown([[message, fields]]))).toBeDefined();
    const { code, syscall } = fields;
    for (const mangle of [(text: string) => `x${text}`, (text: string) => `${text}\nx`]) {
      const mangled: Shape[] = [[message, { ...fields, code: mangle(`${code}`) }]];
      if (syscall) mangled.push([message, { ...fields, syscall: mangle(syscall) }]);
      expect(mangled.map((shape) => whyUnsent(thrown([shape])))).toEqual(mangled.map(() => undefined));
    }
  });

  it.each([
    [4, true],
    [5, false],
  ])('a refusal below %i causes is proof: %s', (depth, isProof) => {
    const above = Array.from({ length: depth }, (): Shape => ['fetch failed']);
    expect(whyUnsent(thrown([...above, system('connect', 'ECONNREFUSED')])) !== undefined).toBe(isProof);
  });
});
