import { expect, it } from 'vitest';
import { soak } from '../soak.js';
import { useClock } from '../world.js';

useClock();

const DAYS = Number(process.env.WATCH_DAYS ?? 7);

it('loses and doubles nothing in seven days of 300 listings, with kills, outages and clocks that jump', async () => {
  const world = { listings: 300, reviews: 20_000, posts: 20_000, articles: 400 };
  const result = await soak({ seed: 59, days: DAYS, quiet: 2, perDay: 400, world, killRate: 0.003, tick: 10 });
  if (process.env.WATCH_DAYS) process.stderr.write(`${JSON.stringify(result)}\n`);
  expect(result).toMatchObject({ lost: [], doubled: [], invented: [] });
  expect(result.most).toBeLessThanOrEqual(400);
  expect(result.bytes).toBeLessThan(1_000_000);
  expect(result.kills).toBeGreaterThan(2);
});

it.each(Array.from({ length: Number(process.env.WATCH_SEEDS ?? 4) }, (_, seed) => seed))(
  'loses and doubles nothing in a small brand, seed %i',
  async (seed) => {
    const world = { listings: 3, reviews: 60 + 120 * (seed % 3), posts: 150, articles: 30 };
    const result = await soak({ seed, days: 4, quiet: 3, perDay: 200, world, killRate: 0.02, tick: 10 });
    expect(result).toMatchObject({ lost: [], doubled: [], invented: [] });
    expect(result.most).toBeLessThanOrEqual(200);
  },
);
