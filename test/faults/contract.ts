import { MAX_RETRIES } from '../../src/core/config.js';
import {
  ApiError,
  AuthenticationError,
  BadGatewayError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  DryRunNotHonoredError,
  GoneError,
  InternalServerError,
  InvalidResponseError,
  type MultilocalError,
  NotFoundError,
  type Outcome,
  PermissionDeniedError,
  QuotaExceededError,
  RateLimitError,
  RedirectError,
  ServiceUnavailableError,
  TimeoutError,
  UnprocessableEntityError,
} from '../../src/index.js';
import type { Family, Fault } from './catalogue.js';
import type { Operation } from './operations.js';

// What the contract promises, typed in by hand. Nothing here was read off the client but the number of retries, which is only a default.

/** Milliseconds for one attempt where the fault is silence; all others get so much that it never runs out. */
export const SHORT_TIMEOUT = 4000;

type ErrorClass = abstract new (...args: never[]) => MultilocalError;

/** Contract, "Errors": class and code by status. */
const BY_STATUS: Record<number, readonly [ErrorClass, code: string]> = {
  400: [BadRequestError, 'bad_request'],
  401: [AuthenticationError, 'authentication'],
  403: [PermissionDeniedError, 'permission_denied'],
  404: [NotFoundError, 'not_found'],
  409: [ConflictError, 'conflict'],
  410: [GoneError, 'gone'],
  422: [UnprocessableEntityError, 'unprocessable_entity'],
  429: [RateLimitError, 'rate_limit'],
  500: [InternalServerError, 'internal_server_error'],
  502: [BadGatewayError, 'bad_gateway'],
  503: [ServiceUnavailableError, 'service_unavailable'],
};

/** Contract, "Retries": after which failures a call is repeated. */
const REPEATED = {
  /** Reads, PUT, DELETE, `articles.confirm`. */
  repeatable: { unsent: true, untrusted: false, broken: true, timeout: true, statuses: [408, 429, 500, 502, 503, 504] },
  /** Every other POST, and a dry run before the service has shown that it honours `dry_run`. */
  costly: { unsent: true, untrusted: false, broken: false, timeout: false, statuses: [429] },
};

const BROKEN: Family = { kind: 'broken' };

/** Contract, "Retries": a longer `Retry-After` (ms) is the caller's. */
const LONGEST_RETRY_AFTER = 60_000;

export type Result =
  | { resolves: true }
  | { resolves: false; kind: ErrorClass; code: string; outcome: Outcome; status?: number };

export interface Expected {
  /** Requests if the fault lasts. */
  requests: number;
  result: Result;
  /** Visible changes on the service, if the fault lasts. */
  effects: 0 | 1;
  /** Least and greatest wait (ms) before each repetition. */
  waits: { least: number; most: number }[];
  /** `retryAfter` of the error; a date is as far away as it happens to be. */
  retryAfter: number | 'soon' | undefined;
}

/**
 * What the contract says about a call of this class whose every attempt meets this fault. Only `Client` knows the errors of
 * servers' `fetch`: for `ArticlesClient`, a request that never left may have arrived, as in a browser.
 */
export function expected(operation: Operation, { family: kind, applies }: Fault, isPage = false): Expected {
  const family = isPage && (kind.kind === 'unsent' || kind.kind === 'untrusted') ? BROKEN : kind;
  const result = resultOf(operation, family);
  const retries = isRepeated(operation, family) ? MAX_RETRIES : 0;
  return {
    requests: retries + 1,
    result,
    effects: operation.changes && applies ? 1 : 0,
    waits: Array.from({ length: retries }, (_, index) => waitBefore(family, index)),
    retryAfter: family.kind === 'status' ? family.retryAfter : undefined,
  };
}

function isRepeated({ repeatable }: Operation, family: Family): boolean {
  const rules = REPEATED[repeatable ? 'repeatable' : 'costly'];
  if (family.kind === 'redirect' || family.kind === 'success') return false;
  if (family.kind !== 'status') return rules[family.kind];
  const { status, retryAfter, quota } = family;
  const isTooLong = typeof retryAfter === 'number' && retryAfter > LONGEST_RETRY_AFTER;
  return rules.statuses.includes(status) && !quota && !isTooLong;
}

function resultOf(operation: Operation, family: Family): Result {
  const { writes } = operation;
  const fails = (kind: ErrorClass, code: string, outcome: Outcome, status?: number): Result => ({
    resolves: false,
    kind,
    code,
    outcome: writes ? outcome : 'not_applied',
    ...(status !== undefined && { status }),
  });
  switch (family.kind) {
    case 'unsent':
    case 'untrusted':
      return fails(ConnectionError, 'connection', 'not_applied');
    case 'broken':
      return fails(ConnectionError, 'connection', 'unknown');
    case 'timeout':
      return fails(TimeoutError, 'timeout', 'unknown');
    case 'redirect':
      return fails(RedirectError, 'redirect', 'unknown');
    case 'status': {
      const { status, quota } = family;
      const [kind, code] = quota
        ? [QuotaExceededError, 'quota_exceeded']
        : (BY_STATUS[status] ?? [ApiError, 'api_error']);
      return fails(kind, code, status >= 500 || status === 408 ? 'unknown' : 'not_applied', status);
    }
    case 'success': {
      const { body } = family;
      if (body === 'right') return { resolves: true };
      // The specification shows no answer to DELETE: any JSON and none will do.
      if (operation.id === 'delete' && body !== 'not_json') return { resolves: true };
      if (operation.id === 'dryRun' && body !== 'not_json') {
        return fails(DryRunNotHonoredError, 'dry_run_not_honored', 'applied');
      }
      return fails(InvalidResponseError, 'invalid_response', 'applied');
    }
  }
}

/** Contract, "Retries": `Retry-After` exactly, else exponential backoff with jitter: half a second, then one, less up to the half. */
function waitBefore(family: Family, index: number): { least: number; most: number } {
  const retryAfter = family.kind === 'status' ? family.retryAfter : undefined;
  if (retryAfter === 'soon') return { least: 0, most: 2000 };
  if (retryAfter !== undefined) return { least: retryAfter, most: retryAfter };
  return { least: 250 * 2 ** index, most: 500 * 2 ** index };
}
