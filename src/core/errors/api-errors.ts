import type { IdentityBulle, IdentityFiche, Permission } from '../types.js';
import { type FieldsOf, MultilocalError } from './multilocal-error.js';

/**
 * The service refused the call or failed, or the client refused the call before sending it. This class itself is used
 * for statuses without their own class.
 */
export class ApiError extends MultilocalError {
  static override readonly code: string = 'api_error';
  /** HTTP status. With `origin: 'preflight'`, the status that the service would have returned. */
  declare readonly status: number;
  /** The service's error text (French). `''` if there is none. */
  declare readonly detail: string;
  /** The parsed body of the response, or its text if it is not JSON. `undefined` if there is none. */
  declare readonly body: unknown;
  /** The headers of the response. Empty with `origin: 'preflight'`. */
  declare readonly headers: Headers;
  /** Milliseconds to wait before another call, if the service or the client's limiter gave a time. */
  declare readonly retryAfter?: number;
  /** `'preflight'`: the client refused the call and sent nothing. `'service'`: the service sent the error. */
  declare readonly origin: 'service' | 'preflight';
}

/** 400: the request is malformed, lacks a target, or names a platform that is not connected. */
export class BadRequestError extends ApiError {
  static override readonly code: string = 'bad_request';
}

/** 400: a sphere key covers several locations, so the call must name one with `bulle_id`. */
export class MissingBulleIdError extends BadRequestError {
  static override readonly code = 'missing_bulle_id';
  declare readonly code: typeof MissingBulleIdError.code;
  /** Always empty, because the identity of a sphere key does not list locations. Use `client.bulles.list()`. */
  readonly choices: readonly IdentityBulle[] = [];
}

/** 400: the key covers several listings, so the call must name one with `fiche_id`. */
export class MissingFicheIdError extends BadRequestError {
  static override readonly code = 'missing_fiche_id';
  declare readonly code: typeof MissingFicheIdError.code;
  /** The `gmb_fiches` of the client's identity. Empty if the identity is unknown. Printed and as JSON, it is their number. */
  declare readonly choices: readonly IdentityFiche[];

  /** @internal */
  constructor(message: string, fields: Partial<FieldsOf<MissingFicheIdError>>) {
    super(message, { choices: [], ...fields });
  }
}

/** 400: a targeted platform is not connected on the location. */
export class PlatformNotConnectedError extends BadRequestError {
  static override readonly code = 'platform_not_connected';
  declare readonly code: typeof PlatformNotConnectedError.code;
}

/** 401: the key is missing, invalid, expired or revoked. Never retried. */
export class AuthenticationError extends ApiError {
  static override readonly code = 'authentication';
  declare readonly code: typeof AuthenticationError.code;
}

/** 403: a permission is missing, or the target is outside the key's scope. */
export class PermissionDeniedError extends ApiError {
  static override readonly code: string = 'permission_denied';
}

/** 403: the location is outside the key's scope. */
export class BulleOutOfScopeError extends PermissionDeniedError {
  static override readonly code = 'bulle_out_of_scope';
  declare readonly code: typeof BulleOutOfScopeError.code;
}

/** 403: the listing is outside the key's scope. */
export class FicheOutOfScopeError extends PermissionDeniedError {
  static override readonly code = 'fiche_out_of_scope';
  declare readonly code: typeof FicheOutOfScopeError.code;
}

/**
 * 403, before anything was sent: the known identity lacks the permission. If the permission was added since, call
 * `client.me()`.
 */
export class MissingPermissionError extends PermissionDeniedError {
  static override readonly code = 'missing_permission';
  declare readonly code: typeof MissingPermissionError.code;
  /** The permission that the operation needs. */
  declare readonly permission: Permission;
}

/** 404: the key's scope contains no such resource. */
export class NotFoundError extends ApiError {
  static override readonly code: string = 'not_found';
}

/** 404: no location has the id `bulle_id`. */
export class BulleNotFoundError extends NotFoundError {
  static override readonly code = 'bulle_not_found';
  declare readonly code: typeof BulleNotFoundError.code;
  /** The id that the service did not find. */
  declare readonly bulle_id: string;
}

/** 404: the key has no Google listing. */
export class NoFicheError extends NotFoundError {
  static override readonly code = 'no_fiche';
  declare readonly code: typeof NoFicheError.code;
}

/** 409: the state of the resource forbids the operation, for example editing an article that is online. */
export class ConflictError extends ApiError {
  static override readonly code = 'conflict';
  declare readonly code: typeof ConflictError.code;
}

/** 410: the resource is gone at the provider, for example a review that its author removed from Google. */
export class GoneError extends ApiError {
  static override readonly code = 'gone';
  declare readonly code: typeof GoneError.code;
}

/** 422: the data is invalid. */
export class UnprocessableEntityError extends ApiError {
  static override readonly code = 'unprocessable_entity';
  declare readonly code: typeof UnprocessableEntityError.code;
}

/**
 * 429: too many requests. With `origin: 'preflight'`, the client's own limiter would have waited longer than `maxWait`.
 */
export class RateLimitError extends ApiError {
  static override readonly code: string = 'rate_limit';
}

/** 429: a monthly quota is used up. Never retried. */
export class QuotaExceededError extends RateLimitError {
  static override readonly code = 'quota_exceeded';
  declare readonly code: typeof QuotaExceededError.code;
}

/** 500: the service failed. */
export class InternalServerError extends ApiError {
  static override readonly code = 'internal_server_error';
  declare readonly code: typeof InternalServerError.code;
}

/** 502: a provider of the service failed (Google, the SEO data provider). A write may have happened nevertheless. */
export class BadGatewayError extends ApiError {
  static override readonly code = 'bad_gateway';
  declare readonly code: typeof BadGatewayError.code;
}

/** 503: the feature is not configured, or the service is unavailable. */
export class ServiceUnavailableError extends ApiError {
  static override readonly code = 'service_unavailable';
  declare readonly code: typeof ServiceUnavailableError.code;
}

/** Returns the fields of an `ApiError` for a call that the client refuses itself. Nothing is sent. */
export function refusal(status: number, detail: string): FieldsOf<ApiError> {
  return { status, detail, body: undefined, headers: new Headers(), origin: 'preflight' };
}
