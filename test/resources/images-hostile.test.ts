import { describe, expect, it } from 'vitest';
import { InvalidRequestError } from '../../src/index.js';
import { BODIES } from '../spec/bodies.js';
import { caught, makeClient } from '../support/clients.js';
import { json, stubFetch } from '../support/stub-fetch.js';

const MAX = 8 * 1024 * 1024;
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const bytesOf = (...parts: (string | number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : part)));
const png = (size = 50) => {
  const bytes = new Uint8Array(size);
  bytes.set(PNG);
  return bytes;
};

type File = Blob | ArrayBuffer | Uint8Array;

/** What is sent for a file. */
async function sent(file: unknown): Promise<string> {
  const fetch = stubFetch(json(BODIES['images.upload']));
  await makeClient({ fetch }).images.upload({ file: file as File });
  return (JSON.parse(fetch.calls[0]?.body ?? '{}') as { image_base64: string }).image_base64;
}

/** The message of the refusal, before anything is sent. */
async function refused(file: unknown): Promise<string> {
  const fetch = stubFetch(json(BODIES['images.upload']));
  const error = await caught(makeClient({ fetch }).images.upload({ file: file as File }), InvalidRequestError);
  expect(error).toMatchObject({ operation: 'images.upload', attempts: 0, outcome: 'not_applied' });
  expect(fetch.calls).toHaveLength(0);
  return error.message;
}

const dataUri = (format: string, bytes: Uint8Array) =>
  `data:image/${format};base64,${Buffer.from(bytes).toString('base64')}`;

describe('images.upload of a hostile file: its content', () => {
  it.each([
    ['empty', bytesOf('')],
    ['one byte of a JPEG', bytesOf([0xff])],
    ['a PNG without the end of its signature', bytesOf(PNG.slice(0, 7))],
    ['a GIF without its version', bytesOf('GIF8')],
    ['a WebP without its name', bytesOf('RIFF\x10\0\0\0WEB')],
    ['an image after a byte order mark', bytesOf([0xef, 0xbb, 0xbf], PNG)],
    ['an image after a line break', bytesOf('\n', 'GIF89a')],
    ['a PNG as text mode leaves it', bytesOf([0x89], 'PNG\n\x1a\n')],
    ['SVG', bytesOf('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['HTML with an image inside', bytesOf('<!doctype html><img>', PNG)],
    ['PDF', bytesOf('%PDF-1.7 ', [0xff, 0xd8, 0xff])],
    ['a ZIP', bytesOf('PK\x03\x04', PNG)],
    ['AVIF', bytesOf('\0\0\0\x1cftypavif')],
    ['base64 of an image', bytesOf(Buffer.from(PNG).toString('base64'))],
  ])('%s is refused, whatever type and name it claims', async (_, bytes) => {
    for (const file of [bytes, new Blob([bytes], { type: 'image/png' }), new File([bytes], 'a.png')]) {
      expect(await refused(file)).toBe('images.upload: `file` must be a JPEG, PNG, WebP or GIF image.');
    }
  });

  it.each([
    ['gif', 'a script', bytesOf('GIF89a/*', '*/=1;alert(1)')],
    ['jpeg', 'a ZIP', bytesOf([0xff, 0xd8, 0xff, 0xe0], 'PK\x03\x04')],
    ['png', 'a page', bytesOf(PNG, '<script>alert(1)</script>')],
    ['webp', 'a sound', bytesOf('RIFF\n.\r\nWEBP', 'WAVEfmt ')],
  ])('a %s that is %s too goes as the image that it is', async (format, _, bytes) => {
    expect(await sent(new Blob([bytes], { type: 'text/html' }))).toBe(dataUri(format, bytes));
  });
});

describe('images.upload of a hostile file: its size', () => {
  const lying = (size: number, bytes: Uint8Array) => ({ size, arrayBuffer: async () => bytes.buffer });

  it.each([0, 1, -1, Number.NaN])('a file that claims %d bytes and has 8 MB to the byte is sent', async (size) => {
    expect(await sent(lying(size, png(MAX)))).toHaveLength(22 + (MAX + 1) * (4 / 3));
  });

  it.each([0, 1, -1, Number.NaN])('a file that claims %d bytes and has one byte too many is refused', async (size) => {
    expect(await refused(lying(size, png(MAX + 1)))).toContain('`file` must have at most 8 MB');
  });

  it.each([MAX + 1, Infinity])('a file that claims %d bytes is refused and not read', async (size) => {
    const file = { size, arrayBuffer: () => expect.fail('read') };
    expect(await refused(file)).toContain('`file` must have at most 8 MB');
  });
});

describe('images.upload of a hostile file: its memory', () => {
  const detached = () => {
    const { buffer } = png();
    const view = new Uint8Array(buffer);
    structuredClone(buffer, { transfer: [buffer] });
    return { buffer, view };
  };
  const resizable = (size: number) =>
    new (ArrayBuffer as unknown as new (size: number, options: object) => ArrayBuffer & { resize(size: number): void })(
      size,
      {
        maxByteLength: 100,
      },
    );

  it('a buffer that was transferred to another thread is refused', async () => {
    expect(await refused(detached().buffer)).toBe('images.upload: `file` cannot be read.');
  });

  it('a view of a buffer that was transferred to another thread is refused', async () => {
    expect(await refused(detached().view)).toBe('images.upload: `file` cannot be read.');
  });

  it('a resizable buffer is sent with its length at the call', async () => {
    const buffer = resizable(50);
    new Uint8Array(buffer).set(PNG);
    const call = sent(buffer);
    buffer.resize(10);
    expect(await call).toBe(dataUri('png', png(50)));
  });

  it('a view beyond the end of a shrunk buffer is refused', async () => {
    const buffer = resizable(50);
    const view = new Uint8Array(buffer, 20, 20);
    buffer.resize(10);
    expect(await refused(view)).toMatch(/`file` must be/);
  });

  it('shared memory is accepted as a view and refused by itself', async () => {
    const shared = new SharedArrayBuffer(60);
    const view = new Uint8Array(shared, 5, 50);
    view.set(PNG);
    expect(await sent(view)).toBe(dataUri('png', png(50)));
    expect(await refused(shared)).toContain('must be a Blob, ArrayBuffer or Uint8Array');
  });

  it('views of every type are sent with their bytes', async () => {
    const whole = new Uint8Array(80);
    whole.set(PNG, 8);
    const expected = dataUri('png', whole.subarray(8, 72));
    expect(await sent(whole.subarray(8, 72))).toBe(expected);
    expect(await sent(new DataView(whole.buffer, 8, 64))).toBe(expected);
    expect(await sent(new Float64Array(whole.buffer, 8, 8))).toBe(expected);
    expect(await sent(Buffer.from(whole.buffer, 8, 64))).toBe(expected);
  });

  it.each<[string, unknown]>([
    ['an object that calls itself an ArrayBuffer', { [Symbol.toStringTag]: 'ArrayBuffer', length: 2 ** 53 - 1 }],
    ['a file that reads as a huge number', { size: 1, arrayBuffer: async () => 2 ** 52 }],
    ['a file that reads as nothing', { size: 1, arrayBuffer: async () => undefined }],
    ['a file that reads as text', { size: 1, arrayBuffer: async () => 'GIF89a' }],
    [
      'a file that throws',
      {
        size: 1,
        arrayBuffer() {
          throw new Error('no');
        },
      },
    ],
  ])('%s is refused', async (_, file) => {
    expect(await refused(file)).toMatch(/^images\.upload: `file` (must be|cannot be|must have)/);
  });
});
