import { DAY, formatDay, type Micros } from '../timestamps.js';
import { saltOf, scatter } from './scatter.js';

/** What happened on one day for one query, on one kind of device in one country. */
export interface SearchFact {
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
export const SEARCH_TYPES: Readonly<Record<string, number>> = {
  web: 1,
  image: 0.2,
  video: 0.05,
  news: 0,
  discover: 0.1,
  googleNews: 0,
};

/** The facts of the days from `from` to `to`, both included; the same ones each time. */
export function searchFacts(
  siteUrl: string,
  queries: readonly string[],
  from: Micros,
  to: Micros,
  searchType: string,
): SearchFact[] {
  const facts: SearchFact[] = [];
  for (let at = from; at <= to; at += DAY) {
    const day = Math.floor(at / DAY);
    const date = formatDay(at);
    for (const [index, query] of queries.entries()) {
      const salt = saltOf(siteUrl + query);
      const page = `${siteUrl}${PAGES[index % PAGES.length]}`;
      const shown = (20 + (salt % 120)) * (0.7 + scatter(day, salt, 61) / 100) * (SEARCH_TYPES[searchType] ?? 0);
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
