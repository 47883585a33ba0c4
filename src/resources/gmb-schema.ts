import type { LiteralUnion } from 'type-fest';
import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import type { FicheTarget } from '../core/types.js';
import { ficheTargetSchema } from './parameters.js';

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

export const listingMetricsSchema: z.ZodMiniType<ListingMetrics, ListingMetrics> = s.object({
  fiche_id: s.string,
  fiche_name: s.maybe(s.string),
  period_days: s.integer,
  kpis: s.object({
    views_total: s.integer,
    views_search: s.integer,
    views_maps: s.integer,
    calls: s.integer,
    website: s.integer,
    directions: s.integer,
    messages: s.integer,
    bookings: s.integer,
  }),
  timeseries: s.list(s.object({ label: s.string, vues: s.integer, interactions: s.integer })),
  breakdown: s.maybe(s.opaque),
});

/** The last score of a listing, as it was kept. */
export interface OptimizerScore {
  /** `'gmb'`: of a Google listing. */
  kind: LiteralUnion<'gmb', string>;
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

export const optimizerScoreSchema: z.ZodMiniType<OptimizerScore, OptimizerScore> = s.object({
  kind: s.string,
  fiche_id: s.string,
  fiche_name: s.maybe(s.string),
  display_name: s.maybe(s.string),
  score: s.maybe(s.number),
  breakdown: s.maybe(s.opaque),
  scored_at: s.maybe(s.string),
});

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
  kind: LiteralUnion<'gmb', string>;
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

export const optimizerAuditSchema: z.ZodMiniType<OptimizerAudit, OptimizerAudit> = s.object({
  kind: s.string,
  fiche_id: s.string,
  fiche_name: s.maybe(s.string),
  display_name: s.maybe(s.string),
  score: s.number,
  breakdown: s.maybe(s.opaque),
  suggestions: s.list(s.object({ field: s.string, reason: s.string, suggested_value: s.maybe(s.string) })),
  review_count: s.maybe(s.integer),
  avg_rating: s.maybe(s.number),
  analyzed_at: s.maybe(s.string),
});

/** What `gmb.metrics` takes. */
export interface ListingMetricsParams extends FicheTarget {
  /** 1 to 90 days. Default 30. */
  period_days?: number | undefined;
}

export const listingMetricsParamsSchema: z.ZodMiniType<ListingMetricsParams, ListingMetricsParams> = s.params({
  period_days: z.optional(s.int(1, 90)),
  fiche_id: s.target,
});

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

export const optimizerApplyParamsSchema: z.ZodMiniType<OptimizerApplyParams, OptimizerApplyParams> = s.params({
  changes: s.list(s.params({ field: s.text(1), value: s.string }), 1),
  fiche_id: s.target,
});

export const gmbEndpoints = {
  metrics: endpoint({
    operation: 'gmb.metrics',
    method: 'GET',
    path: '/gmb/metrics',
    permission: 'read',
    target: 'fiche_id',
    targetRequired: true,
    params: listingMetricsParamsSchema,
    response: listingMetricsSchema,
  }),
  optimizer: {
    score: endpoint({
      operation: 'gmb.optimizer.score',
      method: 'GET',
      path: '/gmb/optimizer',
      permission: 'read',
      target: 'fiche_id',
      targetRequired: true,
      params: ficheTargetSchema,
      response: optimizerScoreSchema,
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
      params: ficheTargetSchema,
      response: optimizerAuditSchema,
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
      params: optimizerApplyParamsSchema,
    }),
  },
};
