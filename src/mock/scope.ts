import { badRequest, forbidden, notFound } from './http.js';
import { findArticle, type StoredArticle } from './model/articles.js';
import { type Bulle, brandSlice, type Fiche, fichesOf, findBulle } from './model/brand.js';
import type { ApiKey } from './model/keys.js';
import { findPost, type StoredPost } from './model/posts.js';
import { findReview, type StoredReview } from './model/reviews.js';
import type { Exchange } from './service.js';
import type { Store } from './store.js';
import { pathInteger } from './validate.js';

// The six texts of the specification (section Errors), to the letter. Clients tell the cases apart by them.
export const BULLE_OUT_OF_SCOPE = "Cet établissement n'appartient pas à votre périmètre.";
export const FICHE_OUT_OF_SCOPE = "Cette fiche GMB n'appartient pas à votre périmètre.";
export const bulleNotFound = (id: string): string => `Établissement introuvable : ${id}`;
export const NO_FICHE = 'Aucune fiche GMB associée à cette clé API.';
export const BULLE_REQUIRED =
  'Cette clé API couvre plusieurs établissements. Précisez `bulle_id` (liste : GET /api/v2/bulles).';
export const FICHE_REQUIRED =
  'Cette clé API couvre plusieurs fiches Google. Précisez `fiche_id` (liste : GET /api/v2/me).';

/** The locations that a key reaches: its own, or all of the brand as they are now. */
export function bullesInScope(store: Store, key: ApiKey): Bulle[] {
  const { bulles } = store.get(brandSlice);
  return bulles.filter((bulle) =>
    key.bulle_id === null ? bulle.sphere_id === key.sphere_id : bulle.id === key.bulle_id,
  );
}

const idsOf = (bulles: readonly Bulle[]): ReadonlySet<string> => new Set(bulles.map(({ id }) => id));

/** A location that was named: 404 when it does not exist (rule 5 comes in that order), 403 outside the scope. */
export function namedBulle(store: Store, key: ApiKey, id: string): Bulle {
  const bulle = findBulle(store, id);
  if (bulle === undefined) throw notFound(bulleNotFound(id));
  if (!bullesInScope(store, key).includes(bulle)) throw forbidden(BULLE_OUT_OF_SCOPE);
  return bulle;
}

/** For routes that act on one location: rule 3, a sphere key has to name it. */
export function targetBulle(store: Store, key: ApiKey, id: string | undefined): Bulle {
  if (id !== undefined) return namedBulle(store, key, id);
  if (key.bulle_id === null) throw badRequest(BULLE_REQUIRED);
  return namedBulle(store, key, key.bulle_id);
}

/** For list routes: rule 4, without a target the whole scope is listed. `undefined`: nothing was named. */
export const listedBulle = (store: Store, key: ApiKey, id: string | undefined): Bulle | undefined =>
  id === undefined && key.bulle_id === null ? undefined : targetBulle(store, key, id);

export const fichesInScope = (store: Store, key: ApiKey): Fiche[] => fichesOf(store, idsOf(bullesInScope(store, key)));

/** For listing routes: the named listing, else the only one that the key covers. No default is ever chosen. */
export function targetFiche(store: Store, key: ApiKey, id: string | undefined): Fiche {
  const covered = fichesInScope(store, key);
  if (id !== undefined) {
    const fiche = store.get(brandSlice).fiches.find((other) => other.id === id);
    if (fiche === undefined) throw notFound(`Fiche GMB introuvable : ${id}`);
    if (!covered.includes(fiche)) throw forbidden(FICHE_OUT_OF_SCOPE);
    return fiche;
  }
  const [first, second] = covered;
  if (first === undefined) throw notFound(NO_FICHE);
  if (second !== undefined) throw badRequest(FICHE_REQUIRED);
  return first;
}

/**
 * The article of the path: 404 when there is none, 403 when it belongs to what the key does not cover. An article of
 * the brand alone (`bulle_id` null) is no bubble key's.
 */
export function namedArticle({ service, key, params }: Exchange): StoredArticle {
  const id = pathInteger(params, 'article_id');
  const article = findArticle(service.store, id);
  if (article === undefined) throw notFound(`Article introuvable : ${id}`);
  const covered = key.bulle_id === null ? article.sphere_id === key.sphere_id : article.bulle_id === key.bulle_id;
  if (!covered) throw forbidden(BULLE_OUT_OF_SCOPE);
  return article;
}

/** A post by its number: `undefined` when there is none, 403 when it belongs to a location out of scope. */
export function coveredPost(store: Store, key: ApiKey, id: number): StoredPost | undefined {
  const post = findPost(store, id);
  if (post !== undefined && !idsOf(bullesInScope(store, key)).has(post.bulle_id)) throw forbidden(BULLE_OUT_OF_SCOPE);
  return post;
}

/** The post of the path. */
export function namedPost({ service, key, params }: Exchange): StoredPost {
  const id = pathInteger(params, 'post_id');
  const post = coveredPost(service.store, key, id);
  if (post === undefined) throw notFound(`Publication introuvable : ${id}`);
  return post;
}

/**
 * The review of the path, and its listing. The review itself is the target: a sphere key need not name the listing,
 * but one that is named must be the review's.
 */
export function namedReview(
  { service, key, params }: Exchange,
  ficheId: string | undefined,
): { readonly review: StoredReview; readonly fiche: Fiche } {
  const { store } = service;
  const { review_id = '' } = params;
  const named = ficheId === undefined ? undefined : targetFiche(store, key, ficheId);
  const review = findReview(store, review_id);
  if (review === undefined || (named !== undefined && named.id !== review.fiche_id)) {
    throw notFound(`Avis introuvable : ${review_id}`);
  }
  return { review, fiche: targetFiche(store, key, review.fiche_id) };
}
