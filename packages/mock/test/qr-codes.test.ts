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
      ...{ short_url: expect.stringMatching(/^https:/), png_url: expect.stringMatching(/\.png$/) },
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
});
