import { RESTORE } from '@multilocal/stores/journal/port';
import type { Outcome } from 'multilocal';
import { PlanError } from 'multilocal/internal/errors';
import { issuesOf, printIssues } from 'multilocal/internal/issues';
import * as s from 'multilocal/internal/schema';
import { parseTimestamp } from 'multilocal/internal/timestamps';
import * as z from 'zod/mini';

/** What a journal knows of one key. It holds no API key, no text and no contact. */
export interface Entry {
  /** `posts.create` */
  readonly operation: string;
  /** SHA-256 of operation and parameters in their place: of what was begun last, or has happened. */
  readonly hash: string;
  /**
   * SHA-256 of texts and moments, by the name of their parameter. A lost action is looked for by them although its
   * parameters have changed since.
   */
  readonly digests?: Readonly<Record<string, string>> | undefined;
  /** The location, listing or object of the action. */
  readonly target?: string | undefined;
  /** The name of the plan that has carried it out. No other plan prunes what it has made. */
  readonly plan?: string | undefined;
  /**
   * - `started`: the request was about to be sent when the run ended.
   * - `applied`: the action happened. What it has made has the `ids`.
   * - `not_applied`: the action did not happen, or what it had made was deleted. The next run carries it out.
   * - `unknown`: the request was sent, but no response shows whether the action happened.
   */
  readonly outcome: 'started' | 'applied' | 'not_applied' | 'unknown';
  /**
   * What the request does to the object that `ids` names, while it is `started` or `unknown`. Without it, the request is
   * the action itself. A deletion is an entry of its own: once it is over, the entry is `not_applied` and has no ids.
   */
  readonly change?: 'update' | 'delete' | undefined;
  /** The `hash` of the object as long as `change` has not happened. */
  readonly was?: string | undefined;
  /** When the action was started, by the clock of this machine. ISO 8601. */
  readonly started_at: string;
  /** The same by the earliest clock, that of the service included. Lookups compare it with dates of the service. */
  readonly service_time: string;
  /**
   * Until when the request may have been sent, by the latest clock. Absent where the clocks disagreed: it is then the
   * moment at which the next run finds the entry.
   */
  readonly service_end?: string | undefined;
  /** When the outcome was written, by the clock of this machine. ISO 8601. */
  readonly ended_at?: string | undefined;
  /** Ids of what was made. */
  readonly ids?: readonly (string | number)[] | undefined;
  /** Code of the error. */
  readonly error?: string | undefined;
  /** HTTP status of the error. */
  readonly status?: number | undefined;
  /** Counts of the service before the request: `{ sms: 12, email: 3 }`. Only where a lookup compares them. */
  readonly before?: Readonly<Record<string, number>> | undefined;
  /** Who has found out the outcome, if a person has. `''` if they gave no name. */
  readonly settled_by?: string | undefined;
  /** How often the entry was saved. An entry with a lower number is older, whatever the clocks of two machines say. */
  readonly saves?: number | undefined;
}

/** An entry of an action that nobody is sending any more. */
export type Ended = Entry & { readonly outcome: Outcome };

/** The content of a journal. */
export interface JournalContent {
  readonly version: 1;
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

/** The version of this format. A journal with a higher one, or with fields that are unknown, is of a later version. */
const VERSION = 1;

const date = s.matching((value) => parseTimestamp(value) !== null, 'an ISO 8601 date');

const entryShape = {
  operation: s.string,
  hash: s.string,
  digests: z.optional(z.record(z.string(), s.string, s.must('an object'))),
  target: z.optional(s.string),
  plan: z.optional(s.string),
  outcome: s.oneOf(['started', 'applied', 'not_applied', 'unknown']),
  change: z.optional(s.oneOf(['update', 'delete'])),
  was: z.optional(s.string),
  started_at: date,
  service_time: date,
  service_end: z.optional(date),
  ended_at: z.optional(date),
  ids: z.optional(s.list(s.anyOf([s.string, s.number], 'a string or a number'))),
  error: z.optional(s.string),
  status: z.optional(s.integer),
  before: z.optional(z.record(z.string(), s.integer, s.must('an object'))),
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
  const issues = issuesOf(contentSchema, value);
  if (issues) throw damaged(printIssues(issues, 'The journal'));
  const content = value as JournalContent;
  refuseUnknown(content, contentShape);
  // Not a schema of a record, which drops a key such as `__proto__`.
  for (const [key, entry] of Object.entries(content.entries)) {
    const own = issuesOf(entrySchema, entry)?.map((issue) => ({ ...issue, path: ['entries', key, ...issue.path] }));
    if (own) throw damaged(printIssues(own, 'The journal'));
    refuseUnknown(entry, entryShape);
  }
  return content;
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

/** Writes the text of a journal. */
export function printJournal(content: JournalContent): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}
