import type * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';

/** A brand: the parent of its locations. */
export interface Sphere {
  id: string;
  name: string;
  slug?: string | null;
  /** Language that a location writes in when it has none of its own. */
  default_language?: string | null;
  /** Tone that a location writes in when it has none of its own. */
  default_tone?: string | null;
  /** ISO 8601. */
  created_at?: string | null;
}

export const sphereSchema: z.ZodMiniType<Sphere, Sphere> = s.object({
  id: s.string,
  name: s.string,
  slug: s.maybe(s.string),
  default_language: s.maybe(s.string),
  default_tone: s.maybe(s.string),
  created_at: s.maybe(s.string),
});

export const sphereEndpoints = {
  list: endpoint({
    operation: 'spheres.list',
    method: 'GET',
    path: '/spheres',
    permission: 'read',
    response: s.list(sphereSchema),
  }),
};
