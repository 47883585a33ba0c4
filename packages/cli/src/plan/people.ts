import type { PlanCost } from '@multilocal/plans/cost';
import type { Client } from 'multilocal';
import type {
  PlanJournal,
  PlanProblem,
  PlanProgress,
  PlanStep,
  Rehearsal,
  RehearsedAction,
  RehearseOptions,
} from 'multilocal/plans';
import { ask } from '../ask.js';
import { say } from '../front.js';
import type { Colour, Output } from '../output.js';
import { plural } from '../words.js';
import type { PlanFile } from './plan-file.js';
import { type PlacedProblem, printProblem } from './problem.js';
import { placed, type Verdict, verdictOf } from './verdict.js';

const MARKS: Readonly<Record<Verdict['state'], readonly [sign: string, colour: Colour]>> = {
  ready: ['✓', 'green'],
  changed: ['~', 'yellow'],
  unpreviewed: ['•', 'cyan'],
  refused: ['✗', 'red'],
  done: ['✓', 'dim'],
};

const STATES: Readonly<Record<PlanProgress['state'], string>> = {
  previewing: 'previewing',
  looking: 'looking for the result of an earlier run',
  sending: 'sending',
  waiting: 'waiting for the limits of the key',
};

const BAR = 24;
const FINISHING = 'Interrupted. Finishing the request that is on its way. Press Ctrl-C again to stop.';

/** What `rehearse` shows to people: the cost, a bar, a table of the actions, and what a run does. */
export class PeopleReport {
  protected plan: PlanFile | undefined;
  /** Whether a request that may change something is on its way. */
  #isBusy = false;
  /** Widths of the columns `line` and `operation`. */
  #widths: readonly [number, number] = [0, 0];

  constructor(
    protected readonly output: Output,
    protected readonly file: string,
  ) {}

  /** Gets the plan, whose lines are shown. */
  open(plan: PlanFile): void {
    this.plan = plan;
  }

  /** An action with its place. There are actions only of a plan that was opened. */
  protected readonly verdict = (action: RehearsedAction): Verdict => verdictOf(this.plan as PlanFile, action);

  /** Problems with their places. A file that could not be read has none. */
  protected placed(problems: readonly PlanProblem[]): PlacedProblem[] {
    return this.plan ? placed(this.plan, problems) : [];
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
    this.output.note(`The plan needs ${requests} of ${day.limit} requests of the day, ${time}.${more}`);
  }

  /** The options of a rehearsal or a run, with what shows its progress. */
  listening(options: { readonly journal: PlanJournal; readonly signal: AbortSignal }) {
    const started = performance.now();
    options.signal.addEventListener('abort', () => {
      if (this.#isBusy) this.output.note(FINISHING);
      this.#isBusy = false;
    });
    return {
      ...options,
      onAction: (action: RehearsedAction) => this.#action(this.verdict(action)),
      onStep: (step: PlanStep) => this.#step(step),
      onProgress: (progress: PlanProgress) => {
        this.#isBusy = progress.state === 'sending' || progress.state === 'previewing';
        this.output.status(this.#bar(progress, performance.now() - started));
        if (progress.state === 'looking' && !this.output.isInteractive) this.#look(progress);
      },
    } satisfies RehearseOptions & { onStep: unknown };
  }

  /** Removes the bar. */
  end(): void {
    this.output.status('');
  }

  #bar({ index, operation, state, delay }: PlanProgress, passed: number): string {
    const total = this.plan?.plan.actions.length ?? 0;
    const filled = Math.round((BAR * index) / Math.max(1, total));
    const [done, open] = (['cyan', 'dim'] as const).map((colour, part) =>
      this.output.paintNote(colour, '━'.repeat(part === 0 ? filled : BAR - filled)),
    );
    const wait = delay === undefined ? '' : `, up to ${duration(delay)}`;
    const rest = index === 0 ? '' : `, ${duration((passed / index) * (total - index))} left`;
    return `${done}${open}  ${index + 1} of ${total}  ${operation}: ${STATES[state]}${wait}${rest}`;
  }

  #look({ operation, delay = 0 }: PlanProgress): void {
    const time = delay > 0 ? ` for up to ${duration(delay)}` : '';
    const what = 'was started by an earlier run, and the service may still be working on it. Looking for its result';
    this.output.note(`${operation} ${what}${time}.`);
  }

  /** Prints the head of the table. */
  begin(): void {
    const actions = this.plan?.plan.actions ?? [];
    const lines = String(this.plan?.at(['actions', actions.length - 1]).line).length;
    this.#widths = [Math.max(4, lines), Math.max(9, ...actions.map(({ operation }) => operation.length))];
    this.#row(' ', 'line', 'operation', ['what would happen'], 'dim');
  }

  #action({ line, operation, state, summary, details, quota = [], problems, warnings }: Verdict): void {
    this.#isBusy = false;
    const paint = (colour: Colour) => (text: string) => this.output.paint(colour, text);
    const uses = quota.map(({ name, uses: count, left }) => {
      return `uses ${count}${left === undefined ? '' : ` of ${left}`} ${name} of this month`;
    });
    const [sign, colour] = MARKS[state];
    this.end();
    this.#row(paint(colour)(sign), String(line), operation, [
      summary,
      ...[...uses, ...details].map(paint('dim')),
      ...warnings.map(({ message }) => message).map(paint('yellow')),
      ...problems.map((problem) => printProblem(this.file, problem)).map(paint('red')),
    ]);
  }

  /** Prints a row. The last cell has several paragraphs. */
  #row(mark: string, line: string, operation: string, cell: readonly string[], colour?: Colour): void {
    if (this.output.isJson) return;
    const [lines, operations] = this.#widths;
    const head = `${line.padStart(lines)}  ${operation.padEnd(operations)}`;
    const row = this.output.row(head, cell, lines + operations + 6);
    this.output.raw(`${mark} ${colour ? this.output.paint(colour, row) : row}`);
  }

  /** Tells what a run has done. */
  #step({ index, operation, outcome, problem, warning }: PlanStep): void {
    this.#isBusy = false;
    this.end();
    const said = (problem ?? warning)?.message ?? (outcome === 'applied' ? 'done.' : outcome);
    const text = `${operation}: ${say(said)} (${this.file}:${this.plan?.at(['actions', index]).line})`;
    if (warning) this.output.warn(text);
    else this.output.note(text);
  }

  /** Tells what concerns the plan as a whole: posts that it no longer has. */
  protected whole({ warnings, prune }: Rehearsal): void {
    for (const { message } of warnings) this.output.warn(say(message));
    for (const { summary } of prune) this.output.note(summary);
  }

  /** Asks on a terminal before a plan is carried out. */
  confirm(count: number, signal: AbortSignal): Promise<boolean> {
    return ask(`Carry out ${count === 1 ? 'this action' : `these ${count} actions`}?`, signal);
  }

  /** Says that the person does not want the plan to be carried out. */
  decline(): void {
    this.output.note('Nothing was carried out.');
  }
}

/** `40 s`, `7 minutes`. */
function duration(ms: number): string {
  if (ms < 90_000) return `${Math.max(1, Math.ceil(ms / 1000))} s`;
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
