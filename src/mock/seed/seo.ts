import type { SeoSnapshot, SeoState, TrackedKeyword } from '../model/seo.js';
import type { SeedContext } from '../store.js';
import { DAY, HOUR, type Micros } from '../timestamps.js';
import { ids, PLACES, type Place, siteUrlOf } from './brand.js';
import { saltOf, scatter } from './scatter.js';

/** Tracked keywords are checked once a week. */
const WEEK: Micros = 7 * DAY;

/** What people type who look for a bakery in a place. */
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

/** The rank of a location for a keyword at an instant; `null` beyond the first sixty. */
export function positionOf(keyword: string, bulleId: string, at: Micros): number | null {
  const salt = saltOf(`${keyword.trim().toLowerCase()} ${bulleId}`);
  const position = 2 + (salt % 64) - 3 + scatter(Math.floor(at / HOUR), salt, 7);
  return position > 60 ? null : Math.max(1, position);
}

export const volumeOf = (keyword: string): number => 10 * (2 + scatter(1, saltOf(keyword.trim().toLowerCase()), 240));

/** What a full scan finds. */
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

/** All locations but one have been scanned. Older scans lack the analysis, the oldest the competitors as well. */
export function seedSeo({ now }: SeedContext): SeoState {
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

/** The last keyword of each five has just been added: nobody has looked for it yet. */
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
