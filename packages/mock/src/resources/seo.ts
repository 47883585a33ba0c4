import * as z from 'zod/mini';
import { DAY, formatInstant, HOUR, type Micros, served } from '../engine/clock.js';
import { conflict, created, ok } from '../engine/http.js';
import { defineResource, route } from '../engine/router.js';
import { dryRun, text } from '../engine/schema.js';
import { none, on, reading, writing } from '../engine/scope.js';
import type { SeedContext, Store } from '../engine/store.js';
import { ids, PLACES, type Place } from '../seed/brand.js';
import { saltOf, scatter } from '../seed/prose.js';
import { previewed, quotaOf, useQuota } from './quotas.js';
import { queriesOf, searchConsole } from './search-console.js';
import { siteUrlOf } from './sites.js';

const plain = (keyword: string): string => keyword.trim().toLowerCase();

/** The rank of a location for a keyword at a given time. `null` beyond the first sixty. */
function positionOf(keyword: string, bulleId: string, at: Micros): number | null {
  const salt = saltOf(`${plain(keyword)} ${bulleId}`);
  const position = 2 + (salt % 64) - 3 + scatter(Math.floor(at / HOUR), salt, 7);
  return position > 60 ? null : Math.max(1, position);
}

const volumeOf = (keyword: string): number => 10 * (2 + scatter(1, saltOf(plain(keyword)), 240));

function scanBlocks(bulleId: string, queries: readonly string[], at: Micros) {
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

/** One full scan of a location's web presence. A block that the scan did not produce is absent. */
const snapshotOf = (snapshot_id: number, bulle_id: string, created_at: Micros, blocks: Partial<Blocks>) => {
  return { snapshot_id, bulle_id, created_at, website_url: siteUrlOf(bulle_id), blocks };
};
type Blocks = ReturnType<typeof scanBlocks>;

/** All locations except one have a scan. Older scans have no analysis, and the oldest has no competitors either. */
function seedSeo({ now }: SeedContext) {
  const snapshots = PLACES.filter(({ id }) => id !== ids.bulleWithoutSeo).map((place, index) => {
    const created_at = now - (3 + 2 * index) * DAY - scatter(index, 61, 20) * HOUR;
    const { competitors, ai_analysis, ...rest } = scanBlocks(place.id, queriesOf(place.city), created_at);
    const blocks = { ...rest, ...(index < 9 && { competitors }), ...(index < 6 && { ai_analysis }) };
    return snapshotOf(index + 1, place.id, created_at, blocks);
  });
  const keywords = PLACES.flatMap((place, at) =>
    queriesOf(place.city)
      .slice(0, at === 0 ? 5 : 2)
      .map((keyword, index) => seedKeyword(place, keyword, at * 10 + index, now)),
  );
  const byLocation = Object.fromEntries(snapshots.map((snapshot) => [snapshot.bulle_id, snapshot]));
  return { next_snapshot_id: 501, next_keyword_id: 501, snapshots: byLocation, keywords };
}

/** A keyword that was never checked. The oldest check comes first in `history`. */
const untested = (id: number, bulle_id: string, keyword: string, created_at: Micros) => ({
  id,
  bulle_id,
  keyword,
  last_position: null as number | null,
  previous_position: null as number | null,
  last_search_volume: null as number | null,
  last_url: null as string | null,
  last_checked_at: null as Micros | null,
  created_at,
  history: [] as { checked_at: Micros; position: number }[],
});
type TrackedKeyword = ReturnType<typeof untested>;

/** A keyword with eight weekly checks. The fifth one of the first location is new. */
function seedKeyword({ id }: Place, keyword: string, number: number, now: Micros): TrackedKeyword {
  const isNew = number % 10 === 4;
  const tracked = untested(number + 1, id, keyword, isNew ? now - 2 * DAY : now - 63 * DAY);
  for (let weeks = isNew ? 0 : 8; weeks > 0; weeks -= 1) check(tracked, now - weeks * 7 * DAY + 5 * HOUR);
  return tracked;
}

/** Checks the rank of a location for a keyword and stores it. */
function check(tracked: TrackedKeyword, checked_at: Micros): void {
  const position = positionOf(tracked.keyword, tracked.bulle_id, checked_at);
  tracked.previous_position = tracked.last_position;
  tracked.last_position = position;
  tracked.last_search_volume = volumeOf(tracked.keyword);
  tracked.last_url = position === null ? null : siteUrlOf(tracked.bulle_id);
  tracked.last_checked_at = checked_at;
  if (position !== null) tracked.history.push({ checked_at, position });
}

const seoSlice = { name: 'seo', seed: seedSeo };

const keywordsOf = (store: Store, bulleId: string): TrackedKeyword[] =>
  store.get(seoSlice).keywords.filter(({ bulle_id }) => bulle_id === bulleId);

/** The keyword of a location, whatever its case and the white space around it. */
const findKeyword = (store: Store, bulleId: string, keyword: string): TrackedKeyword | undefined =>
  keywordsOf(store, bulleId).find((tracked) => plain(tracked.keyword) === plain(keyword));

/** The specification does not give the sign of `delta`. Here, it is positive if the location has moved up. */
function servedKeyword(tracked: TrackedKeyword): Record<string, unknown> {
  const { bulle_id: _bulle, id, keyword, last_position, previous_position, history, ...row } = tracked;
  const delta = last_position === null || previous_position === null ? null : previous_position - last_position;
  const shown = { id, keyword, last_position, previous_position, delta, ...served(row) };
  return { ...shown, history: history.map(served) };
}

const dataQuery = z.object({ kind: z._default(z.enum(['snapshot', 'competitors']), 'snapshot') });

/** GET /seo/data: both kinds, with their forms with and without a scan. */
const data = reading(on.bulle, dataQuery, ({ store }, { kind }, { id: bulle_id }) => {
  const snapshot = store.get(seoSlice).snapshots[bulle_id];
  if (kind === 'competitors') {
    const { items = [] } = snapshot?.blocks.competitors ?? {};
    const date = snapshot === undefined ? {} : { snapshot_date: formatInstant(snapshot.created_at) };
    return ok({ kind, bulle_id, competitors: items, ...date });
  }
  if (snapshot === undefined) return ok({ kind, snapshot: null, bulle_id });
  const { blocks, ...row } = snapshot;
  return ok({ kind, ...served(row), has_ai_analysis: blocks.ai_analysis !== undefined, ...blocks });
});

const listKeywords = reading(on.bulle, none, ({ store }, _, { id }) => ok(keywordsOf(store, id).map(servedKeyword)));

const newKeyword = z.object({ keyword: text({ min: 1 }) });

/** POST /seo/tracked-keywords: the keyword has no position before the first check. */
const track = writing(on.bulle, newKeyword, ({ store, clock }, sent, { id }) => {
  const keyword = sent.keyword.trim();
  if (findKeyword(store, id, keyword)) throw conflict(`Le mot-clé « ${keyword} » est déjà suivi.`);
  const state = store.get(seoSlice);
  const tracked = untested(state.next_keyword_id, id, keyword, clock.stamp());
  state.next_keyword_id += 1;
  state.keywords.push(tracked);
  return created(servedKeyword(tracked));
});

const scanOrder = z.object({ dry_run: dryRun });

/** POST /seo/scan: a new snapshot with every block, and a check of every tracked keyword. */
const scan = writing(on.bulle, scanOrder, (exchange, { dry_run }, { id: bulle_id, city }) => {
  const { store, clock } = exchange;
  const quota = quotaOf(exchange, 'seo_scans', bulle_id, 1);
  const tracked = keywordsOf(store, bulle_id);
  const common = { kind: 'full', bulle_id };
  if (dry_run) return previewed({ ...common, would_scan: true, would_check_keywords: tracked.length }, quota);

  const { used, limit } = useQuota(exchange, 'seo_scans', bulle_id, 1);
  const state = store.get(seoSlice);
  const created_at = clock.stamp();
  const keywords = [...new Set([...queriesOf(city), ...tracked.map(({ keyword }) => keyword)])];
  const blocks = scanBlocks(bulle_id, keywords, created_at);
  state.snapshots[bulle_id] = snapshotOf(state.next_snapshot_id, bulle_id, created_at, blocks);
  state.next_snapshot_id += 1;
  for (const keyword of tracked) check(keyword, clock.stamp());
  return ok({ ran: true, ...common, scanned_at: formatInstant(created_at), quota_used: used, quota_limit: limit });
});

const lookUpOrder = z.object({ keyword: text({ min: 1 }), dry_run: dryRun });

/** POST /seo/keyword-lookup: if the location tracks the keyword, this counts as a check of it. */
const lookUp = writing(on.bulle, lookUpOrder, ({ store, clock }, { keyword, dry_run }, { id: bulle_id }) => {
  const tracked = findKeyword(store, bulle_id, keyword);
  const common = { kind: 'keyword-lookup', keyword };
  if (dry_run) {
    const would_update_tracked_keyword = tracked?.id ?? null;
    return previewed({ ...common, bulle_id, would_look_up: true, would_update_tracked_keyword });
  }
  if (tracked !== undefined) check(tracked, clock.stamp());
  const position = tracked?.last_position ?? positionOf(keyword, bulle_id, clock.now());
  const url = position === null ? null : siteUrlOf(bulle_id);
  return ok({ ...common, result: { position, url, search_volume: volumeOf(keyword) } });
});

export const seo = defineResource({
  slices: [seoSlice],
  routes: [
    route('GET /seo/data', 'read', 'seo.competitors', data, { kind: 'competitors' }),
    route('GET /seo/data', 'read', 'seo.snapshot', data),
    route('GET /seo/tracked-keywords', 'read', 'seo.trackedKeywords.list', listKeywords),
    route('POST /seo/tracked-keywords', 'publish', 'seo.trackedKeywords.create', track),
    route('GET /seo/search-console', 'read', 'seo.searchConsole', searchConsole),
    route('POST /seo/scan', 'publish', 'seo.scan', scan),
    route('POST /seo/keyword-lookup', 'publish', 'seo.keywordLookup', lookUp),
  ],
});
