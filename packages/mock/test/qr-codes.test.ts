import { crc32, inflateSync } from 'node:zlib';
import { encode } from 'uqr';
import { describe, expect, test } from 'vitest';
import { api, call, callList, freshApi } from './helpers.js';

freshApi();

const CODE = { target_url: 'https://augustine.example/carte', name: 'Carte' };
const create = (body: Record<string, unknown> = {}, key = api.keys.sphere) =>
  call(api, 'POST /qr-codes', { key, body: { ...CODE, ...body } });

describe('GET /qr-codes', () => {
  test('of the brand, including its own codes, or of one location', async () => {
    const all = await callList(api, 'GET /qr-codes');
    expect(all).toHaveLength(5);
    for (const code of all) {
      expect(Object.keys(code)).toEqual([
        ...['id', 'bulle_id', 'name', 'target', 'scan_count', 'last_scanned_at', 'is_active', 'gate_enabled'],
        ...['gate_threshold', 'created_at'],
      ]);
      expect(code.last_scanned_at === null).toBe(code.scan_count === 0);
    }
    expect(all.filter(({ bulle_id }) => bulle_id === null)).toHaveLength(1);
    const own = await callList(api, 'GET /qr-codes', { key: api.keys.bulle });
    expect(own.map(({ bulle_id }) => bulle_id)).toEqual([api.ids.bulle, api.ids.bulle]);
    expect(await callList(api, `GET /qr-codes?bulle_id=${api.ids.bulle}`)).toEqual(own);
  });
});

describe('POST /qr-codes', () => {
  test('a sphere key creates a code of the brand, a bubble key one of its location', async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(body).toEqual({
      ...{ ...CODE, id: expect.any(Number), color_hex: '#000000', with_logo: false, scan_count: 0 },
      ...{ short_url: expect.any(String), png_url: `${body.short_url}.png` },
      created_at: expect.stringMatching(/^2026-11-14T09:3/),
    });
    const look = { color_hex: '#A1b2C3', with_logo: true };
    expect((await create(look, api.keys.bulle)).body).toMatchObject(look);
    await create({ bulle_id: api.ids.otherBulle });
    const all = await callList(api, 'GET /qr-codes');
    expect(all.slice(5).map(({ bulle_id }) => bulle_id)).toEqual([null, api.ids.bulle, api.ids.otherBulle]);
    const fresh = { name: 'Carte', target: 'augustine.example', scan_count: 0, last_scanned_at: null };
    expect(all.at(-1)).toMatchObject(fresh);
    expect(await callList(api, 'GET /qr-codes', { key: api.keys.bulle })).toHaveLength(3);
  });

  test.each([
    ['https://augustine.example/carte?é=1', undefined],
    [`https://augustine.example/${'x'.repeat(400)}`, 'short'],
  ])('the picture shows %s, or the short address of a long one, and a scan counts', async (target_url, instead) => {
    const { body } = await create({ target_url, color_hex: '#7c2f1e' });
    const response = await api.handle(String(body.png_url));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    const { size, palette, pixels } = readPng(Buffer.from(await response.arrayBuffer()));
    const { data } = encode(String(instead ? body.short_url : target_url), { ecc: 'M', border: 4 });
    expect([size, palette]).toEqual([8 * data.length, 'ffffff7c2f1e']);
    for (const [y, row] of data.entries()) expect(pixels(8 * y + 3)).toEqual(row.map((isDark) => (isDark ? 255 : 0)));

    const scan = await api.handle(String(body.short_url));
    expect([scan.status, scan.headers.get('location')]).toEqual([302, new URL(target_url).href]);
    const [code] = (await callList(api, 'GET /qr-codes')).slice(-1);
    expect(code).toMatchObject({ scan_count: 1, last_scanned_at: expect.stringMatching(/^2026-11-14T09:3/) });
    expect((await api.handle(`${api.baseUrl}/files/qr/unknown.png`)).status).toBe(404);
  });
});

/** Reads a PNG of one bit a pixel as a viewer does, checksums included. */
function readPng(png: Buffer) {
  expect(png.subarray(1, 8).toString('latin1')).toBe('PNG\r\n\x1a\n');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length; ) {
    const [length, name] = [png.readUInt32BE(at), png.toString('latin1', at + 4, at + 8)];
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(png.subarray(at + 4, at + 8 + length)));
    chunks.set(name, png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const size = chunks.get('IHDR')?.readUInt32BE(0) ?? 0;
  const lines = inflateSync(chunks.get('IDAT') ?? '');
  expect(lines).toHaveLength(size * (1 + size / 8));
  const pixels = (y: number) => [...lines.subarray(y * (1 + size / 8) + 1, (y + 1) * (1 + size / 8))];
  return { size, palette: chunks.get('PLTE')?.toString('hex'), pixels };
}
