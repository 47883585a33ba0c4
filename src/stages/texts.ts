import {
  FicheOutOfScopeError,
  MissingBulleIdError,
  MissingFicheIdError,
  NoFicheError,
  PlatformNotConnectedError,
  QuotaExceededError,
} from '../core/errors/index.js';
import { type KnownText, outside } from '../core/texts.js';

/** Matches the 429 of a monthly quota. Its text names a month, or it names a quota but no rate of requests. */
const MONTHLY = /mensuel|mois|month|^(?!.*(requ|minute|second|\bjour)).*quota/i;

/** The texts of the service about listings, platforms and quotas, which a page client does not get. */
export const texts: readonly KnownText[] = [
  [400, /plateforme non connectée/i, PlatformNotConnectedError, ({ platforms }) => notConnected(platforms)],
  [429, MONTHLY, QuotaExceededError, () => 'the monthly quota is used up'],
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
  const which = names.length > 1 ? ` (one of ${names.join(', ')}: \`posts.check\` tells which)` : '';
  return `a platform is not connected on this location${which}`;
}

const WHERE = { bulle_id: 'client.bulles.list()', fiche_id: 'client.identity.gmb_fiches' };

/** The message for a missing target. The client also uses it when it refuses the call before sending it. */
export function needs(target: 'bulle_id' | 'fiche_id'): string {
  const several = target === 'bulle_id' ? 'locations' : 'listings';
  return `\`${target}\` is required because this key covers several ${several} (see ${WHERE[target]})`;
}
