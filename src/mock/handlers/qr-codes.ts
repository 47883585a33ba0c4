import { created, ok, type Reply, unprocessable } from '../http.js';
import { qrCodesSlice, type StoredQrCode } from '../model/qr-codes.js';
import { listedBulle } from '../scope.js';
import { letters } from '../seed/scatter.js';
import type { Exchange, Resource } from '../service.js';
import { formatInstant, formatOptional } from '../timestamps.js';
import { bodyTarget, isHttpUrl, optionalBoolean, optionalText, queryTarget, requiredText } from '../validate.js';

/** GET /qr-codes: those of the brand itself are listed with the whole brand, not with one location. */
function list({ service, key, query }: Exchange): Reply {
  const target = listedBulle(service.store, key, queryTarget(query, 'bulle_id'));
  return ok(
    service.store
      .get(qrCodesSlice)
      .items.filter((code) => (target === undefined ? code.sphere_id === key.sphere_id : code.bulle_id === target.id))
      .map(item),
  );
}

const item = ({ sphere_id: _brand, ...code }: StoredQrCode) => ({
  ...code,
  last_scanned_at: formatOptional(code.last_scanned_at),
  created_at: formatInstant(code.created_at),
});

/** POST /qr-codes: without a location, the code of a sphere key is the brand's. */
function create({ service, key, body }: Exchange): Reply {
  const target_url = requiredText(body, 'target_url');
  if (!isHttpUrl(target_url)) throw unprocessable('Le champ `target_url` doit être une adresse http:// ou https://.');
  const name = requiredText(body, 'name', { min: 1 });
  const color_hex = optionalText(body, 'color_hex') ?? '#000000';
  if (!/^#[0-9a-f]{6}$/i.test(color_hex)) throw unprocessable('Le champ `color_hex` doit avoir la forme `#RRGGBB`.');
  const with_logo = optionalBoolean(body, 'with_logo') ?? false;
  const bulle = listedBulle(service.store, key, bodyTarget(body, 'bulle_id'));

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

export const qrCodes: Resource = {
  slices: [qrCodesSlice],
  routes: [
    { method: 'GET', path: '/qr-codes', permission: 'read', operation: 'qrCodes.list', handle: list },
    { method: 'POST', path: '/qr-codes', permission: 'publish', operation: 'qrCodes.create', handle: create },
  ],
};
