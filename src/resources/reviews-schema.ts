import type { LiteralUnion } from 'type-fest';
import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import type { FicheTarget, Timestamp } from '../core/types.js';
import { ficheTargetSchema } from './parameters.js';

/** A review of a Google listing. */
export interface Review {
  /** For `reviews.reply`; may hold slashes. */
  review_id: string;
  /** Who wrote it. */
  customer_name?: string | null;
  /** 1 to 5 stars. */
  rating: number;
  /** `null` for stars without a word. */
  text?: string | null;
  /** ISO 8601. */
  review_timestamp?: string | null;
  /** The published reply; `null` when there is none. */
  response_text?: string | null;
  /** ISO 8601; `null` when there is no reply. */
  reply_date?: string | null;
  /** Whether it has a published reply. */
  responded: boolean;
  /** Address of a picture, on another host: fetch it without the key. */
  author_photo?: string | null;
}

const counts = s.object({ all: s.integer, responded: s.integer, drafts: s.integer, unresponded: s.integer });

export const reviewSchema: z.ZodMiniType<Review, Review> = s.object({
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

/** How many reviews stand in each state. */
export interface ReviewCounts {
  /** All of them. */
  all: number;
  /** With a published reply. */
  responded: number;
  /** With a reply that was written and not published. */
  drafts: number;
  /** Without a reply. */
  unresponded: number;
}

/** The listing whose reviews a page shows. */
export interface ReviewedFiche {
  /** The `fiche_id`. */
  id: string;
  /** Its name. */
  name?: string | null;
  /** Its postal address. */
  address?: string | null;
  /** Google's id of the place; not a `fiche_id`. */
  place_id?: string | null;
  /** Stars; `null` without a review. */
  average_rating?: number | null;
  /** How many reviews it has. */
  total_reviews?: number | null;
}

/** One page of reviews. */
export interface ReviewPage {
  /** The listing. */
  fiche: ReviewedFiche;
  /** The reviews of this page. */
  reviews: Review[];
  /** Stars; `null` without a review. */
  average_rating?: number | null;
  /** All reviews of the listing. */
  total_reviews: number;
  /** The reviews that match the filters: what `total_pages` counts. */
  filtered_count: number;
  /** The reviews of the listing by state. */
  status_counts: ReviewCounts;
  /** Which page this is, from 1. */
  page: number;
  /** How many pages there are with these filters and this `limit`. */
  total_pages: number;
}

export const reviewPageSchema: z.ZodMiniType<ReviewPage, ReviewPage> = s.object({
  fiche: s.object({
    id: s.string,
    name: s.maybe(s.string),
    address: s.maybe(s.string),
    place_id: s.maybe(s.string),
    average_rating: s.maybe(s.number),
    total_reviews: s.maybe(s.integer),
  }),
  reviews: s.list(reviewSchema),
  average_rating: s.maybe(s.number),
  total_reviews: s.integer,
  filtered_count: s.integer,
  status_counts: counts,
  page: s.integer,
  total_pages: s.integer,
});

/** The reviews of a listing in figures. */
export interface ReviewSummary {
  /** The listing. */
  fiche: {
    /** The `fiche_id`. */
    id: string;
    /** Its name. */
    name?: string | null;
  };
  /** Stars; `null` without a review. */
  average_rating?: number | null;
  /** How many reviews it has. */
  total_reviews: number;
  /** Its reviews by state. */
  status_counts: ReviewCounts;
}

export const reviewSummarySchema: z.ZodMiniType<ReviewSummary, ReviewSummary> = s.object({
  fiche: s.object({ id: s.string, name: s.maybe(s.string) }),
  average_rating: s.maybe(s.number),
  total_reviews: s.integer,
  status_counts: counts,
});

/** What became of a reply. */
export interface ReviewReply {
  /** Whether Google has it. */
  posted: boolean;
  /** The review that was answered. */
  review_id: string;
  /** Stars of the review. */
  rating?: number | null;
  /** Who wrote it. */
  customer_name?: string | null;
  /** Name of the listing. */
  fiche_name?: string | null;
}

export const reviewReplySchema: z.ZodMiniType<ReviewReply, ReviewReply> = s.object({
  posted: s.boolean,
  review_id: s.string,
  rating: s.maybe(s.integer),
  customer_name: s.maybe(s.string),
  fiche_name: s.maybe(s.string),
});

/** Which reviews `reviews.list` gives. */
export interface ReviewListParams extends FicheTarget {
  /** 1 to 5. Default 1. */
  min_stars?: number | undefined;
  /** 1 to 5, `min_stars` at least. Default 5. */
  max_stars?: number | undefined;
  /** Default: all. */
  status?: 'responded' | 'drafts' | 'unresponded' | undefined;
  /** Reviews that hold this text. */
  keyword?: string | undefined;
  /** Written at the earliest. */
  date_from?: Timestamp | undefined;
  /** Written at the latest. */
  date_to?: Timestamp | undefined;
  /** Default `'date_desc'`; the specification names no other order. */
  sort_by?: LiteralUnion<'date_desc', string> | undefined;
  /** Reviews a page, 1 to 100. Default 25. */
  limit?: number | undefined;
  /** From 1. Default 1. */
  page?: number | undefined;
}

export const reviewListParamsSchema: z.ZodMiniType<ReviewListParams, ReviewListParams> = s.where(
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

/** What `reviews.reply` takes. */
export interface ReviewReplyParams extends FicheTarget {
  /** What Google is to show under the review. */
  text: string;
}

export const reviewReplyParamsSchema: z.ZodMiniType<ReviewReplyParams, ReviewReplyParams> = s.params({
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
    trace: "`reviews.list({ status: 'responded' })` has your text",
    permission: 'publish',
    target: 'fiche_id',
    dryRun: true,
    slow: true,
    params: reviewReplyParamsSchema,
    response: reviewReplySchema,
  }),
};
