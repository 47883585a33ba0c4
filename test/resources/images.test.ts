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

/** An image of a size, with bytes of every value after its head. */
function image(format: keyof typeof HEADS, size: number): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from({ length: size }, (_, index) => (index * 7) % 256);
  bytes.set(HEADS[format].slice(0, size));
  return bytes;
}

const taken = () => stubFetch(json(BODIES['images.upload']));
const sentUri = (fetch: ReturnType<typeof taken>) =>
  (JSON.parse(fetch.calls[0]?.body ?? '{}') as { image_base64?: string }).image_base64;
const expectedUri = (format: string, bytes: Uint8Array) =>
  `data:image/${format};base64,${Buffer.from(bytes).toString('base64')}`;

describe('images.upload({ file })', () => {
  it.each(['jpeg', 'png', 'gif', 'webp'] as const)(
    'tells %s from its bytes, whatever its name or type',
    async (format) => {
      const bytes = image(format, 100);
      const type = 'application/pdf';
      const files = [bytes, bytes.buffer, Buffer.from(bytes), new Blob([bytes], { type }), new File([bytes], 'x.txt')];
      for (const file of files) {
        const fetch = taken();
        await makeClient({ fetch }).images.upload({ file });
        expect(sentUri(fetch)).toBe(expectedUri(format, bytes));
        expect(fetch.calls).toHaveLength(1);
      }
    },
  );

  it('sends only the bytes of a view, not its whole buffer', async () => {
    const whole = new Uint8Array(200);
    whole.set(image('png', 50), 20);
    const fetch = taken();
    await makeClient({ fetch }).images.upload({ file: whole.subarray(20, 70) });
    expect(sentUri(fetch)).toBe(expectedUri('png', image('png', 50)));
  });

  it('sends the bytes as they are at the call', async () => {
    const file = image('png', 50);
    const fetch = taken();
    const call = makeClient({ fetch }).images.upload({ file });
    file.fill(0);
    await call;
    expect(sentUri(fetch)).toBe(expectedUri('png', image('png', 50)));
  });

  it.each([24_575, 24_576, 24_577, 24_578, 49_152])('joins its pieces correctly, %i bytes', async (size) => {
    const fetch = taken();
    await makeClient({ fetch }).images.upload({ file: image('jpeg', size) });
    expect(sentUri(fetch)).toBe(expectedUri('jpeg', image('jpeg', size)));
  });

  it.each(['bytes', 'blob'] as const)('accepts exactly 8 MB: %s', async (kind) => {
    const bytes = image('png', MAX);
    const fetch = taken();
    await makeClient({ fetch }).images.upload({ file: kind === 'blob' ? new Blob([bytes]) : bytes });
    expect(sentUri(fetch)).toBe(expectedUri('png', bytes));
  });

  it.each(['bytes', 'blob'] as const)('refuses one byte more: %s', async (kind) => {
    const bytes = image('png', MAX + 1);
    const blob = new Blob([bytes]);
    blob.arrayBuffer = () => {
      throw new Error('a file that is too large is not read');
    };
    const fetch = taken();
    const error = await caught(
      makeClient({ fetch }).images.upload({ file: kind === 'blob' ? blob : bytes }),
      InvalidRequestError,
    );
    expect(error.issues).toEqual([
      { path: ['file'], message: `must have at most 8 MB (${MAX} bytes); this file has ${MAX + 1}` },
    ]);
    expect(error).toMatchObject({ operation: 'images.upload', method: 'POST', path: '/images/upload', attempts: 0 });
    expect(fetch.calls).toHaveLength(0);
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['SVG', new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['HEIC', Uint8Array.from([0, 0, 0, 24, ...Buffer.from('ftypheic')])],
    ['BMP', Buffer.from('BM______________')],
    ['RIFF that is a sound', Buffer.from('RIFF____WAVEfmt ')],
    ['a JPEG cut after two bytes', Uint8Array.from([0xff, 0xd8])],
    ['a GIF of another version', Buffer.from('GIF88a')],
  ])('refuses %s by its bytes', async (_, file) => {
    const fetch = taken();
    const error = await caught(
      makeClient({ fetch }).images.upload({ file: new Blob([Uint8Array.from(file)], { type: 'image/png' }) }),
      InvalidRequestError,
    );
    expect(error.message).toBe('images.upload: `file` must be a JPEG, PNG, WebP or GIF image.');
    expect(fetch.calls).toHaveLength(0);
  });

  it.each([
    ['a path', 'photo.jpg'],
    ['null', null],
    ['a number', 7],
    ['an object', {}],
    ['a list', [1, 2]],
  ])('refuses %s', async (_, file) => {
    const fetch = taken();
    const error = await caught(makeClient({ fetch }).images.upload({ file: file as Blob }), InvalidRequestError);
    expect(error.message).toContain('`file` must be a Blob, ArrayBuffer or Uint8Array');
    expect(fetch.calls).toHaveLength(0);
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
    const fetch = taken();
    await makeClient({ fetch }).images.upload({ file: buffer });
    expect(sentUri(fetch)).toBe(expectedUri('gif', bytes));
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
    const fetch = taken();
    const error = await caught(makeClient({ fetch }).images.upload(params as { url: string }), InvalidRequestError);
    expect(error.message).toMatch(
      /`(url|file)` must be the only one: pass exactly one of `url`, `image_base64` and `file`\.$/,
    );
    expect(error).toMatchObject({ operation: 'images.upload', method: 'POST', path: '/images/upload' });
    expect(fetch.calls).toHaveLength(0);
  });

  it('sends an address unchanged', async () => {
    const fetch = taken();
    await makeClient({ fetch }).images.upload({ url: 'https://x.test/1.png' });
    expect(JSON.parse(fetch.calls[0]?.body ?? '')).toEqual({ url: 'https://x.test/1.png' });
  });

  it('refuses unknown names, also next to a file', async () => {
    const fetch = taken();
    for (const source of [{ url: 'https://x.test' }, { file }] as const) {
      const error = await caught(
        makeClient({ fetch }).images.upload(Object.assign(source, { alt: 'x' })),
        InvalidRequestError,
      );
      expect(error.issues.map(({ path }) => path)).toEqual([['alt']]);
    }
    expect(fetch.calls).toHaveLength(0);
  });
});

describe('images.upload({ image_base64 })', () => {
  const uri = (size: number, type = 'png') =>
    `data:image/${type};base64,${Buffer.alloc(size, 0xab).toString('base64')}`;

  it.each(['jpeg', 'jpg', 'png', 'webp', 'gif', 'PNG'])('sends image/%s unchanged', async (type) => {
    const fetch = taken();
    await makeClient({ fetch }).images.upload({ image_base64: uri(10, type) });
    expect(sentUri(fetch)).toBe(uri(10, type));
  });

  it.each([0, 1, 2])('accepts 8 MB decoded and refuses one more byte, %i short of three', async (short) => {
    const fetch = taken();
    await makeClient({ fetch }).images.upload({ image_base64: uri(MAX - short) });
    expect(fetch.calls).toHaveLength(1);
    const error = await caught(
      makeClient({ fetch }).images.upload({ image_base64: uri(MAX + 1 + short) }),
      InvalidRequestError,
    );
    expect(error.message).toBe(`images.upload: \`image_base64\` must have at most 8 MB (${MAX} bytes) once decoded.`);
    expect(fetch.calls).toHaveLength(1);
  });

  it.each([
    ['plain base64', 'iVBORw0KGgo='],
    ['SVG', 'data:image/svg+xml;base64,PHN2Zy8+'],
    ['HEIC', 'data:image/heic;base64,AAAA'],
    ['a text', 'data:text/plain;base64,AAAA'],
    ['no base64', 'data:image/png,AAAA'],
    ['nothing in it', 'data:image/png;base64,'],
    ['only padding', 'data:image/png;base64,=='],
    ['a line end', 'data:image/png;base64,AAAA\nAAAA'],
    ['letters of base64url', 'data:image/png;base64,AA-_'],
    ['an address', 'https://x.test/1.png'],
    ['no string', 7],
  ])('refuses %s', async (_, image_base64) => {
    const fetch = taken();
    const error = await caught(
      makeClient({ fetch }).images.upload({ image_base64: image_base64 as string }),
      InvalidRequestError,
    );
    expect(error.issues.map(({ path }) => path)).toEqual([['image_base64']]);
    expect(fetch.calls).toHaveLength(0);
  });
});

describe('hostile files', () => {
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

  it('a Blob of jsdom, which has no arrayBuffer, is named', async () => {
    const file = Object.defineProperty(new File([bytesOf(PNG)], 'a.png'), 'arrayBuffer', { value: undefined });
    expect(await refused(file)).toBe(
      'images.upload: `file` must have a method `arrayBuffer`, which the Blob of jsdom lacks: pass its bytes.',
    );
  });

  describe('images.upload of a hostile file: its size', () => {
    const lying = (size: number, bytes: Uint8Array) => ({ size, arrayBuffer: async () => bytes.buffer });

    it.each([0, 1, -1, Number.NaN])('a file that claims %d bytes and has 8 MB to the byte is sent', async (size) => {
      expect(await sent(lying(size, png(MAX)))).toHaveLength(22 + (MAX + 1) * (4 / 3));
    });

    it.each([0, 1, -1, Number.NaN])(
      'a file that claims %d bytes and has one byte too many is refused',
      async (size) => {
        expect(await refused(lying(size, png(MAX + 1)))).toContain('`file` must have at most 8 MB');
      },
    );

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
      new (
        ArrayBuffer as unknown as new (
          size: number,
          options: object,
        ) => ArrayBuffer & { resize(size: number): void }
      )(size, {
        maxByteLength: 100,
      });

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
});
