import type { Plan } from '@multilocal/plans/plan';
import type { ActionStatus, PlanStatus, PlatformState } from '@multilocal/plans/status';
import { platformName } from '@multilocal/plans/words';
import type { Bulle, IdentityFiche, Post, Review } from 'multilocal';
import { parseTimestamp } from 'multilocal/internal/timestamps';
import { offsetsOf } from 'multilocal/internal/zoned-time';
import { type CalendarLeftOver, type Draft, draftsOfPlan, draftsOfPost, textOf } from './calendar-drafts.js';
import { dayInWords, labelOf, type Words } from './calendar-words.js';

/** One line of a calendar: what appears where and when. */
export interface Entry extends Omit<Draft, 'fiche_id' | 'moment' | 'other' | 'became'> {
  /** Name of the location or listing. Its id if the name is unknown, `''` if the action has none. */
  readonly location: string;
  readonly city: string;
  readonly language: string;
  /** The fields of the location that a text may have as variables. */
  readonly place: Readonly<Record<string, string>>;
  /** The moment, on the clocks of the location. `undefined` if it is not fixed. */
  readonly time: LocalTime | undefined;
  /** What became of it, on each of its platforms. `remark` has it in words. */
  readonly outcomes?: readonly Outcome[] | undefined;
}

/** What became of an action on a platform. */
export interface Outcome extends Pick<PlatformState, 'state' | 'error' | 'link'> {
  /** `''` for what is on none. */
  readonly platform: string;
  readonly time: LocalTime | undefined;
}

/** A moment on the clocks of a zone. */
export interface LocalTime {
  readonly moment: Date;
  /** `2026-12-24` */
  readonly date: string;
  /** `09:00` */
  readonly time: string;
  /** `+01:00` */
  readonly offset: string;
  readonly zone: string;
}

export interface Places {
  readonly zone: string;
  readonly zones?: Readonly<Record<string, string>> | undefined;
  readonly locations?: readonly Bulle[] | undefined;
  readonly listings?: readonly IdentityFiche[] | undefined;
  readonly reviews?: readonly Review[] | undefined;
  readonly leftOvers?: readonly CalendarLeftOver[] | undefined;
  readonly status?: PlanStatus | undefined;
}

/** The entries of plans: those with a moment in their order, then the others as they stand in the plans. */
export function entriesOfPlans(plans: readonly Plan[], places: Places, words: Words): Entry[] {
  return inOrder(
    plans.flatMap((plan) => draftsOfPlan(plan, places, words)),
    places,
    words,
  );
}

/** The entries of posts of the service: a post that appears at several moments has several. */
export function entriesOfPosts(posts: readonly Post[], places: Places, words: Words): Entry[] {
  const drafts = posts.flatMap((post) => draftsOfPost(post, words));
  return inOrder(drafts, places, words);
}

function inOrder(drafts: readonly Draft[], places: Places, words: Words): Entry[] {
  const { zone, zones = {}, locations = [], listings = [] } = places;
  const known = new Map(locations.map((location) => [location.id, location]));
  const fiches = new Map(listings.map(({ id, name }) => [id, name]));
  const others = new Map(Object.entries(zones));
  const clocks = new Map<string, (moment: number) => string>();
  const entries = drafts.map(({ moment, fiche_id = '', became, other, remark, ...draft }): Entry => {
    const place = known.get(draft.bulle_id);
    const own = others.get(draft.bulle_id) ?? zone;
    const offsetAt = clocks.get(own) ?? offsetsOf(own);
    clocks.set(own, offsetAt);
    const timeOf = (at: Date | undefined) => at && localTime(at, own, offsetAt(+at));
    const outcomes = became && outcomesOf(became, draft.platforms, timeOf);
    const there = timeOf(other?.moment);
    const when =
      there && other ? words[other.words](words.onDay(dayInWords(there.date, words.locale), there.time)) : '';
    const said = outcomes?.map((outcome) => outcomeInWords(outcome, words)) ?? [remark, when];
    return {
      ...draft,
      ...(outcomes && { outcomes }),
      location: textOf(place?.name ?? (draft.bulle_id || (fiches.get(fiche_id) ?? fiche_id))),
      city: textOf(place?.city),
      language: textOf(place?.language),
      place: wordsOfPlace(place),
      remark: said.filter(Boolean).join('. '),
      time: timeOf(moment),
    };
  });
  return [
    ...entries.filter(({ time }) => time).sort((a, b) => momentOf(a) - momentOf(b) || compare(a.location, b.location)),
    ...entries.filter(({ time }) => !time),
  ];
}

/** What the variables of a text may have stood for. */
function wordsOfPlace(place: Bulle | undefined): Entry['place'] {
  const { id, language: _, tone: __, sphere_id: ___, created_at: ____, ...others } = place ?? {};
  const fields = Object.entries({ ...others, bulle_id: id }).map(
    ([name, word]) => [name, textOf(word).trim()] as const,
  );
  return Object.fromEntries(fields.filter(([, word]) => word !== ''));
}

function outcomesOf(
  { state, platforms }: ActionStatus,
  names: readonly string[],
  timeOf: (at: Date | undefined) => LocalTime | undefined,
): Outcome[] {
  return (names.length > 0 ? names : ['']).map((platform) => {
    const { at, ...own } = platforms?.[platform] ?? { state };
    return { platform, ...own, time: timeOf(parseTimestamp(at) ?? undefined) };
  });
}

/** `Facebook: online, 2026-12-24 09:01`. */
function outcomeInWords({ platform, state, time, error }: Outcome, words: Words): string {
  const when = state === 'online' && time ? `${time.date} ${time.time}` : '';
  const what = [labelOf(words, state), when, error].filter(Boolean).join(', ');
  return platform === '' ? what : `${platformName(platform)}${words.colon}${what}`;
}

const momentOf = ({ time }: Entry) => Number(time?.moment);
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

function localTime(moment: Date, zone: string, offset: string): LocalTime {
  // The moment at which clocks of UTC show what clocks of the zone show now.
  const shown = new Date(2 * +moment - Date.parse(`${moment.toISOString().slice(0, -1)}${offset}`)).toISOString();
  return { moment, date: shown.slice(0, 10), time: shown.slice(11, 16), offset, zone };
}
