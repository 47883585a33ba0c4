import type * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';

/** A location (bubble) of the brand. */
export interface Bulle {
  /** The `bulle_id` that targets it. */
  id: string;
  name: string;
  city?: string | null;
  /** `null` when it takes the brand's. */
  tone?: string | null;
  /** `null` when it takes the brand's. */
  language?: string | null;
  sphere_id?: string | null;
  /** ISO 8601. */
  created_at?: string | null;
}

const bulleFields = {
  id: s.string,
  name: s.string,
  city: s.maybe(s.string),
  tone: s.maybe(s.string),
  language: s.maybe(s.string),
  sphere_id: s.maybe(s.string),
  created_at: s.maybe(s.string),
};

export const bulleSchema: z.ZodMiniType<Bulle, Bulle> = s.object(bulleFields);

/** A location with what it takes from its brand. */
export interface BulleDetail extends Bulle {
  /** Its own tone, else the brand's. */
  effective_tone?: string | null;
  /** Its own language, else the brand's. */
  effective_language?: string | null;
  /** How many Google listings it has. */
  gmb_fiches_count: number;
}

export const bulleDetailSchema: z.ZodMiniType<BulleDetail, BulleDetail> = s.object({
  ...bulleFields,
  effective_tone: s.maybe(s.string),
  effective_language: s.maybe(s.string),
  gmb_fiches_count: s.integer,
});

export const bulleEndpoints = {
  list: endpoint({
    operation: 'bulles.list',
    method: 'GET',
    path: '/bulles',
    permission: 'read',
    response: s.list(bulleSchema),
  }),
  get: endpoint({
    operation: 'bulles.get',
    method: 'GET',
    path: '/bulles/{bulle_id}',
    permission: 'read',
    response: bulleDetailSchema,
  }),
};
