import { parseTimestamp } from 'multilocal/internal/timestamps';
import type { Answer, Answers } from './answer.js';
import type { Names, Seen } from './shape.js';

/** What the specification leaves open. A fact that the responses do not show is absent. */
export interface Facts {
  /** `limit` of a list of articles without one. */
  readonly articles_limit?: number;
  /** Whether a list of articles without `status` has drafts. */
  readonly articles_status?: 'published' | 'all';
  /** Whether `offset` of a list of articles has an effect, and whether the response repeats it. */
  readonly articles_offset?: 'honoured' | 'ignored';
  readonly articles_offset_echoed?: boolean;
  /** The order of a list of articles with `updated_since`. */
  readonly articles_since_order?: Order;
  /** Whether such a list has the article that changed at that very moment. */
  readonly articles_since?: 'later' | 'same_or_later';
  /** Whether `updated_at` of an article changes between two reads. */
  readonly articles_updated_at?: 'kept' | 'moves';
  readonly posts_offset?: 'honoured' | 'ignored';
  /** By `created_at`. */
  readonly posts_order?: Order;
  /** By `generated_at`. */
  readonly reports_order?: Order;
  /** Names of the counters of `social.quota`. */
  readonly quota_counters?: readonly string[];
  /** Names of the platforms of `platforms.limits`. */
  readonly platforms?: readonly string[];
  /** Names of response headers about limits. */
  readonly limit_headers?: readonly string[];
  /** The names of an error body, and its content type. */
  readonly error_keys?: readonly string[];
  readonly error_type?: string;
  /** The clock of the service beside that of this machine. */
  readonly clock?: 'right' | 'ahead' | 'behind';
  /** The forms of timestamps, and the fields that have each. */
  readonly timestamps?: Readonly<Record<string, readonly string[]>>;
}

type Order = 'newest_first' | 'oldest_first' | 'unsorted';

/** Seconds by which a clock may differ before it counts as wrong. */
const CLOCK_TOLERANCE = 30;

/** Reads the facts from the responses. */
export function factsOf(answers: Answers, names: Names): Facts {
  const body = (name: string): unknown => answers.get(name)?.body;
  const first = Object(body('articles.list')) as { limit?: unknown };
  const articles = articlesOf(body('articles.list'));
  const all = articlesOf(body('articles of all states'));
  const next = Object(body('articles from the second')) as { offset?: unknown };
  const changed = articlesOf(body('changed articles'));
  const dates = changesOf(body('articles.list')).sort();
  const since = dates[Math.floor(dates.length / 2)];
  const isDraft = (article: Item) => article.status === 'draft';
  return withoutUnknown({
    articles_limit: typeof first.limit === 'number' ? first.limit : undefined,
    articles_status: articles.some(isDraft) ? 'all' : all.some(isDraft) ? 'published' : undefined,
    articles_offset: offsetOf(articles, articlesOf(next)),
    articles_offset_echoed: answers.has('articles from the second') ? next.offset === 1 : undefined,
    articles_since_order: orderOf(changed.map(({ updated_at }) => updated_at)),
    articles_since:
      changed.length > 0 ? (changed.some((one) => one.updated_at === since) ? 'same_or_later' : 'later') : undefined,
    articles_updated_at: movesOf(articles, [Object(body('articles.get')) as Item, ...all, ...articlesOf(next)]),
    posts_offset: offsetOf(itemsOf(body('posts.list')), itemsOf(body('posts from the second'))),
    posts_order: orderOf(itemsOf(body('posts.list')).map(({ created_at }) => created_at)),
    reports_order: orderOf(itemsOf(body('reports.list')).map(({ generated_at }) => generated_at)),
    quota_counters: countersIn(body('social.quota')),
    platforms: platformsOf(Object(body('platforms.limits')).character_limits),
    limit_headers: limitHeaders(answers),
    error_keys: answers.has('no such article') ? (namesIn(body('no such article'), names) ?? []) : undefined,
    error_type: answers.get('no such article')?.headers.get('content-type')?.split(';')[0],
    clock: clockOf(answers.get('health')),
  });
}

/** The forms of all timestamps of the responses. */
export function formsOf(seen: ReadonlyMap<string, Seen>): Pick<Facts, 'timestamps'> {
  const forms = new Map<string, string[]>();
  for (const [operation, { forms: found }] of seen) {
    for (const [path, all] of found) {
      for (const form of all) forms.set(form, [...(forms.get(form) ?? []), `${operation} ${path}`]);
    }
  }
  return forms.size > 0 ? { timestamps: Object.fromEntries([...forms].sort()) } : {};
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
  const names = Object.keys(SENTENCES) as (keyof Facts)[];
  return names.flatMap((fact) => {
    if (facts[fact] === undefined) return [];
    const say = SENTENCES[fact] as (value: unknown) => readonly Said[];
    return say(facts[fact]).map(([text, contradicts = false]) => ({ fact, text, contradicts }));
  });
}

type Said = readonly [text: string, contradicts?: boolean];

const SENTENCES: { readonly [Fact in keyof Facts]-?: (value: NonNullable<Facts[Fact]>) => readonly Said[] } = {
  articles_limit: (limit) => [[`A list of articles without \`limit\` has at most ${limit}.`]],
  articles_status: (status) => [
    status === 'all'
      ? ['A list of articles without `status` has drafts: a site must ask for `published`.', true]
      : ['A list of articles without `status` has the published ones.'],
  ],
  articles_offset: (offset) => [sayOffset('articles', offset)],
  articles_offset_echoed: (isEchoed) => [
    [`The response ${isEchoed ? 'repeats' : 'does not repeat'} the \`offset\` of the request.`, !isEchoed],
  ],
  articles_since_order: (order) => [
    [`Articles with \`updated_since\` come ${ORDER[order]}.`, order !== 'oldest_first'],
  ],
  articles_since: (since) => [
    [
      since === 'later'
        ? '`updated_since` leaves out what changed at that very moment.'
        : '`updated_since` has what changed at that very moment, too.',
    ],
  ],
  articles_updated_at: (moves) => [
    moves === 'kept'
      ? ['`updated_at` of an article stays the same between two reads.']
      : ['`updated_at` of an article moves without a change: a sync reads every article again.', true],
  ],
  posts_offset: (offset) => [sayOffset('posts', offset)],
  posts_order: (order) => [[`Posts come ${ORDER[order]}.`]],
  reports_order: (order) => [[`Reports come ${ORDER[order]}.`]],
  timestamps: sayTimestamps,
  quota_counters: (names) => [[`\`social.quota\` counts ${quoted(names)}.`]],
  platforms: (names) => [[`\`platforms.limits\` has ${quoted(names)}.`]],
  limit_headers: (names) => [
    [names.length === 0 ? 'No response has headers about limits.' : `Headers about limits: ${quoted(names)}.`],
  ],
  error_keys: (names) => [
    [
      names.length === 0 ? 'An error body has no fields.' : `An error body has ${quoted(names)}.`,
      !names.includes('detail'),
    ],
  ],
  error_type: (type) => [[`The content type of an error is ${type}.`, type !== 'application/json']],
  clock: (clock) => [
    clock === 'right'
      ? ['The clocks agree.']
      : [`The clock of the service is ${CLOCK[clock]} that of this machine.`, true],
  ],
};

const CLOCK = { ahead: 'ahead of', behind: 'behind' } as const;

const ORDER: Readonly<Record<Order, string>> = {
  newest_first: 'newest first',
  oldest_first: 'oldest first',
  unsorted: 'in no order of time',
};

function sayOffset(what: string, found: 'honoured' | 'ignored'): Said {
  return found === 'honoured'
    ? [`\`offset\` of a list of ${what} is honoured.`]
    : [`\`offset\` of a list of ${what} is ignored: every page is the first one.`, true];
}

function sayTimestamps(timestamps: NonNullable<Facts['timestamps']>): readonly Said[] {
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

interface Item {
  readonly [name: string]: unknown;
}

function itemsOf(body: unknown): Item[] {
  return Array.isArray(body) ? body.map((one) => Object(one) as Item) : [];
}

function articlesOf(body: unknown): Item[] {
  return itemsOf(Object(body).articles);
}

/** `updated_at` of each article of a list. */
export function changesOf(body: unknown): string[] {
  return articlesOf(body).flatMap(({ updated_at }) => (typeof updated_at === 'string' ? updated_at : []));
}

/** Compares a list with the list that was asked for from its second item on. */
function offsetOf(list: readonly Item[], rest: readonly Item[]): 'honoured' | 'ignored' | undefined {
  const [start] = rest;
  if (!start || list.length < 2) return undefined;
  if (start.id === list[1]?.id) return 'honoured';
  return start.id === list[0]?.id ? 'ignored' : undefined;
}

/** Two dates that are the same say nothing about the order. */
function orderOf(dates: readonly unknown[]): Order | undefined {
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

function namesIn(body: unknown, names: Names): string[] | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  return Object.keys(body).map((name) => (names.isField(name) ? name : '*'));
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

function clockOf(answer: Answer | undefined): Facts['clock'] {
  const { timestamp } = Object(answer?.body) as { timestamp?: unknown };
  const text = answer?.headers.get('date') ?? (typeof timestamp === 'string' ? timestamp : '');
  const ahead = (Date.parse(text) - (answer?.at ?? 0)) / 1_000;
  if (Number.isNaN(ahead)) return undefined;
  if (Math.abs(ahead) <= CLOCK_TOLERANCE) return 'right';
  return ahead > 0 ? 'ahead' : 'behind';
}

function withoutUnknown(facts: { [Name in keyof Facts]: Facts[Name] | undefined }): Facts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
