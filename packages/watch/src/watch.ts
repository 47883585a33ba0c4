import type { Client } from 'multilocal';
import { sleep } from 'multilocal/internal/abort';
import { ConfigurationError, isMultilocalError } from 'multilocal/internal/errors';
import { isPassing } from 'multilocal/internal/retry';
import { hash } from 'multilocal/internal/text';
import { traceCounts } from 'multilocal/internal/trace-counts';
import { lookAtArticles } from './articles.js';
import type { WatchEvent, WatchKind } from './events.js';
import { Hold, Overtaken } from './hold.js';
import { Ledger } from './ledger.js';
import { DAY, type Draft, type Found, type Look, MINUTE, piecesOf, type Reads, SHORT, short } from './look.js';
import { type Settings, settingsOf, type WatchOptions } from './options.js';
import { lookAtConnections, lookAtReports } from './others.js';
import { BUSY, type Pace, paceOf, slackOf } from './plan.js';
import { lookAtPosts } from './posts.js';
import { dateOf, type Questions, send } from './reads.js';
import { capsFor, lookAtReviews } from './reviews.js';
import type { State } from './state.js';

/** Events and characters of an outbox. The rest of a look follows when they are given. */
const OUTBOX = { events: 200, characters: 200_000 };
/** The longest pause after a failure. */
const LONGEST_PAUSE = 30 * MINUTE;

/**
 * Watches what is new: reviews, posts, accounts, articles, reports. The service has no webhooks, so this asks, within
 * `perDay` requests. Permission `read`.
 *
 * An event is in the cursor before it is given, and leaves it when the next one is asked for. So after a kill, and after a
 * loop that ends early, the last event comes again with the same `id`. The first time, what is there is old, but for states
 * that hold: an account that is lost, a post that failed within a day.
 *
 * An outage is waited for. With `once`, its error is thrown after what was seen is told; the next run goes on.
 * @throws a {@link ConfigurationError} if an option is invalid, or if the cursor belongs to another service or brand.
 * @throws an {@link AuthenticationError}, {@link PermissionDeniedError} … if the service refuses a read.
 * @example
 * for await (const event of watch(client, { cursor: memoryCursor() })) {
 *   if (event.type === 'review.new') console.log(event.review.rating, event.review.text);
 * }
 */
export function watch(client: Client, options: WatchOptions): AsyncGenerator<WatchEvent, void, undefined> {
  const settings = settingsOf('watch', client, options);
  return run(settings, options.cursor);
}

async function* run(settings: Settings, cursor: WatchOptions['cursor']): AsyncGenerator<WatchEvent, void, undefined> {
  for (;;) {
    const hold = await Hold.take(cursor, settings.signal);
    try {
      return yield* new Watcher(settings, hold).events();
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
    } finally {
      await hold.end();
    }
  }
}

/** The budget is used up. */
class NoRoom extends Error {}

/** A kind, `listing` of articles, or `reviews:` with a listing. */
type Unit = WatchKind | 'listing' | `reviews:${string}`;

class Watcher {
  readonly #settings: Settings;
  readonly #client: Client;
  readonly #hold: Hold;
  readonly #state: State;
  readonly #ledger: Ledger;
  /** When the service said what time it is, by the clock of the process. */
  #service: readonly [date: number, at: number] = [Date.now(), performance.now()];
  /** Events of the last look that the outbox does not hold yet, and what to remember after them. */
  #rest: WatchEvent[] = [];
  #after: (() => void) | undefined;
  #failures = 0;
  /** Units that failed wait longer than the others. */
  readonly #later = new Map<string, number>();
  #outage: unknown;
  /** A hash of key and address. */
  #account: string | undefined;

  constructor(settings: Settings, hold: Hold) {
    const { client, signal } = settings;
    this.#settings = settings;
    this.#client = client.withOptions({ maxRetries: 0, validation: 'warn', signal });
    this.#hold = hold;
    this.#state = hold.state;
    this.#ledger = new Ledger(hold.state);
  }

  async *events(): AsyncGenerator<WatchEvent, void, undefined> {
    const { signal, once } = this.#settings;
    for (;;) {
      yield* this.#give();
      signal.throwIfAborted();
      if (this.#outage !== undefined) throw this.#outage;
      try {
        await this.#identify();
        const unit = this.#next();
        if (unit) await this.#look(unit);
        else if (once) return;
        else await sleep(this.#pause(), signal);
      } catch (error) {
        if (error instanceof NoRoom) return;
        if (signal.aborted || !isPassing(error)) throw error;
        if (once) this.#outage = error;
        else await this.#waitOut(error);
      }
    }
  }

  /** Gives what is in the outbox. An event leaves it when the next one is asked for. */
  async *#give(): AsyncGenerator<WatchEvent, void, undefined> {
    const { outbox } = this.#state;
    while (outbox[0]) {
      this.#settings.signal.throwIfAborted();
      yield outbox[0];
      if (this.#state.partial) this.#state.partial.given += short(outbox[0].id);
      outbox.shift();
      if (outbox.length === 0 && this.#after) this.#fill();
      await this.#hold.save();
    }
  }

  /** Moves events into the outbox. With the last of them, what the look remembers. */
  #fill(): void {
    let room = OUTBOX.characters;
    while (this.#rest[0] && room > 0 && this.#state.outbox.length < OUTBOX.events) {
      room -= JSON.stringify(this.#rest[0]).length;
      this.#state.outbox.push(this.#rest.shift() as WatchEvent);
    }
    if (this.#rest.length > 0) return;
    this.#state.partial = undefined;
    this.#after?.();
    this.#after = undefined;
  }

  /** Asks who the key is: once a day, and for another key. Refuses the cursor of another brand. */
  async #identify(): Promise<void> {
    const { inside } = this.#settings;
    this.#account ??= await inside.account();
    const account = this.#account;
    const { me } = this.#state;
    if (me && me.account === account && this.#ledger.now() < me.at + DAY) return;
    const { sphere, bulle, gmb_fiches } = await this.#ask('me', undefined, 'me');
    const scope = [inside.address, sphere.id, bulle?.id ?? null, inside.bulle_id ?? null, inside.fiche_id ?? null];
    const of = await hash(JSON.stringify(scope));
    if (this.#state.of !== undefined && this.#state.of !== of) {
      const hint = 'Use a cursor of its own for each brand, key scope and location.';
      throw new ConfigurationError(`watch: the cursor belongs to another service, brand or scope of a key. ${hint}`);
    }
    const fiches = inside.fiche_id === undefined ? gmb_fiches.map(({ id }) => id) : [inside.fiche_id];
    this.#state.of = of;
    this.#state.me = { at: this.#ledger.now(), account, sphere: sphere.id, fiches };
    for (const fiche of Object.keys(this.#state.reviews))
      if (!fiches.includes(fiche)) delete this.#state.reviews[fiche];
  }

  /** What is due and has room, the most overdue first. */
  #next(): Unit | undefined {
    const { once, perDay } = this.#settings;
    // A look that was interrupted while its events were given goes on before any other.
    if (this.#state.partial) return this.#state.partial.unit as Unit;
    const now = this.#ledger.now();
    const units = this.#paces().flatMap((pace): (Pace & { due: number; unit: Unit })[] => {
      const unit = pace.kind === 'reviews' ? this.#nextListing(pace) : pace.kind;
      if (!unit || pace.latest === null) return [];
      const due = this.#isNew(unit) ? Number.NEGATIVE_INFINITY : this.#dueOf(pace);
      return [{ ...pace, unit, due: Math.max(due, this.#later.get(unit) ?? Number.NEGATIVE_INFINITY) }];
    });
    const isListing = (this.#state.due.listing ?? 0) <= now;
    const fits = ({ kind, unit, requests }: (typeof units)[number]) => {
      const cost = unit === kind ? (this.#state.cost[isListing && kind === 'articles' ? 'listing' : kind] ?? 1) : 1;
      // A kind that is new to the cursor must not take the requests of the others.
      const isWithin =
        !this.#isNew(unit) ||
        this.#ledger.used(kind) + cost <= Math.max(cost, requests + Math.floor(slackOf(perDay) / 2));
      return isWithin && (!once || this.#ledger.roomIn(cost, perDay) === 0);
    };
    const due = units.filter((one) => one.due <= now && fits(one)).sort((a, b) => a.due - b.due);
    const [first] = due;
    return first?.unit === 'articles' && isListing ? 'listing' : first?.unit;
  }

  #isNew(unit: Unit): boolean {
    return unit.startsWith('reviews:')
      ? this.#state.reviews[unit.slice(8)] === undefined
      : this.#state[unit as WatchKind] === undefined;
  }

  /** The listing whose turn it is: a new one, the one that was not looked at for longest, at times one that is busy. */
  #nextListing({ interval }: Pace): Unit | undefined {
    const { me, reviews, turn } = this.#state;
    const now = this.#ledger.now();
    const fiches = (me?.fiches ?? []).filter((fiche) => (this.#later.get(`reviews:${fiche}`) ?? 0) <= now);
    const atOf = (fiche: string) => reviews[fiche]?.at ?? Number.NEGATIVE_INFINITY;
    const oldest = [...fiches].sort((a, b) => atOf(a) - atOf(b))[0];
    const heatOf = (fiche: string) => (reviews[fiche]?.heat ?? 0) * (now - atOf(fiche));
    const isBusy = (fiche: string) => (reviews[fiche]?.heat ?? 0) > 0.2 && now - atOf(fiche) > interval / BUSY;
    const busiest = fiches.filter(isBusy).sort((a, b) => heatOf(b) - heatOf(a))[0];
    const isOld = oldest !== undefined && reviews[oldest] !== undefined;
    const chosen = isOld && busiest !== undefined && turn % BUSY === BUSY - 1 ? busiest : oldest;
    return chosen === undefined ? undefined : `reviews:${chosen}`;
  }

  #paces(): Pace[] {
    const { wanted, perDay } = this.#settings;
    return paceOf(numbersOf(this.#state, wanted.kinds, perDay));
  }

  /** When a kind is due, at today's pace. Reviews have a turn of their own for each listing. */
  #dueOf({ kind, interval }: Pace): number {
    return (this.#state.due[kind] ?? this.#ledger.now()) + (kind === 'reviews' ? 0 : interval);
  }

  /** Ms until something may be due, or have room. */
  #pause(): number {
    const now = this.#ledger.now();
    const dues = this.#paces()
      .map((pace) => this.#dueOf(pace))
      .filter((due) => due > now);
    return Math.max(1_000, Math.min(5 * MINUTE, ...dues.map((due) => due - now)));
  }

  /** Looks at a unit: all of it, or nothing of it is remembered. */
  async #look(unit: Unit): Promise<void> {
    const kind = (unit === 'listing' ? 'articles' : unit.split(':')[0]) as WatchKind;
    let spent = 0;
    const look: Look = {
      ask: (name, params) => {
        spent++;
        return this.#ask(name, params, kind) as Promise<Reads[typeof name][1]>;
      },
      now: () => this.#now(),
      since: this.#settings.since,
    };
    await traceCounts({ operation: 'watch', kind }, async (count) => {
      try {
        const { events, remember } = await this.#found(unit, look);
        const told = await this.#named(events, unit);
        for (const { type } of told) count(type);
        this.#take(unit, told, () => this.#remember(unit, kind, remember, spent));
        await this.#hold.save();
      } catch (error) {
        if (!(await this.#isSkipped(unit, error))) {
          // The next run begins it only with more requests left.
          if (!unit.includes(':')) this.#state.cost[unit as WatchKind] = spent + 1;
          this.#later.set(unit, this.#ledger.now() + MINUTE * 2 ** Math.min(5, this.#failures));
          throw error;
        }
      }
    });
    this.#failures = 0;
    this.#later.delete(unit);
  }

  async #found(unit: Unit, look: Look): Promise<{ events: Draft[]; remember: () => void }> {
    const state = this.#state;
    if (unit === 'posts') return keep(state, unit, await lookAtPosts(state.posts, look));
    if (unit === 'connections') return keep(state, unit, await lookAtConnections(state.connections, look));
    if (unit === 'reports') return keep(state, unit, await lookAtReports(state.reports, look));
    if (unit === 'articles' || unit === 'listing')
      return keep(state, 'articles', await lookAtArticles(state.articles, look, unit === 'listing'));
    const fiche = unit.slice(8);
    const caps = capsFor(state.me?.fiches.length ?? 0);
    const found = await lookAtReviews(state.reviews[fiche], look, {
      fiche_id: fiche,
      caps,
      at: this.#ledger.now(),
    });
    return keep(state.reviews, fiche, found);
  }

  /** Gives the wanted events their ids, oldest first, without those that were given before a restart. */
  async #named(drafts: readonly Draft[], unit: Unit): Promise<WatchEvent[]> {
    const { partial, me, id: cursor } = this.#state;
    const given = new Set(partial?.unit === unit ? piecesOf(partial.given, SHORT) : []);
    const wanted = drafts.filter(({ type }) => this.#settings.wanted.has(type));
    const named = await Promise.all(
      wanted.map(async ({ key, ...event }) => {
        const isOwn = event.type.startsWith('connection.') || event.type === 'watch.gap';
        const name = await hash(JSON.stringify([me?.sphere, event.type, ...key, ...(isOwn ? [cursor] : [])]));
        return { id: `evt_${name.slice(0, 32)}`, ...event } as WatchEvent;
      }),
    );
    const order = (event: WatchEvent) => Date.parse(event.at) || 0;
    return named.filter(({ id }) => !given.has(short(id))).sort((a, b) => order(a) - order(b));
  }

  #take(unit: Unit, events: WatchEvent[], after: () => void): void {
    this.#rest = events;
    this.#after = after;
    const before = this.#state.partial?.unit === unit ? this.#state.partial.given : '';
    this.#state.partial = { unit, given: before };
    this.#fill();
  }

  #remember(unit: Unit, kind: WatchKind, remember: () => void, spent: number): void {
    remember();
    const now = this.#ledger.now();
    const { due, cost, me } = this.#state;
    if (unit === 'listing') Object.assign(due, { listing: now + DAY });
    if (unit === 'listing') cost.listing = spent;
    else cost[kind] = unit.includes(':') ? Math.round(((cost[kind] ?? 1) * 19 + spent) * 5) / 100 : spent;
    if (unit.includes(':')) this.#state.turn++;
    const interval = this.#paces().find((pace) => pace.kind === kind)?.interval ?? DAY;
    const step = interval / ((Math.max(1, me?.fiches.length ?? 1) * BUSY) / (BUSY - 1));
    // Of a long absence, one round of reviews is made up for.
    due[kind] = unit.includes(':') ? Math.max(due[kind] ?? now, now - interval) + step : now;
  }

  /** A listing that the key does not reach any more must not end the watch. It has its next turn in a round. */
  async #isSkipped(unit: Unit, error: unknown): Promise<boolean> {
    const status = isMultilocalError(error) ? (error as { status?: number }).status : undefined;
    if (!unit.includes(':') || (status !== 404 && status !== 403) || Object(error).code === 'missing_permission')
      return false;
    const fiche = unit.slice(8);
    const before = this.#state.reviews[fiche];
    if (before) before.at = this.#ledger.now();
    this.#state.partial = undefined;
    this.#later.set(unit, this.#ledger.now() + DAY);
    await this.#hold.save();
    return true;
  }

  /** Sends one request, which is noted before it leaves. `undefined` for the 404 of a single object. */
  async #ask<Name extends keyof Questions>(
    name: Name,
    params: Questions[Name][0],
    what: string,
  ): Promise<Questions[Name][1]> {
    for (let tries = 0; ; tries++) {
      await this.#room();
      this.#ledger.note(what);
      await this.#hold.save();
      try {
        const { data, date } = await send(this.#client, name, params);
        this.#hear(date);
        return data;
      } catch (error) {
        const { headers, status, origin, retryAfter } = Object(error);
        this.#hear(dateOf(headers), origin !== 'preflight');
        if (status === 404 && name.endsWith('.get')) return undefined as unknown as Questions[Name][1];
        const wait = retryAfter ?? 1_000 * 2 ** tries;
        if (!isPassing(error) || this.#failures > 0 || tries >= 2 || wait > MINUTE) throw error;
        await sleep(wait, this.#settings.signal);
      }
    }
  }

  /** Waits until the window has room. With `once`, what is left is for the next run. */
  async #room(): Promise<void> {
    const { perDay, once, signal } = this.#settings;
    for (let wait = this.#ledger.roomIn(1, perDay); wait > 0; wait = this.#ledger.roomIn(1, perDay)) {
      if (once) throw new NoRoom();
      await sleep(Math.min(wait, 10 * MINUTE), signal);
    }
  }

  #hear(date: number | undefined, wasSent = true): void {
    this.#ledger.settle(date, wasSent);
    if (date !== undefined) this.#service = [date, performance.now()];
  }

  #now(): number {
    return Math.floor(this.#service[0] + performance.now() - this.#service[1]);
  }

  async #waitOut(error: unknown): Promise<void> {
    const { retryAfter = 0 } = Object(error);
    const pause = Math.max(retryAfter, Math.min(LONGEST_PAUSE, 5_000 * 2 ** this.#failures));
    this.#failures++;
    await sleep(pause, this.#settings.signal);
  }
}

/** What a look has found. The cursor remembers it when its events are in the outbox. */
function keep<Memory, Name extends keyof Memory>(
  memory: Memory,
  name: Name,
  { events, state }: Found<NonNullable<Memory[Name]>>,
) {
  const remember = () => {
    memory[name] = state;
  };
  return { events, remember };
}

/** Today's numbers, as the cursor knows them. */
export function numbersOf({ me, cost }: State, kinds: readonly WatchKind[], perDay: number) {
  const { posts = 3, connections = 1, reviews = 1, articles = 1, reports = 1, listing = 1 } = cost;
  const costs = { posts, connections, reviews: Math.max(1, reviews), articles, reports };
  return { kinds, perDay, listings: me?.fiches.length ?? 0, cost: costs, listing };
}
