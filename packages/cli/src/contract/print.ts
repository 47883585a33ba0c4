import type { Colour, Output } from '../output.js';
import { plural } from '../words.js';
import type { ContractCheck, Result } from './check.js';
import type { Sentence } from './facts.js';
import type { Honoured } from './file.js';
import type { Change } from './shape.js';

/** What `doctor --contract` prints as JSON. */
export interface ContractReport {
  /** Whether the service responds as this version expects, and as it did before. */
  readonly ok: boolean;
  readonly operations: readonly Omit<Result, 'shape'>[];
  readonly facts: ContractCheck['facts'];
  /** The facts in words. */
  readonly sentences: readonly Sentence[];
  /** What changed since the earlier check of the same file. */
  readonly changes: readonly Change[];
  readonly dry_run?: Honoured;
  readonly requests: number;
}

const SIGNS: Readonly<Record<Result['status'], readonly [colour: Colour, sign: string]>> = {
  ok: ['green', '✔ ok     '],
  drift: ['red', '✖ drift  '],
  empty: ['dim', '○ empty  '],
  failed: ['red', '✖ failed '],
  skipped: ['dim', '– skipped'],
};

/** Describes a check for people. */
export function describeContract(report: ContractReport, output: Output): string {
  const { operations, sentences, changes, dry_run = {}, requests } = report;
  const section = (title: string, texts: readonly string[]) =>
    texts.length > 0 ? ['', output.paint('bold', title), ...texts.map((text) => `  ${output.wrap(text, 2)}`)] : [];
  const width = 'seo.trackedKeywords.list'.length;
  const rows = operations.map(({ operation, status, reason, drift = [], differences = [] }) => {
    const remarks = [
      ...(reason === undefined ? [] : [reason]),
      ...drift.map(({ path, expected }) => output.paint('red', `${path || 'the response'} ${expected}`)),
      ...differences.map(({ path, found }) => `${path} ${found}`),
    ];
    return output.row(`${output.paint(...SIGNS[status])}  ${operation.padEnd(width)}`, remarks, width + 13);
  });
  const probed = Object.entries(dry_run).map(([operation, found]) => `\`dry_run\` of ${operation} is ${found}.`);
  const said = sentences.map(({ text, contradicts }) => (contradicts ? output.paint('yellow', `▲ ${text}`) : text));
  const count = output.paint('dim', `(${plural(requests, 'request')})`);
  return [
    ...rows,
    ...section('What the specification leaves open', [...said, ...probed]),
    ...section('Changed since the earlier check', changes.map(printChange)),
    '',
    output.wrap(`${summary(operations, changes)} ${count}`),
  ].join('\n');
}

/** A change as a line of text. */
export function printChange({ operation, path, before, now }: Change): string {
  return `${operation}${path === '' ? '' : ` ${path}`}: was ${before}, is ${now}`;
}

function summary(operations: ContractReport['operations'], changes: readonly Change[]): string {
  const count = (status: Result['status']) => operations.filter((one) => one.status === status).length;
  const [drifts, failures] = [count('drift'), count('failed')];
  const sentences = [
    drifts > 0 &&
      `${plural(drifts, 'read')} of the service ${drifts === 1 ? 'is' : 'are'} not as this version expects.`,
    failures > 0 && `${plural(failures, 'read')} failed.`,
    changes.length > 0 && `${plural(changes.length, 'change')} since the earlier check.`,
  ].filter(Boolean);
  return sentences.length > 0 ? sentences.join(' ') : 'The service responds as this version expects.';
}
