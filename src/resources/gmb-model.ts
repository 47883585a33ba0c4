import { endpoint } from '../core/endpoint.js';
import {
  array,
  boolean,
  int,
  integer,
  maybe,
  number,
  object,
  opaque,
  optional,
  strictObject,
  string,
  text,
} from '../core/schema.js';
import type { FicheTarget, OpenEnum } from '../core/types.js';

/** What people did with a listing, over the whole period. */
export interface ListingKpis {
  /** Views in search and on maps together. */
  views_total: number;
  /** Views in Google Search. */
  views_search: number;
  /** Views in Google Maps. */
  views_maps: number;
  /** Taps on the phone number. */
  calls: number;
  /** Clicks to the website. */
  website: number;
  /** Requests for directions. */
  directions: number;
  /** Messages to the business. */
  messages: number;
  /** Bookings by way of the listing. */
  bookings: number;
}

/** What people did with a listing on one day. */
export interface ListingDay {
  /** The date. */
  label: string;
  /** Views. */
  vues: number;
  /** What people did with it, counted together. */
  interactions: number;
}

/** The figures of a listing. */
export interface ListingMetrics {
  /** The listing. */
  fiche_id: string;
  /** Its name. */
  fiche_name?: string | null;
  /** Days that the figures cover. */
  period_days: number;
  /** Sums over the whole period. */
  kpis: ListingKpis;
  /** A row a day. */
  timeseries: ListingDay[];
  /** Its fields are not documented. */
  breakdown?: Record<string, unknown> | null;
}

/** The last score of a listing, as it was kept. */
export interface OptimizerScore {
  /** `'gmb'`: of a Google listing. */
  kind: OpenEnum<'gmb'>;
  /** The listing. */
  fiche_id: string;
  /** Its name. */
  fiche_name?: string | null;
  /** Its name, as it is shown. */
  display_name?: string | null;
  /** 0 to 100; `null` while the listing was never scored. */
  score?: number | null;
  /** What the score is made of; its fields are not documented. */
  breakdown?: Record<string, unknown> | null;
  /** ISO 8601; `null` while the listing was never scored. */
  scored_at?: string | null;
}

/** What an audit proposes to change. */
export interface OptimizerSuggestion {
  /** As `gmb.optimizer.apply` takes it. */
  field: string;
  /** Why it should change. */
  reason: string;
  /** Absent where the audit proposes no value. */
  suggested_value?: string | null;
}

/** What an audit of a listing found. */
export interface OptimizerAudit {
  /** `'gmb'`: of a Google listing. */
  kind: OpenEnum<'gmb'>;
  /** The listing. */
  fiche_id: string;
  /** Its name. */
  fiche_name?: string | null;
  /** Its name, as it is shown. */
  display_name?: string | null;
  /** 0 to 100. */
  score: number;
  /** What the score is made of; its fields are not documented. */
  breakdown?: Record<string, unknown> | null;
  /** What to change, for `gmb.optimizer.apply`. */
  suggestions: OptimizerSuggestion[];
  /** Reviews that the listing has. */
  review_count?: number | null;
  /** Stars; `null` without a review. */
  avg_rating?: number | null;
  /** ISO 8601. */
  analyzed_at?: string | null;
}

/** What `gmb.metrics` takes. */
export interface ListingMetricsParams extends FicheTarget {
  /** 1 to 90 days. Default 30. */
  period_days?: number | undefined;
}

/** One field of a listing and what it is to hold. */
export interface ListingChange {
  /** Name of the field, as an audit suggests it. */
  field: string;
  /** What it is to hold. */
  value: string;
}

/** What `gmb.optimizer.apply` takes. */
export interface OptimizerApplyParams extends FicheTarget {
  /** At least one. */
  changes: readonly ListingChange[];
}

/** @internal */
export const listingMetrics = object({
  fiche_id: string,
  fiche_name: maybe(string),
  period_days: integer,
  kpis: object({
    views_total: integer,
    views_search: integer,
    views_maps: integer,
    calls: integer,
    website: integer,
    directions: integer,
    messages: integer,
    bookings: integer,
  }),
  timeseries: array(object({ label: string, vues: integer, interactions: integer })),
  breakdown: maybe(opaque),
});

/** @internal */
export const optimizerScore = object({
  kind: string,
  fiche_id: string,
  fiche_name: maybe(string),
  display_name: maybe(string),
  score: maybe(number),
  breakdown: maybe(opaque),
  scored_at: maybe(string),
});

/** @internal */
export const optimizerAudit = object({
  kind: string,
  fiche_id: string,
  fiche_name: maybe(string),
  display_name: maybe(string),
  score: number,
  breakdown: maybe(opaque),
  suggestions: array(object({ field: string, reason: string, suggested_value: maybe(string) })),
  review_count: maybe(integer),
  avg_rating: maybe(number),
  analyzed_at: maybe(string),
});

/** @internal */
export const gmbEndpoints = {
  metrics: endpoint({
    operation: 'gmb.metrics',
    method: 'GET',
    path: '/gmb/metrics',
    permission: 'read',
    target: 'fiche_id',
    targetRequired: true,
    params: strictObject({ period_days: optional(int(1, 90)), fiche_id: optional(text(1)) }),
    response: listingMetrics,
  }),
  score: endpoint({
    operation: 'gmb.optimizer.score',
    method: 'GET',
    path: '/gmb/optimizer',
    permission: 'read',
    target: 'fiche_id',
    targetRequired: true,
    params: strictObject({ fiche_id: optional(text(1)) }),
    response: optimizerScore,
  }),
  audit: endpoint({
    operation: 'gmb.optimizer.audit',
    method: 'POST',
    path: '/gmb/optimizer/audit',
    trace: '`gmb.optimizer.score()` has a new `scored_at`',
    permission: 'publish',
    target: 'fiche_id',
    targetRequired: true,
    dryRun: true,
    slow: true,
    params: strictObject({ fiche_id: optional(text(1)), dry_run: optional(boolean) }),
    response: optimizerAudit,
  }),
  apply: endpoint({
    operation: 'gmb.optimizer.apply',
    method: 'POST',
    path: '/gmb/optimizer/apply',
    trace: 'the listing at Google alone shows it',
    permission: 'publish',
    target: 'fiche_id',
    targetRequired: true,
    dryRun: true,
    slow: true,
    params: strictObject({
      changes: array(strictObject({ field: text(1), value: string }), 1),
      fiche_id: optional(text(1)),
      dry_run: optional(boolean),
    }),
  }),
};
