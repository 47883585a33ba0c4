import { join } from 'node:path';
import { Lock } from '@multilocal/stores/journal/lock';
import { PlanError } from 'multilocal/internal/errors';
import { EXIT, Failed } from '../failure.js';
import { FolderError } from './folder.js';

/**
 * Takes the lock of a folder: two runs would remove each other's unfinished files. The lock of a killed process of this
 * machine is taken over.
 * @throws a {@link FolderError} if another sync runs in the folder.
 */
export async function lockFolder(folder: string): Promise<Lock> {
  try {
    return await Lock.take(join(folder, '.sync.lock'));
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    // The messages of the lock speak of plans. Its hints do not.
    if (error.code !== 'journal_locked') throw new FolderError(error.message, error.hint);
    const held = new FolderError(`Another sync runs in the folder ${folder}. Nothing was changed.`, error.hint);
    throw new Failed(held, {}, EXIT.retry);
  }
}
