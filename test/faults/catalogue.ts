import type { Socket } from 'node:net';
import { type Certificate, trusting } from '../support/tls.js';
import { answerProperly, type Behaviour, type Exchange, http } from './fault-server.js';

/** What a fault amounts to in the words of the contract. */
export type Family =
  /** The request provably never left. */
  | { kind: 'unsent' }
  /** Nor did it here, and the next attempt would meet the same. */
  | { kind: 'untrusted' }
  /** The connection broke after it was made. */
  | { kind: 'broken' }
  /** No complete answer within the time-out. */
  | { kind: 'timeout' }
  | { kind: 'redirect' }
  /** An answer that is neither 2xx nor a redirect. `retryAfter` in ms, or the moment that a date names. */
  | { kind: 'status'; status: number; retryAfter?: number | 'soon'; quota?: boolean }
  /** A 2xx: as it should be, without a body, with a body that is no JSON, or with JSON of another shape. */
  | { kind: 'success'; body: 'right' | 'none' | 'not_json' | 'wrong' };

export interface Fault {
  group: string;
  /** What befalls the call. */
  name: string;
  family: Family;
  /** Whether the service carries the request out before (or while) the fault strikes. */
  applies: boolean;
  /** Absent: nobody listens. */
  behaviour?: Behaviour;
  /** What a server of https shows. */
  certificate?: Certificate | 'none';
  /** How the client connects. */
  connect?: object;
  /** The name by which the client looks for the server. */
  host?: string;
  /** Does not end after it has struck once. */
  lasting?: boolean;
  /** Reads so much that few may run at a time. */
  heavy?: boolean;
  /** The body is too deep to be compared. */
  deep?: boolean;
}

/** An address that no redirect may lead to. */
export interface Elsewhere {
  url: string;
}

const JSON_HEADERS = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n';
const LEVELS = 100_000;
const DEEP_ARRAY = '['.repeat(LEVELS) + ']'.repeat(LEVELS);
const DEEP_OBJECT = `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`;
const HTML = '<!doctype html><title>Maintenance</title><h1>Bad Gateway</h1>';
const QUOTA = JSON.stringify({ detail: "Quota mensuel d'articles épuisé (30/30)." });
const DAY = 86_400;

/** Every fault, in the order of docs/reliability.md. */
export function catalogue(elsewhere: Elsewhere): Fault[] {
  return [
    ...connection(),
    ...silence(),
    ...bodies(),
    ...failures(),
    ...tooMany(),
    ...refusals(),
    ...redirects(elsewhere),
  ];
}

function connection(): Fault[] {
  const group = 'The connection';
  const broken = { group, family: { kind: 'broken' } } as const;
  return [
    ...unsent(group),
    { ...broken, name: 'reset as soon as it is made', applies: false, behaviour: atOnce(reset) },
    {
      ...broken,
      name: 'closed as soon as it is made',
      applies: false,
      // A moment later: undici of Node 20 does not see an end that comes in the turn of the connection itself, and
      // waits for the time-out.
      behaviour: atOnce((socket) => setTimeout(() => socket.end(), 100)),
    },
    ...beforeAndAfter({ ...broken, name: 'reset before the headers' }, ({ socket }) => reset(socket)),
    ...beforeAndAfter({ ...broken, name: 'closed before the headers' }, ({ socket }) => socket.end()),
    ...beforeAndAfter({ ...broken, name: 'reset within the headers' }, ({ socket }) => {
      sayThenReset(socket, 'HTTP/1.1 200 OK\r\ncontent-type: applic');
    }),
    ...beforeAndAfter({ ...broken, name: 'closed within the headers' }, ({ socket }) => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-type: applic');
    }),
    after({ ...broken, name: 'reset after the headers' }, ({ socket }) => {
      sayThenReset(socket, `${JSON_HEADERS}content-length: 500\r\n\r\n`);
    }),
    after({ ...broken, name: 'reset within the body' }, ({ socket }, text) => {
      sayThenReset(socket, `${JSON_HEADERS}content-length: ${size(text)}\r\n\r\n${half(text)}`);
    }),
    ...beforeAndAfter({ ...broken, name: 'answered with something that is not HTTP' }, ({ socket }) => {
      socket.end('SSH-2.0-OpenSSH_9.6\r\n');
    }),
    after({ ...broken, name: 'answered with headers without end' }, ({ socket }, text) => {
      socket.end(http(200, text, { 'x-long': 'x'.repeat(200_000) }));
    }),
  ];
}

/** Nothing of the request was sent. */
function unsent(group: string): Fault[] {
  const fault = { group, family: { kind: 'unsent' }, applies: false } as const;
  const untrusted = {
    group,
    family: { kind: 'untrusted' },
    applies: false,
    behaviour: { received: answerProperly },
  } as const;
  const addresses = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
  const lookup = (_host: string, _options: object, done: (error: null, found: typeof addresses) => void) =>
    done(null, addresses);
  return [
    { ...fault, name: 'refused' },
    // Or unreachable, where there is no IPv6.
    {
      ...fault,
      name: 'refused at every address of the name',
      host: 'localhost',
      // By default, a machine that is busy for 250 ms misses an address.
      connect: { lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 60_000 },
    },
    {
      ...fault,
      name: 'not made: the name does not resolve',
      host: 'nothing.invalid',
      certificate: 'none',
      lasting: true,
    },
    {
      ...fault,
      // Only the message of Node's error tells this from a connection that broke later.
      family: { kind: 'broken' },
      name: 'closed within the TLS handshake',
      certificate: 'none',
      lasting: true,
      behaviour: atOnce((socket) => socket.once('data', () => socket.end())),
    },
    { ...untrusted, name: 'with a certificate that is self-signed', certificate: 'localhost' },
    { ...untrusted, name: 'with a certificate that has expired', certificate: 'expired', connect: trusting('expired') },
    {
      ...untrusted,
      name: 'with a certificate of another host',
      certificate: 'other-host',
      connect: trusting('other-host'),
    },
  ];
}

function silence(): Fault[] {
  const group = 'Silence and slowness';
  const timeout = { group, family: { kind: 'timeout' } } as const;
  return [
    ...beforeAndAfter({ ...timeout, name: 'no answer at all' }, () => {}),
    ...beforeAndAfter({ ...timeout, name: 'no more after half of the headers' }, ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: applic');
    }),
    after({ ...timeout, name: 'no more after the headers' }, ({ socket }) => {
      socket.write(`${JSON_HEADERS}content-length: 500\r\n\r\n`);
    }),
    after({ ...timeout, name: 'no more after half of the body' }, ({ socket }, text) => {
      socket.write(`${JSON_HEADERS}content-length: ${size(text)}\r\n\r\n${half(text)}`);
    }),
    after({ ...timeout, name: 'a body that drips in, slower than the time-out' }, ({ socket }, text) => {
      drip(socket, http(200, ' '.repeat(20_000) + text), 1, 20);
    }),
    after({ ...timeout, name: 'headers that drip in, slower than the time-out' }, ({ socket }, text) => {
      drip(socket, http(200, text, { 'x-long': 'x'.repeat(8_000) }), 1, 20);
    }),
    after({ ...timeout, name: 'a body that drips in without end' }, ({ socket }) => {
      socket.write(`${JSON_HEADERS}transfer-encoding: chunked\r\n\r\n1\r\n[\r\n`);
      endless(socket, '2\r\n1,\r\n', 20);
    }),
    after({ group, name: 'a body that drips in, faster than the time-out', family: right }, ({ socket }, text) => {
      const wire = http(200, text);
      drip(socket, wire, Math.ceil(wire.length / 12), 15);
    }),
  ];
}

const right: Family = { kind: 'success', body: 'right' };

function bodies(): Fault[] {
  const group = 'Answers of 2xx';
  const broken = { group, family: { kind: 'broken' } } as const;
  const notJson = { group, family: { kind: 'success', body: 'not_json' } } as const;
  const wrong = { group, family: { kind: 'success', body: 'wrong' } } as const;
  const none = { group, family: { kind: 'success', body: 'none' } } as const;
  const keptAlive = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
  const chunked = `${JSON_HEADERS}transfer-encoding: chunked\r\n\r\n`;
  return [
    after({ group, name: 'as it should be', family: right }, ({ socket }, text) => socket.end(http(200, text))),
    after({ group, name: 'with a byte order mark', family: right }, ({ socket }, text) => {
      socket.end(http(200, `\ufeff${text}`));
    }),
    after({ group, name: 'whose end is that of the connection', family: right }, ({ socket }, text) => {
      socket.end(`${JSON_HEADERS}\r\n${text}`);
    }),
    after(
      { group, name: '100 000 levels deep in a field of its own', family: right, deep: true },
      ({ socket }, text) => {
        socket.end(http(200, text.replace(/\}$/, `,"deep":${DEEP_ARRAY}}`)));
      },
    ),
    after({ ...broken, name: 'cut short of its Content-Length' }, ({ socket }, text) => {
      socket.end(http(200, half(text), { 'content-length': String(size(text)) }));
    }),
    after({ ...broken, name: 'whole, but with too long a Content-Length' }, ({ socket }, text) => {
      socket.end(http(200, text, { 'content-length': String(size(text) + 10) }));
    }),
    after({ ...broken, name: 'cut between two chunks' }, ({ socket }, text) => {
      socket.end(`${keptAlive}${size(half(text)).toString(16)}\r\n${half(text)}\r\n`);
    }),
    after({ ...broken, name: 'cut within a chunk' }, ({ socket }, text) => {
      socket.end(`${keptAlive}${size(text).toString(16)}\r\n${half(text)}`);
    }),
    after({ ...broken, name: 'cut between two chunks, after `Connection: close`' }, ({ socket }, text) => {
      socket.end(`${chunked}${size(half(text)).toString(16)}\r\n${half(text)}\r\n`);
    }),
    after({ ...broken, name: 'cut within a chunk, after `Connection: close`' }, ({ socket }, text) => {
      socket.end(`${chunked}${size(text).toString(16)}\r\n${half(text)}`);
    }),
    after({ ...broken, name: 'cut after an inner bracket, after `Connection: close`' }, ({ socket }) => {
      socket.end(`${chunked}11\r\n{"list":[{"id":1}\r\n`);
    }),
    after(
      { ...broken, name: 'cut within a string that ends in a bracket, after `Connection: close`' },
      ({ socket }) => {
        socket.end(`${chunked}f\r\n{"title":"a {b}\r\n`);
      },
    ),
    after({ ...broken, name: 'in chunks whose length is no number' }, ({ socket }, text) => {
      socket.end(`${chunked}zz\r\n${text}\r\n0\r\n\r\n`);
    }),
    after({ ...broken, name: 'said to be gzip, and is not' }, ({ socket }, text) => {
      socket.end(http(200, text, { 'content-encoding': 'gzip' }));
    }),
    after({ ...notJson, name: 'with too short a Content-Length' }, ({ socket }, text) => {
      socket.end(http(200, text, { 'content-length': String(size(half(text))) }));
    }),
    after({ ...notJson, name: 'of malformed JSON' }, ({ socket }) =>
      socket.end(http(200, '{"article_id": 42, "title": }')),
    ),
    after({ ...notJson, name: 'of JSON that ends too early' }, ({ socket }) =>
      socket.end(http(200, '{"article_id": 42')),
    ),
    after({ ...notJson, name: 'of HTML' }, ({ socket }) => {
      socket.end(http(200, HTML, { 'content-type': 'text/html' }));
    }),
    after({ ...notJson, name: 'of 100 000 levels that are never closed' }, ({ socket }) => {
      socket.end(http(200, '['.repeat(LEVELS)));
    }),
    after({ ...notJson, name: 'without end, as fast as can be', heavy: true }, ({ socket }) => {
      socket.write(`${JSON_HEADERS}\r\n[`);
      endless(socket, '1,'.repeat(128 * 1024));
    }),
    after({ ...wrong, name: 'of JSON of another shape' }, ({ socket }) => socket.end(http(200, '[]'))),
    after({ ...wrong, name: 'of an array 100 000 levels deep', deep: true }, ({ socket }) => {
      socket.end(http(200, DEEP_ARRAY));
    }),
    after({ ...wrong, name: 'of an object 100 000 levels deep', deep: true }, ({ socket }) => {
      socket.end(http(200, DEEP_OBJECT));
    }),
    after({ ...none, name: '200 without a body' }, ({ socket }) => socket.end(http(200, ''))),
    after({ ...none, name: '200 in chunks of which none came, after `Connection: close`' }, ({ socket }) => {
      // Node takes it for whole, and then nothing tells it from the line above.
      socket.end(chunked);
    }),
    after({ ...none, name: '204' }, ({ socket }) => socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n')),
    after({ ...none, name: '205' }, ({ socket }) => socket.end(http(205, ''))),
  ];
}

function failures(): Fault[] {
  const group = 'Failures of the service';
  const family = (status: number, retryAfter?: number): Family => ({
    kind: 'status',
    status,
    ...(retryAfter !== undefined && { retryAfter }),
  });
  const detail = JSON.stringify({ detail: 'Erreur' });
  return [
    ...[408, 500, 501, 502, 503, 504, 520].flatMap((status) =>
      beforeAndAfter({ group, name: `${status}`, family: family(status) }, ({ socket }) => {
        socket.end(http(status, detail));
      }),
    ),
    ...beforeAndAfter({ group, name: '502 of HTML', family: family(502) }, ({ socket }) => {
      socket.end(http(502, HTML, { 'content-type': 'text/html' }));
    }),
    ...beforeAndAfter({ group, name: '502 cut within the body', family: family(502) }, ({ socket }) => {
      socket.end(http(502, '{"detail": ', { 'content-length': '500' }));
    }),
    before({ group, name: '502 without end, as fast as can be', family: family(502) }, ({ socket }) => {
      socket.write('HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\n\r\n');
      endless(socket, 'x'.repeat(64 * 1024));
    }),
    before({ group, name: '500 of JSON 100 000 levels deep', family: family(500) }, ({ socket }) => {
      socket.end(http(500, `{"detail":${DEEP_ARRAY}}`));
    }),
    ...beforeAndAfter({ group, name: '503 with a Retry-After of 1 s', family: family(503, 1000) }, ({ socket }) => {
      socket.end(http(503, detail, { 'retry-after': '1' }));
    }),
    ...beforeAndAfter(
      { group, name: '503 with a Retry-After of a day', family: family(503, DAY * 1000) },
      ({ socket }) => {
        socket.end(http(503, detail, { 'retry-after': String(DAY) }));
      },
    ),
  ];
}

function tooMany(): Fault[] {
  const group = '429';
  const detail = JSON.stringify({ detail: 'Trop de requêtes.' });
  const fault = (
    name: string,
    header: (() => string) | undefined,
    retryAfter?: number | 'soon',
    body = detail,
  ): Fault => {
    const family: Family = { kind: 'status', status: 429, ...(retryAfter !== undefined && { retryAfter }) };
    return before({ group, name, family }, ({ socket }) => {
      socket.end(http(429, body, header && { 'retry-after': header() }));
    });
  };
  const dated = (form: (date: Date) => string) => () => form(soon());
  const quota: Family = { kind: 'status', status: 429, quota: true };
  return [
    fault('without Retry-After', undefined),
    fault('Retry-After of 0', () => '0', 0),
    fault('Retry-After of 1 s', () => '1', 1000),
    fault('Retry-After as a date (IMF)', dated(imf), 'soon'),
    fault('Retry-After as a date (RFC 850)', dated(rfc850), 'soon'),
    fault('Retry-After as a date (asctime)', dated(asctime), 'soon'),
    fault('Retry-After in the past (IMF)', () => imf(new Date(0)), 0),
    fault('Retry-After in the past (RFC 850)', () => 'Sunday, 06-Nov-94 08:49:37 GMT', 0),
    fault('Retry-After in the past (asctime)', () => 'Sun Nov  6 08:49:37 1994', 0),
    fault('Retry-After that is negative', () => '-5'),
    fault('Retry-After of nonsense', () => 'bientot'),
    fault('Retry-After that is empty', () => ''),
    fault('Retry-After of a day', () => String(DAY), DAY * 1000),
    fault('Retry-After of a day, as a date', () => imf(new Date(Date.now() + DAY * 1000 + 500)), DAY * 1000),
    fault('of HTML', undefined, undefined, HTML),
    before({ group, name: 'that ends too early', family: { kind: 'status', status: 429 } }, ({ socket }) => {
      socket.end(http(429, '{"detail": ', { 'content-length': '500' }));
    }),
    before({ group, name: 'of the monthly quota', family: quota }, ({ socket }) => socket.end(http(429, QUOTA))),
    before(
      { group, name: 'of the monthly quota, with a Retry-After of 1 s', family: { ...quota, retryAfter: 1000 } },
      ({ socket }) => {
        socket.end(http(429, QUOTA, { 'retry-after': '1' }));
      },
    ),
  ];
}

function refusals(): Fault[] {
  return [400, 401, 403, 404, 409, 410, 418, 422].map((status) =>
    before({ group: 'Refusals', name: `${status}`, family: { kind: 'status', status } }, ({ socket }) => {
      socket.end(http(status, JSON.stringify({ detail: 'Non' })));
    }),
  );
}

function redirects({ url }: Elsewhere): Fault[] {
  const family = { kind: 'redirect' } as const;
  const group = 'Redirects';
  const to = (name: string, location: (exchange: Exchange) => string) =>
    [301, 302, 303, 307, 308].map((status) =>
      before({ group, name: `${status} ${name}`, family }, (exchange) => {
        exchange.socket.end(http(status, '', { location: location(exchange) }));
      }),
    );
  return [
    ...to('to another origin', () => `${url}/api/v2/articles/42`),
    ...to('to the same origin', () => '/api/v2/elsewhere'),
    ...to('in a circle', ({ request }) => request.path),
    after({ group, name: '303 to the result', family }, ({ socket }) => {
      socket.end(http(303, '', { location: '/api/v2/articles/42' }));
    }),
    before({ group, name: '302 without a location', family }, ({ socket }) => {
      socket.end(http(302, ''));
    }),
  ];
}

type Named = Omit<Fault, 'applies' | 'behaviour'>;

function before(fault: Named, strike: (exchange: Exchange) => unknown): Fault {
  return { ...fault, applies: false, behaviour: { received: (exchange) => void strike(exchange) } };
}

/** `strike` gets the text of the answer that there would have been. */
function after(fault: Named, strike: (exchange: Exchange, text: string) => unknown): Fault {
  const received = (exchange: Exchange) => void strike(exchange, JSON.stringify(exchange.carryOut().body));
  return { ...fault, applies: true, behaviour: { received } };
}

/** The client cannot see the difference, but the state shows it. */
function beforeAndAfter(fault: Named, strike: (exchange: Exchange) => unknown): Fault[] {
  return [before(fault, strike), after(fault, strike)];
}

function atOnce(connected: (socket: Socket) => unknown): Behaviour {
  return { connected: (socket) => void connected(socket), received: answerProperly };
}

function reset(socket: Socket): void {
  socket.resetAndDestroy();
}

/** Time for what was said to arrive: a reset may overtake it. */
function sayThenReset(socket: Socket, text: string): void {
  socket.write(text);
  const timer = setTimeout(() => socket.resetAndDestroy(), 20);
  socket.on('close', () => clearTimeout(timer));
}

function drip(socket: Socket, text: string, step: number, ms: number): void {
  let at = 0;
  const timer = setInterval(() => {
    socket.write(text.slice(at, at + step));
    at += step;
    if (at < text.length) return;
    clearInterval(timer);
    socket.end();
  }, ms);
  socket.on('close', () => clearInterval(timer));
}

/** The same piece again and again, every so many ms, or whenever there is room. */
function endless(socket: Socket, piece: string, ms?: number): void {
  if (ms !== undefined) {
    const timer = setInterval(() => socket.write(piece), ms);
    return void socket.on('close', () => clearInterval(timer));
  }
  const pump = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', pump);
  pump();
}

const size = (text: string) => Buffer.byteLength(text);

/** The first half, which ends within a character of its own JSON. */
const half = (text: string) => text.slice(0, Math.floor(text.length / 2));

/** Dates have whole seconds: between one and two from now. */
const soon = () => new Date(Math.floor(Date.now() / 1000) * 1000 + 2000);

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const imf = (date: Date) => date.toUTCString();

function rfc850(date: Date): string {
  const [, day, month, year, time] = imf(date).split(' ') as [string, string, string, string, string];
  return `${DAYS[date.getUTCDay()]}, ${day}-${month}-${year.slice(2)} ${time} GMT`;
}

function asctime(date: Date): string {
  const [, day, month, year, time] = imf(date).split(' ') as [string, string, string, string, string];
  return `${DAYS[date.getUTCDay()]?.slice(0, 3)} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`;
}
