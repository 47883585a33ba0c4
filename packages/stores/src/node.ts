import type { ReadableArticleStore } from 'multilocal';
import { ConfigurationError } from 'multilocal/internal/errors';
import { folderStore, JSON_FILES } from './folder-store.js';

export { fileCursor } from './cursor/file-cursor.js';
export type { WatchCursor } from './cursor/port.js';
export { fileJournal } from './journal/file-journal.js';
export type { PlanJournal } from './journal/port.js';

/**
 * Creates a store that keeps each article as a JSON file in a folder. The file is named after the id. The folder is
 * created if it is missing.
 *
 * The store writes each file under another name, flushes it to the disk and renames it, the files of a page side by side.
 * So a reader never sees half an article, and a crash or a power cut loses nothing. A second run into the folder waits
 * for the first one, in another process of the machine too. `cursor.json` contains the cursor, `listing.json` the position
 * of a complete listing, `state.json` the state of `articlesProxy`, and `lease.json` the current run. The store never removes or replaces other files in the folder: a file is an article only if it contains the `id` of its name.
 *
 * The methods of the store throw a `ConfigurationError` if one of the files is damaged, if another file or a folder has the
 * name of such a file, or if the folder cannot be used, for example because the disk is full. `cause` is then the error of
 * the system. The message names the file and says what to do.
 * @throws a {@link ConfigurationError} if the path is missing.
 * @example
 * import { directoryStore } from 'multilocal/node';
 * await client.articles.syncTo(directoryStore('content/articles'));
 */
export function directoryStore(path: string): ReadableArticleStore {
  if (typeof path !== 'string' || path === '')
    throw new ConfigurationError('directoryStore: the path of a folder is required.');
  return folderStore(path, JSON_FILES);
}
