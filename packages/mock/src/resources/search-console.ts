import * as z from 'zod/mini';
import { DAY, formatDay, type Micros } from '../engine/clock.js';
import { ok, type Reply, unprocessable } from '../engine/http.js';
import type { Exchange } from '../engine/router.js';
import { instant, integerText, readQuery, target } from '../engine/schema.js';
import { targetBulle } from '../engine/scope.js';
import { cycle } from '../seed/prose.js';
import { siteUrlOf } from './sites.js';

/** The search terms for a bakery: the page that they lead to, and the usual impressions, clicks and position of a day. */
const TERMS = [
  ['boulangerie {}', '', 140, 12, 4.2],
  ['boulangerie artisanale {}', '', 80, 9, 3.1],
  ['pain au levain {}', 'nos-pains', 60, 6, 5.4],
  ['croissant pur beurre {}', 'nos-pains', 45, 2, 8.7],
  ['boulangerie ouverte dimanche {}', 'nos-boutiques', 90, 7, 6.3],
  ['galette des rois {}', 'commander', 30, 1, 11.5],
  ["les fournils d'augustine", '', 70, 31, 1.2],
  ['sandwich {}', 'commander', 25, 1, 14.8],
] as const;

export const queriesOf = (city: string): string[] => TERMS.map(([term]) => term.replace('{}', city.toLowerCase()));

/** How much of a site's traffic comes from each kind of search. */
const SHARES = { web: 1, image: 0.2, video: 0.05, news: 0, discover: 0.1, googleNews: 0 };

const DIMENSIONS = ['query', 'page', 'date', 'country', 'device'] as const;

/** The figures of one day by query. */
const factsOf = (siteUrl: string, city: string, at: Micros, share: number) =>
  TERMS.map(([term, page, shown, clicked, position], index) => {
    const number = Math.floor(at / DAY) + index;
    const impressions = Math.round(shown * share * (0.8 + (number % 5) / 10));
    return {
      query: term.replace('{}', city.toLowerCase()),
      page: siteUrl + page,
      date: formatDay(at),
      country: number % 11 === 0 ? 'bel' : 'fra',
      device: cycle(['MOBILE', 'DESKTOP', 'MOBILE', 'TABLET'], number),
      clicks: Math.floor((clicked * impressions) / shown),
      impressions,
      position,
    };
  }).filter(({ impressions }) => impressions > 0);

const startOfDay = (at: Micros): Micros => at - (at % DAY);

/** Each begins with the name of the dimension that it filters. They ignore letter case. */
const FILTERS = ['query_contains', 'query_equals', 'page_contains', 'page_equals', 'country', 'device'] as const;
type Filter = (typeof FILTERS)[number];
type OptionalText = z.ZodMiniOptional<z.ZodMiniString>;

const consoleQuery = z.object({
  dimensions: z._default(z.array(z.enum(DIMENSIONS)), ['query']),
  days: z._default(integerText({ min: 1, max: 365 }), 28),
  start_date: z.optional(instant),
  end_date: z.optional(instant),
  row_limit: z._default(integerText({ min: 1, max: 25_000 }), 1000),
  ...(Object.fromEntries(FILTERS.map((name) => [name, z.optional(z.string())])) as Record<Filter, OptionalText>),
  search_type: z._default(z.enum(['web', 'image', 'video', 'news', 'discover', 'googleNews']), 'web'),
  bulle_id: target,
});

/** GET /seo/search-console: one row for each combination of the dimensions, most clicks first. */
export function searchConsole(exchange: Exchange): Reply {
  const asked = readQuery(consoleQuery, exchange.query, ['dimensions']);
  const { days, search_type } = asked;
  const dimensions = [...new Set(asked.dimensions)];
  const today = startOfDay(exchange.clock.now());
  const end = startOfDay(asked.end_date ?? today);
  // Without `start_date`, the period has `days` days.
  const start = startOfDay(asked.start_date ?? end - (days - 1) * DAY);
  if (start > end) throw unprocessable('Le paramètre `start_date` ne doit pas dépasser `end_date`.');
  const { id, city } = targetBulle(exchange, asked.bulle_id);

  const site_url = siteUrlOf(id);
  // There are no figures for future days, and none older than 16 months.
  const first = Math.max(start, today - 486 * DAY);
  const count = Math.max(0, (Math.min(end, today) - first) / DAY + 1);
  const facts = Array.from({ length: count }, (_, index) =>
    factsOf(site_url, city, first + index * DAY, SHARES[search_type]),
  ).flat();
  const rows = group(facts.filter(passes(asked)), dimensions).slice(0, asked.row_limit);
  return ok({
    bulle_id: id,
    site_url,
    start_date: formatDay(start),
    end_date: formatDay(end),
    dimensions,
    search_type,
    row_count: rows.length,
    rows,
  });
}

type Fact = ReturnType<typeof factsOf>[number];

const passes = (asked: z.output<typeof consoleQuery>) => (fact: Fact) =>
  FILTERS.every((filter) => {
    const value = fact[filter.split('_')[0] as 'query' | 'page' | 'country' | 'device'].toLowerCase();
    const wanted = asked[filter]?.toLowerCase() ?? value;
    return filter.endsWith('_contains') ? value.includes(wanted) : value === wanted;
  });

function group(facts: readonly Fact[], dimensions: readonly (typeof DIMENSIONS)[number][]) {
  const groups = new Map<string, { keys: string[]; clicks: number; impressions: number; weighted: number }>();
  for (const fact of facts) {
    const keys = dimensions.map((dimension) => fact[dimension]);
    const sums = groups.get(keys.join('\n')) ?? { keys, clicks: 0, impressions: 0, weighted: 0 };
    groups.set(keys.join('\n'), sums);
    sums.clicks += fact.clicks;
    sums.impressions += fact.impressions;
    sums.weighted += fact.position * fact.impressions;
  }
  const rows = [...groups.values()].map(({ keys, clicks, impressions, weighted }) => {
    return { keys, clicks, impressions, ctr: clicks / impressions, position: weighted / impressions };
  });
  const order = dimensions[0] === 'date' ? 0 : 1;
  return rows.sort((a, b) => order * (b.clicks - a.clicks) || (`${a.keys[0]}` < `${b.keys[0]}` ? -1 : 1));
}
