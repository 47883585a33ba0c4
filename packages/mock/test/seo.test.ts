import type { SearchConsoleReport } from 'multilocal';
import { describe, expect, test } from 'vitest';
import { api, call, callList, freshApi } from './helpers.js';

freshApi({ quotas: { seo_scans: 2 } });

const BLOCKS = ['ranked_keywords', 'competitors', 'onpage', 'pagespeed', 'ai_analysis'];
const data = async (bulle_id: string, kind = 'snapshot') =>
  (await call(api, `GET /seo/data?kind=${kind}&bulle_id=${bulle_id}`)).body;
const scan = (bulle_id: string) => call(api, 'POST /seo/scan', { body: { bulle_id } });
const keywords = () => callList(api, 'GET /seo/tracked-keywords', { key: api.keys.bulle });

describe('GET /seo/data', () => {
  test('before any scan: the two empty forms; a scan changes both', async () => {
    const bulle_id = api.ids.bulleWithoutSeo;
    expect(await data(bulle_id)).toEqual({ kind: 'snapshot', snapshot: null, bulle_id });
    expect(await data(bulle_id, 'competitors')).toEqual({ kind: 'competitors', bulle_id, competitors: [] });
    const { body } = await scan(bulle_id);
    const snapshot = await data(bulle_id);
    expect(snapshot).toMatchObject({ bulle_id, created_at: body.scanned_at, has_ai_analysis: true });
    for (const block of BLOCKS) expect(snapshot).toHaveProperty(block);
    const { competitors, snapshot_date } = await data(bulle_id, 'competitors');
    expect(competitors).not.toEqual([]);
    expect(snapshot_date).toBe(body.scanned_at);
  });
});

describe('POST /seo/scan', () => {
  test('a new snapshot, and one more check of each tracked keyword', async () => {
    const before = await keywords();
    const { snapshot_id } = await data(api.ids.bulle);
    const scanned_at = expect.stringMatching(/^2026-11-14T09:3/);
    const common = { ran: true, kind: 'full', bulle_id: api.ids.bulle };
    expect((await scan(api.ids.bulle)).body).toEqual({ ...common, scanned_at, quota_used: 1, quota_limit: 2 });
    expect((await data(api.ids.bulle)).snapshot_id).not.toBe(snapshot_id);
    const after = await keywords();
    for (const [index, keyword] of after.entries()) {
      expect(keyword.previous_position).toBe(before[index]?.last_position);
      expect(String(keyword.last_checked_at)).toMatch(/^2026-11-14T09:3/);
    }
  });
});

describe('tracked keywords', () => {
  const track = (keyword: unknown) =>
    call(api, 'POST /seo/tracked-keywords', { key: api.keys.bulle, body: { keyword } });

  test('a history whose last points are the positions; a keyword without a check', async () => {
    const all = await keywords();
    expect(all).toHaveLength(5);
    for (const keyword of all) {
      expect(Object.keys(keyword)).toEqual([
        ...['id', 'keyword', 'last_position', 'previous_position', 'delta', 'last_search_volume', 'last_url'],
        ...['last_checked_at', 'created_at', 'history'],
      ]);
      const { previous_position: previous, last_position: last } = keyword;
      const positions = (keyword.history as { position: number }[]).map(({ position }) => position);
      expect([positions.at(-2) ?? null, positions.at(-1) ?? null]).toEqual([previous, last]);
      expect(keyword.delta).toBe(previous === null ? null : Number(previous) - Number(last));
    }
    expect(all.at(-1)).toMatchObject({ last_position: null, last_checked_at: null, history: [] });
    expect(all[0]?.history).toHaveProperty('length', 8);
  });

  test('a new keyword has no position; its lookup sets one, the lookup of another keyword changes nothing', async () => {
    const { status, body } = await track('  Brioche aux pralines Lyon ');
    expect(status).toBe(201);
    const { id, keyword, created_at, history, ...unknown } = body;
    expect([typeof id, keyword, history]).toEqual(['number', 'Brioche aux pralines Lyon', []]);
    expect(created_at).toMatch(/^2026-11-14T09:3/);
    expect(Object.values(unknown)).toEqual(Array(6).fill(null));
    expect((await keywords()).at(-1)).toEqual(body);
    const before = api.snapshot();
    const lookUp = (keyword: string) =>
      call(api, 'POST /seo/keyword-lookup', { key: api.keys.bulle, body: { keyword } });
    const found = { kind: 'keyword-lookup', keyword: 'tarte au citron', result: expect.any(Object) };
    expect((await lookUp('tarte au citron')).body).toEqual(found);
    expect(api.snapshot()).toEqual(before);
    const { result } = (await lookUp('brioche aux PRALINES lyon')).body as { result: { position: number | null } };
    expect((await keywords()).at(-1)).toMatchObject({
      last_position: result.position,
      last_search_volume: expect.any(Number),
      last_checked_at: expect.any(String),
    });
  });
});

describe('GET /seo/search-console', () => {
  const report = async (query = '') => {
    const { status, body } = await call(api, `GET /seo/search-console?${query}`, { key: api.keys.bulle });
    expect(status).toBe(200);
    return body as unknown as SearchConsoleReport;
  };
  const clicks = ({ rows }: SearchConsoleReport) => rows.reduce((sum, row) => sum + row.clicks, 0);

  test('by default 28 days up to today, by query, most clicks first', async () => {
    const body = await report();
    expect(body).toMatchObject({
      ...{ bulle_id: api.ids.bulle, site_url: 'https://lyon.fournils-augustine.example/', search_type: 'web' },
      ...{ start_date: '2026-10-18', end_date: '2026-11-14', dimensions: ['query'], row_count: 8 },
    });
    const counts = body.rows.map((row) => row.clicks);
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
    for (const row of body.rows) {
      expect(row.ctr).toBeCloseTo(row.clicks / row.impressions, 6);
      expect(row.position).toBeGreaterThanOrEqual(1);
      expect(row.clicks).toBeLessThanOrEqual(row.impressions);
    }
  });

  test('dimensions are repeated keys, and keys follow their order', async () => {
    const body = await report('dimensions=date&dimensions=device&days=7');
    expect(body.dimensions).toEqual(['date', 'device']);
    expect(body.row_count).toBe(21);
    expect(body.rows[0]?.keys).toEqual(['2026-11-08', expect.stringMatching(/^[A-Z]+$/)]);
    const dates = body.rows.map(({ keys }) => keys[0]);
    expect(dates).toEqual([...dates].sort());
    const all = ['query', 'page', 'date', 'country', 'device'];
    const whole = await report(`${all.map((name) => `dimensions=${name}`).join('&')}&days=2&row_limit=5000`);
    expect(whole.rows[0]?.keys).toHaveLength(5);
    for (const dimension of all) expect(clicks(await report(`dimensions=${dimension}&days=2`))).toBe(clicks(whole));
  });

  test('filters', async () => {
    const keys = async (query: string) => (await report(query)).rows.map((row) => row.keys[0]);
    expect(await keys('query_contains=CROISSANT')).toEqual(['croissant pur beurre lyon']);
    expect(await keys('query_equals=boulangerie%20lyon')).toEqual(['boulangerie lyon']);
    const site = 'https://lyon.fournils-augustine.example/';
    expect(await keys('dimensions=page&page_contains=nos-pains')).toEqual([`${site}nos-pains`]);
    expect(await keys(`dimensions=page&page_equals=${site}`)).toEqual([site]);
    expect(await keys('dimensions=country&country=BEL')).toEqual(['bel']);
    expect(await keys('dimensions=device&device=mobile')).toEqual(['MOBILE']);
    expect(clicks(await report('search_type=image'))).toBeLessThan(clicks(await report()));
    expect((await report('search_type=news')).rows).toEqual([]);
  });
});
