import type { IdentityFiche } from '../identity.js';
import {
  ApiError,
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
import type { FieldsOf } from './multilocal-error.js';

const BY_STATUS: Record<number, typeof ApiError> = {
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

/** A 429 is about a monthly quota where it names a month, or a quota without the pace of requests. */
const MONTHLY = /mensuel|\bmois\b|month|^(?!.*(requ[êe]te|request|minute|second|par jour|journali)).*quota/;

/** The texts of the service that say more than their status, as `normalize` leaves them. */
const BY_TEXT: readonly (readonly [status: number, text: RegExp, kind: typeof ApiError])[] = [
  [400, /plateforme non connectée/, PlatformNotConnectedError],
  [400, /plusieurs établissements\. précisez `bulle_id`/, MissingBulleIdError],
  [400, /plusieurs fiches google\. précisez `fiche_id`/, MissingFicheIdError],
  [403, /cet établissement n'appartient pas à votre périmètre/, BulleOutOfScopeError],
  [403, /cette fiche gmb n'appartient pas à votre périmètre/, FicheOutOfScopeError],
  [404, /établissement introuvable ?:/, BulleNotFoundError],
  [404, /aucune fiche gmb associée à cette clé/, NoFicheError],
  [429, MONTHLY, QuotaExceededError],
];

/**
 * Build the typed error of an answer that is neither 2xx nor a redirect. `hint` says how to find out what became of a
 * write; `choices` are those of a missing `fiche_id`.
 */
export function errorFromAnswer(
  init: Omit<FieldsOf<ApiError>, 'detail' | 'origin'>,
  hint: string,
  choices: readonly IdentityFiche[] = [],
): ApiError {
  const { operation, method, path, status, body } = init;
  const texts = typeof body === 'object' ? textsOf(body) : [];
  const detail = texts.join('; ');
  const said = detail || (body ? 'an answer that is not JSON' : 'no explanation');
  const clipped = said.length > 500 ? `${said.slice(0, 500)}…` : said;
  const message = `${operation}: ${method} ${path} was answered with ${status}: ${clipped}${hint && `.${hint}`}`;
  const plain = texts.map(straighten);
  const Kind =
    BY_TEXT.find(([of, text]) => of === status && plain.some((line) => text.test(line.toLowerCase())))?.[2] ??
    BY_STATUS[status] ??
    ApiError;
  return new Kind(message, {
    ...init,
    detail,
    origin: 'service',
    ...(Kind === MissingFicheIdError && { choices }),
    // Its letter case is the identifier's own.
    ...(Kind === BulleNotFoundError && { bulle_id: /introuvable ?: ?(.*)/i.exec(plain.join('\n'))?.[1] }),
  });
}

/** What `detail`, `message` or `error` say, in whichever form: a string, a list of strings or of `{ loc, msg }`, an object. */
function textsOf(said: unknown, depth = 4): string[] {
  if (typeof said === 'string') return said ? [said] : [];
  if (typeof said !== 'object' || !said || !depth) return [];
  if (Array.isArray(said)) return depth < 4 ? said.slice(0, 20).flatMap((item) => textsOf(item, depth - 1)) : [];
  const { loc, detail, message, msg, error } = said as Record<string, unknown>;
  const texts = [detail, message, msg, error].flatMap((part) => textsOf(part, depth - 1));
  const place = Array.isArray(loc) ? loc.filter((key) => typeof key !== 'object').join('.') : '';
  return place && texts.length > 0 ? [`${place}: ${texts.join('; ')}`] : texts;
}

/** The same text for typographic or straight apostrophes, any space before a colon, and composed or bare accents. */
function straighten(text: string): string {
  return text.normalize('NFC').replace(/[’‘ʼ]/g, "'").replace(/\s+/g, ' ').trim();
}
