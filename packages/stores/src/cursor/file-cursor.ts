import { readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ConfigurationError } from 'multilocal/internal/errors';
import { hash } from 'multilocal/internal/text';
import { createFile, flushFolder, ignoring, inFolder, insist } from '../files.js';
import { leaseBy } from '../folder-lease.js';
import { targetOf } from '../journal/file-journal.js';
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
  const read = async (file: string) => (await insist(() => readFile(file, 'utf8').catch(ignoring('ENOENT')))) ?? null;
  const use = async <Result>(work: (file: string) => Promise<Result>) => {
    const file = await targetOf(path);
    return inFolder(file, () => work(file));
  };
  return {
    load: () => use(read),
    save: (next, previous) =>
      use(async (file) => {
        // Of all saves over one text, one creates this file. The others complete it, because its process may have been killed.
        const claim = join(dirname(file), `.${basename(file)}.${await hash(previous ?? '')}.next`);
        if ((await read(file)) !== previous) return false;
        const isOurs = await createFile(claim, next);
        const isCurrent = (await read(file)) === previous;
        const end = () => (isCurrent ? rename(claim, file) : rm(claim, { force: true }));
        await insist(() => end().catch(ignoring('ENOENT')));
        await flushFolder(dirname(file));
        return isOurs && (isCurrent || (await read(file)) === next);
      }),
    lease: async () => leaseBy(`${await targetOf(path)}.lease`),
  };
}
