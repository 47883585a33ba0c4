import type { ApiError, MultilocalError, Outcome } from 'multilocal';
import { isMultilocalError, PlanError } from 'multilocal/internal/errors';
import { isUntrusted } from 'multilocal/internal/network';
import { isOutage } from 'multilocal/internal/retry';
import { causeOf } from './causes.js';
import { type Front, say, TERMINAL } from './front.js';

/** Exit codes of every command. `unresolved`: a write may have happened, and a person must look. */
export const EXIT = { done: 0, failed: 1, usage: 2, retry: 3, denied: 4, unresolved: 5, interrupted: 130 } as const;

/** A command that was called in a wrong way. Nothing was sent. */
export class UsageError extends Error {
  readonly code = 'usage';
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

/** The person pressed Ctrl-C, or the process was asked to end. */
export class Interrupted extends Error {
  readonly code = 'interrupted';
  constructor(
    message = 'Interrupted.',
    readonly outcome: Outcome = 'not_applied',
    readonly hint = 'Run the command again to go on.',
  ) {
    super(message);
  }
}

/** A command that ran and did not succeed. */
export class Failed extends Error {
  readonly outcome: Outcome;
  constructor(
    /** The failure, or the error that caused it. */
    cause: unknown,
    /** More fields of the JSON document. */
    readonly details: object,
    readonly exitCode: number = exitCodeOf(cause),
    /** What to do, if the command knows more than the error. */
    readonly hint?: string,
  ) {
    super(failureOf(cause).message, { cause });
    this.outcome = failureOf(cause).outcome;
  }
}

/** A failed command, as it is printed. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  /** Whether the last write happened. */
  readonly outcome: Outcome;
  /** What to do. */
  readonly hint: string;
}

/** Describes an error to the caller: a person or a script at a terminal, or an agent. */
export function failureOf(thrown: unknown, front: Front = TERMINAL): Failure {
  if (thrown instanceof Failed) {
    const failure = failureOf(thrown.cause, front);
    return thrown.hint === undefined ? failure : { ...failure, hint: thrown.hint };
  }
  const { code, message, hint, outcome }: Partial<Failure> = Object(thrown);
  const isOfClient = isMultilocalError(thrown);
  const advice = isOfClient && !(thrown instanceof PlanError) ? hintFor(thrown) : hint;
  const known = isOfClient && advice !== undefined ? say(advice, front) : advice;
  const said = message ?? String(thrown);
  return {
    code: typeof code === 'string' ? code : 'unexpected',
    message: isOfClient ? say(said, front) : said,
    outcome: outcome ?? 'not_applied',
    hint: known ?? REPORT,
  };
}

/** Returns the exit code for an error. */
export function exitCodeOf(thrown: unknown): number {
  if (thrown instanceof Failed) return thrown.exitCode;
  if (thrown instanceof UsageError) return EXIT.usage;
  if (thrown instanceof Interrupted) return EXIT.interrupted;
  if (!isMultilocalError(thrown)) return EXIT.failed;
  if (thrown.outcome === 'unknown') return EXIT.unresolved;
  if (thrown instanceof PlanError) return PLAN_EXITS[thrown.code] ?? EXIT.failed;
  if (thrown.code === 'configuration' || thrown.code === 'invalid_request') return EXIT.usage;
  if (DENIED.has(thrown.code)) return EXIT.denied;
  return isWorthAnotherTry(thrown) ? EXIT.retry : EXIT.failed;
}

/** A plan that cannot be read is a usage error. A plan with wrong actions is refused. */
const PLAN_EXITS: Readonly<Record<string, number>> = { plan_unreadable: EXIT.usage, journal_locked: EXIT.retry };

/** Codes of errors about the key, its permissions and its scope. */
export const DENIED: ReadonlySet<string> = new Set([
  'authentication',
  'permission_denied',
  'missing_permission',
  'bulle_out_of_scope',
  'fiche_out_of_scope',
]);

/** A certificate that is not trusted and a used-up monthly quota do not change soon. */
function isWorthAnotherTry(error: MultilocalError): boolean {
  const { status = 0 } = error as Partial<ApiError>;
  const mayPass = error.code === 'rate_limit' || (isOutage(error) && status !== 408);
  return mayPass && !isUntrusted(error.cause);
}

const REPORT = 'If this looks like a bug, report it with the command that shows it.';

/** What to do if a write may have happened. */
export const LOOK = 'Look in the service whether the write happened before you repeat the call.';

/** What to do about an error of the client, with the marks of {@link say}. The error's own message has the details. */
function hintFor(error: MultilocalError): string {
  if (error.outcome === 'unknown') return LOOK;
  return HINTS[error.code] ?? causeOf(error)?.advice ?? '`doctor` checks address, key and accounts.';
}

const PERMISSION = 'Use a key with this permission. `client.identity` shows what the key may do.';
const LOCATIONS = '`client.bulles.list()` lists the locations of the key.';
const LISTINGS = '`client.identity` lists the listings of the key.';

const HINTS: Readonly<Record<string, string>> = {
  configuration: 'Set MULTILOCAL_API_KEY and MULTILOCAL_BASE_URL, or see `--base-url` and `--key-file`.',
  not_found: `Check the ids. ${LOCATIONS}`,
  conflict: 'The state of the object does not allow this. Read it first.',
  unprocessable_entity: 'Correct the values. `operations` lists the parameters.',
  invalid_request: '`operations` lists the parameters.',
  authentication: 'Create a key in the account settings of the service, and set it as MULTILOCAL_API_KEY.',
  missing_permission: PERMISSION,
  permission_denied: PERMISSION,
  bulle_out_of_scope: LOCATIONS,
  bulle_not_found: LOCATIONS,
  missing_bulle_id: `Add \`bulle_id\`. ${LOCATIONS}`,
  fiche_out_of_scope: LISTINGS,
  missing_fiche_id: `Add \`fiche_id\`. ${LISTINGS}`,
  platform_not_connected: '`doctor` lists the accounts that are not connected.',
  rate_limit: 'Wait, then try again.',
  dry_run_not_honored:
    'The action has happened: look in the service. `rehearse` has noted it in the journal of the plan and never repeats it.',
  quota_exceeded: 'The quota of the month is used up. It is renewed next month.',
};
