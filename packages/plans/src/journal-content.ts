import { RESTORE } from '@multilocal/stores/journal/port';
import type { Outcome } from 'multilocal';
import { PlanError } from 'multilocal/internal/errors';
import { issuesOf, printIssues } from 'multilocal/internal/issues';
import * as s from 'multilocal/internal/schema';
import { parseTimestamp } from 'multilocal/internal/timestamps';
import * as z from 'zod/mini';
import type { Digests } from './digests.js';
import { endpointOf } from './operation.js';

/** What was made under a key, and is there as far as anybody knows. */
export interface Made {
  /** Ids of what was made. A post that was published again on a platform that had refused it has several. */
  readonly ids?: readonly (string | number)[] | undefined;
  /** SHA-256 of operation and parameters in their place. */
  readonly hash: string;
  /** SHA-256 of texts, and moments, by the name of their parameter. A correction compares them. Absent: unknown. */
  readonly digests?: Digests | undefined;
  /** When it was made, by the earliest clock. ISO 8601. */
  readonly at: string;
  /** When a run saw that it is gone although its moment had come: a person says whether it had appeared. */
  readonly gone?: string | undefined;
  /**
   * The response named a failure, or no id. Only a person can say whether it was `made`, or `changed`: then the digests are those of before.
   */
  readonly doubt?: 'made' | 'changed' | undefined;
}

/** A request that was begun, and whose outcome is not known yet. */
export interface Sent {
  /** What it does to the object `id`. Without it, the request is the action itself. */
  readonly change?: 'update' | 'delete' | undefined;
  readonly id?: string | number | undefined;
  readonly hash: string;
  /** A lost action is looked for by them although its parameters have changed since. */
  readonly digests?: Digests | undefined;
  /** The digests of the whole action, where it is sent to some of its platforms alone. */
  readonly wanted?: Digests | undefined;
  /** When it was begun, by the earliest clock, that of the service included. Lookups compare it with dates of the service. */
  readonly service_time: string;
  /**
   * Until when the request may have been sent, by the latest clock. Absent where the clocks disagreed: it is then the
   * moment at which the next run finds the entry.
   */
  readonly service_end?: string | undefined;
  /** Counts of the service before the request: `{ sms: 12, email: 3 }`. Only where a lookup compares them. */
  readonly before?: Readonly<Record<string, number>> | undefined;
  /** The request has ended, and no response shows whether it happened. Otherwise it was about to be sent when the run ended. */
  readonly isLost?: true | undefined;
  /** Code and HTTP status of the error. */
  readonly error?: string | undefined;
  readonly status?: number | undefined;
}

/** Lines of an approved hash, and the hash of the plan without them. */
export interface Approved {
  readonly plan: string;
  readonly lines: readonly string[];
}

/** What a journal knows of one key: what was made, and what is on its way. It holds no API key, no text and no contact. */
export interface Entry {
  /** `posts.create` */
  readonly operation: string;
  /** The location, listing or object of the action. */
  readonly target?: string | undefined;
  /** The name of the plan that has made it, or has sent it. What it made belongs to this plan. */
  readonly plan?: string | undefined;
  readonly made?: Made | undefined;
  readonly sent?: Sent | undefined;
  /** The platforms on which a post of this key was seen online. Under its key, none of them gets it again. */
  readonly online?: readonly string[] | undefined;
  /** What runs of a plan (its hash) have carried out beyond its actions: lines of the hash that was approved. */
  readonly approved?: Approved | undefined;
  /** When the last request was begun, and when the entry was written last, by the clock of this machine. ISO 8601. */
  readonly begun_at?: string | undefined;
  readonly at?: string | undefined;
  /** Code and HTTP status of the error that ended the last request. */
  readonly error?: string | undefined;
  readonly status?: number | undefined;
  /** Who has found out what happened, if a person has. `''` if they gave no name. */
  readonly settled_by?: string | undefined;
  /** How often the entry was saved. An entry with a lower number is older, whatever the clocks of two machines say. */
  readonly saves?: number | undefined;
}

/**
 * - `started`: the request was about to be sent when the run ended.
 * - `unknown`: the request was sent, but no response shows whether it happened.
 * - `applied`: the action happened.
 * - `not_applied`: the action did not happen, or what it had made was deleted. The next run carries it out.
 */
export function outcomeOf({ made, sent }: Entry): Outcome | 'started' {
  if (sent) return sent.isLost ? 'unknown' : 'started';
  return made ? 'applied' : 'not_applied';
}

/** The outcome of a key for people: an action that was begun may have happened. */
export function outcomeIn(entry: Entry | undefined): Outcome {
  const state = entry ? outcomeOf(entry) : 'not_applied';
  return state === 'started' ? 'unknown' : state;
}

/** The content of a journal. */
export interface JournalContent {
  readonly version: typeof VERSION;
  /** Address of the service. */
  readonly service: string;
  readonly sphere_id: string;
  /** The location of a bubble key. */
  readonly bulle_id: string | null;
  /** The run that wrote it last: two runs that write the same differ by it. */
  readonly run?: string | undefined;
  /** What is known, by the keys of actions. Plans that share a journal have their entries side by side. */
  readonly entries: Readonly<Record<string, Entry>>;
}

/** The version of this format. A journal with fields that are unknown is of a later version. */
const VERSION = 2;

const date = s.matching((value) => parseTimestamp(value) !== null, 'an ISO 8601 date');

const ids = z.optional(s.list(s.anyOf([s.string, s.number], 'a string or a number')));
const digests = z.optional(z.record(z.string(), s.string, s.must('an object')));
const failure = { error: z.optional(s.string), status: z.optional(s.integer) };

const madeShape = {
  ids,
  hash: s.string,
  digests,
  at: date,
  gone: z.optional(date),
  doubt: z.optional(s.oneOf(['made', 'changed'])),
};
const sentShape = {
  change: z.optional(s.oneOf(['update', 'delete'])),
  id: z.optional(s.anyOf([s.string, s.number], 'a string or a number')),
  hash: s.string,
  digests,
  wanted: digests,
  service_time: date,
  service_end: z.optional(date),
  before: z.optional(z.record(z.string(), s.integer, s.must('an object'))),
  isLost: z.optional(z.literal(true, s.must('true'))),
  ...failure,
};
const entryShape = {
  operation: s.string,
  target: z.optional(s.string),
  plan: z.optional(s.string),
  made: z.optional(s.object(madeShape)),
  sent: z.optional(s.object(sentShape)),
  online: z.optional(s.list(s.string)),
  approved: z.optional(s.object({ plan: s.string, lines: s.list(s.string) })),
  begun_at: z.optional(date),
  at: z.optional(date),
  ...failure,
  settled_by: z.optional(s.string),
  saves: z.optional(s.integer),
};
const entrySchema: s.Schema<Entry> = s.object(entryShape);

const contentShape = {
  version: z.literal(VERSION, s.must(String(VERSION))),
  service: s.string,
  sphere_id: s.string,
  bulle_id: z.nullable(s.string),
  run: z.optional(s.string),
  entries: s.record(s.anything),
};
const contentSchema = s.object(contentShape);

/** Reads the text of a journal. @throws a {@link PlanError} if the journal is damaged, or of a later version. */
export function parseJournal(text: string): JournalContent {
  const damaged = (why: string) => new PlanError('journal_damaged', `The journal is damaged. ${why}`, RESTORE);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged('It is not JSON.');
  }
  const { version } = Object(value);
  if (version > VERSION) throw isNewer(`\`version\` is ${version}`);
  if (version < VERSION) throw isOlder();
  const issues = issuesOf(contentSchema, value);
  if (issues) throw damaged(printIssues(issues, 'The journal'));
  const content = value as JournalContent;
  refuseUnknown(content, contentShape);
  // Not a schema of a record, which drops a key such as `__proto__`.
  for (const [key, entry] of Object.entries(content.entries)) {
    const own = issuesOf(entrySchema, entry)?.map((issue) => ({ ...issue, path: ['entries', key, ...issue.path] }));
    if (own) throw damaged(printIssues(own, 'The journal'));
    refuseUnknown(entry, entryShape);
    refuseUnknown(entry.made ?? {}, madeShape);
    refuseUnknown(entry.sent ?? {}, sentShape);
  }
  return { ...content, entries: inTheirPlace(content) };
}

/** Earlier versions noted the location of a key only where it was written out. */
function inTheirPlace({ bulle_id, entries }: JournalContent): JournalContent['entries'] {
  if (bulle_id === null) return entries;
  const placed = Object.entries(entries).map(([key, entry]) => {
    if (endpointOf(entry.operation)?.target !== 'bulle_id') return [key, entry];
    const { made, sent } = entry;
    const whole = (own?: Digests) => (own && own.bulle_id === undefined ? { bulle_id, ...own } : own);
    return [
      key,
      {
        ...entry,
        ...(made && { made: { ...made, digests: whole(made.digests) } }),
        ...(sent && { sent: { ...sent, digests: whole(sent.digests), wanted: whole(sent.wanted) } }),
      },
    ];
  });
  return Object.fromEntries(placed);
}

/** A field that this version does not know may mean anything, so nothing of the journal may be overwritten. */
function refuseUnknown(value: object, known: object): void {
  const name = Object.keys(value).find((each) => !Object.hasOwn(known, each));
  if (name !== undefined) throw isNewer(`\`${name}\` is unknown to this version`);
}

function isNewer(why: string): PlanError {
  const message = `A newer version of multilocal wrote the journal: ${why}.`;
  return new PlanError('journal_unusable', message, 'Update multilocal, then run the plan again.');
}

/** No version that wrote such journals was published, so there is no migration. */
function isOlder(): PlanError {
  const message = 'The journal was written by a version of multilocal before 0.1.0, which this one does not read.';
  const hint = 'It may say what happened: look in the service, then move the file away and run what is left.';
  return new PlanError('journal_unusable', message, hint);
}

/** Writes the text of a journal. */
export function printJournal(content: JournalContent): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}
