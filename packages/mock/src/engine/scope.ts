import * as z from 'zod/mini';
import { type Bulle, type Fiche, ids, seedBrand } from '../seed/brand.js';
import { badRequest, forbidden, notFound, type Reply } from './http.js';
import type { Exchange, Handle } from './router.js';
import * as s from './schema.js';
import type { Store } from './store.js';

export const brandSlice = { name: 'brand', seed: seedBrand };

// The six texts of the specification (section Errors), verbatim. Clients use them to distinguish the cases.
export const BULLE_OUT_OF_SCOPE = "Cet établissement n'appartient pas à votre périmètre.";
const FICHE_OUT_OF_SCOPE = "Cette fiche GMB n'appartient pas à votre périmètre.";
const bulleNotFound = (id: string): string => `Établissement introuvable : ${id}`;
const NO_FICHE = 'Aucune fiche GMB associée à cette clé API.';
const BULLE_REQUIRED =
  'Cette clé API couvre plusieurs établissements. Précisez `bulle_id` (liste : GET /api/v2/bulles).';
const FICHE_REQUIRED = 'Cette clé API couvre plusieurs fiches Google. Précisez `fiche_id` (liste : GET /api/v2/me).';

/** The part of a request that decides what it may see. */
type Scope = Pick<Exchange, 'store' | 'key'>;

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
export const bullesInScope = ({ store, key }: Scope): Bulle[] =>
  store
    .get(brandSlice)
    .bulles.filter(({ id, sphere_id }) => (key.bulle_id === null ? sphere_id === key.sphere_id : id === key.bulle_id));

export const covers = (scope: Scope, bulleId: string): boolean => bullesInScope(scope).some(({ id }) => id === bulleId);

export function namedBulle(scope: Scope, id: string): Bulle {
  const bulle = findBulle(scope.store, id);
  if (bulle === undefined) throw notFound(bulleNotFound(id));
  if (!covers(scope, id)) throw forbidden(BULLE_OUT_OF_SCOPE);
  return bulle;
}

/** For routes that act on one location. A sphere key has to name it (scope rule 3). */
export function targetBulle(scope: Scope, id = scope.key.bulle_id): Bulle {
  if (id === null) throw badRequest(BULLE_REQUIRED);
  return namedBulle(scope, id);
}

/** For list routes. `undefined` means that no location was named: the whole scope is listed (scope rule 4). */
const listedBulle = (scope: Scope, id: string | undefined): Bulle | undefined =>
  id === undefined && scope.key.bulle_id === null ? undefined : targetBulle(scope, id);

function listedIds(scope: Scope, named: string | undefined): Set<string> {
  const bulle = listedBulle(scope, named);
  return new Set((bulle ? [bulle] : bullesInScope(scope)).map(({ id }) => id));
}

export const fichesInScope = (scope: Scope): Fiche[] => fichesOf(scope.store, bullesInScope(scope));

/** For listing routes: the named listing, or the only one that the key covers. No default is ever chosen. */
export function targetFiche(scope: Scope, id: string | undefined): Fiche {
  const covered = fichesInScope(scope);
  if (id !== undefined) {
    const fiche = findFiche(scope.store, id);
    if (fiche === undefined) throw notFound(`Fiche GMB introuvable : ${id}`);
    if (!covered.includes(fiche)) throw forbidden(FICHE_OUT_OF_SCOPE);
    return fiche;
  }
  const [first, second] = covered;
  if (first === undefined) throw notFound(NO_FICHE);
  if (second !== undefined) throw badRequest(FICHE_REQUIRED);
  return first;
}

/** The target of a handler: the parameter that names it, and how it is found. */
interface Target<Found> {
  readonly name?: 'bulle_id' | 'fiche_id';
  readonly find: (exchange: Exchange, id: string | undefined) => Found;
}

export const on = {
  nothing: { find: () => undefined },
  bulle: { name: 'bulle_id', find: targetBulle },
  /** The location, or `undefined` for the whole brand. */
  bulleOrBrand: { name: 'bulle_id', find: listedBulle },
  /** The ids of the locations that a list shows: the named one, or the whole scope. */
  bulleIds: { name: 'bulle_id', find: listedIds },
  fiche: { name: 'fiche_id', find: targetFiche },
} satisfies Record<string, Target<unknown>>;

/** Makes a handler that gets the target itself, beside the checked parameters. */
const handler =
  (read: <Schema extends z.ZodMiniType>(schema: Schema, exchange: Exchange) => z.output<Schema>, id: typeof s.target) =>
  <Found, Parameters extends z.ZodMiniObject>(
    { name, find }: Target<Found>,
    parameters: Parameters,
    handle: (exchange: Exchange, sent: z.output<Parameters>, found: Found) => Reply,
  ): Handle => {
    const target = z.object(name && { [name]: id });
    return (exchange) => {
      const sent = read(parameters, exchange);
      const named = Object.values(read(target, exchange))[0];
      return handle(exchange, sent, find(exchange, named));
    };
  };

/** A handler with a checked query and its target. */
export const reading = handler((schema, { query }) => s.readQuery(schema, query), s.target);
/** A handler with a checked body and its target. */
export const writing = handler((schema, { body }) => s.readBody(schema, body), s.bodyTarget);
/** The parameters of a handler that has none but the target. */
export const none = z.object({});
