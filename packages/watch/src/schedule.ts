import type { WatchKind } from './events.js';
import type { Ledger } from './ledger.js';
import { DAY, MINUTE } from './look.js';
import type { Settings } from './options.js';
import { BUSY, listingDays, numbersOf, type Pace, paceOf, slackOf } from './plan.js';
import type { State } from './state.js';

/** What is looked at: a kind, `listing` of all articles, or `reviews:` with a listing. */
export type Unit = WatchKind | 'listing' | `reviews:${string}`;

export function ficheOf(unit: Unit): string | undefined {
  return unit.startsWith('reviews:') ? unit.slice(8) : undefined;
}

export function kindOf(unit: Unit): WatchKind {
  return unit === 'listing' ? 'articles' : (unit.split(':')[0] as WatchKind);
}

/** Says what is looked at next. */
export class Schedule {
  readonly #state: State;
  readonly #ledger: Ledger;
  readonly #settings: Settings;
  /** Units that failed wait longer than the others. */
  readonly #later = new Map<string, number>();

  constructor(state: State, ledger: Ledger, settings: Settings) {
    this.#state = state;
    this.#ledger = ledger;
    this.#settings = settings;
  }

  /** What is due and has room, the most overdue first. */
  next(): Unit | undefined {
    // A look that was interrupted while its events were given goes on before any other.
    if (this.#state.partial) return this.#state.partial.unit as Unit;
    const now = this.#ledger.now();
    const isListing = (this.#state.due.listing ?? 0) <= now;
    const due = this.#paces().flatMap((pace): { due: number; unit: Unit }[] => {
      if (pace.latest === null) return [];
      const { kind } = pace;
      const listing: Unit[] = isListing && kind === 'articles' ? ['listing'] : [];
      const units = kind === 'reviews' ? this.#nextListing(pace) : [...listing, kind];
      const unit = units.find((one) => this.#fits(one, pace));
      if (!unit || (kind === 'articles' && unit === kind && this.#isNew(unit))) return [];
      const at = Math.max(this.#isNew(unit) ? Number.NEGATIVE_INFINITY : this.#dueOf(pace), this.#laterOf(unit));
      return at <= now ? [{ due: at, unit }] : [];
    });
    return due.sort((a, b) => a.due - b.due)[0]?.unit;
  }

  /** A look for which no run of two days has had room. Each is said once. */
  late(): Unit | undefined {
    const now = this.#ledger.now();
    this.#state.late ??= {};
    const { due, late } = this.#state;
    for (const pace of this.#paces()) {
      const unit = pace.kind === 'articles' ? 'listing' : pace.kind;
      const at = unit === 'listing' || this.#isNew(unit) ? (due[unit] ?? now) : this.#dueOf(pace);
      // Each listing of reviews costs so little that it has its turn.
      if (unit === 'reviews' || pace.latest === null || at > now || this.#fits(unit, pace)) continue;
      if (late[unit] === undefined) late[unit] = now;
      const since = late[unit];
      if (since === null || since > now - 2 * DAY) continue;
      late[unit] = null;
      return unit;
    }
    return undefined;
  }

  /** Ms until something may be due, or have room. */
  pause(): number {
    const now = this.#ledger.now();
    const waits = this.#paces().map((pace) => this.#dueOf(pace) - now);
    return Math.max(1_000, Math.min(5 * MINUTE, ...waits.filter((wait) => wait > 0)));
  }

  /** A look is over, and has cost some requests. */
  done(unit: Unit, spent: number): void {
    const { due, cost, me } = this.#state;
    const now = this.#ledger.now();
    const kind = kindOf(unit);
    const { interval = DAY } = this.#paces().find((pace) => pace.kind === kind) ?? {};
    this.#later.delete(unit);
    delete this.#state.late?.[unit];
    const { [kind]: before = now } = due;
    due[kind] = now;
    if (unit === 'listing') {
      cost.listing = spent;
      due.listing = now + DAY * listingDays(spent, this.#settings.perDay);
    } else if (kind === 'reviews') {
      cost.reviews = Math.round(((cost.reviews ?? 1) * 19 + spent) * 5) / 100;
      this.#state.turn++;
      const step = interval / ((Math.max(1, me?.fiches.length ?? 1) * BUSY) / (BUSY - 1));
      // Of a long absence, one round of reviews is made up for.
      due.reviews = Math.max(before, now - interval) + step;
    } else cost[kind] = spent;
  }

  /** A look has failed. The next run begins it only with more requests left. */
  failed(unit: Unit, spent: number, failures: number): void {
    const { cost } = this.#state;
    if (ficheOf(unit) === undefined) cost[unit as WatchKind] = Math.max(cost[unit as WatchKind] ?? 0, spent + 1);
    this.#later.set(unit, this.#ledger.now() + MINUTE * 2 ** Math.min(5, failures));
  }

  /** A listing that the key does not reach any more must not end the watch. */
  skip(fiche: string): void {
    this.#state.partial = undefined;
    this.#state.skipped[fiche] = this.#ledger.now() + DAY;
  }

  #paces(): Pace[] {
    const { wanted, perDay } = this.#settings;
    return paceOf(numbersOf(this.#state, wanted.kinds, perDay));
  }

  #isNew(unit: Unit): boolean {
    const fiche = ficheOf(unit);
    return fiche === undefined ? this.#state[kindOf(unit)] === undefined : this.#state.reviews[fiche] === undefined;
  }

  /** Whether the window has room for a look. */
  #fits(unit: Unit, { kind, requests }: Pace): boolean {
    const { once, perDay } = this.#settings;
    const cost = ficheOf(unit) === undefined ? (this.#state.cost[unit as WatchKind] ?? 1) : 1;
    // A kind that is new to the cursor must not take the requests of the others.
    const share = Math.max(cost, requests + Math.floor(slackOf(perDay) / 2));
    if (this.#isNew(unit) && this.#ledger.used(kind) + cost > share) return false;
    // A look that costs more than a day's requests would use them up every day, and never end.
    return !once || (cost <= perDay && this.#ledger.roomIn(cost, perDay) === 0);
  }

  /** The listing whose turn it is: a new one, the one that was not looked at for longest, at times one that is busy. */
  #nextListing({ interval }: Pace): Unit[] {
    const { me, reviews, turn } = this.#state;
    const now = this.#ledger.now();
    const fiches = (me?.fiches ?? []).filter((fiche) => this.#laterOf(`reviews:${fiche}`) <= now);
    const atOf = (fiche: string) => reviews[fiche]?.at ?? Number.NEGATIVE_INFINITY;
    const heatOf = (fiche: string) => reviews[fiche]?.heat ?? 0;
    const oldest = [...fiches].sort((a, b) => atOf(a) - atOf(b))[0];
    const isBusy = (fiche: string) => heatOf(fiche) > 0.2 && now - atOf(fiche) > interval / BUSY;
    const busiest = fiches.filter(isBusy).sort((a, b) => heatOf(b) * (now - atOf(b)) - heatOf(a) * (now - atOf(a)))[0];
    const isBusyTurn = oldest !== undefined && reviews[oldest] !== undefined && turn % BUSY === BUSY - 1;
    const chosen = isBusyTurn ? (busiest ?? oldest) : oldest;
    return chosen === undefined ? [] : [`reviews:${chosen}`];
  }

  /** When a kind is due, at today's pace. Reviews have a turn of their own for each listing. */
  #dueOf({ kind, interval }: Pace): number {
    return (this.#state.due[kind] ?? this.#ledger.now()) + (kind === 'reviews' ? 0 : interval);
  }

  #laterOf(unit: Unit): number {
    return Math.max(this.#later.get(unit) ?? 0, this.#state.skipped[ficheOf(unit) ?? ''] ?? 0);
  }
}
