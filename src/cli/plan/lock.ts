import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, readdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf, ignoring } from '../../files/files.js';
import { PlanError, unusable } from './problem.js';

/** The content of a lock file. */
interface Holder {
  /** A new one for each lock. */
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  /** When the process was started, in ms. Another process may get the same id later. */
  readonly started?: number | undefined;
  /** The id of the machine's last boot, where the system has one. */
  readonly boot?: string | undefined;
  /** The namespace of process ids: containers have one each. */
  readonly namespace?: string | undefined;
}

/** Describes this process. */
async function ownHolder(): Promise<Holder> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => undefined);
  const namespace = await readlink('/proc/self/ns/pid').catch(() => undefined);
  const started = Math.round(performance.timeOrigin);
  return { id: randomUUID(), pid: process.pid, host: hostname(), started, boot: boot?.trim(), namespace };
}

/** The locks of this process. A lock file with the id of this process that is not among them is a leftover. */
const held = new Set<string>();

/** Error codes of file systems without hard links. */
const NO_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'];

/** A lock file, so that two runs of one plan at the same time are refused. */
export class Lock {
  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  /**
   * Takes the lock. The lock of a killed process of this machine is taken over.
   * @throws a {@link PlanError} if another process holds it.
   */
  static async take(path: string): Promise<Lock> {
    const file = resolve(path);
    if (held.has(file)) throw isHeld(file, `process ${process.pid}, which is this one`);
    held.add(file);
    try {
      await acquire(file, await ownHolder());
      await sweep(file);
      return new Lock(file);
    } catch (error) {
      held.delete(file);
      throw unusable(error, file, 'written');
    }
  }

  async release(): Promise<void> {
    if (held.delete(this.#file)) await rm(this.#file, { force: true });
  }
}

/**
 * Creates the lock file, or replaces that of a dead process. Two processes may find the same dead one at the same time.
 * So each of them takes a second lock first, which is named after the dead one, and then looks again.
 */
async function acquire(file: string, own: Holder): Promise<void> {
  for (;;) {
    if (await create(file, own)) return;
    const holder = await read(file);
    if (holder === undefined) continue;
    if (isAlive(holder, own)) throw isHeld(file, `process ${holder.pid} on the machine ${holder.host}`);
    const claim = `${file}.${holder.id}`;
    await acquire(claim, own);
    if ((await read(file))?.id === holder.id) return await rename(claim, file);
    await rm(claim, { force: true });
  }
}

/** Creates the file with its whole content at once. Returns `false` if it exists. */
async function create(file: string, holder: Holder): Promise<boolean> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  await writeFile(temporary, JSON.stringify(holder), { flag: 'wx' });
  try {
    await link(temporary, file).catch(async (error) => {
      if (!NO_LINKS.includes(codeOf(error))) throw error;
      await copyFile(temporary, file, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    // The holder of the lock sweeps unfinished files of others.
    ignoring('EEXIST', 'ENOENT')(error);
    return false;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Removes what killed processes left beside the lock. The holder of the lock needs none of it. */
async function sweep(file: string): Promise<void> {
  for (const name of await readdir(dirname(file))) {
    if (name.startsWith(`${basename(file)}.`)) await rm(join(dirname(file), name), { force: true });
  }
}

/** Returns the holder, or `undefined` if the lock was released. */
async function read(file: string): Promise<Holder | undefined> {
  const text = await readFile(file, 'utf8').catch(ignoring('ENOENT'));
  if (text === undefined) return undefined;
  try {
    const holder = JSON.parse(text);
    const { id, pid, host } = holder;
    if (/^[\da-f-]{36}$/.test(id) && Number.isSafeInteger(pid) && typeof host === 'string') return holder;
  } catch {
    // Not JSON.
  }
  throw isHeld(file, 'an unknown process');
}

/** Whether the holder may still run. Nobody can tell that of a process on another machine or in another container. */
function isAlive({ pid, host, started, boot, namespace }: Holder, own: Holder): boolean {
  if (host !== own.host) return true;
  if (boot && own.boot && boot !== own.boot) return false;
  if (namespace && own.namespace && namespace !== own.namespace) return true;
  // Another copy of this module in this process may hold it.
  if (pid === process.pid) return started === own.started;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

function isHeld(file: string, who: string): PlanError {
  const hint = `Wait until the other run has ended. If no other run exists, delete ${file}.`;
  return new PlanError('journal_locked', `Another run of this plan holds the lock: ${who}.`, hint);
}
