// The three sides of a plan, written as a line of a table: `a Deux 10:00 | a#1 | 1 online`.
import type { Article, Post, Review } from 'multilocal';
import { type Action, readActions } from '../src/actions.js';
import { stepOf } from '../src/diff.js';
import { digestsOf } from '../src/digests.js';
import type { Entry, Made, Sent } from '../src/journal-content.js';
import { adopt, type LeftOver, leftOversOf } from '../src/left-overs.js';
import { refused } from '../src/problems.js';
import type { LeftOverOptions } from '../src/results.js';
import type { Thing } from '../src/shown.js';
import type { LeftOverStep, Sides, Step } from '../src/sides.js';
import { postOf } from './posts.js';

export const NOW = Date.parse('2026-11-22T09:00:00Z');
const inMinutes = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();
const YESTERDAY = inMinutes(-1_440);
const PLATFORMS = { f: 'facebook', g: 'gmb' } as const;
const platformsIn = (letters: string) => [...letters].map((letter) => PLATFORMS[letter as 'f' | 'g']);

/** `10:00` and `10:00:30+01:00` a month from now, or minutes from now: `-60`. */
function momentOf(word: string): string {
  if (/^[+-]\d+$/.test(word)) return inMinutes(Number(word));
  const [, time, seconds = ':00', zone = 'Z'] = /^(\d\d:\d\d)(:[\d.]+)?([+-]\d\d:\d\d)?$/.exec(word) ?? [];
  if (time === undefined) throw new Error(`${word} is no moment`);
  return `2026-12-22T${time}${seconds}${zone}`;
}

interface Described {
  operation: string;
  params: Record<string, unknown>;
}

const SHAPES: Readonly<Record<string, Described>> = {
  social: { operation: 'social.publish', params: { text: 'Un', platforms: ['facebook'], bulle_id: 'lyon' } },
  article: { operation: 'articles.create', params: { title: 'Pain', target_keyword: 'pain', bulle_id: 'lyon' } },
  reply: { operation: 'reviews.reply', params: { review_id: 'r1', fiche_id: 'f', text: 'Un' } },
  change: { operation: 'posts.update', params: { post_id: 7, content: 'Un' } },
  delete: { operation: 'posts.delete', params: { post_id: 7 } },
};

/** What words say of an action. Without any: a post in Lyon, on Facebook, at nine: "Un". */
function described(words: readonly string[]): Described {
  const post = { bulle_id: 'lyon', content: 'Un', platforms: ['facebook'], scheduled_at: momentOf('09:00') };
  const shape = SHAPES[words[0] ?? ''] ?? { operation: 'posts.create', params: post };
  const params: Described['params'] = { ...shape.params };
  for (const word of words.slice(shape === SHAPES[words[0] ?? ''] ? 1 : 0)) {
    const [name = '', value = ''] = word.split(/[=@]/);
    if (word.includes(',')) params[name] = value.split(',');
    else if (word.includes('=')) params[name] = /^\d+$/.test(value) ? Number(value) : value;
    else if (word.includes('@')) params[`scheduled_${platformsIn(name)}`] = momentOf(value);
    else if (/^[fg]+$/.test(word)) params.platforms = platformsIn(word);
    else if (/^[A-ZÉ]/.test(word)) params['text' in shape.params ? 'text' : 'content'] = word.replaceAll('_', ' ');
    else if (word === 'image') params.image_url = 'https://x.test/a.jpg';
    else if (word === 'now') params.publish_now = true;
    else if (word === 'undated') delete params.scheduled_at;
    else if (word === 'nowhere') delete params.bulle_id;
    else if (word === 'metz') params.bulle_id = word;
    else params.scheduled_at = momentOf(word);
  }
  return { operation: shape.operation, params };
}

function readOne(given: Described & { key?: string }, name?: string): Action {
  const { actions, problems } = readActions({ ...(name !== undefined && { name }), actions: [given] });
  if (problems[0]) throw new Error(problems[0].message);
  return actions[0] as Action;
}

/** The words that a test takes from a list, by their part before `:`, and the rest of the list. */
function taken(words: readonly string[], names: readonly string[]) {
  const isOwn = (word: string) => names.includes(word.split(':')[0] ?? '');
  const own = words.filter(isOwn).map((word): [string, string] => {
    const [name = '', ...value] = word.split(':');
    return [name, value.join(':')];
  });
  return { own: new Map(own), rest: words.filter((word) => !isOwn(word)) };
}

const madeOf = (words: readonly string[]) => {
  const { operation, params, hash, target } = readOne(described(words));
  return { operation, target, hash, digests: digestsOf({ operation, params }) };
};

/**
 * `a#1,2 Deux by:paques online:f`: what is recorded. `made:-30`: when. Without an id, nothing was made. `lost`, `busy`, `killed`, `unsure` and what is
 * behind it: a request without a response. `lost:update` and `lost:delete`: of the post 1. `gone`: and a run has seen that.
 */
function recorded([head = '', ...words]: readonly string[]): [string, Entry] {
  const [key = '', ids] = head.split('#');
  const start = words.findIndex((word) => /^(lost|busy|killed|previewed|unsure)\b/.test(word));
  const [before, [kind = '', ...after]] = start < 0 ? [words, []] : [words.slice(0, start), words.slice(start)];
  const { own, rest } = taken(before, ['by', 'online', 'made', 'gone', 'doubtful', 'settled']);
  const { operation, target, ...made } = madeOf(start < 0 || ids ? rest : after);
  const at = own.has('made') ? inMinutes(Number(own.get('made'))) : YESTERDAY;
  const list = (ids ?? '').split(',').filter(Boolean);
  const [state = '', change] = kind.split(':');
  const service_end = state === 'busy' ? inMinutes(0) : YESTERDAY;
  const { hash, digests } = madeOf(after);
  const sent: Sent = {
    // What is published again is the same action.
    ...{
      hash: ids && !change ? made.hash : hash,
      digests,
      // It may have waited in the limiter since then.
      service_time: state === 'unsure' ? inMinutes(-4.25) : YESTERDAY,
      ...(state !== 'unsure' && { service_end }),
    },
    ...(change && { change: change as 'update' | 'delete', id: 1 }),
    ...((state === 'lost' || state === 'previewed') && { isLost: true as const }),
    ...(state === 'previewed' && { error: 'preview_received' }),
  };
  const seen: Partial<Made> = {
    ...(own.has('gone') && { gone: YESTERDAY }),
    ...(own.has('doubtful') && { doubt: (own.get('doubtful') || 'made') as 'made' }),
  };
  const plan = own.get('by') ?? 'noel';
  const entry: Entry = {
    ...{ operation, target, plan: plan === '-' ? undefined : plan },
    ...(ids !== undefined && {
      made: {
        ...made,
        ...(list.length > 0 || own.has('settled') ? { ids: list.map(Number) } : {}),
        at,
        ...seen,
      } satisfies Made,
    }),
    ...(own.has('settled') && { settled_by: 'Lea' }),
    ...(state === 'busy' && { begun_at: inMinutes(-1) }),
    ...(kind && { sent }),
    ...(own.has('online') && { online: platformsIn(own.get('online') ?? '') }),
  };
  return [key, entry];
}

interface Shown {
  id: number;
  thing: Thing | 'gone';
  isUnlisted: boolean;
  isSocial?: boolean;
}

/** `1 Deux fg online:f`: what the service shows. `failed:f`: in error there. `error:f`: pending, with an error there. `404`: gone. */
function shown([head = '', ...words]: readonly string[]): Shown {
  const names = 'online failed error status created 404 unlisted unnamed draft published publishing'.split(' ');
  const { own, rest } = taken(words, names);
  const [id, isUnlisted] = [Number(head), own.has('unlisted')];
  if (own.has('404')) return { id, thing: 'gone', isUnlisted };
  if (rest[0] === 'article') {
    const status = [...own.keys()].at(-1) as Article['status'];
    return { id, thing: { id, title: 'Pain', status } as Article, isUnlisted };
  }
  const { params } = described(rest);
  const platforms = params.platforms as (keyof typeof PLATFORMS)[];
  const dateOn = (platform: string) => params[`scheduled_${platform}`] ?? params.scheduled_at ?? null;
  const at = (field: string, name: string, value: (platform: string) => unknown) => {
    const on = own.get(name) === '' ? (platforms as readonly string[]) : platformsIn(own.get(name) ?? '');
    return own.has(name) ? Object.fromEntries(on.map((platform) => [`${field}_${platform}`, value(platform)])) : {};
  };
  const isWhole = own.get('online') === '';
  const status = own.get('status') ?? (isWhole ? 'published' : own.has('failed') ? 'error' : 'pending');
  const thing = postOf({
    ...{ id, bulle_id: (params.bulle_id ?? null) as string, scheduled_facebook: null },
    content: String(params.content ?? params.text),
    ...{ platforms: platforms as never, status: status as Post['status'] },
    created_at: own.has('created') ? inMinutes(Number(own.get('created'))) : YESTERDAY,
    ...Object.fromEntries(platforms.map((platform) => [`scheduled_${platform}`, dateOn(platform)])),
    ...Object.fromEntries(Object.entries(params).filter(([name]) => name.endsWith('_url'))),
    ...at('published', 'online', dateOn),
    ...(own.get('failed') === '' ? {} : at('error', 'failed', () => 'Jeton expiré')),
    ...at('error', 'error', () => 'Jeton expiré'),
    ...(own.has('unnamed') && { platforms: [] }),
  });
  const isSocial = rest[0] === 'social';
  return { id, thing, isUnlisted: isUnlisted || isSocial, isSocial };
}

/** What words say of a journal: `a#1; b#2 Deux`. */
export const recordedIn = (words: string) => new Map(split(words).map(recorded));

/** The rows of a table: a title, and the cells behind it. */
export function rowsOf(text: string): (readonly [title: string, cells: readonly string[]])[] {
  const lines = text.split('\n').filter((line) => line.includes('|'));
  const all = lines.map((line) => line.split('|').map((cell) => cell.trim()));
  return all.map(([title = '', ...cells]) => [title, cells]);
}

const split = (cell: string) => cell.split(';').flatMap((one) => (one.trim() ? [one.trim().split(/\s+/)] : []));

/**
 * The sides that a line describes: everything is read, unless it says `--unread`. `wanted` may have options: `--again`, `--no-name`,
 * `--covers metz`, `--ahead 9`: minutes of the clock of the service.
 */
export function sidesOf(wanted: string, journal: string, service: string): Sides & LeftOverOptions {
  const [actions = '', ...options] = wanted.split('--').map((part) => part.trim());
  const flags = new Map(options.map((option) => [option.split(' ')[0] ?? '', option.split(' ')[1] ?? '']));
  const name = flags.has('no-name') ? undefined : 'noel';
  const given = split(actions).map(([key = '', ...words]) => ({ key, ...described(words) }));
  const { actions: read, problems } = readActions({ ...(name && { name }), actions: given });
  if (problems[0]) throw new Error(problems[0].message);
  const rows = split(service);
  // `r1 reply Deux`: a review with a reply. `r1 reply`: without one.
  const reviews = rows
    .filter(([, word]) => word === 'reply')
    .map(([id = '', , text]) => {
      const responded = text !== undefined;
      const review: Review = { review_id: id, rating: 5, responded, response_text: text?.replaceAll('_', ' ') ?? null };
      return [id, review] as const;
    });
  const all = rows.filter(([, word]) => word !== 'reply').map(shown);
  const posts = all.flatMap(({ thing, isUnlisted }) =>
    thing !== 'gone' && 'platforms' in thing && !isUnlisted ? thing : [],
  );
  const byId = (some: readonly Post[]) => new Map(some.map((post) => [String(post.id), post] as const));
  const single = all.filter(({ thing, isUnlisted }) => thing === 'gone' || isUnlisted || !('platforms' in thing));
  const kinds = ({ thing, isSocial }: Shown) =>
    thing === 'gone'
      ? ['post', 'article', 'social']
      : [isSocial ? 'social' : 'platforms' in thing ? 'post' : 'article'];
  const isRead = !flags.has('unread');
  return {
    plan: {
      name,
      covers: flags.get('covers')?.split(','),
      actions: read.map((action) => (flags.has('view') ? { ...action, isInView: true } : action)),
    },
    recorded: recordedIn(journal),
    there: {
      posts: new Map(
        ['', 'lyon', 'metz'].flatMap((place) =>
          isRead ? [[place, byId(posts.filter(({ bulle_id }) => place === '' || bulle_id === place))]] : [],
        ),
      ),
      things: new Map(single.flatMap((one) => kinds(one).map((kind) => [`${kind} ${one.id}`, one.thing] as const))),
      reviews: new Map(isRead ? [['f', new Map(reviews)]] : []),
      unclear: new Set(flags.has('unclear') ? read.map(({ key }) => key) : []),
      ...(isRead && {
        pending: byId(posts.filter(({ status }) => status === 'pending')),
        clock: { earliest: NOW, latest: NOW + Number(flags.get('ahead') ?? 0) * 60_000, isSure: true },
      }),
    },
    now: NOW,
    again: flags.has('again'),
    retryFailed: flags.has('retry-failed'),
    leftOver: flags.has('prune') ? 'prune' : flags.has('keep') ? 'keep' : undefined,
    allowMassDeletion: flags.has('allow-mass-deletion'),
  };
}

/** What follows for the first action of a line, and what is left over: `free → create`, `old: delete 1`. */
export function followsFor(sides: Sides & LeftOverOptions): { step: string; left: string } {
  const left = leftOversOf(sides, sides);
  if (!('length' in left)) return { step: stepIn(sides), left: readingIn(left) };
  const adopted = new Map(sides.recorded);
  adopt(adopted, left);
  return { step: stepIn({ ...sides, recorded: adopted }), left: left.map(leftOverIn).join('; ') };
}

/** What a person is told of the first action of a row, and of what is left over. */
export function saidOf([title, [wanted = '', recorded = '', there = '']]: ReturnType<typeof rowsOf>[number]): string[] {
  const sides = sidesOf(wanted, recorded, there);
  const left = leftOversOf(sides, sides);
  const steps = [
    stepOf(sides.plan.actions[0] as Action, sides),
    ...('length' in left ? left.map(({ step }) => step) : []),
  ];
  return steps.flatMap((step) => (step.do === 'refuse' ? `  ${title}: ${refused(step, []).message}` : []));
}

function stepIn(sides: Sides): string {
  const [action] = sides.plan.actions as [Action];
  const step = stepOf(action, sides);
  if (step.do !== 'note') return printed(step);
  // What is noted is noted. Then it is decided anew.
  const { made, sent } = step.entry;
  const noted = new Map([...sides.recorded, [action.key, step.entry]]);
  return `${made || sent ? 'close' : 'free'} → ${stepIn({ ...sides, recorded: noted })}`;
}

function printed(step: Step | LeftOverStep): string {
  if (step.do === 'create') {
    const kind = step.isRetry ? 'retry' : 'create';
    return step.platforms ? `${kind} on ${step.platforms.join(', ')}` : kind;
  }
  if (step.do === 'update' || step.do === 'replace') return `${step.do} ${step.id}: ${step.fields.join(', ')}`;
  if (step.do === 'refuse') return `refuse ${step.code}`;
  if (step.do === 'delete') return `delete ${step.id}`;
  if (step.do === 'read') return readingIn(step.reading);
  return step.do;
}

const readingIn = (reading: object) => `read ${Object.values(reading).join(' ')}`.trim();

function leftOverIn({ key, replacedBy, step }: LeftOver): string {
  if (step.do === 'adopt') return `${key} → ${step.key}`;
  const by = replacedBy === 'several' ? ' (several)' : replacedBy ? ` (${replacedBy.key})` : '';
  const isNamed = step.do !== 'refuse' || 'ids' in step.values;
  return `${key}${by}: ${step.do === 'nothing' ? 'keep' : printed(step)}${isNamed ? '' : ' without ids'}`;
}
