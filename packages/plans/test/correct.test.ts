import type { MockControl } from 'multilocal/mock';
import { describe, expect, it } from 'vitest';
import { hashOfPlan } from '../src/hash.js';
import { planStatus, rehearsePlan, runPlan, settleAction } from '../src/index.js';
import { type Action, AT, BULLE, keyed, outcomesOf, planOf, post, social, stage } from './helpers.js';

/** A service with one post of a plan, and what the service then gets. */
async function corrected() {
  const stood = await stage();
  const { api, run, watch, read } = stood;
  await run([keyed('noel/lyon', 'La galette arrive')]);
  const id = Number(read().entries[0]?.ids?.[0]);
  return {
    ...stood,
    id,
    requests: watch(),
    texts: () => postsOf(api, /./, '2035'),
  };
}

/** The texts of the posts that are planned for then. */
function postsOf(api: MockControl, text: RegExp, then = ''): string[] {
  const posts = api.posts.all().filter(({ scheduled_facebook }) => `${scheduled_facebook ?? ''}`.startsWith(then));
  return posts.flatMap(({ content }) => (text.test(content) ? content : []));
}

describe('a correction', () => {
  it('of what an earlier version has made changes the post, too', async () => {
    const { run, read, write, sent } = await stage();
    await run([keyed('noel/lyon', 'Un', { publish_now: false })]);
    const { entries, ...head } = read();
    write({ ...head, entries: [{ ...entries[0], digests: { ...entries[0]?.digests, publish_now: 'false' } }] });
    expect((await run([keyed('noel/lyon', 'Deux', { publish_now: false })])).result.state).toBe('done');
    expect([sent('posts.update').length, sent('posts.delete').length]).toEqual([1, 0]);
  });

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

  it('of capitals alone names and sends the text alone, also if the moment has another spelling', async () => {
    const { client, journal, run, sent } = await corrected();
    const plan = [keyed('noel/lyon', 'LA GALETTE ARRIVE', { scheduled_at: '2035-01-01T10:00:00+01:00' })];
    const { actions } = await rehearsePlan(client, planOf(plan), { journal });
    expect(actions).toMatchObject([{ state: 'changed', change: { kind: 'update', fields: ['content'] } }]);
    expect((await run(plan)).result.state).toBe('done');
    // A post may name its content `text`.
    const named = { content: undefined, text: 'La galette est là' };
    expect((await run([keyed('noel/lyon', '', named)])).result.state).toBe('done');
    const bodies = [{ content: 'LA GALETTE ARRIVE' }, { content: 'La galette est là' }];
    expect(sent('posts.update').map(({ body }) => body)).toEqual(bodies);
  });

  it('behind an action that fails has not happened yet', async () => {
    const { api, run } = await corrected();
    api.fail({ operation: 'social.publish', status: 422, times: 2 });
    const { result } = await run([social, keyed('noel/lyon', 'La galette est là')]);
    expect([result.state, outcomesOf(result)]).toEqual(['stopped', ['not_applied', 'not_applied']]);
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

  it('that takes a field away says so, and shows no other field instead', async () => {
    const { client, journal, run } = await stage();
    const named = { content: undefined, text: 'Un' };
    await run([keyed('noel/lyon', '', { ...named, image_url: 'https://x.test/a.jpg' })]);
    const { actions } = await rehearsePlan(client, planOf([keyed('noel/lyon', '', named)]), { journal });
    expect(actions[0]).toMatchObject({ state: 'changed', change: { kind: 'replace', fields: ['image_url'] } });
    expect(actions[0]?.details.slice(0, 2)).toEqual([
      'image_url until now: https://x.test/a.jpg',
      'image_url from now on: nothing',
    ]);
  });

  it('that replaces a post is previewed before: what is refused then deletes nothing', async () => {
    const { api, client, journal, texts, sent } = await corrected();
    const plan = planOf([keyed('noel/lyon', 'La galette arrive', { platforms: ['gmb'] })]);
    api.fail({ operation: 'posts.create', status: 422, times: 1 });
    const { ok, actions } = await rehearsePlan(client, plan, { journal });
    expect([ok, actions[0]?.state, actions[0]?.problems[0]?.code]).toEqual([false, 'refused', 'unprocessable_entity']);
    expect((await rehearsePlan(client, plan, { journal })).actions[0]?.state).toBe('changed');
    expect([texts().length, sent('posts.delete').length]).toEqual([1, 0]);
  });

  it.each([
    ['update', 'Deux', ['facebook']],
    ['replace', 'La galette arrive', ['gmb']],
  ] as const)('that would make a twin is a warning, and stops the run: %s', async (kind, content, platforms) => {
    const { client, journal, run, texts, requests } = await corrected();
    await client.posts.create({ bulle_id: BULLE, content, platforms: [...platforms], scheduled_at: AT });
    const plan = [keyed('noel/lyon', content, { platforms })];
    const { actions } = await rehearsePlan(client, planOf(plan), { journal });
    expect(actions).toMatchObject([
      { change: { kind }, warnings: expect.arrayContaining([expect.objectContaining({ code: 'twin' })]) },
    ]);
    expect((await run(plan)).result).toMatchObject({ state: 'stopped', steps: [{ problem: { code: 'twin' } }] });
    expect(texts()).toContain('La galette arrive');
    expect(requests()).not.toContain('posts.delete');
    expect((await run(plan, { again: true })).result.state).toBe('done');
  });

  it.each<[string, Action & { key: string }, string]>([
    ['already_online', keyed('noel/lyon', 'Autre'), 'is online'],
    ['already_done', { ...social, key: 'noel/lyon' }, 'belongs to posts.create'],
  ])('is refused with %s, and nothing is sent', async (code, action, message) => {
    const { client, journal, run, requests, texts, id } = await corrected();
    if (code === 'already_online') await client.posts.publish(id);
    const plan = planOf([action, keyed('noel/paris', 'Paris')]);
    const { ok, actions } = await rehearsePlan(client, plan, { journal });
    expect(ok).toBe(false);
    expect(actions[0]).toMatchObject({
      state: 'refused',
      problems: [{ code, message: expect.stringContaining(message) }],
    });
    const { result } = await run([action, keyed('noel/paris', 'Paris')]);
    expect(result).toMatchObject({ state: 'stopped', steps: [{ outcome: 'not_applied', problem: { code } }, {}] });
    expect(requests()).not.toContain('posts.update');
    expect(texts()).not.toContain('Paris');
  });

  it('of a change sends it again', async () => {
    const { client, journal, run, sent } = await stage();
    const update = (content: string) => ({ key: 'aout', operation: 'posts.update', params: { post_id: 131, content } });
    await run([update('Un')]);
    const { actions } = await rehearsePlan(client, planOf([update('Deux')]), { journal });
    expect(actions).toMatchObject([{ state: 'changed', change: { kind: 'update', fields: ['content'] } }]);
    expect((await run([update('Deux')])).result.state).toBe('done');
    expect(sent('posts.update')).toHaveLength(2);
    const other = { ...update('Trois'), params: { post_id: 14, content: 'Trois' } };
    expect((await run([other])).result.steps[0]?.problem?.code).toBe('already_done');
  });

  it.each<[string, string, object]>([
    ['with a field that no update has', 'articles.create', { title: 'Le pain', site_id: 12 }],
    ['by another operation', 'posts.create', {}],
  ])('of an article, lost and then changed %s, is refused: no post has to go', async (_, operation, more) => {
    const { api, run, sent } = await stage();
    const own = { title: 'Le seigle', target_keyword: 'seigle', bulle_id: BULLE };
    const article = (params: object) => ({
      key: 'seigle',
      operation: 'articles.create',
      params: { ...own, ...params },
    });
    await run([article({})]);
    api.fail({ operation: 'articles.update', network: true });
    await run([article({ title: 'Le blé' })]);
    const last = operation === 'articles.create' ? article(more) : { key: 'seigle', ...post('Trois') };
    const { result } = await run([last]);
    expect(result).toMatchObject({ state: 'stopped', steps: [{ problem: { code: 'already_done' } }] });
    expect(sent('posts.delete')).toEqual([]);
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

  it.each([
    ['shows it', { network: true, applied: true }, 'done', undefined],
    ['shows the old text', { network: true }, 'stopped', 'already_online'],
  ])('that was lost before the post went online, and the post %s: %s', async (_, fault, state, code) => {
    const { api, client, run, read, sent, id } = await corrected();
    api.fail({ operation: 'posts.update', ...fault });
    await run([keyed('noel/lyon', 'Deux')]);
    await client.posts.publish(id);
    const { result } = await run([keyed('noel/lyon', 'Deux')]);
    expect([result.state, result.steps[0]?.problem?.code, sent('posts.update').length]).toEqual([state, code, 1]);
    expect(read().entries).toMatchObject([{ outcome: 'applied', ids: [id] }]);
  });

  it('that was lost before the post went online is not taken for done because the old text stands in a later plan', async () => {
    const { api, client, run, id } = await corrected();
    api.fail({ operation: 'posts.update', network: true });
    await run([keyed('noel/lyon', 'Deux')]);
    await client.posts.publish(id);
    await run([keyed('noel/lyon', 'La galette arrive', { image_url: 'https://x.test/a.jpg' })]);
    const { result } = await run([keyed('noel/lyon', 'Deux')]);
    expect(result.steps).toMatchObject([{ outcome: 'not_applied', problem: { code: 'already_online' } }]);
  });

  it.each<[string, Action]>([
    ['of another post', { operation: 'posts.update', params: { post_id: 14, content: 'Un' } }],
    ['by a deletion', { operation: 'posts.delete', params: { post_id: 131 } }],
  ])('under the key of a lost change is refused: %s', async (_, other) => {
    const { api, run, watch } = await stage();
    const named = (action: Action) => [{ ...action, key: 'aout' }];
    api.fail({ operation: 'posts.update', network: true });
    await run(named({ operation: 'posts.update', params: { post_id: 131, content: 'Un' } }));
    const requests = watch();
    const { result } = await run(named(other));
    expect(result).toMatchObject({ state: 'stopped', steps: [{ problem: { code: 'already_done' } }] });
    expect(requests()).toEqual([]);
  });

  it('of a post that the platform has refused makes a new one, also after a correction that was lost', async () => {
    const { api, client, journal, run } = await stage();
    const at = (hours: number) => new Date(api.now().getTime() + hours * 3_600_000).toISOString();
    const first = { scheduled_at: at(1) };
    await run([keyed('noel/lyon', 'Un', first)]);
    api.fail({ operation: 'posts.update', network: true });
    await run([keyed('noel/lyon', 'Une', first)]);
    api.posts.failPlatform('facebook');
    api.advance(2 * 3_600_000);
    const plan = [keyed('noel/lyon', 'Deux', { scheduled_at: at(3) })];
    const { actions } = await rehearsePlan(client, planOf(plan), { journal });
    expect(actions).toMatchObject([{ change: { kind: 'replace', fields: ['content', 'scheduled_at'] } }]);
    expect((await run(plan)).result.state).toBe('done');
    expect(postsOf(api, /^(Une?|Deux)$/)).toEqual(['Deux']);
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
    expect([texts(), sent('posts.create').length]).toEqual([['La galette arrive'], 1]);
    expect((await run(plan)).result.state).toBe('done');
    expect(texts()).toEqual(['Deux']);
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

  it('adds a moment or a field without making anything anew', async () => {
    const { client, journal, run, sent } = await stage();
    const article = { key: 'seigle', operation: 'articles.create' };
    const params = { title: 'Le seigle', target_keyword: 'seigle', bulle_id: BULLE };
    await run([{ ...post('Un'), key: 'un' } as Action, { ...article, params }]);
    const more = {
      ...{
        title: 'Le blé',

        excerpt: 'Dense',
        meta_title: 'Blé',
        meta_description: 'Tout',
      },
      ...{ target_keyword: 'blé', featured_image_url: 'https://x.test/a.jpg', category: 'Pains' },
    };
    const plan = [keyed('un', 'Un'), { ...article, params: { ...params, ...more } }];
    const { actions } = await rehearsePlan(client, planOf(plan), { journal });
    expect(actions[1]?.details).toEqual(
      expect.arrayContaining(['excerpt until now: nothing', 'excerpt from now on: Dense']),
    );
    expect((await run(plan)).result.state).toBe('done');
    expect([...sent('posts.update'), ...sent('articles.update')].map(({ body }) => body)).toEqual([
      { scheduled_at: AT },
      more,
    ]);
    expect(sent('posts.delete')).toEqual([]);
  });

  it('moves no post because a client looks at another location', async () => {
    const { api, client, journal, timer } = await stage();
    const { bulle_id: _, ...params } = keyed('noel', 'Un').params ?? {};
    const plan = planOf([{ ...keyed('noel', 'Un'), params }]);
    expect((await runPlan(client.forBulle(BULLE), plan, { journal, timer })).state).toBe('done');
    const other = await runPlan(client.forBulle('bul_paris_batignolles'), plan, { journal, timer });
    expect(other).toMatchObject({ state: 'stopped', steps: [{ problem: { code: 'already_done' } }] });
    expect(api.posts.all().filter(({ content }) => content === 'Un')).toMatchObject([{ bulle_id: BULLE }]);
  });

  it.each([
    ['applied', { network: true, applied: true }, 'Trois'],
    ['not_applied', { network: true }, 'Deux'],
  ] as const)('follows one that a person has settled as %s', async (outcome, fault, next) => {
    const { api, journal, run, texts } = await corrected();
    api.fail({ operation: 'posts.update', ...fault });
    await run([keyed('noel/lyon', 'Deux')]);
    await settleAction(journal, 'noel/lyon', outcome);
    expect((await run([keyed('noel/lyon', next)])).result.state).toBe('done');
    expect(texts()).toEqual([next]);
  });

  it.each([
    ['applied', 2, ['Deux']],
    ['not_applied', 1, ['La galette arrive']],
  ] as const)('whose deletion a person has settled as %s', async (outcome, times, left) => {
    const { api, journal, run, read, texts, sent } = await corrected();
    api.fail({ operation: 'posts.delete', network: true, applied: outcome === 'applied' });
    await run([keyed('noel/lyon', 'Deux', { platforms: ['gmb', 'facebook', 'instagram'] })]);
    await settleAction(journal, 'noel/lyon', outcome);
    const kept = { outcome: outcome === 'applied' ? 'not_applied' : 'applied', settled_by: '' };
    expect(read().entries).toMatchObject([kept]);
    for (const name of ['change', 'was', 'error', 'status']) expect(read().entries[0]).not.toHaveProperty(name);
    const next = keyed('noel/lyon', left[0], outcome === 'applied' ? { platforms: ['facebook'] } : {});
    expect((await run([next])).result.state).toBe('done');
    expect([texts(), sent('posts.create').length]).toEqual([left, times]);
  });

  it('of a lost post looks for the old one first', async () => {
    const { api, run, sent } = await stage();
    api.fail({ operation: 'posts.create', network: true, applied: true });
    await run([keyed('noel/lyon', 'Un')]);
    expect((await run([keyed('noel/lyon', 'Deux')])).result.state).toBe('done');
    expect(postsOf(api, /^(Un|Deux)$/)).toEqual(['Deux']);
    expect([sent('posts.create').length, sent('posts.update').length]).toEqual([1, 1]);
  });
});

describe('the same platforms in another order', () => {
  const [both, turned] = [{ platforms: ['facebook', 'gmb'] }, { platforms: ['gmb', 'facebook'] }];
  const info = (more: object): Action => ({ ...social, params: { ...social.params, ...more } });

  it.each<[string, Action, Action]>([
    ['a key', keyed('noel/lyon', 'Un', both), keyed('noel/lyon', 'Un', turned)],
    ['no key', post('Un', both), post('Un', turned)],
    ['no key, nor a post', info(both), info(turned)],
  ])('are the same action, which has %s', async (_, first, then) => {
    const { client, journal, run, watch, timer } = await stage();
    await run([first]);
    const requests = watch();
    const plan = planOf([then]);
    const { actions, hash } = await rehearsePlan(client, plan, { journal });
    expect([actions.map(({ state }) => state), hash]).toEqual([['done'], hashOfPlan(plan)]);
    expect((await run([then], { approved: hash })).result).toMatchObject({
      state: 'done',
      steps: [{ outcome: 'applied' }],
    });
    expect((await planStatus(client, plan, { journal, timer })).actions).not.toMatchObject([{ state: 'open' }]);
    expect(requests().filter((operation) => /create|update|delete|publish/.test(operation ?? ''))).toEqual([]);
  });

  it('are no reason to make a post anew whose text changes', async () => {
    const { run, sent } = await stage();
    await run([keyed('noel/lyon', 'Un', both)]);
    expect((await run([keyed('noel/lyon', 'Deux', turned)])).result.state).toBe('done');
    expect(sent('posts.update').map(({ body }) => body)).toEqual([{ content: 'Deux' }]);
    expect((await run([keyed('noel/lyon', 'Deux', both)])).steps).toEqual([]);
  });

  it('are sent as they are written, after a refusal', async () => {
    const { api, run, read, sent } = await stage();
    const [first, then] = [keyed('noel/lyon', 'Un', both), keyed('noel/lyon', 'Un', turned)];
    api.fail({ operation: 'posts.create', status: 400 });
    await run([first]);
    await run([then]);
    expect(sent('posts.create').at(-1)?.body).toMatchObject(turned);
    // One entry, and what it says is one action.
    for (const one of [first, then]) expect((await run([one])).steps).toEqual([]);
    expect(read().entries).toHaveLength(1);
  });

  it('have their problems where the plan has them', async () => {
    const { api, client, journal, run } = await stage();
    await run([keyed('noel/lyon', 'Un', both)]);
    const all = await client.connections.list({ bulle_id: BULLE });
    const body = all.map((one) => ({ ...one, needs_reconnect: one.platform === 'gmb' }));
    api.fail({ operation: 'connections.list', status: 200, body });
    const { actions } = await rehearsePlan(client, planOf([keyed('noel/lyon', 'Deux', turned)]), { journal });
    expect(actions[0]?.problems).toMatchObject([{ path: ['actions', 0, 'params', 'platforms', 0] }]);
  });

  it('make no third post where one of two equal actions is turned', async () => {
    const { run, sent } = await stage();
    for (const [one, other] of [
      [both, both],
      [turned, both],
      [both, turned],
      [turned, turned],
    ])
      await run([post('Un', one), post('Un', other)], { again: true });
    expect(sent('posts.create')).toHaveLength(2);
  });

  it('make two posts where one plan has both orders, and no third one later', async () => {
    const { run, sent } = await stage();
    const plan = [post('Un', both), post('Un', turned)];
    for (const actions of [plan.slice(1), plan, plan, plan.toReversed()]) await run(actions, { again: true });
    expect(sent('posts.create')).toHaveLength(2);
  });
});

describe('what the service shows of a post', () => {
  it.each([
    ['pending', 'posts.update'],
    ['scheduled', 'posts.update'],
    ['error', 'posts.delete'],
    ['published', undefined],
    ['publishing', undefined],
    ['archived', undefined],
  ])('says how it is corrected: %s', async (status, operation) => {
    const { api, client, run, requests, id } = await corrected();
    api.fail({ operation: 'posts.get', status: 200, body: { ...(await client.posts.get(id)), status } });
    const { result } = await run([keyed('noel/lyon', 'Deux')]);
    expect(requests().find((name) => /update|delete/.test(name ?? ''))).toBe(operation);
    expect(result.steps[0]?.problem?.code).toBe(operation === undefined ? 'already_online' : undefined);
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
  ])('says whether it was deleted: %s', async (shown, status, outcome) => {
    const { api, client, run, id } = await corrected();
    const body = { ...(await client.posts.get(id)), status: shown };
    api.fail({ operation: 'posts.get', delay: 0 });
    api.fail({ operation: 'posts.get', status, body });
    expect(outcomesOf((await run([keyed('noel/lyon', 'Deux', { platforms: ['gmb'] })])).result)).toEqual([outcome]);
  });

  it.each([
    ['draft', ['done', undefined, [{ title: 'Le blé' }]]],
    ['published', ['stopped', 'already_online', []]],
    ['publishing', ['stopped', 'already_online', []]],
  ])('says whether an article is corrected: %s', async (status, expected) => {
    const { api, client, run, read, sent } = await stage();
    const article = (title: string) => ({
      ...{ key: 'seigle', operation: 'articles.create' },
      params: { title, target_keyword: 'seigle', bulle_id: BULLE },
    });
    await run([article('Le seigle')]);
    const shown = { ...(await client.articles.get(Number(read().entries[0]?.ids?.[0]))), status };
    api.fail({ operation: 'articles.get', status: 200, body: shown });
    const { state, steps } = (await run([article('Le blé')])).result;
    expect([state, steps[0]?.problem?.code, sent('articles.update').map(({ body }) => body)]).toEqual(expected);
    expect(sent('articles.create')).toHaveLength(1);
  });
});

describe('a post that somebody has deleted', () => {
  it('frees its key', async () => {
    const { client, journal, run, texts, id } = await corrected();
    await client.posts.delete(id);
    const plan = [keyed('noel/lyon', 'La galette arrive')];
    expect((await rehearsePlan(client, planOf(plan), { journal })).actions[0]?.state).toBe('ready');
    expect((await run(plan)).result.state).toBe('done');
    expect(texts()).toEqual(['La galette arrive']);
  });

  it('is not deleted because a list lacks it', async () => {
    const { api, run, texts, sent } = await corrected();
    api.fail({ operation: 'posts.list', status: 200, body: [] });
    expect((await run([keyed('noel/lyon', 'La galette arrive')])).result.state).toBe('done');
    expect([texts().length, sent('posts.get').length]).toEqual([1, 1]);
  });

  it('is not deleted because the service is down', async () => {
    const { api, run, texts, sent } = await corrected();
    api.fail({ operation: 'posts.get', status: 503 });
    await expect(run([keyed('noel/lyon', 'Deux')])).rejects.toMatchObject({ code: 'service_unavailable' });
    expect([texts(), sent('posts.create').length]).toEqual([['La galette arrive'], 1]);
  });
});

describe('a run that keeps going', () => {
  it('does what is not refused, ends partly, and goes on later with the same hash', async () => {
    const { api, client, run } = await stage();
    const plan = [post('Un', { bulle_id: 'bul_nowhere' }), post('Deux'), social, post('Trois')];
    const { hash } = await rehearsePlan(client, planOf(plan));
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

  it('goes on past what stays unknown', async () => {
    const { api, run } = await stage();
    api.fail({ operation: 'social.publish', network: true });
    const { result } = await run([social, post('Un')], { keepGoing: true });
    expect([result.state, ...outcomesOf(result)]).toEqual(['partly', 'unknown', 'applied']);
  });

  it('sends nothing without it where an action is known to be refused', async () => {
    const { few, journal, timer, sent } = await stage();
    const result = await runPlan(few, planOf([post('Un'), social]), { journal, timer });
    const steps = [{ outcome: 'not_applied' }, { problem: { code: 'missing_permission' } }];
    expect(result).toMatchObject({ state: 'stopped', requests: 0, steps });
    expect(sent('posts.create')).toEqual([]);
  });
});

describe('posts on the service', () => {
  it('that another key has made are a warning if they are the same: the key may have changed its spelling', async () => {
    const { client, journal, run } = await stage();
    await run([keyed('no\u00ebl/lyon', 'Un')]);
    const shown = async () => {
      const { actions } = await rehearsePlan(client, planOf([keyed('noe\u0308l/lyon', 'Un')]), { journal });
      return actions[0]?.warnings;
    };
    const known = 'The service already has this post (id 1001): same location, text, platforms and moment.';
    const message = `${known} Another key of the journal has made it, and a run makes it again.`;
    expect(await shown()).toContainEqual({ code: 'made_before', message, path: ['actions', 0] });
    // One that nobody knows is the worse one.
    await client.posts.create(keyed('', 'Un').params as never);
    expect(await shown()).toContainEqual({
      code: 'twin',
      message: known.replace('1001', '1002'),
      path: ['actions', 0],
    });
  });

  it('on the same account within an hour are a warning, also those of a campaign that was run under other keys', async () => {
    const { client, journal, run } = await stage();
    await run([post('La galette arrive', { scheduled_at: AT })]);
    const plan = planOf([post('La galette est là', { scheduled_at: AT })]);
    const { actions } = await rehearsePlan(client, plan, { journal });
    const path = ['actions', 0, 'params', 'platforms'];
    const message = 'facebook: the service has another post (id 1001) on the same account within an hour.';
    expect(actions[0]?.warnings).toContainEqual({ code: 'same_account', path, message });
    const later = planOf([post('Plus tard', { scheduled_at: '2035-01-01T10:00:00Z' })]);
    const [shown] = (await rehearsePlan(client, later, { journal })).actions;
    expect(shown?.warnings.map(({ code }) => code)).not.toContain('same_account');
  });
});
