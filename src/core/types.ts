import type { LiteralUnion } from 'type-fest';

/** The permissions that a key may hold, chosen when the key is created. */
export type Permission = 'read' | 'schedule' | 'publish' | 'delete';

/** The HTTP methods of the service. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Whether a write happened. Reads are always `not_applied`.
 *
 * - `not_applied`: nothing was sent, or the service refused the request (any 4xx except 408).
 * - `unknown`: the request was sent, but no response shows whether the write happened (5xx, 408, redirect, timeout,
 *   broken connection).
 * - `applied`: the service sent a 2xx response, even if that response is invalid.
 */
export type Outcome = 'not_applied' | 'unknown' | 'applied';

/**
 * A problem with one field: its path and the expected value. Received values are not repeated, except an unknown member
 * of an enum among the parameters.
 */
export interface Issue {
  /** Keys and indexes from the root. `[]` means the whole value. */
  readonly path: readonly (string | number)[];
  /** English text for people. It may change between versions. */
  readonly message: string;
}

/** The platforms that posts can be sent to, in the order of the specification. */
export const PLATFORMS = [
  'facebook',
  'instagram',
  'gmb',
  'linkedin',
  'pinterest',
  'tiktok',
  'snapchat',
  'youtube',
] as const;

/**
 * The social platforms that posts can be sent to.
 * @useDeclaredType
 */
export type PlatformName = (typeof PLATFORMS)[number];

/** A platform in a response. The service may return platforms that this version does not know. */
export type Platform = LiteralUnion<PlatformName, string>;

/** A field for each platform: `scheduled_facebook`, `scheduled_instagram` … */
export type PerPlatform<Prefix extends string, Value> = { [Name in PlatformName as `${Prefix}_${Name}`]?: Value };

/**
 * A value for each platform, by its name. The service may return platforms that this version does not know.
 * @interface
 */
export type ByPlatform<Value> = { [Name in PlatformName]?: Value } & { [platform: string]: Value | undefined };

/** The location of a call. */
export interface BulleTarget {
  /**
   * The location. A bubble key needs none, because it covers only one.
   * @remarks `client.forBulle` adds it to each call.
   */
  bulle_id?: string | undefined;
}

/** The listing of a call. */
export interface FicheTarget {
  /**
   * The listing, as `accounts/<id>/locations/<id>`. Required if the key covers several.
   * @remarks `client.forFiche` adds it to each call.
   */
  fiche_id?: string | undefined;
}

/** A moment in a parameter: a `Date`, a moment of `Temporal`, or an ISO 8601 string, which is sent unchanged. */
export type Timestamp = Date | TemporalMoment | string;

/**
 * A `Temporal.Instant` or a `Temporal.ZonedDateTime`, of the runtime or of a polyfill. Other types of `Temporal` are no
 * moments.
 */
export interface TemporalMoment {
  /** Milliseconds since 1970. */
  readonly epochMilliseconds: number;
}

/**
 * When to publish: a `Date`, a moment of `Temporal`, or an ISO 8601 string with `Z` or an offset. The string of a
 * `Temporal.ZonedDateTime` (`2026-12-24T09:00:00+01:00[Europe/Paris]`) needs an offset that fits its time zone.
 */
export type ScheduledAt = Timestamp;

/**
 * The preview of an operation. Nothing was executed and no quota was used. The specification does not list the fields
 * of each preview. Their names begin with `would_`.
 */
export interface DryRunPreview {
  /** `true`, or absent if the preview has a field that begins with `would_`. */
  dry_run?: true;

  /** The current quota. */
  quota?: unknown;
  [would: `would_${string}`]: unknown;
}

/** Whether the body of a response has the marks of a preview. */
export function looksLikePreview(body: unknown): boolean {
  return Object.entries(Object(body)).some(
    ([key, value]) => key.startsWith('would_') || (key === 'dry_run' && value === true),
  );
}

/** The option to preview a costly operation. */
export interface DryRunOption<Only extends boolean | undefined> {
  /** `true` executes nothing and uses no quota. The call then resolves to a preview. */
  dry_run?: Only;
}

/** A preview if `dry_run` is `true`, the result of the operation otherwise. */
export type DryRunResult<Only extends boolean | undefined, Result> = Only extends true ? DryRunPreview : Result;

/** The location of a bubble key. */
export interface IdentityBulle {
  /** The `bulle_id` of the location. */
  id: string;
  /** Name of the location. */
  name?: string | null;
  /** City of the location. */
  city?: string | null;
}

/** The brand that a key belongs to. */
export interface IdentitySphere {
  /** Id of the brand. */
  id: string;
  /** Name of the brand. */
  name?: string | null;
  /** The brand's name in a form for URLs. */
  slug?: string | null;
}

/** A Google business listing (`fiche`) that a key covers. */
export interface IdentityFiche {
  /** The `fiche_id`, of the form `accounts/<id>/locations/<id>`. */
  id: string;
  /** Name of the listing. */
  name?: string | null;
  /** Postal address of the listing. */
  address?: string | null;
  /** `true` for a business that serves an area and has no shop front. */
  service_area: boolean;
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
