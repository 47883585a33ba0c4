import * as z from 'zod/mini';
import { DAY, HOUR, type Micros, served } from '../engine/clock.js';
import { created, ok } from '../engine/http.js';
import { defineResource, route } from '../engine/router.js';
import { isHttpUrl, text } from '../engine/schema.js';
import { none, on, reading, writing } from '../engine/scope.js';
import type { SeedContext } from '../engine/store.js';
import { ids } from '../seed/brand.js';
import { letters } from '../seed/prose.js';

/** A QR code that was never scanned. `bulle_id` is `null` if it belongs to the brand, and `target` is a label. */
const newCode = (id: number, bulle_id: string | null, name: string, target: string, created_at: Micros) => ({
  id,
  sphere_id: ids.sphere,
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
      .map(({ sphere_id: _brand, ...code }) => served(code)),
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
const create = writing(on.bulleOrBrand, order, ({ store, clock }, { target_url, ...look }, bulle) => {
  const state = store.get(qrCodesSlice);
  const code = newCode(state.next_id, bulle?.id ?? null, look.name, new URL(target_url).host, clock.stamp());
  state.next_id += 1;
  state.items.push(code);
  const { id, name, scan_count, created_at } = code;
  const token = letters(id, 7);
  return created({
    id,
    name,
    target_url,
    short_url: `https://qr.example.com/${token}`,
    png_url: `https://images.example.com/qr/${token}.png`,
    color_hex: look.color_hex,
    with_logo: look.with_logo,
    ...served({ scan_count, created_at }),
  });
});

export const qrCodes = defineResource({
  slices: [qrCodesSlice],
  routes: [
    route('GET /qr-codes', 'read', 'qrCodes.list', list),
    route('POST /qr-codes', 'publish', 'qrCodes.create', create),
  ],
});
