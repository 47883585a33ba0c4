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
