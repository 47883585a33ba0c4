import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';

/** A brand, which owns locations. */
export interface Sphere {
  /** Id of the brand. */
  id: string;
  /** Name of the brand. */
  name?: string | null;
  /** Name of the brand as part of an address. */
  slug?: string | null;
  /** Language of the texts of locations without an own language. */
  default_language?: string | null;
  /** Tone of the texts of locations without an own tone. */
  default_tone?: string | null;
  /** ISO 8601. */
  created_at?: string | null;
}

/** The zod schema of {@link Sphere}. */
export const sphereSchema: s.ObjectSchema<Sphere> = s.object({
  id: s.string,
  name: s.maybe(s.string),
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
