import type { WatchCursor } from '@multilocal/stores/cursor/port';
import type { Client, Timestamp } from 'multilocal';
import { ConfigurationError } from 'multilocal/internal/errors';
import { type Inside, inside } from 'multilocal/internal/inspect';
import { isTimestamp, parseTimestamp, timeOf } from 'multilocal/internal/timestamps';
import { EVENT_NAMES, type Wanted, type WatchEventType, type WatchKind, wantedOf } from './events.js';

/** Options of {@link watch}. */
export interface WatchOptions {
  /** Where the watcher keeps what it has seen. Each cursor belongs to one service, one scope of a key and one brand. */
  cursor: WatchCursor;
  /** Types of events (`'review.new'`) and kinds (`'reviews'`). A kind of which nothing is wanted costs nothing. Default: all. */
  events?: readonly (WatchEventType | WatchKind)[] | undefined;
  /** Most requests in any 24 hours, with retries and `GET /me`. Default 200. */
  perDay?: number | undefined;
  /** At the first look at a kind or a listing, what happened after this moment of the service's clock is new. Default: what is there is old. */
  since?: Timestamp | undefined;
  /** Looks at what is due, and ends. Default `false`: watches until the loop ends or `signal` aborts. */
  once?: boolean | undefined;
  /** Ends the watch. The next step then rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
}

/** Options of {@link watchPlan}. */
export interface WatchPlanOptions extends Pick<WatchOptions, 'events' | 'perDay' | 'signal'> {
  /** A cursor in use: it knows today's numbers, so the plan costs no request. */
  cursor?: WatchCursor | undefined;
}

/** The options of a watcher, checked. */
export interface Settings {
  readonly client: Client;
  readonly inside: Inside;
  readonly cursor: WatchCursor | undefined;
  readonly wanted: Wanted;
  readonly perDay: number;
  readonly since: number | undefined;
  readonly once: boolean;
  readonly signal: AbortSignal;
}

/** Options as a program without types may give them. */
type Given = { [Name in keyof WatchOptions]?: WatchOptions[Name] | undefined };

/** Most requests in any 24 hours, by default. */
export const PER_DAY = 200;
const NAMES = ['cursor', 'events', 'perDay', 'since', 'once', 'signal'];

/** @throws a {@link ConfigurationError} if an option is missing, unknown or invalid. */
export function settingsOf(caller: string, client: Client, options: Given): Settings {
  const fail = (problem: string) => new ConfigurationError(`${caller}: ${problem}.`);
  const known = inside(Object(client));
  if (!known) throw fail('the first argument must be a Client');
  const given: Given = Object(options);
  const unknown = Object.keys(given).find((name) => !NAMES.includes(name));
  if (unknown) throw fail(`\`${unknown}\` is not an option. Options: ${NAMES.join(', ')}`);
  const { cursor, events, perDay = PER_DAY, since, once = false, signal = new AbortController().signal } = given;
  if (cursor ? typeof cursor.load !== 'function' || typeof cursor.save !== 'function' : caller === 'watch')
    throw fail(
      '`cursor` must be a cursor: memoryCursor(), fileCursor(path), sqlCursor(…), or an object with load and save',
    );
  if (events !== undefined && (!Array.isArray(events) || events.length === 0))
    throw fail('`events` must be a list of names');
  const wrong = events?.find((name) => !EVENT_NAMES.includes(name));
  if (wrong !== undefined) throw fail(`\`events\` has an unknown name. Names: ${EVENT_NAMES.join(', ')}`);
  if (!Number.isSafeInteger(perDay) || perDay < 1) throw fail('`perDay` must be an integer, 1 or more');
  if (typeof once !== 'boolean') throw fail('`once` must be true or false');
  if (typeof Object(signal).throwIfAborted !== 'function') throw fail('`signal` must be an AbortSignal');
  const moment = timeOf(typeof since === 'string' && isTimestamp(since) ? parseTimestamp(since) : since);
  if (since !== undefined && Number.isNaN(moment)) throw fail('`since` must be a date: a text, a Date or a Temporal');
  const wanted = wantedOf(events);
  const start = since === undefined ? undefined : moment;
  return { client, inside: known, cursor, wanted, perDay, once, signal, since: start };
}
