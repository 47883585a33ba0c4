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
