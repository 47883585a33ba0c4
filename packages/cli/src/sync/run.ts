import type { Client, SyncResult } from 'multilocal';
import { ConfigurationError, isMultilocalError, MassDeletionError } from 'multilocal/internal/errors';
import { directoryStore } from 'multilocal/node';
import { Interrupted } from '../failure.js';
import type { Output } from '../output.js';
import { FolderError, folderError } from './folder.js';
import { claim, type Source } from './owner.js';
import { ProgressView } from './progress.js';
import { type Counts, changesInWords, NO_COUNTS } from './words.js';

/** The articles to sync, and their folder. */
export interface SyncTask {
  readonly client: Client;
  /** Returns the number of requests that the client has sent. */
  readonly sent: () => number;
  readonly folder: string;
  readonly source: Source;
  readonly bulle_id: string | undefined;
  readonly reconcile: boolean | undefined;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** One update of the folder. */
export class SyncRun {
  readonly #task: SyncTask;
  /** Requests that the client had sent before the run. */
  readonly #before: number;
  #done: Counts = NO_COUNTS;

  constructor(task: SyncTask) {
    this.#task = task;
    this.#before = task.sent();
  }

  /** What the run has done so far, also if it fails. `requests` includes retries and `GET /me`. */
  get counts(): Counts {
    return { ...this.#done, requests: this.#task.sent() - this.#before };
  }

  /** @throws an {@link Interrupted} after Ctrl-C, which says what was stored. */
  async update(): Promise<Omit<SyncResult, 'done'>> {
    const { client, folder, source, output, signal, bulle_id, reconcile } = this.#task;
    const store = directoryStore(folder);
    const view = new ProgressView(output);
    try {
      // A damaged cursor is found before a request.
      await store.loadCursor();
      await claim(folder, source, async () => client.identity ?? client.me({ signal }));
      const { done, ...result } = await client.articles.syncTo(store, {
        signal,
        bulle_id,
        reconcile,
        onProgress: (progress) => {
          this.#done = progress;
          view.show(progress);
        },
      });
      this.#done = result;
      return { ...result, requests: this.counts.requests };
    } catch (error) {
      throw signal.aborted ? interrupted(this.counts) : explained(error, folder);
    } finally {
      view.end();
    }
  }
}

function interrupted(counts: Counts): Interrupted {
  const changes = changesInWords(counts);
  return new Interrupted(changes ? `Interrupted. This run ${changes}.` : 'Interrupted before anything changed.');
}

/** Errors of the client speak of its options. These speak of the command. */
function explained(error: unknown, folder: string): unknown {
  if (error instanceof FolderError) return error;
  if (!isMultilocalError(error)) return folderError(folder, Object(error));
  if (error instanceof MassDeletionError) return new MassDeletion(error, folder);
  if (!(error instanceof ConfigurationError)) return error;
  // The client was created, so a file of the folder is damaged.
  return new FolderError(error.message.replace(/^directoryStore: /, ''), 'Then run the command again.');
}

/** Too many articles are missing for a deletion that nobody has checked. */
class MassDeletion extends Error {
  readonly code = 'mass_deletion';
  readonly hint: string;
  constructor({ missing, known }: MassDeletionError, folder: string) {
    super(
      `${missing} of the ${known} articles in ${folder} are missing from the list of the service. None of them was removed.`,
    );
    this.hint = `If the articles are really gone, move ${folder} away and run again: the run then fills a new folder.`;
  }
}
