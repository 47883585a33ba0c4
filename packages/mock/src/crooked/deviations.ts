import * as z from 'zod/mini';
import { rule, word } from '../engine/options.js';

/** The names are typed, the texts are not. */
const textsOf = <Name extends string>(texts: Readonly<Record<Name, string>>) => texts;

/**
 * The deviations that the option `crooked` knows, and what the mock does with each. A test can repeat itself for each of them.
 *
 * @example
 * for (const deviation of Object.keys(mockDeviations) as MockDeviation[]) {
 *   const api = createMockApi({ crooked: [deviation] });
 *   // … run your program against `api`
 * }
 */
export const mockDeviations = textsOf({
  'default-limit': 'GET /articles without `limit` has a page of 5 articles.',
  'default-status': 'GET /articles without `status` has drafts too.',
  'offset-ignored': 'GET /articles and GET /posts ignore `offset`: each page is the first one.',
  'offset-not-echoed': 'GET /articles has no `offset` in its wrapper.',
  'posts-oldest-first': 'GET /posts has the oldest post first.',
  'reports-oldest-first': 'GET /reports has the oldest report first.',
  'updated-at-moves': 'GET /articles/{article_id} counts as a change: each one gives the article a new `updated_at`.',
  'dry-run-ignored': 'POST /posts and POST /social/publish publish although `dry_run` is true.',
  'numbers-as-strings': 'GET /reviews/summary has `average_rating` and `total_reviews` as strings: `"4.6"`.',
  'ids-as-strings': 'GET /sites has each `id` as a string.',
  'missing-fields': 'GET /reports has no `report_name`, and GET /connections has no `name`.',
  'null-fields':
    'GET /articles and GET /articles/{article_id} have null as `title` and `excerpt`, GET /qr-codes has null as `name`.',
  'new-words':
    'One post and one article in three (GET, lists and single ones) have the status `archived`, and GET /connections has an account on `threads`.',
  'camel-case': 'GET and POST /seo/tracked-keywords have camelCase names: `lastPosition`.',
  'dates-without-offset': 'All routes below /posts have timestamps without an offset: `2026-11-14T09:30:00.123456`.',
  'mixed-dates': 'GET /qr-codes has every second item with timestamps such as `2026-11-14T09:30:00Z`.',
  'unix-dates': 'GET /gmb/optimizer has `scored_at` as a number of seconds since 1970.',
  'ninth-platform': 'GET /platforms/limits has `bluesky` in `character_limits` instead of `threads`.',
  'quota-names': 'GET /social/quota has other names: `monthly_limit`, `monthly_used`, `monthly_left`, `next_reset`.',
  'wrapped-lists': 'GET /connections has its list in an object: `{ "data": [ … ] }`.',
  'ok-errors': 'GET /visibility/scan has the body of an error where it succeeds, with status 200.',
  'extra-fields':
    'Every JSON object, even in lists, has the unknown fields `revision` and `labels`. Objects in objects do not have them.',
  'error-keys': 'Errors have `code` and `message` instead of `detail`.',
  'html-errors': 'The body of every error is an HTML page.',
  'clock-behind': 'The header `Date` of every response and `timestamp` of GET /health are ten minutes behind.',
  'rate-headers':
    'Every response has the headers `X-RateLimit-Limit`, `-Remaining` and `-Reset` (in seconds) for the requests of a minute.',
});

/** A way in which the mock can differ from the specification. {@link mockDeviations} says what each of them changes. */
export type MockDeviation = keyof typeof mockDeviations;

const NAMES = Object.keys(mockDeviations) as readonly MockDeviation[];

/** An HTML page has no keys, so nothing would show `error-keys`. */
const TOGETHER = NAMES.filter((name) => name !== 'error-keys');

/** The option `crooked`, as a list. */
export const crooked = z._default(
  z.pipe(
    z.transform((given) => (given === true ? TOGETHER : given)),
    z.array(word('deviation', NAMES), { error: rule(`must be true or a list of deviations: ${NAMES.join(', ')}`) }),
  ),
  [],
);
