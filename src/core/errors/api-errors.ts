import type { IdentityBulle, IdentityFiche } from '../identity.js';
import type { Permission } from '../types.js';
import { type FieldsOf, MultilocalError } from './multilocal-error.js';

/**
 * The service refused the call or failed, or the client refused the call before sending it. This class itself is used
 * for statuses without their own class.
 */
export class ApiError extends MultilocalError {
  /** @internal */
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
  /** @internal */
  static override readonly code: string = 'bad_request';
}

/** 400: a sphere key covers several locations, so the call must name one with `bulle_id`. */
export class MissingBulleIdError extends BadRequestError {
  /** @internal */
  static override readonly code: string = 'missing_bulle_id';
  declare readonly code: 'missing_bulle_id';
  /** Always empty, because the identity of a sphere key does not list locations. Use `client.bulles.list()`. */
  readonly choices: readonly IdentityBulle[] = [];
}

/** 400: the key covers several listings, so the call must name one with `fiche_id`. */
export class MissingFicheIdError extends BadRequestError {
  /** @internal */
  static override readonly code: string = 'missing_fiche_id';
  declare readonly code: 'missing_fiche_id';
  /** The `gmb_fiches` of the client's identity. Empty if the identity is unknown. */
  declare readonly choices: readonly IdentityFiche[];
}

/** 400: a targeted platform is not connected on the location. */
export class PlatformNotConnectedError extends BadRequestError {
  /** @internal */
  static override readonly code: string = 'platform_not_connected';
  declare readonly code: 'platform_not_connected';
}

/** 401: the key is missing, invalid, expired or revoked. Never retried. */
export class AuthenticationError extends ApiError {
  /** @internal */
  static override readonly code: string = 'authentication';
  declare readonly code: 'authentication';
}

/** 403: a permission is missing, or the target is outside the key's scope. */
export class PermissionDeniedError extends ApiError {
  /** @internal */
  static override readonly code: string = 'permission_denied';
}

/** 403: the location is outside the key's scope. */
export class BulleOutOfScopeError extends PermissionDeniedError {
  /** @internal */
  static override readonly code: string = 'bulle_out_of_scope';
  declare readonly code: 'bulle_out_of_scope';
}

/** 403: the listing is outside the key's scope. */
export class FicheOutOfScopeError extends PermissionDeniedError {
  /** @internal */
  static override readonly code: string = 'fiche_out_of_scope';
  declare readonly code: 'fiche_out_of_scope';
}

/**
 * 403, before anything was sent: the known identity lacks the permission. If the permission was added since, call
 * `client.me()`.
 */
export class MissingPermissionError extends PermissionDeniedError {
  /** @internal */
  static override readonly code: string = 'missing_permission';
  declare readonly code: 'missing_permission';
  /** The permission that the operation needs. */
  declare readonly permission: Permission;
}

/** 404: the key's scope contains no such resource. */
export class NotFoundError extends ApiError {
  /** @internal */
  static override readonly code: string = 'not_found';
}

/** 404: no location has the id `bulle_id`. */
export class BulleNotFoundError extends NotFoundError {
  /** @internal */
  static override readonly code: string = 'bulle_not_found';
  declare readonly code: 'bulle_not_found';
  /** The id that the service did not find. */
  declare readonly bulle_id: string;
}

/** 404: the key has no Google listing. */
export class NoFicheError extends NotFoundError {
  /** @internal */
  static override readonly code: string = 'no_fiche';
  declare readonly code: 'no_fiche';
}

/** 409: the state of the resource forbids the operation, for example editing an article that is online. */
export class ConflictError extends ApiError {
  /** @internal */
  static override readonly code: string = 'conflict';
  declare readonly code: 'conflict';
}

/** 410: the resource is gone at the provider, for example a review that its author removed from Google. */
export class GoneError extends ApiError {
  /** @internal */
  static override readonly code: string = 'gone';
  declare readonly code: 'gone';
}

/** 422: the data is invalid. */
export class UnprocessableEntityError extends ApiError {
  /** @internal */
  static override readonly code: string = 'unprocessable_entity';
  declare readonly code: 'unprocessable_entity';
}

/**
 * 429: too many requests. With `origin: 'preflight'`, the client's own limiter would have waited longer than `maxWait`.
 */
export class RateLimitError extends ApiError {
  /** @internal */
  static override readonly code: string = 'rate_limit';
}

/** 429: a monthly quota is used up. Never retried. */
export class QuotaExceededError extends RateLimitError {
  /** @internal */
  static override readonly code: string = 'quota_exceeded';
  declare readonly code: 'quota_exceeded';
}

/** 500: the service failed. */
export class InternalServerError extends ApiError {
  /** @internal */
  static override readonly code: string = 'internal_server_error';
  declare readonly code: 'internal_server_error';
}

/** 502: a provider of the service failed (Google, the SEO data provider). A write may have happened nevertheless. */
export class BadGatewayError extends ApiError {
  /** @internal */
  static override readonly code: string = 'bad_gateway';
  declare readonly code: 'bad_gateway';
}

/** 503: the feature is not configured, or the service is unavailable. */
export class ServiceUnavailableError extends ApiError {
  /** @internal */
  static override readonly code: string = 'service_unavailable';
  declare readonly code: 'service_unavailable';
}

/** Returns the fields of an `ApiError` for a call that the client refuses itself. Nothing is sent. */
export function refusal(status: number, detail: string): FieldsOf<ApiError> {
  return { status, detail, body: undefined, headers: new Headers(), origin: 'preflight' };
}
