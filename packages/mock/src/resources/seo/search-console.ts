import * as z from 'zod/mini';
import { DAY, formatDay, type Micros } from '../../engine/clock.js';
import { ok, type Reply, unprocessable } from '../../engine/http.js';
import type { Exchange } from '../../engine/router.js';
import { instant, integerText, readQuery, target } from '../../engine/schema.js';
import { targetBulle } from '../../engine/scope.js';
import { saltOf, scatter } from '../../seed/scatter.js';
import { siteUrlOf } from '../sites.js';
import { queriesOf } from './scan.js';

/** The figures of one day, query, device and country. */
interface SearchFact {
  readonly query: string;
  readonly page: string;
  readonly date: string;
  readonly country: string;
  readonly device: string;
  readonly clicks: number;
  readonly impressions: number;
  readonly position: number;
}

const PAGES = ['', 'nos-pains', 'nos-boutiques', 'commander'];
const COUNTRIES = [
  { country: 'fra', share: 0.93 },
  { country: 'bel', share: 0.07 },
];
const DEVICES = [
  { device: 'MOBILE', share: 0.68 },
  { device: 'DESKTOP', share: 0.27 },
  { device: 'TABLET', share: 0.05 },
];
/** How much of a site's traffic comes from each kind of search. */
const SEARCH_TYPES = {
  web: 1,
  image: 0.2,
  video: 0.05,
  news: 0,
  discover: 0.1,
  googleNews: 0,
};

/** The facts of the days from `from` to `to`, including both. They are the same in every call. */
function searchFacts(
  siteUrl: string,
  queries: readonly string[],
  from: Micros,
  to: Micros,
  searchType: keyof typeof SEARCH_TYPES,
): SearchFact[] {
  const facts: SearchFact[] = [];
  for (let at = from; at <= to; at += DAY) {
    const day = Math.floor(at / DAY);
    const date = formatDay(at);
    for (const [index, query] of queries.entries()) {
      const salt = saltOf(siteUrl + query);
      const page = `${siteUrl}${PAGES[index % PAGES.length]}`;
      const shown = (20 + (salt % 120)) * (0.7 + scatter(day, salt, 61) / 100) * SEARCH_TYPES[searchType];
      const position = 1.5 + (salt % 140) / 10 + scatter(day, salt + 1, 20) / 10;
      for (const { country, share: ofCountry } of COUNTRIES) {
        for (const { device, share } of DEVICES) {
          const impressions = Math.round(shown * ofCountry * share);
          if (impressions === 0) continue;
          const clicks = Math.floor((impressions * 0.35) / position + scatter(day, salt + device.length, 100) / 100);
          facts.push({ query, page, date, country, device, clicks, impressions, position });
        }
      }
    }
  }
  return facts;
}

const DIMENSIONS = ['query', 'page', 'date', 'country', 'device'] as const;
type Dimension = (typeof DIMENSIONS)[number];

const startOfDay = (at: Micros): Micros => at - (at % DAY);

const filter = z.optional(z.string());

const consoleQuery = z.object({
  dimensions: z._default(
    z.pipe(
      z.array(z.enum(DIMENSIONS)),
      z.transform((names) => [...new Set(names)]),
    ),
    ['query'],
  ),
  days: z._default(integerText({ min: 1, max: 365 }), 28),
  start_date: z.optional(instant),
  end_date: z.optional(instant),
  row_limit: z._default(integerText({ min: 1, max: 25_000 }), 1000),
  query_contains: filter,
  query_equals: filter,
  page_contains: filter,
  page_equals: filter,
  country: filter,
  device: filter,
  search_type: z._default(z.enum(['web', 'image', 'video', 'news', 'discover', 'googleNews']), 'web'),
  bulle_id: target,
});
type ConsoleQuery = z.output<typeof consoleQuery>;

/** GET /seo/search-console: one row for each combination of the dimensions, most clicks first. */
export function searchConsole({ service, key, query }: Exchange): Reply {
  const asked = readQuery(consoleQuery, query, ['dimensions']);
  const { dimensions, row_limit, search_type, bulle_id } = asked;
  const today = startOfDay(service.clock.now());
  const { start, end } = periodOf(asked, today);
  const bulle = targetBulle(service.store, key, bulle_id);

  const site_url = siteUrlOf(bulle.id);
  // There are no figures for future days, and none older than 16 months.
  const [from, to] = [Math.max(start, today - 486 * DAY), Math.min(end, today)];
  const facts = searchFacts(site_url, queriesOf(bulle), from, to, search_type).filter((fact) => passes(fact, asked));
  const rows = group(facts, dimensions).slice(0, row_limit);
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

/** The period of a query. Without `start_date`, it has `days` days. */
function periodOf(
  { days, start_date, end_date }: ConsoleQuery,
  today: Micros,
): { readonly start: Micros; readonly end: Micros } {
  const end = startOfDay(end_date ?? today);
  const start = startOfDay(start_date ?? end - (days - 1) * DAY);
  if (start > end) throw unprocessable('Le paramètre `start_date` ne doit pas dépasser `end_date`.');
  return { start, end };
}

/** Whether a fact passes all filters, which ignore letter case. */
function passes(fact: SearchFact, asked: ConsoleQuery): boolean {
  const equals = (wanted: string | undefined, value: string) =>
    wanted === undefined || wanted.toLowerCase() === value.toLowerCase();
  const contains = (wanted: string | undefined, value: string) =>
    value.toLowerCase().includes(wanted?.toLowerCase() ?? '');
  return (
    equals(asked.query_equals, fact.query) &&
    contains(asked.query_contains, fact.query) &&
    equals(asked.page_equals, fact.page) &&
    contains(asked.page_contains, fact.page) &&
    equals(asked.country, fact.country) &&
    equals(asked.device, fact.device)
  );
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
    // The sum at first: positions are weighted by impressions.
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
