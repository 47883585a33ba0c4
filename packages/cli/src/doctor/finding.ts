// cspell:disable the sentences in French
import { type Both, inLocale, type Locale } from '@multilocal/plans/words';
import type { Failure } from '../failure.js';
import type { Colour, Output } from '../output.js';
import { counted, plural } from '../words.js';

/** What the doctor looks at, in the order of the report. A check that could not be made has no finding. */
type Check = 'node' | 'address' | 'proxy' | 'tls' | 'clock' | 'key' | 'scope' | 'permissions' | 'limits' | 'accounts';

/** One result of a check. A check may have several, such as one for each account. */
export interface Finding {
  readonly check: Check;
  /** `problem`: calls fail because of it. `warning`: some calls fail, or will fail later. */
  readonly status: 'ok' | 'warning' | 'problem';
  /** What was found: one or two sentences for people. The text may change between versions. */
  readonly found: Both;
  /** What to do. `null` if there is nothing to do. */
  readonly advice: Both | null;
}

const finding = (status: Finding['status']) => {
  return (check: Check, found: Both, advice: Both | null = null): Finding => ({ check, status, found, advice });
};
export const ok = finding('ok');
export const warning = finding('warning');
export const problem = finding('problem');

/** A finding in one language. */
type SaidFinding = Pick<Finding, 'check' | 'status'> & { readonly found: string; readonly advice: string | null };

/** Says findings in a language. */
export function saidIn(findings: readonly Finding[], locale: Locale): SaidFinding[] {
  return findings.map((one) => {
    const { found, advice } = one;
    return { ...one, found: inLocale(found, locale), advice: advice && inLocale(advice, locale) };
  });
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
  readonly findings: readonly SaidFinding[];
  /** Number of requests that were sent: 0 to 4. */
  readonly requests: number;
  /** The same error document as that of other commands. Only if `ok` is `false`. */
  readonly error?: Failure;
}

/** With `--strict`: there are warnings, and no problem. */
export class WarningsError extends Error {
  readonly code = 'warnings';
  readonly hint: string;
  constructor(count: number, locale: Locale) {
    const message = [
      `Address and key work, but there ${count === 1 ? 'is' : 'are'} ${plural(count, 'warning')}.`,
      `L’adresse et la clé marchent, mais il y a ${counted(count, 'avertissement')}.`,
    ] as const;
    super(inLocale(message, locale));
    this.hint = inLocale(FOLLOW, locale);
  }
}

const FOLLOW: Both = [
  'Follow the advice of each warning, or run `doctor` without `--strict`.',
  'Suivez le conseil de chaque avertissement, ou lancez `doctor` sans `--strict`.',
];

const SIGNS: Readonly<Record<Finding['status'], readonly [colour: Colour, sign: Both]>> = {
  ok: ['green', ['✔ ok     ', '✔ ok       ']],
  warning: ['yellow', ['▲ warning', '▲ attention']],
  problem: ['red', ['✖ problem', '✖ problème ']],
};

/** Describes a report for people. */
export function describe({ ok, findings, requests }: Report, output: Output): string {
  const width = 'permissions'.length;
  const rows = findings.map(({ check, status, found, advice }) => {
    const [colour, sign] = SIGNS[status];
    const head = `${output.paint(colour, output.in(sign))}  ${output.paint('dim', check.padEnd(width))}`;
    const more = advice === null ? [] : [output.paint('cyan', `→ ${advice}`)];
    return output.row(head, [found, ...more], width + output.in(SIGNS.ok[1]).length + 4);
  });
  const count = output.paint('dim', `(${output.in([plural(requests, 'request'), counted(requests, 'requête')])})`);
  return [...rows, '', output.wrap(`${output.in(summary(ok, findings))} ${count}`)].join('\n');
}

function summary(isOk: boolean, findings: readonly SaidFinding[]): Both {
  const number = (status: Finding['status']) => findings.filter((one) => one.status === status).length;
  const [problems, warnings] = [number('problem'), number('warning')];
  if (problems > 0) {
    const isKeyRight = findings.some(({ check, status }) => check === 'key' && status === 'ok');
    const unchecked: Both = isKeyRight
      ? ['', '']
      : [' What depends on it was not checked.', ' Ce qui en dépend n’a pas été vérifié.'];
    const [it, les] = problems === 1 ? ['it', 'le'] : ['them', 'les'];
    return [
      `${plural(problems, 'problem')} found. Fix ${it} and run doctor again.${unchecked[0]}`,
      `${counted(problems, 'problème')} : réglez-${les}, puis relancez doctor.${unchecked[1]}`,
    ];
  }
  if (warnings === 0) return ['Everything works.', 'Tout marche.'];
  return [
    `Address and key work, with ${plural(warnings, 'warning')}.${isOk ? '' : ' With `--strict`, this is a failure.'}`,
    `L’adresse et la clé marchent, avec ${counted(warnings, 'avertissement')}.${isOk ? '' : ' Avec `--strict`, c’est un échec.'}`,
  ];
}
