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
} from './errors/api-errors.js';
import { toNfc } from './text.js';

/**
 * A French text of the service that says more than its status, and the class of its error. The named groups of the
 * pattern become fields of the error.
 */
type KnownText = readonly [
  status: number,
  /** Is matched against the result of {@link plain}. */
  text: RegExp,
  kind: typeof ApiError,
];

/** Matches the 429 of a monthly quota. Its text names a month, or it names a quota but no rate of requests. */
const MONTHLY = /mensuel|mois|month|^(?!.*(req(?!ui)|\bmin|second|\bjour|quotid|daily)).*quota/i;

const TEXTS: readonly KnownText[] = [
  [400, /plateforme non connectée/i, PlatformNotConnectedError],
  [400, /précisez `bulle_id`/i, MissingBulleIdError],
  [400, /précisez `fiche_id`/i, MissingFicheIdError],
  [403, /établissement n'appartient pas/i, BulleOutOfScopeError],
  [403, /fiche gmb n'appartient pas/i, FicheOutOfScopeError],
  [404, /établissement introuvable ?: ?(?<bulle_id>[^";]*[^"; ])/i, BulleNotFoundError],
  [404, /aucune fiche gmb associée/i, NoFicheError],
  [429, MONTHLY, QuotaExceededError],
];

/** Returns what the client knows about a text of the service. */
export function knownText(status: number, detail: string) {
  const text = plain(detail);
  for (const [of, pattern, kind] of TEXTS) {
    const match = of === status && pattern.exec(text);
    if (match) return { kind, groups: match.groups };
  }
  return undefined;
}

/** Replaces typographic apostrophes, no-break spaces and decomposed accents with their plain forms. */
function plain(text: string): string {
  return toNfc(text).replace(/[’‘ʼ]/g, "'").replace(/\s+/g, ' ');
}

/** Whether any server could send this text with a 404. The service itself names the missing resource. */
export function isGeneric(detail: string): boolean {
  return /^((not found|ressource introuvable)\.?)?$/i.test(detail);
}
