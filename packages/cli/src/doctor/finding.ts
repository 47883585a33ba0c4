import type { Failure } from '../failure.js';
import { plural } from '../words.js';

/** What the doctor looks at, in the order of the report. A check that could not be made has no finding. */
export type Check =
  | 'node'
  | 'address'
  | 'proxy'
  | 'tls'
  | 'clock'
  | 'key'
  | 'scope'
  | 'permissions'
  | 'limits'
  | 'accounts';

/** One result of a check. A check may have several, such as one for each account. */
export interface Finding {
  readonly check: Check;
  /** `problem`: calls fail because of it. `warning`: some calls fail, or will fail later. */
  readonly status: 'ok' | 'warning' | 'problem';
  /** What was found: one or two sentences for people. The text may change between versions. */
  readonly found: string;
  /** What to do. `null` if there is nothing to do. */
  readonly advice: string | null;
}

/**
 * What `doctor` prints as JSON.
 * @example
 * { "ok": true, "findings": [{ "check": "key", "status": "ok", "found": "…", "advice": null }], "requests": 4 }
 */
export interface Report {
  /** Whether no finding is a `problem`, and with `--strict` no finding is a `warning`. The exit code is then 0. */
  readonly ok: boolean;
  /** At least one finding for each check that was made. */
  readonly findings: readonly Finding[];
  /** Number of requests that were sent: 0 to 4. */
  readonly requests: number;
  /** The same error document as that of other commands. Only if `ok` is `false`. */
  readonly error?: Failure;
}

/** With `--strict`: there are warnings, and no problem. */
export class WarningsError extends Error {
  readonly code = 'warnings';
  readonly hint = 'Follow the advice of each warning, or run `doctor` without `--strict`.';
  constructor(count: number) {
    super(`Address and key work, but there ${count === 1 ? 'is' : 'are'} ${plural(count, 'warning')}.`);
  }
}

export function ok(check: Check, found: string, advice: string | null = null): Finding {
  return { check, status: 'ok', found, advice };
}

export function warning(check: Check, found: string, advice: string): Finding {
  return { check, status: 'warning', found, advice };
}

export function problem(check: Check, found: string, advice: string): Finding {
  return { check, status: 'problem', found, advice };
}
