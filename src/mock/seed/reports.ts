import type { ReportsState, StoredReport } from '../model/reports.js';
import type { SeedContext } from '../store.js';
import { DAY, formatMonth, HOUR } from '../timestamps.js';
import { FICHE_IDS, nameOf, PLACES, type Place } from './brand.js';

/** Which listings (by number) each of the old reports covers, and how old it is. */
const REPORTS: readonly { readonly fiches: readonly number[]; readonly name: string; readonly age: number }[] = [
  { fiches: [0], name: 'Bilan mensuel Croix-Rousse', age: 75 },
  { fiches: [2], name: 'Bilan mensuel Saint-Michel', age: 44 },
  { fiches: [0, 1, 2], name: 'Comparatif des grandes villes', age: 16 },
  { fiches: [0], name: 'Bilan mensuel Croix-Rousse', age: 13 },
];

export function seedReports({ now }: SeedContext): ReportsState {
  const items = REPORTS.map(({ fiches, name, age }, index): StoredReport => {
    const generated_at = now - age * DAY - index * HOUR;
    const [first] = fiches.map((at) => PLACES[at] as Place);
    return {
      token: index + 1,
      order_id: `rep_${index + 1}`,
      fiche_ids: fiches.flatMap((at) => FICHE_IDS[at] ?? []),
      fiche_name: fiches.length > 1 ? `${fiches.length} fiches` : nameOf(first as Place),
      report_name: name,
      period: formatMonth(generated_at - 30 * DAY),
      generated_at,
    };
  });
  return { next_order: 101, next_token: 101, items };
}
