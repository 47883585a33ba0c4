import type { Issue } from '../types.js';
import { MultilocalError } from './multilocal-error.js';

/**
 * A key, base URL or option that cannot work, thrown at construction, or a damaged file of a `directoryStore`.
 * Never repeats the key.
 */
export class ConfigurationError extends MultilocalError {
  /** @internal */
  static override readonly code: string = 'configuration';
  declare readonly code: 'configuration';
}

/** Parameters that the service would refuse. Nothing was sent; `issues` names each parameter and what is allowed. */
export class InvalidRequestError extends MultilocalError {
  /** @internal */
  static override readonly code: string = 'invalid_request';
  declare readonly code: 'invalid_request';
  /** The invalid parameters, each with its path and the expected value. */
  declare readonly issues: readonly Issue[];
}

/**
 * No usable answer: the connection was refused, cut or never made.
 * For a costly write, `outcome` says whether it may have happened all the same: look before you repeat it.
 */
export class ConnectionError extends MultilocalError {
  /** @internal */
  static override readonly code: string = 'connection';
  declare readonly code: 'connection' | 'timeout';
}

/** `timeout` or `totalTimeout` ran out, the reading of the body included. */
export class TimeoutError extends ConnectionError {
  /** @internal */
  static override readonly code: string = 'timeout';
  declare readonly code: 'timeout';
}

/** The service answered with a redirect. It was not followed, so that the key went nowhere else: check `baseUrl`. */
export class RedirectError extends MultilocalError {
  /** @internal */
  static override readonly code: string = 'redirect';
  declare readonly code: 'redirect';
  /** HTTP status; 0 in browsers, which hide it. */
  declare readonly status: number;
  /** The origin that the redirect points to, where it can be known. */
  declare readonly location: string | undefined;
}

/**
 * A 2xx answer that is not JSON or does not have the expected shape.
 * The request succeeded: do not repeat a write because of this error. `body` holds what came.
 */
export class InvalidResponseError extends MultilocalError {
  /** @internal */
  static override readonly code: string = 'invalid_response';
  declare readonly code: 'invalid_response';
  /** The invalid fields of the body, each with its path and the expected value. */
  declare readonly issues: readonly Issue[];
  /** The parsed body, or its text where it is not JSON. */
  declare readonly body: unknown;
  /** HTTP status of the response, a 2xx. */
  declare readonly status: number;
}

/** A write without a preview was called on `client.dryRun`. Nothing was sent. */
export class DryRunUnsupportedError extends MultilocalError {
  /** @internal */
  static override readonly code: string = 'dry_run_unsupported';
  declare readonly code: 'dry_run_unsupported';
}

/**
 * A dry run was asked for and the answer does not show one (no `dry_run: true`, no `would_*` field).
 * Take the operation for executed: `outcome` is `'applied'`, `body` holds the answer.
 */
export class DryRunNotHonoredError extends MultilocalError {
  /** @internal */
  static override readonly code: string = 'dry_run_not_honored';
  declare readonly code: 'dry_run_not_honored';
  /** The parsed body of the response: the result of the executed operation. */
  declare readonly body: unknown;
}

/** What was waited for did not come in time. It may still come: nothing was cancelled. */
export class WaitTimeoutError extends MultilocalError {
  /** @internal */
  static override readonly code: string = 'wait_timeout';
  declare readonly code: 'wait_timeout';
  /** The article's id, or the `report_id`. */
  declare readonly id: number | string;
}

/** The service's list cannot be walked without a gap, so the walk stopped. Everything before it is complete. */
export class SyncStalledError extends MultilocalError {
  /** @internal */
  static override readonly code: string = 'sync_stalled';
  declare readonly code: 'sync_stalled';
  /** The cursor that could not be passed; a run that starts there repeats the attempt. */
  declare readonly cursor: string | undefined;
}

/**
 * More than half of more than ten known articles vanished from the service's list. No deletion was reported:
 * check the key and its scope, then run again with `allowMassDeletion: true` if it is meant.
 */
export class MassDeletionError extends MultilocalError {
  /** @internal */
  static override readonly code: string = 'mass_deletion';
  declare readonly code: 'mass_deletion';
  /** How many known ids the list no longer has. */
  declare readonly missing: number;
  /** How many ids were known. */
  declare readonly known: number;
}
