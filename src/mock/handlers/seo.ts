import { conflict, created, ok, type Reply } from '../http.js';
import type { Bulle } from '../model/brand.js';
import { checkQuota, useQuota } from '../model/quotas.js';
import { checkKeyword, keywordsOf, sameKeyword, seoSlice, servedKeyword, type TrackedKeyword } from '../model/seo.js';
import { targetBulle } from '../scope.js';
import { siteUrlOf } from '../seed/brand.js';
import { positionOf, queriesOf, scanBlocks, volumeOf } from '../seed/seo.js';
import type { Exchange, Resource } from '../service.js';
import { formatInstant } from '../timestamps.js';
import { bodyTarget, queryChoice, queryTarget, readDryRun, requiredText } from '../validate.js';
import { searchConsole } from './search-console.js';

const KINDS = ['snapshot', 'competitors'] as const;

const queried = ({ service, key, query }: Exchange): Bulle =>
  targetBulle(service.store, key, queryTarget(query, 'bulle_id'));

const targeted = ({ service, key, body }: Exchange): Bulle =>
  targetBulle(service.store, key, bodyTarget(body, 'bulle_id'));

/** GET /seo/data: the two kinds, each in its form with and without a scan. */
function data(exchange: Exchange): Reply {
  const kind = queryChoice(exchange.query, 'kind', KINDS) ?? 'snapshot';
  const { id: bulle_id } = queried(exchange);
  const snapshot = exchange.service.store.get(seoSlice).snapshots[bulle_id];
  if (kind === 'competitors') {
    const { items = [] } = snapshot?.blocks.competitors ?? {};
    const date = snapshot === undefined ? {} : { snapshot_date: formatInstant(snapshot.created_at) };
    return ok({ kind, bulle_id, competitors: items, ...date });
  }
  if (snapshot === undefined) return ok({ kind, snapshot: null, bulle_id });
  const { snapshot_id, website_url, blocks } = snapshot;
  return ok({
    kind,
    snapshot_id,
    bulle_id,
    created_at: formatInstant(snapshot.created_at),
    website_url,
    has_ai_analysis: blocks.ai_analysis !== undefined,
    ...blocks,
  });
}

const listKeywords = (exchange: Exchange): Reply =>
  ok(keywordsOf(exchange.service.store, queried(exchange).id).map(servedKeyword));

/** POST /seo/tracked-keywords: it has no position before the first check. */
function track(exchange: Exchange): Reply {
  const { store, clock } = exchange.service;
  const keyword = requiredText(exchange.body, 'keyword', { min: 1 }).trim();
  const { id: bulle_id } = targeted(exchange);
  if (keywordsOf(store, bulle_id).some((tracked) => sameKeyword(tracked.keyword, keyword))) {
    throw conflict(`Le mot-clé « ${keyword} » est déjà suivi.`);
  }
  const state = store.get(seoSlice);
  const tracked: TrackedKeyword = {
    id: state.next_keyword_id,
    bulle_id,
    keyword,
    previous_position: null,
    last_position: null,
    last_search_volume: null,
    last_url: null,
    last_checked_at: null,
    created_at: clock.stamp(),
    history: [],
  };
  state.next_keyword_id += 1;
  state.keywords.push(tracked);
  return created(servedKeyword(tracked));
}

/** POST /seo/scan: a new snapshot with every block, and a check of every tracked keyword. */
function scan(exchange: Exchange): Reply {
  const { service, body } = exchange;
  const dryRun = readDryRun(body);
  const bulle = targeted(exchange);
  const quota = checkQuota(service, 'seo_scans', bulle.id, 1);
  const tracked = keywordsOf(service.store, bulle.id);
  const common = { kind: 'full', bulle_id: bulle.id };
  if (dryRun) return ok({ dry_run: true, ...common, would_scan: true, would_check_keywords: tracked.length, quota });

  const used = useQuota(service, 'seo_scans', bulle.id, 1);
  const state = service.store.get(seoSlice);
  const website_url = siteUrlOf(bulle.id);
  const created_at = service.clock.stamp();
  const keywords = [...new Set([...queriesOf(bulle), ...tracked.map(({ keyword }) => keyword)])];
  state.snapshots[bulle.id] = {
    snapshot_id: state.next_snapshot_id,
    bulle_id: bulle.id,
    created_at,
    website_url,
    blocks: scanBlocks(bulle.id, keywords, created_at),
  };
  state.next_snapshot_id += 1;
  for (const keyword of tracked) checkKeyword(service, keyword, website_url);
  return ok({
    ran: true,
    ...common,
    scanned_at: formatInstant(created_at),
    quota_used: used.used,
    quota_limit: used.limit,
  });
}

/** POST /seo/keyword-lookup: where the location tracks the keyword, this is one more check of it. */
function lookUp(exchange: Exchange): Reply {
  const { service, body } = exchange;
  const keyword = requiredText(body, 'keyword', { min: 1 });
  const dryRun = readDryRun(body);
  const bulle = targeted(exchange);
  const tracked = keywordsOf(service.store, bulle.id).find((other) => sameKeyword(other.keyword, keyword));
  const common = { kind: 'keyword-lookup', keyword };
  if (dryRun) {
    return ok({
      dry_run: true,
      ...common,
      bulle_id: bulle.id,
      would_look_up: true,
      would_update_tracked_keyword: tracked?.id ?? null,
    });
  }
  const website_url = siteUrlOf(bulle.id);
  if (tracked !== undefined) checkKeyword(service, tracked, website_url);
  const position = tracked?.last_position ?? positionOf(keyword, bulle.id, service.clock.now());
  return ok({
    ...common,
    result: { position, url: position === null ? null : website_url, search_volume: volumeOf(keyword) },
  });
}

export const seo: Resource = {
  slices: [seoSlice],
  routes: [
    {
      method: 'GET',
      path: '/seo/data',
      permission: 'read',
      operation: {
        of: (query) => (query.get('kind') === 'competitors' ? 'seo.competitors' : 'seo.snapshot'),
      },
      handle: data,
    },
    {
      method: 'GET',
      path: '/seo/tracked-keywords',
      permission: 'read',
      operation: 'seo.trackedKeywords.list',
      handle: listKeywords,
    },
    {
      method: 'POST',
      path: '/seo/tracked-keywords',
      permission: 'publish',
      operation: 'seo.trackedKeywords.create',
      handle: track,
    },
    {
      method: 'GET',
      path: '/seo/search-console',
      permission: 'read',
      operation: 'seo.searchConsole',
      handle: searchConsole,
    },
    { method: 'POST', path: '/seo/scan', permission: 'publish', operation: 'seo.scan', handle: scan },
    {
      method: 'POST',
      path: '/seo/keyword-lookup',
      permission: 'publish',
      operation: 'seo.keywordLookup',
      handle: lookUp,
    },
  ],
};
