import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, open, readdir, readFile, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ConfigurationError } from 'multilocal/internal/errors';

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
function isTemporary(name: string, of: string): boolean {
  return name.startsWith(`.${of}`) && TEMPORARY_END.test(name.slice(of.length + 1));
}

/** Follows symbolic links, so that every name of a file is the same file and has the same lock. */
export async function targetOf(path: string): Promise<string> {
  const file = resolve(path);
  const stats = await lstat(file).catch(ignoring('ENOENT'));
  return stats?.isSymbolicLink() ? realpath(file) : file;
}

/** Removes what killed processes have left beside a file. */
export async function sweep(file: string, isLeft = isTemporary): Promise<void> {
  for (const name of await readdir(dirname(file)).catch(() => [])) {
    if (isLeft(name, basename(file))) await discard(join(dirname(file), name));
  }
}

/**
 * Replaces a file atomically: after a power cut, it has either the old or the new text. Flush the folder afterwards to
 * make sure that it is the new one.
 */
export function replaceFile(file: string, text: string): Promise<void> {
  return beside(file, text, (temporary) => insist(() => rename(temporary, file)));
}

/**
 * Creates a file. Returns `false` if it exists. On a file system without hard links, others may see it empty or half written
 * for a moment.
 */
export function createFile(file: string, text: string): Promise<boolean> {
  return beside(file, text, (temporary) =>
    link(temporary, file)
      .catch((error) => {
        if (!NO_LINKS.includes(codeOf(error))) throw error;
        return writeFlushed(file, text);
      })
      // ENOENT: another process has removed the temporary file.
      .then(() => true, ignoring('EEXIST', 'ENOENT'))
      .then(Boolean),
  );
}

/** Writes a temporary file beside a file for `use`. It leaves none behind: on a full disk, they would take the rest. */
async function beside<Result>(
  file: string,
  text: string,
  use: (temporary: string) => Promise<Result>,
): Promise<Result> {
  const temporary = join(dirname(file), `.${basename(file)}.${randomUUID()}.tmp`);
  try {
    await writeFlushed(temporary, text);
    return await use(temporary);
  } finally {
    await discard(temporary);
  }
}

/** Writes a new file and flushes it. */
async function writeFlushed(file: string, text: string): Promise<void> {
  // One handle writes and flushes, because Windows cannot flush a handle that was opened for reading.
  const handle = await insist(() => open(file, 'wx'));
  try {
    await handle
      .writeFile(text)
      .then(() => handle.sync())
      .finally(() => handle.close());
  } catch (error) {
    await discard(file);
    throw error;
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

/** Removes a file, if it is there. */
export const removeFile = (file: string) => insist(() => rm(file, { force: true }));

/** Removes a file that does no harm if it stays. Returns `false` then. */
export const discard = (file: string) =>
  removeFile(file)
    .then(() => true)
    .catch(() => false);

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

/** Reads a file. A missing one is `undefined`. */
export const readText = (file: string) => insist(() => readFile(file, 'utf8').catch(ignoring('ENOENT')));

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

/** What to do about error codes of the system. */
const ADVICE: readonly (readonly [codes: RegExp, advice: string])[] = [
  [/^(ENOSPC|EDQUOT)$/, 'The disk is full. Make room and run again: nothing is lost.'],
  [/^EROFS$/, 'The disk is read-only. Choose another folder.'],
  [/^(EACCES|EPERM)$/, 'Check the rights of this user, and whether another program has the file open.'],
  [/^(ENOTDIR|EEXIST)$/, 'A part of the path is a file. Choose another folder.'],
  [/^(EMFILE|ENFILE)$/, 'The process has too many open files. Raise its limit.'],
];

export const adviceOf = (code: string): string =>
  ADVICE.find(([codes]) => codes.test(code))?.[1] ?? 'Check the path, its rights and the space on the disk.';

/** Runs an action on the folder of a store. An error of the system becomes one that says what to do. */
export async function inFolder<Result>(path: string, action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (cause) {
    const code = codeOf(cause);
    if (!/^E[A-Z\d]+$/.test(code)) throw cause;
    throw new ConfigurationError(`${path} cannot be read or written (${code}). ${adviceOf(code)}`, {
      cause,
    });
  }
}
