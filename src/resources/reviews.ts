import type { ApiPromise } from '../core/api-promise.js';
import { endpoint } from '../core/endpoint.js';
import type { RequestOptions } from '../core/options.js';
import { type ListPromise, type Paging, sendList } from '../core/pages.js';
import { timestamp } from '../core/parameters.js';
import {
  array,
  boolean,
  int,
  integer,
  maybe,
  number,
  object,
  oneOf,
  optional,
  strictObject,
  string,
  text,
  where,
} from '../core/schema.js';
import type { Send } from '../core/send.js';
import type {
  DryRunEither,
  DryRunOff,
  DryRunOn,
  DryRunPreview,
  FicheTarget,
  OpenEnum,
  Timestamp,
} from '../core/types.js';

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
  sort_by?: OpenEnum<'date_desc'> | undefined;
  /** Reviews a page, 1 to 100. Default 25. */
  limit?: number | undefined;
  /** From 1. Default 1. */
  page?: number | undefined;
}

/** What `reviews.reply` takes. */
export interface ReviewReplyParams extends FicheTarget {
  /** What Google is to show under the review. */
  text: string;
}

/** @internal */
export const review = object({
  review_id: string,
  customer_name: maybe(string),
  rating: integer,
  text: maybe(string),
  review_timestamp: maybe(string),
  response_text: maybe(string),
  reply_date: maybe(string),
  responded: boolean,
  author_photo: maybe(string),
});

const counts = object({ all: integer, responded: integer, drafts: integer, unresponded: integer });

/** @internal */
export const reviewPage = object({
  fiche: object({
    id: string,
    name: maybe(string),
    address: maybe(string),
    place_id: maybe(string),
    average_rating: maybe(number),
    total_reviews: maybe(integer),
  }),
  reviews: array(review),
  average_rating: maybe(number),
  total_reviews: integer,
  filtered_count: integer,
  status_counts: counts,
  page: integer,
  total_pages: integer,
});

/** @internal */
export const reviewSummary = object({
  fiche: object({ id: string, name: maybe(string) }),
  average_rating: maybe(number),
  total_reviews: integer,
  status_counts: counts,
});

/** @internal */
export const reviewReply = object({
  posted: boolean,
  review_id: string,
  rating: maybe(integer),
  customer_name: maybe(string),
  fiche_name: maybe(string),
});

/** @internal */
export const reviewEndpoints = {
  list: endpoint({
    operation: 'reviews.list',
    method: 'GET',
    path: '/reviews',
    permission: 'read',
    target: 'fiche_id',
    targetRequired: true,
    params: where(
      strictObject({
        min_stars: optional(int(1, 5)),
        max_stars: optional(int(1, 5)),
        status: optional(oneOf('responded', 'drafts', 'unresponded')),
        keyword: optional(string),
        date_from: optional(timestamp),
        date_to: optional(timestamp),
        sort_by: optional(string),
        limit: optional(int(1, 100)),
        page: optional(int(1)),
        fiche_id: optional(text(1)),
      }),
      [
        ({ min_stars, max_stars }) => !min_stars || !max_stars || min_stars <= max_stars,
        '`max_stars` or fewer',
        'min_stars',
      ],
    ),
    response: reviewPage,
  }),
  summary: endpoint({
    operation: 'reviews.summary',
    method: 'GET',
    path: '/reviews/summary',
    permission: 'read',
    target: 'fiche_id',
    targetRequired: true,
    params: strictObject({ fiche_id: optional(text(1)) }),
    response: reviewSummary,
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
    params: strictObject({
      text: text(1),
      fiche_id: optional(text(1)),
      dry_run: optional(boolean),
    }),
    response: reviewReply,
  }),
};

const paging: Paging<ReviewPage, Review> = {
  items: ({ reviews }) => reviews,
  id: ({ review_id }) => review_id,
  position: ({ page = 1 }: ReviewListParams) => page,
  next: (page, params, before) => {
    const { page: at = 1, limit = 25 } = params as ReviewListParams;
    // Reviews that left the filter meanwhile (answered ones, say) pulled others to pages that were read before.
    const gone = before ? before.filtered_count - page.filtered_count : 0;
    if (gone > 0 && at > 1) return { ...params, page: Math.max(1, at - Math.ceil(gone / limit)) };
    return at < page.total_pages ? { ...params, page: at + 1 } : undefined;
  },
};

/** The reviews of the Google listings. */
export class Reviews {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * List the reviews of a listing: one page when awaited, all of them when iterated. `GET /reviews`, permission `read`.
   *
   * Stars are 1 to 5 and `limit` is 1 to 100, 25 by default. Reviews that come in or get answered while pages are read
   * shift the others: none is given twice, and pages are read again where `filtered_count` shows that some moved back.
   * @throws a {@link MissingFicheIdError} for a key that covers several listings, without `fiche_id`.
   * @throws a {@link FicheOutOfScopeError} for a listing that the key does not reach; {@link NoFicheError} when it has none.
   * @example
   * for await (const { review_id, rating } of client.reviews.list({ status: 'unresponded', fiche_id })) {
   *   if (rating === 5) await client.reviews.reply(review_id, { text: 'Merci !', fiche_id });
   * }
   */
  list(params: ReviewListParams = {}, options?: RequestOptions): ListPromise<ReviewPage, Review> {
    return sendList(this.#send, reviewEndpoints.list, { ...params }, options, paging);
  }

  /**
   * Read the reviews of a listing in figures. `GET /reviews/summary`, permission `read`.
   * @throws a {@link MissingFicheIdError} for a key that covers several listings, without `fiche_id`.
   * @example const { average_rating, status_counts } = await client.reviews.summary({ fiche_id });
   */
  summary(params: FicheTarget = {}, options?: RequestOptions): ApiPromise<ReviewSummary> {
    return this.#send(reviewEndpoints.summary, { ...params }, options);
  }

  /**
   * Answer a review, for all to see at Google. `POST /reviews/{review_id}/reply`, permission `publish`.
   *
   * The service documents no `fiche_id` here and no need for one; it is sent where it is given. Never sent twice when it
   * may have happened: after `outcome: 'unknown'`, `reviews.list({ status: 'responded' })` shows the `response_text`.
   * @throws a {@link GoneError} when the review no longer exists at Google.
   * @throws a {@link BadGatewayError} when Google failed; the reply may be there all the same.
   * @example const { posted } = await client.reviews.reply(review_id, { text: 'Merci, à bientôt !' });
   */
  reply(review_id: string, params: ReviewReplyParams & DryRunOff, options?: RequestOptions): ApiPromise<ReviewReply>;
  /**
   * Preview a reply: nothing is posted. `POST /reviews/{review_id}/reply` with `dry_run: true`, permission `publish`.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview.
   * @example const preview = await client.reviews.reply(review_id, { text: 'Merci !', dry_run: true });
   */
  reply(review_id: string, params: ReviewReplyParams & DryRunOn, options?: RequestOptions): ApiPromise<DryRunPreview>;
  /**
   * Reply or preview, as `dry_run` says. `POST /reviews/{review_id}/reply`, permission `publish`.
   * @example await client.reviews.reply(review_id, { text: 'Merci !', dry_run: rehearse });
   */
  reply(
    review_id: string,
    params: ReviewReplyParams & DryRunEither,
    options?: RequestOptions,
  ): ApiPromise<ReviewReply | DryRunPreview>;
  reply(review_id: string, params: ReviewReplyParams & DryRunEither, options?: RequestOptions) {
    return this.#send<ReviewReply & DryRunPreview>(reviewEndpoints.reply, { ...params, review_id }, options);
  }
}
