import type { SyncProgress } from 'multilocal';
import { plural } from '../words.js';

/** The numbers of one run or of several. */
export type Counts = Pick<SyncProgress, 'upserted' | 'unpublished' | 'deleted' | 'requests'>;

export const NO_COUNTS: Counts = { upserted: 0, unpublished: 0, deleted: 0, requests: 0 };

export function add(one: Counts, other: Counts): Counts {
  return {
    upserted: one.upserted + other.upserted,
    unpublished: one.unpublished + other.unpublished,
    deleted: one.deleted + other.deleted,
    requests: one.requests + other.requests,
  };
}

/** Says what changed in a folder: `stored 12 articles, removed 1 that went offline`. `''` if nothing changed. */
export function changesInWords({ upserted, unpublished, deleted }: Counts): string {
  const parts = [
    upserted > 0 && `stored ${plural(upserted, 'article')}`,
    unpublished > 0 && `removed ${plural(unpublished, 'article')} that went offline`,
    deleted > 0 && `removed ${plural(deleted, 'article')} that no longer exist${deleted === 1 ? 's' : ''}`,
  ].filter((part) => part !== false);
  return parts.length < 3 ? parts.join(' and ') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** The result of a run for people. */
export function resultInWords(folder: string, counts: Counts): string {
  const changes = changesInWords(counts);
  return `${folder}${changes ? `: ${changes}` : ' is up to date'} (${plural(counts.requests, 'request')}).`;
}
