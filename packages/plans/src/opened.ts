import { issuesOf } from 'multilocal/internal/issues';
import { invalid } from 'multilocal/internal/request';
import * as s from 'multilocal/internal/schema';
import type { PlanJournal } from 'multilocal/node';
import * as z from 'zod/mini';
import { type Action, type Actions, type PlanProblem, resolveTargets } from './actions.js';
import type { Context, PlanOptions } from './context.js';
import { stepOf } from './diff.js';
import { hashOfActions } from './hash.js';
import type { Entry } from './journal-content.js';
import { Ledger } from './ledger.js';
import { type LeftOver, leftOversOf } from './left-overs.js';
import type { PlanChoices } from './results.js';
import { Service } from './service.js';
import type { Sides, Step } from './sides.js';

/** A plan with the three sides that are compared: the actions that are wanted, the ledger, and the service. */
export class Opened {
  readonly service: Service;

  private constructor(
    readonly context: Context,
    readonly ledger: Ledger,
    readonly plan: Sides['plan'],
    readonly options: PlanChoices,
  ) {
    this.service = new Service(context);
  }

  /** Opens a plan that was read, and whose options were checked. `isHeld`: this run holds the lock of the journal. */
  static async open(
    context: Context,
    { name, covers, actions }: Actions,
    journal: PlanJournal,
    options: PlanChoices,
    isHeld = false,
  ): Promise<Opened> {
    const owner = await context.owner();
    const ledger = await Ledger.open(journal, owner, { timer: context.timer, isHeld });
    const placed = resolveTargets(actions, context.client);
    const planHash = hashOfActions(name, placed);
    const plan = { name, covers, actions: placed.map((action) => ({ ...action, planHash })) };
    return new Opened(context, ledger, plan, options);
  }

  /** The three sides as they are now. `recorded`: what the journal would say. */
  sides(recorded: ReadonlyMap<string, Entry> = this.ledger.entries()): Sides {
    const { plan, service, context, options } = this;
    const { again, retryFailed } = options;
    return { plan, recorded, there: service, now: context.timer.date(), again, retryFailed };
  }

  /** The step of an action, once everything that it asks for was read. */
  async stepOf(action: Action, recorded?: ReadonlyMap<string, Entry>): Promise<Exclude<Step, { do: 'read' }>> {
    for (;;) {
      const step = stepOf(action, this.sides(recorded));
      if (step.do !== 'read') return step;
      await this.service.read(step.reading);
    }
  }

  /** The left-overs, once everything that they ask for was read. */
  async leftOvers(recorded?: ReadonlyMap<string, Entry>): Promise<readonly LeftOver[]> {
    for (;;) {
      const found = leftOversOf(this.sides(recorded), this.options);
      if ('length' in found) return found;
      await this.service.read(found);
    }
  }
}

const yesOrNo = z.optional(s.boolean);

const OPTIONS = {
  leftOver: z.optional(s.oneOf(['refuse', 'prune', 'keep'])),
  allowMassDeletion: yesOrNo,
  again: yesOrNo,
  keepGoing: yesOrNo,
  retryFailed: yesOrNo,
  signal: z.nullish(z.custom((value) => typeof Object(value).throwIfAborted === 'function', s.must('an AbortSignal'))),
  onProgress: s.aFunction,
  timer: z.optional(s.anything),
};

/** What only some of the functions take. */
const OTHERS = {
  journal: z.optional(s.anything),
  onAction: s.aFunction,
  onStep: s.aFunction,
  approved: z.nullish(s.string),
};

const NAMES = {
  kind: 'option' as const,
  // What the flags of the command, and an earlier option, are called in a program.
  elsewhere: {
    prune: "is an unknown option. Did you mean `leftOver: 'prune'`?",
    keepLeftOvers: "is an unknown option. Did you mean `leftOver: 'keep'`?",
  },
};

/** @throws an `InvalidRequestError` for an option that would be ignored, or understood as another: `'false'` would count as true. */
export function checkOptions(operation: string, options: PlanOptions, more: readonly (keyof typeof OTHERS)[]): void {
  const others = Object.fromEntries(more.map((name) => [name, OTHERS[name]]));
  const issues = issuesOf(s.params({ ...OPTIONS, ...others }), options, NAMES);
  if (issues) throw invalid(issues, { operation });
}

/** Problems with the places where their actions were written. */
export function withSource<One extends PlanProblem>(
  problems: readonly One[],
  { source }: Pick<Action, 'source'>,
): One[] {
  return problems.map((problem) => (source === undefined ? problem : { ...problem, source }));
}
