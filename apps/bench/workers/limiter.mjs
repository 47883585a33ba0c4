// How well the limiter uses the budget while work is queued, on a virtual clock, against the mock that counts for
// itself and refuses what is too much.
import { Client } from 'multilocal';
import { createMockApi } from 'multilocal/mock';
import { withVirtualClock } from '../virtual-clock.mjs';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** So many calls at once, each answered after so many ms; `perfect`: when the last could have left at the earliest. */
async function run({ calls, perMinute, perDay, latency, perfect }) {
  // Clients of one address and key share their budget: each run has an address of its own.
  const baseUrl = `https://${perMinute}-${perDay}-${latency}.test`;
  let refused = 0;
  let last = 0;
  await withVirtualClock(async () => {
    const api = createMockApi({ baseUrl, rateLimit: { perMinute, perDay } });
    const fetch = async (...args) => {
      last = performance.now();
      await new Promise((answer) => setTimeout(answer, latency));
      const response = await api.handle(new Request(...args));
      if (response.status === 429) refused++;
      return response;
    };
    const rateLimit = { perMinute, perDay, maxWait: 10 * DAY };
    const client = new Client({ apiKey: api.keys.sphere, baseUrl, fetch, rateLimit, maxRetries: 0 });
    const ended = await Promise.allSettled(Array.from({ length: calls }, () => client.bulles.get(api.ids.bulle)));
    const failed = ended.filter(({ status }) => status === 'rejected');
    if (failed.length !== refused) throw failed[0].reason;
  });
  return { use: (100 * perfect) / last, refused };
}

const results = [];
for (const latency of [100, 300, 1_000]) {
  const minute = { calls: 601, perMinute: 60, perDay: 100_000, latency, perfect: 10 * MINUTE };
  results.push({ window: '60 a minute', latency, ...(await run(minute)) });
  const day = { calls: 3_001, perMinute: 100_000, perDay: 1_000, latency, perfect: 3 * DAY };
  results.push({ window: '1000 a day', latency, ...(await run(day)) });
}
console.log(JSON.stringify(results));
