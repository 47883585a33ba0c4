import type { PlanCost } from '@multilocal/plans/inside';
import type { Client } from 'multilocal';
import type {
  LeftOverOptions,
  PlanLeftOver,
  PlanProblem,
  PlanProgress,
  PlanRun,
  PlanStep,
  Rehearsal,
  RehearsedAction,
} from 'multilocal/plans';
import { ask, choose } from '../ask.js';
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
  failed: ['✗', 'red'],
  done: ['✓', 'dim'],
};

const LEFT_OVERS: Readonly<Record<PlanLeftOver['step'], readonly [sign: string, colour: Colour, what: string]>> = {
  refuse: ['✗', 'red', 'left over'],
  delete: ['-', 'red', 'delete'],
  adopt: ['~', 'yellow', 'move'],
  keep: ['•', 'dim', 'keep'],
};

const STATES: Readonly<Record<PlanProgress['state'], string>> = {
  previewing: 'previewing',
  looking: 'looking for the result of an earlier run',
  sending: 'sending',
  waiting: 'waiting for the limits of the key',
};

const BAR = 24;
const FINISHING = 'Interrupted. Finishing the request that is on its way. Press Ctrl-C again to stop.';

/** How a rehearsal is shown. */
interface Looks {
  /** Whether every action is a row. Otherwise, a long table has only those that somebody has to look at. */
  readonly isAll: boolean;
  /** Whether warnings fail too. */
  readonly isStrict: boolean;
}

/** Rows of a table that is shown as a whole. */
const SHORT = 20;

/** The mark of a warning that fails. */
const FAILS = '▲';

/** What `rehearse` shows to people: the cost, a bar, a table of the actions, and what a run does. */
export class PeopleReport {
  protected plan: PlanFile | undefined;
  /** Whether a request that may change something is on its way. */
  #isBusy = false;
  /** Widths of the columns `line`, or `source`, and `operation`. */
  #widths: readonly [number, number] = [0, 0];
  /** Number of actions that the table does not show. */
  #hidden = 0;

  constructor(
    protected readonly output: Output,
    protected readonly file: string,
    protected readonly looks: Looks,
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
  listening(signal: AbortSignal) {
    const started = performance.now();
    const onAbort = () => {
      if (this.#isBusy) this.output.note(FINISHING);
      this.#isBusy = false;
    };
    signal.addEventListener('abort', onAbort, { once: true });
    return {
      onAction: (action: RehearsedAction) => this.#action(this.verdict(action)),
      onStep: (step: PlanStep) => this.#step(step),
      onProgress: (progress: PlanProgress) => {
        this.#isBusy = progress.state === 'sending' || progress.state === 'previewing';
        this.output.status(this.#bar(progress, performance.now() - started));
        if (progress.state === 'looking' && !this.output.isInteractive) this.#look(progress);
      },
    };
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
    const lines = String(this.plan?.at(['actions', actions.length - 1]).line);
    const sources = actions.flatMap(({ source }) => source ?? []);
    const head = sources.length > 0 ? 'source' : 'line';
    const widest = Math.max(...[head, lines, ...sources].map(({ length }) => length));
    this.#widths = [widest, Math.max(9, ...actions.map(({ operation }) => operation.length))];
    this.#hidden = 0;
    this.#row(' ', head, 'operation', ['what would happen'], 'dim');
  }

  #action({ line, source, operation, state, summary, details, quota = [], problems, warnings }: Verdict): void {
    this.#isBusy = false;
    const paint = (colour: Colour) => (text: string) => this.output.paint(colour, text);
    const uses = quota.map(({ name, uses: count, left }) => {
      return `uses ${count}${left === undefined ? '' : ` of ${left}`} ${name} of this month`;
    });
    this.end();
    const isLong = (this.plan?.plan.actions.length ?? 0) > SHORT;
    const isPlain = (state === 'ready' || state === 'done') && problems.length + warnings.length + uses.length === 0;
    if (isLong && isPlain && !this.looks.isAll) {
      this.#hidden++;
      return;
    }
    const doesWarningFail = this.looks.isStrict && warnings.length > 0 && problems.length === 0;
    const [sign, colour] = doesWarningFail ? ([FAILS, 'yellow'] as const) : MARKS[state];
    this.#row(paint(colour)(sign), source ?? String(line), operation, [
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
  #step({ index, key, operation, outcome, problem, warning }: PlanStep): void {
    this.#isBusy = false;
    this.end();
    const said = (problem ?? warning)?.message ?? (outcome === 'applied' ? 'done.' : outcome);
    const source = this.plan?.plan.actions[index];
    // A deletion stands in no plan.
    const place = source ? (source.source ?? `${this.file}:${this.plan?.at(['actions', index]).line}`) : key;
    const text = `${operation}: ${say(said)} (${place})`;
    if (warning) this.output.warn(text);
    else this.output.note(text);
  }

  /** Tells what concerns the plan as a whole: the posts that it no longer has, as rows of the table, and warnings. */
  whole({ warnings, leftOvers }: Pick<Rehearsal, 'warnings' | 'leftOvers'>): void {
    this.end();
    if (this.#hidden > 0) {
      const actions = `${plural(this.#hidden, 'action')} without a remark ${this.#hidden === 1 ? 'is' : 'are'}`;
      this.#row(' ', '', '', [`${actions} not shown. \`--all\` shows all.`], 'dim');
    }
    for (const { step, summary, problems } of leftOvers) {
      const [sign, colour, what] = LEFT_OVERS[step];
      const reasons = problems.map(({ message }) => this.output.paint('red', say(message)));
      this.#row(this.output.paint(colour, sign), '', what, [say(summary), ...reasons]);
    }
    const mark = this.looks.isStrict ? `${FAILS} ` : '';
    // The table shows those of left-overs.
    const told = this.output.isJson ? [] : leftOvers.flatMap(({ problems }) => problems);
    for (const warning of warnings) if (!told.includes(warning)) this.output.warn(`${mark}${say(warning.message)}`);
  }

  /** Tells what a run found out that its rehearsal had not shown. */
  protected news({ warnings, leftOvers }: Pick<PlanRun, 'warnings' | 'leftOvers'>): void {
    this.end();
    for (const { message, source } of warnings) this.output.warn(`${source ? `${source}: ` : ''}${say(message)}`);
    for (const { summary, problems } of leftOvers) {
      this.output.warn([summary, ...problems.map(({ message }) => message)].map((text) => say(text)).join('\n'));
    }
  }

  /**
   * Asks on a terminal what becomes of posts that the plan no longer has. `undefined`: they do not stop the plan, other things do, or the
   * person stops.
   */
  async askLeftOvers({ leftOvers, actions }: Rehearsal, signal: AbortSignal): Promise<LeftOverOptions['leftOver']> {
    const open = leftOvers.filter(({ problems }) => problems.some(({ code }) => code === 'left_over'));
    if (open.length === 0 || actions.some(({ problems }) => problems.length > 0)) return undefined;
    const moved = open.filter(({ replacedBy }) => replacedBy !== undefined).length;
    const parts = [
      ...(moved > 0 ? [`move ${plural(moved, 'post')}`] : []),
      ...(moved < open.length ? [`delete ${plural(open.length - moved, 'post')}`] : []),
    ].join(' and ');
    const is = open.length === 1 ? 'is' : 'are';
    const question = `${plural(open.length, 'post')} of an earlier version of the plan ${is} still scheduled. What follows?`;
    const answer = await choose(question, signal, [
      ['prune', `${parts.charAt(0).toUpperCase()}${parts.slice(1)} (--prune)`],
      ['keep', 'Keep, so that all appear (--keep-left-overs)'],
      ['stop', 'Stop'],
    ] as const);
    return answer === 'prune' || answer === 'keep' ? answer : undefined;
  }

  /** Asks on a terminal before a plan is carried out. Without a request, nothing is asked. */
  async confirm({ actions, leftOvers }: Rehearsal, signal: AbortSignal): Promise<boolean> {
    const isSent = ({ state, change }: RehearsedAction) =>
      ['ready', 'changed', 'unpreviewed'].includes(state) && change?.kind !== 'adopt';
    const sent = actions.filter(isSent).length;
    const deleted = leftOvers.flatMap(({ step, posts }) => (step === 'delete' ? posts : [])).length;
    const parts = [
      ...(sent > 0 ? [`Carry out ${plural(sent, 'action')}`] : []),
      ...(deleted > 0 ? [`${sent > 0 ? 'delete' : 'Delete'} ${plural(deleted, 'post')}`] : []),
    ];
    return parts.length === 0 || ask(`${parts.join(' and ')}?`, signal);
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
