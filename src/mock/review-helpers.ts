import type { MockNewReview, MockReviews } from './helper-types.js';
import { type Names, requireKnownNames } from './known-names.js';
import { findReview, reviewsOf, reviewsSlice, type StoredReview, servedReview } from './model/reviews.js';
import { FICHE_IDS, ids } from './seed/brand.js';
import { letters } from './seed/scatter.js';
import type { Service } from './service.js';
import { requireInstant } from './timestamps.js';

const NEW_REVIEW: Names<MockNewReview> = {
  fiche_id: true,
  customer_name: true,
  rating: true,
  text: true,
  review_timestamp: true,
};

/** `service` is asked for at each call: `reset` replaces it, and work that is due is done before. */
export function createReviews(service: () => Service): MockReviews {
  return {
    add(fields = {}) {
      requireKnownNames('reviews.add', fields, NEW_REVIEW);
      const { fiche_id = ids.fiche, customer_name = 'Odile C.', rating = 5, text = 'Parfait.' } = fields;
      const { review_timestamp } = fields;
      const { store, clock } = service();
      requireFiche(fiche_id);
      if (![1, 2, 3, 4, 5].includes(rating)) throw new RangeError('rating must be a whole number from 1 to 5');
      const state = store.get(reviewsSlice);
      const review: StoredReview = {
        id: `AbFvOq${letters(100_000 + state.next_number, 12)}`,
        fiche_id,
        customer_name,
        rating,
        text,
        author_photo: null,
        review_timestamp:
          review_timestamp === undefined ? clock.stamp() : requireInstant('review_timestamp', review_timestamp),
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
      requireFiche(fiche_id);
      return reviewsOf(store, fiche_id)
        .sort((a, b) => b.review_timestamp - a.review_timestamp)
        .map(servedReview);
    },
  };
}

function requireFiche(id: string): void {
  if (!FICHE_IDS.includes(id)) throw new RangeError(`the brand has no listing ${id}`);
}

function find({ store }: Service, id: string): StoredReview {
  const review = findReview(store, id);
  if (review === undefined) throw new RangeError(`the mock holds no review ${id}`);
  return review;
}
