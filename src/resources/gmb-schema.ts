import type { LiteralUnion } from 'type-fest';
import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import type { FicheTarget } from '../core/types.js';
import { ficheTargetSchema } from './parameters.js';

/** How often people saw and used a listing in the whole period. */
export interface ListingKpis {
  /** All views. */
  views_total: number;
  /** Views in Google Search. */
  views_search: number;
  /** Views in Google Maps. */
  views_maps: number;
  /** Calls. */
  calls: number;
  /** Clicks on the link to the website. */
  website: number;
  /** Requests for directions. */
  directions: number;
  /** Messages sent to the business. */
  messages: number;
  /** Bookings made through the listing. */
  bookings: number;
}

/** How often people saw and used a listing at one date. */
export interface ListingDay {
  /** The date. Its format is not documented. */
  label: string;
  /** Views of the listing. */
  vues: number;
  /** Interactions with the listing. */
  interactions: number;
}

/** The figures of a listing. */
export interface ListingMetrics {
  /** Id of the listing. */
  fiche_id?: string | null;
  /** Name of the listing. */
  fiche_name?: string | null;
  /** Number of days that the figures cover. */
  period_days: number;
  /** Sums over the whole period. */
  kpis: ListingKpis;
  /** The figures by date. */
  timeseries: ListingDay[];
  /** Details of the figures. The fields of this object are not documented. */
  breakdown?: Record<string, unknown> | null;
}

/** The zod schema of {@link ListingMetrics}. */
export const listingMetricsSchema: s.ObjectSchema<ListingMetrics> = s.object({
  fiche_id: s.maybe(s.string),
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

/** The result of the last audit of a listing. */
export interface OptimizerScore {
  /** `'gmb'` for a Google listing. */
  kind: LiteralUnion<'gmb', string>;
  /** Id of the listing. */
  fiche_id?: string | null;
  /** Name of the listing. */
  fiche_name?: string | null;
  /** Name of the listing for display. */
  display_name?: string | null;
  /** 0 to 100. */
  score?: number | null;
  /** Parts of the score. The fields of this object are not documented. */
  breakdown?: Record<string, unknown> | null;
  /** ISO 8601. */
  scored_at?: string | null;
}

/** The zod schema of {@link OptimizerScore}. */
export const optimizerScoreSchema: s.ObjectSchema<OptimizerScore> = s.object({
  kind: s.string,
  fiche_id: s.maybe(s.string),
  fiche_name: s.maybe(s.string),
  display_name: s.maybe(s.string),
  score: s.maybe(s.integer),
  breakdown: s.maybe(s.opaque),
  scored_at: s.maybe(s.string),
});

/** A change that an audit suggests. */
export interface OptimizerSuggestion {
  /** Name of the field, for `gmb.optimizer.apply`. */
  field: string;
  /** Why the field should change. */
  reason?: string | null;
  /** New value of the field. May be absent. */
  suggested_value?: string | null;
}

/** The result of an audit of a listing. */
export interface OptimizerAudit {
  /** `'gmb'` for a Google listing. */
  kind: LiteralUnion<'gmb', string>;
  /** Id of the listing. */
  fiche_id?: string | null;
  /** Name of the listing. */
  fiche_name?: string | null;
  /** Name of the listing for display. */
  display_name?: string | null;
  /** 0 to 100. */
  score: number;
  /** Parts of the score. The fields of this object are not documented. */
  breakdown?: Record<string, unknown> | null;
  /** Suggested changes, for `gmb.optimizer.apply`. */
  suggestions: OptimizerSuggestion[];
  /** Number of reviews of the listing. */
  review_count: number;
  /** Average number of stars. */
  avg_rating?: number | null;
  /** ISO 8601. */
  analyzed_at?: string | null;
}

/** The zod schema of {@link OptimizerAudit}. */
export const optimizerAuditSchema: s.ObjectSchema<OptimizerAudit> = s.object({
  kind: s.string,
  fiche_id: s.maybe(s.string),
  fiche_name: s.maybe(s.string),
  display_name: s.maybe(s.string),
  score: s.integer,
  breakdown: s.maybe(s.opaque),
  suggestions: s.list(s.object({ field: s.string, reason: s.maybe(s.string), suggested_value: s.maybe(s.string) })),
  review_count: s.integer,
  avg_rating: s.maybe(s.number),
  analyzed_at: s.maybe(s.string),
});

/** Parameters of `gmb.metrics`. */
export interface ListingMetricsParams extends FicheTarget {
  /** Number of days, 1 to 90. Default 30. */
  period_days?: number | undefined;
}

/** The zod schema of {@link ListingMetricsParams}. */
export const listingMetricsParamsSchema: s.ObjectSchema<ListingMetricsParams> = s.params({
  period_days: z.optional(s.int(1, 90)),
  fiche_id: s.target,
});

/** A new value for one field of a listing. */
export interface ListingChange {
  /** Name of the field, as in the suggestions of an audit. */
  field: string;
  /** New value of the field. */
  value: string;
}

/** Parameters of `gmb.optimizer.apply`. */
export interface OptimizerApplyParams extends FicheTarget {
  /** The changes, at least one. */
  changes: readonly ListingChange[];
}

/** The zod schema of {@link OptimizerApplyParams}. */
export const optimizerApplyParamsSchema: s.ObjectSchema<OptimizerApplyParams> = s.params({
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
      trace: '`gmb.optimizer.score()` shows a new `scored_at`',
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
      trace: 'only the listing at Google shows it',
      permission: 'publish',
      target: 'fiche_id',
      targetRequired: true,
      dryRun: true,
      slow: true,
      params: optimizerApplyParamsSchema,
    }),
  },
};
