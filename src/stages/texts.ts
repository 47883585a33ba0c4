import {
  FicheOutOfScopeError,
  MissingBulleIdError,
  MissingFicheIdError,
  NoFicheError,
  PlatformNotConnectedError,
} from '../core/errors/index.js';
import { type KnownText, outside } from '../core/texts.js';

/** The texts of the service about listings, platforms and a missing target, which a page client does not get. */
export const texts: readonly KnownText[] = [
  [400, /plateforme non connectée/i, PlatformNotConnectedError, ({ platforms }) => notConnected(platforms)],
  [400, /précisez `bulle_id`/i, MissingBulleIdError, () => needs('bulle_id')],
  [
    400,
    /précisez `fiche_id`/i,
    MissingFicheIdError,
    () => needs('fiche_id'),
    (identity) => ({ choices: identity?.gmb_fiches ?? [] }),
  ],
  [403, /fiche gmb n'appartient pas/i, FicheOutOfScopeError, ({ fiche_id }) => outside('listing', fiche_id)],
  [404, /aucune fiche gmb associée/i, NoFicheError, () => 'no Google listing is attached to the key'],
];

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
