import { ConfigurationError } from 'multilocal/internal/errors';
import * as z from 'zod/mini';
import { served } from '../engine/clock.js';
import { ok, type Reply } from '../engine/http.js';
import { defined, found, optionsSchema, readOptions, rule } from '../engine/options.js';
import { defineResource, type Exchange, route } from '../engine/router.js';
import { brandSlice, bullesInScope, fichesOf, findBulle, namedBulle } from '../engine/scope.js';
import type { Service } from '../engine/store.js';
import { bulleOf, fichesOfPlace, ids, nameOf, placesOf } from '../seed/brand.js';
import { slugify } from '../seed/prose.js';
import { accountsOf, connectionsSlice } from './connections.js';
import { listingsSlice, seedListing } from './gmb.js';

/** A location to add from outside the API. Its listing has its name and its address. */
export interface MockNewBulle {
  /** Id of the location. Default: an id made of the city. */
  id?: string | undefined;
  /** Name of the location and of its listing. Default: the name of the brand, and the city. */
  name?: string | undefined;
  /** City of the location. Default: a French city. */
  city?: string | undefined;
  /** Address of its listing. Default: a street in the city. */
  address?: string | undefined;
  /** Tone of its texts. Without it, the tone of the brand. */
  tone?: string | undefined;
  /** Language of its texts. Without it, the language of the brand. */
  language?: string | undefined;
}

/** The ids of a location that was added. */
export interface MockBulle {
  /** Id of the location. */
  id: string;
  /** Id of its listing, as in GET /me. */
  fiche_id: string;
}

/** Adds locations. The API has no route for that. */
export interface MockBulles {
  /** Adds a location with a listing and accounts, but without texts or reviews. @throws a `ConfigurationError` if the id is taken. */
  add(fields?: MockNewBulle): MockBulle;
}

const list = (exchange: Exchange): Reply => ok(bullesInScope(exchange).map(served));

function get(exchange: Exchange): Reply {
  const { store, params } = exchange;
  const bulle = namedBulle(exchange, params.bulle_id ?? '');
  const sphere = store.get(brandSlice).spheres.find(({ id }) => id === bulle.sphere_id);
  return ok({
    ...served(bulle),
    effective_tone: bulle.tone ?? sphere?.default_tone,
    effective_language: bulle.language ?? sphere?.default_language,
    gmb_fiches_count: fichesOf(store, [bulle]).length,
  });
}

export const bulles = defineResource({
  routes: [
    route('GET /bulles', 'read', 'bulles.list', list),
    route('GET /bulles/{bulle_id}', 'read', 'bulles.get', get),
  ],
});

const filled = z.optional(z.string().check(z.minLength(1, { error: rule('must not be empty') })));

const newBulle = optionsSchema('bulles.add', {
  id: filled,
  name: filled,
  city: filled,
  address: filled,
  tone: filled,
  language: filled,
});

export const createBulles = (service: () => Service): MockBulles => ({
  add(fields = {}) {
    const { id, city, ...given } = readOptions(newBulle, fields);
    const { store, clock } = service();
    const free = (name: string, number = 1): string => {
      const made = `bul_${slugify(name).replaceAll('-', '_')}_${number}`;
      return findBulle(store, made) ? free(name, number + 1) : made;
    };
    if (id !== undefined && findBulle(store, id))
      throw new ConfigurationError(`bulles.add: there is a location ${id} already; pass another id`);
    const brand = store.get(brandSlice);
    const index = brand.bulles.filter(({ sphere_id }) => sphere_id === ids.sphere).length;
    const next = found(placesOf(index + 1)[index], 'the mock has no more places');
    const place = {
      ...next,
      id: id ?? free(city ?? next.city),
      ...(city && { city, name: nameOf(city, next.district), address: `${index} rue de la République, ${city}` }),
      ...defined(given),
    };
    const bulle = bulleOf(place, clock.stamp());
    const fiche = found(fichesOfPlace(place, index)[0], 'only a place of the first ones has no listing');
    brand.bulles.push(bulle);
    brand.fiches.push(fiche);
    store.get(listingsSlice)[fiche.id] = seedListing(place, index, clock.now());
    store.get(connectionsSlice).push(...accountsOf(place, index, clock.now()));
    return { id: bulle.id, fiche_id: fiche.id };
  },
});
