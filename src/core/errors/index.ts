import type * as api from './api-errors.js';
import type * as client from './client-errors.js';
import { isBranded } from './multilocal-error.js';

export * from './api-errors.js';
export * from './client-errors.js';
export { type ErrorCode, type ErrorContext, type FieldsOf, MultilocalError } from './multilocal-error.js';

/**
 * An error of a known class. A comparison of `code` with a string narrows it to the class of that code. Classes that
 * others extend are listed here with their own code.
 */
export type KnownError =
  | (api.ApiError & { readonly code: 'api_error' })
  | (api.BadRequestError & { readonly code: 'bad_request' })
  | (api.PermissionDeniedError & { readonly code: 'permission_denied' })
  | (api.NotFoundError & { readonly code: 'not_found' })
  | (api.RateLimitError & { readonly code: 'rate_limit' })
  | (client.ConnectionError & { readonly code: 'connection' })
  | api.AuthenticationError
  | api.BadGatewayError
  | api.BulleNotFoundError
  | api.BulleOutOfScopeError
  | client.ConfigurationError
  | api.ConflictError
  | client.DryRunNotHonoredError
  | client.DryRunUnsupportedError
  | api.FicheOutOfScopeError
  | api.GoneError
  | api.InternalServerError
  | client.InvalidRequestError
  | client.InvalidResponseError
  | client.MassDeletionError
  | api.MissingBulleIdError
  | api.MissingFicheIdError
  | api.MissingPermissionError
  | api.NoFicheError
  | client.PlanError
  | api.PlatformNotConnectedError
  | api.QuotaExceededError
  | client.RedirectError
  | api.ServiceUnavailableError
  | client.SyncConflictError
  | client.SyncStalledError
  | client.TimeoutError
  | api.UnprocessableEntityError
  | client.WaitTimeoutError;

/**
 * Checks whether a value is an error of this SDK, even of another realm or another copy of the package. After this
 * check, a comparison of `error.code` narrows the error to the class of that code.
 * @example
 * if (isMultilocalError(error) && error.code === 'missing_fiche_id') console.error(error.choices);
 */
export function isMultilocalError(value: unknown): value is KnownError {
  return isBranded(value);
}
