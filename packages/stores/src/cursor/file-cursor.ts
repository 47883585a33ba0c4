import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Reservation } from 'multilocal';
import { ConfigurationError } from 'multilocal/internal/errors';
import { flushFolder, inFolder, readText, replaceFile, sweep, targetOf } from '../files.js';
import { leaseBy } from '../folder-lease.js';
import type { WatchCursor } from './port.js';

/**
 * Creates a cursor of `watch` in a JSON file. Each change is flushed to the disk and renamed into place. A file beside it
 * (`….lease`) reserves it: a second watcher waits, and one that was killed on this machine is replaced at once.
 *
 * The file holds hashes of ids, and the events that were seen and not yet asked for, with the texts of customers.
 * @throws a {@link ConfigurationError} if the path is missing.
 * @example
 * import { fileCursor } from 'multilocal/node';
 * for await (const event of watch(client, { cursor: fileCursor('multilocal.watch.json') })) console.log(event.type);
 */
export function fileCursor(path: string): WatchCursor {
  if (typeof path !== 'string' || path === '')
    throw new ConfigurationError('fileCursor: the path of a file is required.');
  const use = <Result>(work: (file: string) => Promise<Result>) =>
    inFolder(path, async () => work(await targetOf(path)));
  return {
    load: () => use(async (file) => (await readText(file)) ?? null),
    save: (next, previous) =>
      use(async (file) => {
        const turn = await turnOf(file);
        try {
          if (((await readText(file)) ?? null) !== previous || (await turn.renew?.()) === false) return false;
          await replaceFile(file, next);
          await flushFolder(dirname(file));
          return true;
        } finally {
          await turn();
        }
      }),
    lease: () =>
      use(async (file) => {
        const lease = await leaseBy(`${file}.lease`);
        if (lease) await sweep(file);
        return lease;
      }),
  };
}

/** Waits until no other save is at work. That of a killed process ends at once, and one that hangs after half a minute. */
async function turnOf(file: string): Promise<Reservation> {
  for (;;) {
    const turn = await leaseBy(`${file}.saving`);
    if (turn) return turn;
    await setTimeout(10);
  }
}
