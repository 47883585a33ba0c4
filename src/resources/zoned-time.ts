import * as z from 'zod/mini';
import { issuesOf } from '../core/issues.js';
import { invalid } from '../core/request.js';
import * as s from '../core/schema.js';
import { DAY } from '../core/timestamps.js';
import type { Issue } from '../core/types.js';

const optionsSchema = s.params({ overlap: z.optional(s.oneOf(['earlier', 'later'])) });

/**
 * Turns the time that clocks show in a zone into a timestamp for parameters such as `scheduled_at`. Sends nothing.
 *
 * `wall` is `YYYY-MM-DDTHH:MM` or `YYYY-MM-DDTHH:MM:SS`. `zone` is a name of the tz database, such as `Europe/Paris`. The
 * result has the offset of the zone at that moment, `+00:00` for UTC.
 *
 * In autumn, clocks show an hour twice. `overlap` then chooses one of the two moments.
 * @throws an `InvalidRequestError` if the date or the zone does not exist, if the zone skips the time (the hour in
 * spring), or if the zone has the time twice and `overlap` is missing.
 * @example zonedTime('2026-12-24T09:00', 'Europe/Paris'); // '2026-12-24T09:00:00+01:00'
 */
export function zonedTime(
  wall: string,
  zone: string,
  options: { readonly overlap?: 'earlier' | 'later' | undefined } = {},
): string {
  const wrong = wallProblem(wall) ?? zoneProblem(zone) ?? issuesOf(optionsSchema, options)?.[0];
  if (wrong) throw refused(wrong);
  const { overlap } = options;
  const [earlier, later] = momentsOf(wall, zone);
  if (earlier === undefined) throw refused({ path: ['wall'], message: skipped(zone) });
  if (later === undefined || overlap === 'earlier') return earlier;
  if (overlap === 'later') return later;
  throw refused({ path: ['wall'], message: `${twice(zone)}. Set \`overlap\` to 'earlier' or 'later'` });
}

/** Returns the moment of a valid time in a valid zone, or what is wrong if clocks of the zone do not show the time exactly once. */
export function onlyMomentOf(wall: string, zone: string): { moment: string } | { problem: string } {
  const [moment, other] = momentsOf(wall, zone);
  if (moment === undefined) return { problem: skipped(zone) };
  return other === undefined ? { moment } : { problem: `${twice(zone)}. Choose another time` };
}

/**
 * Returns the moments at which clocks of a zone show a time, the earlier one first: one as a rule, none if the zone skips
 * the time, two if it has the time twice. Both must be valid.
 */
function momentsOf(wall: string, zone: string): string[] {
  const time = `${wall}:00`.slice(0, 19);
  const asUtc = Date.parse(`${time}Z`);
  const offsetAt = offsetsOf(zone);
  // A zone keeps its offset for days. So what applies a day before and a day after are the only candidates.
  const candidates = new Set([asUtc - DAY, asUtc + DAY].map(offsetAt));
  return [...candidates]
    .map((offset) => time + offset)
    .filter((moment) => offsetAt(Date.parse(moment)) === moment.slice(19));
}

/** Returns a function that returns the offset of a zone at a moment: `+01:00`. */
export function offsetsOf(timeZone: string): (moment: number) => string {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  return (moment) => {
    const { value = '' } = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName') ?? {};
    // `GMT` alone is UTC. Offsets of the 19th century have seconds, which a timestamp cannot have.
    return value.slice(3, 9) || '+00:00';
  };
}

const WALL = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;

/** Returns the problem of a time without a zone, or `undefined`. */
export function wallProblem(wall: unknown): Issue | undefined {
  const path = ['wall'];
  if (typeof wall !== 'string') return { path, message: s.mustBe('a string such as 2026-12-24T09:00', wall) };
  if (!WALL.test(wall)) {
    return { path, message: 'must be a time without an offset, such as 2026-12-24T09:00' };
  }
  const day = wall.slice(0, 10);
  const time = Date.parse(`${day}T00:00Z`);
  const exists = !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
  return exists ? undefined : { path, message: 'must be a day that exists' };
}

/** Returns the problem of a zone, or `undefined`. */
export function zoneProblem(zone: unknown): Issue | undefined {
  const path = ['zone'];
  const be = 'the name of a time zone, such as Europe/Paris';
  if (typeof zone !== 'string') return { path, message: s.mustBe(`a string: ${be}`, zone) };
  // Some runtimes take offsets as zones, and others do not.
  return /^[a-z]/i.test(zone) && isKnown(zone) ? undefined : { path, message: `must be ${be}` };
}

function isKnown(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}

/** What is wrong with a time that a zone skips. */
const skipped = (zone: string) => `does not exist in ${zone}: clocks are set forward then. Choose another time`;

/** What is wrong with a time that a zone has twice. */
const twice = (zone: string) => `happens twice in ${zone}: clocks are set back then`;

function refused(issue: Issue): Error {
  return invalid([issue], { operation: 'zonedTime' });
}
