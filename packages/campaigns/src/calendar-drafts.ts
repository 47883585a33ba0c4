import { hashOfPlan, keysOf, linesOf } from '@multilocal/plans/hash';
import type { Plan, PlanAction } from '@multilocal/plans/plan';
import { datesOf } from '@multilocal/plans/shown';
import type { ActionStatus, PlanStatus } from '@multilocal/plans/status';
import { listingOf } from '@multilocal/plans/targets';
import { reviewInWords } from '@multilocal/plans/words';
import type { Post, Review } from 'multilocal';
import { parseTimestamp } from 'multilocal/internal/timestamps';
import { labelOf, type Words } from './calendar-words.js';

/** What a calendar shows of an action or a post, before it is known what the clocks of its location show. */
export interface Draft {
  /** Stable name: the same in each calendar of the same plan or post. That of an action begins with its key. */
  readonly id: string;
  /** The name and the hash of the plan. `''` for a post of the service. */
  readonly plan: string;
  readonly hash: string;
  /** The operation of an action. Absent for a post of the service. */
  readonly operation?: string;
  readonly bulle_id: string;
  readonly fiche_id?: string;
  readonly platforms: readonly string[];
  /** Everything that the action says, in full. The text of a post has no label. */
  readonly texts: readonly Text[];
  /** Addresses of images and videos. */
  readonly links: readonly string[];
  /** Those of them that are images. */
  readonly images: readonly string[];
  /** What else is to be known: why there is no moment, or the status of a post. */
  readonly remark: string;
  readonly moment: Date | undefined;
  /** When the post appears instead, or appeared in an earlier version of the plan. */
  readonly other?: { readonly words: 'movedTo' | 'movedFrom'; readonly moment: Date } | undefined;
  /** When the service last changed the post. */
  readonly updatedAt?: Date | undefined;
  /** What becomes of a post of an earlier version of the plan. */
  readonly mark?: Mark | undefined;
  /** Whether it appears under another key as it is. Only calendar programs, which know entries by their keys, must hear of it. */
  readonly isSame?: boolean;
  readonly became?: ActionStatus | undefined;
}

interface Text {
  readonly label: string;
  readonly text: string;
}

/** A post of an earlier version of the plan, as a rehearsal gives it. */
export interface CalendarLeftOver {
  /** The key under which it was made. */
  readonly key: string;
  /** The ids of its posts. */
  readonly ids: readonly (string | number)[];
  /** What it is, for people. */
  readonly summary: string;
  /** The key of the action that replaces it. */
  readonly replacedBy?: string | undefined;
  /** What becomes of it. Default: `adopt` if an action replaces it, else `delete`. */
  readonly step?: 'refuse' | 'delete' | 'adopt' | 'keep' | undefined;
  /** Its posts, as the service shows them. Without them, the page shows `summary`. */
  readonly posts?: readonly Post[] | undefined;
}

type Mark = NonNullable<CalendarLeftOver['step']>;

/** What a calendar may show beside the plan. */
interface Beside {
  readonly reviews?: readonly Review[] | undefined;
  readonly leftOvers?: readonly CalendarLeftOver[] | undefined;
  readonly status?: PlanStatus | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** The actions of a plan, and the posts that it leaves over. */
export function draftsOfPlan(plan: Plan, { reviews = [], leftOvers = [], status }: Beside, words: Words): Draft[] {
  const { name = '', actions } = plan;
  const keys = keysOf(actions);
  const shared = { plan: name, hash: hashOfPlan(plan, linesOf(leftOvers)) };
  const adopted = leftOvers.filter((one) => markOf(one) === 'adopt');
  const before = new Map(
    adopted.map(({ replacedBy, posts: [post] = [] }) => [replacedBy, post && momentsOf(post)[0]?.[0]]),
  );
  const own = actions.flatMap((action, index) => {
    const { operation } = action;
    const params = paramsOf(action);
    const isLater = operation === 'posts.create' && params.publish_now !== true;
    const review = reviews.find(({ review_id }) => review_id === params.review_id);
    return moments(params).map(
      ([moment, platforms], number): Draft => ({
        ...shared,
        id: idOf(keys[index] as string, number),
        operation,
        bulle_id: textOf(params.bulle_id),
        fiche_id: textOf(listingOf(params, [])),
        platforms,
        ...wordsOf(params, review, words),
        remark: moment ? '' : isLater ? words.later : words.now,
        moment,
        became: status?.actions[index],
        other: otherMoment('movedFrom', before.get(keys[index]), moment),
      }),
    );
  });
  const byKey = new Map(actions.map((action, index) => [keys[index], paramsOf(action)]));
  return [...own, ...leftOvers.flatMap((one) => draftsOfLeftOver(one, byKey.get(one.replacedBy), shared, words))];
}

const idOf = (key: string, number: number) => `${key}@${number > 0 ? `${number + 1}.` : ''}multilocal`;

/** As they are sent: a `Date` is a string there. */
const paramsOf = ({ params = {} }: PlanAction): Fields => JSON.parse(JSON.stringify(params));

const markOf = ({ step, replacedBy }: CalendarLeftOver): Mark =>
  step ?? (replacedBy === undefined ? 'delete' : 'adopt');

const OPERATIONS = { adopt: 'posts.update', delete: 'posts.delete', keep: 'posts.create', refuse: 'posts.create' };

function draftsOfLeftOver(
  one: CalendarLeftOver,
  params: Fields = {},
  shared: Pick<Draft, 'plan' | 'hash'>,
  words: Words,
) {
  const { key, summary, posts = [] } = one;
  const mark = markOf(one);
  const [[moment] = []] = moments(params);
  const text = textOf(params.content ?? params.text);
  const shown = posts.flatMap((post) => draftsOfPost(post, words));
  const isSame = (draft: Draft) => draft.texts[0]?.text === text && +(draft.moment ?? 0) === +(moment ?? 0);
  const drafts = shown.length > 0 ? shown : [{ ...BLANK, texts: [{ label: '', text: textOf(summary) }] }];
  return drafts.map((draft, number): Draft => {
    const other = mark === 'adopt' ? otherMoment('movedTo', moment, draft.moment) : undefined;
    const own = { id: idOf(key, number), operation: OPERATIONS[mark], remark: labelOf(words, mark) };
    return { ...draft, ...shared, ...own, mark, other, isSame: mark === 'adopt' && isSame(draft) };
  });
}

function otherMoment(
  words: 'movedTo' | 'movedFrom',
  other: Date | undefined,
  moment: Date | undefined,
): Draft['other'] {
  return other && moment && +other !== +moment ? { words, moment: other } : undefined;
}

const BLANK: Draft = {
  ...{ id: '', plan: '', hash: '', bulle_id: '', remark: '', moment: undefined },
  ...{ platforms: [], texts: [], links: [], images: [] },
};

/** A post of the service. At several moments, or with several statuses, it has several drafts. */
export function draftsOfPost(post: Post, words: Words): Draft[] {
  return momentsOf(post).map(
    ([moment, platforms, status]): Draft => ({
      ...BLANK,
      id: `${['post', post.id, ...platforms].join('-')}@multilocal`,
      bulle_id: textOf(post.bulle_id),
      platforms,
      texts: [{ label: '', text: textOf(post.content) }],
      links: linksOf(post),
      images: linksOf(post, IMAGES),
      remark: [labelOf(words, status), ...(moment ? [] : [words.withoutDate])].join(', '),
      moment,
      updatedAt: parseTimestamp(post.updated_at) ?? undefined,
    }),
  );
}

function momentsOf(post: Post): ByMoment {
  return byMoment(
    datesOf(post).map(({ name, published, scheduled, error, status }) => {
      return [name, published ?? scheduled, published ? 'published' : error ? 'error' : status];
    }),
  );
}

type ByMoment = [moment: Date | undefined, platforms: string[], status: string][];

/** The moments of an action, each with its platforms: `scheduled_gmb` replaces `scheduled_at` on gmb. */
function moments(params: Fields): ByMoment {
  const platforms = Array.isArray(params.platforms) ? params.platforms.map(textOf) : [];
  if (platforms.length === 0) return [[readMoment(params.scheduled_at), [], '']];
  return byMoment(platforms.map((platform) => [platform, params[`scheduled_${platform}`] ?? params.scheduled_at]));
}

function byMoment(dates: readonly [platform: string, date: unknown, status?: string][]): ByMoment {
  const groups = new Map<string, ByMoment[number]>();
  for (const [platform, date, status = ''] of dates) {
    const moment = readMoment(date);
    const key = `${moment?.getTime()} ${status}`;
    const group = groups.get(key) ?? [moment, [], status];
    groups.set(key, group);
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
export function textOf(value: unknown): string {
  return String(value ?? '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(BROKEN, '\ufffd');
}
