import type { QrCodesState, StoredQrCode } from '../model/qr-codes.js';
import type { SeedContext } from '../store.js';
import { DAY, HOUR } from '../timestamps.js';
import { ids } from './brand.js';

const CODES = [
  { bulle_id: ids.bulle, name: 'Comptoir Croix-Rousse', target: 'Avis Google', scans: 412, gate: 4 },
  { bulle_id: ids.bulle, name: 'Sachets à pain', target: 'Site web', scans: 1308, gate: null },
  { bulle_id: ids.otherBulle, name: 'Vitrine Saint-Michel', target: 'Avis Google', scans: 96, gate: 3 },
  { bulle_id: null, name: 'Affiche galette des rois', target: 'Site web', scans: 5271, gate: null },
  // Printed and not put up yet.
  { bulle_id: 'bul_rennes_lices', name: 'Terrasse des Lices', target: 'Carte', scans: 0, gate: null },
] as const;

export function seedQrCodes({ now }: SeedContext): QrCodesState {
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
