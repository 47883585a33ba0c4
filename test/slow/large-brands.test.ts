// The table of the guide: what a brand of 13 and of 300 listings spends on its usual jobs, counted on the mock.
import { readFileSync } from 'node:fs';
import { examine } from '@multilocal/cli/doctor/examine';
import { createMockApi } from 'multilocal/mock';
import { memoryJournal, type Plan, planStatus, rehearsePlan, runPlan } from 'multilocal/plans';
import { beforeEach, expect, it, vi } from 'vitest';
import { Client, type ConnectedClient, memoryStore, type ReportCreateParams } from '../../src/index.js';
import { freshUrl } from '../support/clients.js';
import { turned } from '../support/clock.js';

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-03T05:00:00Z') }));

/** Counts the requests of the jobs of a brand. */
async function open(listings: number) {
  const api = createMockApi({ baseUrl: freshUrl(), bulles: listings + 1 });
  const fetch: typeof globalThis.fetch = (input, init) => api.handle(new Request(input, init));
  const options = { apiKey: api.keys.sphere, baseUrl: api.baseUrl, fetch, rateLimit: false } as const;
  const client = await Client.connect(options);
  const count = async (work: () => PromiseLike<unknown>) => {
    const before = api.requests.length;
    await turned(work());
    return api.requests.length - before;
  };
  return { api, client, options, count };
}

/** A post of the next hour for each location that can publish on Google. */
async function morning(client: ConnectedClient, listings: number): Promise<Plan> {
  const accounts = await client.connections.list();
  const ready = accounts.filter((one) => one.platform === 'gmb' && one.connected && !one.needs_reconnect);
  const places = [...new Set(ready.map(({ bulle_id }) => bulle_id as string))].slice(0, listings);
  return {
    name: 'morning',
    actions: places.map((bulle_id) => ({
      operation: 'posts.create',
      key: bulle_id,
      params: { content: `Bonjour de ${bulle_id}`, platforms: ['gmb'], scheduled_at: '2026-11-03T09:00:00Z', bulle_id },
    })),
  };
}

async function costs(listings: number): Promise<Record<string, number>> {
  const { client, options, count } = await open(listings);
  const plan = await morning(client, listings);
  const journal = memoryJournal();
  const orders = client.identity.gmb_fiches.slice(0, listings).map(
    ({ id }): ReportCreateParams => ({
      type: 'fiche',
      fiche_ids: [id],
      date_start: '2026-10-01',
      date_end: '2026-10-31',
      report_name: `Octobre ${id}`,
    }),
  );
  const store = memoryStore();
  const found: Record<string, number> = {
    'the accounts and the key (`doctor`)': await count(() => examine(options, new AbortController().signal)),
    'posts, previewed': await count(async () => {
      const { hash } = await rehearsePlan(client, plan, { journal });
      const { state } = await runPlan(client, plan, { journal, approved: hash });
      expect(state).toBe('done');
    }),
    'what became of the posts': await count(() => planStatus(client, plan, { journal })),
    'unanswered reviews': await count(async () => {
      for await (const _ of client.reviews.all({ status: 'unresponded', limit: 100 }));
    }),
    'monthly reports with their files': await count(async () => {
      for await (const { report } of client.reports.createAndWaitAll(orders)) expect(report).toBeDefined();
    }),
  };
  await count(() => client.articles.syncTo(store));
  found['articles, nothing new'] = await count(() => client.articles.syncTo(store));
  expect(plan.actions.length).toBeGreaterThan(listings * 0.6);
  return found;
}

it('the guide has what was counted', async () => {
  const [small, large] = [await costs(13), await costs(300)];
  const rows = Object.keys(small).map((job) => `| ${job} | ${small[job]} | ${large[job]} |`);
  const guide = readFileSync('docs/guides/rate-limits-and-budgets.md', 'utf8');
  for (const row of rows) expect(guide).toContain(row);
});
