import type { Review, ReviewPage } from 'multilocal';
import { DAY, type Draft, type Found, gapOf, type Look, piecesOf, SHORT, short, textOf, timeOf } from './look.js';
import { PAGE, type ReviewQuestion } from './reads.js';

/** What a cursor remembers of the reviews of a listing. */
export interface ListingState {
  /** When the listing was looked at, by the cursor's clock. */
  at: number;
  /** Short hashes of the newest reviews, newest first. */
  known: string;
  /** Those without an answer: the short hash and the day of each. */
  open: string;
  /** A review is new only if it is later than this. `null`: the whole listing is known. */
  floor: number | null;
  /** `status_counts`: all, with an answer, without one. */
  counts: readonly [all: number, answered: number, open: number];
  /** How much happens at the listing: halves in three days. */
  heat: number;
}

/** The most reviews that a cursor remembers of a listing. */
export interface ReviewCaps {
  readonly known: number;
  readonly open: number;
}

const HALF = 3 * DAY;
/** How often pages are read again that moved while they were read. */
const RESTARTS = 3;
/** Days have three digits of base 36. */
const DIGITS = 3;

/** The numbers of a cursor that stays below a megabyte with 300 listings, and grows by 2 kB with each further one. */
export function capsFor(listings: number, perDay: number): ReviewCaps {
  const share = (all: number) => Math.max(PAGE, Math.floor(all / Math.max(1, listings)));
  // Reading the open ones must not use up the requests of a day.
  return { known: share(36_000), open: Math.min(share(30_000), Math.max(PAGE, (PAGE * perDay) / 4)) };
}

/** Looks at the reviews of one listing: at the newest pages, and further if the counts show that more has happened. */
export async function lookAtReviews(
  before: ListingState | undefined,
  look: Look,
  { fiche_id, caps, at }: { fiche_id: string; caps: ReviewCaps; at: number },
): Promise<Found<ListingState>> {
  const listing = new Listing(before, look, fiche_id, caps);
  await listing.read();
  const { events } = listing;
  const cooled = (before?.heat ?? 0) * 0.5 ** ((at - (before?.at ?? at)) / HALF);
  return { events, state: { ...listing.state(), at, heat: Math.round((cooled + events.length) * 100) / 100 } };
}

class Listing {
  readonly events: Draft[] = [];
  readonly #before: ListingState | undefined;
  readonly #look: Look;
  readonly #fiche: string;
  readonly #caps: ReviewCaps;
  readonly #known: Set<string>;
  readonly #open: Map<string, number>;
  /** The reviews of the newest pages, newest first. */
  readonly #seen = new Map<string, Review>();
  #isWhole = false;
  #counts: ListingState['counts'] = [0, 0, 0];
  #hasDrafts = false;

  constructor(before: ListingState | undefined, look: Look, fiche: string, caps: ReviewCaps) {
    this.#before = before;
    this.#look = look;
    this.#fiche = fiche;
    this.#caps = caps;
    this.#known = new Set(piecesOf(before?.known ?? ''));
    const entries = piecesOf(before?.open ?? '', SHORT + DIGITS);
    this.#open = new Map(entries.map((one) => [one.slice(0, SHORT), Number.parseInt(one.slice(SHORT), 36)]));
  }

  async read(): Promise<void> {
    const goesOn = (last: Review) => (this.#before ? this.#isFresh(last) : this.#look.since !== undefined);
    await this.#pages({}, this.#seen, goesOn);
    const expected = this.#take();
    if (this.#isWhole) return;
    if (!this.#before) await this.#readOpen();
    else if (expected.some((count, index) => count !== this.#counts[index])) await this.#dig(expected);
  }

  state(): Omit<ListingState, 'at' | 'heat'> {
    // A list that is empty for once forgets nothing.
    if (this.#before && this.#seen.size === 0) return this.#before;
    const seen = [...this.#seen.keys()].map(short);
    const known = [...new Set([...seen, ...this.#known])]
      .filter((id) => !this.#open.has(id))
      .slice(0, this.#caps.known);
    const open = [...this.#open].sort(([, a], [, b]) => b - a).slice(0, this.#caps.open);
    const kept = new Set([...known, ...open.map(([id]) => id)]);
    const times = (all: Review[]) => all.map((one) => timeOf(one.review_timestamp)).filter((time) => time > 0);
    const shown = [...this.#seen.values()];
    const lost = times(shown.filter(({ review_id }) => !kept.has(short(review_id))));
    const lowest = this.#isWhole ? [] : times(shown);
    return {
      known: known.join(''),
      open: open.map(([id, day]) => id + day.toString(36).padStart(DIGITS, '0')).join(''),
      floor: lost.length > 0 ? Math.max(...lost) : lowest.length > 0 ? Math.min(...lowest) : null,
      counts: this.#counts,
    };
  }

  /**
   * Reads pages of reviews, as long as the last review of each says so. It begins again if reviews came, went or got an answer
   * meanwhile, because the others are on other pages then.
   */
  async #pages(
    filter: Pick<ReviewQuestion, 'status' | 'date_from' | 'date_to'>,
    into: Map<string, Review>,
    goesOn: (last: Review) => boolean,
  ): Promise<void> {
    let before: ReviewPage | undefined;
    for (let page = 1, restarts = 0; ; page++) {
      const found = await this.#look.ask('reviews.list', { fiche_id: this.#fiche, page, ...filter });
      for (const review of found.reviews) into.set(review.review_id, review);
      const [first, last] = [found.reviews[0], found.reviews.at(-1)];
      const { all, responded, unresponded, drafts } = found.status_counts;
      if (filter.status !== 'responded') this.#counts = [all, responded, unresponded + drafts];
      this.#hasDrafts = drafts > 0;
      const isLast = page >= found.total_pages || !last;
      if (!filter.status) this.#isWhole = isLast;
      const isMoved = before && JSON.stringify(before.status_counts) !== JSON.stringify(found.status_counts);
      if (isMoved && restarts++ < RESTARTS) {
        before = undefined;
        page = 0;
        continue;
      }
      // A page that begins like the one before is one that the service repeats.
      if (isLast || first?.review_id === before?.reviews[0]?.review_id || !goesOn(last)) return;
      before = found;
    }
  }

  /** Tells what the newest pages show. Returns the counts that follow from it. */
  #take(): [number, number, number] {
    const { since = Number.POSITIVE_INFINITY } = this.#look;
    const isAfter = (date: string | null | undefined) => timeOf(date) > since;
    const [all, answered, open] = this.#before?.counts ?? [0, 0, 0];
    const fresh = this.#fresh();
    const change: [number, number, number] = [all + fresh.size, answered, open];
    for (const review of this.#seen.values()) {
      const { responded } = review;
      const id = short(review.review_id);
      const [wasOpen, wasAnswered, isNew] = [this.#open.has(id), this.#known.has(id), fresh.has(review)];
      const isTold = this.#before ? isNew : isAfter(review.review_timestamp);
      const isAnswered = responded && (this.#before ? wasOpen || isNew : isAfter(review.reply_date));
      if (isTold) this.#tell('review.new', review);
      if (isAnswered) this.#tell('review.answered', review);
      change[1] += Number(isAnswered) - Number(!responded && wasAnswered);
      change[2] += Number(!responded && !wasOpen && (isNew || wasAnswered)) - Number(responded && wasOpen);
      if (responded) this.#open.delete(id);
      else this.#open.set(id, dayOf(review));
    }
    return change;
  }

  /** The reviews that are new. An old one that was edited may have a new date: its answer is older, and it is not counted anew. */
  #fresh(): ReadonlySet<Review> {
    if (!this.#before) return new Set();
    const found = [...this.#seen.values()].filter((review) => this.#isFresh(review));
    const excess = Math.max(0, this.#before.counts[0] + found.length - this.#counts[0]);
    // One without a date may be old, too.
    const edited = found.filter(
      ({ reply_date: reply, review_timestamp: made }) => Number.isNaN(timeOf(made)) || timeOf(reply) < timeOf(made),
    );
    for (const review of edited.slice(0, excess)) found.splice(found.indexOf(review), 1);
    return new Set(found);
  }

  /** Finds answers to older reviews, and older reviews that the service had not shown: the counts say that there are some. */
  async #dig([all, answered]: readonly [number, number, number]): Promise<void> {
    const counts = `${this.#counts}`;
    const tracked = new Map(this.#open);
    const { found, reach } = await this.#readOpen();
    const fresh = found.filter(({ review_id }) => !tracked.has(short(review_id)) && !this.#known.has(short(review_id)));
    const added = fresh.slice(0, Math.max(0, this.#counts[0] - all));
    for (const review of added) this.#tell('review.new', review);
    const shown = new Set(found.map(({ review_id }) => short(review_id)));
    const gone = [...tracked].filter(([id, day]) => !shown.has(id) && day > reach);
    const answers = gone.length === 0 ? [] : await this.#answersTo(new Map(gone));
    // One that was hidden is not new when it is back.
    for (const [id] of gone) if (this.#open.delete(id)) this.#known.add(id);
    for (const review of answers) this.#tell('review.answered', review);
    const told = [all + added.length, answered + answers.length] as const;
    if (this.#counts[0] <= told[0] && this.#counts[1] <= told[1]) return;
    // What came and was answered meanwhile is in neither list. The next look finds it, because the counts do not fit then.
    if (`${this.#counts}` !== counts) this.#counts = [...told, this.#counts[2]];
    else this.events.push({ ...gapOf('reviews', [this.#fiche, ...this.#counts], this.#look), fiche_id: this.#fiche });
  }

  /** Reads the reviews without an answer, newest first. `reach`: the day up to which all of them were read. */
  async #readOpen(): Promise<{ found: Review[]; reach: number }> {
    const found = new Map<string, Review>();
    const states = this.#hasDrafts ? (['unresponded', 'drafts'] as const) : (['unresponded'] as const);
    let reach = Number.NEGATIVE_INFINITY;
    for (const status of states) {
      const part = new Map<string, Review>();
      await this.#pages({ status }, part, (last) => {
        if (part.size < this.#caps.open) return true;
        reach = Math.max(reach, dayOf(last));
        return false;
      });
      for (const [id, review] of part) found.set(id, review);
    }
    const open = [...found.values()].filter(({ responded }) => !responded);
    for (const review of open) this.#open.set(short(review.review_id), dayOf(review));
    return { found: open, reach };
  }

  /** Reads those of the reviews that have an answer now. Others of them are gone. */
  async #answersTo(reviews: ReadonlyMap<string, number>): Promise<Review[]> {
    const found = new Map<string, Review>();
    const days = [...reviews.values()];
    const [first, last] = [Math.min(...days), Math.max(...days)];
    // It is not documented whether a date of a filter counts itself, nor in which zone.
    const range = first > 0 && { date_from: textOf((first - 1) * DAY), date_to: textOf((last + 2) * DAY) };
    const hits = () => [...found.values()].filter((one) => one.responded && reviews.has(short(one.review_id)));
    await this.#pages({ status: 'responded', ...range }, found, () => hits().length < reviews.size);
    return hits();
  }

  #isFresh({ review_id, review_timestamp }: Review): boolean {
    const id = short(review_id);
    const isOld = timeOf(review_timestamp) <= (this.#before?.floor ?? Number.NEGATIVE_INFINITY);
    return !this.#known.has(id) && !this.#open.has(id) && !isOld;
  }

  #tell(type: 'review.new' | 'review.answered', review: Review): void {
    const date = type === 'review.new' ? review.review_timestamp : review.reply_date;
    const key = type === 'review.new' ? [review.review_id] : [review.review_id, date ?? review.response_text];
    this.events.push({ type, key, at: date ?? textOf(this.#look.now()), fiche_id: this.#fiche, review });
  }
}

function dayOf({ review_timestamp }: Review): number {
  return Math.min(36 ** DIGITS - 1, Math.max(0, Math.floor((timeOf(review_timestamp) || 0) / DAY)));
}
