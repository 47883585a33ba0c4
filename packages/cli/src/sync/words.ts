import type { SyncProgress } from 'multilocal';
import type { Output } from '../output.js';
import { plural } from '../words.js';

/** What runs have changed in their folder. */
export class Changes implements Pick<SyncProgress, 'upserted' | 'unpublished' | 'deleted'> {
  upserted = 0;
  unpublished = 0;
  deleted = 0;
}

/** Says what changed in a folder: `stored 12 articles, removed 1 that went offline`. `''` if nothing changed. */
export function changesInWords({ upserted, unpublished, deleted }: Changes): string {
  const parts = [
    upserted > 0 && `stored ${plural(upserted, 'article')}`,
    unpublished > 0 && `removed ${plural(unpublished, 'article')} that went offline`,
    deleted > 0 && `removed ${plural(deleted, 'article')} that no longer exist${deleted === 1 ? 's' : ''}`,
  ].filter((part) => part !== false);
  return parts.join(', ').replace(/, (?=[^,]*$)/, ' and ');
}

/** The result of a run for people. */
export function resultInWords(folder: string, result: Changes & { readonly requests: number }): string {
  const changes = changesInWords(result);
  return `${folder}${changes ? `: ${changes}` : ' is up to date'} (${plural(result.requests, 'request')}).`;
}

const BAR = 24;

/**
 * Returns what shows how far a run is: a bar on an interactive terminal, a line for each page elsewhere. The bar of
 * @clack/prompts reads the keyboard and ends the process at Ctrl-C, so the command could not say what was stored.
 */
export function progressOn(output: Output): (progress: SyncProgress) => void {
  let before: SyncProgress | undefined;
  return (progress) => {
    const { listing, requests, total = 0 } = progress;
    if (output.isInteractive) {
      output.status(barOf(output, handled(progress), total));
      return;
    }
    if (listing && !before?.listing)
      output.note(`Complete listing: about ${plural(listing.requests, 'more request')}.`);
    if (before && requests > before.requests) output.note(`${handled(before)} of ${progress.total ?? '?'} articles`);
    before = progress;
  };
}

function barOf(output: Output, done: number, total: number): string {
  // A listing that finds nothing new would show an empty bar until its end.
  if (done === 0) return total === 0 ? '' : `Reading ${plural(total, 'article')} …`;
  const filled = Math.min(BAR, Math.round((BAR * done) / Math.max(1, total)));
  const bar = output.paintNote('cyan', '━'.repeat(filled)) + output.paintNote('dim', '━'.repeat(BAR - filled));
  return `${bar}  ${done} of ${plural(Math.max(done, total), 'article')}`;
}

function handled({ upserted, unpublished, deleted }: Changes): number {
  return upserted + unpublished + deleted;
}
