import type { Article, Connection, Post, Report, Review } from 'multilocal';
import { parseTimestamp } from 'multilocal/internal/timestamps';
import type { WatchEventType, WatchHappening, WatchKind } from './events.js';
import type { Reads } from './reads.js';

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
  /** Sends a read. `null` for the 404 of a single object, `undefined` if the key does not reach it any more. */
  ask<Name extends keyof Reads>(name: Name, params: Reads[Name][0]): Promise<Answer<Name>>;
  /** The time of the service, in ms. */
  now(): number;
  /** At the first look, what happened after this is new. In ms, of the service's clock. */
  readonly since: number | undefined;
  /** Posts or articles that a look asks for by their ids. The others have their turn in the next looks. */
  readonly single: number;
}

export type Answer<Name extends keyof Reads> =
  | Reads[Name][1]
  | (Name extends `${string}.get` ? null | undefined : never);

/** What a look has found, and what it remembers of it. */
export interface Found<State> {
  events: Draft[];
  state: State;
}

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

/** Something of a kind could have been missed. */
export function gapOf(kind: WatchKind, key: readonly unknown[], look: Pick<Look, 'now'>): Draft {
  return { type: 'watch.gap', key: [kind, ...key], at: textOf(look.now()), kind };
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
export function piecesOf(text: string, length = SHORT): string[] {
  return text.match(new RegExp(`.{${length}}`, 'g')) ?? [];
}
