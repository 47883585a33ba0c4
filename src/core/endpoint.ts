import type { Mask } from './redact.js';
import type { Schema } from './schema.js';
import type { Method, Permission } from './types.js';

/** The properties of a route that calls, the mock's tests and the documents need. */
export interface Endpoint {
  /** The name of the method: `'articles.get'`. */
  operation: string;
  method: Method;
  /** Path below `/api/v2`, with path parameters in braces. */
  path: `/${string}`;
  /**
   * The required permission. `undefined` if the SDK does not know it. `null` if the route needs no key: the client then
   * sends none.
   */
  permission?: Permission | null;
  /** The target parameter that the route takes. */
  target?: 'bulle_id' | 'fiche_id';
  /** Whether the service refuses a sphere key that does not name the target. */
  targetRequired?: boolean | ((params: Params) => boolean);
  /** Whether the route takes `dry_run`. */
  dryRun?: boolean;
  /**
   * Whether the client never refuses the call locally. `GET /me` must be sent, because it shows permissions that were
   * added since.
   */
  alwaysAsked?: boolean;
  /** Whether sending the POST twice has the same effect as sending it once. */
  idempotent?: boolean;
  /**
   * Where a read shows that a costly write happened. Errors with an unknown outcome say "If it was, …" with this text.
   */
  trace?: string;
  /** Parameters with only one value, which follows from the method. */
  constants?: Params;
  /** Returns what masks the values of parameters that no error may repeat, such as phone numbers. */
  confidential?: (params: Params) => Mask;
  /** Whether the service calls providers or models before it responds. An attempt then has 180 s instead of 30 s. */
  slow?: boolean;
  /** @internal The schema of the parameters, without path parameters and `dry_run`. Absent if there are none. */
  params?: Schema;
  /**
   * @internal The schema of the response. Absent if the specification does not show the body: the call then returns the
   * body unchanged, or `undefined` if it is empty.
   */
  response?: Schema;
  /** @internal What a method that calls the route for itself needs of the response. By default nothing. */
  needs?: Schema;
}

/** All parameters of path, query and body in one flat object, with their names in the specification. */
export type Params = Readonly<Record<string, unknown>>;

/** An endpoint whose method and preview the compiler knows. The types of `client.dryRun` are derived from them. */
export interface EndpointOf<Verb extends Method, Previews extends boolean> extends Endpoint {
  method: Verb;
  dryRun?: Previews;
}

/** Declares an endpoint. */
export function endpoint<const Verb extends Method, const Previews extends boolean = false>(
  definition: EndpointOf<Verb, Previews>,
): EndpointOf<Verb, Previews> {
  return definition;
}
