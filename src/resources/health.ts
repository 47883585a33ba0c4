import { endpoint } from '../core/endpoint.js';
import { object, string } from '../core/schema.js';
import type { OpenEnum } from '../core/types.js';

/** Whether the service is up. */
export interface Health {
  status: OpenEnum<'ok'>;
  /** `'2.0'` in this version of the service. */
  api_version: string;
  /** ISO 8601. */
  timestamp: string;
}

/** @internal */
export const health = object({ status: string, api_version: string, timestamp: string });

/** @internal */
export const healthEndpoints = {
  health: endpoint({ operation: 'health', method: 'GET', path: '/health', permission: null, response: health }),
};
