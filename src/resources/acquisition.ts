import type { ApiPromise } from '../core/api-promise.js';
import { endpoint } from '../core/endpoint.js';
import type { RequestOptions } from '../core/options.js';
import {
  array,
  boolean,
  integer,
  maybe,
  object,
  oneOf,
  opaque,
  optional,
  strictObject,
  string,
  text,
  where,
} from '../core/schema.js';
import type { Send } from '../core/send.js';
import type { DryRunEither, DryRunOff, DryRunOn, DryRunPreview, FicheTarget, OpenEnum } from '../core/types.js';

/** The review requests of a listing in figures. */
export interface AcquisitionStats {
  /** The listing that they are of. */
  fiche_id: string;
  /** Requests in all. */
  total_requests: number;
  /** The requests by the way that they went. */
  by_channel: {
    /** Requests by SMS. */
    sms: number;
    /** Requests by e-mail. */
    email: number;
  };
  /** How many stand in each state; the states are not documented. */
  by_status?: Record<string, unknown> | null;
  /** Requests of the last 30 days. */
  last_30_days: number;
}

/** A contact whose request was queued. */
export interface QueuedContact {
  /** How the customer is addressed. */
  customer_name?: string | null;
  /** The way that the request goes. */
  channel: OpenEnum<'sms' | 'email'>;
  /** The number or address that it goes to. */
  contact?: string | null;
}

/** What became of a batch of review requests. They are sent afterwards. */
export interface ReviewRequestBatch {
  /** Whether any request was taken. */
  queued: boolean;
  /** Fewer than the contacts that were given: the others are not asked. */
  queued_count: number;
  /** No route reads it: `acquisition.stats` counts. */
  batch_id: string;
  /** Those whose requests were taken. */
  contacts?: QueuedContact[] | null;
  /** Name of the listing that they are asked to review. */
  fiche_name?: string | null;
}

interface ContactFields {
  /** How the customer is addressed. */
  customer_name: string;
  /** In place of the service's own text. */
  custom_message?: string | undefined;
}

/** A customer to ask by SMS. */
export interface SmsContact extends ContactFields {
  /** By SMS. */
  channel: 'sms';
  /** The number that the SMS goes to. */
  customer_phone: string;
  customer_email?: undefined;
}

/** A customer to ask by e-mail. */
export interface EmailContact extends ContactFields {
  /** By e-mail. */
  channel: 'email';
  /** The address that the e-mail goes to. */
  customer_email: string;
  customer_phone?: undefined;
}

/** A customer to ask for a review. Only what its channel needs is sent: no number with an e-mail, no address with an SMS. */
export type ReviewContact = SmsContact | EmailContact;

/** What `acquisition.requestReviews` takes. */
export interface ReviewRequestParams extends FicheTarget {
  /** At least one. */
  contacts: readonly ReviewContact[];
}

/** @internal */
export const acquisitionStats = object({
  fiche_id: string,
  total_requests: integer,
  by_channel: object({ sms: integer, email: integer }),
  by_status: maybe(opaque),
  last_30_days: integer,
});

/** @internal */
export const reviewRequestBatch = object({
  queued: boolean,
  queued_count: integer,
  batch_id: string,
  contacts: maybe(array(object({ customer_name: maybe(string), channel: string, contact: maybe(string) }))),
  fiche_name: maybe(string),
});

const contact = where(
  strictObject({
    customer_name: text(1),
    channel: oneOf('sms', 'email'),
    customer_phone: optional(text(1)),
    customer_email: optional(text(1)),
    custom_message: optional(text(1)),
  }),
  [
    ({ channel, customer_phone }) => (channel === 'sms') === (customer_phone !== undefined),
    "one where `channel` is 'sms', and none elsewhere",
    'customer_phone',
  ],
  [
    ({ channel, customer_email }) => (channel === 'email') === (customer_email !== undefined),
    "one where `channel` is 'email', and none elsewhere",
    'customer_email',
  ],
);

/** @internal */
export const acquisitionEndpoints = {
  stats: endpoint({
    operation: 'acquisition.stats',
    method: 'GET',
    path: '/acquisition/stats',
    permission: 'read',
    target: 'fiche_id',
    targetRequired: true,
    params: strictObject({ fiche_id: optional(text(1)) }),
    response: acquisitionStats,
  }),
  requestReviews: endpoint({
    operation: 'acquisition.requestReviews',
    method: 'POST',
    path: '/acquisition/review-requests',
    trace: '`acquisition.stats()` has more `total_requests`',
    permission: 'publish',
    target: 'fiche_id',
    targetRequired: true,
    dryRun: true,
    slow: true,
    confidential: ({ contacts }) =>
      (contacts as ReviewContact[]).flatMap((to) => [to.customer_phone, to.customer_email]),
    params: strictObject({
      contacts: array(contact, 1),
      fiche_id: optional(text(1)),
      dry_run: optional(boolean),
    }),
    response: reviewRequestBatch,
  }),
};

/** Requests that ask customers for a review, by SMS and e-mail. */
export class Acquisition {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Read how many customers were asked, over 30 days too. `GET /acquisition/stats`, permission `read`.
   * @throws a {@link MissingFicheIdError} for a key that covers several listings, without `fiche_id`.
   * @example const { by_channel, last_30_days } = await client.acquisition.stats({ fiche_id });
   */
  stats(params: FicheTarget = {}, options?: RequestOptions): ApiPromise<AcquisitionStats> {
    return this.#send(acquisitionEndpoints.stats, { ...params }, options);
  }

  /**
   * Ask customers for a review by SMS or e-mail. `POST /acquisition/review-requests`, permission `publish`.
   *
   * Spends the monthly SMS and e-mail quotas of the location. `queued_count` may be less than was given. Never sent twice
   * when it may have happened: after `outcome: 'unknown'`, `acquisition.stats` shows whether `total_requests` grew.
   * @throws a {@link QuotaExceededError} when a monthly quota is used up.
   * @throws a {@link MissingFicheIdError} for a key that covers several listings, without `fiche_id`.
   * @example
   * const { queued_count } = await client.acquisition.requestReviews({
   *   contacts: [{ customer_name: 'Ada Martin', channel: 'email', customer_email: 'ada@example.com' }],
   *   fiche_id,
   * });
   */
  requestReviews(params: ReviewRequestParams & DryRunOff, options?: RequestOptions): ApiPromise<ReviewRequestBatch>;
  /**
   * Preview review requests: nobody is asked. `POST /acquisition/review-requests` with `dry_run: true`, permission
   * `publish`.
   * @throws a {@link DryRunNotHonoredError} when the answer does not show a preview: the customers are then asked.
   * @example const { quota } = await client.acquisition.requestReviews({ contacts, fiche_id, dry_run: true });
   */
  requestReviews(params: ReviewRequestParams & DryRunOn, options?: RequestOptions): ApiPromise<DryRunPreview>;
  /**
   * Ask or preview, as `dry_run` says. `POST /acquisition/review-requests`, permission `publish`.
   * @example await client.acquisition.requestReviews({ contacts, fiche_id, dry_run: rehearse });
   */
  requestReviews(
    params: ReviewRequestParams & DryRunEither,
    options?: RequestOptions,
  ): ApiPromise<ReviewRequestBatch | DryRunPreview>;
  requestReviews(params: ReviewRequestParams & DryRunEither, options?: RequestOptions) {
    return this.#send<ReviewRequestBatch & DryRunPreview>(acquisitionEndpoints.requestReviews, { ...params }, options);
  }
}
