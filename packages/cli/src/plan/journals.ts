import { lstat, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ignoring } from '@multilocal/stores/files';
import { unusable } from '@multilocal/stores/journal/lock';
import { PlanError } from 'multilocal/internal/errors';

/** The journal of all plans of a folder. */
export const JOURNAL = 'multilocal.journal.json';

/**
 * Returns the path of the journal of a plan: the one that was named, or that of its folder.
 * @throws a {@link PlanError} if the plan has a journal of its own beside it, which may say what has happened.
 */
export async function journalOf(plan: string, given?: string): Promise<string> {
  if (given !== undefined) return given;
  const file = await targetOf(plan);
  const own = `${file}.journal.json`;
  if (!(await readFile(own).catch(ignoring('ENOENT', 'EISDIR')))) return join(dirname(file), JOURNAL);
  const message = `${own} is a journal of this plan alone, and this version keeps one for each folder. Nothing was sent.`;
  const hint = `It may say what happened. Pass \`--journal ${own}\`, or look in the service and move the file away.`;
  throw new PlanError('journal_unusable', message, hint);
}

/** The journal of a plan as the command line names it, before a symbolic link is followed. */
export const journalBeside = (plan: string, given = join(dirname(plan), JOURNAL)) => given;

/** Follows a symbolic link: every name of a plan has the same journal, and the same name. */
export async function targetOf(file: string): Promise<string> {
  const stats = await lstat(file).catch(ignoring('ENOENT'));
  if (!stats?.isSymbolicLink()) return file;
  return realpath(file).catch((error) => {
    throw unusable(error, file, 'read');
  });
}
