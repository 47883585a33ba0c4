import { bars, sparkline } from '../chart.js';
import type { Chapter } from '../demo.js';

/** Number of days in the chart, one character each. */
const DAYS = 30;
const BAR_WIDTH = 24;

export const measure: Chapter = {
  title: 'Draw the figures of a listing',
  async tell({ client, identity, screen, signal }) {
    const [fiche] = identity.gmb_fiches;
    if (!fiche) {
      screen.skip('the key covers no listing');
      return;
    }
    const { kpis, timeseries } = await client.gmb.metrics({ period_days: DAYS, fiche_id: fiche.id }, { signal });
    const best = timeseries.reduce((best, day) => (day.vues > best.vues ? day : best), { label: '', vues: 0 });
    screen.table([
      ['listing', fiche.name],
      ['views', `${kpis.views_total}: ${kpis.views_maps} on Maps, ${kpis.views_search} in searches`],
      ['by day', sparkline(timeseries.map(({ vues }) => vues))],
      ['', `${timeseries[0]?.label} to ${timeseries.at(-1)?.label}`],
      ['best day', `${best.label}, ${best.vues} views`],
      ...bars(
        [
          ['directions', kpis.directions],
          ['website', kpis.website],
          ['calls', kpis.calls],
          ['messages', kpis.messages],
          ['bookings', kpis.bookings],
        ],
        BAR_WIDTH,
      ),
    ]);
  },
};
