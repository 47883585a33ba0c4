import { KINDS, type WatchKind } from './events.js';
import { DAY, MINUTE } from './look.js';
import type { State } from './state.js';

/** What a kind costs, and how soon a happening is seen. */
export interface WatchPlanEntry {
  /** The kind. */
  kind: WatchKind;
  /** Requests in 24 hours. */
  requests: number;
  /**
   * After how many ms a happening is seen at the latest, by a watcher that runs, without an outage, at today's numbers. Of
   * reviews, that of the quietest listing. A deleted article is seen up to a day later, or more if listing all articles
   * costs more than a third of `perDay`, or if many were deleted. `null`: never.
   */
  latest: number | null;
}

/** Today's numbers. */
export interface Numbers {
  readonly kinds: readonly WatchKind[];
  readonly perDay: number;
  readonly listings: number;
  /** Requests of a look at each kind. Of reviews: at one listing. */
  readonly cost: Readonly<Record<WatchKind, number>>;
  /** Requests of the daily listing of all articles. */
  readonly listing: number;
}

/** How often each kind is looked at. */
export interface Pace extends WatchPlanEntry {
  /** Ms between two looks, of reviews between two rounds. */
  interval: number;
}

/** One look in so many goes to a listing at which much happens. */
export const BUSY = 8;
/** The shortest time between two looks. */
const SHORTEST: Readonly<Record<WatchKind, number>> = {
  posts: 5 * MINUTE,
  connections: 60 * MINUTE,
  reviews: 5 * MINUTE,
  articles: 5 * MINUTE,
  reports: 30 * MINUTE,
};
/** How long a look may take, with the looks before it. */
const MARGIN = 5 * MINUTE;

/** Requests that are kept for retries, posts and articles that are asked for by id, and older answers. */
export function slackOf(perDay: number): number {
  return Math.ceil(perDay / 10);
}

/** Days between two listings of all articles: one, but for brands whose listing costs more than a third of a day's requests. */
export function listingDays(listing: number, perDay: number): number {
  return Math.max(1, (3 * listing) / perDay);
}

/** Shares the requests of a day among the kinds, so that each is seen after a time that fits its cost. */
export function paceOf({ kinds, perDay, listings, cost, listing }: Numbers): Pace[] {
  // A round of reviews costs a request for each listing, so it may take longer, up to twelve times.
  const round = Math.min(12, Math.max(1, listings / 8));
  const weights: Record<WatchKind, number> = { posts: 1, connections: 2, reviews: round, articles: 1, reports: 3 };
  const daily = kinds.includes('articles') ? Math.ceil(listing / listingDays(listing, perDay)) : 0;
  const usable = perDay - 1 - slackOf(perDay) - daily;
  const chosen = KINDS.filter((kind) => kinds.includes(kind));
  const costOf = (kind: WatchKind) => (kind === 'reviews' ? (cost.reviews * listings * BUSY) / (BUSY - 1) : cost[kind]);
  const interval = (kind: WatchKind, time: number) => Math.max(SHORTEST[kind], weights[kind] * time);
  const spent = (time: number) => chosen.reduce((sum, kind) => sum + (DAY * costOf(kind)) / interval(kind, time), 0);
  let [low, high] = [0, 1_000 * DAY];
  for (let step = 0; step < 60; step++) {
    const time = (low + high) / 2;
    if (spent(time) > usable) low = time;
    else high = time;
  }
  return chosen.map((kind) => {
    const each = interval(kind, high);
    const isNever = usable <= 0 || (kind === 'reviews' && listings === 0);
    const requests = isNever ? 0 : Math.floor((DAY * costOf(kind)) / each) + (kind === 'articles' ? daily : 0);
    return {
      kind,
      requests,
      latest: isNever ? null : Math.ceil(each + MARGIN),
      interval: isNever ? Number.POSITIVE_INFINITY : each,
    };
  });
}

/** Today's numbers, as the cursor knows them. */
export function numbersOf({ me, cost }: State, kinds: readonly WatchKind[], perDay: number): Numbers {
  const { posts = 3, connections = 1, reviews = 1, articles = 1, reports = 1, listing = 1 } = cost;
  const costs = { posts, connections, reviews: Math.max(1, reviews), articles, reports };
  return { kinds, perDay, listings: me?.fiches.length ?? 0, cost: costs, listing };
}
