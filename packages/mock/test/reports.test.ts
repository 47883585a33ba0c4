import { describe, expect, test } from 'vitest';
import { api, call, callList, freshApi, sampleOf } from './helpers.js';

freshApi();

const create = (body: Record<string, unknown> = {}, key = api.keys.sphere) =>
  call(api, 'POST /reports', { key, body: { ...sampleOf('reports.create').body, ...body } });
const names = async (query = '', key = api.keys.sphere) =>
  (await callList(api, `GET /reports${query}`, { key })).map(({ report_name }) => report_name);

describe('GET /reports', () => {
  test('newest first, without an id of the request', async () => {
    const all = await callList(api, 'GET /reports');
    expect(all).toHaveLength(4);
    const fields = ['fiche_name', 'report_name', 'period', 'generated_at', 'pdf_url', 'csv_url'];
    for (const report of all) {
      expect(Object.keys(report)).toEqual(fields);
      expect(report.period).toMatch(/^\d{4}-\d\d$/);
    }
    const dates = all.map(({ generated_at }) => String(generated_at));
    expect(dates).toEqual([...dates].sort().reverse());
    expect(await names('?limit=1')).toEqual((await names()).slice(0, 1));
    expect(await names('?type=fiche')).toEqual(await names());
  });

  test('by location; a bubble key sees no report that covers others too', async () => {
    expect(await names(`?bulle_id=${api.ids.bulle}`)).toContain('Comparatif des grandes villes');
    const own = await names('', api.keys.bulle);
    expect(own).toEqual(['Bilan mensuel Croix-Rousse', 'Bilan mensuel Croix-Rousse']);
    expect(await names(`?bulle_id=${api.ids.bulleWithoutFiche}`)).toEqual([]);
  });
});

describe('POST /reports', () => {
  test('202; listed 90 s later by the clock, and not before', async () => {
    const before = await callList(api, 'GET /reports');
    expect(await create({ report_name: 'Octobre à la Croix-Rousse' })).toEqual({
      status: 202,
      body: { generated: true, type: 'fiche', report_id: expect.any(String), fiches_count: 1 },
    });
    api.advance(85_000);
    expect(await callList(api, 'GET /reports')).toEqual(before);
    api.advance(60_000);
    const [first, ...rest] = await callList(api, 'GET /reports');
    expect(rest).toEqual(before);
    expect(first).toMatchObject({
      fiche_name: expect.stringContaining('Croix-Rousse'),
      report_name: 'Octobre à la Croix-Rousse',
      period: '2026-10',
      generated_at: expect.stringMatching(/^2026-11-14T09:31:3/),
    });
  });

  test('one report for each listing, or a combined one', async () => {
    const fiche_ids = [api.ids.fiche, api.ids.otherFiche, api.ids.fiche];
    expect((await create({ fiche_ids, report_name: 'Deux' })).body.fiches_count).toBe(2);
    expect((await create({ fiche_ids, report_name: 'Ensemble', type: 'combine' })).body).toMatchObject({
      type: 'combine',
      fiches_count: 2,
    });
    api.advance(3_600_000);
    expect((await names('?limit=3')).sort()).toEqual(['Deux', 'Deux', 'Ensemble']);
    expect(await names('?limit=1', api.keys.bulle)).toEqual(['Deux']);
  });
});
