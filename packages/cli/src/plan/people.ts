import { WORDS } from '@multilocal/campaigns/calendar-words';
import type { PlanCost } from '@multilocal/plans/inside';
import type { Both, Locale } from '@multilocal/plans/words';
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
import { UsageError } from '../failure.js';
import { DAY } from '../flags.js';
import { say } from '../front.js';
import type { Colour, Output } from '../output.js';
import { USAGE } from '../usage-said.js';
import { WORDING } from '../wording.js';
import { countedOf, type PlacedAction, placed, placedAction } from './placed-action.js';
import type { PlanFile } from './plan-file.js';
import { messageIn, type PlacedProblem, printProblem } from './problem.js';

const MARKS: Readonly<Record<PlacedAction['state'], readonly [sign: string, colour: Colour]>> = {
  ready: ['✓', 'green'],
  changed: ['~', 'yellow'],
  unpreviewed: ['•', 'cyan'],
  refused: ['✗', 'red'],
  failed: ['✗', 'red'],
  done: ['✓', 'dim'],
};

const LEFT_OVERS: Readonly<Record<PlanLeftOver['step'], readonly [sign: string, colour: Colour]>> = {
  refuse: ['✗', 'red'],
  delete: ['-', 'red'],
  adopt: ['~', 'yellow'],
  keep: ['•', 'dim'],
};

const BAR = 24;

/** How a rehearsal is shown. */
interface Looks {
  /** Whether every action is a row. Otherwise, a long table has only those that somebody has to look at. */
  readonly isAll: boolean;
  /** Whether warnings fail too. */
  readonly isStrict: boolean;
}

/** Rows of a table that is shown as a whole. */
export const SHORT = 20;

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

  get locale(): Locale {
    return this.output.locale;
  }

  /** A text in the language of the person. */
  say(both: Both): string {
    return this.output.in(both);
  }

  /** Gets the plan, whose lines are shown. */
  open(plan: PlanFile): void {
    this.plan = plan;
  }

  /** An action with its place. There are actions only of a plan that was opened. */
  protected readonly withPlace = (action: RehearsedAction): PlacedAction =>
    placedAction(this.plan as PlanFile, action, this.locale);

  /** Problems with their places. A file that could not be read has none. */
  protected placed(problems: readonly PlanProblem[]): PlacedProblem[] {
    return this.plan ? placed(this.plan, problems, this.locale) : [];
  }

  /**
   * Says what the plan costs before anything of it is sent.
   * @throws {UsageError} if its rehearsal would use up the requests of the day and not come to its end.
   */
  async cost(client: Client, { rehearsal, run }: PlanCost, isRun: boolean, maxWait = 0): Promise<void> {
    const { minute, day } = await client.budget();
    if (rehearsal > day.left && maxWait < DAY) throw new UsageError(...USAGE.longRehearsal(rehearsal, day));
    const requests = rehearsal + (isRun ? run : 0);
    if (!Number.isFinite(day.limit) || requests === 0) return;
    // The limits of a minute let the rest through one window after the other.
    const minutes = Math.ceil(Math.max(0, requests - minute.left) / minute.limit);
    const more: Both = requests > day.left ? WORDING.onlyLeft(day.left) : ['', ''];
    this.output.note(this.say(WORDING.cost(requests, day.limit, [WORDING.minutes(minutes), more])));
  }

  /** The options of a rehearsal or a run, with what shows its progress. */
  listening(signal: AbortSignal) {
    const started = performance.now();
    const onAbort = () => {
      if (this.#isBusy) this.output.note(this.say(WORDING.finishing()));
      this.#isBusy = false;
    };
    signal.addEventListener('abort', onAbort, { once: true });
    return {
      onAction: (action: RehearsedAction) => this.#action(this.withPlace(action)),
      onStep: (step: PlanStep) => this.#step(step),
      onProgress: (progress: PlanProgress) => {
        this.#isBusy = progress.state === 'sending' || progress.state === 'previewing';
        this.output.status(this.#bar(progress, performance.now() - started));
        const { operation, state, delay } = progress;
        if (state === 'looking' && !this.output.isInteractive)
          this.output.note(this.say(WORDING.looking(operation, delay ? duration(delay) : undefined)));
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
    const wait = delay === undefined ? '' : this.say(WORDING.upTo(duration(delay)));
    const rest = index === 0 ? '' : this.say(WORDING.left(duration((passed / index) * (total - index))));
    const what = `${operation}${WORDS[this.locale].colon}${this.say(WORDING.doing[state])}${wait}${rest}`;
    return `${done}${open}  ${this.say(WORDING.progress(index + 1, total, what))}`;
  }

  /** Prints the head of the table. */
  begin(): void {
    const actions = this.plan?.plan.actions ?? [];
    const lines = String(this.plan?.at(['actions', actions.length - 1]).line);
    const sources = actions.flatMap(({ source }) => source ?? []);
    const [line, does, what] = [WORDING.line(), WORDING.operation(), WORDING.whatWould()].map((one) =>
      this.say(one),
    ) as [string, string, string];
    const head = sources.length > 0 ? 'source' : line;
    const widest = Math.max(...[head, lines, ...sources].map(({ length }) => length));
    this.#widths = [widest, Math.max(9, ...actions.map(({ operation }) => operation.length))];
    this.#hidden = 0;
    this.#row(' ', head, does, [what], 'dim');
  }

  #action({ line, source, operation, state, summary, details, quota = [], problems, warnings }: PlacedAction): void {
    this.#isBusy = false;
    const paint = (colour: Colour) => (text: string) => this.output.paint(colour, text);
    const uses = quota.map((one) => this.say(WORDING.uses(one.uses, one.left, one.name)));
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
    const found = problem ?? warning;
    const plain = this.say(WORDING.outcome[outcome]);
    const said = found ? messageIn(found, this.locale) : plain;
    const source = this.plan?.plan.actions[index];
    // A deletion stands in no plan.
    const place = source ? (source.source ?? `${this.file}:${this.plan?.at(['actions', index]).line}`) : key;
    const text = `${operation}${WORDS[this.locale].colon}${said} (${place})`;
    if (warning) this.output.warn(text);
    else this.output.note(text);
  }

  /** Tells what concerns the plan as a whole: the posts that it no longer has, as rows of the table, and warnings. */
  whole({ warnings, leftOvers }: Pick<Rehearsal, 'warnings' | 'leftOvers'>): void {
    this.end();
    if (this.#hidden > 0) this.#row(' ', '', '', [this.say(WORDING.hidden(this.#hidden))], 'dim');
    for (const { step, summary, problems } of leftOvers) {
      const [sign, colour] = LEFT_OVERS[step];
      const what = this.say(WORDING.leftOver[step]);
      const reasons = problems.map((problem) => this.output.paint('red', messageIn(problem, this.locale)));
      this.#row(this.output.paint(colour, sign), '', what, [say(summary), ...reasons]);
    }
    const mark = this.looks.isStrict ? `${FAILS} ` : '';
    // The table shows those of left-overs.
    const shown = this.output.isJson ? [] : leftOvers.flatMap(({ problems }) => problems);
    for (const warning of warnings)
      if (!shown.includes(warning)) this.output.warn(`${mark}${messageIn(warning, this.locale)}`);
  }

  /** Tells what a run found out that its rehearsal had not shown. */
  protected news({ warnings, leftOvers }: Pick<PlanRun, 'warnings' | 'leftOvers'>): void {
    this.end();
    const said = (one: PlanProblem) => messageIn(one, this.locale);
    for (const one of warnings) this.output.warn(`${one.source ? `${one.source}: ` : ''}${said(one)}`);
    for (const { summary, problems } of leftOvers) {
      this.output.warn([say(summary), ...problems.map(said)].join('\n'));
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
    const answer = await choose(this.say(WORDING.whatFollows(open.length)), signal, [
      ['prune', this.say(WORDING.prune(moved, open.length - moved))],
      ['keep', this.say(WORDING.keep())],
      ['stop', this.say(WORDING.stop())],
    ] as const);
    return answer === 'prune' || answer === 'keep' ? answer : undefined;
  }

  /** Asks on a terminal before a plan is carried out. Without a request, nothing is asked. */
  async confirm({ actions, leftOvers }: Rehearsal, signal: AbortSignal): Promise<boolean> {
    const isSent = ({ state, change }: RehearsedAction) =>
      ['ready', 'changed', 'unpreviewed'].includes(state) && change?.kind !== 'adopt';
    const { others, deleted } = countedOf(actions.filter(isSent), leftOvers);
    return others + deleted === 0 || ask(this.say(WORDING.carryOut(others, deleted)), signal);
  }

  /** Says that the person does not want the plan to be carried out. */
  decline(): void {
    this.output.note(this.say(WORDING.declined()));
  }
}

/** `40 s`, `7 minutes`. */
function duration(ms: number): Both {
  if (ms < 90_000) return WORDING.seconds(Math.max(1, Math.ceil(ms / 1000)));
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 90 ? WORDING.someMinutes(minutes) : WORDING.hours(Math.ceil(minutes / 60));
}
