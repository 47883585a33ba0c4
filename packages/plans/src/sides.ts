import type { Post, Review } from 'multilocal';
import type { Action } from './actions.js';
import type { Present } from './clock.js';
import type { Entry } from './journal-content.js';
import type { Refused } from './problems.js';
import type { Why } from './sentences.js';
import type { Thing } from './shown.js';

/** What the service shows, as far as it was read. */
export interface There {
  /** The posts of locations, by id. `''`: those of a key that names no location. */
  readonly posts: ReadonlyMap<string, ReadonlyMap<string, Post>>;
  /** Single objects, by `post 12`, `article 9` or `social 5`. `gone`: the service answers 404 for the id, and nothing less proves that. */
  readonly things: ReadonlyMap<string, Thing | 'gone'>;
  /** The reviews that are answered, by listing and id, as far as the first pages of its list show them. */
  readonly reviews: ReadonlyMap<string, ReadonlyMap<string, Review>>;
  /** The keys whose lookup settled nothing. */
  readonly unclear: ReadonlySet<string>;
  /** The pending posts of the brand, by id. */
  readonly pending?: ReadonlyMap<string, Post> | undefined;
  readonly clock?: Present | undefined;
}

/** Wanted, recorded and there: the three sides that are compared. */
export interface Sides {
  readonly plan: {
    readonly name: string | undefined;
    readonly covers: readonly string[] | undefined;
    readonly actions: readonly Action[];
  };
  readonly recorded: ReadonlyMap<string, Entry>;
  readonly there: There;
  /** The clock of this machine, in ms. */
  readonly now: number;
  readonly again?: boolean | undefined;
  readonly retryFailed?: boolean | undefined;
}

/** What is not known yet, and must be read before a step can be told. */
export type Reading =
  | { readonly what: 'posts'; readonly place: string }
  | { readonly what: 'thing'; readonly kind: 'post' | 'article' | 'social'; readonly id: string | number }
  | { readonly what: 'reviews'; readonly place: string; readonly ids: readonly string[] }
  | { readonly what: 'pending' }
  | { readonly what: 'clock' };

/** What follows for a left-over: it stays, or is deleted, or the key that replaces it takes it over. */
export type LeftOverStep =
  | { readonly do: 'nothing' }
  | { readonly do: 'delete'; readonly id: string | number }
  | { readonly do: 'adopt'; readonly key: string }
  | Refused;

/** What follows for a key of the plan. */
export type Step =
  | { readonly do: 'nothing' }
  /** Its request is sent. `platforms`: on these alone. `isRetry`: because they have refused it. */
  | { readonly do: 'create'; readonly platforms?: readonly string[]; readonly isRetry?: true }
  /** What it has made is changed. */
  | { readonly do: 'update'; readonly id: string | number; readonly fields: readonly string[] }
  /** What it has made is deleted. Then it is made anew. */
  | { readonly do: 'replace'; readonly id: string | number; readonly fields: readonly string[] }
  /** It may have happened: its result is looked up. */
  | { readonly do: 'look up' }
  /** Another run may still be sending it. */
  | { readonly do: 'wait'; readonly until: number }
  /** A person must find out whether it happened. */
  | { readonly do: 'ask'; readonly why: Why }
  /** The entry is set right by what the service shows. */
  | { readonly do: 'note'; readonly entry: Entry }
  | Refused
  | { readonly do: 'read'; readonly reading: Reading };
