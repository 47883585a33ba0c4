import { parseTimestamp } from 'multilocal/internal/timestamps';
import { isField, type Seen } from './shape.js';

/** A response, as it came. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body. `undefined` if it is not JSON. */
  readonly body: unknown;
  /** When it arrived, in ms on the clock of this machine. */
  readonly at: number;
}

type Item = Readonly<Record<string, unknown>>;

/** What a check has seen. */
export class Observation {
  constructor(
    /** The responses by name. */
    readonly answers: ReadonlyMap<string, Answer>,
    /** What the bodies of the reads look like. */
    readonly seen: ReadonlyMap<string, Seen> = new Map(),
  ) {}

  body(name: string): Item {
    return Object(this.answers.get(name)?.body);
  }

  /** The items of a list, or the articles of a page. */
  list(name: string): Item[] {
    const { articles = this.answers.get(name)?.body } = this.body(name);
    return Array.isArray(articles) ? articles.map(Object) : [];
  }

  /** The median `updated_at` of the articles, to ask for what changed since. */
  middle(): string | undefined {
    const dates = this.list(LIST).flatMap(({ updated_at }) => (typeof updated_at === 'string' ? updated_at : []));
    return dates.sort()[Math.floor(dates.length / 2)];
  }
}

/** Something that the specification leaves open: how the responses show it, and how it is said. */
interface Fact<Value> {
  /** `undefined`: the responses do not show it. */
  find(given: Observation): Value | undefined;
  /** In words, and whether the client relies on something else. */
  say(value: Value): readonly [text: string, contradicts?: boolean];
}

const fact = <const Value>(find: Fact<Value>['find'], say: Fact<Value>['say']): Fact<Value> => ({ find, say });

const LIST = 'articles.list';
export const ALL = 'articles of all states';
export const SECOND = 'articles from the second';
export const SECOND_POST = 'posts from the second';
export const CHANGED = 'changed articles';
export const FAILURE = 'no such article';

/** Whether `offset` of a list is honoured: compares the list with the one that was asked for from its second item on. */
function offset(what: string, list: string, second: string) {
  return fact(
    (given) => {
      const [[first, next], [start]] = [given.list(list), given.list(second)];
      if (!start || !next) return undefined;
      return start.id === next.id ? 'honoured' : start.id === first?.id ? 'ignored' : undefined;
    },
    (found) => [
      `\`offset\` of a list of ${what} is ${found}${found === 'ignored' ? ': every page is the first one' : ''}.`,
      found === 'ignored',
    ],
  );
}

const ORDER = { newest_first: 'newest first', oldest_first: 'oldest first', unsorted: 'in no order of time' } as const;

/** In which order of time a list comes. Two dates that are the same say nothing about the order. */
function order(what: string, list: string, field: string, needed?: keyof typeof ORDER) {
  return fact(
    (given): keyof typeof ORDER | undefined => {
      const dates = given.list(list).map((item) => item[field]);
      const times = dates.flatMap((date) => (typeof date === 'string' ? (parseTimestamp(date)?.getTime() ?? []) : []));
      const steps = times.slice(1).map((time, index) => Math.sign(time - (times[index] as number)));
      const [falls, rises] = [steps.includes(-1), steps.includes(1)];
      return falls && rises ? 'unsorted' : falls ? 'newest_first' : rises ? 'oldest_first' : undefined;
    },
    (found) => [`${what} come ${ORDER[found]}.`, needed !== undefined && found !== needed],
  );
}

const FACTS = {
  articles_limit: fact(
    (given) => [given.body(LIST).limit].find((limit) => typeof limit === 'number'),
    (limit) => [`A list of articles without \`limit\` has at most ${limit}.`],
  ),
  articles_status: fact(
    (given) => {
      const [total, totalOfAll] = [given.body(LIST).total, given.body(ALL).total];
      const [isDraft, isDraftInAll] = [LIST, ALL].map((list) => given.list(list).some((one) => one.status === 'draft'));
      // The drafts may stand on a later page.
      if (isDraft || Number(totalOfAll) > Number(total)) return isDraft ? 'all' : 'published';
      return isDraftInAll ? (total === totalOfAll ? 'all' : 'published') : undefined;
    },
    (status) => [
      `A list of articles without \`status\` has ${status === 'all' ? 'drafts: a site must ask for `published`' : 'the published ones'}.`,
      status === 'all',
    ],
  ),
  articles_offset: offset('articles', LIST, SECOND),
  articles_offset_echoed: fact(
    (given) => (given.answers.has(SECOND) ? given.body(SECOND).offset === 1 : undefined),
    (isSo) => [`The response ${isSo ? 'repeats' : 'does not repeat'} the \`offset\` of the request.`, !isSo],
  ),
  articles_since_order: order('Articles with `updated_since`', CHANGED, 'updated_at', 'oldest_first'),
  articles_since: fact(
    (given) => {
      const dates = given.list(CHANGED).map(({ updated_at }) => updated_at);
      return dates.length === 0 ? undefined : dates.includes(given.middle()) ? 'same_or_later' : 'later';
    },
    (since) => [`\`updated_since\` ${since === 'later' ? 'leaves out' : 'has'} what changed at that very moment.`],
  ),
  articles_updated_at: fact(
    (given) => {
      const known = new Map(given.list(LIST).map(({ id, updated_at }) => [id, updated_at]));
      const again = [given.body('articles.get'), ...given.list(ALL), ...given.list(SECOND)];
      const seen = again.filter(({ id }) => known.has(id));
      if (seen.length === 0) return undefined;
      return seen.every(({ id, updated_at }) => known.get(id) === updated_at) ? 'kept' : 'moves';
    },
    (moves) => [
      `\`updated_at\` of an article ${moves === 'kept' ? 'stays the same between two reads' : 'moves without a change: a sync reads every article again'}.`,
      moves === 'moves',
    ],
  ),
  posts_offset: offset('posts', 'posts.list', SECOND_POST),
  posts_order: order('Posts', 'posts.list', 'created_at'),
  reports_order: order('Reports', 'reports.list', 'generated_at'),
  timestamps: fact(({ seen }): Forms | undefined => {
    const forms = new Map<string, string[]>();
    for (const [operation, { forms: found }] of seen) {
      for (const [path, all] of found)
        for (const form of all) forms.set(form, [...(forms.get(form) ?? []), `${operation} ${path}`]);
    }
    return forms.size > 0 ? Object.fromEntries([...forms].sort()) : undefined;
  }, sayTimestamps),
  quota_counters: fact(
    ({ answers }) => namesIn(answers.get('social.quota')?.body, (name) => COUNTER.test(name)),
    (names) => [`\`social.quota\` counts ${quoted(names)}.`],
  ),
  platforms: fact(
    // Platforms are not data of the account.
    (given) => namesIn(given.body('platforms.limits').character_limits, isField),
    (names) => [`\`platforms.limits\` has ${quoted(names) || 'no platform'}.`],
  ),
  limit_headers: fact(
    ({ answers }) => {
      const names = [...answers.values()].flatMap(({ headers }) => [...headers.keys()]);
      const found = [...new Set(names)].filter((name) => /rate-?limit|quota|retry-after/.test(name)).sort();
      return answers.size > 0 ? found : undefined;
    },
    (names) => [names.length > 0 ? `Headers about limits: ${quoted(names)}.` : 'No response has headers about limits.'],
  ),
  error_keys: fact(
    ({ answers }): string[] | undefined =>
      answers.has(FAILURE) ? (namesIn(answers.get(FAILURE)?.body, isField) ?? []) : undefined,
    (names) => [`An error body has ${names.length > 0 ? quoted(names) : 'no fields'}.`, !names.includes('detail')],
  ),
  error_type: fact(
    ({ answers }) => answers.get(FAILURE)?.headers.get('content-type')?.split(';')[0],
    (type) => [`The content type of an error is ${type}.`, type !== 'application/json'],
  ),
  clock: fact(
    ({ answers }) => {
      const health = answers.get('health');
      const date = health?.headers.get('date') ?? String(Object(health?.body).timestamp);
      const ahead = (Date.parse(date) - (health?.at ?? 0)) / 1_000;
      if (Number.isNaN(ahead)) return undefined;
      return Math.abs(ahead) <= CLOCK_TOLERANCE ? 'right' : ahead > 0 ? 'ahead' : 'behind';
    },
    (clock) => [
      clock === 'right'
        ? 'The clocks agree.'
        : `The clock of the service is ${clock === 'ahead' ? 'ahead of' : 'behind'} that of this machine.`,
      clock !== 'right',
    ],
  ),
};

/** What the specification leaves open. A fact that the responses do not show is absent. */
export type Facts = {
  readonly [Name in keyof typeof FACTS]?: Exclude<ReturnType<(typeof FACTS)[Name]['find']>, undefined>;
};

const NAMES = Object.keys(FACTS) as (keyof Facts)[];

/** Reads the facts from the responses. */
export function factsOf(given: Observation): Facts {
  const found = NAMES.map((name) => [name, FACTS[name].find(given)] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** A fact in words. */
export interface Sentence {
  readonly fact: keyof Facts;
  readonly text: string;
  /** Whether the client relies on something else. */
  readonly contradicts: boolean;
}

/** Says the facts for people, and where the client relies on something else. */
export function sentences(facts: Facts): Sentence[] {
  return NAMES.flatMap((name) => {
    if (facts[name] === undefined) return [];
    const { say } = FACTS[name] as Fact<unknown>;
    const [text, contradicts = false] = say(facts[name]);
    return { fact: name, text, contradicts };
  });
}

/** The fields with timestamps, by the form of these. */
type Forms = Readonly<Record<string, readonly string[]>>;

function sayTimestamps(timestamps: Forms): readonly [text: string, contradicts: boolean] {
  const forms = Object.entries(timestamps);
  const fields = forms.flatMap(([, names]) => names);
  const several = [...new Set(fields.filter((field, index) => fields.indexOf(field) !== index))];
  // The specification shows that this one has no offset.
  const isNaive = (form: string, name: string) => form.endsWith('s') && !name.endsWith('expires_at');
  const naive = forms.flatMap(([form, names]) => names.filter((name) => isNaive(form, name)));
  const text = [
    `Forms of timestamps: ${quoted(Object.keys(timestamps))}.`,
    naive.length > 0 && `No offset from UTC, so the client takes it as UTC: ${quoted(naive)}.`,
    several.length > 0 && `Several forms in one field: ${quoted(several)}.`,
  ];
  return [text.filter(Boolean).join(' '), naive.length > 0];
}

/** Seconds by which a clock may differ before it counts as wrong. */
const CLOCK_TOLERANCE = 30;
const MOST_NAMED = 12;

function quoted(names: readonly string[]): string {
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  const shown = names.slice(0, MOST_NAMED).map((name) => `\`${name}\``);
  return `${shown.join(', ')}${more}`;
}

/** Words of counters. The specification does not show their names, and another name may be one of a person. */
const COUNTER =
  /^(?:(?:monthly|month|daily|day|limit|max|used|usage|left|remaining|quota|total|count|next|reset|period|posts?|publications?|at)(?:_|$))+$/;

/** Returns the names of the fields of an object. Those that may be data are one `*`. */
function namesIn(body: unknown, isName: (name: string) => boolean): string[] | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const names = Object.keys(body).filter((name) => name !== 'bulle_id');
  return [...new Set(names.map((name) => (isName(name) ? name : '*')))];
}
