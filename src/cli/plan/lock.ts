import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, readdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { hostname, uptime } from 'node:os';
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
  /** The id of the machine, where the system has one. */
  readonly machine?: string | undefined;
  /** The namespace of process ids: containers have one each. */
  readonly namespace?: string | undefined;
}

/** Describes this process. */
async function ownHolder(): Promise<Holder> {
  const idIn = (file: string) =>
    readFile(file, 'utf8').then(
      (id) => id.trim() || undefined,
      () => undefined,
    );
  const boot = await idIn('/proc/sys/kernel/random/boot_id');
  const machine = await idIn('/etc/machine-id');
  const namespace = await readlink('/proc/self/ns/pid').catch(() => undefined);
  const started = Math.round(performance.timeOrigin);
  return { id: randomUUID(), pid: process.pid, host: hostname(), started, boot, machine, namespace };
}

/** The locks of this process. A lock file with the id of this process that is not among them is a leftover. */
const held = new Set<string>();

/** Error codes of file systems without hard links. */
const NO_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'];

/** A lock file, so that two runs of one plan at the same time are refused. */
export class Lock {
  readonly #file: string;
  readonly #id: string;

  private constructor(file: string, id: string) {
    this.#file = file;
    this.#id = id;
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
      const own = await ownHolder();
      await acquire(file, own);
      await sweep(file);
      return new Lock(file, own.id);
    } catch (error) {
      held.delete(file);
      throw unusable(error, file, 'written');
    }
  }

  /** Ends the lock, if it still is the one of this run: a person may have deleted it, and another run has begun. */
  async release(): Promise<void> {
    if (held.delete(this.#file) && (await this.#isOwn())) await rm(this.#file, { force: true });
  }

  /** @throws a {@link PlanError} with this outcome if the lock is no longer the one of this run. */
  async check(outcome: 'not_applied' | 'unknown'): Promise<void> {
    if (await this.#isOwn()) return;
    const message = 'The lock of this plan was deleted or taken by another run while this run went on.';
    throw new PlanError('journal_locked', message, 'Wait until no run exists, then run it again.', [], outcome);
  }

  async #isOwn(): Promise<boolean> {
    const holder = await read(this.#file).catch(() => undefined);
    return holder?.id === this.#id;
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

/**
 * Whether the holder may still run. Nobody can tell that of a process on another machine or in another container, and two
 * machines that share a folder may have the same host name.
 */
function isAlive({ pid, host, started, boot, machine, namespace }: Holder, own: Holder): boolean {
  if (host !== own.host) return true;
  if (machine && own.machine && machine !== own.machine) return true;
  const isSameBoot = boot !== undefined && boot === own.boot;
  const isSameMachine = isSameBoot || (machine !== undefined && machine === own.machine);
  // A lock from before this machine's boot may be its own. A later one belongs to another machine.
  if (boot && own.boot && !isSameBoot) return started === undefined || started >= Date.now() - uptime() * 1000;
  if (!isSameMachine) return true;
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
