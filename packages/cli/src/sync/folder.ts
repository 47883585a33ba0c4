import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { adviceOf, createFolder } from '@multilocal/stores/files';
import { Lock } from '@multilocal/stores/journal/lock';
import type { ArticleStore } from 'multilocal';
import { PlanError } from 'multilocal/internal/errors';
import { directoryStore } from 'multilocal/node';
import { EXIT, Failed } from '../failure.js';
import type { Format } from './markdown.js';

/** The code of a folder that holds the articles of another service, brand, key scope or `--bulle`. */
export const ANOTHER_SYNC = 'folder_of_another_sync';

/** The folder of a sync, or a file in it, cannot be used. */
export class FolderError extends Error {
  constructor(
    message: string,
    readonly hint: string,
    readonly code = 'folder',
  ) {
    super(message);
  }
}

/**
 * Creates the folder if it is missing.
 * @throws {FolderError} if nothing can be written there, or if it belongs to something else than a sync.
 */
export async function prepareFolder(
  folder: string,
  store: ArticleStore = directoryStore(folder),
  format: Format = 'json',
): Promise<void> {
  try {
    await createFolder(folder);
    await access(folder, constants.W_OK | constants.X_OK);
    await refuseForeignFiles(folder, store, format);
  } catch (error) {
    throw error instanceof FolderError ? error : folderError(folder, Object(Object(error).cause ?? error));
  }
}

/** A sync would replace a file such as `2024.json` if an article has this id. */
async function refuseForeignFiles(folder: string, store: ArticleStore, format: Format): Promise<void> {
  const names = await readdir(folder);
  if (names.includes('cursor.json')) return;
  const articles = new Set<string>();
  for await (const id of store.ids()) articles.add(`${id}.${format}`);
  const foreign = names.find((name) => /^\d+\.\w+$/.test(name) && name.endsWith(`.${format}`) && !articles.has(name));
  if (foreign === undefined) return;
  throw new FolderError(
    `The folder ${folder} has files that are not articles, such as ${foreign}, and was never synchronised.`,
    'Pass an empty folder, or move these files.',
  );
}

/** Explains an error of the file system. */
export function folderError(
  folder: string,
  { code = 'unknown error', path = folder }: NodeJS.ErrnoException,
): FolderError {
  const what = path === folder ? `The folder ${folder}` : `${path} in the folder ${folder}`;
  return new FolderError(`${what} cannot be read or written (${code}).`, adviceOf(code));
}

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
