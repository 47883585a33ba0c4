import type { IdentityFiche } from '../identity.js';
import {
  ApiError,
  type ApiErrorInit,
  AuthenticationError,
  BadGatewayError,
  BadRequestError,
  BulleNotFoundError,
  BulleOutOfScopeError,
  ConflictError,
  FicheOutOfScopeError,
  GoneError,
  InternalServerError,
  MissingBulleIdError,
  MissingFicheIdError,
  NoFicheError,
  NotFoundError,
  PermissionDeniedError,
  PlatformNotConnectedError,
  QuotaExceededError,
  RateLimitError,
  ServiceUnavailableError,
  UnprocessableEntityError,
} from './api-errors.js';

type ApiErrorClass = new (message: string, init: ApiErrorInit) => ApiError;

const BY_STATUS: Record<number, ApiErrorClass> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  422: UnprocessableEntityError,
  429: RateLimitError,
  500: InternalServerError,
  502: BadGatewayError,
  503: ServiceUnavailableError,
};

/** The service's French texts that say more than their status, as `normalize` leaves them. */
const BY_TEXT: readonly (readonly [status: number, text: string, kind: ApiErrorClass])[] = [
  [400, 'plateforme non connectée', PlatformNotConnectedError],
  [400, 'plusieurs établissements. précisez `bulle_id`', MissingBulleIdError],
  [400, 'plusieurs fiches google. précisez `fiche_id`', MissingFicheIdError],
  [403, "cet établissement n'appartient pas à votre périmètre", BulleOutOfScopeError],
  [403, "cette fiche gmb n'appartient pas à votre périmètre", FicheOutOfScopeError],
  [404, 'aucune fiche gmb associée à cette clé', NoFicheError],
];

/** Case is kept for the identifier behind it. */
const BULLE_NOT_FOUND = /établissement introuvable ?: ?(.*)/i;

/** A 429 is about a monthly quota where it names a month, or a quota without the pace of requests. */
const MONTHLY = /mensuel|\bmois\b|month/;
const PACE = /requ[êe]te|request|minute|second|par jour|journali/;

/** Build the typed error of an answer that is neither 2xx nor a redirect. `hint` says how to find out what became
 * of a write; `fiches` are the choices of a missing one. */
export function errorFromAnswer(
  init: Omit<ApiErrorInit, 'detail'>,
  hint: string,
  fiches: readonly IdentityFiche[] | undefined,
): ApiError {
  const { status, body } = init;
  const texts = textsOf(body);
  const detail = texts.join('; ');
  const full = { ...init, detail };
  const said = detail || (typeof body === 'string' && body ? 'an answer that is not JSON' : 'no explanation');
  const message = `${init.operation}: ${init.method} ${init.path} was answered with ${status}: ${clip(said)}${hint && `.${hint}`}`;

  const normalized = texts.map(normalize);
  const bulle_id = texts.map((text) => BULLE_NOT_FOUND.exec(straighten(text))?.[1]).find((id) => id !== undefined);
  if (status === 404 && bulle_id !== undefined) return new BulleNotFoundError(message, { ...full, bulle_id });
  for (const [of, text, Kind] of BY_TEXT) {
    if (of !== status || !normalized.some((candidate) => candidate.includes(text))) continue;
    return Kind === MissingFicheIdError
      ? new MissingFicheIdError(message, { ...full, choices: fiches })
      : new Kind(message, full);
  }
  if (isQuotaExceeded(status, normalized)) return new QuotaExceededError(message, full);
  return new (BY_STATUS[status] ?? ApiError)(message, full);
}

function isQuotaExceeded(status: number, normalized: readonly string[]): boolean {
  return (
    status === 429 && normalized.some((text) => MONTHLY.test(text) || (text.includes('quota') && !PACE.test(text)))
  );
}

/** What `detail`, `message` or `error` say, in whichever form: a string, a list of strings or of `{ loc, msg }`, an object. */
function textsOf(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  const { detail, message, error } = body as Record<string, unknown>;
  return [detail, message, error].flatMap((part) => spoken(part, 3));
}

function spoken(part: unknown, depth: number): string[] {
  if (typeof part === 'string') return part ? [part] : [];
  if (typeof part !== 'object' || part === null || depth === 0) return [];
  if (Array.isArray(part)) return part.slice(0, 20).flatMap((item) => spoken(item, depth - 1));
  const { loc, msg, message, detail, error } = part as Record<string, unknown>;
  const texts = [msg, message, detail, error].flatMap((inner) => spoken(inner, depth - 1));
  if (!Array.isArray(loc) || texts.length === 0) return texts;
  const place = loc.filter((key) => typeof key === 'string' || typeof key === 'number').join('.');
  return [place ? `${place}: ${texts.join('; ')}` : texts.join('; ')];
}

/** The same text for typographic or straight apostrophes, any space before a colon, and composed or bare accents. */
function straighten(text: string): string {
  return text.normalize('NFC').replace(/[’‘ʼ]/g, "'").replace(/\s+/g, ' ').trim();
}

function normalize(text: string): string {
  return straighten(text).toLowerCase();
}

function clip(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
