import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import { maybe } from '../core/schema.js';

/** @internal */
export const identity = /* @__PURE__ */ (() =>
  z.looseObject({
    api_version: z.string(),
    bulle: z.nullable(z.looseObject({ id: z.string(), name: z.string(), city: maybe(z.string()) })),
    sphere: z.looseObject({ id: z.string(), name: z.string(), slug: maybe(z.string()) }),
    permissions: z.array(z.string()),
    rate_limits: z.looseObject({ per_minute: z.int(), per_day: z.int() }),
    connected_platforms: z.array(z.string()),
    gmb_fiches: z.array(
      z.looseObject({
        id: z.string(),
        name: z.string(),
        address: maybe(z.string()),
        service_area: maybe(z.boolean()),
      }),
    ),
  }))();

/** @internal */
export const meEndpoints = {
  me: /* @__PURE__ */ (() =>
    endpoint({
      operation: 'me',
      method: 'GET',
      path: '/me',
      permission: 'read',
      alwaysAsked: true,
      response: identity,
    }))(),
};
