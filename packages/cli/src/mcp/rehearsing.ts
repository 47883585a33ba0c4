import { rehearseWithout, runWithout, unlistedPreviews } from '@multilocal/plans/inside';
import type { PlanRun, Rehearsal, RehearsedAction } from 'multilocal/plans';
import type { KnownService } from '../contract/known-service.js';
import { AGENT, say } from '../front.js';
import { choicesOf, type Option } from './options.js';
import type { SavedPlan } from './plan-folder.js';
import type { Connected, Rehearsed, Session } from './session.js';
import type { Turn } from './tools/tool.js';

/** Why one of the {@link unlistedPreviews} was only checked: a tool that says it is read-only must not publish. */
export const UNPROVEN =
  'It was checked against accounts, limits and the posts that there are, and not previewed: no contract check has seen that the service honours its `dry_run`.';

/** Those of the operations whose preview is not proven. */
export function unprovenBy(contract: KnownService | undefined): readonly string[] {
  return unlistedPreviews.filter((operation) => contract?.dry_run[operation] !== 'honoured');
}

/** What a tool does with a plan. */
export interface Job extends Connected {
  readonly session: Session;
  readonly turn: Turn;
  readonly saved: SavedPlan;
}

/** Checks and previews a plan. Changes nothing. */
export async function rehearsePlanOf(job: Job, options: readonly Option[]): Promise<Rehearsed> {
  const { saved, client, turn } = job;
  const { plan } = saved.file;
  const choices = choicesOf(options);
  const rehearsal = await rehearseWithout(await unpreviewedFor(job), client, plan, {
    ...choices,
    journal: saved.journal,
    signal: turn.signal,
    onAction: ({ index }) => turn.progress(index + 1, plan.actions.length),
  });
  const { actions, warnings: whole } = rehearsal;
  const own = actions.flatMap((action) => action.warnings.map(({ message }) => lineOf(action, message)));
  const warnings = [...whole.map(({ message }) => say(message, AGENT)), ...own];
  return { at: Date.now(), rehearsal, warnings, options, journal: await saved.journal.load() };
}

/** Carries out what was rehearsed, and nothing else. */
export async function runPlanOf(job: Job, { rehearsal, options }: Rehearsed): Promise<PlanRun> {
  const { saved, client, turn } = job;
  return runWithout(await unpreviewedFor(job), client, saved.file.plan, {
    ...choicesOf(options),
    journal: saved.journal,
    signal: turn.signal,
    approved: rehearsal.hash,
    onStep: ({ index }) => turn.progress(index + 1, rehearsal.actions.length),
  });
}

async function unpreviewedFor({ session, client }: Job): Promise<ReadonlyMap<string, string>> {
  const contract = await session.contract(client);
  // `rehearse` says it once for several actions.
  const unproven = unprovenBy(contract).map((operation) => [operation, ''] as const);
  return new Map([...unproven, ...(contract?.unpreviewed ?? [])]);
}

/** Why a plan may not be carried out. */
export function objectionsTo({ actions, leftOvers, warnings, ok }: Rehearsal): string[] {
  const own = actions.flatMap((action) => action.problems.map(({ message }) => lineOf(action, message)));
  const left = leftOvers.flatMap(({ problems }) => problems.map(({ message }) => say(message, AGENT)));
  const found = [...own, ...left];
  // A post that nobody knows of stops a plan, too.
  return found.length > 0 || ok ? found : warnings.map(({ message }) => say(message, AGENT));
}

function lineOf({ index }: RehearsedAction, message: string): string {
  return `action ${index + 1}: ${say(message, AGENT)}`;
}
