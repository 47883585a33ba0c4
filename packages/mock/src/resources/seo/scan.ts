import { DAY, formatInstant, formatOptional, HOUR, type Micros } from '../../engine/clock.js';
import type { SeedContext, Service, Slice, Store } from '../../engine/store.js';
import { ids, PLACES, type Place } from '../../seed/brand.js';
import { saltOf, scatter } from '../../seed/scatter.js';
import { siteUrlOf } from '../sites.js';

/** One full scan of a location's web presence. A block that the scan did not produce is absent. */
interface SeoSnapshot {
  readonly snapshot_id: number;
  readonly bulle_id: string;
  readonly created_at: Micros;
  readonly website_url: string;
  readonly blocks: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface TrackedKeyword {
  readonly id: number;
  readonly bulle_id: string;
  readonly keyword: string;
  previous_position: number | null;
  last_position: number | null;
  last_search_volume: number | null;
  last_url: string | null;
  last_checked_at: Micros | null;
  readonly created_at: Micros;
  /** The checks of the keyword, oldest first. */
  readonly history: { readonly checked_at: Micros; readonly position: number }[];
}

interface SeoState {
  next_snapshot_id: number;
  next_keyword_id: number;
  /** The latest scan of each location. */
  readonly snapshots: Record<string, SeoSnapshot>;
  readonly keywords: TrackedKeyword[];
}

/** Tracked keywords are checked once a week. */
const WEEK: Micros = 7 * DAY;

/** The search terms for a bakery in a place. */
export const queriesOf = ({ city }: { readonly city: string }): string[] =>
  [
    `boulangerie ${city}`,
    `boulangerie artisanale ${city}`,
    `pain au levain ${city}`,
    `croissant pur beurre ${city}`,
    `boulangerie ouverte dimanche ${city}`,
    `galette des rois ${city}`,
    "les fournils d'augustine",
    `sandwich ${city}`,
  ].map((query) => query.toLowerCase());

/** The rank of a location for a keyword at a given time. `null` beyond the first sixty. */
export function positionOf(keyword: string, bulleId: string, at: Micros): number | null {
  const salt = saltOf(`${keyword.trim().toLowerCase()} ${bulleId}`);
  const position = 2 + (salt % 64) - 3 + scatter(Math.floor(at / HOUR), salt, 7);
  return position > 60 ? null : Math.max(1, position);
}

export const volumeOf = (keyword: string): number => 10 * (2 + scatter(1, saltOf(keyword.trim().toLowerCase()), 240));

/** The result of a full scan. */
export function scanBlocks(bulleId: string, queries: readonly string[], at: Micros) {
  const salt = saltOf(bulleId);
  const days = Math.floor(at / DAY);
  const items = queries.flatMap((keyword) => {
    const position = positionOf(keyword, bulleId, at);
    return position === null ? [] : [{ keyword, position, search_volume: volumeOf(keyword) }];
  });
  const rivals = ['maison-levain', 'au-bon-ble', 'le-petillant', 'farine-et-feu'].map((name, index) => ({
    domain: `${name}.example`,
    common_keywords: 3 + scatter(index, salt, 30),
    average_position: 4 + scatter(index, salt + days, 20),
  }));
  const speed = (index: number) => 55 + scatter(days + index, salt, 45);
  return {
    ranked_keywords: { count: items.length, items },
    competitors: { count: rivals.length, items: rivals },
    onpage: { score: 60 + scatter(days, salt + 1, 38), issues: ['balise H1 absente', 'images sans texte alternatif'] },
    pagespeed: { mobile: speed(0), desktop: speed(1) },
    ai_analysis: { summary: 'Le site répond bien aux recherches de marque, moins aux recherches « près de moi ».' },
  };
}

/** All locations except one have a scan. Older scans have no analysis, and the oldest has no competitors either. */
function seedSeo({ now }: SeedContext): SeoState {
  const scanned = PLACES.filter(({ id }) => id !== ids.bulleWithoutSeo);
  const snapshots = scanned.map((place, index) => seedSnapshot(place, index, now));
  const keywords = PLACES.flatMap((place, at) =>
    queriesOf(place)
      .slice(0, at === 0 ? 5 : 2)
      .map((keyword, index) => seedKeyword(place, keyword, at * 10 + index, now)),
  );
  return {
    next_snapshot_id: 501,
    next_keyword_id: 501,
    snapshots: Object.fromEntries(snapshots.map((snapshot) => [snapshot.bulle_id, snapshot])),
    keywords,
  };
}

function seedSnapshot(place: Place, index: number, now: Micros): SeoSnapshot {
  const created_at = now - (3 + 2 * index) * DAY - scatter(index, 61, 20) * HOUR;
  const { competitors, ai_analysis, ...rest } = scanBlocks(place.id, queriesOf(place), created_at);
  return {
    snapshot_id: index + 1,
    bulle_id: place.id,
    created_at,
    website_url: siteUrlOf(place.id),
    blocks: {
      ...rest,
      ...(index < 9 ? { competitors } : {}),
      ...(index < 6 ? { ai_analysis } : {}),
    },
  };
}

/** The fifth keyword of the first location is new and was never checked. */
function seedKeyword({ id }: Place, keyword: string, number: number, now: Micros): TrackedKeyword {
  const isNew = number % 10 === 4;
  const checks = isNew ? 0 : 8;
  const history = Array.from({ length: checks }, (_, index) => {
    const checked_at = now - (checks - index) * WEEK + 5 * HOUR;
    const position = positionOf(keyword, id, checked_at);
    return position === null ? [] : [{ checked_at, position }];
  }).flat();
  const last = history.at(-1);
  return {
    id: number + 1,
    bulle_id: id,
    keyword,
    previous_position: history.at(-2)?.position ?? null,
    last_position: last?.position ?? null,
    last_search_volume: isNew ? null : volumeOf(keyword),
    last_url: last === undefined ? null : siteUrlOf(id),
    last_checked_at: isNew ? null : now - WEEK + 5 * HOUR,
    created_at: isNew ? now - 2 * DAY : now - (checks + 1) * WEEK,
    history,
  };
}

export const seoSlice: Slice<SeoState> = { name: 'seo', seed: seedSeo };

export const keywordsOf = (store: Store, bulleId: string): TrackedKeyword[] =>
  store.get(seoSlice).keywords.filter(({ bulle_id }) => bulle_id === bulleId);

/** Whether two texts are the same keyword, apart from case and surrounding white space. */
export const sameKeyword = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/** Checks the rank of a location for a keyword and stores it. */
export function checkKeyword({ clock }: Service, tracked: TrackedKeyword, siteUrl: string): void {
  const checked_at = clock.stamp();
  const position = positionOf(tracked.keyword, tracked.bulle_id, checked_at);
  tracked.previous_position = tracked.last_position;
  tracked.last_position = position;
  tracked.last_search_volume = volumeOf(tracked.keyword);
  tracked.last_url = position === null ? null : siteUrl;
  tracked.last_checked_at = checked_at;
  if (position !== null) tracked.history.push({ checked_at, position });
}

/** Converts a tracked keyword to its form in responses. `delta` is positive if the location has moved up. */
export function servedKeyword(tracked: TrackedKeyword): Record<string, unknown> {
  const { id, keyword, last_position, previous_position } = tracked;
  return {
    id,
    keyword,
    last_position,
    previous_position,
    delta: last_position === null || previous_position === null ? null : previous_position - last_position,
    last_search_volume: tracked.last_search_volume,
    last_url: tracked.last_url,
    last_checked_at: formatOptional(tracked.last_checked_at),
    created_at: formatInstant(tracked.created_at),
    history: tracked.history.map(({ checked_at, position }) => ({ checked_at: formatInstant(checked_at), position })),
  };
}
