import type { MockReports } from './helper-types.js';
import { requireKnownNames } from './known-names.js';
import { brandSlice } from './model/brand.js';
import { addReport, readyReports, servedReport } from './model/reports.js';
import { ids } from './seed/brand.js';
import type { Service } from './service.js';
import { formatMonth } from './timestamps.js';

/** `service` is asked for at each call: `reset` replaces it, and work that is due is done before. */
export function createReports(service: () => Service): MockReports {
  return {
    add(fields = {}) {
      requireKnownNames('reports.add', fields, { fiche_id: true, report_name: true });
      const { fiche_id = ids.fiche, report_name } = fields;
      const { store, clock } = service();
      const fiche = store.get(brandSlice).fiches.find(({ id }) => id === fiche_id);
      if (fiche === undefined) throw new RangeError(`the mock holds no listing ${fiche_id}`);
      const generated_at = clock.stamp();
      const period = formatMonth(generated_at);
      const report = addReport(store, {
        order_id: 'someone-else',
        fiche_ids: [fiche_id],
        fiche_name: fiche.name,
        report_name: report_name ?? `Rapport ${period}`,
        period,
        generated_at,
      });
      return servedReport({ ...report, generated_at });
    },
    all: () => readyReports(service().store).map(servedReport),
  };
}
