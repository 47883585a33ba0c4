import type { MockPlatform } from '../helper-types.js';
import { seedBrand } from '../seed/brand.js';
import type { Slice, Store } from '../store.js';
import type { Micros } from '../timestamps.js';

export interface Sphere {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly default_language: string;
  readonly default_tone: string;
  readonly created_at: Micros;
}

export interface Bulle {
  readonly id: string;
  readonly name: string;
  readonly city: string;
  /** `null`: the sphere's. */
  readonly tone: string | null;
  readonly language: string | null;
  readonly sphere_id: string;
  readonly created_at: Micros;
}

/** A Google business listing. */
export interface Fiche {
  readonly id: string;
  name: string;
  address: string;
  readonly service_area: boolean;
  readonly place_id: string;
  readonly bulle_id: string;
}

export interface Connection {
  readonly platform: string;
  connected: boolean;
  readonly name: string;
  readonly bulle_id: string;
  expires_at: Micros;
  needs_reconnect: boolean;
}

interface SiteBase {
  readonly id: number;
  readonly site_url: string;
  readonly site_name: string;
  readonly sphere_id: string;
  /** `null`: every location of the brand may use it. */
  readonly bulle_id: string | null;
  readonly is_shared: boolean;
}
/** A connected CMS site. Ids count for each platform apart. */
export type Site =
  | (SiteBase & {
      readonly platform: 'wordpress';
      readonly has_api_key: boolean;
      readonly wp_version: string;
      readonly plugin_version: string;
      readonly theme_name: string;
    })
  | (SiteBase & { readonly platform: 'wix'; readonly has_token: boolean });

/** Who exists: the brand of the keys, and a second one that no key of it may reach. */
export interface Brand {
  readonly spheres: readonly Sphere[];
  readonly bulles: readonly Bulle[];
  readonly fiches: readonly Fiche[];
  readonly connections: readonly Connection[];
  readonly sites: readonly Site[];
}

export const brandSlice: Slice<Brand> = { name: 'brand', seed: seedBrand };

/** The order in which the API names platforms. */
export const PLATFORMS = [
  'facebook',
  'instagram',
  'gmb',
  'linkedin',
  'pinterest',
  'tiktok',
  'snapchat',
  'youtube',
] as const satisfies readonly MockPlatform[];

export const findBulle = (store: Store, id: string): Bulle | undefined =>
  store.get(brandSlice).bulles.find((bulle) => bulle.id === id);

export const fichesOf = (store: Store, bulleIds: ReadonlySet<string>): Fiche[] =>
  store.get(brandSlice).fiches.filter((fiche) => bulleIds.has(fiche.bulle_id));

export const findConnection = (store: Store, bulleId: string, platform: string): Connection | undefined =>
  store
    .get(brandSlice)
    .connections.find((connection) => connection.bulle_id === bulleId && connection.platform === platform);

/** Whether an account takes no more publications until somebody gives a new consent. */
export const needsReconnect = ({ needs_reconnect, expires_at }: Connection, now: Micros): boolean =>
  needs_reconnect || expires_at <= now;
