import type { Schema } from './schema.js';
import type { Method, Permission } from './types.js';

/** What calls, the mock's tests and the docs need to know of a route. */
export interface Endpoint {
  /** As callers write it: `'articles.get'`. */
  operation: string;
  method: Method;
  /** Below `/api/v2`, path parameters in braces. */
  path: `/${string}`;
  /** `undefined` for a route whose permission the SDK does not know; `null` needs no key, and none is sent. */
  permission?: Permission | null;
  /** The target parameter that the route takes. */
  target?: 'bulle_id' | 'fiche_id';
  /** Whether the service refuses a sphere key that does not name the target. */
  targetRequired?: boolean | ((params: Params) => boolean);
  /** The route takes `dry_run`. */
  dryRun?: boolean;
  /** Never refused locally: it is how a permission that was added since is seen. */
  alwaysAsked?: boolean;
  /** A POST that does no more when sent twice. */
  idempotent?: boolean;
  /** What a costly write leaves where it can be read: errors of unknown outcome say "If it was, …" with it. */
  trace?: string;
  /** Parameters with one value, which the method stands for. */
  constants?: Params;
  /** Parameters' values that no error may repeat, such as people's phone numbers. */
  confidential?: (params: Params) => readonly string[];
  /** The service calls providers or models before it answers: 180 s rather than 30 s per attempt. */
  slow?: boolean;
  /** @internal Parameters but for those of the path and `dry_run`; absent if there are none. */
  params?: Schema;
  /** @internal Absent if the specification does not show the body: it is then given as it came, or `undefined`. */
  response?: Schema;
}

/** Path, query and body parameters in one flat object, under their names on the wire. */
export type Params = Readonly<Record<string, unknown>>;

/** An endpoint whose method and preview are known to the compiler: the types of `client.dryRun` are made from these. */
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

/** Sending it twice does no more than sending it once. */
export function isRepeatable({ method, idempotent }: Endpoint, dryRun: boolean): boolean {
  return method === 'GET' || method === 'PUT' || method === 'DELETE' || idempotent === true || dryRun;
}
