import type { IdentityBulle, IdentityFiche } from '../identity.js';
import type { Permission } from '../types.js';
import { type FieldsOf, MultilocalError } from './multilocal-error.js';

/** The service refused or failed, or the client knew that it would. Statuses without a class of their own are this. */
export class ApiError extends MultilocalError {
  /** @internal */
  static override readonly code: string = 'api_error';
  /** HTTP status. With `origin: 'preflight'`, the status that the service would have returned. */
  declare readonly status: number;
  /** The service's own words (French), `''` where it gave none. */
  declare readonly detail: string;
  /** The parsed body of the answer, or its text where it is not JSON; `undefined` where none came. */
  declare readonly body: unknown;
  /** The headers of the answer, empty for `origin: 'preflight'`. */
  declare readonly headers: Headers;
  /** Milliseconds after which the service, or the client's limiter, lets the call through. */
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
  /** Always empty: a sphere key's identity does not list the locations; `client.bulles.list()` does. */
  readonly choices: readonly IdentityBulle[] = [];
}

/** 400: the key covers several listings, so the call must name one with `fiche_id`. */
export class MissingFicheIdError extends BadRequestError {
  /** @internal */
  static override readonly code: string = 'missing_fiche_id';
  declare readonly code: 'missing_fiche_id';
  /** The `gmb_fiches` of the client's identity; empty where it is not known. */
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

/** 403, before anything was sent: the known identity lacks the permission. Ask with `client.me()` if it was added since. */
export class MissingPermissionError extends PermissionDeniedError {
  /** @internal */
  static override readonly code: string = 'missing_permission';
  declare readonly code: 'missing_permission';
  /** The permission that the operation needs. */
  declare readonly permission: Permission;
}

/** 404: no such resource in the key's scope. */
export class NotFoundError extends ApiError {
  /** @internal */
  static override readonly code: string = 'not_found';
}

/** 404: no location has this `bulle_id`. */
export class BulleNotFoundError extends NotFoundError {
  /** @internal */
  static override readonly code: string = 'bulle_not_found';
  declare readonly code: 'bulle_not_found';
  /** The identifier that the service did not find. */
  declare readonly bulle_id: string;
}

/** 404: no Google listing is attached to the key. */
export class NoFicheError extends NotFoundError {
  /** @internal */
  static override readonly code: string = 'no_fiche';
  declare readonly code: 'no_fiche';
}

/** 409: the resource is in a state that forbids this, such as editing an article already online. */
export class ConflictError extends ApiError {
  /** @internal */
  static override readonly code: string = 'conflict';
  declare readonly code: 'conflict';
}

/** 410: gone at the provider, such as a review that its author removed from Google. */
export class GoneError extends ApiError {
  /** @internal */
  static override readonly code: string = 'gone';
  declare readonly code: 'gone';
}

/** 422: invalid data. */
export class UnprocessableEntityError extends ApiError {
  /** @internal */
  static override readonly code: string = 'unprocessable_entity';
  declare readonly code: 'unprocessable_entity';
}

/** 429: too many requests; with `origin: 'preflight'`, the client's own limiter would have waited beyond `maxWait`. */
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

/** 502: a service behind the service failed (Google, the SEO data provider). A write may have gone through. */
export class BadGatewayError extends ApiError {
  /** @internal */
  static override readonly code: string = 'bad_gateway';
  declare readonly code: 'bad_gateway';
}

/** 503: not configured, or unavailable. */
export class ServiceUnavailableError extends ApiError {
  /** @internal */
  static override readonly code: string = 'service_unavailable';
  declare readonly code: 'service_unavailable';
}

/** What an `ApiError` holds where the client refuses in the place of the service, so that nothing is sent. */
export function refusal(status: number, detail: string): FieldsOf<ApiError> {
  return { status, detail, body: undefined, headers: new Headers(), origin: 'preflight' };
}
