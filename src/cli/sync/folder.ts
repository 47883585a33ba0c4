import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';

/** The folder of a sync, or what is in it, is not as it must be. */
export class FolderError extends Error {
  readonly code: string = 'folder';
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

/** Creates the folder if it is missing. @throws {FolderError} if nothing can be written there. */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw folderError(folder, error as NodeJS.ErrnoException);
  }
}

/** Explains an error of the file system. */
export function folderError(
  folder: string,
  { code = 'unknown error', path = folder }: NodeJS.ErrnoException,
): FolderError {
  const what = path === folder ? `The folder ${folder}` : `${path} in the folder ${folder}`;
  return new FolderError(
    `${what} cannot be read or written (${code}).`,
    HINTS[code] ?? 'Check the path and its rights.',
  );
}

const HINTS: Readonly<Record<string, string>> = {
  EEXIST: 'A file has this name. Pass another folder.',
  ENOTDIR: 'A part of the path is a file. Pass another folder.',
  ENOSPC: 'The disk is full. Make room and run the command again: it goes on from there.',
  EROFS: 'The disk is read-only. Pass another folder.',
};
