import { randomUUID } from 'node:crypto';
import { lstat, readFile, readlink, rename } from 'node:fs/promises';
import { hostname, uptime } from 'node:os';
import { resolve } from 'node:path';
import { PlanError } from 'multilocal/internal/errors';
import { clip } from 'multilocal/internal/text';
import { adviceOf, codeOf, createFile, discard, ignoring, readText, sweep } from '../files.js';

/** The content of a lock file. */
export interface Holder {
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
export async function ownHolder(): Promise<Holder> {
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

/** The locks of this process. A lock file with the id of this process that is not in this set is from an earlier process. */
const held = new Set<string>();
/** The ids of locks whose files could not be removed: on Windows, another program may have a file open. */
const released = new Set<string>();

/** A lock file, so that two runs of one plan at the same time are refused. */
export class Lock {
  readonly #file: string;
  readonly #id: string;

  private constructor(file: string, id: string) {
    this.#file = file;
    this.#id = id;
  }

  /**
   * Takes the lock. It replaces the lock of a killed process of this machine.
   * @throws a {@link PlanError} if another process holds it.
   */
  static async take(path: string): Promise<Lock> {
    const file = resolve(path);
    if (held.has(file)) throw isHeld(file, `process ${process.pid}, which is this one`);
    held.add(file);
    try {
      const own = await ownHolder();
      await acquire(file, own);
      await sweep(file, isLeft);
      return new Lock(file, own.id);
    } catch (error) {
      held.delete(file);
      throw unusable(error, file, 'written');
    }
  }

  /** Deletes the lock file, unless another run has made it: a person may delete ours. Never fails. */
  async release(): Promise<void> {
    if (held.delete(this.#file) && !((await this.#isOwn()) && (await discard(this.#file)))) released.add(this.#id);
  }

  /** @throws a {@link PlanError} if the lock no longer belongs to this run. */
  async check(): Promise<void> {
    if (await this.#isOwn()) return;
    const message = 'The lock of this plan was deleted or taken by another run while this run went on.';
    throw new PlanError('journal_locked', message, 'Wait until no run exists, then run it again.');
  }

  async #isOwn(): Promise<boolean> {
    const holder = await read(this.#file).catch(() => undefined);
    return holder?.id === this.#id;
  }
}

/**
 * Creates the lock file, or replaces the lock file of a dead process. Two processes may find the same dead process at the
 * same time. So each of them first takes a second lock, whose name contains the id of the first lock, and then reads the
 * first lock again.
 */
async function acquire(file: string, own: Holder): Promise<void> {
  for (;;) {
    if (await createFile(file, JSON.stringify(own))) return;
    const holder = await read(file);
    if (holder === undefined) {
      await refuseLink(file);
      continue;
    }
    if (!released.has(holder.id) && isAlive(holder, own))
      throw isHeld(file, `process ${holder.pid} on the machine ${clip(holder.host)}`);
    const claim = `${file}.${holder.id}`;
    await acquire(claim, own);
    try {
      if ((await read(file))?.id === holder.id) return await rename(claim, file);
    } finally {
      await discard(claim);
    }
  }
}

/** A symbolic link to a missing file can neither be read nor be created, so the loop of {@link acquire} would not end. */
async function refuseLink(file: string): Promise<void> {
  const stats = await lstat(file).catch(ignoring('ENOENT'));
  if (!stats?.isSymbolicLink()) return;
  const message = `${file} is a symbolic link to a file that does not exist.`;
  throw new PlanError('journal_unusable', message, `Delete ${file}. Nothing was carried out.`);
}

/** Whether a killed process may have left this name beside a lock. Only the run that holds the lock may remove it. */
const isLeft = (name: string, of: string) =>
  name.startsWith(`${of}.`) || (name.startsWith(`.${of}.`) && name.endsWith('.tmp'));

/** Returns the holder, or `undefined` if the lock was released. */
async function read(file: string): Promise<Holder | undefined> {
  const text = await readText(file);
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
 * Whether the holder may still run. A process on another machine or in another container cannot be checked, so it counts
 * as alive. Two machines that share a folder may have the same host name.
 */
export function isAlive({ pid, host, started, boot, machine, namespace }: Holder, own: Holder): boolean {
  if (host !== own.host) return true;
  if (machine && own.machine && machine !== own.machine) return true;
  if (namespace && own.namespace && namespace !== own.namespace) return true;
  const isSameBoot = boot !== undefined && boot === own.boot;
  const isSameMachine = machine !== undefined && machine === own.machine;
  if (boot && own.boot && !isSameBoot) {
    // A lock that is older than the boot of this machine is from it if everything else is the same. Copies of an image may
    // have the same ids: a newer lock is from one of them.
    const isOlder = started !== undefined && started < Date.now() - uptime() * 1000;
    return !(isOlder && isSameMachine && namespace === own.namespace);
  }
  if (!isSameBoot && !isSameMachine) return true;
  // Another copy of this module in this process may hold the lock.
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

/** Creates the error of a journal or a lock that the system refuses. Errors of other kinds stay as they are. */
export function unusable(error: unknown, file: string, what: 'read' | 'written'): unknown {
  const code = codeOf(error);
  if (error instanceof PlanError || !/^E[A-Z\d]+$/.test(code)) return error;
  return new PlanError(
    'journal_unusable',
    `${file} cannot be ${what} (${code}).`,
    adviceOf(code),
    'not_applied',
    error,
  );
}
