import type { MockReview } from '../helper-types.js';
import { seedReviews } from '../seed/reviews.js';
import type { Slice, Store } from '../store.js';
import { formatInstant, formatOptional, type Micros } from '../timestamps.js';

export interface StoredReview {
  readonly id: string;
  readonly fiche_id: string;
  readonly customer_name: string;
  readonly rating: number;
  readonly text: string | null;
  readonly author_photo: string | null;
  readonly review_timestamp: Micros;
  response_text: string | null;
  reply_date: Micros | null;
  /** A reply that somebody has written and not posted; it counts while there is no other. */
  readonly draft: string | null;
  /** Google has it no more. */
  gone: boolean;
}

export interface ReviewsState {
  /** For the ids of reviews that are added. */
  next_number: number;
  readonly items: StoredReview[];
}

export const reviewsSlice: Slice<ReviewsState> = { name: 'reviews', seed: seedReviews };

export const findReview = (store: Store, id: string): StoredReview | undefined =>
  store.get(reviewsSlice).items.find((review) => review.id === id);

export const reviewsOf = (store: Store, ficheId: string): StoredReview[] =>
  store.get(reviewsSlice).items.filter(({ fiche_id }) => fiche_id === ficheId);

/** Each review is in one of three states. */
export type ReviewStatus = 'responded' | 'drafts' | 'unresponded';
export function statusOfReview({ response_text, draft }: StoredReview): ReviewStatus {
  if (response_text !== null) return 'responded';
  return draft === null ? 'unresponded' : 'drafts';
}

/** The counters of a listing: they are counted anew each time, so that they follow. */
export function countReviews(reviews: readonly StoredReview[]) {
  const inState = (status: ReviewStatus) => reviews.filter((review) => statusOfReview(review) === status).length;
  const stars = reviews.reduce((sum, { rating }) => sum + rating, 0);
  return {
    average_rating: reviews.length === 0 ? 0 : Math.round((100 * stars) / reviews.length) / 100,
    total_reviews: reviews.length,
    status_counts: {
      all: reviews.length,
      responded: inState('responded'),
      drafts: inState('drafts'),
      unresponded: inState('unresponded'),
    },
  };
}

/** The review of the wire. */
export const servedReview = (review: StoredReview): MockReview => ({
  review_id: review.id,
  customer_name: review.customer_name,
  rating: review.rating,
  text: review.text,
  review_timestamp: formatInstant(review.review_timestamp),
  response_text: review.response_text,
  reply_date: formatOptional(review.reply_date),
  responded: review.response_text !== null,
  author_photo: review.author_photo,
});
