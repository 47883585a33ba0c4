import {
  FicheOutOfScopeError,
  MissingFicheIdError,
  NoFicheError,
  PlatformNotConnectedError,
} from '../core/errors/index.js';
import { type KnownText, needs, outside } from '../core/texts.js';

/** The texts of the service about listings and platforms, which a page client does not get. */
export const texts: readonly KnownText[] = [
  [400, /plateforme non connectée/i, PlatformNotConnectedError, ({ platforms }) => notConnected(platforms)],
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
  const which = names.length > 1 ? ` (one of ${names.join(', ')}: \`posts.check\` tells which)` : '';
  return `a platform is not connected on this location${which}`;
}
