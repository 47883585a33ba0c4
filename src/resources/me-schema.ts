import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import type { Identity } from '../core/types.js';

/** The zod schema of {@link Identity}. */
export const identitySchema: s.ObjectSchema<Identity> = s.object({
  api_version: s.string,
  bulle: z.nullable(s.object({ id: s.string, name: s.maybe(s.string), city: s.maybe(s.string) })),
  sphere: s.object({ id: s.string, name: s.maybe(s.string), slug: s.maybe(s.string) }),
  permissions: s.list(s.string),
  rate_limits: s.object({ per_minute: s.integer, per_day: s.integer }),
  connected_platforms: s.list(s.string),
  gmb_fiches: s.list(
    s.object({
      id: s.string,
      name: s.maybe(s.string),
      address: s.maybe(s.string),
      service_area: s.boolean,
    }),
  ),
});

const needs = {
  bulle: z.nullable(s.object({ id: s.string })),
  permissions: s.list(s.string),
  rate_limits: s.object({ per_minute: s.integer, per_day: s.integer }),
  gmb_fiches: s.list(s.object({ id: s.string })),
};

/** What the client itself needs of an identity: its scope, and what preflight and the limiter compare. */
export const identityNeeds = s.object(needs);

/** An identity that an app has kept. */
export const keptIdentity = s.object({ ...needs, sphere: s.object({ id: s.string }) });

export const meEndpoints = {
  me: endpoint({
    operation: 'me',
    method: 'GET',
    path: '/me',
    permission: 'read',
    alwaysAsked: true,
    response: identitySchema,
    needs: identityNeeds,
  }),
};
