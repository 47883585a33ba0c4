import { randomUUID } from 'node:crypto';
import { readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Reservation } from 'multilocal';
import { ConfigurationError } from 'multilocal/internal/errors';
import { createFile, createFolder, ignoring, insist, replaceFile } from './files.js';
import { type Holder, isAlive, ownHolder } from './journal/lock.js';

/** Name of the file that reserves a folder. */
export const LEASE_FILE = 'lease.json';
/** Milliseconds until a reservation expires that is not renewed. */
const LEASE = 30_000;

/** The content of the file. */
interface Lease extends Holder {
  /** Until when the folder is reserved, in ms since the epoch. */
  readonly until: number;
}

/**
 * The lease of a folder, for all processes of the machine. The lease of a killed process ends at once, and one that is not
 * renewed expires, because containers cannot see each other's processes.
 */
export async function leaseFolder(path: string): Promise<Reservation | null> {
  const file = join(path, LEASE_FILE);
  // Deno asks for a permission before it returns the name of the machine.
  const own = await ownHolder().catch(() => ({ id: randomUUID(), pid: 0, host: '' }));
  const text = () => JSON.stringify({ ...own, until: Date.now() + LEASE } satisfies Lease);
  await createFolder(path);
  const before = await read(file);
  if (before && isHeld(before, own)) return null;
  if (before && !(await removeEnded(file, before))) return null;
  if (!(await createFile(file, text()))) return null;

  const isOurs = async () => (await read(file))?.id === own.id;
  const renew = async () => {
    if (!(await isOurs())) return false;
    await replaceFile(file, text());
    return true;
  };
  const end = async () => {
    if (await isOurs()) await insist(() => rm(file, { force: true }));
  };
  return Object.assign(end, { renew });
}

/** Whether a reservation counts. One that lasts much longer than any is of a clock that was ahead. */
function isHeld(lease: Lease, own: Holder): boolean {
  const left = lease.until - Date.now();
  return left > 0 && left <= 2 * LEASE && isAlive(lease, own);
}

/** Removes a reservation that has ended. Returns `false` if another process was faster. */
async function removeEnded(file: string, ended: Lease): Promise<boolean> {
  const aside = join(dirname(file), `.${LEASE_FILE}.${randomUUID()}.tmp`);
  // Of all processes that find it, one can rename it.
  await insist(() => rename(file, aside)).catch(ignoring('ENOENT'));
  const removed = await read(aside);
  const isIt = removed?.id === ended.id;
  // The lease of a process that was faster goes back to its place.
  if (removed && !isIt) await createFile(file, JSON.stringify(removed));
  await insist(() => rm(aside, { force: true }));
  return isIt;
}

/**
 * Reads a lease. An empty file is one that a power cut left.
 * @throws a {@link ConfigurationError} if a file of another program has the name.
 */
async function read(file: string): Promise<Lease | undefined> {
  const text = await insist(() => readFile(file, 'utf8').catch(ignoring('ENOENT')));
  if (text === undefined) return undefined;
  if (text.trim() === '') return { id: '', pid: 0, host: '', until: 0 };
  try {
    const lease = JSON.parse(text) as Lease;
    if (typeof lease.id === 'string' && typeof lease.host === 'string' && Number.isFinite(lease.until)) return lease;
  } catch {
    // Not JSON.
  }
  const reason = 'is not a reservation, but the store needs this name for one. Move or rename the file.';
  throw new ConfigurationError(`directoryStore: ${file} ${reason}`);
}
