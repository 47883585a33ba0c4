import { appendFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { codeOf, replaceFile } from '../files/files.js';
import { DENIED, EXIT, Failed, Interrupted } from './failure.js';
import type { Colour, Output } from './output.js';
import {
  GITLAB_REPORT,
  githubAnnotations,
  gitlabReport,
  jobSummary,
  type Plan,
  PlanError,
  type PlanProblem,
  printProblem,
  type RunResult,
  type Step,
  type Verdict,
} from './plan/index.js';
import { plural } from './words.js';

const MARKS = { ready: '✓', no_preview: '•', refused: '✗', done: '✓', open: '?' } as const;
const COLOURS = { ready: 'green', no_preview: 'cyan', refused: 'red', done: 'dim', open: 'yellow' } as const;

/** Everything that `rehearse` says: to people, to scripts, to GitHub and to GitLab. */
export class RehearsalReport {
  readonly #output: Output;
  readonly #file: string;
  readonly #isForGitLab: boolean;
  /** Widths of the columns `line` and `operation`. */
  #widths: readonly [number, number] = [0, 0];

  constructor(output: Output, file: string, isForGitLab: boolean) {
    this.#output = output;
    this.#file = file;
    this.#isForGitLab = isForGitLab;
  }

  /** Prints the head of the table for people. */
  begin({ actions }: Plan): void {
    this.#widths = [
      Math.max('line'.length, ...actions.map(({ line }) => String(line).length)),
      Math.max('operation'.length, ...actions.map(({ operation }) => operation.length)),
    ];
    this.#row(' ', 'line', 'operation', ['what would happen'], 'dim');
  }

  /** Prints one action of the rehearsal for people. */
  verdict({ line, operation, state, summary, details, costs, problems, hints }: Verdict): void {
    const { paint } = bound(this.#output);
    const uses = costs.map(({ quota, uses: count, left }) => {
      return `uses ${count}${left === undefined ? '' : ` of ${left}`} ${quota} of this month`;
    });
    const remarks = [
      ...[...uses, ...details].map((text) => paint('dim', text)),
      ...hints.map((text) => paint('yellow', text)),
    ];
    const wrong = problems.map((problem) => paint('red', printProblem(this.#file, problem)));
    this.#row(paint(COLOURS[state], MARKS[state]), String(line), operation, [summary, ...remarks, ...wrong]);
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

  /** Tells what a run does, while it does it. */
  step({ state, message, action, warning }: Step): void {
    if (state === 'sending') return;
    const mark = warning === undefined ? '' : `${this.#output.paintNote('yellow', 'warning')} `;
    this.#output.note(`${mark}${message}${state === 'applied' ? ` (${this.#file}:${action.line})` : ''}`);
  }

  /** Says that the run ends as soon as it has a response. */
  interrupt(): void {
    this.#output.note('Interrupted. Finishing the request that is on its way. Press Ctrl-C again to stop.');
  }

  /** Asks on a terminal before a plan is carried out. */
  async confirm(count: number, signal: AbortSignal): Promise<boolean> {
    const { confirm, isCancel } = await import('@clack/prompts');
    const { stdin } = process;
    const message = `Carry out ${count === 1 ? 'this action' : `these ${count} actions`}?`;
    const end = new AbortController();
    // Without this, the question would wait forever for a closed stdin.
    stdin.once('end', () => end.abort());
    const signals = AbortSignal.any([signal, end.signal]);
    await discardInput(stdin);
    if (signals.aborted) return this.#unanswered(end.signal);
    const answer = await confirm({ message, initialValue: false, output: process.stderr, signal: signals });
    if (end.signal.aborted || isCancel(answer)) return this.#unanswered(end.signal);
    return answer;
  }

  /** A closed stdin is a no. Everything else is Ctrl-C. */
  #unanswered(end: AbortSignal): false {
    if (end.aborted) return false;
    throw new Interrupted('Interrupted. Nothing was carried out.');
  }

  /** Says that the person does not want the plan to be carried out. */
  decline(): void {
    this.#output.note('Nothing was carried out.');
  }

  /** Ends a rehearsal, or a run whose rehearsal found a problem. */
  async finish(plan: Plan, verdicts: readonly Verdict[]): Promise<number> {
    const refused = verdicts.filter(({ state }) => state === 'refused');
    if (refused.length > 0) return this.refuse(plan, verdicts);
    await this.annotate([], verdicts);
    this.#output.data({ plan: this.#file, ok: true, actions: verdicts }, `\n${count(verdicts)} Nothing was executed.`);
    return EXIT.done;
  }

  /** Fails because of the problems of a plan. */
  async refuse(plan: Plan, verdicts: readonly Verdict[]): Promise<never> {
    const problems = [...plan.problems, ...verdicts.flatMap((verdict) => verdict.problems)];
    await this.annotate(plan.problems, verdicts);
    // People have seen the problems in the table.
    const untold = this.#output.isJson || verdicts.length === 0 ? problems : [];
    const sentence = `The plan has ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}.`;
    const message = [sentence, ...untold.map((problem) => printProblem(this.#file, problem))].join('\n');
    const error = new PlanError('plan_invalid', message, 'Correct the plan. Nothing of it was carried out.', problems);
    const isDenied = problems.some(({ code }) => DENIED.has(code));
    const exitCode = isDenied ? EXIT.denied : EXIT.failed;
    throw new Failed(error, { plan: this.#file, ok: false, actions: verdicts, problems }, exitCode);
  }

  /** Shows problems beside the lines of the plan, where CI can do that. */
  async annotate(problems: readonly PlanProblem[], given: readonly Verdict[]): Promise<void> {
    const { GITHUB_ACTIONS, GITHUB_WORKSPACE, GITHUB_STEP_SUMMARY, CI_PROJECT_DIR } = process.env;
    // Cleaned before Markdown hides the key behind its own signs.
    const verdicts = this.#output.clean(given);
    const all = this.#output.clean([...problems, ...verdicts.flatMap((verdict) => verdict.problems)]);
    if (GITHUB_ACTIONS === 'true') {
      const lines = githubAnnotations(this.#file, all, GITHUB_WORKSPACE ?? process.cwd());
      for (const line of lines) this.#output.workflowCommand(line);
      const write = async (file: string) => appendFile(file, jobSummary(this.#file, verdicts, all));
      // A summary repeats what the log says, so its failure must not hide the result of the rehearsal.
      if (GITHUB_STEP_SUMMARY)
        await write(GITHUB_STEP_SUMMARY).catch((error) => {
          this.#output.note(`The job summary cannot be written (${codeOf(error)}). Check GITHUB_STEP_SUMMARY.`);
        });
    }
    if (this.#isForGitLab) {
      // Replaces a symbolic link of the checkout, and does not write through it.
      await replaceFile(GITLAB_REPORT, gitlabReport(this.#file, all, CI_PROJECT_DIR ?? process.cwd()));
    }
  }

  /** Returns the JSON document of a run. */
  resultOf(verdicts: readonly Verdict[], { state, steps, applied, unresolved, left }: RunResult) {
    const lines = (actions: RunResult['applied']) => actions.map(({ index }) => index);
    return {
      plan: this.#file,
      ok: state === 'done',
      state,
      actions: verdicts,
      steps: steps.map(({ action, state, ids = [], message, warning }) => {
        return { action: action.index, state, ids, message, warning };
      }),
      applied: lines(applied),
      unresolved: lines(unresolved),
      left: lines(left),
    };
  }

  /** Ends a run in which every action has happened. */
  done(details: ReturnType<RehearsalReport['resultOf']>): number {
    const warnings = details.steps.filter(({ warning }) => warning !== undefined).length;
    const doubt = warnings > 0 ? ` ${plural(warnings, 'action')} ${warnings === 1 ? 'has' : 'have'} a warning.` : '';
    this.#output.data(details, `\nThe plan is carried out: ${details.applied.length} done, nothing left.${doubt}`);
    return EXIT.done;
  }

  /** Says what a run did that did not reach its end. */
  sentence({ applied, unresolved, left }: Pick<RunResult, 'applied' | 'unresolved' | 'left'>): string {
    const open =
      unresolved.length > 0 ? `, ${unresolved.length} may have happened and must be settled by a person` : '';
    const total = applied.length + unresolved.length + left.length;
    return `Done: ${applied.length} of ${total} actions. Left: ${left.length}${open}.`;
  }
}

/** Time in which the terminal passes on what was typed before, in ms. */
const TYPED_AHEAD = 100;

/**
 * Discards what was typed before a question, because it cannot be the answer. A terminal keeps such input until it is in
 * raw mode, in which Ctrl-C is a character.
 * @throws an {@link Interrupted} if Ctrl-C was pressed.
 */
async function discardInput(stdin: typeof process.stdin): Promise<void> {
  let isInterrupted = false;
  const onData = (typed: Buffer | string) => {
    isInterrupted ||= String(typed).includes('\u0003');
  };
  stdin.setRawMode(true);
  stdin.on('data', onData);
  await setTimeout(TYPED_AHEAD);
  stdin.off('data', onData).pause();
  stdin.setRawMode(false);
  if (isInterrupted) throw new Interrupted('Interrupted. Nothing was carried out.');
}

function bound(output: Output): Pick<Output, 'paint' | 'wrap'> {
  return { paint: output.paint.bind(output), wrap: output.wrap.bind(output) };
}

function count(verdicts: readonly Verdict[]): string {
  const of = (state: Verdict['state'], words: string) => {
    const number = verdicts.filter((verdict) => verdict.state === state).length;
    return number > 0 ? [`${number} ${words}`] : [];
  };
  const parts = [
    ...of('ready', 'ready'),
    ...of('no_preview', 'without a preview'),
    ...of('done', 'done before'),
    ...of('open', 'with an unknown outcome'),
  ];
  return `${verdicts.length} ${verdicts.length === 1 ? 'action' : 'actions'}: ${parts.join(', ') || 'none'}.`;
}
