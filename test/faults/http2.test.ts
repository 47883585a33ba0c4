import { constants, createSecureServer, type ServerHttp2Stream } from 'node:http2';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MultilocalError, type Outcome } from '../../src/index.js';
import { caught, makeArticles } from '../support/clients.js';
import { ARTICLE, PUBLICATION } from '../support/fixtures.js';
import { identityOf, listen, through, trusting } from '../support/tls.js';

beforeEach(() => {
  // The shortest backoff.
  vi.spyOn(Math, 'random').mockReturnValue(1);
});

/** A service that speaks HTTP/2 alone. What reaches it is carried out, unless the fault says that it was not. */
async function serve(strike: (stream: ServerHttp2Stream) => void) {
  const methods: string[] = [];
  const server = createSecureServer(identityOf('localhost'));
  // The client leaves as it likes, and a fault may end the session under the others.
  server.on('session', (session) => session.on('error', () => {}));
  server.on('stream', (stream, { ':method': method = '' }) => {
    methods.push(method);
    stream.on('error', () => {});
    stream.on('end', () => (method === 'GET' ? respond(stream, ARTICLE) : strike(stream))).resume();
  });
  const baseUrl = `https://127.0.0.1:${await listen(server)}`;
  const fetchOptions = await through({ allowH2: true, connect: trusting('localhost') });
  return { options: { baseUrl, fetchOptions }, methods };
}

function respond(stream: ServerHttp2Stream, body: unknown): void {
  stream.respond({ ':status': 200, 'content-type': 'application/json' });
  stream.end(JSON.stringify(body));
}

const { NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM } = constants;

/** The service leaves the connection, and after which stream; it then ends it. */
const goaway = (code: number, last: (stream: ServerHttp2Stream) => number) => (stream: ServerHttp2Stream) => {
  const { session } = stream;
  session?.goaway(code, last(stream));
  setImmediate(() => session?.destroy());
};

const FAULTS: Record<string, (stream: ServerHttp2Stream) => void> = {
  'resets the stream (INTERNAL_ERROR)': (stream) => stream.close(NGHTTP2_INTERNAL_ERROR),
  // A promise that nothing was processed, which only the message of the error tells.
  'refuses the stream (REFUSED_STREAM)': (stream) => stream.close(NGHTTP2_REFUSED_STREAM),
  'leaves (GOAWAY) and says that it may have processed the request': goaway(NGHTTP2_NO_ERROR, ({ id = 0 }) => id),
  // undici does not tell which streams a GOAWAY names.
  'leaves (GOAWAY) and says that it processed nothing': goaway(NGHTTP2_NO_ERROR, () => 0),
  'leaves (GOAWAY) with an error': goaway(NGHTTP2_ENHANCE_YOUR_CALM, () => 0),
  'ends the connection': (stream) => stream.session?.destroy(),
};

describe('HTTP/2', () => {
  it('a read and a costly write share a connection', async () => {
    const { options, methods } = await serve((stream) => respond(stream, PUBLICATION));
    const api = makeArticles(options);
    expect([await api.get(42), await api.publish(42)]).toEqual([ARTICLE, PUBLICATION]);
    expect(methods).toEqual(['GET', 'POST']);
  });

  describe.each([
    ['a new connection', false],
    ['a connection that was used', true],
  ])('%s, a costly write, and the service', (_, isUsed) => {
    async function publish(strike: (stream: ServerHttp2Stream) => void, maxRetries: number): Promise<MultilocalError> {
      const { options, methods } = await serve(strike);
      const api = makeArticles({ ...options, maxRetries });
      if (isUsed) await api.get(42);
      const error = await caught(api.publish(42), MultilocalError);
      expect(methods.filter((method) => method === 'POST')).toHaveLength(error.attempts);
      return error;
    }
    const seen = ({ outcome, attempts }: MultilocalError): [Outcome, number] => [outcome, attempts];

    it.each(Object.entries(FAULTS))('%s: sent once, unknown', async (_, strike) => {
      expect(seen(await publish(strike, 2))).toEqual(['unknown', 1]);
    });

    // undici takes the half of a body for all of it, so the client says `applied`: the service did say 200.
    it.each([
      ['INTERNAL_ERROR', NGHTTP2_INTERNAL_ERROR],
      // A service that sends headers has started to process the request.
      ['REFUSED_STREAM', NGHTTP2_REFUSED_STREAM],
    ])('resets the stream within the body of a 200 (%s): sent once, never not_applied', async (_, code) => {
      const error = await publish((stream) => {
        stream.respond({ ':status': 200, 'content-type': 'application/json' });
        stream.write('{"scheduled":', () => stream.close(code));
      }, 2);
      expect(error.attempts).toBe(1);
      expect(error.outcome).not.toBe('not_applied');
    });
  });
});
