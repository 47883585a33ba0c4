import { hashOfPlan, linesOf } from '@multilocal/plans/hash';
import type { Plan } from '@multilocal/plans/plan';
import type { PlanStatus } from '@multilocal/plans/status';
import { LOCALES, type Locale } from '@multilocal/plans/words';
import type { Bulle, IdentityFiche, Issue, Post, Review } from 'multilocal';
import { endpoints } from 'multilocal/internal/endpoints';
import { issuesOf, OPTION_NAMES } from 'multilocal/internal/issues';
import { postSchema } from 'multilocal/internal/posts-schema';
import { invalid } from 'multilocal/internal/request';
import * as s from 'multilocal/internal/schema';
import * as z from 'zod/mini';
import { SEPARATORS, toCsv } from './calendar-csv.js';
import type { CalendarLeftOver } from './calendar-drafts.js';
import { entriesOfPlans, entriesOfPosts } from './calendar-entries.js';
import { toHtml } from './calendar-html.js';
import { toIcs } from './calendar-ics.js';
import { WORDS } from './calendar-words.js';
import { locationsSchema, zone } from './campaign-schema.js';

/** How a calendar looks. */
export interface CalendarOptions {
  /** `html` is one page to send and to print, `ics` a file for calendar programs, `csv` a table for spreadsheets. */
  readonly format: 'html' | 'ics' | 'csv';
  /** The time zone of the locations, such as `Europe/Paris`. */
  readonly zone: string;
  /** The time zones of other locations, by `bulle_id`. */
  readonly zones?: Readonly<Record<string, string>> | undefined;
  /** The locations of `client.bulles.list()`, for their names and cities. Without them, ids stand there. */
  readonly locations?: readonly Bulle[] | undefined;
  /** The listings of `client.identity.gmb_fiches`, for the names of those that a reply acts on. */
  readonly listings?: readonly IdentityFiche[] | undefined;
  /** The reviews of `client.reviews.list()`. Above a reply stand the stars and the review. */
  readonly reviews?: readonly Review[] | undefined;
  /** The heading. Default: the names of the plans, or else `Publications`. */
  readonly title?: string | undefined;
  /** The language of everything that is not a text of the plan. Default: `en`. */
  readonly locale?: Locale | undefined;
  /**
   * HTML: shows the pictures whose address begins with `https:`, and loads them from there when the page is opened. Default: `false`,
   * the page loads nothing and shows addresses.
   */
  readonly images?: boolean | undefined;
  /** HTML: the mail address to which the client sends the approval. A button writes a mail with the hash. */
  readonly approve?: string | undefined;
  /** HTML: whose publications they are, above the title. */
  readonly brand?: string | undefined;
  /** HTML: who the page is for. */
  readonly client?: string | undefined;
  /** HTML: a picture above the title, as an address that begins with `data:image/`, of at most 300 000 characters. */
  readonly logo?: string | undefined;
  /** The `leftOvers` of a rehearsal of the plan with the same choices: what is moved or deleted stands beside what appears. */
  readonly leftOvers?: readonly CalendarLeftOver[] | undefined;
  /** The result of `planStatus` for the plan: the calendar says what became of each publication. */
  readonly status?: PlanStatus | undefined;
  /** CSV: what separates cells. Default: `,`, and `;` for `fr`, as spreadsheets there read it. */
  readonly separator?: (typeof SEPARATORS)[number] | undefined;
  /** ICS: when the plan was made, so that a corrected calendar is newer than the one before. Default: unknown. */
  readonly madeAt?: Date | string | undefined;
}

/** A page with a larger one would be too large for a mail. */
const MOST_OF_LOGO = 300_000;

const leftOverSchema = s.object({
  key: s.string,
  summary: s.string,
  replacedBy: z.optional(s.string),
  step: z.optional(s.oneOf(['refuse', 'delete', 'adopt', 'keep'])),
  posts: z.optional(s.list(postSchema)),
});
const optionsSchema = s.params({
  format: s.oneOf(['html', 'ics', 'csv']),
  zone,
  zones: z.optional(z.record(z.string(), zone, s.must('an object'))),
  locations: z.optional(locationsSchema),
  listings: z.optional(s.list(s.object({ id: s.string }))),
  reviews: z.optional(s.list(s.object({ review_id: s.string, rating: s.number }))),
  title: z.optional(s.text(1)),
  locale: z.optional(s.oneOf(LOCALES)),
  images: z.optional(s.boolean),
  approve: z.optional(s.matching((mail) => /^[^\s@<>",:;]+@[^\s@<>",:;]+$/.test(mail), 'an e-mail address')),
  brand: z.optional(s.text(1)),
  client: z.optional(s.text(1)),
  logo: z.optional(
    s.matching(
      (address) =>
        /^data:image\/(png|jpeg|gif|webp|svg\+xml);base64,[\w+/=]+$/.test(address) && address.length <= MOST_OF_LOGO,
      `an image as an address \`data:image/…;base64,…\` of at most ${MOST_OF_LOGO} characters`,
    ),
  ),
  leftOvers: z.optional(s.list(leftOverSchema)),
  status: z.optional(s.object({ actions: s.list(s.object({ key: s.string, state: s.string })) })),
  separator: z.optional(s.oneOf(SEPARATORS)),
  madeAt: z.optional(s.timestamp),
});

const actionSchema = s.object({ key: z.optional(s.string), operation: s.string, params: z.optional(s.opaque) });
const planSchema = s.object({ name: z.optional(s.string), actions: s.list(actionSchema) });
const plansSchema = s.list(planSchema);
const postsSchema = s.list(postSchema);

/**
 * Writes a calendar of one plan or several, or of posts of `client.posts.list()`: who publishes what, where and when. Sends nothing and
 * reads no clock.
 *
 * Days and hours are those of each location. Texts stand in full, and on the page only once where they are the same. The calendar of a plan
 * has the hash of the plan. It is that of a rehearsal if all actions name the location or listing where they act. What has no moment of its
 * own stands at the end. Contacts are left out.
 *
 * HTML loads nothing without `images`, is safe against markup in texts and marks invisible characters. CSV is safe against formulas in
 * cells, whatever separator a program expects. The `UID` of ICS begins with the key of the action.
 * @throws an `InvalidRequestError` if an option, a plan or a post is invalid.
 * @example await writeFile('noel.html', calendarOf(plan, { format: 'html', zone: 'Europe/Paris', locations, locale: 'fr' }));
 */
export function calendarOf(source: Plan | readonly Plan[] | readonly Post[], options: CalendarOptions): string {
  const plans = plansOf(source);
  const wrong = issuesOf(optionsSchema, options ?? {}, OPTION_NAMES);
  const schema = plans === undefined ? postsSchema : Array.isArray(source) ? plansSchema : planSchema;
  const issues = wrong ?? issuesOf(schema, source) ?? onePlanIssues(plans, options);
  if (issues) throw invalid(issues, { operation: 'calendarOf' });
  const { format, locale = 'en', separator = locale === 'fr' ? ';' : ',', madeAt } = options;
  const words = WORDS[locale];
  const entries = plans
    ? entriesOfPlans(plans, options, words)
    : entriesOfPosts(source as readonly Post[], options, words);
  const shown = entries.filter(({ isSame }) => !isSame);
  if (format === 'csv') return toCsv(shown, words, separator);
  const named = (plans ?? []).flatMap(({ name }) => name ?? []);
  const title = options.title ?? (named.join(' · ') || words.title);
  if (format === 'ics')
    return toIcs(entries, title, { words, madeAt: madeAt === undefined ? undefined : new Date(madeAt) });
  const codes = (plans ?? []).map((plan) => ({
    name: plan.name ?? title,
    hash: hashOfPlan(plan, linesOf(options.leftOvers ?? [])),
    isPlaced: namesPlaces(plan),
  }));
  return toHtml(shown, { ...options, title, locale, words, codes });
}

/** Left-overs and a status are those of one plan. */
function onePlanIssues(
  plans: readonly Plan[] | undefined,
  { leftOvers, status }: CalendarOptions,
): Issue[] | undefined {
  const length = plans?.length === 1 ? plans[0]?.actions.length : undefined;
  const issues: Issue[] = [];
  if (leftOvers && length === undefined)
    issues.push({ path: ['leftOvers'], message: 'needs one plan, to which they belong' });
  if (status && status.actions.length !== length)
    issues.push({ path: ['status'], message: 'must be the status of this plan: it has other actions' });
  return issues.length > 0 ? issues : undefined;
}

/** Without a client, it is unknown where an action acts that names no place, so the hash of a rehearsal differs. */
function namesPlaces({ actions }: Plan): boolean {
  return actions.every(({ operation, params }) => {
    const { target } = endpoints.find((one) => one.operation === operation) ?? {};
    return target === undefined || Object(params)[target] !== undefined;
  });
}

/** Returns the plans. `undefined` for posts. */
function plansOf(source: Plan | readonly Plan[] | readonly Post[]): readonly Plan[] | undefined {
  if (!Array.isArray(source)) return [source as Plan];
  return source.some((one) => Object(one).actions !== undefined) ? (source as readonly Plan[]) : undefined;
}
