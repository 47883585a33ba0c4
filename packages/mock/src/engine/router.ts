import type { ApiKey, MockPermission } from './auth.js';
import type { Folder, Reply } from './http.js';
import type { JobRunner, Service, Slice } from './store.js';

/** A request to a route without a key. */
interface OpenExchange {
  readonly service: Service;
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The JSON object of a POST or PUT, `{}` otherwise. Handlers read it with `readBody` of schema.ts. */
  readonly body: object;
}

export interface Exchange extends OpenExchange {
  /** The key of the request: it is valid and has the route's permission. */
  readonly key: ApiKey;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

interface RouteBase<Operation extends string> {
  readonly method: Method;
  /** The path below `/api/v2`, with parameters in braces: `/articles/{article_id}/confirm`. */
  readonly path: string;
  /** The name of the client's method. */
  readonly operation: Operation;
  /** The names of other methods on the same route, by the value of the query parameter `kind`. */
  readonly operationByKind?: Readonly<Record<string, Operation>>;
  /** Whether an empty body counts as `{}`. The Content-Type is always required. */
  readonly emptyBody?: boolean;
}

export type Route<Operation extends string = string> =
  | (RouteBase<Operation> & { readonly permission: MockPermission; handle(exchange: Exchange): Reply })
  | (RouteBase<Operation> & { readonly permission: null; handle(exchange: OpenExchange): Reply });

/** One row of the specification's endpoint tables, and the function that handles it. */
export function route<const Operation extends string>(
  line: `${Method} /${string}`,
  permission: MockPermission,
  operation: Operation,
  handle: (exchange: Exchange) => Reply,
  more: Pick<RouteBase<Operation>, 'operationByKind' | 'emptyBody'> = {},
): Route<Operation> {
  const [method, path] = line.split(' ') as [Method, string];
  return { method, path, permission, operation, handle, ...more };
}

/** Everything that belongs to one resource. */
export interface Resource<Operation extends string = string> {
  readonly routes: readonly Route<Operation>[];
  readonly slices?: readonly Slice<unknown>[];
  /** The functions that do scheduled jobs, by `kind`. */
  readonly jobs?: Readonly<Record<string, JobRunner>>;
  /** The files that the resource links to, by folder. */
  readonly files?: Readonly<Record<string, Folder>>;
  /** Runs after the whole state is seeded. Schedules the jobs of the seed. */
  start?(service: Service): void;
}

/** Keeps the operations of a resource in its type. The type of all operations is derived from these. */
export const defineResource = <const Operation extends string>(resource: Resource<Operation>): Resource<Operation> =>
  resource;

/** The operations that the resources serve. */
export const operationsOf = <Operation extends string>(
  resources: readonly Resource<Operation>[],
): readonly Operation[] =>
  resources
    .flatMap(({ routes }) => routes)
    .flatMap(({ operation, operationByKind = {} }) => [operation, ...Object.values(operationByKind)]);

export type Match<Operation extends string = string> =
  | { readonly kind: 'found'; readonly route: Route<Operation>; readonly params: Record<string, string> }
  | { readonly kind: 'wrong method'; readonly allowed: readonly string[] }
  | { readonly kind: 'unknown' };

/** Finds the route of a request. Paths are matched before they are decoded: an identifier may contain a `/`. */
export class Router<Operation extends string> {
  readonly #routes: readonly { readonly route: Route<Operation>; readonly pattern: RegExp }[];

  constructor(routes: readonly Route<Operation>[]) {
    const patternOf = (path: string) => new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
    this.#routes = routes.map((route) => ({ route, pattern: patternOf(route.path) }));
  }

  match(method: string, path = ''): Match<Operation> {
    const allowed: string[] = [];
    for (const { route, pattern } of this.#routes) {
      const params = decoded(pattern.exec(path));
      if (params !== undefined && route.method === method) return { kind: 'found', route, params };
      if (params !== undefined) allowed.push(route.method);
    }
    return allowed.length > 0 ? { kind: 'wrong method', allowed } : { kind: 'unknown' };
  }
}

/** The decoded path parameters. `undefined` if the path does not match or cannot be decoded. */
function decoded(match: RegExpExecArray | null): Record<string, string> | undefined {
  try {
    const params = Object.entries(match?.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]);
    return match ? Object.fromEntries(params) : undefined;
  } catch {
    return undefined;
  }
}

export function operationOf<Operation extends string>(
  match: Match<Operation>,
  query: URLSearchParams,
): Operation | undefined {
  if (match.kind !== 'found') return undefined;
  const { operation, operationByKind } = match.route;
  return operationByKind?.[query.get('kind') ?? ''] ?? operation;
}
