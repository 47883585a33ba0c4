import { seedListings, seedScans } from '../seed/listings.js';
import type { Slice, Store } from '../store.js';
import type { Micros } from '../timestamps.js';
import { countReviews, reviewsOf } from './reviews.js';

/** The parts of a score, 0 to 100 each. */
export interface Breakdown {
  readonly profile: number;
  readonly rating: number;
  readonly replies: number;
}

/** What belongs to a Google listing beside its name and address. */
export interface Listing {
  readonly profile: Record<string, string>;
  /** Of the last audit. */
  breakdown: Breakdown;
  scored_at: Micros;
}

export const listingsSlice: Slice<Record<string, Listing>> = { name: 'listings', seed: seedListings };

export interface VisibilityScan {
  readonly snapshot_id: string;
  readonly visibility_score: number;
  readonly scanned_at: Micros;
}

export const visibilitySlice: Slice<Record<string, VisibilityScan>> = { name: 'visibility', seed: seedScans };

export function listingOf(store: Store, ficheId: string): Listing {
  const listing = store.get(listingsSlice)[ficheId];
  if (listing === undefined) throw new Error(`the seed has no listing ${ficheId}`);
  return listing;
}

export const scoreOf = ({ profile, rating, replies }: Breakdown): number =>
  Math.round(0.5 * profile + 0.25 * rating + 0.25 * replies);

/** The fields that a good listing has, why, and what the audit proposes for them. */
const WANTED: readonly { readonly field: string; readonly reason: string; readonly suggested_value?: string }[] = [
  { field: 'phone', reason: 'Sans numéro, personne ne peut appeler depuis la fiche.' },
  { field: 'category', reason: 'La catégorie décide des recherches où la fiche apparaît.' },
  { field: 'website', reason: 'Un lien vers le site rassure les clients et Google.' },
  {
    field: 'hours',
    reason: 'Les horaires manquent : la fiche est écartée des recherches « ouvert maintenant ».',
    suggested_value: 'Mo-Sa 07:00-19:30, Su 07:00-13:00',
  },
  {
    field: 'description',
    reason: 'La description est vide : 750 caractères sont disponibles.',
    suggested_value: 'Boulangerie artisanale : pains au levain, viennoiseries pur beurre et galettes de saison.',
  },
];

/** Look at a listing as it is now. Nothing is kept: that is for the audit's handler to do. */
export function analyse(store: Store, ficheId: string) {
  const { profile } = listingOf(store, ficheId);
  const { average_rating, total_reviews, status_counts } = countReviews(reviewsOf(store, ficheId));
  const missing = WANTED.filter(({ field }) => !profile[field]);
  const breakdown = {
    profile: Math.round((100 * (WANTED.length - missing.length)) / WANTED.length),
    rating: Math.round(20 * average_rating),
    replies: total_reviews === 0 ? 0 : Math.round((100 * status_counts.responded) / total_reviews),
  };
  const waiting = total_reviews - status_counts.responded;
  const suggestions = [
    ...missing,
    ...(waiting === 0 ? [] : [{ field: 'reviews', reason: `${waiting} avis attendent une réponse.` }]),
  ];
  return { breakdown, suggestions, review_count: total_reviews, avg_rating: average_rating };
}
