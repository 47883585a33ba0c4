import type { Failure } from '../failure.js';
import type { Colour, Output } from '../output.js';
import { plural } from '../words.js';

/** What the doctor looks at, in the order of the report. A check that could not be made has no finding. */
type Check = 'node' | 'address' | 'proxy' | 'tls' | 'clock' | 'key' | 'scope' | 'permissions' | 'limits' | 'accounts';

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

const finding = (status: Finding['status']) => {
  return (check: Check, found: string, advice: string | null = null): Finding => ({ check, status, found, advice });
};
export const ok = finding('ok');
export const warning = finding('warning');
export const problem = finding('problem');

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

const SIGNS: Readonly<Record<Finding['status'], readonly [colour: Colour, sign: string]>> = {
  ok: ['green', '✔ ok     '],
  warning: ['yellow', '▲ warning'],
  problem: ['red', '✖ problem'],
};

/** Describes a report for people. */
export function describe({ ok, findings, requests }: Report, output: Output): string {
  const width = 'permissions'.length;
  const rows = findings.map(({ check, status, found, advice }) => {
    const head = `${output.paint(...SIGNS[status])}  ${output.paint('dim', check.padEnd(width))}`;
    const more = advice === null ? [] : [output.paint('cyan', `→ ${advice}`)];
    return output.row(head, [found, ...more], width + 13);
  });
  const count = output.paint('dim', `(${plural(requests, 'request')})`);
  return [...rows, '', output.wrap(`${summary(ok, findings)} ${count}`)].join('\n');
}

function summary(isOk: boolean, findings: readonly Finding[]): string {
  const number = (status: Finding['status']) => findings.filter((one) => one.status === status).length;
  const [problems, warnings] = [number('problem'), number('warning')];
  if (problems > 0) {
    const isKeyRight = findings.some(({ check, status }) => check === 'key' && status === 'ok');
    const unchecked = isKeyRight ? '' : ' What depends on it was not checked.';
    return `${plural(problems, 'problem')} found. Fix ${problems === 1 ? 'it' : 'them'} and run doctor again.${unchecked}`;
  }
  if (warnings === 0) return 'Everything works.';
  return `Address and key work, with ${plural(warnings, 'warning')}.${isOk ? '' : ' With `--strict`, this is a failure.'}`;
}
