import { Client } from 'multilocal';
import { createMockApi } from 'multilocal/mock';
import { expect, it } from 'vitest';
import { memoryJournal, runPlan } from '../src/index.js';

it.each(Array.from({ length: 10 }, (_, index) => index))(
  'two runs at the same moment do an action once (%i)',
  async () => {
    const api = createMockApi();
    const options = { baseUrl: api.baseUrl, apiKey: api.keys.sphere, fetch: api.handle, rateLimit: false } as const;
    const params = { bulle_id: 'bul_lyon_croix_rousse', content: 'Un', platforms: ['facebook' as const] };
    const plan = { actions: [{ key: 'un', operation: 'posts.create' as const, params }] };
    const journal = memoryJournal();
    const run = () => runPlan(new Client(options), plan, { journal });
    const ended = await Promise.allSettled([run(), run()]);
    expect(ended.map(({ status }) => status)).toContain('fulfilled');
    expect(api.requests.filter(({ operation }) => operation === 'posts.create')).toHaveLength(1);
  },
);
