import type { LiteralUnion } from 'type-fest';
import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import type { FicheTarget } from '../core/types.js';
import { ficheTargetSchema } from './parameters.js';

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

export const acquisitionStatsSchema: z.ZodMiniType<AcquisitionStats, AcquisitionStats> = s.object({
  fiche_id: s.string,
  total_requests: s.integer,
  by_channel: s.object({ sms: s.integer, email: s.integer }),
  by_status: s.maybe(s.opaque),
  last_30_days: s.integer,
});

/** A contact whose request was queued. */
export interface QueuedContact {
  /** How the customer is addressed. */
  customer_name?: string | null;
  /** The way that the request goes. */
  channel: LiteralUnion<'sms' | 'email', string>;
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

export const reviewRequestBatchSchema: z.ZodMiniType<ReviewRequestBatch, ReviewRequestBatch> = s.object({
  queued: s.boolean,
  queued_count: s.integer,
  batch_id: s.string,
  contacts: s.maybe(
    s.list(s.object({ customer_name: s.maybe(s.string), channel: s.string, contact: s.maybe(s.string) })),
  ),
  fiche_name: s.maybe(s.string),
});

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

const CHANNELS = ['sms', 'email'] as const;

const contactSchema: z.ZodMiniType<ReviewContact, ReviewContact> = s.where(
  s.params({
    customer_name: s.text(1),
    channel: s.oneOf(CHANNELS),
    customer_phone: z.optional(s.text(1)),
    customer_email: z.optional(s.text(1)),
    custom_message: z.optional(s.text(1)),
  }),
  s.rule(
    ({ channel, customer_phone }) => (channel === 'sms') === (customer_phone !== undefined),
    "is required when `channel` is 'sms' and not allowed otherwise",
    'customer_phone',
  ),
  s.rule(
    ({ channel, customer_email }) => (channel === 'email') === (customer_email !== undefined),
    "is required when `channel` is 'email' and not allowed otherwise",
    'customer_email',
  ),
);

/** What `acquisition.requestReviews` takes. */
export interface ReviewRequestParams extends FicheTarget {
  /** At least one. */
  contacts: readonly ReviewContact[];
}

export const reviewRequestParamsSchema: z.ZodMiniType<ReviewRequestParams, ReviewRequestParams> = s.params({
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
    trace: '`acquisition.stats()` has more `total_requests`',
    permission: 'publish',
    target: 'fiche_id',
    targetRequired: true,
    dryRun: true,
    slow: true,
    confidential: ({ contacts }) => [contacts].flat().flatMap(addressesOf),
    params: reviewRequestParamsSchema,
    response: reviewRequestBatchSchema,
  }),
};

/** Whatever a contact holds that people are reached by, under whichever name: parameters may be mixed up. */
function addressesOf(contact: unknown): string[] {
  if (typeof contact === 'string') return [contact];
  const { customer_name: _, custom_message: __, ...rest } = Object(contact) as Record<string, unknown>;
  return Object.values(rest)
    .flat()
    .filter((value): value is string => typeof value === 'string' && CHANNELS.every((channel) => channel !== value));
}
