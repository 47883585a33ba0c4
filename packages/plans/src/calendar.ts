import type { Bulle, Post } from 'multilocal';
import { bulleSchema } from 'multilocal/internal/bulles-schema';
import { endpoints } from 'multilocal/internal/endpoints';
import { issuesOf, OPTION_NAMES } from 'multilocal/internal/issues';
import { postSchema } from 'multilocal/internal/posts-schema';
import { invalid } from 'multilocal/internal/request';
import * as s from 'multilocal/internal/schema';
import { zoneProblem } from 'multilocal/internal/zoned-time';
import * as z from 'zod/mini';
import { toCsv } from './calendar-csv.js';
import { entriesOfPlan, entriesOfPosts } from './calendar-entries.js';
import { toHtml } from './calendar-html.js';
import { toIcs } from './calendar-ics.js';
import { hashOfPlan } from './hash.js';
import type { Plan } from './plan.js';

/** How a calendar looks. */
export interface CalendarOptions {
  /**
   * `html` is one page to send and to print, `ics` a file for calendar programs, `csv` a table for spreadsheets.
   */
  readonly format: 'html' | 'ics' | 'csv';
  /** The time zone of the locations, such as `Europe/Paris`. */
  readonly zone: string;
  /** The time zones of other locations, by `bulle_id`. */
  readonly zones?: Readonly<Record<string, string>> | undefined;
  /** The locations of `client.bulles.list()`, for their names and cities. Without them, ids stand there. */
  readonly locations?: readonly Bulle[] | undefined;
  /** The heading. Default: `Publications`. */
  readonly title?: string | undefined;
}

const zone = s.matching((name) => zoneProblem(name) === undefined, 'the name of a time zone, such as Europe/Paris');

const optionsSchema = s.params({
  format: s.oneOf(['html', 'ics', 'csv']),
  zone,
  zones: z.optional(s.record(zone)),
  locations: z.optional(s.list(bulleSchema)),
  title: z.optional(s.text(1)),
});

const planSchema = s.object({ actions: s.list(s.object({ operation: s.string, params: z.optional(s.opaque) })) });
const postsSchema = s.list(postSchema);

/**
 * Writes a calendar of a plan, or of posts of `client.posts.list()`: who publishes what, where and when. Sends nothing and
 * reads no clock.
 *
 * Days and hours are those of each location, and texts stand in full. The calendar of a plan has the hash of the plan. It is
 * that of a rehearsal if all actions name the location or listing where they act. What
 * has no moment of its own stands at the end. Contacts are left out.
 *
 * HTML loads nothing and is safe against markup in texts. CSV is safe against formulas in cells.
 * @throws an `InvalidRequestError` if an option, the plan or a post is invalid.
 * @example await writeFile('noel.html', calendarOf(plan, { format: 'html', zone: 'Europe/Paris', locations }));
 */
export function calendarOf(source: Plan | readonly Post[], options: CalendarOptions): string {
  const wrong = issuesOf(optionsSchema, options ?? {}, OPTION_NAMES);
  const issues = wrong ?? issuesOf(isPlan(source) ? planSchema : postsSchema, source);
  if (issues) throw invalid(issues, { operation: 'calendarOf' });
  const { format, title = 'Publications' } = options;
  const hash = isPlan(source) ? hashOfPlan(source) : '';
  const entries = isPlan(source) ? entriesOfPlan(source.actions, options) : entriesOfPosts(source, options);
  if (format === 'csv') return toCsv(entries, hash);
  return format === 'ics'
    ? toIcs(entries, hash, title)
    : toHtml(entries, hash, title, isPlan(source) && namesPlaces(source));
}

/** Without a client, nobody knows where an action acts that names no place, so the hash of a rehearsal differs. */
function namesPlaces({ actions }: Plan): boolean {
  return actions.every(({ operation, params }) => {
    const { target } = endpoints.find((one) => one.operation === operation) ?? {};
    return target === undefined || Object(params)[target] !== undefined;
  });
}

function isPlan(source: Plan | readonly Post[]): source is Plan {
  return !Array.isArray(source);
}
