import type { EndpointOf } from './core/endpoint.js';
import type { Identity, Scope } from './core/identity.js';
import type { RequestOptions } from './core/options.js';
import type { ApiPromise } from './core/promise.js';
import type { Route } from './core/request.js';
import type { DryRunOption, DryRunPreview } from './core/types.js';
import type { Health } from './resources/health-schema.js';
import type { endpointsOf, Namespaces } from './resources/index.js';

/** The parameters of a method, where `dry_run` can be nothing but `true`. */
type PreviewParams<Params extends unknown[]> = {
  [Index in keyof Params]: 'dry_run' extends keyof NonNullable<Params[Index]>
    ? Params[Index] & DryRunOption<true>
    : Params[Index];
};

/** A method that previews, whatever it is called with. */
type Preview<Method> = Method extends (...params: infer Params) => unknown
  ? (...params: PreviewParams<Params>) => ApiPromise<DryRunPreview>
  : never;

/** What becomes of a member of a namespace: costly operations preview, reads stay, other writes are `never`. */
type DryRunMember<Member, Endpoint> =
  Endpoint extends EndpointOf<infer Verb, infer Previews>
    ? Previews extends true
      ? Preview<Member>
      : Verb extends 'GET'
        ? Member
        : never
    : DryRunOf<Member, Endpoint>;

/** Methods that write although they have no endpoint of their own. */
type Composed = 'createAndWait';

/** A namespace that executes nothing. Methods without an endpoint of their own only read, but for the composed ones. */
type DryRunOf<Members, Endpoints> = {
  [Name in keyof Members as Name extends Composed
    ? never
    : Name extends keyof Endpoints
      ? [DryRunMember<Members[Name], Endpoints[Name]>] extends [never]
        ? never
        : Name
      : Name]: Name extends keyof Endpoints ? DryRunMember<Members[Name], Endpoints[Name]> : Members[Name];
};

/** The namespaces of `client.dryRun`, but for those that would be empty. */
type DryRunNamespaces = {
  [Name in keyof Namespaces as keyof DryRunOf<Namespaces[Name], (typeof endpointsOf)[Name]> extends never
    ? never
    : Name]: DryRunOf<Namespaces[Name], (typeof endpointsOf)[Name]>;
};

/** A client that executes nothing: costly operations preview, other writes are not there and are refused when called. */
export interface DryRunClient extends DryRunNamespaces {
  /** As on the client: the last `GET /me` response, or the `identity` option. */
  readonly identity: Identity | undefined;
  /** As on the client: whether the key covers one location or the whole brand. */
  readonly scope: Scope | undefined;
  /** As on the client: ask whether the service is up. */
  health(options?: RequestOptions): ApiPromise<Health>;
  /** As on the client: ask whom the key speaks for, and keep it as `identity`. */
  me(options?: RequestOptions): ApiPromise<Identity>;
  /** The same for one location. */
  forBulle(bulle_id: string): DryRunClient;
  /** The same for one listing. */
  forFiche(fiche_id: string): DryRunClient;
  /** Read a route that this version does not know; other methods are refused. */
  request<T = unknown>(route: Route & { method: 'GET' }, options?: RequestOptions): ApiPromise<T>;
}
