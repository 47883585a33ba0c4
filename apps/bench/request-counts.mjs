// How many requests a job costs, against the mock and on a virtual clock: the same on every machine.
import { Client, memoryStore } from 'multilocal';
import { createMockApi } from 'multilocal/mock';
import { withVirtualClock } from './virtual-clock.mjs';

const PAGES = 12;

/** @returns {Promise<{ job: string, requests: number, most: number }[]>} */
export async function countRequests() {
  return withVirtualClock(async () => {
    const rows = [];
    const api = createMockApi({ rateLimit: { perMinute: 60, perDay: 1000 } });
    const count = async (job, most, work) => {
      const before = api.requests.length;
      const result = await work();
      rows.push({ job, requests: api.requests.length - before, most });
      return result;
    };

    const options = {
      apiKey: api.keys.sphere,
      baseUrl: api.baseUrl,
      fetch: (...args) => api.handle(new Request(...args)),
    };
    const client = await count('connect', 1, () => Client.connect(options));

    const { limit, total } = await client.articles.list({ status: 'all', updated_since: '1970-01-01T00:00:00Z' });
    // The last page is half full.
    for (let articles = total; articles < (PAGES - 0.5) * limit; articles++) api.articles.add();
    const store = memoryStore();
    await count(`full sync of ${PAGES} pages`, PAGES, () => client.articles.syncTo(store));
    await count('incremental sync, nothing new', 1, () => client.articles.syncTo(store));

    const report = { type: 'fiche', fiche_ids: [api.ids.fiche], date_start: '2026-10-01', date_end: '2026-10-31' };
    await count('create a report and wait, ready after 90 s', 6, () =>
      client.reports.createAndWait({ ...report, report_name: 'Bench' }),
    );

    const post = { content: 'La brioche du dimanche', platforms: ['facebook'], bulle_id: api.ids.bulle };
    await client.posts.check(post);
    await count('check of a post, the second time', 0, () => client.posts.check(post));
    return rows;
  });
}
