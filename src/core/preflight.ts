import type { Endpoint, Params } from './endpoint.js';
import {
  type ErrorContext,
  type FieldsOf,
  MissingBulleIdError,
  MissingFicheIdError,
  MissingPermissionError,
  refusal,
} from './errors/index.js';
import { type Identity, scopeOf } from './identity.js';

/**
 * What the known identity shows to be refused, so that no request is spent on it.
 * An unknown target is not: a sphere key also covers locations created later.
 */
export function preflight(
  endpoint: Endpoint,
  params: Params,
  identity: Identity | undefined,
  context: ErrorContext,
): void {
  const { permission, target, alwaysAsked } = endpoint;
  if (alwaysAsked || !identity) return;
  const tail = 'Nothing was sent.';
  if (permission && !identity.permissions.includes(permission)) {
    const message = `${endpoint.operation} needs the permission \`${permission}\`, which this key lacks. ${tail}`;
    const fields = { ...context, ...refusal(403, message), permission } satisfies FieldsOf<MissingPermissionError>;
    throw new MissingPermissionError(message, fields);
  }
  if (!target || params[target] !== undefined || scopeOf(identity).kind !== 'sphere' || !isRequired(endpoint, params))
    return;
  if (target === 'bulle_id') {
    throw missingBulleId(`${endpoint.operation}: this key covers several locations.`, tail, context);
  }
  if (identity.gmb_fiches.length > 1) {
    const message = `${endpoint.operation}: this key covers several listings. Name one with \`fiche_id\` (client.identity.gmb_fiches lists them). ${tail}`;
    const detail = 'Cette clé API couvre plusieurs fiches Google. Précisez `fiche_id` (liste : GET /api/v2/me).';
    const fields = { ...context, ...refusal(400, detail), choices: identity.gmb_fiches };
    throw new MissingFicheIdError(message, fields satisfies FieldsOf<MissingFicheIdError>);
  }
}

/** The refusal that the service would send, in its own words too. */
export function missingBulleId(why: string, tail: string, context: ErrorContext): MissingBulleIdError {
  const message = `${why} Name one with \`bulle_id\` (client.bulles.list() lists them). ${tail}`;
  const detail = 'Cette clé API couvre plusieurs établissements. Précisez `bulle_id` (liste : GET /api/v2/bulles).';
  return new MissingBulleIdError(message, { ...context, ...refusal(400, detail) });
}

function isRequired({ targetRequired }: Endpoint, params: Params): boolean {
  return typeof targetRequired === 'function' ? targetRequired(params) : targetRequired === true;
}
