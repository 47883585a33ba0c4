import { endpoint } from '../core/endpoint.js';
import { array, boolean, integer, maybe, nullable, object, string } from '../core/schema.js';

/** @internal */
export const identity = object({
  api_version: string,
  bulle: nullable(object({ id: string, name: string, city: maybe(string) })),
  sphere: object({ id: string, name: string, slug: maybe(string) }),
  permissions: array(string),
  rate_limits: object({ per_minute: integer, per_day: integer }),
  connected_platforms: array(string),
  gmb_fiches: array(
    object({
      id: string,
      name: string,
      address: maybe(string),
      service_area: maybe(boolean),
    }),
  ),
});

/** @internal */
export const meEndpoints = {
  me: endpoint({
    operation: 'me',
    method: 'GET',
    path: '/me',
    permission: 'read',
    alwaysAsked: true,
    response: identity,
  }),
};
