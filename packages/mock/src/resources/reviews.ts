import * as z from 'zod/mini';
import { type Clock, DAY, HOUR, SECOND, type Stored, served } from '../engine/clock.js';
import { gone, notFound, ok } from '../engine/http.js';
import { dateTime, found, optionsSchema, readOptions, rule } from '../engine/options.js';
import { defineResource, type Exchange, route } from '../engine/router.js';
import * as s from '../engine/schema.js';
import { brandBulle, findFiche, none, on, reading, targetFiche, writing } from '../engine/scope.js';
import type { SeedContext, Service, Store } from '../engine/store.js';
import { FICHE_IDS, ids } from '../seed/brand.js';
import { cycle, letters, scatter } from '../seed/prose.js';
import texts from '../seed/texts.json' with { type: 'json' };
import { previewed } from './quotas.js';

/** A review, as GET /reviews returns it. Some ids contain slashes. */
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
  /** Adds a review. */
  add(fields?: MockNewReview): MockReview;
  /** Replies to a review outside the API, as the owner does at Google. By default with a French text. */
  answer(review_id: string, text?: string): MockReview;
  /** Removes a review at Google. It stays in the lists, and a reply to it gets a 410. */
  removeAtGoogle(review_id: string): void;
  /** Returns a review. @throws a `ConfigurationError` if it does not exist. */
  get(review_id: string): MockReview;
  /** Returns the reviews of a listing (by default the listing of `keys.bulle`), newest first. */
  all(fiche_id?: string): MockReview[];
}

interface StoredReview extends Stored<Omit<MockReview, 'responded'>> {
  readonly fiche_id: string;
  /** A reply that is written but not posted. The review counts as a draft as long as it has no other reply. */
  readonly draft: string | null;
  /** Google no longer has the review. */
  gone: boolean;
}

/** The same `now` gives the same reviews. The ids do not depend on it. */
function seedReviews(context: SeedContext): StoredReview[] {
  const items = FICHE_IDS.flatMap((fiche_id, at) =>
    // The first listing fills two pages of the default size.
    Array.from({ length: at === 0 ? 34 : 8 }, (_, index) => seedReview(at * 100 + index, fiche_id, index, context)),
  );
  // A review of the other brand, which every key of this one is refused.
  const { fiche, review } = ids.outside;
  const outside = { ...seedReview(0, fiche, 0, context), review_id: review, text: 'Poisson d’une fraîcheur parfaite.' };
  return [...items, outside];
}

function seedReview(number: number, fiche_id: string, index: number, { now, files }: SeedContext): StoredReview {
  const { names, initials, praise, mixed, complaints, thanks } = texts.reviews;
  const pick = (list: readonly string[], salt: number) => cycle(list, scatter(number, salt, list.length));
  const rating = cycle([5, 5, 4, 5, 3, 5, 4, 1, 5, 2], scatter(number, 21, 10));
  const written = rating >= 4 ? praise : rating === 3 ? mixed : complaints;
  const review_timestamp = now - (index + 1) * 5 * DAY - scatter(number, 22, 40) * HOUR - scatter(number, 23, SECOND);
  // The newest review has no reply. Of the others, two of three have one, and some have a draft.
  const isDraft = index % 7 === 3;
  const responded = index > 0 && !isDraft && index % 3 !== 1;
  const reply = cycle(thanks, rating >= 4 ? index % 2 : 2);
  const short = `AbFvOq${letters(number, 12)}`;
  return {
    // Half of the ids are short, the other half are Google's full names with slashes.
    review_id: number === 0 ? ids.review : number % 2 === 0 ? `${fiche_id}/reviews/${short}` : short,
    customer_name: `${pick(names, 24)} ${pick(initials, 25)}`,
    rating,
    // One review in six has only stars, and one in five has no picture.
    text: number % 6 === 4 ? null : pick(written, 26),
    review_timestamp,
    response_text: responded ? reply : null,
    reply_date: responded ? review_timestamp + DAY + scatter(number, 27, 9) * HOUR : null,
    author_photo: number % 5 === 2 ? null : `${files}/avatars/${letters(number, 12)}.svg`,
    fiche_id,
    draft: isDraft ? reply : null,
    gone: false,
  };
}

const reviewsSlice = { name: 'reviews', seed: seedReviews };

const findReview = (store: Store, id: string): StoredReview | undefined =>
  store.get(reviewsSlice).find(({ review_id }) => review_id === id);

export const reviewsOf = (store: Store, ficheId: string): StoredReview[] =>
  store.get(reviewsSlice).filter(({ fiche_id }) => fiche_id === ficheId);

const STATES = ['responded', 'drafts', 'unresponded'] as const;

const statusOf = ({ response_text, draft }: StoredReview): (typeof STATES)[number] =>
  response_text !== null ? 'responded' : draft === null ? 'unresponded' : 'drafts';

/** The counters of a listing, counted anew each time. */
export function countReviews(reviews: readonly StoredReview[]) {
  const all = reviews.length;
  const count = (state: string) => reviews.filter((review) => statusOf(review) === state).length;
  const stars = reviews.reduce((sum, { rating }) => sum + rating, 0);
  return {
    average_rating: all === 0 ? 0 : Math.round((100 * stars) / all) / 100,
    total_reviews: all,
    status_counts: { all, responded: count('responded'), drafts: count('drafts'), unresponded: count('unresponded') },
  };
}

function servedReview(review: StoredReview): MockReview {
  const { fiche_id: _fiche, draft: _draft, gone: _gone, author_photo, ...row } = review;
  return { ...served(row), responded: row.response_text !== null, author_photo };
}

type Order = (a: StoredReview, b: StoredReview) => number;
const newest: Order = (a, b) => b.review_timestamp - a.review_timestamp;
const ORDERS: Readonly<Record<string, Order>> = {
  date_desc: newest,
  date_asc: (a, b) => newest(b, a),
  rating_desc: (a, b) => b.rating - a.rating || newest(a, b),
  rating_asc: (a, b) => a.rating - b.rating || newest(a, b),
};

const stars = s.integerText({ min: 1, max: 5 });
const listQuery = z
  .object({
    min_stars: z._default(stars, 1),
    max_stars: z._default(stars, 5),
    status: z.optional(z.enum(STATES)),
    keyword: z._default(z.string(), ''),
    date_from: z._default(s.instant, Number.NEGATIVE_INFINITY),
    date_to: z._default(s.rangeEnd, Number.POSITIVE_INFINITY),
    sort_by: z._default(z.enum(Object.keys(ORDERS)), 'date_desc'),
    limit: z._default(s.integerText({ min: 1, max: 100 }), 25),
    page: z._default(s.integerText({ min: 1 }), 1),
  })
  .check(s.ascending('min_stars', 'max_stars'), s.ascending('date_from', 'date_to'));

/** GET /reviews. Only `filtered_count` and `total_pages` depend on the filters. */
const list = reading(on.fiche, listQuery, ({ store }, asked, { id, name, address, place_id }) => {
  const { sort_by, limit, page, status } = asked;
  const all = reviewsOf(store, id);
  const matching = all.filter(
    (review) =>
      review.rating >= asked.min_stars &&
      review.rating <= asked.max_stars &&
      (status === undefined || statusOf(review) === status) &&
      `${review.customer_name} ${review.text ?? ''}`.toLowerCase().includes(asked.keyword.toLowerCase()) &&
      review.review_timestamp >= asked.date_from &&
      review.review_timestamp <= asked.date_to,
  );
  const counts = countReviews(all);
  const { average_rating, total_reviews } = counts;
  return ok({
    fiche: { id, name, address, place_id, average_rating, total_reviews },
    ...counts,
    reviews: matching
      .sort(ORDERS[sort_by])
      .slice((page - 1) * limit, page * limit)
      .map(servedReview),
    filtered_count: matching.length,
    page,
    total_pages: Math.ceil(matching.length / limit),
  });
});

const summary = reading(on.fiche, none, ({ store }, _, { id, name }) =>
  ok({ fiche: { id, name }, ...countReviews(reviewsOf(store, id)) }),
);

/** The review of the path, and its listing, which a sphere key need not name. A named one must be that of the review. */
function namedReview(exchange: Exchange, ficheId: string | undefined) {
  const { store, params } = exchange;
  const named = ficheId === undefined ? undefined : targetFiche(exchange, ficheId);
  const review = findReview(store, params.review_id ?? '');
  if (review === undefined || (named !== undefined && named.id !== review.fiche_id)) {
    throw notFound(`Avis introuvable : ${params.review_id}`);
  }
  return { review, fiche: targetFiche(exchange, review.fiche_id) };
}

/** A second reply replaces the first, as at Google. */
const answer = (review: StoredReview, text: string, clock: Clock): void =>
  void Object.assign(review, { response_text: text, reply_date: clock.stamp() });

const onReview = { name: 'fiche_id', find: namedReview } as const;
const newReply = z.object({ text: s.text({ min: 1 }), dry_run: s.dryRun });

/** POST /reviews/{review_id}/reply. */
const reply = writing(onReview, newReply, ({ clock }, { text, dry_run }, { review, fiche }) => {
  if (review.gone) throw gone("Cet avis n'existe plus sur Google.");
  const { review_id, rating, customer_name, response_text } = review;
  const common = { review_id, rating, customer_name, fiche_name: fiche.name };
  if (dry_run) {
    return previewed({ ...common, would_post: true, would_reply: text, would_replace: response_text });
  }
  answer(review, text, clock);
  return ok({ posted: true, ...common });
});

export const reviews = defineResource({
  slices: [reviewsSlice],
  routes: [
    route('GET /reviews', 'read', 'reviews.list', list),
    route('GET /reviews/summary', 'read', 'reviews.summary', summary),
    route('POST /reviews/{review_id}/reply', 'publish', 'reviews.reply', reply),
  ],
});

const newReview = optionsSchema('reviews.add', {
  fiche_id: z._default(z.string(), ids.fiche),
  customer_name: z._default(z.string(), 'Odile C.'),
  rating: z._default(z.literal([1, 2, 3, 4, 5], { error: rule('must be a whole number from 1 to 5') }), 5),
  text: z._default(z.nullable(z.string()), 'Parfait.'),
  review_timestamp: z.optional(dateTime),
});

const replyText = z._default(
  z.string({ error: () => 'reviews.answer: `text` must be a string' }),
  'Merci de votre visite.',
);

export function createReviews(service: () => Service): MockReviews {
  const find = (id: string) =>
    found(
      findReview(service().store, id),
      `the mock has no review ${id}; reviews.all(fiche_id) has those of a listing`,
    );
  const requireFiche = (id: string) => {
    const { store } = service();
    found(brandBulle(store, findFiche(store, id)?.bulle_id), `the brand has no listing ${id}; GET /me lists them`);
  };
  return {
    add(fields = {}) {
      const { review_timestamp, ...given } = readOptions(newReview, fields);
      requireFiche(given.fiche_id);
      const { store, clock } = service();
      const items = store.get(reviewsSlice);
      const review: StoredReview = {
        review_id: `AbFvOq${letters(100_000 + items.length, 12)}`,
        ...given,
        review_timestamp: review_timestamp ?? clock.stamp(),
        response_text: null,
        reply_date: null,
        author_photo: null,
        draft: null,
        gone: false,
      };
      items.push(review);
      return servedReview(review);
    },
    answer(review_id, text) {
      const review = find(review_id);
      answer(review, readOptions(replyText, text), service().clock);
      return servedReview(review);
    },
    removeAtGoogle(review_id) {
      find(review_id).gone = true;
    },
    get: (review_id) => servedReview(find(review_id)),
    all(fiche_id = ids.fiche) {
      requireFiche(fiche_id);
      return reviewsOf(service().store, fiche_id).sort(newest).map(servedReview);
    },
  };
}
