import type { Colour, Output } from '../output.js';
import { plural } from '../words.js';
import type { Finding, Report } from './finding.js';

const SIGNS: Readonly<Record<Finding['status'], readonly [colour: Colour, sign: string]>> = {
  ok: ['green', '✔'],
  warning: ['yellow', '▲'],
  problem: ['red', '✖'],
};

/** Columns of the status and of the name of the check. */
const STATUS = 'warning'.length;
const CHECK = 'permissions'.length;
/** The column in which the texts begin. */
const INDENT = STATUS + CHECK + 6;

/** Describes a report for people. */
export function describe({ ok, findings, requests }: Report, output: Output): string {
  const lines = findings.flatMap((finding) => lineOf(finding, output));
  return [
    ...lines,
    '',
    output.wrap(`${summary(ok, findings)} ${output.paint('dim', `(${plural(requests, 'request')})`)}`),
  ].join('\n');
}

function lineOf({ check, status, found, advice }: Finding, output: Output): string[] {
  const [colour, sign] = SIGNS[status];
  const head = `${output.paint(colour, `${sign} ${status.padEnd(STATUS)}`)}  ${output.paint('dim', check.padEnd(CHECK))}`;
  const text = `${head}  ${output.wrap(found, INDENT)}`;
  return advice === null
    ? [text]
    : [text, `${' '.repeat(INDENT)}${output.wrap(output.paint('cyan', `→ ${advice}`), INDENT)}`];
}

function summary(isOk: boolean, findings: readonly Finding[]): string {
  const number = (status: Finding['status']) => findings.filter((one) => one.status === status).length;
  const problems = number('problem');
  const warnings = number('warning');
  if (problems > 0) {
    const sent = findings.some(({ check, status }) => check === 'key' && status === 'ok')
      ? ''
      : ' What depends on it was not checked.';
    return `${plural(problems, 'problem')} found. Fix ${problems === 1 ? 'it' : 'them'} and run doctor again.${sent}`;
  }
  if (warnings === 0) return 'Everything works.';
  return `Address and key work, with ${plural(warnings, 'warning')}.${isOk ? '' : ' With `--strict`, this is a failure.'}`;
}
