import { describe, expect, it, vi } from 'vitest';
import { hasTooManyParts, isCutShort, parseJson, readText } from '../../src/core/response.js';
import { ApiError, type Client, ConnectionError, NotFoundError } from '../../src/index.js';
import { caught, makeClient } from '../support/clients.js';
import { ARTICLE, PUBLICATION } from '../support/fixtures.js';
import { json, stubFetch } from '../support/stub-fetch.js';

const { signal } = new AbortController();

/** A response whose body arrives in these pieces; what was cancelled is kept. */
function streamed(...pieces: Uint8Array[]) {
  const seen = { cancelled: false };
  const body = new ReadableStream({
    pull(controller) {
      const piece = pieces.shift();
      if (piece) controller.enqueue(piece);
      else controller.close();
    },
    cancel() {
      seen.cancelled = true;
    },
  });
  return { response: new Response(body), seen };
}

describe('the text of a body', () => {
  it.each([
    [5, { text: 'abcde' }],
    [4, { text: 'abcde', truncated: true }],
    [0, { text: 'ab', truncated: true }],
  ])('of five bytes, with a limit of %i', async (limit, expected) => {
    const { response } = streamed(Buffer.from('ab'), Buffer.from('cde'));
    expect(await readText(response, limit, signal)).toEqual(expected);
  });

  it.each([
    ['in two pieces', [0xc3], [0xa9], 'é'],
    ['whose rest is missing', [0x61], [0xc3], 'a\ufffd'],
  ])('holds a character %s', async (_, first, second, text) => {
    const { response } = streamed(Uint8Array.from(first), Uint8Array.from(second));
    expect(await readText(response, 100, signal)).toEqual({ text });
  });

  it('beyond the limit is not read', async () => {
    const { response, seen } = streamed(Buffer.from('ab'), Buffer.from('cd'), Buffer.from('ef'), Buffer.from('gh'));
    await readText(response, 1, signal);
    expect(seen.cancelled).toBe(true);
  });

  it('is cancelled when the signal aborts', async () => {
    const controller = new AbortController();
    const seen = { cancelled: false };
    const body = new ReadableStream({
      cancel() {
        seen.cancelled = true;
      },
    });
    const reading = readText(new Response(body), 100, controller.signal);
    controller.abort();
    expect(await reading).toEqual({ text: '' });
    expect(seen.cancelled).toBe(true);
  });

  it('is empty for a response without a body', async () => {
    expect(await readText(new Response(null), 100, signal)).toEqual({ text: '' });
  });
});

describe('JSON', () => {
  it.each([
    ['', { value: undefined }],
    [' \n', { value: undefined }],
    ['null', { value: null }],
    ['[1]', { value: [1] }],
    ['{', undefined],
  ])('of %j', (text, expected) => {
    expect(parseJson(text)).toEqual(expected);
  });

  it.each(['[', '{', '":', ' :'])('has too many parts with more than 500 000 times %j', (part) => {
    expect(hasTooManyParts(part.repeat(500_000))).toBe(false);
    expect(hasTooManyParts(part.repeat(500_001))).toBe(true);
  });

  it('does not count the colons of timestamps and addresses', () => {
    expect(hasTooManyParts('12:30 https://a.test '.repeat(500_001))).toBe(false);
  });
});

describe('a body that is cut short', () => {
  it.each([
    ['chunked', '{"a', true],
    ['gzip, Chunked', ' \n [1', true],
    ['chunked', 'x{', false],
    ['chunked', '', false],
    ['gzip', '{"a', false],
    [undefined, '{"a', false],
  ])('transfer-encoding %s, text %j: %s', (encoding, text, expected) => {
    const headers = new Headers(encoding === undefined ? {} : { 'transfer-encoding': encoding });
    expect(isCutShort({ headers } as Response, text)).toBe(expected);
  });
});

// What a custom `fetch`, a custom limiter or a hostile service may do to a call. Each was seen to go wrong once.
describe('odd responses', () => {
  it('a response without a readable status is an error, and the outcome of a costly write is unknown', async () => {
    const opaque = { type: 'opaque', status: 0, ok: false, headers: new Headers(), body: null, text: async () => '' };
    const client = makeClient({ fetch: async () => opaque as unknown as Response, maxRetries: 0 });
    const expected = { status: 0, attempts: 1, outcome: 'unknown' };
    expect(await caught(client.articles.publish(42), ApiError)).toMatchObject(expected);
    await caught(client.articles.get(42), ApiError);
  });

  describe('a DELETE', () => {
    const stalled = () => new Response(new ReadableStream({ start() {} }), { status: 404 });

    it('succeeds if its retry gets a 404, even if the body of the 404 never ends', async () => {
      let count = 0;
      const fetch = async () => (++count === 1 ? new Response('', { status: 503 }) : stalled());
      const client = makeClient({ fetch, timeout: 50 });
      expect(await client.posts.delete(1)).toBeUndefined();
    });

    it('fails if its first attempt gets a 404', async () => {
      await caught(makeClient({ fetch: async () => stalled(), timeout: 50 }).posts.delete(1), NotFoundError);
    });
  });

  describe('a limiter of one’s own', () => {
    it.each([
      ['a text', 'no room', ': no room'],
      ['nothing', undefined, ': undefined'],
      ['a frozen error', Object.freeze(new Error('no room')), ': no room'],
    ])('that rejects with %s: the error is typed, and nothing was sent', async (_, cause, said) => {
      const acquire = vi.fn(() => Promise.reject(cause));
      const client = makeClient({ fetch: stubFetch(json(ARTICLE)), rateLimit: { acquire } });
      const error = await caught(client.articles.publish(42), ConnectionError);
      expect(error.message).toContain(`the limiter failed${said}`);
      expect(error).toMatchObject({ outcome: 'not_applied', attempts: 0 });
      expect(error.cause).toBe(cause);
      expect(acquire).toHaveBeenCalledOnce();
    });

    it.each<[string, (client: Client) => PromiseLike<unknown>, outcome: string]>([
      ['a read', (client) => client.articles.get(42), 'not_applied'],
      ['a DELETE that may have happened', (client) => client.posts.delete(7), 'unknown'],
    ])(
      'that rejects before the retry of %s: its error is not hidden by the earlier response',
      async (_, call, outcome) => {
        const cause = new Error('no room');
        let asked = 0;
        const acquire = async () => {
          if (++asked > 1) throw cause;
        };
        const fetch = async () => Response.json({}, { status: 503, headers: { 'retry-after': '0' } });
        const error = await caught(call(makeClient({ fetch, rateLimit: { acquire } })), ConnectionError);
        expect(error).toMatchObject({ cause, outcome, attempts: 1 });
        expect(asked).toBe(2);
      },
    );

    it('may return nothing instead of a promise', async () => {
      const acquire = (() => undefined) as unknown as () => Promise<void>;
      const client = makeClient({ fetch: stubFetch(json(ARTICLE)), rateLimit: { acquire } });
      expect(await client.articles.get(42)).toEqual(ARTICLE);
    });
  });

  it('a reason phrase beyond Latin-1 causes no error', async () => {
    const fetch = async () =>
      Object.defineProperty(Response.json(PUBLICATION), 'statusText', { value: 'C’est publié' });
    expect(await makeClient({ fetch }).articles.publish(42)).toEqual(PUBLICATION);
  });
});
