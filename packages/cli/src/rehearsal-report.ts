import { withoutContacts } from '@multilocal/plans/inside';
import type { Both, Locale } from '@multilocal/plans/words';
import type { Outcome } from 'multilocal';
import { endpoints } from 'multilocal/internal/endpoints';
import { PlanError } from 'multilocal/internal/errors';
import type { PlanLeftOver, PlanProblem, PlanRun, Rehearsal, RehearsedAction } from 'multilocal/plans';
import { DENIED, EXIT, Failed, failureOf } from './failure.js';
import { say, TERMINAL } from './front.js';
import { maskContacts } from './mask.js';
import type { Output } from './output.js';
import { jobSummary } from './plan/github.js';
import { PeopleReport } from './plan/people.js';
import type { Findings } from './plan/placed-action.js';
import { messageIn, type PlacedProblem, printProblems } from './plan/problem.js';
import type { Reports } from './plan/reports.js';
import { WORDING } from './wording.js';

/** Everything that `rehearse` says: to people while it works, and to scripts, GitHub and GitLab at its end. */
export class RehearsalReport extends PeopleReport {
  readonly #reports: Reports;

  constructor(output: Output, file: string, reports: Reports, looks: PeopleReport['looks']) {
    super(output, file, looks);
    this.#reports = reports;
  }

  /** Whether a plan may be carried out. */
  isPassed(rehearsal: Rehearsal): boolean {
    return rehearsal.ok && !(this.looks.isStrict && this.#findingsOf(rehearsal).warnings.length > 0);
  }

  /** Ends a rehearsal that passes. */
  async finish(rehearsal: Rehearsal): Promise<number> {
    const { ok, actions, requests, hash, leftOvers, warnings } = rehearsal;
    await this.annotate([], rehearsal);
    const document = {
      plan: this.file,
      ok,
      hash,
      requests,
      warnings,
      actions: actions.map(this.withPlace),
      leftOvers: shown(leftOvers, this.locale),
    };
    this.output.data(document, this.say(WORDING.nothingExecuted(count(actions), hash)));
    return EXIT.done;
  }

  /** Fails because of the problems of a plan, or of its warnings. Without a rehearsal: because of those of the file. */
  async refuse(rehearsal: Rehearsal | undefined): Promise<never> {
    const { actions = [], leftOvers = [], warnings = [], hash, requests }: Partial<Rehearsal> = rehearsal ?? {};
    const given = (this.plan?.problems ?? []).map((one) => ({ ...one, message: messageIn(one, this.locale) }));
    const { problems: own, warnings: warned } = this.#findingsOf(rehearsal);
    const problems = [...given, ...own];
    const found = problems.length > 0 ? problems : warned;
    await this.annotate(given, rehearsal);
    const sentence = this.say(WORDING.planHas(found.length, problems.length === 0));
    const message = [sentence, ...printProblems(this.file, found)].join('\n');
    const open = found.filter(({ code }) => OPEN.has(code));
    const isOpen = open.length > 0;
    const unresolved = open.flatMap(({ action = [] }) => action);
    const hint = this.say(WORDING.hints[isOpen ? 'steps' : hintFor(found, actions)]);
    const more = { warnings, leftOvers: shown(leftOvers, this.locale), problems: found, unresolved };
    const details = { plan: this.file, ok: false, hash, requests, actions: actions.map(this.withPlace), ...more };
    const exit = isOpen ? EXIT.unresolved : found.some(({ code }) => DENIED.has(code)) ? EXIT.denied : EXIT.failed;
    throw new Failed(endedWith(isOpen, message, hint), details, exit, hint);
  }

  /** What a rehearsal has found, with its places. The problem of a left-over is none of the warnings. */
  #findingsOf({ actions = [], leftOvers = [], warnings = [] }: Partial<Rehearsal> = {}): Findings {
    const left = leftOvers.flatMap(({ problems }) => problems);
    const placed = actions.map(this.withPlace);
    const whole = warnings.filter((warning) => !left.includes(warning));
    return {
      problems: [...placed.flatMap((action) => action.problems), ...this.placed(left)],
      warnings: [...this.placed(whole), ...placed.flatMap((action) => action.warnings)],
    };
  }

  /** What a run has found that its rehearsal had not. */
  #newsOf({ steps, warnings, leftOvers }: PlanRun, isNew: (problem: PlanProblem) => boolean): Findings {
    const left = [...steps.flatMap(({ problem }) => problem ?? []), ...leftOvers.flatMap(({ problems }) => problems)];
    const warned = [...warnings, ...steps.flatMap(({ warning }) => warning ?? [])];
    return { problems: this.placed(left).filter(isNew), warnings: this.placed(warned).filter(isNew) };
  }

  /** Shows problems and warnings beside the lines of the plan, where CI can do that. */
  async annotate(given: readonly PlacedProblem[], rehearsal: Partial<Rehearsal> = {}): Promise<void> {
    const { problems, warnings } = this.#findingsOf(rehearsal);
    // Cleaned before Markdown hides the key behind its own signs.
    const findings = this.output.clean({ problems: [...given, ...problems], warnings });
    const actions = this.output.clean((rehearsal.actions ?? []).map(this.withPlace));
    const isRefused = findings.problems.length > 0 || (this.looks.isStrict && warnings.length > 0);
    const hash = isRefused ? undefined : rehearsal.hash;
    const leftOvers = this.output.clean(shown(rehearsal.leftOvers ?? [], this.locale));
    await this.#reports.show(findings, jobSummary(this.file, findings, { actions, leftOvers, hash }, this.locale));
  }

  /** Tells CI why a command ended that had nothing else to tell. */
  async failed(thrown: unknown): Promise<void> {
    const { code, message, hint } = this.output.clean(failureOf(thrown, TERMINAL, this.locale));
    await this.annotate([{ line: 1, column: 1, code, path: [], message: `${message}\n${hint}` }]);
  }

  /** Tells what a run found that its rehearsal had not: to people, and where CI shows it. */
  async ran(rehearsal: Rehearsal, run: PlanRun): Promise<void> {
    const { problems, warnings } = this.#findingsOf(rehearsal);
    // A run spends no request on the names of locations.
    const bare = (one: PlanProblem) =>
      messageIn({ ...one, values: one.values && { ...one.values, place: undefined } }, 'en');
    const known = new Set([...problems, ...warnings].map(bare));
    const isNew = (problem: PlanProblem) => !known.has(bare(problem));
    const found = this.output.clean(this.#newsOf(run, isNew));
    const leftOvers = run.leftOvers.filter(({ problems }) => problems.length > 0);
    this.news({ warnings: run.warnings.filter(isNew), leftOvers });
    const isQuiet = found.problems.length + found.warnings.length === 0;
    const rows = isQuiet ? '' : `${jobSummary(this.file, found, { actions: [] }, this.locale)}\n`;
    await this.#reports.show(found, `${rows}${this.sentence(run)}\n`);
  }

  /** Returns the JSON document of a run. */
  resultOf({ actions, hash, requests }: Rehearsal, run: PlanRun) {
    const indexes = (wanted: Outcome) => run.steps.flatMap(({ outcome, index }) => (outcome === wanted ? index : []));
    const said = (one: PlanProblem | undefined) => one && this.placed([one])[0];
    return {
      plan: this.file,
      ok: run.state === 'done',
      state: run.state,
      hash,
      requests: requests + run.requests,
      warnings: this.placed(run.warnings),
      actions: actions.map(this.withPlace),
      leftOvers: shown(run.leftOvers, this.locale),
      steps: run.steps.map(({ index, key, operation, outcome, ids = [], result, problem, warning }) => {
        const step = { action: index, key, operation, outcome, ids, problem: said(problem), warning: said(warning) };
        const isShown = result !== undefined && !isConfidential(operation);
        return isShown ? { ...step, result: maskContacts(result, withoutContacts) } : step;
      }),
      applied: indexes('applied'),
      unresolved: indexes('unknown'),
      left: indexes('not_applied'),
    };
  }

  /** Ends a run in which every action has happened. */
  done(details: ReturnType<RehearsalReport['resultOf']>): number {
    const warnings = details.steps.filter(({ warning }) => warning !== undefined).length;
    this.output.data(details, this.say(WORDING.carriedOut(details.steps.length, warnings)));
    return EXIT.done;
  }

  /** The same with its problems, once more and with their places. */
  reasons(run: Pick<PlanRun, 'steps' | 'leftOvers'>): string {
    const found = [...run.steps, ...run.leftOvers.flatMap(({ problems }) => problems.map((problem) => ({ problem })))];
    return [
      this.sentence(run),
      ...printProblems(this.file, this.placed(found.flatMap(({ problem }) => problem ?? []))),
    ].join('\n');
  }

  /** Says what a run did that did not reach its end. */
  sentence({ steps, leftOvers }: Pick<PlanRun, 'steps' | 'leftOvers'>): string {
    const applied = steps.filter(({ outcome }) => outcome === 'applied');
    const failed = applied.filter(({ problem }) => problem).length;
    const open = steps.filter(({ outcome }) => outcome === 'unknown').length;
    const over = leftOvers.filter(({ problems }) => problems.length > 0).length;
    const done = applied.length - failed;
    const left = steps.length - applied.length - open;
    return this.say(WORDING.ran({ done, of: steps.length, failed, open, over, left }));
  }
}

/** The error of a plan that was not carried out. `isOpen`: something of it may have happened. */
export function endedWith(isOpen: boolean, message: string, hint: string): PlanError {
  return new PlanError(isOpen ? 'plan_unresolved' : 'plan_invalid', message, hint, isOpen ? 'unknown' : 'not_applied');
}

/** Problems of what may have happened. */
const OPEN: ReadonlySet<string> = new Set(['plan_unresolved', 'unknown_outcome']);

/** Problems of accounts, which a correction of the plan does not solve. */
const OF_ACCOUNTS: ReadonlySet<string> = new Set(['not_connected', 'needs_reconnect', 'platform_not_connected']);

/** What to do about problems. */
function hintFor(
  found: readonly Pick<PlanProblem, 'code' | 'values'>[],
  actions: readonly RehearsedAction[],
): keyof typeof WORDING.hints {
  const codes = new Set(found.map(({ code }) => code));
  const isLeft = ({ code, values: { is } = {} }: (typeof found)[number]) => code === 'left_over' && is === undefined;
  if (found.some(isLeft) || codes.has('mass_deletion')) return 'leftOver';
  const hasOthers = actions.some(({ problems, state }) => problems.length === 0 && state !== 'done');
  const isOfAccounts = [...codes].some((code) => OF_ACCOUNTS.has(code));
  if (hasOthers && isOfAccounts) return 'accounts';
  if (codes.has('failed')) return 'retry';
  return codes.has('twin') || codes.has('may_be_online') ? 'again' : 'solve';
}

/** Left-overs in the words of the command line. Their posts stand in the summary. */
function shown(leftOvers: readonly PlanLeftOver[], locale: Locale) {
  return leftOvers.map(({ posts: _, summary, problems, ...one }) => {
    const said = problems.map((problem) => ({ ...problem, message: messageIn(problem, locale) }));
    return { ...one, summary: say(summary), problems: said };
  });
}

/** `3 actions: 2 ready, 1 done before.` */
function count(actions: readonly RehearsedAction[]): Both {
  const states = { ready: 0, changed: 0, unpreviewed: 0, refused: 0, failed: 0, done: 0 };
  for (const { state } of actions) states[state]++;
  return WORDING.counted(actions.length, states);
}

/** Whether it asks customers: a response may name them in any spelling. */
function isConfidential(operation: string): boolean {
  return endpoints.some((one) => one.operation === operation && one.confidential !== undefined);
}
