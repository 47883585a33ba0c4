import { describe, expect, test } from 'vitest';
import { api, call, expectInvalid, freshApi } from './helpers.js';

freshApi();

const upload = (body: Record<string, unknown>) => call(api, 'POST /images/upload', { body });
/** An image of `size` bytes that begins as its format does. */
const image = (head: readonly (number | string)[], size = 40, type = 'image/png') => {
  const bytes = Buffer.alloc(size);
  Buffer.concat(head.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part])))).copy(bytes);
  return `data:${type};base64,${bytes.toString('base64')}`;
};
const PNG = [0x89, 'PNG\r\n', 0x1a, '\n'];

describe('POST /images/upload', () => {
  test.each([
    ['jpeg', [0xff, 0xd8, 0xff, 0xe0]],
    ['png', PNG],
    ['webp', ['RIFF', 1, 0, 0, 0, 'WEBPVP8 ']],
    ['gif', ['GIF89a']],
    ['gif', ['GIF87a']],
  ])('%s by its first bytes, whatever the type says', async (format, head) => {
    expect(await upload({ image_base64: image(head, 41, 'image/tiff') })).toEqual({
      status: 200,
      body: { uploaded: true, image_url: expect.stringContaining(`.${format}`), size_bytes: 41, format },
    });
  });

  test('by address: the extension decides', async () => {
    const cases = { 'a.jpg': 'jpeg', 'b.PNG?x=1': 'png', 'c.webp': 'webp', 'd.gif': 'gif', e: 'jpeg' };
    for (const [file, format] of Object.entries(cases)) {
      const { status, body } = await upload({ url: `https://i.example/${file}` });
      expect([status, body.format]).toEqual([200, format]);
      expect(body.size_bytes).toBeGreaterThan(0);
    }
  });

  test('8 MB are 8 × 1024 × 1024 bytes of the image, not of its text', { tags: 'long' }, async () => {
    const limit = 8 * 1024 * 1024;
    expect((await upload({ image_base64: image(PNG, limit) })).body.size_bytes).toBe(limit);
    await expectInvalid(api, 'POST /images/upload', 'image_base64', { body: { image_base64: image(PNG, limit + 1) } });
  });

  test.each([
    ['url', {}],
    ['image_base64', {}],
    ['url', { url: 'https://i.example/a.png', image_base64: image(PNG) }],
    ['url', { url: 'i.example/a.png' }],
    ['url', { url: 'https://i.example/a.svg' }],
    ['url', { url: 5 }],
    ['image_base64', { image_base64: image(PNG).slice('data:image/png;base64,'.length) }],
    ['image_base64', { image_base64: 'data:image/png;base64,%%%%' }],
    ['image_base64', { image_base64: 'data:image/png;base64,iVBORw0' }],
    ['image_base64', { image_base64: image(['<svg xmlns=']) }],
    ['image_base64', { image_base64: image(['RIFF', 0, 0, 0, 0, 'WAVEfmt ']) }],
    ['image_base64', { image_base64: 'data:image/png;base64,' }],
  ])('422 that names %s: %j', (name, body) => expectInvalid(api, 'POST /images/upload', name, { body }));
});

describe('POST /images/generate', () => {
  const generate = (body: Record<string, unknown>, key = api.keys.sphere) =>
    call(api, 'POST /images/generate', { key, body: { prompt: 'Une miche dorée', ...body } });

  test('in the style of the brand by default, then a sphere key names the location', async () => {
    const made = (brand_aligned: boolean) => ({
      status: 200,
      body: { generated: true, image_url: expect.stringMatching(/^https:/), brand_aligned },
    });
    expect(await generate({}, api.keys.bulle)).toEqual(made(true));
    expect(await generate({ bulle_id: api.ids.otherBulle })).toEqual(made(true));
    expect((await generate({ align_with_brand: true })).status).toBe(400);
    expect(await generate({ align_with_brand: false })).toEqual(made(false));
    // A location that is named is checked, needed or not.
    expect((await generate({ align_with_brand: false, bulle_id: api.ids.outside.bulle })).status).toBe(403);
  });
});
