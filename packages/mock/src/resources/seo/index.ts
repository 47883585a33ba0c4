import * as z from 'zod/mini';
import { formatInstant } from '../../engine/clock.js';
import { conflict, created, ok, type Reply } from '../../engine/http.js';
import { defineResource, type Exchange, route } from '../../engine/router.js';
import { bodyTarget, dryRun, readBody, readQuery, target, text } from '../../engine/schema.js';
import { targetBulle } from '../../engine/scope.js';
import { checkQuota, useQuota } from '../quotas.js';
import { siteUrlOf } from '../sites.js';
import {
  checkKeyword,
  keywordsOf,
  positionOf,
  queriesOf,
  sameKeyword,
  scanBlocks,
  seoSlice,
  servedKeyword,
  type TrackedKeyword,
  volumeOf,
} from './scan.js';
import { searchConsole } from './search-console.js';

const dataQuery = z.object({ kind: z._default(z.enum(['snapshot', 'competitors']), 'snapshot'), bulle_id: target });

/** GET /seo/data: both kinds, with their forms with and without a scan. */
function data({ service, key, query }: Exchange): Reply {
  const { kind, ...asked } = readQuery(dataQuery, query);
  const { id: bulle_id } = targetBulle(service.store, key, asked.bulle_id);
  const snapshot = service.store.get(seoSlice).snapshots[bulle_id];
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

const keywordsQuery = z.object({ bulle_id: target });

function listKeywords({ service, key, query }: Exchange): Reply {
  const { id } = targetBulle(service.store, key, readQuery(keywordsQuery, query).bulle_id);
  return ok(keywordsOf(service.store, id).map(servedKeyword));
}

const newKeyword = z.object({ keyword: text({ min: 1 }), bulle_id: bodyTarget });

/** POST /seo/tracked-keywords: the keyword has no position before the first check. */
function track({ service, key, body }: Exchange): Reply {
  const { store, clock } = service;
  const sent = readBody(newKeyword, body);
  const keyword = sent.keyword.trim();
  const { id: bulle_id } = targetBulle(store, key, sent.bulle_id);
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

const scanOrder = z.object({ dry_run: dryRun, bulle_id: bodyTarget });

/** POST /seo/scan: a new snapshot with every block, and a check of every tracked keyword. */
function scan({ service, key, body }: Exchange): Reply {
  const { dry_run, bulle_id } = readBody(scanOrder, body);
  const bulle = targetBulle(service.store, key, bulle_id);
  const quota = checkQuota(service, 'seo_scans', bulle.id, 1);
  const tracked = keywordsOf(service.store, bulle.id);
  const common = { kind: 'full', bulle_id: bulle.id };
  if (dry_run) return ok({ dry_run: true, ...common, would_scan: true, would_check_keywords: tracked.length, quota });

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

const lookUpOrder = z.object({ keyword: text({ min: 1 }), dry_run: dryRun, bulle_id: bodyTarget });

/** POST /seo/keyword-lookup: if the location tracks the keyword, this counts as a check of it. */
function lookUp({ service, key, body }: Exchange): Reply {
  const { keyword, dry_run, bulle_id } = readBody(lookUpOrder, body);
  const bulle = targetBulle(service.store, key, bulle_id);
  const tracked = keywordsOf(service.store, bulle.id).find((other) => sameKeyword(other.keyword, keyword));
  const common = { kind: 'keyword-lookup', keyword };
  if (dry_run) {
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

export const seo = defineResource({
  slices: [seoSlice],
  routes: [
    route('GET /seo/data', 'read', 'seo.snapshot', data, { operationByKind: { competitors: 'seo.competitors' } }),
    route('GET /seo/tracked-keywords', 'read', 'seo.trackedKeywords.list', listKeywords),
    route('POST /seo/tracked-keywords', 'publish', 'seo.trackedKeywords.create', track),
    route('GET /seo/search-console', 'read', 'seo.searchConsole', searchConsole),
    route('POST /seo/scan', 'publish', 'seo.scan', scan),
    route('POST /seo/keyword-lookup', 'publish', 'seo.keywordLookup', lookUp),
  ],
});
