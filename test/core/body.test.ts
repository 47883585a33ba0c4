import { describe, expect, it } from 'vitest';
import { hasTooManyParts, isCutShort, parseJson, readText } from '../../src/core/attempt.js';
import { looksLikePreview } from '../../src/stages/preview.js';

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

describe('a preview', () => {
  it.each([
    [{ would_publish: false }, true],
    [{ dry_run: true }, true],
    [{ dry_run: 'true' }, false],
    [{ dry_run: false, done: true }, false],
    [{ done: true }, false],
    [{ it_would_publish: true }, false],
    [{}, false],
    [null, false],
    ['would_', false],
  ])('%j: %s', (body, expected) => {
    expect(looksLikePreview(body)).toBe(expected);
  });
});
