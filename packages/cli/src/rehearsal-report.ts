import { appendFile } from 'node:fs/promises';
import type { PlanCost } from '@multilocal/plans/cost';
import { codeOf, replaceFile } from '@multilocal/stores/files';
import type { Client, Outcome } from 'multilocal';
import { PlanError } from 'multilocal/internal/errors';
import type {
  PlanJournal,
  PlanProblem,
  PlanRun,
  PlanStep,
  Rehearsal,
  RehearsedAction,
  RehearseOptions,
} from 'multilocal/plans';
import { ask } from './ask.js';
import { DENIED, EXIT, Failed } from './failure.js';
import { say } from './front.js';
import type { Colour, Output } from './output.js';
import { GITLAB_REPORT, githubAnnotations, gitlabReport, jobSummary, type Verdict } from './plan/annotate.js';
import type { PlanFile } from './plan/plan-file.js';
import { type PlacedProblem, printProblem } from './plan/problem.js';
import { duration, PlanBar } from './plan/progress.js';
import { plural } from './words.js';

const MARKS = { ready: '✓', changed: '~', unpreviewed: '•', refused: '✗', done: '✓' } as const;
const COLOURS = { ready: 'green', changed: 'yellow', unpreviewed: 'cyan', refused: 'red', done: 'dim' } as const;

/** How a rehearsal is reported. */
interface Settings {
  readonly isForGitLab: boolean;
  /** Whether warnings fail too. */
  readonly isStrict: boolean | undefined;
}

/** Everything that `rehearse` says: to people, to scripts, to GitHub and to GitLab. */
export class RehearsalReport {
  readonly #output: Output;
  readonly #file: string;
  readonly #settings: Settings;
  #plan: PlanFile | undefined;
  #bar: PlanBar | undefined;
  /** Whether a request that may change something is on its way. */
  #isBusy = false;
  /** Widths of the columns `line` and `operation`. */
  #widths: readonly [number, number] = [0, 0];

  constructor(output: Output, file: string, settings: Settings) {
    this.#output = output;
    this.#file = file;
    this.#settings = settings;
  }

  /** Gets the plan, whose lines are shown. */
  open(plan: PlanFile): void {
    this.#plan = plan;
  }

  /** Says what the plan costs before anything of it is sent. */
  async cost(client: Client, { rehearsal, run }: PlanCost, isRun: boolean): Promise<void> {
    const { minute, day } = await client.budget();
    const requests = rehearsal + (isRun ? run : 0);
    if (!Number.isFinite(day.limit) || requests === 0) return;
    // The limits of a minute let the rest through one window after the other.
    const minutes = Math.ceil(Math.max(0, requests - minute.left) / minute.limit);
    const time = minutes === 0 ? 'less than a minute' : `about ${plural(minutes, 'minute')}`;
    const more = requests > day.left ? ` Only ${day.left} are left: the rest waits for the next day.` : '';
    this.#output.note(`The plan needs ${requests} of ${day.limit} requests of the day, ${time}.${more}`);
  }

  /** The options of a rehearsal or a run, with what shows its progress. */
  listening(options: { readonly journal: PlanJournal; readonly signal: AbortSignal }) {
    const total = this.#plan?.plan.actions.length ?? 0;
    this.#bar = new PlanBar(this.#output, total);
    options.signal.addEventListener('abort', () => this.#isBusy && this.#interrupt());
    return {
      ...options,
      onAction: (action: RehearsedAction) => {
        this.#action(action);
      },
      onStep: (step: PlanStep) => this.#step(step),
      onProgress: (progress: Parameters<PlanBar['show']>[0]) => {
        this.#isBusy = progress.state === 'sending' || progress.state === 'previewing';
        this.#bar?.show(progress);
        if (progress.state === 'looking' && !this.#output.isInteractive) this.#look(progress);
      },
    } satisfies RehearseOptions & { onStep: unknown };
  }

  /** Removes the bar. */
  end(): void {
    this.#output.status('');
  }

  /** Says that the command ends as soon as it has a response. */
  #interrupt(): void {
    this.#output.note('Interrupted. Finishing the request that is on its way. Press Ctrl-C again to stop.');
  }

  #look({ operation, delay = 0 }: { operation: string; delay?: number | undefined }): void {
    const time = delay > 0 ? ` for up to ${duration(delay)}` : '';
    this.#output.note(
      `${operation} was started by an earlier run, and the service may still be working on it. Looking for its result${time}.`,
    );
  }

  /** Prints the head of the table for people. */
  begin(): void {
    const actions = this.#plan?.plan.actions ?? [];
    this.#widths = [
      Math.max('line'.length, String(this.#line(actions.length - 1)).length),
      Math.max('operation'.length, ...actions.map(({ operation }) => operation.length)),
    ];
    this.#row(' ', 'line', 'operation', ['what would happen'], 'dim');
  }

  #line(index: number): number {
    return this.#plan?.at(['actions', index]).line ?? 1;
  }

  /** Prints one action of the rehearsal for people. */
  #action(action: RehearsedAction): void {
    this.#isBusy = false;
    const { paint } = bound(this.#output);
    const { line, operation, state, summary, details, quota = [], problems, warnings } = this.#verdict(action);
    const uses = quota.map(({ name, uses: count, left }) => {
      return `uses ${count}${left === undefined ? '' : ` of ${left}`} ${name} of this month`;
    });
    const remarks = [
      ...[...uses, ...details].map((text) => paint('dim', text)),
      ...warnings.map(({ message }) => paint('yellow', message)),
    ];
    const wrong = problems.map((problem) => paint('red', printProblem(this.#file, problem)));
    this.#output.status('');
    this.#row(paint(COLOURS[state], MARKS[state]), String(line), operation, [summary, ...remarks, ...wrong]);
  }

  /** An action with the places of its problems, in the words of the command line. */
  #verdict({ index, ...action }: RehearsedAction): Verdict {
    return {
      action: index,
      ...(this.#plan?.at(['actions', index]) ?? { line: 1, column: 1 }),
      ...action,
      summary: say(action.summary),
      problems: this.#placed(action.problems),
      warnings: this.#placed(action.warnings),
    };
  }

  #placed(problems: readonly PlanProblem[]): PlacedProblem[] {
    const said = problems.map((problem) => ({ ...problem, message: say(problem.message) }));
    return this.#plan?.placed(said) ?? [];
  }

  /** Prints a row. The last cell has several paragraphs. */
  #row(mark: string, line: string, operation: string, cell: readonly string[], colour?: Colour): void {
    if (this.#output.isJson) return;
    const { paint, wrap } = bound(this.#output);
    const [lines, operations] = this.#widths;
    const indent = lines + operations + 6;
    const text = cell.map((paragraph) => wrap(paragraph, indent)).join(`\n${' '.repeat(indent)}`);
    const row = `${line.padStart(lines)}  ${operation.padEnd(operations)}  ${text}`;
    this.#output.raw(`${mark} ${colour ? paint(colour, row) : row}`);
  }

  /** Tells what a run has done. */
  #step({ index, operation, outcome, problem, warning }: PlanStep): void {
    this.#isBusy = false;
    this.#output.status('');
    const place = `${this.#file}:${this.#line(index)}`;
    const mark = warning ? `${this.#output.paintNote('yellow', 'warning')} ` : '';
    const said = (problem ?? warning)?.message ?? (outcome === 'applied' ? 'done.' : outcome);
    this.#output.note(`${mark}${operation}: ${say(said)} (${place})`);
  }

  /** Asks on a terminal before a plan is carried out. */
  confirm(count: number, signal: AbortSignal): Promise<boolean> {
    return ask(`Carry out ${count === 1 ? 'this action' : `these ${count} actions`}?`, signal);
  }

  /** Says that the person does not want the plan to be carried out. */
  decline(): void {
    this.#output.note('Nothing was carried out.');
  }

  /**
   * Whether a plan may be carried out. `again`: even if the service already has some of its posts. `keepGoing`: without the
   * actions that are refused.
   */
  isPassed({ ok, actions, warnings: whole }: Rehearsal, { again, keepGoing }: { again: boolean; keepGoing: boolean }) {
    const warnings = [...whole, ...actions.flatMap((action) => action.warnings)];
    const isFree = keepGoing || (ok && (again || warnings.every(({ code }) => code !== 'twin')));
    return isFree && !this.#isStrictly(warnings.length);
  }

  #isStrictly(warnings: number): boolean {
    return this.#settings.isStrict === true && warnings > 0;
  }

  /** Ends a rehearsal, or a run whose rehearsal found a problem. `isRun`: the run does not follow. */
  async finish(rehearsal: Rehearsal, isRun = false): Promise<number> {
    const { ok, actions, requests, hash, prune } = rehearsal;
    const warnings = [...rehearsal.warnings, ...actions.flatMap((action) => action.warnings)];
    this.#whole(rehearsal);
    if (!ok || isRun || this.#isStrictly(warnings.length)) return this.refuse(rehearsal);
    await this.annotate([], rehearsal);
    const verdicts = actions.map((action) => this.#verdict(action));
    const document = { plan: this.#file, ok, hash, requests, warnings: rehearsal.warnings, actions: verdicts, prune };
    this.#output.data(document, `\n${count(actions)} Nothing was executed.\nhash ${hash}`);
    return EXIT.done;
  }

  /** Tells people what concerns the plan as a whole: posts that it no longer has. */
  #whole({ warnings, prune }: Rehearsal): void {
    for (const { message } of warnings)
      this.#output.note(`${this.#output.paintNote('yellow', 'warning')} ${say(message)}`);
    for (const { summary } of prune) this.#output.note(summary);
  }

  /** Fails because of the problems of a plan, or of its warnings. Without a rehearsal: because of those of the file. */
  async refuse(rehearsal: Rehearsal | undefined): Promise<never> {
    const given = this.#plan?.problems ?? [];
    const verdicts = (rehearsal?.actions ?? []).map((action) => this.#verdict(action));
    const pruned = this.#placed(rehearsal?.prune.flatMap(({ problems }) => problems) ?? []);
    const own = [...verdicts.flatMap(({ problems }) => problems), ...pruned];
    const warned = [...this.#placed(rehearsal?.warnings ?? []), ...verdicts.flatMap(({ warnings }) => warnings)];
    const found = given.length + own.length > 0 ? [...given, ...own] : warned;
    await this.annotate(given, rehearsal);
    // People have seen the problems in the table.
    const untold = this.#output.isJson || verdicts.length === 0 ? found : [];
    const kind = given.length + own.length > 0 ? 'problem' : 'warning';
    const sentence = `The plan has ${plural(found.length, kind)}.`;
    const message = [sentence, ...untold.map((problem) => printProblem(this.#file, problem))].join('\n');
    const hint = found.some(({ code }) => code === 'twin') ? AGAIN : 'Correct the plan. Nothing of it was carried out.';
    const error = new PlanError('plan_invalid', message, hint);
    const isDenied = found.some(({ code }) => DENIED.has(code));
    const exitCode = isDenied ? EXIT.denied : EXIT.failed;
    const { hash, requests } = rehearsal ?? {};
    throw new Failed(
      error,
      { plan: this.#file, ok: false, hash, requests, actions: verdicts, problems: found },
      exitCode,
    );
  }

  /** Shows problems and warnings beside the lines of the plan, where CI can do that. */
  async annotate(given: readonly PlacedProblem[], rehearsal?: Rehearsal): Promise<void> {
    const { GITHUB_ACTIONS, GITHUB_WORKSPACE, GITHUB_STEP_SUMMARY, CI_PROJECT_DIR } = process.env;
    const { actions = [], prune = [], warnings: whole = [] }: Partial<Rehearsal> = rehearsal ?? {};
    // Cleaned before Markdown hides the key behind its own signs.
    const verdicts = this.#output.clean(actions.map((action) => this.#verdict(action)));
    const pruned = this.#placed(prune.flatMap(({ problems }) => problems));
    const all = this.#output.clean([...given, ...verdicts.flatMap(({ problems }) => problems), ...pruned]);
    const warnings = this.#output.clean([...this.#placed(whole), ...verdicts.flatMap((verdict) => verdict.warnings)]);
    if (GITHUB_ACTIONS === 'true') {
      const lines = githubAnnotations(this.#file, { problems: all, warnings }, GITHUB_WORKSPACE ?? process.cwd());
      for (const line of lines) this.#output.workflowCommand(line);
      const write = async (file: string) => appendFile(file, jobSummary(this.#file, verdicts, all));
      // A summary repeats what the log says, so its failure must not hide the result of the rehearsal.
      if (GITHUB_STEP_SUMMARY)
        await write(GITHUB_STEP_SUMMARY).catch((error) => {
          this.#output.note(`The job summary cannot be written (${codeOf(error)}). Check GITHUB_STEP_SUMMARY.`);
        });
    }
    if (this.#settings.isForGitLab) {
      // Replaces a symbolic link of the checkout, and does not write through it.
      const report = gitlabReport(this.#file, { problems: all, warnings }, CI_PROJECT_DIR ?? process.cwd());
      await replaceFile(GITLAB_REPORT, report);
    }
  }

  /** Returns the JSON document of a run. */
  resultOf({ actions, hash, requests }: Rehearsal, run: PlanRun) {
    const withOutcome = (wanted: Outcome) =>
      run.steps.filter(({ outcome }) => outcome === wanted).map(({ index }) => index);
    return {
      plan: this.#file,
      ok: run.state === 'done',
      state: run.state,
      hash,
      requests: requests + run.requests,
      actions: actions.map((action) => this.#verdict(action)),
      steps: run.steps.map(({ index, key, operation, outcome, ids = [], problem, warning }) => {
        const said = { problem: problem && this.#placed([problem])[0], warning: warning && this.#placed([warning])[0] };
        return { action: index, key, operation, outcome, ids, ...said };
      }),
      applied: withOutcome('applied'),
      unresolved: withOutcome('unknown'),
      left: withOutcome('not_applied'),
    };
  }

  /** Ends a run in which every action has happened. */
  done(details: ReturnType<RehearsalReport['resultOf']>): number {
    const warnings = details.steps.filter(({ warning }) => warning !== undefined).length;
    const doubt = warnings > 0 ? ` ${plural(warnings, 'action')} ${warnings === 1 ? 'has' : 'have'} a warning.` : '';
    this.#output.data(details, `\nThe plan is carried out: ${details.steps.length} done, nothing left.${doubt}`);
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

function bound(output: Output): Pick<Output, 'paint' | 'wrap'> {
  return { paint: output.paint.bind(output), wrap: output.wrap.bind(output) };
}

function count(actions: readonly RehearsedAction[]): string {
  const of = (state: RehearsedAction['state'], words: string) => {
    const number = actions.filter((action) => action.state === state).length;
    return number > 0 ? [`${number} ${words}`] : [];
  };
  const parts = [
    ...of('ready', 'ready'),
    ...of('changed', 'changed'),
    ...of('unpreviewed', 'without a preview'),
    ...of('done', 'done before'),
  ];
  return `${plural(actions.length, 'action')}: ${parts.join(', ') || 'none'}.`;
}
