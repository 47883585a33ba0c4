import * as z from 'zod/mini';
import { type Brand, type Bulle, type Fiche, ids, seedBrand } from '../seed/brand.js';
import type { ApiKey } from './auth.js';
import { badRequest, forbidden, notFound } from './http.js';
import type { Exchange } from './router.js';
import { readQuery, target } from './schema.js';
import type { Slice, Store } from './store.js';

export const brandSlice: Slice<Brand> = { name: 'brand', seed: seedBrand };

// The six texts of the specification (section Errors), verbatim. Clients use them to distinguish the cases.
export const BULLE_OUT_OF_SCOPE = "Cet établissement n'appartient pas à votre périmètre.";
const FICHE_OUT_OF_SCOPE = "Cette fiche GMB n'appartient pas à votre périmètre.";
const bulleNotFound = (id: string): string => `Établissement introuvable : ${id}`;
const NO_FICHE = 'Aucune fiche GMB associée à cette clé API.';
const BULLE_REQUIRED =
  'Cette clé API couvre plusieurs établissements. Précisez `bulle_id` (liste : GET /api/v2/bulles).';
const FICHE_REQUIRED = 'Cette clé API couvre plusieurs fiches Google. Précisez `fiche_id` (liste : GET /api/v2/me).';

export const findBulle = (store: Store, id: string): Bulle | undefined =>
  store.get(brandSlice).bulles.find((bulle) => bulle.id === id);

export const findFiche = (store: Store, id: string): Fiche | undefined =>
  store.get(brandSlice).fiches.find((fiche) => fiche.id === id);

/** A location of the brand of the keys. */
export const brandBulle = (store: Store, id: string | undefined): Bulle | undefined =>
  store.get(brandSlice).bulles.find((bulle) => bulle.id === id && bulle.sphere_id === ids.sphere);

export const fichesOf = (store: Store, bulles: readonly Bulle[]): Fiche[] =>
  store.get(brandSlice).fiches.filter(({ bulle_id }) => bulles.some(({ id }) => id === bulle_id));

/** The locations that a key covers: its own, or all of the brand as they are now. */
export const bullesInScope = (store: Store, key: ApiKey): Bulle[] =>
  store
    .get(brandSlice)
    .bulles.filter(({ id, sphere_id }) => (key.bulle_id === null ? sphere_id === key.sphere_id : id === key.bulle_id));

export const covers = (store: Store, key: ApiKey, bulleId: string): boolean =>
  bullesInScope(store, key).some(({ id }) => id === bulleId);

/** The location that a request names. */
export function namedBulle(store: Store, key: ApiKey, id: string): Bulle {
  const bulle = findBulle(store, id);
  if (bulle === undefined) throw notFound(bulleNotFound(id));
  if (!covers(store, key, id)) throw forbidden(BULLE_OUT_OF_SCOPE);
  return bulle;
}

/** For routes that act on one location. A sphere key has to name it (scope rule 3). */
export function targetBulle(store: Store, key: ApiKey, id: string | undefined): Bulle {
  if (id !== undefined) return namedBulle(store, key, id);
  if (key.bulle_id === null) throw badRequest(BULLE_REQUIRED);
  return namedBulle(store, key, key.bulle_id);
}

/** For list routes. `undefined` means that no location was named: the whole scope is listed (scope rule 4). */
export const listedBulle = (store: Store, key: ApiKey, id: string | undefined): Bulle | undefined =>
  id === undefined && key.bulle_id === null ? undefined : targetBulle(store, key, id);

/** The locations that a list route shows: the named one, or the whole scope. */
export function listedBulles(store: Store, key: ApiKey, id: string | undefined): Bulle[] {
  const bulle = listedBulle(store, key, id);
  return bulle === undefined ? bullesInScope(store, key) : [bulle];
}

export const fichesInScope = (store: Store, key: ApiKey): Fiche[] => fichesOf(store, bullesInScope(store, key));

/** For listing routes: the named listing, or the only one that the key covers. No default is ever chosen. */
export function targetFiche(store: Store, key: ApiKey, id: string | undefined): Fiche {
  const covered = fichesInScope(store, key);
  if (id !== undefined) {
    const fiche = findFiche(store, id);
    if (fiche === undefined) throw notFound(`Fiche GMB introuvable : ${id}`);
    if (!covered.includes(fiche)) throw forbidden(FICHE_OUT_OF_SCOPE);
    return fiche;
  }
  const [first, second] = covered;
  if (first === undefined) throw notFound(NO_FICHE);
  if (second !== undefined) throw badRequest(FICHE_REQUIRED);
  return first;
}

const bulleQuery = z.object({ bulle_id: target });
const ficheQuery = z.object({ fiche_id: target });

/** The location of a query that has no other parameter. */
export const askedBulle = ({ service, key, query }: Exchange): Bulle =>
  targetBulle(service.store, key, readQuery(bulleQuery, query).bulle_id);

/** The listing of such a query. */
export const askedFiche = ({ service, key, query }: Exchange): Fiche =>
  targetFiche(service.store, key, readQuery(ficheQuery, query).fiche_id);
