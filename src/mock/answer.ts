import { authenticate, requirePermission } from './auth.js';
import { badRequest, HttpError, notFound, preflightReply, type Reply } from './http.js';
import type { KeyRing } from './model/keys.js';
import type { RateLimit } from './rate-limit.js';
import { parseJson } from './request-log.js';
import type { Match } from './router.js';
import type { Route, Service } from './service.js';
import { toMillis } from './timestamps.js';
import { type Fields, isObject } from './validate.js';

/** A request, its body read and its route looked up. */
export interface Incoming {
  readonly method: string;
  /** What follows `/api/v2`; `undefined` outside the API. */
  readonly path: string | undefined;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly text: string;
  readonly match: Match;
}

export interface Doors {
  readonly service: Service;
  readonly keys: KeyRing;
  readonly rateLimit: RateLimit;
}

/** The service's own answer. The checks come in this order: route, key, rate limit, permission, body, target, state. */
export function answer(doors: Doors, incoming: Incoming): Reply {
  try {
    return answerOrThrow(doors, incoming);
  } catch (error) {
    if (error instanceof HttpError) return error.toReply();
    // A mistake of the mock: as a 500 it reaches the test that met it.
    return { status: 500, body: { detail: `Erreur interne du mock : ${String(error)}` } };
  }
}

function answerOrThrow({ service, keys, rateLimit }: Doors, incoming: Incoming): Reply {
  const { match, query } = incoming;
  if (incoming.method === 'OPTIONS') {
    const preflight = preflightReply(incoming.path);
    if (preflight !== undefined) return preflight;
  }
  if (match.kind === 'unknown') throw notFound('Ressource introuvable.');
  if (match.kind === 'wrong method') {
    throw new HttpError(405, 'Méthode non autorisée.', { headers: { allow: match.allowed.join(', ') } });
  }
  const { route, params } = match;
  if (route.permission === null) return route.handle({ service, params, query, body: readBody(route, incoming) });

  const now = service.clock.now();
  const key = authenticate(incoming.headers, keys, now);
  rateLimit.take(key.value, toMillis(now));
  requirePermission(key, route.permission);
  return route.handle({ service, key, params, query, body: readBody(route, incoming) });
}

function readBody(route: Route, { headers, text }: Incoming): Fields {
  if (route.method !== 'POST' && route.method !== 'PUT') return {};
  const mediaType = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') throw badRequest("L'en-tête `Content-Type: application/json` est obligatoire.");
  if (text === '' && route.emptyBody === true) return {};
  const value = parseJson(text);
  if (value === undefined) throw badRequest("Le corps de la requête n'est pas un JSON valide.");
  if (!isObject(value)) throw badRequest('Le corps de la requête doit être un objet JSON.');
  return value;
}
