import { encode } from 'uqr';
import * as z from 'zod/mini';
import { DAY, HOUR, type Micros, served } from '../engine/clock.js';
import { created, file, ok, type Reply } from '../engine/http.js';
import { defineResource, route } from '../engine/router.js';
import { isHttpUrl, text } from '../engine/schema.js';
import { none, on, reading, writing } from '../engine/scope.js';
import type { SeedContext, Service } from '../engine/store.js';
import { ids } from '../seed/brand.js';
import { letters } from '../seed/prose.js';

/** What the picture of a QR code shows. */
interface Look {
  readonly target_url: string;
  readonly color_hex: string;
}

/** A QR code that was never scanned. `bulle_id` is `null` if it belongs to the brand, and `target` is a label. */
const newCode = (id: number, bulle_id: string | null, name: string, target: string, created_at: Micros) => ({
  id,
  sphere_id: ids.sphere,
  /** The seeded ones have no picture, because lists do not show its address. */
  look: null as Look | null,
  bulle_id,
  name,
  target,
  scan_count: 0,
  last_scanned_at: null as Micros | null,
  is_active: true,
  // Whether customers first choose a number of stars, and the number from which they are sent to Google.
  gate_enabled: false,
  gate_threshold: 4,
  created_at,
});

const CODES = [
  { bulle_id: ids.bulle, name: 'Comptoir Croix-Rousse', target: 'Avis Google', scans: 412, gate: 4 },
  { bulle_id: ids.bulle, name: 'Sachets à pain', target: 'Site web', scans: 1308, gate: null },
  { bulle_id: ids.otherBulle, name: 'Vitrine Saint-Michel', target: 'Avis Google', scans: 96, gate: 3 },
  { bulle_id: null, name: 'Affiche galette des rois', target: 'Site web', scans: 5271, gate: null },
  { bulle_id: 'bul_rennes_lices', name: 'Terrasse des Lices', target: 'Carte', scans: 0, gate: null },
];

function seedQrCodes({ now }: SeedContext) {
  const items = CODES.map(({ bulle_id, name, target, scans, gate }, index) => ({
    ...newCode(index + 1, bulle_id, name, target, now - (200 - 40 * index) * DAY),
    scan_count: scans,
    last_scanned_at: scans === 0 ? null : now - (2 + 5 * index) * HOUR,
    gate_enabled: gate !== null,
    gate_threshold: gate ?? 4,
  }));
  return { next_id: 101, items };
}

const qrCodesSlice = { name: 'qr_codes', seed: seedQrCodes };

/** GET /qr-codes: the QR codes of the brand are only in the list of the whole brand, not in that of one location. */
const list = reading(on.bulleOrBrand, none, ({ store, key }, _, bulle) =>
  ok(
    store
      .get(qrCodesSlice)
      .items.filter((code) => (bulle === undefined ? code.sphere_id === key.sphere_id : code.bulle_id === bulle.id))
      .map(({ sphere_id: _brand, look: _look, ...code }) => served(code)),
  ),
);

const order = z.object({
  target_url: z.string().check(z.refine(isHttpUrl, 'doit être une adresse http:// ou https://')),
  name: text({ min: 1 }),
  color_hex: z._default(
    z.string().check(z.refine((color) => /^#[0-9a-f]{6}$/i.test(color), 'doit avoir la forme `#RRGGBB`')),
    '#000000',
  ),
  with_logo: z._default(z.boolean(), false),
});

/** POST /qr-codes: without a location, a sphere key creates a QR code of the brand. */
const create = writing(on.bulleOrBrand, order, ({ store, clock, files }, sent, bulle) => {
  const { name, target_url, color_hex, with_logo } = sent;
  const state = store.get(qrCodesSlice);
  const code = newCode(state.next_id, bulle?.id ?? null, name, new URL(target_url).host, clock.stamp());
  state.next_id += 1;
  state.items.push({ ...code, look: { target_url, color_hex } });
  const { id, scan_count, created_at } = code;
  const short_url = `${files}/qr/${tokenOf(code)}`;
  return created({
    id,
    name,
    target_url,
    short_url,
    png_url: `${short_url}.png`,
    color_hex,
    with_logo,
    ...served({ scan_count, created_at }),
  });
});

const tokenOf = ({ id }: { id: number }): string => letters(id, 7);

/** The longest address whose picture is one block of a PNG, in bytes. */
const LONGEST = 400;

/** The picture of a QR code, or a scan of it: a redirect to its target. */
function serveCode({ store, clock, files }: Service, name: string): Reply | undefined {
  const [, token, isPicture] = /^(\w+)(\.png)?$/.exec(name) ?? [];
  const code = store.get(qrCodesSlice).items.find((one) => tokenOf(one) === token);
  if (!code?.look) return undefined;
  const { target_url, color_hex } = code.look;
  if (isPicture) {
    const isShort = new TextEncoder().encode(target_url).length <= LONGEST;
    const { data } = encode(isShort ? target_url : `${files}/qr/${token}`, { ecc: 'M', border: 4 });
    return file(pngOf(data, Number(`0x${color_hex.slice(1)}`)), 'image/png');
  }
  code.scan_count += 1;
  code.last_scanned_at = clock.now();
  return { status: 302, headers: { location: new URL(target_url).href } };
}

const int32 = (value: number): number[] => [value >>> 24, value >>> 16, value >>> 8, value].map((part) => part & 255);

function crc32(bytes: readonly number[]): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}

function adler32(bytes: readonly number[]): number {
  let [low, high] = [1, 0];
  for (const byte of bytes) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return high * 65_536 + low;
}

/** A PNG of two colours, one bit a pixel. A module has 8 × 8 pixels. It is not compressed: browsers cannot do that at once. */
function pngOf(modules: readonly (readonly boolean[])[], color: number): Uint8Array<ArrayBuffer> {
  const chunk = (name: string, data: readonly number[]) => {
    const content = [...[...name].map((letter) => letter.charCodeAt(0)), ...data];
    return [...int32(data.length), ...content, ...int32(crc32(content))];
  };
  const lines = modules.flatMap((row) => Array(8).fill([0, ...row.map((isDark) => (isDark ? 255 : 0))]) as number[][]);
  const pixels = lines.flat();
  const [low, high] = [pixels.length & 255, pixels.length >>> 8];
  return Uint8Array.from([
    ...[137, 80, 78, 71, 13, 10, 26, 10],
    ...chunk('IHDR', [...int32(lines.length), ...int32(lines.length), 1, 3, 0, 0, 0]),
    ...chunk('PLTE', [255, 255, 255, ...int32(color).slice(1)]),
    ...chunk('IDAT', [0x78, 1, 1, low, high, low ^ 255, high ^ 255, ...pixels, ...int32(adler32(pixels))]),
    ...chunk('IEND', []),
  ]);
}

export const qrCodes = defineResource({
  slices: [qrCodesSlice],
  files: { qr: serveCode },
  routes: [
    route('GET /qr-codes', 'read', 'qrCodes.list', list),
    route('POST /qr-codes', 'publish', 'qrCodes.create', create),
  ],
});
