import { parseTimestamp } from 'multilocal/internal/timestamps';
import type { Answer, Answers } from './answer.js';
import type { Names, Seen } from './shape.js';

type Item = Readonly<Record<string, unknown>>;

/** What a check has seen. */
export class Sight {
  constructor(
    readonly answers: Answers,
    readonly names: Names,
    /** What the bodies of the reads look like. */
    readonly seen: ReadonlyMap<string, Seen> = new Map(),
  ) {}

  body(name: string): Item {
    return Object(this.answers.get(name)?.body);
  }

  list(name: string): Item[] {
    return itemsOf(this.answers.get(name)?.body);
  }

  articles(name = 'articles.list'): Item[] {
    return itemsOf(this.body(name).articles);
  }

  /** The median `updated_at` of the articles, to ask for what changed since. */
  middle(): string | undefined {
    const dates = this.articles().flatMap(({ updated_at }) => (typeof updated_at === 'string' ? updated_at : []));
    return dates.sort()[Math.floor(dates.length / 2)];
  }
}

type Said = readonly [text: string, contradicts?: boolean];

/** Something that the specification leaves open: how the responses show it, and how it is said. */
interface Fact<Value> {
  /** `undefined`: the responses do not show it. */
  find(sight: Sight): Value | undefined;
  /** In words, and whether the client relies on something else. */
  say(value: Value): readonly Said[];
}

const fact = <const Value>(find: Fact<Value>['find'], say: (value: Value) => Said): Fact<Value> => {
  return { find, say: (value) => [say(value)] };
};

const ALL = 'articles of all states';
const SECOND = 'articles from the second';
const CHANGED = 'changed articles';
const FAILURE = 'no such article';

const FACTS = {
  articles_limit: fact(
    (sight) => numberOf(sight.body('articles.list').limit),
    (limit) => [`A list of articles without \`limit\` has at most ${limit}.`],
  ),
  articles_status: fact(
    (sight) => {
      const [total, totalOfAll] = [sight.body('articles.list').total, sight.body(ALL).total];
      if (sight.articles().some(isDraft)) return 'all';
      // The drafts may stand on a later page.
      if (Number(totalOfAll) > Number(total)) return 'published';
      return sight.articles(ALL).some(isDraft) ? (total === totalOfAll ? 'all' : 'published') : undefined;
    },
    (status) =>
      status === 'all'
        ? ['A list of articles without `status` has drafts: a site must ask for `published`.', true]
        : ['A list of articles without `status` has the published ones.'],
  ),
  articles_offset: fact(
    (sight) => offsetOf(sight.articles(), sight.articles(SECOND)),
    (found) => sayOffset('articles', found),
  ),
  articles_offset_echoed: fact(
    (sight) => (sight.answers.has(SECOND) ? sight.body(SECOND).offset === 1 : undefined),
    (isSo) => [`The response ${isSo ? 'repeats' : 'does not repeat'} the \`offset\` of the request.`, !isSo],
  ),
  articles_since_order: fact(
    (sight) => orderOf(sight.articles(CHANGED), 'updated_at'),
    (order) => [`Articles with \`updated_since\` come ${ORDER[order]}.`, order !== 'oldest_first'],
  ),
  articles_since: fact(
    (sight) => {
      const dates = sight.articles(CHANGED).map(({ updated_at }) => updated_at);
      return dates.length === 0 ? undefined : dates.includes(sight.middle()) ? 'same_or_later' : 'later';
    },
    (since) => [`\`updated_since\` ${since === 'later' ? 'leaves out' : 'has'} what changed at that very moment.`],
  ),
  articles_updated_at: fact(
    (sight) =>
      movesOf(sight.articles(), [sight.body('articles.get'), ...sight.articles(ALL), ...sight.articles(SECOND)]),
    (moves) =>
      moves === 'kept'
        ? ['`updated_at` of an article stays the same between two reads.']
        : ['`updated_at` of an article moves without a change: a sync reads every article again.', true],
  ),
  posts_offset: fact(
    (sight) => offsetOf(sight.list('posts.list'), sight.list('posts from the second')),
    (found) => sayOffset('posts', found),
  ),
  posts_order: fact(
    (sight) => orderOf(sight.list('posts.list'), 'created_at'),
    (order) => [`Posts come ${ORDER[order]}.`],
  ),
  reports_order: fact(
    (sight) => orderOf(sight.list('reports.list'), 'generated_at'),
    (order) => [`Reports come ${ORDER[order]}.`],
  ),
  timestamps: { find: ({ seen }: Sight) => formsOf(seen), say: sayTimestamps },
  quota_counters: fact(
    (sight) => countersIn(sight.answers.get('social.quota')?.body),
    (names) => [`\`social.quota\` counts ${quoted(names)}.`],
  ),
  platforms: fact(
    (sight) => platformsOf(sight.body('platforms.limits').character_limits),
    (names) => [`\`platforms.limits\` has ${quoted(names)}.`],
  ),
  limit_headers: fact(
    ({ answers }) => limitHeaders(answers),
    (names) => [names.length > 0 ? `Headers about limits: ${quoted(names)}.` : 'No response has headers about limits.'],
  ),
  error_keys: fact(
    ({ answers, names }) => namesIn(answers.get(FAILURE), names),
    (names) => [`An error body has ${names.length > 0 ? quoted(names) : 'no fields'}.`, !names.includes('detail')],
  ),
  error_type: fact(
    ({ answers }) => answers.get(FAILURE)?.headers.get('content-type')?.split(';')[0],
    (type) => [`The content type of an error is ${type}.`, type !== 'application/json'],
  ),
  clock: fact(
    ({ answers }) => clockOf(answers.get('health')),
    (clock) =>
      clock === 'right'
        ? ['The clocks agree.']
        : [`The clock of the service is ${CLOCK[clock]} that of this machine.`, true],
  ),
};

type Found<Name extends keyof typeof FACTS> = Exclude<ReturnType<(typeof FACTS)[Name]['find']>, undefined>;

/** What the specification leaves open. A fact that the responses do not show is absent. */
export type Facts = { readonly [Name in keyof typeof FACTS]?: Found<Name> };

const NAMES = Object.keys(FACTS) as (keyof Facts)[];

/** Reads the facts from the responses. */
export function factsOf(sight: Sight): Facts {
  const found = NAMES.map((name) => [name, FACTS[name].find(sight)] as const);
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
    return say(facts[name]).map(([text, contradicts = false]) => ({ fact: name, text, contradicts }));
  });
}

type Forms = Readonly<Record<string, readonly string[]>>;

function formsOf(seen: Sight['seen']): Forms | undefined {
  const forms = new Map<string, string[]>();
  for (const [operation, { forms: found }] of seen) {
    for (const [path, all] of found) {
      for (const form of all) forms.set(form, [...(forms.get(form) ?? []), `${operation} ${path}`]);
    }
  }
  return forms.size > 0 ? Object.fromEntries([...forms].sort()) : undefined;
}

/** Seconds by which a clock may differ before it counts as wrong. */
const CLOCK_TOLERANCE = 30;

const CLOCK = { ahead: 'ahead of', behind: 'behind' } as const;

const ORDER = {
  newest_first: 'newest first',
  oldest_first: 'oldest first',
  unsorted: 'in no order of time',
} as const;

type Order = keyof typeof ORDER;

function sayOffset(what: string, found: 'honoured' | 'ignored'): Said {
  return found === 'honoured'
    ? [`\`offset\` of a list of ${what} is honoured.`]
    : [`\`offset\` of a list of ${what} is ignored: every page is the first one.`, true];
}

function sayTimestamps(timestamps: Forms): readonly Said[] {
  const forms = Object.entries(timestamps);
  const fields = forms.flatMap(([, names]) => names);
  const several = [...new Set(fields.filter((field, index) => fields.indexOf(field) !== index))];
  // The specification shows that this one has no offset.
  const naive = forms
    .flatMap(([form, names]) => (form.endsWith('s') ? names : []))
    .filter((one) => !one.endsWith('expires_at'));
  return [
    [`Forms of timestamps: ${quoted(forms.map(([form]) => form))}.`],
    ...(naive.length > 0
      ? [[`No offset from UTC, so the client takes it as UTC: ${quoted(naive)}.`, true] as const]
      : []),
    ...(several.length > 0 ? [[`Several forms in one field: ${quoted(several)}.`] as const] : []),
  ];
}

function quoted(names: readonly string[]): string {
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return `${names
    .slice(0, MOST_NAMED)
    .map((name) => `\`${name}\``)
    .join(', ')}${more}`;
}

const MOST_NAMED = 12;

function itemsOf(body: unknown): Item[] {
  return Array.isArray(body) ? body.map((one) => Object(one) as Item) : [];
}

const isDraft = ({ status }: Item) => status === 'draft';

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Compares a list with the list that was asked for from its second item on. */
function offsetOf(list: readonly Item[], rest: readonly Item[]): 'honoured' | 'ignored' | undefined {
  const [start] = rest;
  if (!start || list.length < 2) return undefined;
  if (start.id === list[1]?.id) return 'honoured';
  return start.id === list[0]?.id ? 'ignored' : undefined;
}

/** Two dates that are the same say nothing about the order. */
function orderOf(list: readonly Item[], field: string): Order | undefined {
  const dates = list.map((item) => item[field]);
  const instants = dates.flatMap((date) => (typeof date === 'string' ? (parseTimestamp(date)?.getTime() ?? []) : []));
  const steps = instants.slice(1).map((instant, index) => Math.sign(instant - (instants[index] as number)));
  const [falls, rises] = [steps.includes(-1), steps.includes(1)];
  if (falls && rises) return 'unsorted';
  return falls ? 'newest_first' : rises ? 'oldest_first' : undefined;
}

function movesOf(first: readonly Item[], again: readonly Item[]): 'kept' | 'moves' | undefined {
  const known = new Map(first.map(({ id, updated_at }) => [id, updated_at]));
  const seen = again.filter(({ id }) => known.has(id));
  if (seen.length === 0) return undefined;
  return seen.every(({ id, updated_at }) => known.get(id) === updated_at) ? 'kept' : 'moves';
}

/** Words of counters. The specification does not show their names, and another name may be one of a person. */
const COUNTER =
  /^(?:(?:monthly|month|daily|day|limit|max|used|usage|left|remaining|quota|total|count|next|reset|period|posts?|publications?|at)(?:_|$))+$/;

function countersIn(quota: unknown): string[] | undefined {
  if (typeof quota !== 'object' || quota === null || Array.isArray(quota)) return undefined;
  const names = Object.keys(quota).filter((name) => name !== 'bulle_id');
  return [...new Set(names.map((name) => (COUNTER.test(name) ? name : '*')))];
}

function namesIn(answer: Answer | undefined, names: Names): string[] | undefined {
  if (!answer) return undefined;
  const { body } = answer;
  const all = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.keys(body) : [];
  return all.map((name) => (names.isField(name) ? name : '*'));
}

/** Platforms are no data of the account, although its posts name them. */
function platformsOf(limits: unknown): string[] | undefined {
  const names = Object.keys(Object(limits));
  return names.length > 0 ? names.map((name) => (/^[a-z]\w{0,39}$/.test(name) ? name : '*')) : undefined;
}

function limitHeaders(answers: Answers): string[] | undefined {
  if (answers.size === 0) return undefined;
  const all = [...answers.values()].flatMap(({ headers }) => [...headers.keys()]);
  return [...new Set(all)].filter((name) => /rate-?limit|quota|retry-after/.test(name)).sort();
}

function clockOf(answer: Answer | undefined): 'right' | keyof typeof CLOCK | undefined {
  const { timestamp } = Object(answer?.body) as { timestamp?: unknown };
  const text = answer?.headers.get('date') ?? (typeof timestamp === 'string' ? timestamp : '');
  const ahead = (Date.parse(text) - (answer?.at ?? 0)) / 1_000;
  if (Number.isNaN(ahead)) return undefined;
  if (Math.abs(ahead) <= CLOCK_TOLERANCE) return 'right';
  return ahead > 0 ? 'ahead' : 'behind';
}
