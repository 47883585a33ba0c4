import { DAY, formatInstant, formatOptional, HOUR, type Micros, SECOND } from '../../engine/clock.js';
import type { SeedContext, Slice, Store } from '../../engine/store.js';
import { FICHE_IDS, ids } from '../../seed/brand.js';
import { letters, scatter } from '../../seed/scatter.js';

/** A review, as GET /reviews returns it. */
export interface MockReview {
  /** Google's id of the review. Some ids contain slashes. */
  review_id: string;
  /** Name of the author. */
  customer_name: string;
  /** Number of stars, 1 to 5. */
  rating: number;
  /** Text of the review. `null` if the author gave only stars. */
  text: string | null;
  /** Date of the review, ISO 8601. */
  review_timestamp: string;
  /** Text of the published reply. `null` if there is none. */
  response_text: string | null;
  /** Date of the reply, ISO 8601. `null` if there is none. */
  reply_date: string | null;
  /** Whether the review has a published reply. */
  responded: boolean;
  /** Address of a picture of the author. `null` if there is none. */
  author_photo: string | null;
}

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
  /** A reply that is written but not posted. The review counts as a draft as long as it has no other reply. */
  readonly draft: string | null;
  /** Google no longer has the review. */
  gone: boolean;
}

interface ReviewsState {
  /** Number for the id of the next added review. */
  next_number: number;
  readonly items: StoredReview[];
}

/** The first listing fills two pages of the default size; the others have a few reviews each. */
const COUNT_OF_FIRST = 34;
const COUNT_OF_OTHERS = 8;

const NAMES = ['Camille', 'Noé', 'Fatou', 'Jean-Baptiste', 'Élodie', 'Mehdi', 'Agathe', 'Sofiane', 'Lucie', 'Bertrand'];
const INITIALS = ['B.', 'R.', 'D.', 'L.', 'M.', 'T.', 'V.'];

const PRAISE = [
  'La meilleure baguette du quartier, et un accueil toujours souriant.',
  'Le pain au levain se garde une semaine sans rassir. Bravo à toute l’équipe !',
  'On y vient exprès le dimanche pour les croissants. Jamais déçus.',
  'Conseils précieux pour notre buffet de mariage, tout était à l’heure et délicieux.',
  'Galette des rois généreuse, frangipane pas trop sucrée. Merci !',
];
const MIXED = [
  'Très bon pain, mais la file est longue le samedi matin.',
  'Bonne boulangerie, un peu chère pour les viennoiseries.',
  'La tarte était bonne, la vendeuse pressée.',
];
const COMPLAINTS = [
  'Commande oubliée alors que je l’avais passée la veille.',
  'Baguette trop cuite trois fois de suite, dommage.',
  'Fermé à 17 h alors que les horaires disent 19 h 30.',
];
const THANKS = [
  'Merci beaucoup, à très vite au fournil !',
  'Merci pour votre message, toute l’équipe en est ravie.',
  'Nous sommes désolés, passez nous voir : nous tenons à nous rattraper.',
];

/** The same `now` gives the same reviews. The ids do not depend on it. */
function seedReviews({ now, files }: SeedContext): ReviewsState {
  const items = FICHE_IDS.flatMap((fiche_id, at) =>
    Array.from({ length: at === 0 ? COUNT_OF_FIRST : COUNT_OF_OTHERS }, (_, index) =>
      seedReview(at * 100 + index, fiche_id, index, now, files),
    ),
  );
  return { next_number: 1, items: [...items, outsideReview(now, files)] };
}

function seedReview(number: number, fiche_id: string, index: number, now: Micros, files: string): StoredReview {
  const rating = [5, 5, 4, 5, 3, 5, 4, 1, 5, 2][scatter(number, 21, 10)] as number;
  const texts = rating >= 4 ? PRAISE : rating === 3 ? MIXED : COMPLAINTS;
  const age = (index + 1) * 5 * DAY + scatter(number, 22, 40) * HOUR + scatter(number, 23, SECOND);
  // The newest review has no reply. Of the others, two of three have one, and some have a draft.
  const isNewest = index === 0;
  const state = isNewest ? 'unresponded' : index % 7 === 3 ? 'drafts' : index % 3 === 1 ? 'unresponded' : 'responded';
  const reply = THANKS[rating >= 4 ? index % 2 : 2] as string;
  const name = `${NAMES[scatter(number, 24, NAMES.length)]} ${INITIALS[scatter(number, 25, INITIALS.length)]}`;
  return {
    id: idOf(number, fiche_id, isNewest && fiche_id === ids.fiche),
    fiche_id,
    customer_name: name,
    rating,
    // One review in six has only stars, and one in five has no picture.
    text: number % 6 === 4 ? null : (texts[scatter(number, 26, texts.length)] as string),
    author_photo: number % 5 === 2 ? null : `${files}/avatars/${letters(number, 12)}.svg`,
    review_timestamp: now - age,
    response_text: state === 'responded' ? reply : null,
    reply_date: state === 'responded' ? now - age + 1 * DAY + scatter(number, 27, 9) * HOUR : null,
    draft: state === 'drafts' ? reply : null,
    gone: false,
  };
}

/** Half of the ids are short, the other half are Google's full names with slashes. */
function idOf(number: number, ficheId: string, isKnown: boolean): string {
  if (isKnown) return ids.review;
  const short = `AbFvOq${letters(number, 12)}`;
  return number % 2 === 0 ? `${ficheId}/reviews/${short}` : short;
}

/** A review of the other brand, which every key of this one is refused. */
const outsideReview = (now: Micros, files: string): StoredReview => ({
  ...seedReview(0, ids.outside.fiche, 0, now, files),
  id: ids.outside.review,
  text: 'Poisson d’une fraîcheur parfaite.',
});

export const reviewsSlice: Slice<ReviewsState> = { name: 'reviews', seed: seedReviews };

export const findReview = (store: Store, id: string): StoredReview | undefined =>
  store.get(reviewsSlice).items.find((review) => review.id === id);

export const reviewsOf = (store: Store, ficheId: string): StoredReview[] =>
  store.get(reviewsSlice).items.filter(({ fiche_id }) => fiche_id === ficheId);

/** Each review is in one of three states. */
type ReviewStatus = 'responded' | 'drafts' | 'unresponded';
export function statusOfReview({ response_text, draft }: StoredReview): ReviewStatus {
  if (response_text !== null) return 'responded';
  return draft === null ? 'unresponded' : 'drafts';
}

/** The counters of a listing, counted anew each time. */
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
