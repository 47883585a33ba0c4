import type { Identity } from '../identity.js';
import { toNfc } from '../text.js';
import {
  type ApiError,
  BulleNotFoundError,
  BulleOutOfScopeError,
  FicheOutOfScopeError,
  MissingBulleIdError,
  MissingFicheIdError,
  NoFicheError,
  PlatformNotConnectedError,
  QuotaExceededError,
} from './api-errors.js';

/** A French text of the service that says more than its status: the class of its error, whose fields its groups are too. */
type KnownText = readonly [
  status: number,
  text: RegExp,
  kind: typeof ApiError,
  fields?: (identity: Identity | undefined) => object,
];

/** A 429 is about a monthly quota if it names a month, or a quota without the pace of requests. */
const MONTHLY = /mensuel|mois|month|^(?!.*(requ|minute|second|\bjour)).*quota/i;

/** Every text of the service that the client knows. Matched after {@link plain}. */
export const KNOWN_TEXTS: readonly KnownText[] = [
  [400, /plateforme non connectée/i, PlatformNotConnectedError],
  [400, /précisez `bulle_id`/i, MissingBulleIdError],
  [400, /précisez `fiche_id`/i, MissingFicheIdError, (identity) => ({ choices: identity?.gmb_fiches ?? [] })],
  [403, /établissement n'appartient pas/i, BulleOutOfScopeError],
  [403, /fiche gmb n'appartient pas/i, FicheOutOfScopeError],
  [404, /établissement introuvable ?: ?(?<bulle_id>[^"]*[^" ])/i, BulleNotFoundError],
  [404, /aucune fiche gmb associée/i, NoFicheError],
  [429, MONTHLY, QuotaExceededError],
];

/** Typographic apostrophes, no-break spaces and decomposed accents as their plain forms. */
export function plain(text: string): string {
  return toNfc(text).replace(/[’‘ʼ]/g, "'").replace(/\s+/g, ' ');
}

/** The service speaks French and names what it lacks: a 404 that does not may come from another server, or another path. */
export function isForeign(status: number, detail: string): boolean {
  return status === 404 && /^((not found|ressource introuvable)\.?)?$/i.test(detail);
}
