import { forbidden, unauthorized } from './http.js';
import type { ApiKey, KeyRing } from './model/keys.js';
import type { Micros } from './timestamps.js';
import type { MockPermission } from './types.js';

export const KEY_HEADER = 'x-api-key';

/** The key of a request, or the 401. */
export function authenticate(headers: Headers, keys: KeyRing, now: Micros): ApiKey {
  const value = headers.get(KEY_HEADER);
  if (value === null || value === '') throw unauthorized("Clé API manquante : l'en-tête `X-API-Key` est obligatoire.");
  const key = keys.find(value);
  if (key === undefined) throw unauthorized('Clé API invalide.');
  if (key.expires_at !== null && key.expires_at <= now) throw unauthorized('Clé API expirée.');
  return key;
}

export function requirePermission(key: ApiKey, permission: MockPermission): void {
  if (!key.permissions.includes(permission)) {
    throw forbidden(`Cette clé API n'a pas la permission \`${permission}\`.`);
  }
}
