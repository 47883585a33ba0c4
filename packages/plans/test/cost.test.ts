import { expect, it } from 'vitest';
import { costOfPlan } from '../src/cost.js';
import { rehearsePlan, runPlan } from '../src/index.js';
import { BULLE, keyed, planOf, post, social, stage } from './helpers.js';

it.each([0, 2, 7])('a plan costs what it was said to cost, also if %i of its actions have happened', async (done) => {
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
  if (done > 0) await run(actions.slice(0, done));
  const cost = await costOfPlan(client, planOf(actions), journal);
  expect((await rehearsePlan(client, planOf(actions), { journal })).requests).toBe(cost.rehearsal);
  expect((await run(actions)).result).toMatchObject({ state: 'done', requests: cost.run });
});

it('corrections cost what they were said to cost', async () => {
  const { client, journal, timer } = await stage();
  const place = { bulle_id: 'bul_paris_batignolles' };
  const first = [keyed('a', 'Un'), keyed('b', 'Deux', place), keyed('c', 'Trois'), keyed('d', 'Quatre')];
  const { steps } = await runPlan(client, { ...planOf(first), name: 'noel' }, { journal, timer });
  await client.posts.delete(Number(steps[3]?.ids?.[0]));
  const actions = [keyed('a', 'Une'), keyed('b', 'Deux', { ...place, platforms: ['gmb'] }), keyed('c', 'Trois')];
  // What it no longer has may be pending. Somebody has deleted it, so one more request asks for it.
  const plan = { ...planOf(actions), name: 'noel' };
  const cost = await costOfPlan(client, plan, journal);
  expect((await rehearsePlan(client, plan, { journal })).requests).toBe(cost.rehearsal + 1);
  expect((await runPlan(client, plan, { journal, timer })).requests).toBe(cost.run + 1);
});

it('replies cost the reviews of each listing once, and none where the key has several and no listing is named', async () => {
  const { client, journal } = await stage();
  const [one = '', other = ''] = client.identity?.gmb_fiches.map(({ id }) => id) ?? [];
  const idsOf = async (fiche_id: string) =>
    (await client.reviews.list({ fiche_id, limit: 100, status: 'unresponded' })).reviews.map(
      ({ review_id }) => review_id,
    );
  const [own, others] = [await idsOf(one), await idsOf(other)];
  // The service has both forms of ids.
  const isLong = (id: string) => id.includes('/reviews/');
  const [short, long] = [own.find((id) => !isLong(id)), own.filter(isLong).slice(0, 2)];
  const replies = [...long, others.find(isLong), short].map((review_id) => ({ review_id, text: 'Merci !' }));
  const plan = planOf(replies.map((params) => ({ operation: 'reviews.reply', params })));
  const { requests } = await rehearsePlan(client, plan, { journal });
  const { rehearsal, run } = await costOfPlan(client, plan, journal);
  expect([rehearsal, run, requests]).toEqual([6, 6, 6]);
});
