import type { Article, ArticleList, Connection, Post, Report, Review, ReviewPage } from 'multilocal';
import { parseTimestamp } from 'multilocal/internal/timestamps';
import type { WatchEventType, WatchHappening, WatchKind } from './events.js';

/** The reads of a watcher: parameters and result of each. */
export interface Reads {
  'reviews.list': [
    {
      fiche_id: string;
      page: number;
      status?: 'responded' | 'unresponded' | 'drafts';
      date_from?: string;
      date_to?: string;
    },
    ReviewPage,
  ];
  'posts.list': [{ status: 'pending' | 'error' | 'published'; offset: number }, Post[]];
  'posts.get': [number, Post];
  'connections.list': [undefined, Connection[]];
  'articles.list': [{ updated_since: string; offset: number }, ArticleList];
  'articles.get': [number, Article];
  'reports.list': [undefined, Report[]];
}

/** An event without its id. `key` tells it from the others of its type. */
export type Draft = Omit<WatchHappening<WatchEventType>, 'id'> & {
  key: readonly unknown[];
  review?: Review;
  post?: Post;
  platform?: string;
  connection?: Connection;
  article?: Pick<Article, 'id'>;
  deleted?: true;
  report?: Report;
  kind?: WatchKind;
};

/** What a look needs from outside. Nothing else makes a difference to its result. */
export interface Look {
  /** Sends a read. `undefined` for the 404 of a single object. */
  ask<Name extends keyof Reads>(name: Name, params: Reads[Name][0]): Promise<Reads[Name][1]>;
  /** The time of the service, in ms. */
  now(): number;
  /** At the first look, what happened after this is new. In ms, of the service's clock. */
  readonly since: number | undefined;
}

/** What a look has found, and what it remembers of it. */
export interface Found<State> {
  events: Draft[];
  state: State;
}

/** Items of a page: the most that the service gives. */
export const PAGE = 100;
/** Earlier than any article. With `updated_since`, the service sorts by change. */
export const BEGINNING = '1970-01-01T00:00:00Z';
export const MINUTE = 60_000;
export const DAY = 86_400_000;

/** The time of a timestamp in ms. `NaN` if there is none. */
export function timeOf(timestamp: string | null | undefined): number {
  return parseTimestamp(timestamp)?.getTime() ?? Number.NaN;
}

export function textOf(time: number): string {
  return new Date(time).toISOString();
}

/** The fields that name a location, where there is one. */
export function ofBulle(bulle_id: string | null | undefined): { bulle_id?: string } {
  return bulle_id == null ? {} : { bulle_id };
}

/** Length of {@link short}. */
export const SHORT = 7;

/** A short hash of a text (36 bits, cyrb53), so that thousands of ids fit into a cursor. */
export function short(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  const number = 4294967296 * (2097151 & low) + (high >>> 0);
  return (number % 36 ** SHORT).toString(36).padStart(SHORT, '0');
}

/** Cuts a text into pieces of one length. */
export function piecesOf(text: string, length: number): string[] {
  return text.match(new RegExp(`.{${length}}`, 'g')) ?? [];
}
