import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import { ficheTargetSchema } from './parameters.js';

/** The last local-pack scan of a listing. */
export interface VisibilityScan {
  /** The listing. */
  fiche_id: string;
  /** Not the `snapshot_id` of `seo.snapshot`, which is a number. */
  snapshot_id: string;
  /** How visible it is; its range is not documented. */
  visibility_score: number;
  /** ISO 8601. */
  scanned_at: string;
  /** Never there: `null` marks the other form, {@link NoVisibilityScan}. */
  snapshot?: undefined;
}

export const visibilityScanSchema: z.ZodMiniType<VisibilityScan, VisibilityScan> = s.object({
  fiche_id: s.string,
  snapshot_id: s.string,
  visibility_score: s.number,
  scanned_at: s.string,
  snapshot: s.absent,
});

/** What stands in place of a scan for a listing that was never scanned. */
export interface NoVisibilityScan {
  /** The listing. */
  fiche_id: string;
  /** `null` marks this form. */
  snapshot: null;
}

export const noVisibilityScanSchema: z.ZodMiniType<NoVisibilityScan, NoVisibilityScan> = s.object({
  fiche_id: s.string,
  snapshot: z.null(s.must('null')),
});

export const visibilityEndpoints = {
  scan: endpoint({
    operation: 'visibility.scan',
    method: 'GET',
    path: '/visibility/scan',
    permission: 'read',
    target: 'fiche_id',
    targetRequired: true,
    params: ficheTargetSchema,
    response: s.anyOf([visibilityScanSchema, noVisibilityScanSchema], 'a scan or `snapshot: null`'),
  }),
};
