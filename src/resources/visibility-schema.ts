import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import { absent, ficheTargetSchema } from './parameters.js';

/** The result of the last local-pack scan of a listing. */
export interface VisibilityScan {
  /** Id of the listing. */
  fiche_id?: string | null;
  /** Id of the scan. The `snapshot_id` of `seo.snapshot` is another id, a number. */
  snapshot_id: string;
  /** Visibility of the listing. Its range is not documented. */
  visibility_score: number;
  /** Date of the scan, ISO 8601. */
  scanned_at?: string | null;
  /** Always absent. `null` marks the other form, {@link NoVisibilityScan}. */
  snapshot?: undefined;
}

/** The zod schema of {@link VisibilityScan}. */
export const visibilityScanSchema: s.ObjectSchema<VisibilityScan> = s.object({
  fiche_id: s.maybe(s.string),
  snapshot_id: s.string,
  visibility_score: s.integer,
  scanned_at: s.maybe(s.string),
  snapshot: absent,
});

/** The response for a listing that was never scanned. */
export interface NoVisibilityScan {
  /** Id of the listing. */
  fiche_id?: string | null;
  /** Always `null`, which distinguishes this form from {@link VisibilityScan}. */
  snapshot: null;
}

/** The zod schema of {@link NoVisibilityScan}. */
export const noVisibilityScanSchema: s.ObjectSchema<NoVisibilityScan> = s.object({
  fiche_id: s.maybe(s.string),
  snapshot: s.only(null),
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
