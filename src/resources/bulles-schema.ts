import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';

/** A location (bubble) of the brand. */
export interface Bulle {
  /** Use it as `bulle_id` in other calls. */
  id: string;
  /** Name of the location. */
  name?: string | null;
  /** City of the location. */
  city?: string | null;
  /** Own tone of its texts. Without one, the location inherits the brand's: see `effective_tone`. */
  tone?: string | null;
  /** Own language of its texts. Without one, the location inherits the brand's: see `effective_language`. */
  language?: string | null;
  /** Id of the brand. */
  sphere_id?: string | null;
  /** ISO 8601. */
  created_at?: string | null;
}

const bulleFields = {
  id: s.string,
  name: s.maybe(s.string),
  city: s.maybe(s.string),
  tone: s.maybe(s.string),
  language: s.maybe(s.string),
  sphere_id: s.maybe(s.string),
  created_at: s.maybe(s.string),
};

/** The zod schema of {@link Bulle}. */
export const bulleSchema: s.ObjectSchema<Bulle> = s.object(bulleFields);

/** A location with the values that it inherits from its brand. */
export interface BulleDetail extends Bulle {
  /** Own tone of the location, else the tone of the brand. */
  effective_tone?: string | null;
  /** Own language of the location, else the language of the brand. */
  effective_language?: string | null;
  /** Number of Google listings of the location. */
  gmb_fiches_count: number;
}

/** The zod schema of {@link BulleDetail}. */
export const bulleDetailSchema: s.ObjectSchema<BulleDetail> = s.object({
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
