import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Reservation } from 'multilocal';
import { ConfigurationError } from 'multilocal/internal/errors';
import { createFile, createFolder, discard, ignoring, inFolder, insist, readText, replaceFile } from './files.js';
import { type Holder, isAlive, ownHolder } from './journal/lock.js';

/** Milliseconds until a reservation expires that is not renewed. */
const LEASE = 30_000;

/** The content of a file that reserves something. */
interface Lease extends Holder {
  /** Until when the folder is reserved, in ms since the epoch. */
  readonly until: number;
}

/**
 * Takes a lease for all processes of the machine, by the name of the file that reserves it. The lease of a killed process
 * ends at once, and one that is not renewed expires, because containers cannot see each other's processes.
 */
export async function leaseBy(file: string): Promise<Reservation | null> {
  // Deno asks for a permission before it returns the name of the machine.
  const own = await ownHolder().catch(() => ({ id: randomUUID(), pid: 0, host: '' }));
  const text = () => JSON.stringify({ ...own, until: Date.now() + LEASE } satisfies Lease);
  const isOurs = async () => (await read(file))?.id === own.id;
  const take = async () => {
    await createFolder(dirname(file));
    const before = await read(file);
    if (before && (isHeld(before, own) || !(await removeEnded(file, before)))) return false;
    return createFile(file, text());
  };
  const renew = async () => {
    if (!(await isOurs())) return false;
    await replaceFile(file, text());
    return true;
  };
  const end = async () => {
    if (await isOurs().catch(() => false)) await discard(file);
  };
  if (!(await inFolder(file, take))) return null;
  // The end never fails: what was done is done, and a reservation expires by itself.
  return Object.assign(end, { renew: () => inFolder(file, renew) });
}

/** Whether a reservation counts. One that lasts much longer than any is of a clock that was ahead. */
function isHeld(lease: Lease, own: Holder): boolean {
  const left = lease.until - Date.now();
  return left > 0 && left <= 2 * LEASE && isAlive(lease, own);
}

/** Removes a reservation that has ended. Returns `false` if another process was faster. */
async function removeEnded(file: string, ended: Lease): Promise<boolean> {
  const aside = join(dirname(file), `.${basename(file)}.${randomUUID()}.tmp`);
  // Of all processes that find it, one can rename it.
  await insist(() => rename(file, aside)).catch(ignoring('ENOENT'));
  const removed = await read(aside);
  const isIt = removed?.id === ended.id;
  try {
    // The lease of a process that was faster goes back to its place.
    if (removed && !isIt) await createFile(file, JSON.stringify(removed));
  } finally {
    await discard(aside);
  }
  return isIt;
}

/** Milliseconds for which another process may be writing a file that is empty or incomplete, and between looks at it. */
const [WRITING, LOOK] = [1_000, 50];

/**
 * Reads a lease. A file that stays empty is one that a power cut left.
 * @throws a {@link ConfigurationError} if a file of another program has the name.
 */
async function read(file: string): Promise<Lease | undefined> {
  for (let waited = 0; ; waited += LOOK) {
    const text = await readText(file);
    if (text === undefined) return undefined;
    try {
      const { id, host, until, ...rest } = JSON.parse(text) as Lease;
      if (typeof id === 'string' && typeof host === 'string' && Number.isFinite(until))
        return { id, host, until, ...rest };
      break;
    } catch {
      // It may be incomplete.
      if (waited >= WRITING && text.trim() === '') return { id: '', pid: 0, host: '', until: 0 };
      if (waited >= WRITING) break;
    }
    await setTimeout(LOOK);
  }
  const reason = 'is not a reservation, but the store needs this name for one. Move or rename the file.';
  throw new ConfigurationError(`${file} ${reason}`);
}
