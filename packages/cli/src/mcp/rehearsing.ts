import { rehearseWithout } from '@multilocal/plans/rehearse';
import type { Client, Identity } from 'multilocal';
import { inside } from 'multilocal/internal/inspect';
import type { Rehearsal, RehearsedAction } from 'multilocal/plans';
import { refuseRepeated } from '../plan/journals.js';
import type { PlanOwner, SavedPlan } from './plan-folder.js';
import { unpreviewedBy } from './previews.js';
import type { Connected, Session } from './session.js';
import type { Turn } from './tools/tool.js';

/** How long a rehearsal counts, in ms. */
export const FRESH = 10 * 60_000;

/** Checks and previews a plan, and remembers when. Changes nothing. */
export async function rehearsePlanOf(
  saved: SavedPlan,
  { client, identity }: Connected,
  session: Session,
  { signal, progress }: Turn,
): Promise<Rehearsal> {
  const { plan } = saved.file;
  session.rehearsed.delete(saved.id);
  await refuseRepeated(saved.file, saved.journalPath, saved.journal, identity);
  const rehearsal = await rehearseWithout(unpreviewedBy(await session.contract(client)), client, plan, {
    journal: saved.journal,
    signal,
    onAction: ({ index }) => progress(index + 1, plan.actions.length),
  });
  const warnings = rehearsal.actions.flatMap((action) => action.warnings.map(({ message }) => lineOf(action, message)));
  if (isPassed(rehearsal)) session.rehearsed.set(saved.id, { at: Date.now(), warnings });
  return rehearsal;
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

/** Whose plans a client makes. */
export async function ownerOf(client: Client, { sphere, bulle }: Identity): Promise<PlanOwner> {
  return { sphere: sphere.id, bulle: bulle?.id, address: inside(client).address };
}
