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
      ['listing', fiche.name ?? fiche.id],
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

// Charts of block characters: plain text, which the screen shows in colour in a terminal.
const HEIGHTS = [...'▁▂▃▄▅▆▇█'];
const PARTS = [...' ▏▎▍▌▋▊▉'];

/** One column for each value, from the smallest to the largest. */
export function sparkline(values: readonly number[]): string {
  const least = Math.min(...values);
  const span = Math.max(...values) - least || 1;
  return values.map((value) => HEIGHTS[Math.round(((value - least) / span) * (HEIGHTS.length - 1))]).join('');
}

/** One row for each value. The longest has `width` characters. */
export function bars(rows: readonly (readonly [name: string, value: number])[], width: number) {
  const most = Math.max(1, ...rows.map(([, value]) => value));
  const digits = String(most).length;
  return rows.map(([name, value]) => {
    const eighths = Math.round((8 * width * value) / most);
    const drawn = '█'.repeat(Math.floor(eighths / 8)) + (PARTS[eighths % 8] as string);
    return [name, `${String(value).padStart(digits)}  ${drawn}`.trimEnd()] as const;
  });
}
