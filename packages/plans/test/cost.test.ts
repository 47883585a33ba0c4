import { expect, it } from 'vitest';
import { costOfPlan } from '../src/cost.js';
import { rehearsePlan } from '../src/index.js';
import { BULLE, planOf, post, social, stage } from './helpers.js';

it('a plan costs what it was said to cost, also if a part of it has happened', async () => {
  const { client, journal, run } = await stage();
  const actions = [
    post('Un'),
    post('Deux', { bulle_id: 'bul_paris_batignolles' }),
    post('Trois'),
    social,
    { operation: 'posts.update', params: { post_id: 131, content: 'Autre' } },
    { operation: 'articles.update', params: { article_id: 8, category: 'Pains' } },
    { operation: 'qrCodes.create', params: { target_url: 'https://example.com', name: 'Comptoir', bulle_id: BULLE } },
  ];
  for (const done of [0, 2, actions.length]) {
    if (done > 0) await run(actions.slice(0, done), { again: true });
    const plan = planOf(actions);
    const cost = await costOfPlan(client, plan, journal);
    const { requests } = await rehearsePlan(client, plan, { journal });
    expect(cost.rehearsal).toBe(requests);
    // A read of each location shows whether the posts are still there.
    expect(cost.run).toBe(actions.length - done + (done === 0 ? 0 : 2));
  }
  expect((await run(actions, { again: true })).result.requests).toBe(2);
});
