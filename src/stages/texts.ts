import type { Stages } from '../core/call.js';
import type { Params } from '../core/endpoint.js';
import { INSPECT } from './inspect.js';

/** Describes errors of a known text in English, by the parameters of the call. */
const SAY: Readonly<Record<string, (params: Params) => string>> = {
  bulle_not_found: ({ bulle_id }) => `no location has ${bulle_id ? `the \`bulle_id\` ${bulle_id}` : 'this `bulle_id`'}`,
  bulle_out_of_scope: ({ bulle_id }) => outside('location', bulle_id),
  fiche_out_of_scope: ({ fiche_id }) => outside('listing', fiche_id),
  missing_bulle_id: () => needs('bulle_id'),
  missing_fiche_id: () => needs('fiche_id'),
  no_fiche: () => 'no Google listing is attached to the key',
  platform_not_connected: ({ platforms }) => notConnected(platforms),
  quota_exceeded: () => 'the monthly quota is used up',
};

/** The meaning of each status of the service. */
const MEANINGS: Readonly<Record<number, string>> = {
  400: 'the service refused the request as invalid',
  401: 'the API key is missing, invalid, expired or revoked',
  403: 'the key lacks a permission, or the target is outside its scope',
  404: 'the resource does not exist, or the key does not cover it',
  409: 'the state of the resource does not allow this',
  410: 'the resource is gone at the provider',
  422: 'the service refused the data as invalid',
  429: 'too many requests',
  500: 'the service failed',
  502: 'a provider behind the service failed',
  503: 'the service is not available',
};

/** The stage of a call that explains error responses. */
export const texts: NonNullable<Stages['texts']> = {
  meanings: MEANINGS,
  about(code, params, identity) {
    const choices = code === 'missing_fiche_id' && { choices: counted(identity?.gmb_fiches ?? []) };
    return { said: SAY[code]?.(params), fields: { ...choices } };
  },
  hint({ config, endpoint: { operation, permission } }, status, isGeneric) {
    if (status === 404 && operation === 'request') return isGeneric ? 'Check `path`.' : '';
    if (status !== 403 || config.apiKey === undefined || !permission) return undefined;
    return `The operation needs the permission \`${permission}\`.`;
  },
};

/** Copies a list. A brand may have hundreds of listings, so a log shows only their number. */
export function counted<Item>(list: readonly Item[]): readonly Item[] {
  const copy = [...list];
  const count = { value: () => copy.length };
  return Object.defineProperties(copy, { toJSON: count, [INSPECT]: count });
}

/** The message for a target that the key does not cover. */
function outside(kind: string, id: unknown): string {
  return `the ${kind}${id === undefined ? '' : ` ${id}`} is outside the key's scope`;
}

/** The service does not say which of several platforms it means. */
function notConnected(platforms: unknown): string {
  const names = Array.isArray(platforms) ? platforms : [];
  if (names.length === 1) return `${names[0]} is not connected on this location`;
  const which = names.length > 1 ? ` (one of ${names.join(', ')}: \`posts.check\` shows which)` : '';
  return `a platform is not connected on this location${which}`;
}

const WHERE = { bulle_id: 'client.bulles.list()', fiche_id: 'client.identity.gmb_fiches' };

/** The message for a missing target. The client also uses it when it refuses the call before sending it. */
export function needs(target: 'bulle_id' | 'fiche_id'): string {
  const several = target === 'bulle_id' ? 'locations' : 'listings';
  return `\`${target}\` is required because this key covers several ${several} (see \`${WHERE[target]}\`)`;
}
