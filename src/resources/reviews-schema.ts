import type { LiteralUnion } from 'type-fest';
import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import type { FicheTarget, Timestamp } from '../core/types.js';
import { ficheTargetSchema } from './parameters.js';

/** A review of a Google listing. */
export interface Review {
  /** Id for `reviews.reply`. It can contain slashes. */
  review_id: string;
  /** Name of the author. */
  customer_name?: string | null;
  /** Number of stars, 1 to 5. */
  rating: number;
  /** Text of the review. */
  text?: string | null;
  /** Date of the review, ISO 8601. */
  review_timestamp?: string | null;
  /** Text of the reply. May be `null`. */
  response_text?: string | null;
  /** Date of the reply, ISO 8601. May be `null`. */
  reply_date?: string | null;
  /** Whether the review has a reply. */
  responded: boolean;
  /** Address of a picture of the author. It may be on another host: fetch it without the key. */
  author_photo?: string | null;
}

const counts = s.object({ all: s.integer, responded: s.integer, drafts: s.integer, unresponded: s.integer });

/** The zod schema of {@link Review}. */
export const reviewSchema: s.ObjectSchema<Review> = s.object({
  review_id: s.string,
  customer_name: s.maybe(s.string),
  rating: s.integer,
  text: s.maybe(s.string),
  review_timestamp: s.maybe(s.string),
  response_text: s.maybe(s.string),
  reply_date: s.maybe(s.string),
  responded: s.boolean,
  author_photo: s.maybe(s.string),
});

/** The number of reviews in each state. */
export interface ReviewCounts {
  /** All reviews. */
  all: number;
  /** Reviews with the status `responded`. */
  responded: number;
  /** Reviews with the status `drafts`. Its meaning is not documented. */
  drafts: number;
  /** Reviews with the status `unresponded`. */
  unresponded: number;
}

/** The listing whose reviews a page contains. */
export interface ReviewedFiche {
  /** The `fiche_id` of the listing. */
  id: string;
  /** Name of the listing. */
  name?: string | null;
  /** Postal address of the listing. */
  address?: string | null;
  /** Google's id of the place. It is not a `fiche_id`. */
  place_id?: string | null;
  /** Average number of stars. */
  average_rating?: number | null;
  /** Number of reviews of the listing. */
  total_reviews: number;
}

/** One page of reviews. */
export interface ReviewPage {
  /** The listing that the reviews belong to. */
  fiche?: ReviewedFiche | null;
  /** The reviews of this page. */
  reviews: Review[];
  /** Average number of stars of the listing. */
  average_rating?: number | null;
  /** Number of all reviews of the listing. */
  total_reviews: number;
  /** Number of reviews that match the filters. */
  filtered_count: number;
  /** Number of reviews of the listing by state. */
  status_counts: ReviewCounts;
  /** Number of this page. The first page is 1. */
  page: number;
  /** Number of pages with these filters and this `limit`. */
  total_pages: number;
}

/** The zod schema of {@link ReviewPage}. */
export const reviewPageSchema: s.ObjectSchema<ReviewPage> = s.object({
  fiche: s.maybe(
    s.object({
      id: s.string,
      name: s.maybe(s.string),
      address: s.maybe(s.string),
      place_id: s.maybe(s.string),
      average_rating: s.maybe(s.number),
      total_reviews: s.integer,
    }),
  ),
  reviews: s.list(reviewSchema),
  average_rating: s.maybe(s.number),
  total_reviews: s.integer,
  filtered_count: s.integer,
  status_counts: counts,
  page: s.integer,
  total_pages: s.integer,
});

/** Figures about the reviews of a listing. */
export interface ReviewSummary {
  /** The listing that the figures are about. */
  fiche?: {
    /** The `fiche_id` of the listing. */
    id: string;
    /** Name of the listing. */
    name?: string | null;
  } | null;
  /** Average number of stars. */
  average_rating?: number | null;
  /** Number of all reviews of the listing. */
  total_reviews: number;
  /** Number of reviews by state. */
  status_counts: ReviewCounts;
}

/** The zod schema of {@link ReviewSummary}. */
export const reviewSummarySchema: s.ObjectSchema<ReviewSummary> = s.object({
  fiche: s.maybe(s.object({ id: s.string, name: s.maybe(s.string) })),
  average_rating: s.maybe(s.number),
  total_reviews: s.integer,
  status_counts: counts,
});

/** The result of `reviews.reply`. */
export interface ReviewReply {
  /** Whether the reply was posted on Google. */
  posted: boolean;
  /** Id of the review. */
  review_id: string;
  /** Number of stars of the review, 1 to 5. */
  rating?: number | null;
  /** Name of the author of the review. */
  customer_name?: string | null;
  /** Name of the listing. */
  fiche_name?: string | null;
}

/** The zod schema of {@link ReviewReply}. */
export const reviewReplySchema: s.ObjectSchema<ReviewReply> = s.object({
  posted: s.boolean,
  review_id: s.string,
  rating: s.maybe(s.integer),
  customer_name: s.maybe(s.string),
  fiche_name: s.maybe(s.string),
});

/** Filters of `reviews.list`. */
export interface ReviewListParams extends FicheTarget {
  /** Minimum number of stars, 1 to 5. Default 1. */
  min_stars?: number | undefined;
  /** Maximum number of stars, 1 to 5, not lower than `min_stars`. Default 5. */
  max_stars?: number | undefined;
  /** Only reviews in this state. */
  status?: 'responded' | 'drafts' | 'unresponded' | undefined;
  /** Only reviews that contain this text. */
  keyword?: string | undefined;
  /** Only reviews from this date on. It is not documented whether the date itself is included. */
  date_from?: Timestamp | undefined;
  /** Only reviews up to this date. It is not documented whether the date itself is included. */
  date_to?: Timestamp | undefined;
  /** Order of the reviews. Default `'date_desc'`, the only documented value. */
  sort_by?: LiteralUnion<'date_desc', string> | undefined;
  /** Number of reviews per page, 1 to 100. Default 25. */
  limit?: number | undefined;
  /** Number of the page. Default 1, the first page. */
  page?: number | undefined;
}

/** The zod schema of {@link ReviewListParams}. */
export const reviewListParamsSchema: z.ZodMiniType<ReviewListParams, ReviewListParams> = s.refine(
  s.params({
    min_stars: z.optional(s.int(1, 5)),
    max_stars: z.optional(s.int(1, 5)),
    status: z.optional(s.oneOf(['responded', 'drafts', 'unresponded'])),
    keyword: z.optional(s.string),
    date_from: z.optional(s.timestamp),
    date_to: z.optional(s.timestamp),
    sort_by: z.optional(s.string),
    limit: z.optional(s.int(1, 100)),
    page: z.optional(s.int(1)),
    fiche_id: s.target,
  }),
  s.rule(
    ({ min_stars, max_stars }) => !min_stars || !max_stars || min_stars <= max_stars,
    'must not be more than `max_stars`',
    'min_stars',
  ),
);

/** Parameters of `reviews.reply`. */
export interface ReviewReplyParams extends FicheTarget {
  /** Text of the reply, which Google shows under the review. */
  text: string;
}

/** The zod schema of {@link ReviewReplyParams}. */
export const reviewReplyParamsSchema: s.ObjectSchema<ReviewReplyParams> = s.params({
  text: s.text(1),
  fiche_id: s.target,
});

export const reviewEndpoints = {
  list: endpoint({
    operation: 'reviews.list',
    method: 'GET',
    path: '/reviews',
    permission: 'read',
    target: 'fiche_id',
    targetRequired: true,
    params: reviewListParamsSchema,
    response: reviewPageSchema,
  }),
  summary: endpoint({
    operation: 'reviews.summary',
    method: 'GET',
    path: '/reviews/summary',
    permission: 'read',
    target: 'fiche_id',
    targetRequired: true,
    params: ficheTargetSchema,
    response: reviewSummarySchema,
  }),
  reply: endpoint({
    operation: 'reviews.reply',
    method: 'POST',
    path: '/reviews/{review_id}/reply',
    trace: "`reviews.list({ status: 'responded' })` shows your text",
    permission: 'publish',
    target: 'fiche_id',
    dryRun: true,
    slow: true,
    params: reviewReplyParamsSchema,
    response: reviewReplySchema,
  }),
};
