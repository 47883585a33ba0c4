import { lstat, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ignoring } from '@multilocal/stores/files';
import { unusable } from '@multilocal/stores/journal/lock';

/** The journal of all plans of a folder. */
export const JOURNAL = 'multilocal.journal.json';

/** Returns the path of the journal of a plan: the one that was named, or that of its folder. */
export async function journalOf(plan: string, given?: string): Promise<string> {
  return given ?? join(dirname(await targetOf(plan)), JOURNAL);
}

/** Follows a symbolic link: every name of a plan has the same journal. */
async function targetOf(file: string): Promise<string> {
  const stats = await lstat(file).catch(ignoring('ENOENT'));
  if (!stats?.isSymbolicLink()) return file;
  return realpath(file).catch((error) => {
    throw unusable(error, file, 'read');
  });
}
