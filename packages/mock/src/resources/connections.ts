import * as z from 'zod/mini';
import { DAY, formatNaive, HOUR, MINUTE, type Micros } from '../engine/clock.js';
import { ok } from '../engine/http.js';
import { dateTime, defined, found, optionsSchema, readOptions } from '../engine/options.js';
import { defineResource, route } from '../engine/router.js';
import { none, on, reading } from '../engine/scope.js';
import type { Service, Slice, Store } from '../engine/store.js';
import { ids, type Place, placesOf } from '../seed/brand.js';
import { type MockPlatform, PLATFORMS } from './platforms.js';

/** Fields of a connected account to change. */
export interface MockConnectionPatch {
  /** Whether the account is connected. */
  connected?: boolean | undefined;
  /** Whether the owner must connect the account again. */
  needs_reconnect?: boolean | undefined;
  /** End of the access, ISO 8601. Without an offset it is UTC. */
  expires_at?: string | undefined;
}

/** Changes to connected accounts. The API has no route for them. */
export interface MockConnections {
  /**
   * Changes an account. It expires with `{ expires_at }` of the past, is lost with `{ connected: false }`, and works again
   * with `{ connected: true, needs_reconnect: false, expires_at }`.
   * @throws a `ConfigurationError` if the location has no account on the platform.
   */
  change(bulle_id: string, platform: MockPlatform, patch: MockConnectionPatch): void;
}

/** The account of a location on each platform. None has Snapchat, so that one platform is always refused. */
const namesOf = ({ name, city, fiche }: Place, index: number): Readonly<Record<MockPlatform, string | null>> => ({
  facebook: `Les Fournils d'Augustine ${city}`,
  instagram: `@fournils.augustine.${city.toLowerCase()}`,
  gmb: fiche && name,
  linkedin: index % 2 === 0 ? "Les Fournils d'Augustine" : null,
  pinterest: index % 3 === 0 ? 'fournilsaugustine' : null,
  tiktok: index % 4 === 1 ? `@augustine.${city.toLowerCase()}` : null,
  snapchat: null,
  youtube: index === 1 ? "La chaîne d'Augustine" : null,
});

/** The platforms on which a location has accounts. */
export function platformsOf(place: Place, index: number): MockPlatform[] {
  const names = namesOf(place, index);
  return PLATFORMS.filter((platform) => names[platform] !== null);
}

/** The accounts of a location. Three have problems, none at the first one: not connected, expired, and `needs_reconnect`. */
export const accountsOf = (place: Place, index: number, now: Micros) =>
  platformsOf(place, index).map((platform, position) => {
    const withdrawn = index === 4 && platform === 'linkedin';
    const expired = index === 7 && platform === 'instagram';
    const renewal = index === 2 && platform === 'facebook';
    const left = expired ? -6 * DAY : (20 + ((index * 7 + position * 11) % 50)) * DAY;
    return {
      platform,
      connected: !withdrawn,
      name: namesOf(place, index)[platform] ?? '',
      bulle_id: place.id,
      expires_at: now - (now % MINUTE) + left + (position + 1) * HOUR,
      needs_reconnect: withdrawn || expired || renewal,
    };
  });

type Connection = ReturnType<typeof accountsOf>[number];

export const connectionsSlice: Slice<Connection[]> = {
  name: 'connections',
  seed({ now, bulles }) {
    const state = { connected: true, expires_at: now + 30 * DAY, needs_reconnect: false };
    const outside = { platform: 'facebook', name: 'Marée Haute', bulle_id: ids.outside.bulle, ...state } as const;
    return [...placesOf(bulles).flatMap((place, index) => accountsOf(place, index, now)), outside];
  },
};

export const findConnection = (store: Store, bulleId: string, platform: string): Connection | undefined =>
  store.get(connectionsSlice).find((connection) => connection.bulle_id === bulleId && connection.platform === platform);

/** Whether an account refuses publications until its owner connects it again. */
export const needsReconnect = ({ needs_reconnect, expires_at }: Connection, now: Micros): boolean =>
  needs_reconnect || expires_at <= now;

const list = reading(on.bulleIds, none, ({ store, clock }, _, shown) => {
  const accounts = store.get(connectionsSlice).filter(({ bulle_id }) => shown.has(bulle_id));
  const now = clock.now();
  return ok(
    accounts.map((account) => {
      const expires_at = formatNaive(account.expires_at);
      return { ...account, expires_at, needs_reconnect: needsReconnect(account, now) };
    }),
  );
});

export const connections = defineResource({
  slices: [connectionsSlice],
  routes: [route('GET /connections', 'read', 'connections.list', list)],
});

const patchOptions = optionsSchema('connections.change', {
  connected: z.optional(z.boolean()),
  needs_reconnect: z.optional(z.boolean()),
  expires_at: z.optional(dateTime),
});

export const createConnections = (service: () => Service): MockConnections => ({
  change(bulle_id, platform, patch) {
    const given = defined(readOptions(patchOptions, patch));
    const connection = findConnection(service().store, bulle_id, platform);
    Object.assign(
      found(connection, `connections.change: ${bulle_id} has no account on ${platform}; GET /connections lists them`),
      given,
    );
  },
});
