import * as z from 'zod/mini';
import { dateTime, optionsSchema, readOptions, rule } from '../../engine/options.js';
import { findBulle, findFiche } from '../../engine/scope.js';
import type { Service, Store } from '../../engine/store.js';
import { ids } from '../../seed/brand.js';
import { letters } from '../../seed/scatter.js';
import { findReview, type MockReview, reviewsOf, reviewsSlice, type StoredReview, servedReview } from './review.js';

/** A review to add from outside the API. */
export interface MockNewReview {
  /** Id of the listing. @default the listing of `keys.bulle` */
  fiche_id?: string | undefined;
  /** Name of the author. Default: a French name. */
  customer_name?: string | undefined;
  /** Number of stars, 1 to 5. @default 5 */
  rating?: number | undefined;
  /** Text of the review. `null` for a review with only stars. Default: a French text. */
  text?: string | null | undefined;
  /** Date of the review, ISO 8601. @default now */
  review_timestamp?: string | undefined;
}

/** Changes to reviews from outside the API, as customers and Google would make them. */
export interface MockReviews {
  /** Adds a review, for example to shift the pages while a client reads them. */
  add(fields?: MockNewReview): MockReview;
  /** Removes a review at Google. It stays in the lists, and a reply to it gets a 410. */
  removeAtGoogle(review_id: string): void;
  /** Returns a review. @throws RangeError if it does not exist. */
  get(review_id: string): MockReview;
  /** Returns the reviews of a listing (by default the listing of `keys.bulle`), newest first. */
  all(fiche_id?: string): MockReview[];
}

const newReview = optionsSchema('reviews.add', {
  fiche_id: z._default(z.string(), ids.fiche),
  customer_name: z._default(z.string(), 'Odile C.'),
  rating: z._default(z.literal([1, 2, 3, 4, 5], { error: rule('must be a whole number from 1 to 5') }), 5),
  text: z._default(z.nullable(z.string()), 'Parfait.'),
  review_timestamp: z.optional(dateTime),
});

export function createReviews(service: () => Service): MockReviews {
  return {
    add(fields = {}) {
      const { fiche_id, customer_name, rating, text, review_timestamp } = readOptions(newReview, fields);
      const { store, clock } = service();
      requireFiche(store, fiche_id);
      const state = store.get(reviewsSlice);
      const review: StoredReview = {
        id: `AbFvOq${letters(100_000 + state.next_number, 12)}`,
        fiche_id,
        customer_name,
        rating,
        text,
        author_photo: null,
        review_timestamp: review_timestamp ?? clock.stamp(),
        response_text: null,
        reply_date: null,
        draft: null,
        gone: false,
      };
      state.next_number += 1;
      state.items.push(review);
      return servedReview(review);
    },
    removeAtGoogle(review_id) {
      find(service(), review_id).gone = true;
    },
    get: (review_id) => servedReview(find(service(), review_id)),
    all(fiche_id = ids.fiche) {
      const { store } = service();
      requireFiche(store, fiche_id);
      return reviewsOf(store, fiche_id)
        .sort((a, b) => b.review_timestamp - a.review_timestamp)
        .map(servedReview);
    },
  };
}

function requireFiche(store: Store, id: string): void {
  const { bulle_id = '' } = findFiche(store, id) ?? {};
  if (findBulle(store, bulle_id)?.sphere_id !== ids.sphere) throw new RangeError(`the brand has no listing ${id}`);
}

function find({ store }: Service, id: string): StoredReview {
  const review = findReview(store, id);
  if (review === undefined) throw new RangeError(`the mock has no review ${id}`);
  return review;
}
