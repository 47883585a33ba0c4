import type { Chapter } from '../demo.js';

export const introduce: Chapter = {
  title: 'Whom the key speaks for',
  async tell({ identity, mock, screen }) {
    const { bulle, sphere, permissions, rate_limits, gmb_fiches, connected_platforms } = identity;
    screen.say(mock ? `The mock server answers on ${mock.baseUrl}` : 'The real service answers');
    screen.table([
      ['speaks for', bulle ? `${bulle.name} (${sphere.name})` : `${sphere.name}, the whole brand`],
      ['permissions', permissions.join(', ')],
      ['budgets', `${rate_limits.per_minute} requests a minute, ${rate_limits.per_day} a day`],
      ['listings', String(gmb_fiches.length)],
      ['platforms', connected_platforms.join(', ') || 'none'],
    ]);
  },
};

/** The default limits of a key. */
const DEFAULTS = { perMinute: 60, perDay: 1000 };

export const summarise: Chapter = {
  title: 'Summary',
  async tell({ identity, meter, screen }) {
    const spent = meter.total;
    const { per_day } = identity.rate_limits;
    const share = Math.round((100 * spent) / DEFAULTS.perDay);
    // The requests of the first minute are sent without a wait.
    const minutes = Math.ceil(spent / DEFAULTS.perMinute) - 1;
    screen.table([
      ['time', `${meter.seconds().toFixed(1)} s`],
      ['requests', `${spent}, of which`],
      ...meter.byOperation().map(([operation, count]) => ['', `${String(count).padStart(5)}  ${operation}`] as const),
      ['left', `${per_day - spent} of ${per_day} today, if nothing else used the key`],
      ['by default', `a key has ${DEFAULTS.perDay} a day, and this takes ${share} % of them,`],
      ['', `and ${DEFAULTS.perMinute} a minute, so that it takes ${minutes} min`],
    ]);
  },
};
