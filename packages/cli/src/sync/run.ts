import type { ArticleStore, Client, SyncProgress, SyncResult } from 'multilocal';
import { ConfigurationError, isMultilocalError, MassDeletionError } from 'multilocal/internal/errors';
import { Failed, Interrupted } from '../failure.js';
import type { Output } from '../output.js';
import { FolderError, type FolderLock, folderError } from './folder.js';
import { claim, type Source } from './owner.js';
import { Changes, changesInWords, progressOn } from './words.js';

/** The articles to sync, and their folder. */
export interface SyncTask {
  readonly client: Client;
  /** Returns the number of requests that the client has sent. */
  readonly sent: () => number;
  readonly folder: string;
  readonly lock: FolderLock;
  readonly store: ArticleStore;
  readonly source: Source;
  readonly bulle_id: string | undefined;
  readonly reconcile: boolean | undefined;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/**
 * Updates the folder once. `changes` gets what the run has done so far, also if it fails. `before`: the requests that the client
 * had sent before the run. `requests` of the result includes retries and `GET /me`.
 * @throws an {@link Interrupted} after Ctrl-C, which says what was stored.
 */
export async function update(
  { client, sent, folder, lock, store, source, output, signal, bulle_id, reconcile }: SyncTask,
  changes = new Changes(),
  before = sent(),
): Promise<Omit<SyncResult, 'done'>> {
  const show = progressOn(output);
  const note = ({ upserted, unpublished, deleted }: Changes) => {
    Object.assign(changes, { upserted, unpublished, deleted });
  };
  try {
    await lock.check();
    // A damaged cursor is found before a request.
    await store.loadCursor();
    await claim(folder, source, async () => client.identity ?? client.me({ signal }));
    const onProgress = (progress: SyncProgress) => {
      note(progress);
      show(progress);
    };
    const { done, ...result } = await client.articles.syncTo(store, { signal, bulle_id, reconcile, onProgress });
    note(result);
    return { ...result, requests: sent() - before };
  } catch (error) {
    if (!signal.aborted) throw explained(error, folder);
    const words = changesInWords(changes);
    throw new Interrupted(words ? `Interrupted. This run ${words}.` : 'Interrupted before anything changed.');
  } finally {
    output.status('');
  }
}

/** Errors of the client speak of its options. These speak of the command. */
function explained(error: unknown, folder: string): unknown {
  if (error instanceof FolderError || error instanceof Failed) return error;
  if (!isMultilocalError(error)) return folderError(folder, Object(error));
  if (error instanceof MassDeletionError) {
    const { code, missing, known } = error;
    const message = `${missing} of the ${known} articles in ${folder} are missing from the list of the service. None of them was removed.`;
    const hint = `If the articles are really gone, move ${folder} away and run again: the run then fills a new folder.`;
    return new FolderError(message, hint, code);
  }
  if (!(error instanceof ConfigurationError)) return error;
  // The client was created, so a file of the folder is damaged.
  return new FolderError(error.message, 'Then run the command again.');
}
