import * as z from 'zod/mini';
import { ids } from '../seed/brand.js';
import { letters } from '../seed/prose.js';
import { DAY, type Micros } from './clock.js';
import { forbidden, unauthorized } from './http.js';
import { moment, optionsSchema, readOptions, word } from './options.js';

/** A permission of a key. */
export type MockPermission = 'read' | 'schedule' | 'publish' | 'delete';

/** Keys of the seeded brand. They are created at run time, so no source file contains anything that looks like a key. */
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
  expires_at: z.optional(moment('expires_at')),
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

  readonly add = (given: MockKeyOptions): string => this.#make(readOptions(keyOptions, given));
  readonly remove = (value: string): unknown => this.#keys.delete(value);
  readonly find = (value: string): ApiKey | undefined => this.#keys.get(value);

  #make({ bulle_id, permissions = PERMISSIONS, expires_at }: z.output<typeof keyOptions>): string {
    this.#made += 1;
    // Joined here, so that no source file contains text that a secret scanner would report as a key.
    const value = ['mlk', 'live', letters(this.#made, 40)].join('_');
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
