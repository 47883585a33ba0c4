import { lstat, readFile, realpath, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, flushFolder, ignoring, replaceFile } from '@multilocal/stores/files';
import { AgentsError } from './error.js';

/** The file that coding agents read, in the current folder. */
export const FILE = 'AGENTS.md';

/** AGENTS.md, or the file that it links to. */
export interface AgentsFile {
  readonly path: string;
  readonly isLink: boolean;
  /** `undefined` if there is no file. */
  readonly text: string | undefined;
}

/** @throws {AgentsError} if the file cannot be read as UTF-8. */
export async function readAgentsFile(): Promise<AgentsFile> {
  return orAgentsError(async () => {
    const stats = await lstat(FILE).catch(ignoring('ENOENT'));
    if (!stats) return { path: FILE, isLink: false, text: undefined };
    const isLink = stats.isSymbolicLink();
    const path = isLink ? await realpath(FILE) : FILE;
    // What is written again must have the same bytes.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { path, isLink, text: decoder.decode(await readFile(path)) };
  });
}

/** Writes the file atomically. A link stays a link. */
export async function writeAgentsFile({ path }: AgentsFile, text: string): Promise<void> {
  await orAgentsError(async () => {
    await replaceFile(path, text);
    await flushFolder(dirname(path));
  });
}

export async function deleteAgentsFile({ path }: AgentsFile): Promise<void> {
  await orAgentsError(() => rm(path));
}

async function orAgentsError<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    const code = codeOf(error);
    if (code === '') throw error;
    const [message, hint] = PROBLEMS[code] ?? [`${FILE} cannot be read or written (${code}).`, 'Check its rights.'];
    throw new AgentsError('agents_unusable', `${message} Nothing was written.`, hint);
  }
}

const PROBLEMS: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  EISDIR: [`${FILE} is a folder.`, 'Rename the folder.'],
  ELOOP: [`${FILE} is a link to itself.`, 'Correct the link, or remove it.'],
  ENOENT: [`${FILE} is a link to a file that does not exist.`, 'Create that file, or remove the link.'],
  ENOSPC: ['The disk is full.', 'Make room and run the command again.'],
  ERR_ENCODING_INVALID_ENCODED_DATA: [`${FILE} is not UTF-8 text.`, 'Save it as UTF-8.'],
};
