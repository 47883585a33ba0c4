import type { LiteralUnion } from 'type-fest';

/** The permissions that a key may hold, chosen when the key is created. */
export type Permission = 'read' | 'schedule' | 'publish' | 'delete';

/** The HTTP methods of the service. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Did a write happen? Reads are always `not_applied`.
 *
 * - `not_applied`: nothing was sent, or the service refused (4xx but 408).
 * - `unknown`: it was sent and no answer says what became of it (5xx, 408, redirect, time-out, broken connection).
 * - `applied`: the service answered 2xx, whatever was wrong with the answer.
 */
export type Outcome = 'not_applied' | 'unknown' | 'applied';

/** What is wrong with one field: where it stands and what was expected there, never the value itself. */
export interface Issue {
  /** Keys and indexes from the root, `[]` for the whole. */
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

/** The social platforms that posts can be sent to. */
export type PlatformName = (typeof PLATFORMS)[number];

/** A platform in a response: new ones may appear before this version knows them. */
export type Platform = LiteralUnion<PlatformName, string>;

/** A field for each platform: `scheduled_facebook`, `scheduled_instagram` … */
export type PerPlatform<Prefix extends string, Value> = { [Name in PlatformName as `${Prefix}_${Name}`]?: Value };

/** Which location a call is for. */
export interface BulleTarget {
  /** The location; a bubble key has one of its own. `client.forBulle` fills it in. */
  bulle_id?: string | undefined;
}

/** Which listing a call is for. */
export interface FicheTarget {
  /** The listing, as `accounts/<id>/locations/<id>`; needed by a key that covers several. `client.forFiche` fills it in. */
  fiche_id?: string | undefined;
}

/** A moment in a parameter: a `Date`, or an ISO 8601 string that goes to the service as it is. */
export type Timestamp = Date | string;

/**
 * What an operation would do, had it not been a dry run. Nothing was executed and no quota was used.
 * The specification does not show the fields of each operation: they begin with `would_`.
 */
export interface DryRunPreview {
  /** `true`, or absent if the preview has a field that begins with `would_`. */
  dry_run?: true;

  /** The quota as it stands. */
  quota?: unknown;
  [would: `would_${string}`]: unknown;
}

/** Whether a costly operation is only previewed. */
export interface DryRunOption<Only extends boolean | undefined> {
  /** `true` executes nothing, spends nothing, and shows what would be done. */
  dry_run?: Only;
}

/** A preview if `dry_run` is `true`, the result of the operation otherwise. */
export type DryRunResult<Only extends boolean | undefined, Result> = Only extends true ? DryRunPreview : Result;
