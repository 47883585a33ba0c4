import type { LiteralUnion } from 'type-fest';
import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import type { FicheTarget } from '../core/types.js';
import { maskOf } from './contacts.js';
import { ficheTargetSchema } from './parameters.js';

/** Figures about the review requests of a listing. */
export interface AcquisitionStats {
  /** The listing that the figures are about. */
  fiche_id?: string | null;
  /** Number of review requests. */
  total_requests: number;
  /** The number of requests by channel. */
  by_channel: {
    /** Requests by SMS. */
    sms: number;
    /** Requests by e-mail. */
    email: number;
  };
  /** The number of requests in each state. The names of the states are not documented. */
  by_status?: Record<string, unknown> | null;
  /** Requests of the last 30 days. */
  last_30_days: number;
}

/** The zod schema of {@link AcquisitionStats}. */
export const acquisitionStatsSchema: s.ObjectSchema<AcquisitionStats> = s.object({
  fiche_id: s.maybe(s.string),
  total_requests: s.integer,
  by_channel: s.object({ sms: s.integer, email: s.integer }),
  by_status: s.maybe(s.opaque),
  last_30_days: s.integer,
});

/** A contact whose request was queued. */
export interface QueuedContact {
  /** Name of the customer. */
  customer_name?: string | null;
  /** How the request is sent. */
  channel: LiteralUnion<'sms' | 'email', string>;
  /** The phone number or e-mail address that the request is sent to. */
  contact?: string | null;
}

/** The result of `acquisition.requestReviews`. The service sends the messages later. */
export interface ReviewRequestBatch {
  /** Whether the service accepted the requests. */
  queued: boolean;
  /** Number of accepted requests. Compare it with the number of contacts. */
  queued_count: number;
  /** Id of the batch. No route accepts it: use `acquisition.stats` to count requests. */
  batch_id: string;
  /** The contacts whose requests were accepted. */
  contacts?: QueuedContact[] | null;
  /** Name of the listing to review. */
  fiche_name?: string | null;
}

/** The zod schema of {@link ReviewRequestBatch}. */
export const reviewRequestBatchSchema: s.ObjectSchema<ReviewRequestBatch> = s.object({
  queued: s.boolean,
  queued_count: s.integer,
  batch_id: s.string,
  contacts: s.maybe(
    s.list(s.object({ customer_name: s.maybe(s.string), channel: s.string, contact: s.maybe(s.string) })),
  ),
  fiche_name: s.maybe(s.string),
});

interface ContactFields {
  /** Name of the customer. */
  customer_name: string;
  /** Text of your own for the message. */
  custom_message?: string | undefined;
}

/** A customer who gets a review request by SMS. */
export interface SmsContact extends ContactFields {
  /** The request is sent by SMS. */
  channel: 'sms';
  /** Phone number that receives the SMS. */
  customer_phone: string;
  /** Sent too if it has a value. `null` and `''` are left out. */
  customer_email?: string | null | undefined;
}

/** A customer who gets a review request by e-mail. */
export interface EmailContact extends ContactFields {
  /** The request is sent by e-mail. */
  channel: 'email';
  /** Address that receives the e-mail. */
  customer_email: string;
  /** Sent too if it has a value. `null` and `''` are left out. */
  customer_phone?: string | null | undefined;
}

/** A row of a database, with both addresses. The one that the channel needs is checked when the call is made. */
export interface ContactRow extends ContactFields {
  /** How the request is sent. */
  channel: 'sms' | 'email';
  /** Required with `channel: 'sms'`. */
  customer_phone: string | null | undefined;
  /** Required with `channel: 'email'`. */
  customer_email: string | null | undefined;
}

/**
 * A customer to ask for a review: with a phone number for `sms`, with an e-mail address for `email`. The other address is
 * sent too if it has a value.
 */
export type ReviewContact = SmsContact | EmailContact | ContactRow;

const CHANNELS = ['sms', 'email'] as const;

const contactSchema: z.ZodMiniType<ReviewContact, ReviewContact> = s.refine(
  s.params({
    customer_name: s.text(1),
    channel: s.oneOf(CHANNELS),
    customer_phone: z.nullish(s.string),
    customer_email: z.nullish(s.string),
    custom_message: z.optional(s.text(1)),
  }),
  s.rule(
    ({ channel, customer_phone }) => channel !== 'sms' || Boolean(customer_phone?.trim()),
    "is required when `channel` is 'sms'",
    'customer_phone',
  ),
  s.rule(
    ({ channel, customer_email }) => channel !== 'email' || Boolean(customer_email?.trim()),
    "is required when `channel` is 'email'",
    'customer_email',
  ),
);

/** Parameters of `acquisition.requestReviews`. */
export interface ReviewRequestParams extends FicheTarget {
  /** The customers to ask, at least one. */
  contacts: readonly ReviewContact[];
}

/** The zod schema of {@link ReviewRequestParams}. */
export const reviewRequestParamsSchema: s.ObjectSchema<ReviewRequestParams> = s.params({
  contacts: s.list(contactSchema, 1),
  fiche_id: s.target,
});

export const acquisitionEndpoints = {
  stats: endpoint({
    operation: 'acquisition.stats',
    method: 'GET',
    path: '/acquisition/stats',
    permission: 'read',
    target: 'fiche_id',
    targetRequired: true,
    params: ficheTargetSchema,
    response: acquisitionStatsSchema,
  }),
  requestReviews: endpoint({
    operation: 'acquisition.requestReviews',
    method: 'POST',
    path: '/acquisition/review-requests',
    trace: '`acquisition.stats()` shows more `total_requests`',
    permission: 'publish',
    target: 'fiche_id',
    targetRequired: true,
    dryRun: true,
    slow: true,
    confidential: ({ contacts }) => maskOf([contacts].flat().flatMap(addressesOf)),
    params: reviewRequestParamsSchema,
    response: reviewRequestBatchSchema,
  }),
};

/** Every text of a contact that may be a phone number or an address, in any field: callers may mix the fields up. */
function addressesOf(contact: unknown): string[] {
  if (typeof contact === 'string') return [contact];
  const { customer_name: _, custom_message: __, ...rest } = Object(contact) as Record<string, unknown>;
  return Object.values(rest)
    .flat()
    .filter((value): value is string => typeof value === 'string' && !(CHANNELS as readonly string[]).includes(value));
}
