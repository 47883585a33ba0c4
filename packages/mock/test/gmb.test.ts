import type { ListingMetrics, OptimizerAudit } from 'multilocal';
import { describe, expect, test } from 'vitest';
import { api, call, freshApi } from './helpers.js';

freshApi();

const read = async (path: string) => (await call(api, `GET ${path}`, { key: api.keys.bulle })).body;
const write = async (path: string, body: Record<string, unknown> = {}) =>
  (await call(api, `POST ${path}`, { key: api.keys.bulle, body })).body;

const metrics = async (query = '') => (await read(`/gmb/metrics${query}`)) as unknown as ListingMetrics;

describe('GET /gmb/metrics', () => {
  test('30 days by default, one point a day up to today, and sums that agree', async () => {
    const { period_days, kpis, timeseries } = await metrics();
    expect(period_days).toBe(30);
    expect(timeseries).toHaveLength(30);
    expect([timeseries[0]?.label, timeseries.at(-1)?.label]).toEqual(['2026-10-16', '2026-11-14']);
    const views = ['views_search', 'views_maps'] as const;
    const actions = ['calls', 'website', 'directions', 'messages', 'bookings'] as const;
    expect(Object.keys(kpis)).toEqual(['views_total', ...views, ...actions]);
    const sum = (name: 'vues' | 'interactions') => timeseries.reduce((total, point) => total + point[name], 0);
    const sumOf = (names: readonly (keyof typeof kpis)[]) => names.reduce((total, name) => total + kpis[name], 0);
    expect([kpis.views_total, sumOf(views), sumOf(actions)]).toEqual([sum('vues'), sum('vues'), sum('interactions')]);
    expect(sum('vues')).toBeGreaterThan(1000);
  });
});

describe('the optimizer', () => {
  const audit = async () => (await write('/gmb/optimizer/audit')) as unknown as OptimizerAudit;

  test('the score is the one of the last audit, with its date', async () => {
    const before = await read('/gmb/optimizer');
    const common = ['kind', 'fiche_id', 'fiche_name', 'display_name', 'score', 'breakdown'];
    expect(Object.keys(before)).toEqual([...common, 'scored_at']);
    expect(before).toMatchObject({ kind: 'gmb', fiche_id: api.ids.fiche });
    const made = await audit();
    expect(Object.keys(made)).toEqual([...common, 'suggestions', 'review_count', 'avg_rating', 'analyzed_at']);
    expect(made).toMatchObject({ review_count: 34, avg_rating: expect.any(Number) });
    expect(made.analyzed_at).toMatch(/^2026-11-14T09:3/);
    expect(await read('/gmb/optimizer')).toMatchObject({ score: made.score, scored_at: made.analyzed_at });
  });

  test('applied changes and replies raise the next score and remove their suggestions', async () => {
    const first = await audit();
    const wanted = first.suggestions.filter(({ suggested_value }) => suggested_value !== undefined);
    expect(wanted.length).toBeGreaterThan(0);
    const changes = wanted.map(({ field, suggested_value: value }) => ({ field, value }));
    expect(await write('/gmb/optimizer/apply', { changes })).toMatchObject({
      fiche_id: api.ids.fiche,
      changes,
      fields: changes.map(({ field }) => field),
    });
    expect((await read('/gmb/optimizer')).score).toBe(first.score);
    const second = await audit();
    expect(second.score).toBeGreaterThan(first.score);
    expect(second.suggestions.map(({ field }) => field)).toEqual(['reviews']);
    for (const { review_id } of api.reviews.all()) {
      await write(`/reviews/${encodeURIComponent(review_id)}/reply`, { text: 'Merci !' });
    }
    const third = await audit();
    expect(third.score).toBeGreaterThan(second.score);
    expect(third.suggestions).toEqual([]);
  });
});

describe('GET /visibility/scan', () => {
  test('flat with a scan; `snapshot: null` without', async () => {
    expect(await read('/visibility/scan')).toEqual({
      fiche_id: api.ids.fiche,
      snapshot_id: expect.any(String),
      visibility_score: expect.any(Number),
      scanned_at: expect.stringMatching(/\+00:00$/),
    });
    const fiche_id = api.ids.ficheWithoutScan;
    const { body } = await call(api, `GET /visibility/scan?${new URLSearchParams({ fiche_id })}`);
    expect(body).toEqual({ fiche_id, snapshot: null });
  });
});
