import type { Outcome } from 'multilocal';
import { PlanError } from 'multilocal/internal/errors';
import type { PlanProblem, PlanRun, Rehearsal, RehearsedAction } from 'multilocal/plans';
import { DENIED, EXIT, Failed } from './failure.js';
import type { Output } from './output.js';
import { reportToGithub } from './plan/github.js';
import { reportToGitlab } from './plan/gitlab.js';
import { PeopleReport } from './plan/people.js';
import { type PlacedProblem, printProblem } from './plan/problem.js';
import { plural } from './words.js';

/** How a rehearsal is reported. */
interface Settings {
  readonly isForGitLab: boolean;
  /** Whether warnings fail too. */
  readonly isStrict: boolean | undefined;
}

/** Everything that `rehearse` says: to people while it works, and to scripts, GitHub and GitLab at its end. */
export class RehearsalReport extends PeopleReport {
  readonly #settings: Settings;

  constructor(output: Output, file: string, settings: Settings) {
    super(output, file);
    this.#settings = settings;
  }

  /**
   * Whether a plan may be carried out. `again`: even if the service already has some of its posts. `keepGoing`: without the
   * actions that are refused.
   */
  isPassed(rehearsal: Rehearsal, { again, keepGoing }: { again: boolean; keepGoing: boolean }): boolean {
    const isNew = again || warningsOf(rehearsal).every(({ code }) => code !== 'twin');
    return (keepGoing || (rehearsal.ok && isNew)) && !this.#isStrictly(rehearsal);
  }

  #isStrictly(rehearsal: Rehearsal): boolean {
    return this.#settings.isStrict === true && warningsOf(rehearsal).length > 0;
  }

  /** Ends a rehearsal, or a run whose rehearsal found a problem. `isRun`: the run does not follow. */
  async finish(rehearsal: Rehearsal, isRun = false): Promise<number> {
    const { ok, actions, requests, hash, prune, warnings } = rehearsal;
    this.whole(rehearsal);
    if (!ok || isRun || this.#isStrictly(rehearsal)) return this.refuse(rehearsal);
    await this.annotate([], rehearsal);
    const verdicts = actions.map(this.verdict);
    const document = { plan: this.file, ok, hash, requests, warnings, actions: verdicts, prune };
    this.output.data(document, `\n${count(actions)} Nothing was executed.\nhash ${hash}`);
    return EXIT.done;
  }

  /** Fails because of the problems of a plan, or of its warnings. Without a rehearsal: because of those of the file. */
  async refuse(rehearsal: Rehearsal | undefined): Promise<never> {
    const { actions = [], prune = [], warnings = [], hash, requests }: Partial<Rehearsal> = rehearsal ?? {};
    const given = this.plan?.problems ?? [];
    const verdicts = actions.map(this.verdict);
    const pruned = prune.flatMap((one) => this.placed(one.problems));
    const problems = [...given, ...verdicts.flatMap((verdict) => verdict.problems), ...pruned];
    const warned = [...this.placed(warnings), ...verdicts.flatMap((verdict) => verdict.warnings)];
    const found = problems.length > 0 ? problems : warned;
    await this.annotate(given, rehearsal);
    // People have seen the problems in the table.
    const untold = this.output.isJson || verdicts.length === 0 ? found : [];
    const sentence = `The plan has ${plural(found.length, problems.length > 0 ? 'problem' : 'warning')}.`;
    const message = [sentence, ...untold.map((problem) => printProblem(this.file, problem))].join('\n');
    const hint = found.some(({ code }) => code === 'twin') ? AGAIN : 'Correct the plan. Nothing of it was carried out.';
    const details = { plan: this.file, ok: false, hash, requests, actions: verdicts, problems: found };
    const exit = found.some(({ code }) => DENIED.has(code)) ? EXIT.denied : EXIT.failed;
    throw new Failed(new PlanError('plan_invalid', message, hint), details, exit);
  }

  /** Shows problems and warnings beside the lines of the plan, where CI can do that. */
  async annotate(given: readonly PlacedProblem[], rehearsal: Partial<Rehearsal> = {}): Promise<void> {
    const { actions = [], prune = [], warnings = [] } = rehearsal;
    const verdicts = actions.map(this.verdict);
    const pruned = prune.flatMap((one) => this.placed(one.problems));
    // Cleaned before Markdown hides the key behind its own signs.
    const findings = this.output.clean({
      problems: [...given, ...verdicts.flatMap((verdict) => verdict.problems), ...pruned],
      warnings: [...this.placed(warnings), ...verdicts.flatMap((verdict) => verdict.warnings)],
    });
    if (process.env.GITHUB_ACTIONS === 'true')
      await reportToGithub(this.output, this.file, findings, this.output.clean(verdicts));
    if (this.#settings.isForGitLab) await reportToGitlab(this.file, findings);
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
      actions: actions.map(this.verdict),
      steps: run.steps.map(({ index, key, operation, outcome, ids = [], problem, warning }) => {
        return { action: index, key, operation, outcome, ids, problem: said(problem), warning: said(warning) };
      }),
      applied: indexes('applied'),
      unresolved: indexes('unknown'),
      left: indexes('not_applied'),
    };
  }

  /** Ends a run in which every action has happened. */
  done(details: ReturnType<RehearsalReport['resultOf']>): number {
    const warnings = details.steps.filter(({ warning }) => warning !== undefined).length;
    const doubt = warnings > 0 ? ` ${plural(warnings, 'action')} ${warnings === 1 ? 'has' : 'have'} a warning.` : '';
    this.output.data(details, `\nThe plan is carried out: ${details.steps.length} done, nothing left.${doubt}`);
    return EXIT.done;
  }

  /** Says what a run did that did not reach its end. */
  sentence({ steps }: Pick<PlanRun, 'steps'>): string {
    const done = steps.filter(({ outcome }) => outcome === 'applied').length;
    const open = steps.filter(({ outcome }) => outcome === 'unknown').length;
    const unknown = open > 0 ? `, ${open} may have happened` : '';
    return `Done: ${done} of ${plural(steps.length, 'action')}${unknown}. Left: ${steps.length - done - open}.`;
  }
}

const AGAIN = 'Nothing of the plan was carried out. If the posts are to appear again, pass `--again`.';

function warningsOf({ warnings, actions }: Rehearsal) {
  return [...warnings, ...actions.flatMap((action) => action.warnings)];
}

const COUNTED = { ready: 'ready', changed: 'changed', unpreviewed: 'without a preview', done: 'done before' } as const;

/** `3 actions: 2 ready, 1 done before.` */
function count(actions: readonly RehearsedAction[]): string {
  const parts = Object.entries(COUNTED).flatMap(([state, words]) => {
    const number = actions.filter((action) => action.state === state).length;
    return number > 0 ? `${number} ${words}` : [];
  });
  return `${plural(actions.length, 'action')}: ${parts.join(', ') || 'none'}.`;
}
