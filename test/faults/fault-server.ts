import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { ARTICLE, CONFIRMATION, PUBLICATION, UPDATE } from '../support/fixtures.js';
import { type Certificate, identityOf } from '../support/tls.js';

export interface Received {
  method: string;
  path: string;
  body: string;
  /** On the clock of the wall, since `Retry-After` may be a date. */
  at: number;
}

/** What the service would answer. */
export interface Answer {
  status: number;
  body: unknown;
}

/** One request on one connection, and what a fault may do with it. */
export interface Exchange {
  readonly socket: Socket;
  readonly request: Received;
  /** Carry the request out, as the service would, and give its answer. */
  carryOut(): Answer;
}

/** What is done with each connection, by its number from 0. */
export interface Behaviour {
  /** In place of reading a request. */
  connected?: ((socket: Socket) => void) | undefined;
  received: (exchange: Exchange) => void;
}

/** The state that writes change, so that it can be seen how often they did. */
export class Service {
  #title = ARTICLE.title;
  #isConfirmed = false;
  readonly #posts = new Set(['1']);
  /** Changes that the world can see. Publishing is one each time; the others leave nothing to change the second time. */
  effects = 0;
  /** Body of the last answer. */
  told: unknown;

  carryOut({ method, path, body }: Received): Answer {
    const answer = this.#answer(method, path, body);
    this.told = answer.body;
    return answer;
  }

  #answer(method: string, path: string, body: string): Answer {
    if (method === 'GET') return { status: 200, body: { ...ARTICLE, title: this.#title } };
    if (method === 'DELETE') {
      const isThere = this.#posts.delete(path.split('/').at(-1) ?? '');
      this.effects += Number(isThere);
      return isThere ? { status: 200, body: { deleted: true } } : { status: 404, body: { detail: 'introuvable' } };
    }
    const params = JSON.parse(body) as { title?: string; dry_run?: boolean };
    if (method === 'PUT') {
      this.effects += Number(params.title !== this.#title);
      this.#title = params.title ?? this.#title;
      return { status: 200, body: UPDATE };
    }
    if (path.endsWith('/confirm')) {
      this.effects += Number(!this.#isConfirmed);
      this.#isConfirmed = true;
      return { status: 200, body: CONFIRMATION };
    }
    if (params.dry_run === true) return { status: 200, body: { dry_run: true, would_publish: true, quota: null } };
    this.effects++;
    return { status: 200, body: PUBLICATION };
  }
}

let count = 0;

/** A server on loopback that speaks HTTP by hand, one request a connection, so that it can do it wrong. */
export class FaultServer {
  readonly service = new Service();
  readonly received: Received[] = [];
  /** Connections that are open and were used: Node keeps a spare one after an abort, on which nothing is sent. */
  readonly open = new Set<Socket>();
  readonly #sockets = new Set<Socket>();
  connections = 0;
  /** Requests that were meant for another of these servers, which had the port before. */
  readonly strays: string[] = [];
  /** Ports come back: what others still send to this one is not for us. */
  readonly #prefix = `/${process.pid}-${count++}`;
  readonly #server: Server;
  readonly #scheme: 'http' | 'https';
  #port = 0;

  /** With a certificate it speaks TLS; with `'none'` it has none to show, at an address of https. */
  constructor(behave: (connection: number) => Behaviour, certificate?: Certificate | 'none') {
    this.#scheme = certificate ? 'https' : 'http';
    const accept = (socket: Socket) => {
      socket.on('close', () => this.open.delete(socket));
      // The client leaves as it likes.
      socket.on('error', () => {});
      socket.setNoDelay(true);
      const { connected, received } = behave(this.connections++);
      if (connected) {
        this.open.add(socket.resume());
        return connected(socket);
      }
      readRequest(socket, (request) => {
        if (!request.path.startsWith(`${this.#prefix}/`)) {
          if (request.path.startsWith(`/${process.pid}-`)) this.strays.push(`${request.method} ${request.path}`);
          return void socket.destroy();
        }
        this.open.add(socket);
        this.received.push(request);
        received({ socket, request, carryOut: () => this.service.carryOut(request) });
      });
    };
    const isTls = certificate !== undefined && certificate !== 'none';
    this.#server = isTls ? createTlsServer(identityOf(certificate), accept) : createServer(accept);
    this.#server.on('connection', (socket) =>
      this.#sockets.add(socket.on('close', () => this.#sockets.delete(socket))),
    );
  }

  /** The address for a `baseUrl`: no other server has it, so that no budget is shared. */
  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.#port}${this.#prefix}`;
  }

  /** Listen on a port that is free, or on this one. Resolves to the server. */
  async listen(port = 0): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', resolve);
    });
    this.reserve((this.#server.address() as { port: number }).port);
    return this;
  }

  /** Have an address without listening yet. */
  reserve(port: number): void {
    this.#port = port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.#server.listening) return;
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/**
 * A port on which nothing listens, and which no system hands out of its own accord: connections are refused until
 * someone asks for this very port.
 */
export async function quietPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const probe = new FaultServer(() => ({ received: () => {} }));
    const isFree = await probe.listen(port).then(
      () => true,
      () => false,
    );
    await probe.close();
    if (isFree) return port;
  }
}

/** The whole of an answer as it goes over the wire; headers of its own may make it wrong. */
export function http(status: number, body: string, headers: Record<string, string> = {}): string {
  const all = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Whatever\r\n${lines.join('')}\r\n${body}`;
}

/** The answer of a service that is well. */
export function answerProperly({ socket, carryOut }: Exchange): void {
  const { status, body } = carryOut();
  socket.end(http(status, JSON.stringify(body)));
}

function readRequest(socket: Socket, done: (request: Received) => void): void {
  let bytes = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = bytes.toString('latin1', 0, end);
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
    if (bytes.length < end + 4 + length) return;
    socket.off('data', onData).resume();
    const [method = '', path = ''] = head.split(' ');
    done({ method, path, body: bytes.toString('utf8', end + 4, end + 4 + length), at: Date.now() });
  };
  socket.on('data', onData);
}

/** Waits until the condition holds; gives up after a minute, which even a busy machine does not need. Leaves no timer. */
export async function waitFor(condition: () => boolean): Promise<boolean> {
  const end = performance.now() + 60_000;
  while (!condition() && performance.now() < end) await sleep(5);
  return condition();
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
