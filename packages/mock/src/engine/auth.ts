import * as z from 'zod/mini';
import { ids } from '../seed/brand.js';
import { DAY, fromMillis, type Micros, parseInstant } from './clock.js';
import { forbidden, unauthorized } from './http.js';
import { optionsSchema, readOptions, word } from './options.js';

/** A permission of a key. */
export type MockPermission = 'read' | 'schedule' | 'publish' | 'delete';

/**
 * Keys of the seeded brand. They are created at run time, so no source file contains anything that looks like a key.
 */
export interface MockKeys {
  /** A sphere key with every permission. */
  readonly sphere: string;
  /** A bubble key with every permission. Its location has one Google listing. */
  readonly bulle: string;
  /** A sphere key with only the permission `read`. */
  readonly readOnly: string;
  /** A sphere key that has expired: every request gets a 401. */
  readonly expired: string;
}

/** Options of `addKey`. */
export interface MockKeyOptions {
  /** The location of a bubble key. Without it, the key is a sphere key. */
  bulle_id?: string | undefined;
  /** Permissions of the key. @default every permission */
  permissions?: readonly MockPermission[] | undefined;
  /** End of the key's validity, on the mock's clock. @default never */
  expires_at?: Date | string | undefined;
}

export interface ApiKey {
  readonly value: string;
  readonly sphere_id: string;
  /** `null` for a sphere key. */
  readonly bulle_id: string | null;
  readonly permissions: readonly MockPermission[];
  readonly expires_at: Micros | null;
}

export const KEY_HEADER = 'x-api-key';

const PERMISSIONS = ['read', 'schedule', 'publish', 'delete'] as const satisfies readonly MockPermission[];

const keyOptions = optionsSchema('addKey', {
  bulle_id: z.optional(z.string()),
  permissions: z.optional(z.readonly(z.array(word('permission', PERMISSIONS)))),
  expires_at: z.optional(
    z.pipe(
      z.custom<Date | string>(),
      z.transform((expiry, { issues }): Micros => {
        const instant = typeof expiry === 'string' ? parseInstant(expiry) : fromMillis(Number(expiry));
        if (instant !== undefined && !Number.isNaN(instant)) return instant;
        issues.push({ code: 'custom', message: 'expires_at is not a valid date', input: expiry });
        return z.NEVER;
      }),
    ),
  ),
});

/** The keys that exist. They are not part of the snapshot, because the service itself holds only their hashes. */
export class KeyRing {
  readonly #keys = new Map<string, ApiKey>();
  #made = 0;

  /** The four keys that every mock starts with. Their values are the same in each mock. */
  seed(now: Micros): MockKeys {
    return {
      sphere: this.#make({}),
      bulle: this.#make({ bulle_id: ids.bulle }),
      readOnly: this.#make({ permissions: ['read'] }),
      expired: this.#make({ expires_at: now - DAY }),
    };
  }

  add(given: MockKeyOptions): string {
    return this.#make(readOptions(keyOptions, given));
  }

  remove(value: string): void {
    this.#keys.delete(value);
  }

  find(value: string): ApiKey | undefined {
    return this.#keys.get(value);
  }

  #make({ bulle_id, permissions = PERMISSIONS, expires_at }: z.output<typeof keyOptions>): string {
    this.#made += 1;
    // Joined here, so that no source file contains text that a secret scanner would report as a key.
    const value = ['mlk', 'live', token(this.#made)].join('_');
    this.#keys.set(value, {
      value,
      sphere_id: ids.sphere,
      bulle_id: bulle_id ?? null,
      permissions: PERMISSIONS.filter((permission) => permissions.includes(permission)),
      expires_at: expires_at ?? null,
    });
    return value;
  }
}

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

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** 40 characters that look random and are the same for the same number. */
function token(number: number): string {
  let state = (number * 2_654_435_761) >>> 0;
  let text = '';
  while (text.length < 40) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += ALPHABET[(state >>> 16) % ALPHABET.length];
  }
  return text;
}
