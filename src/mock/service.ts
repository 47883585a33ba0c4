import type { Clock } from './clock.js';
import type { Reply } from './http.js';
import type { ApiKey } from './model/keys.js';
import type { MockOperation } from './operations.js';
import type { Settings } from './settings.js';
import type { Slice, Store } from './store.js';
import type { Micros } from './timestamps.js';
import type { MockPermission } from './types.js';
import type { Fields } from './validate.js';

/** What handlers work on. */
export interface Service {
  readonly clock: Clock;
  readonly store: Store;
  readonly settings: Settings;
}

export interface OpenExchange {
  readonly service: Service;
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The JSON object of a POST or PUT; `{}` otherwise. Read it with the functions of validate.ts. */
  readonly body: Fields;
}

export interface Exchange extends OpenExchange {
  /** The key of the request: valid, and with the route's permission. */
  readonly key: ApiKey;
}

/**
 * The client's name for what a route does, one of those in operations.ts: add a new one there. A function where one
 * route serves two calls (`seo.snapshot`, `seo.competitors`).
 */
type OperationOfRoute = MockOperation | { of(query: URLSearchParams): MockOperation };

interface RouteBase {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** What follows `/api/v2`, parameters in braces: `/articles/{article_id}/confirm`. */
  readonly path: string;
  readonly operation: OperationOfRoute;
  /** An empty body counts as `{}`. The Content-Type is required all the same. */
  readonly emptyBody?: boolean;
}

/** One line of the specification's endpoint tables, and what it does. */
export type Route =
  | (RouteBase & { readonly permission: MockPermission; handle(exchange: Exchange): Reply })
  | (RouteBase & { readonly permission: null; handle(exchange: OpenExchange): Reply });

/** Work that time brings about, done for one thing at its instant `at`. */
export type JobRunner = (service: Service, id: number | string, at: Micros) => void;

/** What a file of handlers/ exports: everything the mock needs to serve that resource. */
export interface Resource {
  readonly routes: readonly Route[];
  readonly slices?: readonly Slice<unknown>[];
  /** By the `kind` that the jobs were scheduled with (jobs.ts). */
  readonly jobs?: Readonly<Record<string, JobRunner>>;
  /** Done once the whole state is seeded: schedules what the seed has left to be done. */
  start?(service: Service): void;
}
