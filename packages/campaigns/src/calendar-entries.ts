import { hashOfPlan, keysOf } from '@multilocal/plans/hash';
import type { Plan } from '@multilocal/plans/plan';
import { listingOf } from '@multilocal/plans/targets';
import { reviewInWords } from '@multilocal/plans/words';
import type { Bulle, IdentityFiche, Post, Review } from 'multilocal';
import { postStatusByPlatform } from 'multilocal/internal/posts-platforms';
import { parseTimestamp } from 'multilocal/internal/timestamps';
import { offsetsOf } from 'multilocal/internal/zoned-time';
import { labelOf, type Words } from './calendar-words.js';

/** One line of a calendar: what appears where and when. */
export interface Entry {
  /** Stable name: the same in each calendar of the same plan or post. That of an action begins with its key. */
  readonly id: string;
  /** The name and the hash of the plan. `''` for a post of the service. */
  readonly plan: string;
  readonly hash: string;
  /** The operation of an action. Absent for a post of the service. */
  readonly operation?: string;
  readonly bulle_id: string;
  /** Name of the location or listing. Its id if the name is unknown, `''` if the action has none. */
  readonly location: string;
  readonly city: string;
  readonly language: string;
  readonly platforms: readonly string[];
  /** Everything that the action says, in full. The text of a post has no label. */
  readonly texts: readonly Text[];
  /** Addresses of images and videos. */
  readonly links: readonly string[];
  /** Those of them that are images. */
  readonly images: readonly string[];
  /** What else is to be known: why there is no moment, or the status of a post. */
  readonly remark: string;
  /** The moment, on the clocks of the location. `undefined` if it is not fixed. */
  readonly time: LocalTime | undefined;
  /** When the service last changed the post. */
  readonly updatedAt?: Date | undefined;
}

interface Text {
  readonly label: string;
  readonly text: string;
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
}

type Fields = Readonly<Record<string, unknown>>;
type Draft = Omit<Entry, 'location' | 'city' | 'language' | 'time'> & {
  readonly moment: Date | undefined;
  readonly fiche_id?: string;
};

/** The entries of plans: those with a moment in their order, then the others as they stand in the plans. */
export function entriesOfPlans(plans: readonly Plan[], places: Places, words: Words): Entry[] {
  const drafts = plans.flatMap((plan) => draftsOf(plan, places, words));
  return inOrder(drafts, places);
}

function draftsOf(plan: Plan, { reviews = [] }: Places, words: Words): Draft[] {
  const { name = '', actions } = plan;
  const keys = keysOf(actions);
  const hash = hashOfPlan(plan);
  return actions.flatMap(({ operation, params: given }, index) => {
    // As it is sent: a `Date` is a string there.
    const params: Fields = JSON.parse(JSON.stringify(given ?? {}));
    const isLater = operation === 'posts.create' && params.publish_now !== true;
    const review = reviews.find(({ review_id }) => review_id === params.review_id);
    return moments(params).map(
      ([moment, platforms], number): Draft => ({
        id: `${keys[index]}@${number > 0 ? `${number + 1}.` : ''}multilocal`,
        plan: name,
        hash,
        operation,
        bulle_id: textOf(params.bulle_id),
        fiche_id: textOf(listingOf(params, [])),
        platforms,
        ...wordsOf(params, review, words),
        remark: moment ? '' : isLater ? words.later : words.now,
        moment,
      }),
    );
  });
}

/** The entries of posts of the service: a post that appears at several moments has several. */
export function entriesOfPosts(posts: readonly Post[], places: Places, words: Words): Entry[] {
  const drafts = posts.flatMap((post) => {
    const statuses = Object.entries(postStatusByPlatform(post));
    const dates = statuses.map(([name, status]) => [name, status?.published ?? status?.scheduled ?? null] as const);
    return byMoment(dates).map(
      ([moment, platforms]): Draft => ({
        id: `${['post', post.id, ...platforms].join('-')}@multilocal`,
        plan: '',
        hash: '',
        bulle_id: textOf(post.bulle_id),
        platforms,
        texts: [{ label: '', text: textOf(post.content) }],
        links: linksOf(post),
        images: linksOf(post, IMAGES),
        remark: [labelOf(words, post.status), ...(moment ? [] : [words.withoutDate])].join(', '),
        moment,
        updatedAt: parseTimestamp(post.updated_at) ?? undefined,
      }),
    );
  });
  return inOrder(drafts, places);
}

function inOrder(drafts: readonly Draft[], { zone, zones = {}, locations = [], listings = [] }: Places): Entry[] {
  const known = new Map(locations.map((location) => [location.id, location]));
  const fiches = new Map(listings.map(({ id, name }) => [id, name]));
  const others = new Map(Object.entries(zones));
  const clocks = new Map<string, (moment: number) => string>();
  const entries = drafts.map(({ moment, fiche_id = '', ...draft }): Entry => {
    const place = known.get(draft.bulle_id);
    const own = others.get(draft.bulle_id) ?? zone;
    const offsetAt = clocks.get(own) ?? offsetsOf(own);
    clocks.set(own, offsetAt);
    return {
      ...draft,
      location: textOf(place?.name ?? (draft.bulle_id || (fiches.get(fiche_id) ?? fiche_id))),
      city: textOf(place?.city),
      language: textOf(place?.language),
      time: moment && localTime(moment, own, offsetAt(+moment)),
    };
  });
  return [
    ...entries.filter(({ time }) => time).sort((a, b) => momentOf(a) - momentOf(b) || compare(a.location, b.location)),
    ...entries.filter(({ time }) => !time),
  ];
}

const momentOf = ({ time }: Entry) => Number(time?.moment);
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

function localTime(moment: Date, zone: string, offset: string): LocalTime {
  // The moment at which clocks of UTC show what clocks of the zone show now.
  const shown = new Date(2 * +moment - Date.parse(`${moment.toISOString().slice(0, -1)}${offset}`)).toISOString();
  return { moment, date: shown.slice(0, 10), time: shown.slice(11, 16), offset, zone };
}

type ByMoment = [moment: Date | undefined, platforms: string[]][];

/** The moments of an action, each with its platforms: `scheduled_gmb` replaces `scheduled_at` on gmb. */
function moments(params: Fields): ByMoment {
  const platforms = Array.isArray(params.platforms) ? params.platforms.map(textOf) : [];
  if (platforms.length === 0) return [[readMoment(params.scheduled_at), []]];
  return byMoment(platforms.map((platform) => [platform, params[`scheduled_${platform}`] ?? params.scheduled_at]));
}

function byMoment(dates: readonly (readonly [platform: string, date: unknown])[]): ByMoment {
  const groups = new Map<number | undefined, ByMoment[number]>();
  for (const [platform, date] of dates) {
    const moment = readMoment(date);
    const group = groups.get(moment?.getTime()) ?? [moment, []];
    groups.set(moment?.getTime(), group);
    group[1].push(platform);
  }
  return [...groups.values()];
}

/** `…+01:00[Europe/Paris]` is how `Temporal` writes a moment. */
function readMoment(date: unknown): Date | undefined {
  return parseTimestamp(textOf(date).replace(/\[.*$/, '')) ?? undefined;
}

const IMAGES = ['image_url', 'image_urls'];
const ADDRESSES = [...IMAGES, 'video_url'];
/** What a calendar shows elsewhere, and what must not leave the plan: contacts, and files as text. */
const ELSEWHERE = [...ADDRESSES, 'bulle_id', 'fiche_id', 'platforms', 'publish_now', 'contacts', 'image_base64'];

function wordsOf(params: Fields, review: Review | undefined, { colon }: Words) {
  const elsewhere = [...ELSEWHERE, ...(review ? ['review_id'] : [])];
  const shown = Object.entries(params).filter(([name]) => !elsewhere.includes(name) && !name.startsWith('scheduled_'));
  const texts = shown.flatMap(([name, value]) => leavesOf(value, MAIN.includes(name) ? '' : name));
  if (review) texts.push({ label: 'review', text: textOf(reviewInWords(review, colon)) });
  if (Array.isArray(params.contacts)) texts.push({ label: 'contacts', text: String(params.contacts.length) });
  texts.sort((a, b) => Number(a.label !== '') - Number(b.label !== ''));
  return { texts, links: linksOf(params), images: linksOf(params, IMAGES) };
}

const MAIN = ['content', 'text'];

/** The texts and numbers within a value, each with the way to it. */
function leavesOf(value: unknown, label: string): Text[] {
  if (typeof value !== 'object' || value === null) return [{ label, text: textOf(value) }];
  // What these hold says enough.
  const way = label.replace(/^(content_per_platform|changes)$/, '');
  return Object.entries(value).flatMap(([name, inner]) => {
    return leavesOf(inner, Array.isArray(value) ? label : `${way} ${name}`.trim());
  });
}

function linksOf(fields: object, names: readonly string[] = ADDRESSES): string[] {
  const values = names.flatMap((name) => (fields as Fields)[name]);
  return values.filter((link) => typeof link === 'string').map(textOf);
}

/** What no calendar can hold. */
const BROKEN = /[\p{Cs}\p{NChar}]|(?![\t\n])\p{Cc}/gu;

/** A value as text. A sign stands for what no calendar can hold. */
function textOf(value: unknown): string {
  return String(value ?? '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(BROKEN, '\ufffd');
}
