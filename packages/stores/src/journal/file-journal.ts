import { dirname, resolve } from 'node:path';
import { ConfigurationError, PlanError } from 'multilocal/internal/errors';
import { flushFolder, readText, removeFile, replaceFile, sweep, targetOf } from '../files.js';
import { Lock, unusable } from './lock.js';
import { type PlanJournal, RESTORE } from './port.js';

/**
 * Creates a journal in a JSON file, which several plans may share. It belongs beside the plans: it says what has happened,
 * and without it everything would happen again. It holds no key, no text and no contact.
 *
 * Each change is flushed to the disk and renamed into place. A lock file beside it (`….lock`) keeps other processes of this
 * machine away during a run. A run replaces the lock of a killed process if it is certain that it is dead: the same
 * machine, the same container, and a process that is gone or a boot since. In any other case the run is refused, and the
 * error names the file.
 *
 * Its methods throw a {@link PlanError}: `journal_locked` if another run holds the lock, `journal_unusable` if the file
 * cannot be read or written.
 * @throws a {@link ConfigurationError} if the path is missing.
 * @example
 * import { fileJournal } from 'multilocal/node';
 * await runPlan(client, plan, { journal: fileJournal('multilocal.journal.json') });
 */
export function fileJournal(path: string): PlanJournal {
  if (typeof path !== 'string' || path === '')
    throw new ConfigurationError('fileJournal: the path of a file is required.');
  let held: Lock | undefined;
  const target = () =>
    targetOf(path).catch((error) => {
      throw unusable(error, resolve(path), 'read');
    });

  /** Runs `work` under the lock of the run, or under a lock of its own. */
  const locked = async <Result>(file: string, work: (lock: Lock) => Promise<Result>): Promise<Result> => {
    const lock = held ?? (await Lock.take(lockOf(file)));
    try {
      return await work(lock);
    } finally {
      if (lock !== held) await lock.release();
    }
  };

  return {
    load: async () => (await read(await target())) ?? null,
    async save(next, previous) {
      const file = await target();
      return locked(file, async (lock) => {
        if (((await read(file)) ?? '') !== (previous ?? '')) return false;
        await lock.check();
        await write(file, next);
        return true;
      });
    },
    async hold() {
      const file = await target();
      const lock = await Lock.take(lockOf(file));
      held = lock;
      await sweep(file);
      return async () => {
        held = undefined;
        await lock.release();
      };
    },
  };
}

async function read(file: string): Promise<string | undefined> {
  const text = await readText(file).catch((error) => {
    throw unusable(error, file, 'read');
  });
  // We remove a journal that has nothing to keep, so another program has emptied the file.
  if (text === '') throw new PlanError('journal_damaged', `The journal is damaged. ${file} is empty.`, RESTORE);
  return text;
}

async function write(file: string, text: string): Promise<void> {
  try {
    await (text === '' ? removeFile(file) : replaceFile(file, text));
    await flushFolder(dirname(file));
  } catch (error) {
    throw unusable(error, file, 'written');
  }
}

/** Plans whose journals are one file by a symbolic link have one lock. */
function lockOf(journal: string): string {
  return `${journal.replace(/(?<=\.journal)\.json$/, '')}.lock`;
}
