import { authenticate, type KeyRing, requirePermission } from './auth.js';
import { toMillis } from './clock.js';
import { badRequest, HttpError, notFound, parseJson, preflightReply, type Reply } from './http.js';
import type { RateLimit } from './rate-limit.js';
import type { Match, Route } from './router.js';
import { isObject } from './schema.js';
import type { Service } from './store.js';

/** A request with its body and its route. */
interface Incoming {
  readonly method: string;
  /** The path below `/api/v2`. `undefined` outside the API. */
  readonly path: string | undefined;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly text: string;
  readonly match: Match;
}

/** The service and the parts that check a request. */
export interface Gate {
  readonly service: Service;
  readonly keys: KeyRing;
  readonly rateLimit: RateLimit;
}

/** The reply of the service. Order of the checks: route, key, rate limit, permission, body, target, state. */
export function dispatch(gate: Gate, incoming: Incoming): Reply {
  try {
    return dispatchOrThrow(gate, incoming);
  } catch (error) {
    if (error instanceof HttpError) return error.reply;
    // A bug of the mock becomes a 500 in the test that found it.
    return { status: 500, body: { detail: `Erreur interne du mock : ${String(error)}` } };
  }
}

function dispatchOrThrow({ service, keys, rateLimit }: Gate, incoming: Incoming): Reply {
  const { match, query } = incoming;
  if (incoming.method === 'OPTIONS') {
    const preflight = preflightReply(incoming.path);
    if (preflight !== undefined) return preflight;
  }
  if (match.kind === 'unknown') throw notFound('Ressource introuvable.');
  if (match.kind === 'wrong method') {
    throw new HttpError(405, 'Méthode non autorisée.', {}, { allow: match.allowed.join(', ') });
  }
  const { route, params } = match;
  if (route.permission === null) return route.handle({ service, params, query, body: jsonBody(route, incoming) });

  const now = service.clock.now();
  const key = authenticate(incoming.headers, keys, now);
  rateLimit.take(key.value, toMillis(now));
  requirePermission(key, route.permission);
  return route.handle({ service, key, params, query, body: jsonBody(route, incoming) });
}

function jsonBody(route: Route, { headers, text }: Incoming): object {
  if (route.method !== 'POST' && route.method !== 'PUT') return {};
  const mediaType = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') throw badRequest("L'en-tête `Content-Type: application/json` est obligatoire.");
  if (text === '' && route.emptyBody === true) return {};
  const value = parseJson(text);
  if (value === undefined) throw badRequest("Le corps de la requête n'est pas un JSON valide.");
  if (!isObject(value)) throw badRequest('Le corps de la requête doit être un objet JSON.');
  return value;
}
