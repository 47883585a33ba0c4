import type { Endpoint, Params } from '../core/endpoint.js';
import {
  type ErrorContext,
  type FieldsOf,
  MissingBulleIdError,
  MissingFicheIdError,
  MissingPermissionError,
  refusal,
} from '../core/errors/index.js';
import { type Identity, scopeOf } from '../core/types.js';
import { counted, needs } from './texts.js';

/**
 * Refuses a call if the known identity shows that the service would refuse it. This saves a request. An unknown target
 * is not refused, because a sphere key also covers locations created later.
 */
export function preflight(endpoint: Endpoint, params: Params, identity: Identity, contextOf: () => ErrorContext): void {
  const { permission, target, alwaysAsked } = endpoint;
  if (alwaysAsked) return;
  const { operation } = endpoint;
  if (permission && !identity.permissions.includes(permission)) {
    const hint = 'If it was added since, `client.me()` reads the permissions again.';
    const message = `${operation}: this key lacks the permission \`${permission}\`. ${hint} Nothing was sent.`;
    const fields = { ...contextOf(), ...refusal(403, message), permission } satisfies FieldsOf<MissingPermissionError>;
    throw new MissingPermissionError(message, fields);
  }
  if (!target || params[target] != null || scopeOf(identity).kind !== 'sphere' || !isRequired(endpoint, params)) return;
  if (target === 'bulle_id') throw missingBulleId('Nothing was sent.', contextOf());
  const choices = counted(identity.gmb_fiches);
  if (choices.length > 1) {
    const message = `${operation}: ${needs(target)}. Nothing was sent.`;
    const fields = { ...contextOf(), ...refusal(400, message), choices } satisfies FieldsOf<MissingFicheIdError>;
    throw new MissingFicheIdError(message, fields);
  }
}

/** Creates the error that the response of the service would cause. */
export function missingBulleId(tail: string, context: ErrorContext): MissingBulleIdError {
  const message = `${context.operation}: ${needs('bulle_id')}. ${tail}`;
  return new MissingBulleIdError(message, { ...context, ...refusal(400, message) });
}

function isRequired({ targetRequired }: Endpoint, params: Params): boolean | undefined {
  return typeof targetRequired === 'function' ? targetRequired(params) : targetRequired;
}
