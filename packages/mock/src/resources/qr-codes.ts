import * as z from 'zod/mini';
import { DAY, formatInstant, HOUR, type Micros, served } from '../engine/clock.js';
import { created, ok, type Reply } from '../engine/http.js';
import { defineResource, type Exchange, route } from '../engine/router.js';
import { bodyTarget, isHttpUrl, readBody, readQuery, target, text } from '../engine/schema.js';
import { listedBulle } from '../engine/scope.js';
import type { SeedContext, Slice } from '../engine/store.js';
import { ids } from '../seed/brand.js';
import { letters } from '../seed/prose.js';

interface StoredQrCode {
  readonly id: number;
  readonly sphere_id: string;
  /** `null`: the QR code belongs to the brand. */
  readonly bulle_id: string | null;
  readonly name: string;
  /** Label of the target. */
  readonly target: string;
  readonly scan_count: number;
  /** `null` before the first scan. */
  readonly last_scanned_at: Micros | null;
  readonly is_active: boolean;
  /** Whether customers first choose a number of stars, and the number from which they are sent to Google. */
  readonly gate_enabled: boolean;
  readonly gate_threshold: number;
  readonly created_at: Micros;
}

interface QrCodesState {
  next_id: number;
  readonly items: StoredQrCode[];
}

const CODES = [
  { bulle_id: ids.bulle, name: 'Comptoir Croix-Rousse', target: 'Avis Google', scans: 412, gate: 4 },
  { bulle_id: ids.bulle, name: 'Sachets à pain', target: 'Site web', scans: 1308, gate: null },
  { bulle_id: ids.otherBulle, name: 'Vitrine Saint-Michel', target: 'Avis Google', scans: 96, gate: 3 },
  { bulle_id: null, name: 'Affiche galette des rois', target: 'Site web', scans: 5271, gate: null },
  // A QR code that was never scanned.
  { bulle_id: 'bul_rennes_lices', name: 'Terrasse des Lices', target: 'Carte', scans: 0, gate: null },
] as const;

function seedQrCodes({ now }: SeedContext): QrCodesState {
  const items = CODES.map(
    ({ bulle_id, name, target, scans, gate }, index): StoredQrCode => ({
      id: index + 1,
      sphere_id: ids.sphere,
      bulle_id,
      name,
      target,
      scan_count: scans,
      last_scanned_at: scans === 0 ? null : now - (2 + 5 * index) * HOUR,
      is_active: true,
      gate_enabled: gate !== null,
      gate_threshold: gate ?? 4,
      created_at: now - (200 - 40 * index) * DAY,
    }),
  );
  return { next_id: 101, items };
}

const qrCodesSlice: Slice<QrCodesState> = { name: 'qr_codes', seed: seedQrCodes };

const listQuery = z.object({ bulle_id: target });

/** GET /qr-codes: the QR codes of the brand are only in the list of the whole brand, not in that of one location. */
function list({ service, key, query }: Exchange): Reply {
  const bulle = listedBulle(service.store, key, readQuery(listQuery, query).bulle_id);
  return ok(
    service.store
      .get(qrCodesSlice)
      .items.filter((code) => (bulle === undefined ? code.sphere_id === key.sphere_id : code.bulle_id === bulle.id))
      .map(item),
  );
}

const item = ({ sphere_id: _brand, ...code }: StoredQrCode) => served(code);

const newCode = z.object({
  target_url: z.string().check(z.refine(isHttpUrl, 'doit être une adresse http:// ou https://')),
  name: text({ min: 1 }),
  color_hex: z._default(
    z.string().check(z.refine((color) => /^#[0-9a-f]{6}$/i.test(color), 'doit avoir la forme `#RRGGBB`')),
    '#000000',
  ),
  with_logo: z._default(z.boolean(), false),
  bulle_id: bodyTarget,
});

/** POST /qr-codes: without a location, a sphere key creates a QR code of the brand. */
function create({ service, key, body }: Exchange): Reply {
  const { target_url, name, color_hex, with_logo, bulle_id } = readBody(newCode, body);
  const bulle = listedBulle(service.store, key, bulle_id);

  const state = service.store.get(qrCodesSlice);
  const code: StoredQrCode = {
    id: state.next_id,
    sphere_id: key.sphere_id,
    bulle_id: bulle?.id ?? null,
    name,
    target: new URL(target_url).host,
    scan_count: 0,
    last_scanned_at: null,
    is_active: true,
    gate_enabled: false,
    gate_threshold: 4,
    created_at: service.clock.stamp(),
  };
  state.next_id += 1;
  state.items.push(code);
  const token = letters(code.id, 7);
  return created({
    id: code.id,
    name,
    target_url,
    short_url: `https://qr.example.com/${token}`,
    png_url: `https://images.example.com/qr/${token}.png`,
    color_hex,
    with_logo,
    scan_count: code.scan_count,
    created_at: formatInstant(code.created_at),
  });
}

export const qrCodes = defineResource({
  slices: [qrCodesSlice],
  routes: [
    route('GET /qr-codes', 'read', 'qrCodes.list', list),
    route('POST /qr-codes', 'publish', 'qrCodes.create', create),
  ],
});
