import { type Both, inLocale, type Locale } from '@multilocal/plans/words';
import type { ApiError, MultilocalError, Outcome } from 'multilocal';
import { isMultilocalError, PlanError } from 'multilocal/internal/errors';
import { isUntrusted } from 'multilocal/internal/network';
import { isOutage } from 'multilocal/internal/retry';
import { causeOf } from './causes.js';
import { ERRORS, HINT, HINTS, INTERRUPTED } from './errors-said.js';
import { type Front, say, TERMINAL } from './front.js';

/** Exit codes of every command. `unresolved`: a write may have happened, and a person must look. */
export const EXIT = { done: 0, failed: 1, usage: 2, retry: 3, denied: 4, unresolved: 5, interrupted: 130 } as const;

/** A command that was called in a wrong way. Nothing was sent. */
export class UsageError extends Error {
  readonly code = 'usage';
  /** `said` and `advice` are in both languages where the command speaks both. */
  constructor(
    readonly said: string | Both,
    readonly advice: string | Both,
  ) {
    super(textIn(said, 'en'));
  }
}

function textIn(text: string | Both, locale: Locale): string {
  return typeof text === 'string' ? text : inLocale(text, locale);
}

/** The person pressed Ctrl-C, or the process was asked to end. */
export class Interrupted extends Error {
  readonly code = 'interrupted';
  constructor(
    readonly said: string | Both = INTERRUPTED.said,
    readonly outcome: Outcome = 'not_applied',
    readonly advice: string | Both = INTERRUPTED.again,
  ) {
    super(textIn(said, 'en'));
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
    readonly hint?: string | Both,
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
export function failureOf(thrown: unknown, front: Front = TERMINAL, locale: Locale = 'en'): Failure {
  if (thrown instanceof Failed) {
    const failure = failureOf(thrown.cause, front, locale);
    return thrown.hint === undefined ? failure : { ...failure, hint: textIn(thrown.hint, locale) };
  }
  if (isSaid(thrown)) {
    const { code, said, advice, outcome = 'not_applied' } = thrown;
    return { code, message: textIn(said, locale), outcome, hint: textIn(advice, locale) };
  }
  const { code, message, hint, outcome }: Partial<Failure> = Object(thrown);
  const isOfClient = isMultilocalError(thrown);
  const own = thrown instanceof PlanError ? (locale === 'fr' && HINTS[thrown.code]?.[1]) || hint : hint;
  const advice = isOfClient && !(thrown instanceof PlanError) ? inLocale(hintFor(thrown), locale) : own;
  const known = isOfClient && advice !== undefined ? say(advice, front) : advice;
  const said = message ?? String(thrown);
  // The message of an error is English, and has the details.
  const first = locale === 'fr' && isOfClient ? ERRORS[thrown.code] : undefined;
  return {
    code: typeof code === 'string' ? code : 'unexpected',
    message: [...(first ? [first] : []), isOfClient ? say(said, front) : said].join('\n'),
    outcome: outcome ?? 'not_applied',
    hint: known ?? inLocale(HINT.report, locale),
  };
}

/** A failure of the command itself. It has its message and its hint in both languages where the command speaks both. */
interface Said extends Pick<UsageError, 'said' | 'advice'> {
  readonly code: string;
  readonly outcome?: Outcome;
}

function isSaid(thrown: unknown): thrown is Said {
  return typeof thrown === 'object' && thrown !== null && 'said' in thrown && 'advice' in thrown;
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

/** What to do about an error of the client, with the marks of {@link say}. The error's own message has the details. */
function hintFor(error: MultilocalError): Both {
  if (error.outcome === 'unknown') return HINT.look;
  return HINTS[error.operation ?? ''] ?? HINTS[error.code] ?? causeOf(error)?.advice ?? HINT.doctor;
}
