import type { Colour, Output } from '../output.js';
import { plural } from '../words.js';
import type { Findings, Result } from './check.js';
import type { Sentence } from './facts.js';
import type { Honoured } from './file.js';
import type { Change } from './shape.js';

/** What `doctor --contract` prints as JSON. */
export interface ContractReport {
  /** Whether the service responds as this version expects, and as it did before. */
  readonly ok: boolean;
  readonly operations: readonly Omit<Result, 'shape'>[];
  readonly facts: Findings['facts'];
  /** The facts in words. */
  readonly sentences: readonly Sentence[];
  /** What changed since the earlier check of the same file. */
  readonly changes: readonly Change[];
  readonly dry_run?: Honoured;
  readonly requests: number;
}

const SIGNS: Readonly<Record<Result['status'], readonly [colour: Colour, sign: string]>> = {
  ok: ['green', '✔'],
  drift: ['red', '✖'],
  empty: ['dim', '○'],
  failed: ['red', '✖'],
  skipped: ['dim', '–'],
};

const STATUS = 'skipped'.length;
const OPERATION = 'seo.trackedKeywords.list'.length;
/** The column in which remarks begin. */
const INDENT = STATUS + OPERATION + 6;

/** Describes a check for people. */
export function describeContract(
  { operations, sentences, changes, dry_run = {}, requests }: ContractReport,
  output: Output,
): string {
  const bold = (text: string) => output.paint('bold', text);
  const list = (texts: readonly string[]) => texts.map((text) => `  ${output.wrap(text, 2)}`);
  const section = (title: string, texts: readonly string[]) =>
    texts.length > 0 ? ['', bold(title), ...list(texts)] : [];
  const probed = Object.entries(dry_run).map(([operation, found]) => `\`dry_run\` of ${operation} is ${found}.`);
  return [
    ...operations.flatMap((one) => linesOf(one, output)),
    ...section('What the specification leaves open', [
      ...sentences.map(({ text, contradicts }) => (contradicts ? output.paint('yellow', `▲ ${text}`) : text)),
      ...probed,
    ]),
    ...section('Changed since the earlier check', changes.map(printChange)),
    '',
    output.wrap(`${summary(operations, changes)} ${output.paint('dim', `(${plural(requests, 'request')})`)}`),
  ].join('\n');
}

/** A change as a line of text. */
export function printChange({ operation, path, before, now }: Change): string {
  return `${operation}${path === '' ? '' : ` ${path}`}: was ${before}, is ${now}`;
}

function linesOf(
  { operation, status, reason, drift = [], differences = [] }: ContractReport['operations'][number],
  output: Output,
) {
  const [colour, sign] = SIGNS[status];
  const head = `${output.paint(colour, `${sign} ${status.padEnd(STATUS)}`)}  ${operation.padEnd(OPERATION)}`;
  const remarks = [
    ...drift.map(({ path, expected }) => output.paint('red', `${path === '' ? 'the response' : path} ${expected}`)),
    ...differences.map(({ path, found }) => `${path} ${found}`),
  ];
  const [first = '', ...others] = reason === undefined ? remarks : [reason, ...remarks];
  const text = first === '' ? head.trimEnd() : `${head}  ${output.wrap(first, INDENT)}`;
  return [text, ...others.map((remark) => `${' '.repeat(INDENT)}${output.wrap(remark, INDENT)}`)];
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
