import { type ApiKey, authenticate, type KeyRing, type MockPermission, requirePermission } from './auth.js';
import { toMillis } from './clock.js';
import { badRequest, type Folder, HttpError, notFound, parseJson, preflightReply, type Reply } from './http.js';
import type { RateLimit } from './rate-limit.js';
import { isObject } from './schema.js';
import type { JobRunner, Service, Slice } from './store.js';

export interface Exchange extends Service {
  /** The key of the request: it is valid and has the route's permission. */
  readonly key: ApiKey;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The JSON object of a POST or PUT, `{}` otherwise. */
  readonly body: object;
}

export type Handle = (exchange: Exchange) => Reply;

export interface Route<Operation extends string = string> {
  readonly method: string;
  /** The path below `/api/v2`, with parameters in braces: `/articles/{article_id}/confirm`. */
  readonly path: string;
  /** `null`: the route needs no key. */
  readonly permission: MockPermission | null;
  /** The name of the client's method. */
  readonly operation: Operation;
  readonly handle: Handle;
  /** The value of the query parameter `kind`, if the client has methods for several values. The route without one is last. */
  readonly kind?: string;
  /** Whether an empty body counts as `{}`. The Content-Type is always required. */
  readonly emptyBody?: boolean;
}

/** One row of the specification's endpoint tables, and the function that handles it. */
export function route<const Operation extends string>(
  line: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`,
  permission: MockPermission | null,
  operation: Operation,
  handle: Handle,
  more: Pick<Route, 'kind' | 'emptyBody'> = {},
): Route<Operation> {
  const [method = '', path = ''] = line.split(' ');
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

export const operationsOf = <Operation extends string>(
  resources: readonly Resource<Operation>[],
): readonly Operation[] => resources.flatMap(({ routes }) => routes.map(({ operation }) => operation));

/** The route of a request with its decoded path parameters, or the methods that its path allows. */
export type Match<Operation extends string = string> =
  | { readonly route: Route<Operation>; readonly params: Record<string, string> }
  | { readonly route?: undefined; readonly allowed: readonly string[] };

/** Finds the route of a request. Paths are matched before they are decoded: an identifier may contain a `/`. */
export function matcher<Operation extends string>(routes: readonly Route<Operation>[]) {
  const patterns = routes.map(
    (route) => [route, new RegExp(`^${route.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)] as const,
  );
  return (method: string, path: string, kind: string | null): Match<Operation> => {
    const allowed = new Set<string>();
    for (const [route, pattern] of patterns) {
      const params = decoded(pattern.exec(path));
      if (params === undefined) continue;
      if (route.method !== method) allowed.add(route.method);
      else if ((route.kind ?? kind) === kind) return { route, params };
    }
    return { allowed: [...allowed] };
  };
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

interface Incoming {
  readonly method: string;
  /** The path below `/api/v2`. `undefined` outside the API. */
  readonly path: string | undefined;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly text: string;
  readonly match: Match;
}

export interface Gate {
  readonly service: Service;
  readonly keys: KeyRing;
  readonly rateLimit: RateLimit;
}

/** The reply of the service. Order of the checks: route, key, rate limit, permission, body, target, state. */
export function dispatch(gate: Gate, { method, path, query, headers, text, match }: Incoming): Reply {
  const preflight = method === 'OPTIONS' && preflightReply(path);
  if (preflight) return preflight;
  try {
    if (match.route === undefined) {
      if (match.allowed.length === 0) throw notFound('Ressource introuvable.');
      throw new HttpError(405, 'Méthode non autorisée.', {}, { allow: match.allowed.join(', ') });
    }
    const { route, params } = match;
    const key = route.permission === null ? NOBODY : admit(gate, headers, route.permission);
    return route.handle({ ...gate.service, key, params, query, body: jsonBody(route, headers, text) });
  } catch (error) {
    if (error instanceof HttpError) return error.reply;
    // A bug of the mock becomes a 500 in the test that found it.
    return { status: 500, body: { detail: `Erreur interne du mock : ${String(error)}` } };
  }
}

const NOBODY: ApiKey = { value: '', sphere_id: '', bulle_id: null, permissions: [], expires_at: null };

function admit({ service, keys, rateLimit }: Gate, headers: Headers, permission: MockPermission): ApiKey {
  const now = service.clock.now();
  const key = authenticate(headers, keys, now);
  rateLimit.take(key.value, toMillis(now));
  requirePermission(key, permission);
  return key;
}

function jsonBody({ method, emptyBody = false }: Route, headers: Headers, text: string): object {
  if (method !== 'POST' && method !== 'PUT') return {};
  const mediaType = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') throw badRequest("L'en-tête `Content-Type: application/json` est obligatoire.");
  if (text === '' && emptyBody) return {};
  const value = parseJson(text);
  if (value === undefined) throw badRequest("Le corps de la requête n'est pas un JSON valide.");
  if (!isObject(value)) throw badRequest('Le corps de la requête doit être un objet JSON.');
  return value;
}
