import { describe, expect, it } from 'vitest';
import { DryRunUnsupportedError, InvalidRequestError, MissingPermissionError } from '../../src/index.js';
import { BODIES } from '../spec/bodies.js';
import { caught, makeClient, rejection } from '../support/clients.js';
import { BULLE_IDENTITY } from '../support/fixtures.js';
import { json, refuse, stubFetch } from '../support/stub-fetch.js';

const MAX = 8 * 1024 * 1024;
const HEADS = {
  jpeg: [0xff, 0xd8, 0xff, 0xe0],
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  gif: [...'GIF89a'].map((letter) => letter.charCodeAt(0)),
  webp: [...'RIFF\x01\x02\x03\x04WEBP'].map((letter) => letter.charCodeAt(0)),
} as const;

const EVERY_VALUE = Buffer.from(Array.from({ length: 256 }, (_, index) => (index * 7) % 256));

/** An image of a size, with bytes of every value after its head. */
function image(format: keyof typeof HEADS, size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Buffer.alloc(size, EVERY_VALUE));
  bytes.set(HEADS[format].slice(0, size));
  return bytes;
}

const bytesOf = (...parts: (string | readonly number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : part)));
const taken = () => stubFetch(json(BODIES['images.upload']));
const dataUri = (format: string, bytes: Uint8Array) =>
  `data:image/${format};base64,${Buffer.from(bytes).toString('base64')}`;

/** What is sent for a file. */
async function sent(params: object): Promise<string> {
  const fetch = taken();
  await makeClient({ fetch }).images.upload(params as { file: Blob });
  expect(fetch.calls).toHaveLength(1);
  return (JSON.parse(fetch.calls[0]?.body ?? '{}') as { image_base64: string }).image_base64;
}

/** The refusal, before anything is sent. */
async function refused(params: object): Promise<InvalidRequestError> {
  const fetch = taken();
  const error = await caught(makeClient({ fetch }).images.upload(params as { file: Blob }), InvalidRequestError);
  expect(error).toMatchObject({ operation: 'images.upload', method: 'POST', path: '/images/upload', attempts: 0 });
  expect(fetch.calls).toHaveLength(0);
  return error;
}

describe('images.upload({ file })', () => {
  it.each(['jpeg', 'png', 'gif', 'webp'] as const)(
    'tells %s from its bytes, whatever its name or type',
    async (format) => {
      const bytes = image(format, 100);
      const type = 'application/pdf';
      const files = [bytes, bytes.buffer, Buffer.from(bytes), new Blob([bytes], { type }), new File([bytes], 'x.txt')];
      for (const file of files) expect(await sent({ file })).toBe(dataUri(format, bytes));
    },
  );

  it('sends the bytes as they are at the call', async () => {
    const file = image('png', 50);
    const call = sent({ file });
    file.fill(0);
    expect(await call).toBe(dataUri('png', image('png', 50)));
  });

  it.each([3071, 3072, 3073, 3074, 6144])('joins its pieces correctly, %i bytes', async (size) => {
    expect(await sent({ file: image('jpeg', size) })).toBe(dataUri('jpeg', image('jpeg', size)));
  });

  it.each(['bytes', 'blob'] as const)('accepts 8 MB and not one byte more: %s', { tags: 'long' }, async (kind) => {
    const bytes = image('png', MAX);
    expect(await sent({ file: kind === 'blob' ? new Blob([bytes]) : bytes })).toBe(dataUri('png', bytes));
    const large = image('png', MAX + 1);
    const blob = Object.assign(new Blob([large]), { arrayBuffer: () => expect.unreachable('it is not read') });
    expect((await refused({ file: kind === 'blob' ? blob : large })).issues).toEqual([
      { path: ['file'], message: `must have at most 8 MB (${MAX} bytes); this file has ${MAX + 1}` },
    ]);
  });

  it.each([
    ['nothing', bytesOf('')],
    ['one byte of a JPEG', bytesOf([0xff])],
    ['a JPEG cut after two bytes', bytesOf([0xff, 0xd8])],
    ['a PNG without the end of its signature', bytesOf(HEADS.png.slice(0, 7))],
    ['a GIF without its version', bytesOf('GIF8')],
    ['a GIF of another version', bytesOf('GIF88a')],
    ['a WebP without its name', bytesOf('RIFF\x10\0\0\0WEB')],
    ['RIFF that is a sound', bytesOf('RIFF____WAVEfmt ')],
    ['an image after a byte order mark', bytesOf([0xef, 0xbb, 0xbf], HEADS.png)],
    ['a PNG as text mode leaves it', bytesOf([0x89], 'PNG\n\x1a\n')],
    ['SVG', bytesOf('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['HTML with an image inside', bytesOf('<!doctype html><img>', HEADS.png)],
    ['HEIC', bytesOf('\0\0\0\x18ftypheic')],
    ['base64 of an image', bytesOf(Buffer.from(HEADS.png).toString('base64'))],
  ])('refuses %s, whatever type and name it claims', async (_, bytes) => {
    for (const file of [bytes, new Blob([bytes], { type: 'image/png' }), new File([bytes], 'a.png')]) {
      expect((await refused({ file })).message).toBe('images.upload: `file` must be a JPEG, PNG, WebP or GIF image.');
    }
  });

  it.each([
    ['gif', 'a script', bytesOf('GIF89a/*', '*/=1;alert(1)')],
    ['jpeg', 'a ZIP', bytesOf([0xff, 0xd8, 0xff, 0xe0], 'PK\x03\x04')],
    ['png', 'a page', bytesOf(HEADS.png, '<script>alert(1)</script>')],
    ['webp', 'a sound', bytesOf('RIFF\n.\r\nWEBP', 'WAVEfmt ')],
  ])('sends a %s that is %s too as the image that it is', async (format, _, bytes) => {
    expect(await sent({ file: new Blob([bytes], { type: 'text/html' }) })).toBe(dataUri(format, bytes));
  });

  it('names a Blob of jsdom, which has no arrayBuffer', async () => {
    const file = Object.defineProperty(new File([image('png', 50)], 'a.png'), 'arrayBuffer', { value: undefined });
    expect((await refused({ file })).message).toBe(
      'images.upload: `file` must have `arrayBuffer`, unlike the Blob of jsdom: pass its bytes.',
    );
  });

  describe('that lies about its size', () => {
    const lying = (size: number, bytes: Uint8Array) => ({ file: { size, arrayBuffer: async () => bytes.buffer } });

    it.each([0, 1, -1, Number.NaN])('%d: it is sent, with at most 8 MB', { tags: 'long' }, async (size) => {
      expect(await sent(lying(size, image('png', 50)))).toBe(dataUri('png', image('png', 50)));
      expect((await refused(lying(size, image('png', MAX + 1)))).message).toContain('`file` must have at most 8 MB');
    });

    it.each([MAX + 1, Infinity])('%d: it is refused and not read', async (size) => {
      const file = { size, arrayBuffer: () => expect.fail('read') };
      expect((await refused({ file })).message).toContain('`file` must have at most 8 MB');
    });
  });

  describe('in memory that changes', () => {
    const png = image('png', 50);
    type Resizable = ArrayBuffer & { resize(size: number): void };
    const resizable = (size: number) =>
      Reflect.construct(ArrayBuffer, [size, { maxByteLength: 100 }]) as unknown as Resizable;

    it('is refused if it was transferred to another thread, as a buffer and as a view', async () => {
      const { buffer } = image('png', 50);
      const view = new Uint8Array(buffer);
      structuredClone(buffer, { transfer: [buffer] });
      for (const file of [buffer, view]) {
        expect((await refused({ file })).message).toBe('images.upload: `file` cannot be read.');
      }
    });

    it('is sent with its length at the call, and a view beyond the end of a shrunk buffer is refused', async () => {
      const file = resizable(50);
      new Uint8Array(file).set(png);
      const call = sent({ file });
      const view = new Uint8Array(file, 20, 20);
      file.resize(10);
      expect(await call).toBe(dataUri('png', png));
      expect((await refused({ file: view })).message).toMatch(/`file` must be/);
    });

    it('is sent as a view of every type, also of shared memory, and not with its whole buffer', async () => {
      const shared = new Uint8Array(new SharedArrayBuffer(60), 5, 50);
      shared.set(png);
      expect(await sent({ file: shared })).toBe(dataUri('png', png));
      const { buffer } = image('png', 80);
      new Uint8Array(buffer).set(image('png', 64), 8);
      const views = [new Uint8Array(buffer, 8, 64), new DataView(buffer, 8, 64), new Float64Array(buffer, 8, 8)];
      for (const file of [...views, Buffer.from(buffer, 8, 64)]) {
        expect(await sent({ file })).toBe(dataUri('png', image('png', 64)));
      }
    });
  });

  it.each<[string, unknown, string]>([
    ...['photo.jpg', null, 7, {}, [1, 2], new SharedArrayBuffer(60)].map((file): [string, unknown, string] => [
      JSON.stringify(file),
      file,
      'must be a Blob, ArrayBuffer or Uint8Array',
    ]),
    ['what calls itself an ArrayBuffer', { [Symbol.toStringTag]: 'ArrayBuffer', length: 2 ** 53 - 1 }, ''],
    ['a file that reads as a huge number', { size: 1, arrayBuffer: async () => 2 ** 52 }, ''],
    ['a file that reads as nothing', { size: 1, arrayBuffer: async () => undefined }, 'must be'],
    ['a file that reads as text', { size: 1, arrayBuffer: async () => 'GIF89a' }, 'must be'],
    ['a file that throws', { size: 1, arrayBuffer: () => expect.fail('no') }, 'cannot be read'],
  ])('refuses %s', async (_, file, message) => {
    expect((await refused({ file })).message).toContain(`images.upload: \`file\` ${message}`);
  });

  it('reports a file that cannot be read, with the cause', async () => {
    const broken = new Blob([image('png', 50)]);
    const cause = new DOMException('gone', 'NotReadableError');
    broken.arrayBuffer = () => Promise.reject(cause);
    const error = await caught(makeClient({ fetch: taken() }).images.upload({ file: broken }), InvalidRequestError);
    expect(error).toMatchObject({ message: 'images.upload: `file` cannot be read.', cause });
  });

  it('accepts files of another realm', async () => {
    const { runInNewContext } = await import('node:vm');
    const bytes = image('gif', 20);
    const buffer = runInNewContext('Uint8Array.from(bytes).buffer', { bytes }) as ArrayBuffer;
    expect(buffer instanceof ArrayBuffer).toBe(false);
    expect(await sent({ file: buffer })).toBe(dataUri('gif', bytes));
  });

  it('ends at once with the signal, before and while the file is read', async () => {
    const fetch = taken();
    const { images } = makeClient({ fetch });
    const reason = new Error('enough');
    expect(await rejection(images.upload({ file: image('png', 9) }, { signal: AbortSignal.abort(reason) }))).toBe(
      reason,
    );
    const endless = new Blob([image('png', 50)]);
    endless.arrayBuffer = () => new Promise(() => {});
    const controller = new AbortController();
    const call = images.upload({ file: endless }, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 5);
    expect(await rejection(call)).toBe(reason);
    expect(fetch.calls).toHaveLength(0);
  });

  it('returns the response with withResponse(), and the details of a refusal with its error', async () => {
    const { data, response } = await makeClient({ fetch: taken() })
      .images.upload({ file: image('png', 50) })
      .withResponse();
    expect([data, response.status]).toEqual([BODIES['images.upload'], 200]);
    const client = makeClient({ fetch: stubFetch(refuse(502)) });
    expect(await rejection(client.images.upload({ file: image('png', 50) }))).toMatchObject({
      operation: 'images.upload',
      attempts: 1,
      outcome: 'unknown',
    });
  });

  it('is refused without the permission, and on client.dryRun, with nothing sent', async () => {
    const fetch = taken();
    const client = makeClient({ fetch, identity: { ...BULLE_IDENTITY, permissions: ['read'] } });
    const file = image('png', 50);
    await caught(client.images.upload({ file }), MissingPermissionError);
    const { images } = client.dryRun as { images?: typeof client.images };
    await caught(images?.upload({ file }) ?? Promise.resolve(), DryRunUnsupportedError);
    expect(fetch.calls).toHaveLength(0);
  });
});

describe('images.upload: one source', () => {
  const png = 'data:image/png;base64,iVBORw0KGgo=';
  const file = image('png', 50);

  it.each([
    ['none', {}],
    ['none that is defined', { url: undefined, image_base64: undefined, file: undefined }],
    ['url and image_base64', { url: 'https://x.test/1.png', image_base64: png }],
    ['url and file', { url: 'https://x.test/1.png', file }],
    ['image_base64 and file', { image_base64: png, file }],
    ['all three', { url: 'https://x.test/1.png', image_base64: png, file }],
  ])('refuses %s', async (_, params) => {
    expect((await refused(params)).message).toMatch(
      /`(url|file)` must be the only one: pass `url`, `image_base64` or `file`\.$/,
    );
  });

  it('sends an address unchanged', async () => {
    const fetch = taken();
    await makeClient({ fetch }).images.upload({ url: 'https://x.test/1.png' });
    expect(JSON.parse(fetch.calls[0]?.body ?? '')).toEqual({ url: 'https://x.test/1.png' });
  });

  it('refuses unknown names, also next to a file', async () => {
    for (const source of [{ url: 'https://x.test' }, { file }]) {
      expect((await refused({ ...source, alt: 'x' })).issues).toMatchObject([{ path: ['alt'] }]);
    }
  });
});

describe('images.upload({ image_base64 })', () => {
  const uri = (size: number, type = 'png') =>
    `data:image/${type};base64,${Buffer.alloc(size, 0xab).toString('base64')}`;

  it.each(['jpeg', 'jpg', 'png', 'webp', 'gif', 'PNG', 'png;name=a.png'])('sends image/%s unchanged', async (type) => {
    expect(await sent({ image_base64: uri(10, type) })).toBe(uri(10, type));
  });

  it.each([0, 1, 2])('accepts 8 MB decoded, %i short of three', { tags: 'long' }, async (short) => {
    expect(await sent({ image_base64: uri(MAX - short) })).toBeDefined();
    expect((await refused({ image_base64: uri(MAX + 1 + short) })).message).toBe(
      `images.upload: \`image_base64\` must have at most 8 MB (${MAX} bytes) once decoded.`,
    );
  });

  it.each([
    ['plain base64', 'iVBORw0KGgo='],
    ['SVG', 'data:image/svg+xml;base64,PHN2Zy8+'],
    ['HEIC', 'data:image/heic;base64,AAAA'],
    ['a text', 'data:text/plain;base64,AAAA'],
    ['no base64', 'data:image/png,AAAA'],
    ['no base64 behind a parameter', 'data:image/png;name=a.png,AAAA'],
    ['nothing in it', 'data:image/png;base64,'],
    ['only padding', 'data:image/png;base64,=='],
    ['a line end', 'data:image/png;base64,AAAA\nAAAA'],
    ['letters of base64url', 'data:image/png;base64,AA-_'],
    ['an address', 'https://x.test/1.png'],
    ['no string', 7],
  ])('refuses %s', async (_, image_base64) => {
    expect((await refused({ image_base64 })).issues).toMatchObject([{ path: ['image_base64'] }]);
  });
});
