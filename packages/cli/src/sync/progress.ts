import type { SyncProgress } from 'multilocal';
import type { Output } from '../output.js';
import { plural } from '../words.js';

const BAR = 24;

/**
 * Shows how far a run is: a bar on an interactive terminal, a line for each page elsewhere. The bar of @clack/prompts
 * reads the keyboard and ends the process at Ctrl-C, so the command could not say what was stored.
 */
export class ProgressView {
  readonly #output: Output;
  /** The last progress that was printed, where there is no bar. */
  #printed: SyncProgress | undefined;

  constructor(output: Output) {
    this.#output = output;
  }

  show(progress: SyncProgress): void {
    if (this.#output.isInteractive) this.#output.status(this.#bar(progress));
    else this.#print(progress);
  }

  end(): void {
    this.#output.status('');
  }

  #bar({ total = 0, ...progress }: SyncProgress): string {
    const done = handled(progress);
    // A listing that finds nothing new would show an empty bar until its end.
    if (done === 0) return total === 0 ? '' : `Reading ${plural(total, 'article')} …`;
    const filled = Math.min(BAR, Math.round((BAR * done) / Math.max(1, total)));
    const bar =
      this.#output.paintNote('cyan', '━'.repeat(filled)) + this.#output.paintNote('dim', '━'.repeat(BAR - filled));
    return `${bar}  ${done} of ${plural(Math.max(done, total), 'article')}`;
  }

  #print(progress: SyncProgress): void {
    const before = this.#printed;
    this.#printed = progress;
    const { listing, requests, total } = progress;
    if (listing && !before?.listing)
      this.#output.note(`Complete listing: about ${plural(listing.requests, 'more request')}.`);
    if (before && requests > before.requests) this.#output.note(`${handled(before)} of ${total ?? '?'} articles`);
  }
}

function handled({ upserted, unpublished, deleted }: Omit<SyncProgress, 'total'>): number {
  return upserted + unpublished + deleted;
}
