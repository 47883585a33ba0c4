import { RESTORE } from '@multilocal/stores/journal/port';
import { PlanError } from 'multilocal/internal/errors';
import { issuesOf, printIssues } from 'multilocal/internal/issues';
import * as s from 'multilocal/internal/schema';
import { parseTimestamp } from 'multilocal/internal/timestamps';
import * as z from 'zod/mini';

/** What a journal knows of one action. It holds no key, no text and no contact. */
export interface Entry {
  /** `posts.create` */
  readonly operation: string;
  /** SHA-256 of operation and parameters: it recognises the action if the plan is reordered. */
  readonly action: string;
  /** The location, listing or object of the action. */
  readonly target?: string | undefined;
  /**
   * - `started`: the request was about to be sent when the run ended.
   * - `applied`: the action happened.
   * - `not_applied`: the action did not happen. The next run tries it again.
   * - `unknown`: the request was sent, but no response shows whether the action happened.
   */
  readonly outcome: 'started' | 'applied' | 'not_applied' | 'unknown';
  /** When the action was started, by the clock of this machine. ISO 8601. */
  readonly started_at: string;
  /** The same by the earliest clock, that of the service included. Lookups compare it with dates of the service. */
  readonly service_time: string;
  /**
   * When the response was lost, or when the next run found that the run was killed, by the latest clock. Only with the
   * outcome `unknown`.
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
}

/** The content of a journal. */
export interface JournalContent {
  readonly version: 1;
  /** Address of the service. */
  readonly service: string;
  readonly sphere_id: string;
  /** The location of a bubble key. */
  readonly bulle_id: string | null;
  readonly entries: readonly Entry[];
}

const date = s.matching((value) => parseTimestamp(value) !== null, 'an ISO 8601 date');

const entrySchema: s.Schema<Entry> = s.params({
  operation: s.string,
  action: s.string,
  target: z.optional(s.string),
  outcome: s.oneOf(['started', 'applied', 'not_applied', 'unknown']),
  started_at: date,
  service_time: date,
  service_end: z.optional(date),
  ended_at: z.optional(date),
  ids: z.optional(s.list(s.anyOf([s.string, s.number], 'a string or a number'))),
  error: z.optional(s.string),
  status: z.optional(s.integer),
});

const contentSchema: s.Schema<JournalContent> = s.params({
  version: z.literal(1, s.must('1')),
  service: s.string,
  sphere_id: s.string,
  bulle_id: z.nullable(s.string),
  entries: s.list(entrySchema),
});

/** The outcomes of actions that happened or may have happened. */
export const LASTING: readonly Entry['outcome'][] = ['applied', 'started', 'unknown'];

/** Reads the text of a journal. @throws a {@link PlanError} if the journal is damaged. */
export function parseJournal(text: string): JournalContent {
  const damaged = (why: string) => {
    return new PlanError('journal_damaged', `The journal is damaged. ${why}`, RESTORE);
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged('It is not JSON.');
  }
  const issues = issuesOf(contentSchema, value);
  if (issues) throw damaged(printIssues(issues, 'The journal'));
  return value as JournalContent;
}
