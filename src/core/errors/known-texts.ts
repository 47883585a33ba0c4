import { FicheOutOfScopeError, MissingFicheIdError, NoFicheError, PlatformNotConnectedError } from './api-errors.js';
import type { KnownText } from './from-answer.js';

/** What the service says on posts and on listings, which the articles entry never hears. */
export const POST_AND_LISTING_TEXTS: readonly KnownText[] = [
  [400, /plateforme non connectée/i, PlatformNotConnectedError],
  [400, /précisez `fiche_id`/i, MissingFicheIdError, (identity) => ({ choices: identity?.gmb_fiches ?? [] })],
  [403, /fiche gmb n'appartient pas/i, FicheOutOfScopeError],
  [404, /aucune fiche gmb associée/i, NoFicheError],
];
