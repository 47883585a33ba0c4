import { rehearseWithout } from '@multilocal/plans/rehearse';
import type { Client, Identity } from 'multilocal';
import { inside } from 'multilocal/internal/inspect';
import type { Rehearsal, RehearsedAction } from 'multilocal/plans';
import type { PlanOwner, SavedPlan } from './plan-folder.js';
import { unpreviewedBy } from './previews.js';
import type { Connected, Session } from './session.js';
import type { Turn } from './tools/tool.js';

/** How long a rehearsal counts, in ms. */
export const FRESH = 10 * 60_000;

/** Checks and previews a plan, and remembers when. Changes nothing. */
export async function rehearsePlanOf(
  saved: SavedPlan,
  { client }: Connected,
  session: Session,
  { signal, progress }: Turn,
): Promise<Rehearsal> {
  const { plan } = saved.file;
  session.rehearsed.delete(saved.id);
  const rehearsal = await rehearseWithout(unpreviewedBy(await session.contract(client)), client, plan, {
    journal: saved.journal,
    signal,
    onAction: ({ index }) => progress(index + 1, plan.actions.length),
  });
  const warnings = rehearsal.actions.flatMap((action) => action.warnings.map(({ message }) => lineOf(action, message)));
  const done = new Set(rehearsal.actions.flatMap(({ key, state }) => (state === 'done' ? [key] : [])));
  const changes = new Map(
    rehearsal.actions.flatMap((action) => (action.change ? [[action.key, changeOf(action)]] : [])),
  );
  if (isPassed(rehearsal)) session.rehearsed.set(saved.id, { at: Date.now(), warnings, done, changes });
  return rehearsal;
}

function changeOf({ summary, operation, change }: RehearsedAction) {
  const kind = change?.kind === 'replace' ? 'delete' : 'update';
  const operations = [`${operation.split('.')[0]}.${kind}`];
  return { summary, operations: kind === 'delete' ? [...operations, operation] : operations };
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
