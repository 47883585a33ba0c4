import { positionOf, seedSeo, volumeOf } from '../seed/seo.js';
import type { Service } from '../service.js';
import type { Slice, Store } from '../store.js';
import { formatInstant, formatOptional, type Micros } from '../timestamps.js';

/** One full scan of a location's web presence. A block that the scan did not produce is not there. */
export interface SeoSnapshot {
  readonly snapshot_id: number;
  readonly bulle_id: string;
  readonly created_at: Micros;
  readonly website_url: string;
  readonly blocks: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface TrackedKeyword {
  readonly id: number;
  readonly bulle_id: string;
  readonly keyword: string;
  previous_position: number | null;
  last_position: number | null;
  last_search_volume: number | null;
  last_url: string | null;
  last_checked_at: Micros | null;
  readonly created_at: Micros;
  /** The checks that found it, oldest first. */
  readonly history: { readonly checked_at: Micros; readonly position: number }[];
}

export interface SeoState {
  next_snapshot_id: number;
  next_keyword_id: number;
  /** The latest of each location. */
  readonly snapshots: Record<string, SeoSnapshot>;
  readonly keywords: TrackedKeyword[];
}

export const seoSlice: Slice<SeoState> = { name: 'seo', seed: seedSeo };

export const keywordsOf = (store: Store, bulleId: string): TrackedKeyword[] =>
  store.get(seoSlice).keywords.filter(({ bulle_id }) => bulle_id === bulleId);

/** The same keyword in other letters is the same keyword. */
export const sameKeyword = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/** Look up where a location stands for a keyword, and keep it. */
export function checkKeyword({ clock }: Service, tracked: TrackedKeyword, siteUrl: string): void {
  const checked_at = clock.stamp();
  const position = positionOf(tracked.keyword, tracked.bulle_id, checked_at);
  tracked.previous_position = tracked.last_position;
  tracked.last_position = position;
  tracked.last_search_volume = volumeOf(tracked.keyword);
  tracked.last_url = position === null ? null : siteUrl;
  tracked.last_checked_at = checked_at;
  if (position !== null) tracked.history.push({ checked_at, position });
}

/** The tracked keyword of the wire. `delta` is positive when the location has climbed. */
export function servedKeyword(tracked: TrackedKeyword): Record<string, unknown> {
  const { id, keyword, last_position, previous_position } = tracked;
  return {
    id,
    keyword,
    last_position,
    previous_position,
    delta: last_position === null || previous_position === null ? null : previous_position - last_position,
    last_search_volume: tracked.last_search_volume,
    last_url: tracked.last_url,
    last_checked_at: formatOptional(tracked.last_checked_at),
    created_at: formatInstant(tracked.created_at),
    history: tracked.history.map(({ checked_at, position }) => ({ checked_at: formatInstant(checked_at), position })),
  };
}
