import type { LiteralUnion } from 'type-fest';
import type { Permission, Platform } from './types.js';

/** The location of a bubble key. */
export interface IdentityBulle {
  /** The `bulle_id` of the location. */
  id: string;
  /** Name of the location. */
  name: string;
  /** City of the location. */
  city?: string | null;
}

/** The brand that a key belongs to. */
export interface IdentitySphere {
  /** Id of the brand. */
  id: string;
  /** Name of the brand. */
  name: string;
  /** The brand's name in a form for URLs. */
  slug?: string | null;
}

/** A Google business listing (`fiche`) that a key covers. */
export interface IdentityFiche {
  /** The `fiche_id`, of the form `accounts/<id>/locations/<id>`. */
  id: string;
  /** Name of the listing. */
  name: string;
  /** Postal address of the listing. */
  address?: string | null;
  /** `true` for a business that serves an area and has no shop front. */
  service_area?: boolean | null;
}

/** The request budget of a key. */
export interface RateLimits {
  /** Requests per minute, 60 by default. */
  per_minute: number;
  /** Requests per day, 1000 by default. */
  per_day: number;
}

/** The scope, the permissions and the limits of a key: the response of `GET /me`. */
export interface Identity {
  /** `'2.0'` in this version of the service. */
  api_version: string;
  /** The location of a bubble key; `null` for a sphere key, which covers the whole brand. */
  bulle: IdentityBulle | null;
  /** The brand of the key. */
  sphere: IdentitySphere;
  /** The permissions of the key, which were chosen at its creation. */
  permissions: LiteralUnion<Permission, string>[];
  /** The request limits of the key. */
  rate_limits: RateLimits;
  /** The platforms with a connected account. `client.connections.list()` has the accounts. */
  connected_platforms: Platform[];
  /** The listings that the key covers. A sphere key covers all listings of the brand. */
  gmb_fiches: IdentityFiche[];
}

/** The scope of a key: one location (a bubble key) or the whole brand (a sphere key). */
export type Scope =
  | {
      /** A bubble key, which covers one location. */
      kind: 'bulle';
      /** The location of the key. */
      bulle: IdentityBulle;
    }
  | {
      /** A sphere key, which covers the whole brand. */
      kind: 'sphere';
    };

/** Returns the scope of a key. Only a bubble key has a `bulle`. */
export function scopeOf(identity: Identity): Scope {
  return identity.bulle ? { kind: 'bulle', bulle: identity.bulle } : { kind: 'sphere' };
}
