import type { LiteralUnion } from 'type-fest';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';

/** The state of the service. */
export interface Health {
  /** `'ok'` if the service is up. */
  status: LiteralUnion<'ok', string>;
  /** `'2.0'` in this version of the service. */
  api_version: string;
  /** Time of the response by the service's clock, ISO 8601. */
  timestamp?: string | null;
}

/** The zod schema of {@link Health}. */
export const healthSchema: s.ObjectSchema<Health> = s.object({
  status: s.string,
  api_version: s.string,
  timestamp: s.maybe(s.string),
});

export const healthEndpoints = {
  health: endpoint({
    operation: 'health',
    method: 'GET',
    path: '/health',
    permission: null,
    response: healthSchema,
    needs: s.object({ status: s.string }),
  }),
};
