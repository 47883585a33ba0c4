import type { Plan, PlanAction } from '@multilocal/plans/plan';
import { type Both, COLON, inLocale, type Locale } from '@multilocal/plans/words';
import type { Bulle, Issue, PlatformName, PostCreateParams } from 'multilocal';
import { printIssues } from 'multilocal/internal/issues';
import { invalid } from 'multilocal/internal/request';
import * as s from 'multilocal/internal/schema';
import { campaignIssues } from './campaign-schema.js';
import {
  cellProblem,
  clocks,
  filledPost,
  invalidFields,
  type Locations,
  unknownLocation,
  variablesOf,
  zoneProblems,
} from './rows.js';
import { SAID, type Said, toldIn } from './sentences.js';

/** The post of a campaign: the parameters of `posts.create`, except those of the campaign. */
export type CampaignPost = PostCreateParams extends infer Params
  ? Params extends unknown
    ? Omit<Params, 'bulle_id' | 'publish_now' | 'scheduled_at' | `scheduled_${PlatformName}`>
    : never
  : never;

/** One post for many locations, each at the same time on its own clocks and with its own words. */
export interface Campaign {
  /** Name of the campaign, without `/`. It is the `name` of the plan, and begins the key of each action. */
  readonly campaign: string;
  /** What the clocks of each location show when its post appears: `2026-12-24T09:00`. */
  readonly at: string;
  /** The time zone of the locations, such as `Europe/Paris`. */
  readonly zone: string;
  /** The time zones of other locations, by `bulle_id`. */
  readonly zones?: Readonly<Record<string, string>> | undefined;
  /**
   * The locations: all of them, those that have a row, or those whose fields have one of these values. With several
   * fields, a location must match each of them.
   */
  readonly for: 'all' | 'rows' | { readonly [Field in keyof Bulle]?: Bulle[Field] | readonly Bulle[Field][] };
  /**
   * The post. Its texts and addresses take variables: `{{name}}` is a field of the location or a column of its row, and
   * `{{closing|16 h}}` has a default. An empty cell counts as no value.
   */
  readonly post: CampaignPost;
}

/** The words of one location. Its other columns are the values of variables. They come before the fields of the location. */
export interface CampaignRow {
  /** The location. */
  readonly bulle_id: string;
  readonly [column: string]: unknown;
}

/** Why a location is not in the plan, or what else is wrong. */
export interface CampaignProblem {
  /**
   * `missing_value`: a variable has no value. `invalid_request`: the filled post is invalid. `invalid_time`: the zone of
   * the location skips the time or has it twice. `unknown_location`, `repeated_location`: of a row or of `zones`.
   * `no_location`: nothing matches `for`, the table of rows is empty, or `for` is `rows` and there are none. `unused_column`: no text uses a column of the rows. The
   * name of a column that begins with `_` says that it is a note. `spreadsheet_error`: a cell is a formula, or an error such as `#N/A`.
   * Only of a table of posts: `ambiguous_location`, `invalid_date`, `unknown_platform`, `repeated_key`, `missing_column`, `repeated_column`,
   * and `no_row`.
   */
  readonly code:
    | 'missing_value'
    | 'invalid_request'
    | 'invalid_time'
    | 'invalid_date'
    | 'unknown_location'
    | 'ambiguous_location'
    | 'repeated_location'
    | 'repeated_key'
    | 'no_location'
    | 'no_row'
    | 'unknown_platform'
    | 'unused_column'
    | 'missing_column'
    | 'repeated_column'
    | 'spreadsheet_error';
  /** The location that is left out of the plan. Absent if the problem concerns no known location. */
  readonly bulle_id?: string;
  /**
   * The place in the campaign: `['post', 'content']`. That of a row begins with `rows`: `['rows', 3, 'bulle_id']`, and that of a column
   * of a table is `['rows', 'Remarque']`.
   */
  readonly path: readonly (string | number)[];
  /** A sentence for people. */
  readonly message: string;
}

/** The plan of a campaign. */
export interface PlannedCampaign {
  /** One `posts.create` for each location or row without a problem, in the order of the locations or of the rows. */
  readonly plan: Plan;
  /** If there is one, do not carry the plan out: a location or a row is missing. */
  readonly problems: readonly CampaignProblem[];
}

/**
 * Makes a plan of a campaign: a post for each location, at the local time of the location. Sends nothing and reads no
 * clock.
 *
 * `locations` are those of `client.bulles.list()`. `rows` come from a table, such as a CSV file. Each filled post is checked
 * as `posts.create` does. Whatever is wrong with a location is a problem, and the location is left out.
 * @throws an `InvalidRequestError` if the campaign is invalid for all of its locations.
 * @example
 * const campaign: Campaign = {
 *   campaign: 'noel-2026',
 *   at: '2026-12-24T09:00',
 *   zone: 'Europe/Paris',
 *   for: 'all',
 *   post: { platforms: ['facebook', 'gmb'], content: '{{name}} ferme à {{closing|16 h}} le 24 décembre.' },
 * };
 * const { plan, problems } = planCampaign(campaign, await client.bulles.list());
 */
export function planCampaign(
  campaign: Campaign,
  locations: readonly Bulle[],
  rows?: readonly CampaignRow[],
): PlannedCampaign {
  return planCampaignIn('en', campaign, locations, rows);
}

/** A problem before it is said in a language. */
export type Told = Omit<CampaignProblem, 'message'> & Said;

/** The same, with its problems in a language. */
export function planCampaignIn(
  locale: Locale,
  campaign: Campaign,
  locations: readonly Bulle[],
  rows?: readonly CampaignRow[],
): PlannedCampaign {
  const issues = campaignIssues(campaign, locations, rows).map((one) => toldIn(one, locale));
  if (issues.length > 0) throw invalid(issues, { operation: 'planCampaign' });
  const known = new Map(locations.map((location) => [location.id, location]));
  const { rowOf, problems } = readRows(campaign.post, rows ?? [], known);
  problems.push(...zoneProblems(campaign, known), ...choiceProblems(campaign, known, rows));
  problems.push(...columnProblems(campaign.post, rows ?? []));
  const leftOut = new Set(problems.map(({ bulle_id }) => bulle_id));
  const { at, zone, zones = {} } = campaign;
  // macOS writes `é` as two characters, and another key is another post.
  const name = campaign.campaign.normalize();
  const timeOf = clocks(zone, zones);
  const actions: PlanAction[] = [];
  const places = chosen(campaign, known, rowOf);
  for (const location of places) {
    if (leftOut.has(location.id)) continue;
    const time = timeOf(at, location.id);
    const row = rowOf.get(location.id);
    const post = filledPost(campaign.post, location, row);
    const params = { bulle_id: location.id, ...post.params, ...time.params } as PostCreateParams;
    const own = post.issues.length > 0 ? post.issues : invalidFields(params);
    const found = [
      ...time.problems.map((said) => ({ code: 'invalid_time', path: ['at'], said }) as const),
      ...own.map((issue) => ({ ...issue, path: ['post', ...issue.path] })),
    ];
    for (const { code, path, said } of found) problems.push({ code, bulle_id: location.id, path, said });
    const key = `${name}/${location.id}`;
    if (found.length === 0) actions.push({ key, operation: 'posts.create', params });
  }
  // Who publishes city by city has other plans of this name, whose posts are no left-overs of this one.
  const covers = typeof campaign.for === 'object' && { covers: places.map(({ id }) => id) };
  return { plan: { name, ...covers, actions }, problems: problems.map((one) => toldIn(one, locale)) };
}

type Rows = ReadonlyMap<string, CampaignRow>;

function readRows(post: CampaignPost, rows: readonly CampaignRow[], known: Locations) {
  const used = variablesOf(post);
  const rowOf = new Map<string, CampaignRow>();
  const problems: Told[] = [];
  for (const [index, row] of rows.entries()) {
    const { bulle_id } = row;
    const path = ['rows', index, 'bulle_id'];
    if (!known.has(bulle_id)) {
      problems.push({ code: 'unknown_location', path, said: unknownLocation(bulle_id, known) });
    } else if (rowOf.has(bulle_id)) {
      problems.push({ code: 'repeated_location', bulle_id, path, said: SAID.repeatedRow() });
    } else rowOf.set(bulle_id, row);
    for (const [name, cell] of Object.entries(row)) {
      const said = name.startsWith('_') && !used.has(name.normalize()) ? undefined : cellProblem(cell);
      const place = { path: ['rows', index, name.normalize()], ...(known.has(bulle_id) && { bulle_id }) };
      if (said !== undefined) problems.push({ code: 'spreadsheet_error', ...place, said });
    }
  }
  return { rowOf, problems };
}

function chosen({ for: which }: Campaign, known: Locations, rowOf: Rows): Bulle[] {
  if (which === 'rows') return [...rowOf.keys()].map((id) => known.get(id) as Bulle);
  const locations = [...known.values()];
  if (which === 'all') return locations;
  const wanted = Object.entries(which);
  return locations.filter((location) =>
    wanted.every(([field, values]) => [values].flat().includes(fieldOf(location, field))),
  );
}

/** Each value of `for` has a location. A misspelled one would leave a location out without a word. */
function choiceProblems(campaign: Campaign, known: Locations, rows?: readonly CampaignRow[]): Told[] {
  const { for: which } = campaign;
  const code = 'no_location';
  if (known.size === 0) return [{ code, path: ['for'], said: SAID.keyWithoutLocation() }];
  // An export that failed is an empty table, and the defaults of variables would hide it.
  if (rows ? rows.length === 0 : which === 'rows') {
    return [{ code, path: ['rows'], said: SAID.noRows() }];
  }
  if (typeof which === 'string') return [];
  const problems = Object.entries(which).flatMap(([field, values]) => {
    const present = [...known.values()].map((location) => fieldOf(location, field));
    return [values].flat().flatMap((value, index): Told[] => {
      if (present.includes(value ?? null)) return [];
      const path = Array.isArray(values) ? ['for', field, index] : ['for', field];
      const texts = present.filter((one) => typeof one === 'string');
      return [{ code, path, said: SAID.valueOfNone(String(value), texts) }];
    });
  });
  const isNone = problems.length === 0 && chosen(campaign, known, new Map()).length === 0;
  return isNone ? [{ code, path: ['for'], said: SAID.matchesNone() }] : problems;
}

function fieldOf(location: Bulle, field: string): string | null {
  return (location as unknown as Record<string, string | null | undefined>)[field] ?? null;
}

/** A column that no text uses is often a misspelled variable. */
function columnProblems(post: CampaignPost, rows: readonly CampaignRow[]): Told[] {
  const used = variablesOf(post);
  const columns = new Set(rows.flatMap((row) => Object.keys(row).map((name) => name.normalize())));
  // A misspelled variable is a problem of its own.
  const meant = [...used].flatMap((name) => (columns.has(name) ? [] : (s.nearest(name, [...columns]) ?? [])));
  const isUnused = (name: string) => ![...used, ...meant, 'bulle_id'].includes(name) && !name.startsWith('_');
  const unused = [...columns].filter(isUnused);
  return unused.map((name) => ({ code: 'unused_column', path: ['rows'], said: SAID.unusedColumn(name) }));
}

/** Writes a problem as a sentence: `` `bul_lyon`: `post.content` has no value for … ``. */
export function printCampaignProblem({ bulle_id, path, message }: CampaignProblem, locale: Locale = 'en'): string {
  const place = bulle_id === undefined ? '' : `${bulle_id}${inLocale(COLON, locale)}`;
  // A problem in French is a sentence of its own, behind its place.
  const issue: Issue = { path: [...path], message: locale === 'fr' && path.length > 0 ? `: ${message}` : message };
  return `${place}${printIssues([issue], inLocale(WHOLE, locale))}`;
}

// cspell:ignore campagne
const WHOLE: Both = ['The campaign', 'La campagne'];
