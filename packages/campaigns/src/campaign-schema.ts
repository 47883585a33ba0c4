import { bulleSchema } from 'multilocal/internal/bulles-schema';
import { issuesOf } from 'multilocal/internal/issues';
import { postCreateParamsSchema } from 'multilocal/internal/posts-schema';
import * as s from 'multilocal/internal/schema';
import { wallProblem, zoneProblem } from 'multilocal/internal/zoned-time';
import * as z from 'zod/mini';
import { textProblem } from './rows.js';
import { SAID, type Said, saidOf } from './sentences.js';
import { braceProblem, isTemplate, mapTexts, unquotedIn } from './template.js';

export const zone = s.matching((name) => !zoneProblem(name), 'the name of a time zone, such as Europe/Paris');
const value = s.anyOf([s.string, s.number, s.boolean, z.null()], 'a string, a number, a boolean or null');
const fields = z
  .record(z.string(), s.anyOf([value, s.list(value, 1)], 'a value or an array of values'), s.must('an object'))
  .check(s.rule((given) => Object.keys(given).length > 0, 'must name at least one field, or be "all"'));

/** The name of a plan. Behind it and a slash stands what tells its actions apart, so that no name may begin the keys of another. */
export const nameSchema = s.matching(
  (name) => /^[^/\p{Cc}\u2028\u2029]{1,100}$/u.test(name),
  'a name of 1 to 100 characters without `/`, which ends it in keys',
);

const campaignSchema = s.params({
  campaign: nameSchema,
  at: s.matching(
    // A post of the past is published at once.
    (wall) => wallProblem(wall) === undefined && wall >= '2000',
    'a time after 1999 that exists, without `Z` and without an offset, such as 2026-12-24T09:00',
  ),
  zone,
  zones: z.optional(z.record(z.string(), zone, s.must('an object'))),
  for: s.anyOf([s.oneOf(['all', 'rows']), fields], '"all", "rows" or an object such as { city: "Lyon" }'),
  post: s.opaque,
});
export const locationsSchema = s.list(bulleSchema);
const rowsSchema = s.list(z.record(z.string(), s.anything, s.must('an object')));

/** Fields of `posts.create` that the campaign itself gives. */
const GIVEN = new Map([
  ['bulle_id', SAID.givenByFor()],
  ['publish_now', SAID.givenByAt()],
]);

/** Returns everything that is wrong with a campaign for all of its locations. */
export function campaignIssues(campaign: unknown, locations: unknown, rows: unknown): Said[] {
  const issues = [
    ...(issuesOf(campaignSchema, campaign) ?? []).map(saidOf),
    ...within('locations', issuesOf(locationsSchema, locations)?.map(saidOf)),
    ...within('rows', rows === undefined ? undefined : issuesOf(rowsSchema, rows)?.map(saidOf)),
  ];
  const { post, for: chosen } = Object(campaign);
  if (s.tagOf(post) === 'Object') issues.push(...within('post', postIssues(post)));
  if (issues.length > 0) return issues;
  return typeof chosen === 'object' ? within('for', unknownFields(chosen, locations as readonly object[])) : [];
}

/** What no values of variables could make right. The rest is checked after filling in. */
function postIssues(post: object): Said[] {
  const issues: Said[] = [];
  const templates = new Set<string>();
  mapTexts(post, (text, path) => {
    const said = braceProblem(text) ?? textProblem(text);
    if (said !== undefined) issues.push({ path, said });
    if (isTemplate(text)) templates.add(path.join('\n'));
    return text;
  });
  for (const path of unquotedIn(post)) {
    issues.push({ path, said: SAID.unquoted() });
    templates.add(path.join('\n'));
  }
  const own = Object.entries(post).filter(([name]) => {
    const said = GIVEN.get(name.startsWith('scheduled_') ? 'publish_now' : name);
    if (said !== undefined) issues.push({ path: [name], said });
    return said === undefined;
  });
  const found = issuesOf(postCreateParamsSchema, Object.fromEntries(own)) ?? [];
  return [...issues, ...found.filter(({ path }) => !templates.has(path.join('\n'))).map(saidOf)];
}

function unknownFields(chosen: object, locations: readonly object[]): Said[] {
  const known = [...new Set(locations.flatMap((location) => Object.keys(location)))];
  // Without locations, nothing is known of their fields. `planCampaign` says that there are none.
  const unknown = known.length === 0 ? [] : Object.keys(chosen).filter((name) => !known.includes(name));
  return unknown.map((name) => {
    return { path: [name], said: SAID.unknownField(s.unknownName(name, known, 'field of a location'), name, known) };
  });
}

function within(name: string, issues: readonly Said[] = []): Said[] {
  return issues.map(({ path, said }) => ({ path: [name, ...path], said }));
}
