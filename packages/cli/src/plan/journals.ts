import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Action } from '@multilocal/plans/actions';
import { readActions } from '@multilocal/plans/actions';
import type { JournalContent } from '@multilocal/plans/journal-content';
import { LASTING, parseJournal } from '@multilocal/plans/journal-content';
import { ignoring } from '@multilocal/stores/files';
import { unusable } from '@multilocal/stores/journal/lock';
import type { Identity } from 'multilocal';
import { isRepeatable } from 'multilocal/internal/call';
import { PlanError } from 'multilocal/internal/errors';
import type { PlanJournal } from 'multilocal/plans';
import type { PlanFile } from './plan-file.js';

/** Returns the path of the journal of a plan. Every name of a plan has the same journal. */
export async function journalOf(plan: string): Promise<string> {
  return `${await targetOf(plan)}.journal.json`;
}

/** Follows a symbolic link. */
async function targetOf(file: string): Promise<string> {
  const stats = await lstat(file).catch(ignoring('ENOENT'));
  if (!stats?.isSymbolicLink()) return file;
  return realpath(file).catch((error) => {
    throw unusable(error, file, 'read');
  });
}

/**
 * Refuses to repeat an action that is in the journal of another plan of the folder. The file may have been renamed, copied
 * or linked. Actions without a target are those of the key's own location, so the journal of another key does not count
 * for them. The address does not count, because a service may move.
 */
export async function refuseRepeated(
  plan: PlanFile,
  own: string,
  journal: PlanJournal,
  identity: Identity,
): Promise<void> {
  const text = await journal.load();
  const entries = text ? Object.values(parseJournal(text).entries) : [];
  const known = new Set(entries.filter(({ outcome }) => LASTING.includes(outcome)).map(({ hash }) => hash));
  const isFresh = ({ hash, endpoint }: Action) => !known.has(hash) && !isRepeatable(endpoint);
  const fresh = new Map(
    readActions(plan.plan)
      .actions.filter(isFresh)
      .map((action) => [action.hash, action]),
  );
  // A journal that has entries must not be replaced by another one.
  const todo = entries.length === 0 ? `rename its journal to ${own}` : 'run it under the old name';
  const same = `If this is the same plan under a new name, ${todo}.`;
  for (const other of await otherJournals(dirname(own), own)) {
    const content = await contentOf(other);
    if (content?.sphere_id !== identity.sphere.id) continue;
    for (const { hash, outcome } of Object.values(content.entries)) {
      if (outcome === 'applied' && isOfAnotherDay(own, other)) continue;
      const action = fresh.get(hash);
      const isSame = action && (content.bulle_id === (identity.bulle?.id ?? null) || action.target !== undefined);
      if (!isSame || !LASTING.includes(outcome)) continue;
      const { line } = plan.at(['actions', action.index]);
      throw new PlanError(
        'journal_of_another_plan',
        `${other} has the action ${action.operation} of line ${line} with the outcome \`${outcome}\`: another plan, or this plan under another name, has sent it.`,
        `${same} If the action must happen once more, move the other plan and its journal to another folder.`,
      );
    }
  }
}

/** Plans of the MCP server bear the day of their rehearsal: what has surely happened on another day may happen again. */
function isOfAnotherDay(own: string, other: string): boolean {
  const [day, before] = [own, other].map((file) => OF_A_DAY.exec(file)?.[1]);
  return day !== undefined && before !== undefined && day !== before;
}

const OF_A_DAY = /(\d{4}-\d\d-\d\d)-[\da-f]{12}\.json\.journal\.json$/;

async function otherJournals(folder: string, own: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.journal.json'));
  const files = names.map((name) => join(folder, name));
  const [target, ...targets] = await Promise.all([own, ...files].map((file) => targetOf(file).catch(() => file)));
  return files.filter((_, index) => targets[index] !== target);
}

/** Returns the content of a journal, or `undefined` if the file is none: other programs may use such names. */
async function contentOf(file: string): Promise<JournalContent | undefined> {
  try {
    return (await stat(file)).isFile() ? parseJournal(await readFile(file, 'utf8')) : undefined;
  } catch {
    return undefined;
  }
}
