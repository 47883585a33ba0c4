import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
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
export const health = /* @__PURE__ */ (() =>
  z.looseObject({ status: z.string(), api_version: z.string(), timestamp: z.string() }))();

/** @internal */
export const healthEndpoints = {
  health: /* @__PURE__ */ (() =>
    endpoint({ operation: 'health', method: 'GET', path: '/health', permission: null, response: health }))(),
};
