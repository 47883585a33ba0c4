import type { Client } from 'multilocal';
import { sleep } from 'multilocal/internal/abort';
import { ConfigurationError } from 'multilocal/internal/errors';
import { isOutage } from 'multilocal/internal/retry';
import { hash } from 'multilocal/internal/text';
import { traceCounts } from 'multilocal/internal/trace-counts';
import { lookAtArticles } from './articles.js';
import type { WatchEvent } from './events.js';
import type { Hold } from './hold.js';
import { Ledger } from './ledger.js';
import { type Answer, DAY, type Draft, gapOf, type Look, MINUTE, piecesOf, short } from './look.js';
import type { Settings } from './options.js';
import { lookAtConnections, lookAtReports } from './others.js';
import { slackOf } from './plan.js';
import { lookAtPosts } from './posts.js';
import { dateOf, fichesOf, type Reads, send } from './reads.js';
import { capsFor, lookAtReviews } from './reviews.js';
import { ficheOf, kindOf, Schedule, type Unit } from './schedule.js';
import type { State } from './state.js';

/** Events and characters of an outbox. The rest of a look follows when they are given. */
const OUTBOX = { events: 200, characters: 200_000 };
/** Posts or articles that a look asks for by their ids, if the budget has room for them. */
const SINGLE = 25;
/** The longest pause after a failure. */
const LONGEST_PAUSE = 30 * MINUTE;
/** For how long a listing is remembered that the service does not name. */
const ABSENCE = 30 * DAY;

const LOOKS = { posts: lookAtPosts, connections: lookAtConnections, articles: lookAtArticles, reports: lookAtReports };

/** The budget is used up. */
class NoRoom extends Error {}

/** Looks, one unit after another, and gives what it finds. */
export class Watcher {
  readonly #settings: Settings;
  readonly #client: Client;
  readonly #hold: Hold;
  readonly #state: State;
  readonly #ledger: Ledger;
  readonly #schedule: Schedule;
  /** When the service said what time it is, by the clock of the process. */
  #service: readonly [date: number, at: number] = [Date.now(), performance.now()];
  /** Events of the last look that the outbox does not hold yet, and what to remember after them. */
  #rest: WatchEvent[] = [];
  #after: (() => void) | undefined;
  #failures = 0;
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
    this.#schedule = new Schedule(hold.state, this.#ledger, settings);
  }

  async *events(): AsyncGenerator<WatchEvent, void, undefined> {
    const { signal, once } = this.#settings;
    for (;;) {
      yield* this.#give();
      signal.throwIfAborted();
      // After one failure, the rest of what is due is looked at. Two in a row are an outage of the service.
      if (once && this.#failures > 1) break;
      try {
        await this.#identify();
        const unit = this.#schedule.next();
        if (unit) await this.#look(unit);
        else if (!once) await sleep(this.#schedule.pause(), signal);
        else if (!(await this.#sayLate())) break;
      } catch (error) {
        if (error instanceof NoRoom) break;
        if (signal.aborted || !mayWait(error)) throw error;
        if (!once) await this.#waitOut(error);
        else [this.#outage, this.#failures] = [this.#outage ?? error, isOutage(error) ? this.#failures + 1 : 2];
      }
    }
    await this.#hold.save();
    if (this.#outage !== undefined) throw this.#outage;
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
    const { me, reviews } = this.#state;
    const now = this.#ledger.now();
    if (me && me.account === account && now < me.at + DAY) return;
    const identity = await this.#ask('me', undefined, 'me');
    const { sphere, bulle } = identity;
    const scope = [inside.address, sphere.id, bulle?.id ?? null, inside.bulle_id ?? null, inside.fiche_id ?? null];
    const of = await hash(JSON.stringify(scope));
    if (this.#state.of !== undefined && this.#state.of !== of) {
      const hint = 'Use a cursor of its own for each brand, key scope and location.';
      throw new ConfigurationError(`watch: the cursor belongs to another service, brand or scope of a key. ${hint}`);
    }
    const fiches = fichesOf(identity, inside.fiche_id);
    this.#state.of = of;
    this.#state.me = { at: this.#ledger.now(), account, sphere: sphere.id, fiches };
    for (const [fiche, { at }] of Object.entries(reviews))
      if (!fiches.includes(fiche) && at < now - ABSENCE) delete reviews[fiche];
  }

  /** Looks at a unit: all of it, or nothing of it is remembered. */
  async #look(unit: Unit): Promise<void> {
    const kind = kindOf(unit);
    const fiche = ficheOf(unit);
    let spent = 0;
    const look: Look = {
      ask: (name, params) => {
        spent++;
        return this.#ask(name, params, kind);
      },
      now: () => this.#now(),
      since: this.#settings.since,
      single: Math.min(SINGLE, slackOf(this.#settings.perDay)),
    };
    await traceCounts({ operation: 'watch', kind }, async (count) => {
      try {
        const { events, remember } = await this.#found(unit, look);
        const told = await this.#named(events, unit);
        for (const { type } of told) count(type);
        this.#rest = told;
        this.#after = () => {
          remember();
          this.#schedule.done(unit, spent);
        };
        this.#state.partial = { unit, given: this.#state.partial?.given ?? '' };
        this.#fill();
      } catch (error) {
        const { status, code } = Object(error) as { status?: number; code?: string };
        const isGone = (status === 404 || status === 403) && code !== 'missing_permission';
        if (fiche === undefined || !isGone) {
          this.#schedule.failed(unit, spent, this.#failures);
          throw error;
        }
        this.#schedule.skip(fiche);
      }
    });
    this.#failures = 0;
    await this.#hold.save();
  }

  /** Tells of a look for which no run has room. Returns whether there is one. */
  async #sayLate(): Promise<boolean> {
    const unit = this.#schedule.late();
    if (unit) {
      const gap = gapOf(kindOf(unit), [unit, this.#ledger.now()], { now: () => this.#now() });
      this.#state.outbox.push(...(await this.#named([gap], unit)));
    }
    await this.#hold.save();
    return unit !== undefined;
  }

  /** What a look finds, and how the cursor remembers it. */
  async #found(unit: Unit, look: Look): Promise<{ events: Draft[]; remember: () => void }> {
    const { reviews, me } = this.#state;
    const fiche_id = ficheOf(unit);
    if (fiche_id !== undefined) {
      const caps = capsFor(me?.fiches.length ?? 0, this.#settings.perDay);
      const listing = { fiche_id, caps, at: this.#ledger.now() };
      const { events, state } = await lookAtReviews(reviews[fiche_id], look, listing);
      return { events, remember: () => Object.assign(reviews, { [fiche_id]: state }) };
    }
    const kind = kindOf(unit) as keyof typeof LOOKS;
    const { events, state } = await LOOKS[kind](this.#state[kind] as never, look, unit === 'listing');
    return { events, remember: () => Object.assign(this.#state, { [kind]: state }) };
  }

  /** Gives the wanted events their ids, oldest first, without those that were given before a restart. */
  async #named(drafts: readonly Draft[], unit: Unit): Promise<WatchEvent[]> {
    const { partial, me, id: cursor } = this.#state;
    const given = new Set(partial?.unit === unit ? piecesOf(partial.given) : []);
    const { wanted, inside } = this.#settings;
    // A text of the service may quote the key.
    const clean = inside.clean(drafts.filter(({ type }) => wanted.types.has(type)));
    const named = await Promise.all(
      clean.map(async ({ key, ...event }) => {
        const isOwn = event.type.startsWith('connection.') || event.type === 'watch.gap';
        const name = await hash(JSON.stringify([me?.sphere, event.type, ...key, ...(isOwn ? [cursor] : [])]));
        return { id: `evt_${name.slice(0, 32)}`, ...event } as WatchEvent;
      }),
    );
    const order = (event: WatchEvent) => Date.parse(event.at) || 0;
    return named.filter(({ id }) => !given.has(short(id))).sort((a, b) => order(a) - order(b));
  }

  /** Sends one request, which is noted before it leaves. */
  async #ask<Name extends keyof Reads>(name: Name, params: Reads[Name][0], what: string): Promise<Answer<Name>> {
    for (let tries = 0; ; tries++) {
      await this.#room();
      this.#ledger.note(what);
      await this.#hold.save();
      try {
        const { data, date } = await send(this.#client, name, params);
        this.#hear(date);
        return data;
      } catch (error) {
        const { headers, status, code, origin, retryAfter } = Object(error);
        this.#hear(dateOf(headers), origin !== 'preflight');
        if (name.endsWith('.get') && status === 404) return null as Answer<Name>;
        if (name.endsWith('.get') && status === 403 && code !== 'missing_permission') return undefined as Answer<Name>;
        const wait = retryAfter ?? 1_000 * 2 ** tries;
        if (!mayWait(error) || this.#failures > 0 || tries >= 2 || wait > MINUTE) throw error;
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

/** Whether to wait and ask again. A watcher waits even for the requests of the next day. */
function mayWait(error: unknown): boolean {
  return isOutage(error) || Object(error).status === 429;
}
