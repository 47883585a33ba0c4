import type { Params } from '../core/endpoint.js';
import type { ErrorCode } from '../core/errors/index.js';

/** Describes errors of a text of the service in English, by the parameters of the call. */
export const texts: { readonly [Code in ErrorCode]?: (params: Params) => string } = {
  bulle_not_found: ({ bulle_id }) => `no location has ${bulle_id ? `the \`bulle_id\` ${bulle_id}` : 'this `bulle_id`'}`,
  bulle_out_of_scope: ({ bulle_id }) => outside('location', bulle_id),
  fiche_out_of_scope: ({ fiche_id }) => outside('listing', fiche_id),
  missing_bulle_id: () => needs('bulle_id'),
  missing_fiche_id: () => needs('fiche_id'),
  no_fiche: () => 'no Google listing is attached to the key',
  platform_not_connected: ({ platforms }) => notConnected(platforms),
  quota_exceeded: () => 'the monthly quota is used up',
};

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
