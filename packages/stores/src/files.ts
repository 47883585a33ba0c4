import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** Error codes on Windows if another program has the file open: a reader, an indexer or a virus scanner. */
const IN_USE = ['EACCES', 'EBUSY', 'EPERM'];
/** Waits between retries on such a file, in ms: 1.3 s in total. */
const WAITS = [10, 20, 40, 80, 160, 320, 640];
/** Error codes on Windows and some network file systems, which cannot flush a folder. */
const NO_FOLDER_FLUSH = ['EACCES', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM'];

/** Error codes of file systems without hard links. */
const NO_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'];

/** Matches the rest of a temporary name behind the name of its file. */
const TEMPORARY_END = /^\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/;

/** Whether a killed {@link replaceFile} may have left this name instead of a file of the name `of`. */
export function isTemporary(name: string, of: string): boolean {
  return name.startsWith(`.${of}`) && TEMPORARY_END.test(name.slice(of.length + 1));
}

/**
 * Replaces a file atomically: after a power cut, it has either the old or the new text. Flush the folder afterwards to
 * make sure that it is the new one.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file)}.${randomUUID()}.tmp`);
  try {
    await writeFlushed(temporary, text);
    await insist(() => rename(temporary, file));
  } catch (error) {
    // On a full disk, unfinished files would take the rest. The first error is more important.
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

/** Creates a file with its whole content at once. Returns `false` if it exists. */
export async function createFile(file: string, text: string): Promise<boolean> {
  const temporary = join(dirname(file), `.${basename(file)}.${randomUUID()}.tmp`);
  await insist(() => writeFile(temporary, text, { flag: 'wx' }));
  try {
    await link(temporary, file).catch(async (error) => {
      if (!NO_LINKS.includes(codeOf(error))) throw error;
      await copyFile(temporary, file, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    // ENOENT: another process has removed the temporary file.
    ignoring('EEXIST', 'ENOENT')(error);
    return false;
  } finally {
    await insist(() => rm(temporary, { force: true })).catch(() => {});
  }
}

/** Writes a new file and flushes it. */
async function writeFlushed(file: string, text: string): Promise<void> {
  // One handle writes and flushes, because Windows cannot flush a handle that was opened for reading.
  const handle = await insist(() => open(file, 'wx'));
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates a folder, and those around it. On a read-only disk Node reports ENOENT for that, and EROFS for a single folder. */
export async function createFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch(async (error) => {
    const parent = dirname(path);
    if (codeOf(error) !== 'ENOENT' || parent === path) throw error;
    await createFolder(parent);
    await mkdir(path).catch(ignoring('EEXIST'));
  });
}

/** Flushes a folder, so that new and removed names are on the disk. A missing folder has none. */
export async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(ignoring('ENOENT', ...NO_FOLDER_FLUSH));
  try {
    await folder?.sync().catch(ignoring(...NO_FOLDER_FLUSH));
  } finally {
    await folder?.close();
  }
}

/** Retries an action for about a second if another program has the file open. */
export async function insist<Result>(action: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      return await action();
    } catch (error) {
      const wait = WAITS[tries];
      if (wait === undefined || !IN_USE.includes(codeOf(error))) throw error;
      await setTimeout(wait);
    }
  }
}

/** Returns `undefined` for errors with one of the codes, and throws the others. */
export function ignoring(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    if (!codes.includes(codeOf(error))) throw error;
  };
}

/** Returns the code of an error of the system, or `''`. */
export function codeOf(error: unknown): string {
  return (Object(error) as NodeJS.ErrnoException).code ?? '';
}
