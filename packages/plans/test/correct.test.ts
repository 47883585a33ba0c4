import type { MockControl } from 'multilocal/mock';
import { describe, expect, it, vi } from 'vitest';
import { hashOfPlan } from '../src/hash.js';
import { planStatus, rehearsePlan, runPlan, settleAction } from '../src/index.js';
import { type Action, BULLE, firstIn, keyed, outcomesOf, planOf, post, social, stage } from './helpers.js';

/** A service with one post of a plan, and what the service then gets. */
async function corrected() {
  const stood = await stage();
  const { api, run, watch, read } = stood;
  await run([keyed('noel/lyon', 'La galette arrive')]);
  const id = Number(read().entries[0]?.ids?.[0]);
  return { ...stood, id, requests: watch(), texts: () => postsOf(api, /./, '2035') };
}

/** The texts of the posts that are planned for then. */
function postsOf(api: MockControl, text: RegExp, then = ''): string[] {
  const posts = api.posts.all().filter(({ scheduled_facebook }) => `${scheduled_facebook ?? ''}`.startsWith(then));
  return posts.flatMap(({ content }) => (text.test(content) ? content : []));
}

const article = {
  operation: 'articles.create',
  params: { title: 'Le seigle', target_keyword: 'seigle', bulle_id: BULLE },
};
const written = { operation: 'posts.create', params: { text: 'Un', platforms: ['facebook'], bulle_id: BULLE } };

describe('a correction', () => {
  it('of a text or a moment changes the post, and shows both texts before', async () => {
    const { client, journal, run, requests, texts, read, id } = await corrected();
    const plan = [keyed('noel/lyon', 'La galette est là', { scheduled_at: '2035-01-01T10:00:00Z' })];
    const { ok, actions } = await rehearsePlan(client, planOf(plan), { journal });
    expect(ok).toBe(true);
    expect(actions).toMatchObject([
      { key: 'noel/lyon', state: 'changed', change: { kind: 'update', fields: ['content', 'scheduled_at'] } },
    ]);
    expect(actions[0]?.details).toEqual([
      'content until now: La galette arrive',
      'content from now on: La galette est là',
      'scheduled_at until now: 2035-01-01 09:00 (UTC)',
      'scheduled_at from now on: 2035-01-01 10:00 (UTC)',
    ]);
    expect(actions[0]?.warnings.map(({ code }) => code)).not.toContain('same_account');
    const { result } = await run(plan);
    expect(result).toMatchObject({ state: 'done', steps: [{ key: 'noel/lyon', outcome: 'applied', ids: [id] }] });
    expect(requests().filter((operation) => !/list|get|limits|health/.test(operation ?? ''))).toEqual(['posts.update']);
    expect(texts()).toEqual(['La galette est là']);
    expect(read().entries).toMatchObject([{ outcome: 'applied', ids: [id] }]);
    expect(read().entries[0]).not.toHaveProperty('change');
    expect((await run(plan)).steps).toEqual([]);
  });

  it.each([
    ['platforms', { platforms: ['facebook', 'gmb'] }],
    // To the service, the new post is the same as the old one.
    ['image_url', { image_url: 'https://x.test/a.jpg' }],
  ])('of %s deletes the post and makes a new one', async (field, change) => {
    const { client, journal, run, texts, id, read, api } = await corrected();
    const plan = [keyed('noel/lyon', 'La galette arrive', change)];
    const { actions } = await rehearsePlan(client, planOf(plan), { journal });
    expect(actions).toMatchObject([{ state: 'changed', change: { kind: 'replace', fields: [field] } }]);
    expect((await run(plan)).result.state).toBe('done');
    expect(texts()).toEqual(['La galette arrive']);
    expect(api.posts.all().map((each) => each.id)).not.toContain(id);
    expect(read().entries[0]?.ids).not.toEqual([id]);
  });

  it.each<[Action, object, string[]]>([
    [article, { title: 'Le blé' }, ['title until now: Le seigle', 'title from now on: Le blé']],
    [written, { text: 'Deux' }, ['content until now: Un', 'content from now on: Deux']],
    [written, { publish_now: true }, ['publish_now until now: nothing', 'publish_now from now on: true']],
  ])('shows what was there and what is wanted: $0.operation, %j', async ({ operation, params }, change, details) => {
    const { client, journal, timer, run } = await stage();
    await run([{ key: 'a', operation, params }]);
    const plan = [{ key: 'a', operation, params: { ...params, ...change } }];
    const { actions } = await rehearsePlan(client, planOf(plan), { journal, timer });
    expect(actions[0]?.details.slice(0, 2)).toEqual(details);
    expect((await run(plan)).result.state).toBe('done');
  });

  it('of a change carries out the change with its new values', async () => {
    const { client, journal, run } = await stage();
    const change = (content: string) => ({ key: 'mot', operation: 'posts.update', params: { post_id: 131, content } });
    await run([change('Un')]);
    const { actions } = await rehearsePlan(client, planOf([change('Deux')]), { journal });
    expect(actions).toMatchObject([{ state: 'changed', change: { kind: 'update', fields: ['content'] } }]);
  });

  it('needs the permission to delete where it replaces', async () => {
    const { few, journal, run, sent, timer } = await stage();
    await run([keyed('noel/lyon', 'Un')]);
    const plan = planOf([post('Deux'), keyed('noel/lyon', 'Un', { platforms: ['gmb'] })]);
    const problem = { code: 'missing_permission' };
    const { actions } = await rehearsePlan(few, plan, { journal });
    expect(actions).toMatchObject([{ state: 'ready' }, { state: 'refused', problems: [problem] }]);
    const before = sent('posts.create').length;
    const stopped = await runPlan(few, plan, { journal, timer });
    expect(stopped).toMatchObject({ state: 'stopped', requests: 0, steps: [{ outcome: 'not_applied' }, { problem }] });
    const partly = await runPlan(few, plan, { journal, timer, keepGoing: true });
    expect(partly).toMatchObject({ state: 'partly', steps: [{ outcome: 'applied' }, { problem }] });
    expect([sent('posts.create').length - before, sent('posts.delete').length]).toEqual([1, 0]);
  });

  it.each([
    ['lost, and happened', { network: true, applied: true }],
    ['lost', { network: true }],
  ])('that was %s is sent again, also with another text', async (_, fault) => {
    const { api, run, texts, sent } = await corrected();
    api.fail({ operation: 'posts.update', ...fault });
    expect((await run([keyed('noel/lyon', 'Deux')])).result.state).toBe('stopped');
    expect((await run([keyed('noel/lyon', 'La galette arrive')])).result.state).toBe('done');
    expect(sent('posts.update')).toHaveLength(2);
    expect(texts()).toEqual(['La galette arrive']);
  });

  it('that is refused leaves what was there, and the journal knows it', async () => {
    const { api, run, texts, read, id } = await corrected();
    api.fail({ operation: 'posts.update', status: 422 });
    const { result } = await run([keyed('noel/lyon', 'Deux')]);
    expect(result).toMatchObject({ state: 'stopped', steps: [{ outcome: 'not_applied', problem: {} }] });
    expect(read().entries).toMatchObject([{ outcome: 'applied', ids: [id] }]);
    expect((await run([keyed('noel/lyon', 'La galette arrive')])).result.state).toBe('done');
    expect(texts()).toEqual(['La galette arrive']);
  });

  it('that was killed between the deletion and the new post goes on with the post', async () => {
    const { api, run, texts, read, sent } = await corrected();
    const plan = [keyed('noel/lyon', 'Deux', { platforms: ['gmb', 'facebook'] })];
    // Its preview comes before the deletion.
    api.fail({ operation: 'posts.create', delay: 0 });
    api.fail({ operation: 'posts.create', status: 503 });
    await run(plan);
    expect(read().entries).toMatchObject([{ operation: 'posts.create', outcome: 'unknown' }]);
    expect(texts()).toEqual([]);
    expect((await run(plan)).result.state).toBe('done');
    expect(texts()).toEqual(['Deux']);
    expect(sent('posts.delete')).toHaveLength(1);
  });

  it.each([
    ['404', { status: 404 }],
    ['an error', { status: 200, body: { error: 'verrouillé' } }],
    ['nothing', { status: 200, body: {} }],
  ])('that replaces a post makes no new one while the old one is there: %s', async (_, fault) => {
    const { api, run, texts, sent } = await corrected();
    const plan = [keyed('noel/lyon', 'Deux', { platforms: ['facebook', 'gmb'] })];
    api.fail({ operation: 'posts.delete', ...fault });
    const { result } = await run(plan);
    const message = expect.stringContaining('It is unknown whether it happened. Run the plan again: it looks that up');
    expect(result).toMatchObject({ state: 'stopped', steps: [{ outcome: 'unknown', problem: { message } }] });
    const made = sent('posts.create').filter(({ body }) => Object(body).dry_run !== true);
    expect([texts(), made.length]).toEqual([['La galette arrive'], 1]);
    expect((await run(plan)).result.state).toBe('done');
    // The new post was previewed once.
    expect([texts(), sent('posts.create').length]).toEqual([['Deux'], 3]);
  });

  it.each([true, false])('that is answered with {} is looked at: applied %s', async (isApplied) => {
    const { api, run } = await corrected();
    api.fail({ operation: 'posts.update', status: 200, body: {}, applied: isApplied });
    const { steps } = (await run([keyed('noel/lyon', 'Deux')])).result;
    const warning = { code: 'failure_in_response', message: expect.stringContaining('no trace of the change') };
    expect(steps).toMatchObject([{ outcome: 'applied', ...(!isApplied && { warning }) }]);
    expect(steps[0] && 'warning' in steps[0]).toBe(!isApplied);
  });

  it('whose text the service stores in another form is no warning', async () => {
    const { api, client, run, id } = await corrected();
    api.fail({ operation: 'posts.update', status: 200, body: {} });
    const onProgress = async () => void (await client.posts.update(id, { content: 'Deux https://x.test/a' }));
    const plan = [keyed('noel/lyon', 'Deux https://example.com/a-long-address')];
    const { steps } = (await run(plan, { onProgress })).result;
    expect([steps[0]?.outcome, steps[0]?.warning]).toEqual(['applied', undefined]);
  });
});

it.each([
  ['pending', 200, 'unknown'],
  ['scheduled', 200, 'unknown'],
  ['error', 200, 'unknown'],
  ['published', 200, 'unknown'],
  ['publishing', 200, 'unknown'],
  ['publish_queued', 200, 'unknown'],
  ['what, the read fails', 503, 'unknown'],
  ['deleted', 200, 'applied'],
])('what the service shows of a post says whether it was deleted: %s', async (shown, status, outcome) => {
  const { api, client, run, id } = await corrected();
  const body = { ...(await client.posts.get(id)), status: shown };
  api.fail({ operation: 'posts.get', delay: 0 });
  api.fail({ operation: 'posts.get', status, body });
  expect(outcomesOf((await run([keyed('noel/lyon', 'Deux', { platforms: ['gmb'] })])).result)).toEqual([outcome]);
});

it('a post that somebody has deleted is not deleted because the service is down', async () => {
  const { api, run, texts, sent } = await corrected();
  api.fail({ operation: 'posts.list', status: 200, body: [] });
  api.fail({ operation: 'posts.get', status: 503 });
  await expect(run([keyed('noel/lyon', 'Deux')])).rejects.toMatchObject({ code: 'service_unavailable' });
  expect([texts(), sent('posts.create').length]).toEqual([['La galette arrive'], 1]);
});

describe('a run that keeps going', () => {
  it('does what is not refused, ends partly, and goes on later with the same hash', async () => {
    const { api, client, run } = await stage();
    const plan = [post('Un', { bulle_id: 'bul_nowhere' }), post('Deux'), social, post('Trois')];
    const { ok, hash } = await rehearsePlan(client, planOf(plan), { keepGoing: true });
    expect(ok).toBe(true);
    api.fail({ operation: 'social.publish', status: 422 });
    const { result, steps } = await run(plan, { keepGoing: true, approved: hash });
    expect(result.state).toBe('partly');
    expect(outcomesOf(result)).toEqual(['not_applied', 'applied', 'not_applied', 'applied']);
    expect(steps.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    const codes = result.steps.map(({ problem }) => problem?.code);
    expect(codes).toEqual([expect.any(String), undefined, 'unprocessable_entity', undefined]);
    expect(postsOf(api, /^(Un|Deux|Trois)$/)).toEqual(['Deux', 'Trois']);
    const again = await run(plan, { keepGoing: true, approved: hash });
    expect(outcomesOf(again.result)).toEqual(['not_applied', 'applied', 'applied', 'applied']);
  });

  it('leaves out what its accounts refuse', async () => {
    const { api, run, sent } = await stage();
    api.connections.change(BULLE, 'facebook', { needs_reconnect: true });
    const plan = [post('Un'), post('Deux', { bulle_id: 'bul_annecy_vieille_ville' })];
    const steps = [{ problem: { code: 'needs_reconnect' } }, { outcome: 'applied' }];
    expect((await run(plan, { keepGoing: true })).result).toMatchObject({ state: 'partly', steps });
    expect(sent('posts.create')).toHaveLength(1);
  });
});

describe('what a service may do between a look and a deletion', () => {
  const replaced = [keyed('noel/lyon', 'La galette arrive', { platforms: ['facebook', 'gmb'] })];

  it('a post that goes online while the deletion waits is not deleted', async () => {
    const { api, client, timer, run, sent, read } = await stage({}, undefined, { maxRetries: 3 });
    await run([keyed('noel/lyon', 'La galette arrive')]);
    api.fail({ operation: 'posts.delete', status: 429, headers: { 'retry-after': '0' } });
    const onProgress = async ({ state }: { state: string }) => {
      if (state !== 'waiting') return;
      await timer.wait(10_000, undefined);
      await client.posts.publish(Number(read().entries[0]?.ids?.[0]));
    };
    const { result } = await run(replaced, { onProgress });
    expect(result.steps).toMatchObject([{ outcome: 'not_applied', problem: { code: 'already_online' } }]);
    expect(sent('posts.delete').map(({ status }) => status)).toEqual([429]);
  });

  it('a post whose deletion always waits too long is not deleted', async () => {
    const { api, timer, run, sent } = await stage({}, undefined, { maxRetries: 3 });
    await run([keyed('noel/lyon', 'La galette arrive')]);
    api.fail({ operation: 'posts.delete', status: 429, headers: { 'retry-after': '0' }, times: 99 });
    const onProgress = ({ state }: { state: string }) => state === 'waiting' && timer.wait(10_000, undefined);
    await expect(run(replaced, { onProgress })).rejects.toMatchObject({ code: 'plan_unresolved' });
    expect(sent('posts.delete')).toHaveLength(5);
  });

  it.each([
    ['it is gone already', { operation: 'posts.get', status: 404 }, undefined],
    ['its preview is refused', { status: 422 }, 'unprocessable_entity'],
    ['the quota is used up', { status: 429, body: { detail: 'Quota mensuel dépassé' } }, undefined],
    ['its account is lost', undefined, 'needs_reconnect'],
    ['the key is no longer valid', { status: 401 }, 'authentication'],
  ])('a post is not deleted where what replaces it would be refused: %s', async (_, fault, code) => {
    const { api, run, texts, sent } = await corrected();
    if (fault) api.fail({ operation: 'posts.create', ...fault });
    else api.connections.change(BULLE, 'gmb', { needs_reconnect: true });
    const end = await run(replaced).catch((error) => ({ error }));
    const isOfAll = code === 'authentication';
    if (code) expect(end).toMatchObject(isOfAll ? { error: { code } } : { result: { steps: [{ problem: { code } }] } });
    expect([texts(), sent('posts.delete')]).toEqual([['La galette arrive'], []]);
  });
});

describe('a post that failed on one platform', () => {
  async function failed() {
    const stood = await stage();
    const { api, client, journal, timer } = stood;
    const due = new Date(api.now().getTime() + 3_600_000).toISOString();
    const plan = [keyed('noel/lyon', 'Un', { platforms: ['facebook', 'gmb'], scheduled_at: due })];
    await stood.run(plan);
    api.posts.failPlatform('facebook', { message: 'Jeton expiré' });
    api.advance(7_200_000);
    const rehearse = (options: object = {}) => rehearsePlan(client, planOf(plan), { journal, timer, ...options });
    const online = (platform: 'facebook' | 'gmb') =>
      api.posts.all().filter((each) => each.content === 'Un' && each[`published_${platform}`]).length;
    return { ...stood, plan, rehearse, online, read: stood.read };
  }

  it('is not done, and is published again there alone, once, by the approved hash', async () => {
    const { run, plan, rehearse, online, client, journal, timer } = await failed();
    const { ok, actions } = await rehearse();
    const problem = { code: 'failed', message: expect.stringContaining('Facebook: Jeton expiré') };
    expect([ok, actions]).toMatchObject([false, [{ state: 'failed', problems: [problem] }]]);
    expect((await run(plan)).result).toMatchObject({ state: 'stopped', steps: [{ outcome: 'applied', problem }] });
    const reworded = planOf([{ ...plan[0], params: { ...plan[0]?.params, content: 'Une' } } as never]);
    const { actions: said } = await rehearsePlan(client, reworded, { journal, timer, retryFailed: true });
    expect(said[0]?.warnings.map(({ code }) => code)).toEqual(['in_the_past', 'keeps_old_text']);
    const again = await rehearse({ retryFailed: true });
    expect(again).toMatchObject({
      ok: true,
      actions: [{ state: 'ready', change: { kind: 'retry', platforms: ['facebook'] }, warnings: [{}] }],
    });
    const [approved, retryFailed] = [again.hash, true];
    await expect(run(plan, { approved: hashOfPlan(planOf(plan)), retryFailed })).rejects.toThrow('hash differs');
    expect((await run(plan, { approved, retryFailed })).result.state).toBe('done');
    for (const options of [{}, { retryFailed }, { again: true }]) await run(plan, options);
    await timer.wait(7_200_000, undefined);
    expect([online('facebook'), online('gmb')]).toEqual([1, 1]);
    const { actions: status } = await planStatus(client, planOf(plan), { journal, timer });
    expect(status).toMatchObject([
      { state: 'online', platforms: { facebook: { state: 'online' }, gmb: { state: 'online' } } },
    ]);
  });

  it('is looked up if the response to that was lost', async () => {
    const { api, run, plan, timer, online, journal } = await failed();
    api.fail({ operation: 'posts.create', network: true, applied: true });
    const save = vi.fn(journal.save);
    await run(plan, { retryFailed: true, journal: { ...journal, save } });
    // A killed run has noted before its request, where the post is online.
    expect(firstIn(String(save.mock.calls[0]?.[0]))).toMatchObject({ online: ['gmb'], sent: {} });
    expect((await run(plan, { retryFailed: true })).result.state).toBe('done');
    await timer.wait(7_200_000, undefined);
    expect([online('facebook'), online('gmb')]).toEqual([1, 1]);
  });

  it.each(['noel/lyon', 'noel/metz'])('is for a person once it is deleted: it may be online (%s)', async (key) => {
    const { client, journal, timer, rehearse, run, plan, read, api } = await failed();
    await rehearse();
    const [entry] = read().entries;
    expect(entry).toMatchObject({ online: ['gmb'] });
    await client.posts.delete(Number(entry?.ids?.[0]));
    const { ok, actions } = await rehearsePlan(client, planOf([{ ...plan[0], key } as never]), { journal, timer });
    expect([ok, actions]).toMatchObject([false, [{ state: 'refused', problems: [{ code: 'may_be_online' }] }]]);
    await settleAction(journal, 'noel/lyon', 'not_applied', { by: 'Lea' });
    expect((await run(plan)).result.state).toBe('done');
    const [made] = api.posts.all().filter(({ content }) => content === 'Un');
    expect(made?.platforms).toEqual(['facebook']);
  });
});

it('a post that somebody has changed in the service is told by the rehearsal and the run, and a correction says what it undoes', async () => {
  const { client, journal, run, id, timer } = await corrected();
  await client.posts.update(id, { content: 'La galette à 15 €' });
  const plan = [keyed('noel/lyon', 'La galette arrive', { image_url: 'https://x.test/a.jpg' })];
  const warning = { code: 'changed_by_hand', message: expect.stringMatching(/15 €.*the plan wants.*arrive/) };
  const warnings = expect.arrayContaining([expect.objectContaining(warning)]);
  const { actions } = await rehearsePlan(client, planOf(plan), { journal, timer });
  expect(actions).toMatchObject([{ change: { kind: 'replace', fields: ['image_url'] }, warnings }]);
  expect(actions[0]?.details).toEqual(
    expect.arrayContaining(['content until now: La galette à 15 € (changed by hand, which is undone)']),
  );
  const adopted = planOf([keyed('noel/lyon', 'La galette à 15 €')]);
  expect((await rehearsePlan(client, adopted, { journal, timer })).actions[0]?.details).toEqual([
    'content until now: La galette à 15 €',
    'content from now on: La galette à 15 €',
  ]);
  const done = [keyed('noel/lyon', 'La galette arrive')];
  expect((await run(done)).result).toMatchObject({ state: 'done', warnings });
  expect((await run(plan)).result).toMatchObject({ state: 'done', warnings });
});
