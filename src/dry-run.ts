import type { ApiPromise } from './core/api.js';
import type { RequestOptions } from './core/options.js';
import type { DryRunOption, DryRunPreview, Identity, Method, Scope } from './core/types.js';
import type { endpointsOf } from './resources/endpoints.js';
import type { Health } from './resources/health-schema.js';
import type { Namespaces } from './resources/index.js';
import type { OfSphere } from './resources/sphere.js';
import type { Route } from './stages/route.js';

/** The parameters of a method, with `true` as the only value of `dry_run`. */
type PreviewParams<Params extends unknown[]> = {
  [Index in keyof Params]: 'dry_run' extends keyof NonNullable<Params[Index]>
    ? Params[Index] & DryRunOption<true>
    : Params[Index];
};

/** A method that always returns a preview. It is a method, so that a client that needs a location is a client. */
type Preview<Method> = Method extends (...params: infer Params) => unknown
  ? { preview(...params: PreviewParams<Params>): ApiPromise<DryRunPreview> }['preview']
  : never;

/** Methods that write and have no own endpoint. */
type Composed = 'createAndWait' | 'createAndWaitAll';

/** The names that stay: costly operations, reads, methods without an own endpoint, and inner namespaces. */
type Kept<Name, Endpoints> = Name extends Composed | symbol
  ? never
  : Name extends keyof Endpoints
    ? Endpoints[Name] extends { dryRun?: true } | { method: 'GET' }
      ? Name
      : Endpoints[Name] extends { method: Method }
        ? never
        : Name
    : Name;

/** The type of a member with that endpoint: a costly operation previews, and a read stays. */
type DryRunMember<Member, Endpoint> = Endpoint extends { method: Method }
  ? Endpoint extends { dryRun?: true }
    ? Preview<Member>
    : Member
  : DryRunOf<Member, Endpoint>;

/** A namespace that executes nothing. */
type DryRunOf<Members, Endpoints> = {
  [Name in keyof Members as Kept<Name, Endpoints>]: Name extends keyof Endpoints
    ? DryRunMember<Members[Name], Endpoints[Name]>
    : Members[Name];
};

/** The namespaces of `client.dryRun`, without those that would be empty. */
type DryRunNamespaces<Mark = unknown> = {
  [Name in keyof Namespaces as [Kept<keyof Namespaces[Name], (typeof endpointsOf)[Name]>] extends [never]
    ? never
    : Name]: DryRunOf<Namespaces[Name] & Mark, (typeof endpointsOf)[Name]>;
};

/**
 * A client that executes nothing. Costly operations return previews. Other writes have no types and throw if called.
 */
export interface DryRunClient extends DryRunNamespaces {
  /** The identity of the client: the last `GET /me` response, or the `identity` option. */
  readonly identity: Identity | undefined;
  /** The scope of the client: whether the key covers one location or the whole brand. */
  readonly scope: Scope | undefined;
  /** Checks whether the service is up, like `client.health`. */
  health(options?: RequestOptions): ApiPromise<Health>;
  /** Reads the identity of the key and stores it as `identity`, like `client.me`. */
  me(options?: RequestOptions): ApiPromise<Identity>;
  /** Returns this client for one location, like `client.forBulle`. */
  forBulle(bulle_id: string): DryRunClient;
  /** Returns this client for one listing, like `client.forFiche`. */
  forFiche(fiche_id: string): DryRunClient;
  /** Returns this client with other defaults for its calls, like `client.withOptions`. */
  withOptions(options: RequestOptions): DryRunClient;
  /** Reads a route that this version does not know. Only GET is allowed. */
  request<T = unknown>(route: Route & { method: 'GET' }, options?: RequestOptions): ApiPromise<T>;
}

/** `dryRun` of a `SphereClient`: calls do not compile without `bulle_id` where the service requires one. */
export interface SphereDryRunClient
  extends Omit<DryRunClient, keyof DryRunNamespaces | 'forFiche' | 'withOptions'>,
    DryRunNamespaces<OfSphere> {
  /** Returns this client for one listing. */
  forFiche(fiche_id: string): SphereDryRunClient;
  /** Returns this client with other defaults for its calls. */
  withOptions(options: RequestOptions): SphereDryRunClient;
}
