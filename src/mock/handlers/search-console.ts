import { ok, type Reply, unprocessable } from '../http.js';
import { targetBulle } from '../scope.js';
import { siteUrlOf } from '../seed/brand.js';
import { SEARCH_TYPES, type SearchFact, searchFacts } from '../seed/search-facts.js';
import { queriesOf } from '../seed/seo.js';
import type { Exchange } from '../service.js';
import { DAY, formatDay, type Micros } from '../timestamps.js';
import { queryChoice, queryChoices, queryInstant, queryInteger, queryTarget, queryText } from '../validate.js';

const DIMENSIONS = ['query', 'page', 'date', 'country', 'device'] as const;
type Dimension = (typeof DIMENSIONS)[number];

const startOfDay = (at: Micros): Micros => at - (at % DAY);

/** GET /seo/search-console: one row for each combination of the dimensions, most clicks first. */
export function searchConsole({ service, key, query }: Exchange): Reply {
  const dimensions = queryChoices(query, 'dimensions', DIMENSIONS) ?? ['query'];
  const rowLimit = queryInteger(query, 'row_limit', { min: 1, max: 25_000 }) ?? 1000;
  const search_type = queryChoice(query, 'search_type', Object.keys(SEARCH_TYPES)) ?? 'web';
  const today = startOfDay(service.clock.now());
  const { start, end } = readPeriod(query, today);
  const matches = readFilters(query);
  const bulle = targetBulle(service.store, key, queryTarget(query, 'bulle_id'));

  const site_url = siteUrlOf(bulle.id);
  // Nothing is known of days to come, nor of those more than 16 months ago.
  const [from, to] = [Math.max(start, today - 486 * DAY), Math.min(end, today)];
  const facts = searchFacts(site_url, queriesOf(bulle), from, to, search_type).filter(matches);
  const rows = group(facts, dimensions).slice(0, rowLimit);
  return ok({
    bulle_id: bulle.id,
    site_url,
    start_date: formatDay(start),
    end_date: formatDay(end),
    dimensions,
    search_type,
    row_count: rows.length,
    rows,
  });
}

/** `days` back from the end, 28 unless told; a `start_date` wins over it. */
function readPeriod(query: URLSearchParams, today: Micros): { readonly start: Micros; readonly end: Micros } {
  const days = queryInteger(query, 'days', { min: 1, max: 365 }) ?? 28;
  const end = startOfDay(queryInstant(query, 'end_date') ?? today);
  const start = startOfDay(queryInstant(query, 'start_date') ?? end - (days - 1) * DAY);
  if (start > end) throw unprocessable('Le paramètre `start_date` ne doit pas dépasser `end_date`.');
  return { start, end };
}

function readFilters(query: URLSearchParams): (fact: SearchFact) => boolean {
  const wanted = (name: string) => queryText(query, name)?.toLowerCase();
  const equal = (name: string, text: string) => (wanted(name) ?? text.toLowerCase()) === text.toLowerCase();
  const part = (name: string, text: string) => text.toLowerCase().includes(wanted(name) ?? '');
  return ({ query: asked, page, country, device }) =>
    equal('query_equals', asked) &&
    part('query_contains', asked) &&
    equal('page_equals', page) &&
    part('page_contains', page) &&
    equal('country', country) &&
    equal('device', device);
}

interface Row {
  readonly keys: string[];
  clicks: number;
  impressions: number;
  ctr: number;
  position: number;
}

function group(facts: readonly SearchFact[], dimensions: readonly Dimension[]): Row[] {
  const rows = new Map<string, Row>();
  for (const fact of facts) {
    const keys = dimensions.map((dimension) => fact[dimension]);
    const name = keys.join('\n');
    const row = rows.get(name) ?? { keys, clicks: 0, impressions: 0, ctr: 0, position: 0 };
    rows.set(name, row);
    row.clicks += fact.clicks;
    row.impressions += fact.impressions;
    // The sum for now: a position weighs as much as it was seen.
    row.position += fact.position * fact.impressions;
  }
  return [...rows.values()]
    .map((row) => ({ ...row, ctr: row.clicks / row.impressions, position: row.position / row.impressions }))
    .sort(dimensions[0] === 'date' ? byFirstKey : (a, b) => b.clicks - a.clicks || byFirstKey(a, b));
}

function byFirstKey({ keys: [a = ''] }: Row, { keys: [b = ''] }: Row): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
