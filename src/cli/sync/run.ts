import { type Client, ConfigurationError, isMultilocalError, MassDeletionError, type SyncResult } from '../../index.js';
import { directoryStore } from '../../node.js';
import { Interrupted } from '../failure.js';
import type { Output } from '../output.js';
import { FolderError, folderError } from './folder.js';
import { ProgressView } from './progress.js';
import { type Counts, changesInWords, NO_COUNTS } from './words.js';

/** What to sync, and where to. */
export interface SyncTask {
  readonly client: Client;
  readonly folder: string;
  readonly bulle_id: string | undefined;
  readonly reconcile: boolean | undefined;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** One update of the folder. */
export class SyncRun {
  /** What the run has done so far, also if it fails. */
  counts: Counts = NO_COUNTS;
  readonly #task: SyncTask;

  constructor(task: SyncTask) {
    this.#task = task;
  }

  /** @throws an {@link Interrupted} after Ctrl-C, which says what was stored. */
  async update(): Promise<Omit<SyncResult, 'done'>> {
    const { client, folder, output, signal, bulle_id, reconcile } = this.#task;
    const view = new ProgressView(output);
    try {
      const { done, ...result } = await client.articles.syncTo(directoryStore(folder), {
        signal,
        bulle_id,
        reconcile,
        onProgress: (progress) => {
          this.counts = progress;
          view.show(progress);
        },
      });
      this.counts = result;
      return result;
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
    this.hint = `Use a separate folder for each key and each \`--bulle\`. If the articles are really gone, move ${folder} away and run again: the run then fills a new folder.`;
  }
}
