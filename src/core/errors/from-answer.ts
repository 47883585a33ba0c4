import type { Identity } from '../identity.js';
import {
  ApiError,
  AuthenticationError,
  BadGatewayError,
  BadRequestError,
  BulleNotFoundError,
  BulleOutOfScopeError,
  ConflictError,
  GoneError,
  InternalServerError,
  MissingBulleIdError,
  NotFoundError,
  PermissionDeniedError,
  QuotaExceededError,
  RateLimitError,
  ServiceUnavailableError,
  UnprocessableEntityError,
} from './api-errors.js';
import type { Fail, FieldsOf } from './multilocal-error.js';

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
const MONTHLY = /mensuel|mois|month|^(?!.*(requ|minute|second|\bjour)).*quota/i;

/** A text of the service that says more than its status: what it makes of its error, whose fields its groups are too. */
export type KnownText = readonly [
  status: number,
  text: RegExp,
  kind: typeof ApiError,
  fields?: (identity: Identity | undefined) => object,
];

const OF_EVERY_ROUTE: readonly KnownText[] = [
  [400, /précisez `bulle_id`/i, MissingBulleIdError],
  [403, /établissement n'appartient pas/i, BulleOutOfScopeError],
  [404, /établissement introuvable ?: ?(?<bulle_id>[^"]*[^" ])/i, BulleNotFoundError],
  [429, MONTHLY, QuotaExceededError],
];

/** Build the typed error of an answer that is neither 2xx nor a redirect; `known` are texts of some routes alone. */
export function errorFromAnswer(
  fail: Fail,
  answer: Omit<FieldsOf<ApiError>, 'detail' | 'origin'>,
  known: readonly KnownText[] = [],
  identity?: Identity,
): ApiError {
  const { status, body } = answer;
  const detail = detailOf(body);
  const why = detail.replace(/\.$/, '') || (body ? 'not JSON' : 'no explanation');
  // The service speaks French and names what it lacks: what does not may be another server, or another path of it.
  const isOther = status === 404 && /^((not found|ressource introuvable)\.?)?$/i.test(detail);
  const hint = isOther ? '; check baseUrl' : status === 401 || status === 403 ? '; check the key' : '';
  // Apostrophes may be typographic, spaces before a colon not to be broken, accents apart from their letters.
  const plain = detail.normalize('NFC').replace(/[’‘ʼ]/g, "'").replace(/\s+/g, ' ');
  let Kind = BY_STATUS[status] ?? ApiError;
  let more: object | undefined;
  for (const [of, text, KnownKind, fields] of [...OF_EVERY_ROUTE, ...known]) {
    const match = of === status && text.exec(plain);
    if (!match) continue;
    Kind = KnownKind;
    more = { ...match.groups, ...fields?.(identity) };
  }
  return fail(Kind, `${status}: ${why.slice(0, 500)}${hint}`, { ...answer, detail, origin: 'service', ...more });
}

/** What `detail`, `message` or `error` say: a text as it is, anything else as JSON. */
function detailOf(body: unknown): string {
  const { detail, message, error } = Object(body) as Record<string, unknown>;
  return [detail, message, error]
    .filter(Boolean)
    .map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
    .join('; ');
}
