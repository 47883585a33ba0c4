import type { Issue, Outcome } from '../types.js';
import { MultilocalError } from './multilocal-error.js';

/**
 * The key, the address or an option is missing or invalid, or a file of a `directoryStore` is damaged. Clients throw it
 * at construction. The message never contains the key.
 */
export class ConfigurationError extends MultilocalError {
  static override readonly code = 'configuration';
  declare readonly code: typeof ConfigurationError.code;
}

/**
 * The service would refuse a parameter, or an option is invalid. Nothing was sent. `issues` names each problem and the
 * expected value.
 */
export class InvalidRequestError extends MultilocalError {
  static override readonly code = 'invalid_request';
  declare readonly code: typeof InvalidRequestError.code;
  /** The invalid parameters and options, each with its path and the expected value. */
  declare readonly issues: readonly Issue[];
}

/**
 * There was no usable response: the connection was refused, broke or was never made. For a costly write, `outcome`
 * tells you whether it may have happened. If it is `'unknown'`, look before you call again.
 */
export class ConnectionError extends MultilocalError {
  static override readonly code: string = 'connection';
}

/** `timeout` or `totalTimeout` ran out. Both include reading the body. */
export class TimeoutError extends ConnectionError {
  static override readonly code = 'timeout';
  declare readonly code: typeof TimeoutError.code;
}

/** The response is a redirect. The client did not follow it, so the key was sent nowhere else. Check `baseUrl`. */
export class RedirectError extends MultilocalError {
  static override readonly code = 'redirect';
  declare readonly code: typeof RedirectError.code;
  /** HTTP status. 0 in browsers, which hide it. */
  declare readonly status: number;
  /** The origin of the redirect target, if it is known. */
  declare readonly location: string | undefined;
}

/**
 * A 2xx response is not JSON or does not match its schema. The request succeeded: do not call again because of this
 * error. `body` holds the response.
 */
export class InvalidResponseError extends MultilocalError {
  static override readonly code = 'invalid_response';
  declare readonly code: typeof InvalidResponseError.code;
  /** The invalid fields of the body, each with its path and the expected value. */
  declare readonly issues: readonly Issue[];
  /** The parsed body, or its text if it is not JSON. */
  declare readonly body: unknown;
  /** HTTP status of the response, a 2xx. */
  declare readonly status: number;
}

/** A write without a preview was called on `client.dryRun`. Nothing was sent. */
export class DryRunUnsupportedError extends MultilocalError {
  static override readonly code = 'dry_run_unsupported';
  declare readonly code: typeof DryRunUnsupportedError.code;
}

/**
 * The response to a dry run shows no preview (no `dry_run: true`, no `would_*` field). Treat the operation as executed:
 * `outcome` is `'applied'`, and `body` holds the response.
 */
export class DryRunNotHonoredError extends MultilocalError {
  static override readonly code = 'dry_run_not_honored';
  declare readonly code: typeof DryRunNotHonoredError.code;
  /** The parsed body of the response: the result of the executed operation. */
  declare readonly body: unknown;
}

/** The result was not ready in time. It may still become ready: nothing was cancelled. */
export class WaitTimeoutError extends MultilocalError {
  static override readonly code = 'wait_timeout';
  declare readonly code: typeof WaitTimeoutError.code;
  /** The article's id, or the `report_id`. For `reports.wait`, the `report_name`. */
  declare readonly id: number | string;
}

/**
 * The client stopped because it cannot read the list of articles without a gap. Everything before the gap was
 * delivered.
 */
export class SyncStalledError extends MultilocalError {
  static override readonly code = 'sync_stalled';
  declare readonly code: typeof SyncStalledError.code;
  /** The cursor before the gap. Pass it to the next run, which tries again. */
  declare readonly cursor: string | undefined;
}

/**
 * Another run has changed the store since this run read its cursor, so the store refused a page (`commit` returned
 * `false`). Nothing of this page was stored, and everything before it was. Run again: the next run starts from the
 * cursor of the other run.
 */
export class SyncConflictError extends MultilocalError {
  static override readonly code = 'sync_conflict';
  declare readonly code: typeof SyncConflictError.code;
}

/**
 * More than half of the known articles are missing from the service's list, and more than ten are known. The run has
 * reported no deletion. Check the key and its scope. If the articles were really deleted, run again with
 * `allowMassDeletion: true`.
 */
export class MassDeletionError extends MultilocalError {
  static override readonly code = 'mass_deletion';
  declare readonly code: typeof MassDeletionError.code;
  /** Number of known ids that are missing from the list. */
  declare readonly missing: number;
  /** Number of known ids. */
  declare readonly known: number;
}

/** Why a plan was not carried out, or not whole. */
export type PlanErrorCode =
  | 'journal_damaged'
  | 'journal_locked'
  | 'journal_lost'
  | 'journal_of_another_brand'
  | 'journal_unusable'
  | 'plan_incomplete'
  | 'plan_invalid'
  | 'plan_not_approved'
  | 'plan_unreadable'
  | 'plan_unresolved';

/**
 * A plan or its journal cannot be used. `code` says why, and `hint` what to do. `outcome` says whether the last write happened.
 */
export class PlanError extends MultilocalError {
  static override readonly code: string = 'plan';
  declare readonly code: PlanErrorCode;
  /** What to do. */
  declare readonly hint: string;

  /** @internal */
  constructor(
    code: PlanErrorCode,
    message: string,
    hint: string,
    outcome: Outcome = 'not_applied',
    cause: unknown = undefined,
  ) {
    super(message, { code, hint, outcome, cause });
  }
}
