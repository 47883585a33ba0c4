import type * as api from './api-errors.js';
import type * as client from './client-errors.js';
import { type ErrorCode, isBranded, type MultilocalError } from './multilocal-error.js';

/** Maps each code to its class. */
interface ClassByCode extends Record<ErrorCode, MultilocalError> {
  api_error: api.ApiError;
  authentication: api.AuthenticationError;
  bad_gateway: api.BadGatewayError;
  bad_request: api.BadRequestError;
  bulle_not_found: api.BulleNotFoundError;
  bulle_out_of_scope: api.BulleOutOfScopeError;
  configuration: client.ConfigurationError;
  conflict: api.ConflictError;
  connection: client.ConnectionError;
  dry_run_not_honored: client.DryRunNotHonoredError;
  dry_run_unsupported: client.DryRunUnsupportedError;
  fiche_out_of_scope: api.FicheOutOfScopeError;
  gone: api.GoneError;
  internal_server_error: api.InternalServerError;
  invalid_request: client.InvalidRequestError;
  invalid_response: client.InvalidResponseError;
  mass_deletion: client.MassDeletionError;
  missing_bulle_id: api.MissingBulleIdError;
  missing_fiche_id: api.MissingFicheIdError;
  missing_permission: api.MissingPermissionError;
  no_fiche: api.NoFicheError;
  not_found: api.NotFoundError;
  permission_denied: api.PermissionDeniedError;
  platform_not_connected: api.PlatformNotConnectedError;
  quota_exceeded: api.QuotaExceededError;
  rate_limit: api.RateLimitError;
  redirect: client.RedirectError;
  service_unavailable: api.ServiceUnavailableError;
  sync_conflict: client.SyncConflictError;
  sync_stalled: client.SyncStalledError;
  timeout: client.TimeoutError;
  unprocessable_entity: api.UnprocessableEntityError;
  wait_timeout: client.WaitTimeoutError;
}

/** An error of a known class. A comparison of `code` with a string narrows it to the class of that code. */
export type KnownError = { [Code in ErrorCode]: ClassByCode[Code] & { readonly code: Code } }[ErrorCode];

/**
 * Checks whether a value is an error of this SDK, also one of another realm or another copy of the package. After this
 * check, a comparison of `error.code` narrows the error to the class of that code.
 * @example
 * if (isMultilocalError(error) && error.code === 'missing_fiche_id') console.error(error.choices);
 */
export function isMultilocalError(value: unknown): value is KnownError {
  return isBranded(value);
}
