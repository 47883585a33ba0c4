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
import type { Identity } from './types.js';

/**
 * A French text of the service that says more than its status, and the class of its error. The named groups of the
 * pattern become fields of the error.
 */
type KnownText = readonly [
  status: number,
  /** Is matched against the result of {@link plain}. */
  text: RegExp,
  kind: typeof ApiError,
  fields?: (identity: Identity | undefined) => object,
];

/** Matches the 429 of a monthly quota. Its text names a month, or it names a quota but no rate of requests. */
const MONTHLY = /mensuel|mois|month|^(?!.*(requ|minute|second|\bjour)).*quota/i;

const TEXTS: readonly KnownText[] = [
  [400, /plateforme non connectée/i, PlatformNotConnectedError],
  [400, /précisez `bulle_id`/i, MissingBulleIdError],
  [400, /précisez `fiche_id`/i, MissingFicheIdError, (identity) => ({ choices: identity?.gmb_fiches ?? [] })],
  [403, /établissement n'appartient pas/i, BulleOutOfScopeError],
  [403, /fiche gmb n'appartient pas/i, FicheOutOfScopeError],
  [404, /établissement introuvable ?: ?(?<bulle_id>[^"]*[^" ])/i, BulleNotFoundError],
  [404, /aucune fiche gmb associée/i, NoFicheError],
  [429, MONTHLY, QuotaExceededError],
];

/** Returns what the client knows about a text of the service. */
export function knownText(status: number, detail: string) {
  const text = plain(detail);
  for (const [of, pattern, kind, fields] of TEXTS) {
    const match = of === status && pattern.exec(text);
    if (match) return { kind, fields, groups: match.groups };
  }
  return undefined;
}

/** The meaning of each status of the service. */
export const MEANINGS: Readonly<Record<number, string>> = {
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

/** Replaces typographic apostrophes, no-break spaces and decomposed accents with their plain forms. */
function plain(text: string): string {
  return toNfc(text).replace(/[’‘ʼ]/g, "'").replace(/\s+/g, ' ');
}

/** Whether any server could send this text with a 404. The service itself names the missing resource. */
export function isGeneric(detail: string): boolean {
  return /^((not found|ressource introuvable)\.?)?$/i.test(detail);
}
