import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { adviceOf, createFolder } from '@multilocal/stores/files';
import { leaseBy } from '@multilocal/stores/folder-lease';
import type { ArticleStore, Reservation } from 'multilocal';
import { directoryStore } from 'multilocal/node';
import { EXIT, Failed } from '../failure.js';
import type { Format } from './markdown.js';

/** The code of a folder that holds the articles of another service, brand, key scope or `--bulle`. */
export const ANOTHER_SYNC = 'folder_of_another_sync';

/** Milliseconds between two renewals of the lock, which expires after three of them. */
const RENEWAL = 10_000;

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

/** The lock of a folder. */
export interface FolderLock {
  /** Called before each run: the lock of a machine that was asleep may have expired. */
  check(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes the lock of a folder: two runs would remove each other's unfinished files. That of a killed process of this machine
 * is taken over at once, that of a killed container when it expires.
 * @throws a {@link FolderError} if another sync runs in the folder.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const file = resolve(folder, '.sync.lock');
  let lease: Reservation | null = null;
  const take = async () => {
    if (await lease?.renew?.()) return;
    lease = await leaseBy(file);
    if (lease) return;
    const hint = `Wait until the other run has ended. If no other run exists, delete ${file}.`;
    const held = new FolderError(`Another sync runs in the folder ${folder}. Nothing was changed.`, hint);
    throw new Failed(held, {}, EXIT.retry);
  };
  let taken = take();
  const check = () => {
    taken = taken.catch(() => {}).then(take);
    return taken;
  };
  await taken.catch((error) => {
    // Its advice speaks of a store.
    throw error instanceof Failed ? error : new FolderError(error.message, 'Then run the command again.');
  });
  const timer = setInterval(() => void check().catch(() => {}), RENEWAL);
  const release = async () => {
    clearInterval(timer);
    await taken.catch(() => {});
    await lease?.();
  };
  return { check, release };
}
