import { rehearseWithout } from '@multilocal/plans/inside';
import type { Rehearsal, RehearsedAction } from 'multilocal/plans';
import type { KnownService } from '../contract/known-service.js';
import type { SavedPlan } from './plan-folder.js';
import type { Change, Connected, Session } from './session.js';
import type { Turn } from './tools/tool.js';

/**
 * Operations that have a preview by a general rule of the specification only. If the service ignored their `dry_run`, the
 * preview would publish, so a tool that says it is read-only sends it only after a contract check has seen it honoured.
 */
const PROVEN_FIRST = ['posts.create', 'posts.publish', 'social.publish'] as const;

/** Why one of them was only checked. */
export const UNPROVEN =
  'It was checked against accounts, limits and the posts that there are, and not previewed: no contract check has seen that the service honours its `dry_run`.';

/** Those of the operations whose preview is not proven. */
export function unprovenBy(contract: KnownService | undefined): readonly string[] {
  return PROVEN_FIRST.filter((operation) => contract?.dry_run[operation] !== 'honoured');
}

/** What a tool does with a plan. */
export interface Job extends Connected {
  readonly session: Session;
  readonly turn: Turn;
  readonly saved: SavedPlan;
}

/** Checks and previews a plan, and remembers when. Changes nothing. */
export async function rehearsePlanOf({ saved, client, session, turn: { signal, progress } }: Job): Promise<Rehearsal> {
  const { plan } = saved.file;
  session.rehearsed.delete(saved.id);
  const contract = await session.contract(client);
  const unproven = unprovenBy(contract).map((operation) => [operation, UNPROVEN] as const);
  const unpreviewed = new Map([...unproven, ...(contract?.unpreviewed ?? [])]);
  const rehearsal = await rehearseWithout(unpreviewed, client, plan, {
    journal: saved.journal,
    signal,
    onAction: ({ index }) => progress(index + 1, plan.actions.length),
  });
  const { actions } = rehearsal;
  const warnings = actions.flatMap((action) => action.warnings.map(({ message }) => lineOf(action, message)));
  const done = new Set(actions.flatMap(({ key, state }) => (state === 'done' ? [key] : [])));
  const changes = new Map(actions.flatMap((action) => (action.change ? [[action.key, changeOf(action)]] : [])));
  if (isPassed(rehearsal)) session.rehearsed.set(saved.id, { at: Date.now(), warnings, done, changes });
  return rehearsal;
}

function changeOf({ summary, details, operation, change }: RehearsedAction): Change {
  const [namespace] = operation.split('.');
  const isReplaced = change?.kind === 'replace';
  return { summary, details, operations: isReplaced ? [`${namespace}.delete`, operation] : [`${namespace}.update`] };
}

/** Whether a plan may be carried out. */
export function isPassed(rehearsal: Rehearsal): boolean {
  return rehearsal.ok && objectionsTo(rehearsal).length === 0;
}

/** Why a plan may not be carried out. A twin on the service is a reason: the same post would be there twice. */
export function objectionsTo({ actions }: Rehearsal): string[] {
  return actions.flatMap((action) => {
    const twins = action.warnings.filter(({ code }) => code === 'twin');
    return [...action.problems, ...twins].map(({ message }) => lineOf(action, message));
  });
}

function lineOf({ index }: RehearsedAction, message: string): string {
  return `action ${index + 1}: ${message}`;
}
