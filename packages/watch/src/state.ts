import { ConfigurationError } from 'multilocal/internal/errors';
import type { ArticlesState } from './articles.js';
import type { WatchEvent, WatchKind } from './events.js';
import type { LedgerState } from './ledger.js';
import type { ConnectionsState, ReportsState } from './others.js';
import type { PostsState } from './posts.js';
import type { ListingState } from './reviews.js';

/** The content of a cursor. */
export interface State extends LedgerState {
  version: 1;
  /** A random id, because connections have no dates of their own. */
  id: string;
  /** The address, the scope and the brand that the cursor belongs to, as a hash. */
  of?: string;
  /** Who the key is: asked once a day, and for another key. */
  me?: { at: number; account: string; sphere: string; fiches: string[] };
  /** The watcher that has a cursor without `lease`, and how often it has said so. */
  holder?: [id: string, beat: number] | undefined;
  /** What was seen and not yet asked for: the first event is with the caller. */
  outbox: WatchEvent[];
  /** A look with more events than an outbox takes: what was given of it. */
  partial?: { unit: string; given: string } | undefined;
  /** When each kind was looked at, by the cursor's clock. When `reviews` and the daily `listing` of articles are due. */
  due: Partial<Record<WatchKind | 'listing', number>>;
  /** The requests of the last look at each kind. */
  cost: Partial<Record<WatchKind | 'listing', number>>;
  /** Looks for which the window had no room when a run ended: since when. `null`: it was told. */
  late?: Record<string, number | null>;
  /** Listings that the key does not reach: until when they are left alone. */
  skipped: Record<string, number>;
  /** Counts the looks at listings. */
  turn: number;
  reviews: Record<string, ListingState>;
  posts?: PostsState;
  connections?: ConnectionsState;
  articles?: ArticlesState;
  reports?: ReportsState;
}

/** A cursor that has seen nothing. */
export function emptyState(now: number): State {
  return {
    version: 1,
    id: crypto.randomUUID(),
    clock: { t: now, wall: now },
    asked: [],
    flight: false,
    outbox: [],
    due: {},
    cost: {},
    skipped: {},
    turn: 0,
    reviews: {},
  };
}

/** @throws a {@link ConfigurationError} if the text is not a cursor of this version. */
export function parseState(text: string): State {
  try {
    const state = JSON.parse(text) as State;
    const isOne = state.version === 1 && Array.isArray(state.outbox) && Array.isArray(state.asked);
    const parts = [state.reviews, state.due, state.cost, state.skipped];
    if (isOne && Number.isFinite(state.clock.t) && parts.every((part) => Object(part) === part)) return state;
  } catch {
    // Not JSON.
  }
  const hint = 'Use the cursor of a watcher of this version, or a new one: what is there then is old.';
  throw new ConfigurationError(`watch: the cursor is damaged, or is not the cursor of a watcher. ${hint}`);
}
