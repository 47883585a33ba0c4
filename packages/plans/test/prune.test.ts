// What `prune` deletes, and what it must leave alone.
import { describe, expect, it, vi } from 'vitest';
import { type Plan, rehearsePlan, runPlan } from '../src/index.js';
import { type Action, keyed, planOf, stage } from './helpers.js';

const named = (...actions: Action[]): Plan => ({ ...planOf(actions), name: 'noel' });

describe('what a plan no longer has', () => {
  const both = [keyed('noel/lyon', 'Lyon'), keyed('noel/annecy', 'Annecy', { bulle_id: 'bul_annecy_vieille_ville' })];
  const paris = keyed('noel/paris', 'Paris', { bulle_id: 'bul_paris_batignolles' });
  const [lyon] = both as unknown as [Action];
  const other = keyed('paques/lyon', 'Pâques', { scheduled_at: '2035-04-01T09:00:00Z' });

  async function twoPlans() {
    const stood = await stage();
    await stood.run([...both, other]);
    const contents = () => stood.api.posts.all().map(({ content }) => content);
    return { ...stood, contents };
  }

  it('is a warning of the rehearsal, and deleted with `prune` alone', async () => {
    const { client, journal, timer, contents, run, sent, read } = await twoPlans();
    const plan = named(lyon);
    const before = await rehearsePlan(client, plan, { journal });
    const [, id] = read().entries.map(({ ids }) => ids?.[0] ?? '');
    const message = `The plan no longer has noel/annecy, and its post (id ${id}) is pending. It will be published, unless \`prune\` deletes it.`;
    const warning = { code: 'left_over', message, path: [] };
    expect([before.ok, before.prune, before.warnings]).toEqual([true, [], [warning]]);
    await run([lyon]);
    expect(contents()).toContain('Annecy');
    const { ok, prune, hash, warnings } = await rehearsePlan(client, plan, { journal, prune: true });
    const summary = `Would delete the post of noel/annecy, which the plan no longer has (post_id ${id}).`;
    const pruned = { key: 'noel/annecy', id, summary, problems: [] };
    expect([ok, prune, warnings, hash === before.hash]).toEqual([true, [pruned], [], false]);
    const options = { journal, timer, prune: true };
    const stale = runPlan(client, plan, { ...options, approved: before.hash });
    await expect(stale).rejects.toMatchObject({ code: 'plan_not_approved' });
    const result = await runPlan(client, plan, { ...options, approved: hash });
    expect(result).toMatchObject({
      state: 'done',
      steps: [
        { index: 0, key: 'noel/lyon' },
        { index: 1, key: 'noel/annecy', operation: 'posts.delete', outcome: 'applied', ids: [id] },
      ],
    });
    expect([contents().includes('Annecy'), contents().includes('Pâques')]).toEqual([false, true]);
    expect(read().entries).toHaveLength(2);
    expect((await runPlan(client, plan, options)).state).toBe('done');
    expect(sent('posts.delete')).toHaveLength(1);
    // Nothing is left, so the hash is that of the plan.
    expect((await rehearsePlan(client, plan, { journal, prune: true })).hash).toBe(before.hash);
  });

  it('keeps its hash until the deletions are over', async () => {
    const { api, client, journal, timer } = await twoPlans();
    const plan = named(paris);
    const { hash, prune } = await rehearsePlan(client, plan, { journal, prune: true });
    expect(prune).toHaveLength(2);
    api.fail({ operation: 'posts.delete', delay: 0 });
    api.fail({ operation: 'posts.delete', status: 503 });
    const options = { journal, timer, prune: true, approved: hash };
    expect((await runPlan(client, plan, options)).state).toBe('stopped');
    expect((await runPlan(client, plan, options)).state).toBe('done');
  });

  it('is never deleted once it is online, and not by a plan without a name', async () => {
    const { api, client, journal, timer, read } = await twoPlans();
    expect((await rehearsePlan(client, planOf([lyon]), { journal, prune: true })).prune).toEqual([]);
    const id = Number(read().entries[1]?.ids?.[0]);
    await client.posts.publish(id);
    expect((await runPlan(client, named(lyon), { journal, timer, prune: true })).state).toBe('done');
    expect(api.posts.all().map((each) => each.id)).toContain(id);
  });

  it('is named if it is online on one platform and pending on another: no plan deletes it', async () => {
    const { api, client, journal, timer, run, contents } = await twoPlans();
    const soon = new Date(api.now().getTime() + 3_600_000).toISOString();
    const half = keyed('noel/paris', 'Paris', { platforms: ['facebook', 'gmb'], scheduled_facebook: soon });
    await run([half]);
    api.advance(2 * 3_600_000);
    const plan = named(...both);
    const id = api.posts.all().find(({ content }) => content === 'Paris')?.id;
    const message = `The plan no longer has noel/paris, and its post (id ${id}) is online on one platform and pending on another. No plan deletes it: if the rest is not to appear, remove it in the service.`;
    for (const prune of [true, false]) {
      const shown = await rehearsePlan(client, plan, { journal, prune });
      expect([shown.ok, shown.prune, shown.warnings]).toEqual([true, [], [{ code: 'left_over', message, path: [] }]]);
    }
    expect((await runPlan(client, plan, { journal, timer, prune: true })).state).toBe('done');
    expect(contents()).toContain('Paris');
  });

  it.each(['published', 'publishing', 'pending', 'error'])('is not named once it is online: %s', async (status) => {
    const { api, client, journal, read } = await twoPlans();
    const id = Number(read().entries[1]?.ids?.[0]);
    await client.posts.publish(id);
    const body = [{ ...(await client.posts.get(id)), status }];
    // The second list is that of what is pending, and this service has another idea of it.
    api.fail({ operation: 'posts.list', delay: 0 });
    api.fail({ operation: 'posts.list', status: 200, body });
    expect((await rehearsePlan(client, named(lyon), { journal, prune: true })).warnings).toEqual([]);
  });

  it('is kept if its deletion was lost and it is online meanwhile', async () => {
    const { api, client, journal, timer, read } = await twoPlans();
    const options = { journal, timer, prune: true };
    api.fail({ operation: 'posts.delete', network: true });
    expect((await runPlan(client, named(lyon), options)).state).toBe('stopped');
    const [, id] = read().entries.map(({ ids }) => ids?.[0]);
    await client.posts.publish(Number(id));
    const { steps } = await runPlan(client, named(lyon), options);
    expect(steps[1]).toMatchObject({ outcome: 'not_applied', ids: [id], problem: { code: 'already_online' } });
    expect(read().entries[1]).toMatchObject({ outcome: 'applied', ids: [id] });
    expect(read().entries[1]).not.toHaveProperty('change');
  });

  it('needs the permission to delete, before anything is sent', async () => {
    const { few, journal, timer, sent, read } = await twoPlans();
    const plan = named(lyon, paris);
    const [, id] = read().entries.map(({ ids }) => ids?.[0]);
    const { ok, prune } = await rehearsePlan(few, named(lyon), { journal, prune: true });
    const summary = `Cannot delete the post of noel/annecy, which the plan no longer has (post_id ${id}).`;
    const problem = { code: 'missing_permission', message: expect.stringMatching(/\bdelete\b/), path: [] };
    expect([ok, prune]).toEqual([false, [{ key: 'noel/annecy', id, summary, problems: [problem] }]]);
    const before = sent('posts.create').length;
    const result = await runPlan(few, plan, { journal, timer, prune: true });
    expect(result).toMatchObject({ state: 'stopped', steps: [{}, {}, { problem: { ...problem } }] });
    expect(sent('posts.create')).toHaveLength(before);
  });

  it('is approved in one go, also if its response was lost', async () => {
    const { api, client, journal, timer, run, contents, read } = await twoPlans();
    api.fail({ operation: 'posts.create', network: true, applied: true });
    await run([paris]);
    const plan = named(...both);
    const before = JSON.stringify(read());
    const { prune, hash } = await rehearsePlan(client, plan, { journal, timer, prune: true });
    expect([prune.map(({ key }) => key), JSON.stringify(read())]).toEqual([['noel/paris'], before]);
    const result = await runPlan(client, plan, { journal, timer, prune: true, approved: hash });
    expect([result.state, contents().includes('Paris')]).toEqual(['done', false]);
  });

  it('is not deleted on the word of a response', async () => {
    const { api, client, journal, timer, contents } = await twoPlans();
    api.fail({ operation: 'posts.delete', status: 404 });
    const options = { journal, timer, prune: true };
    expect(await runPlan(client, named(lyon), options)).toMatchObject({
      state: 'stopped',
      steps: [{}, { outcome: 'unknown', problem: { code: 'unknown_outcome' } }],
    });
    expect(contents()).toContain('Annecy');
    expect((await runPlan(client, named(lyon), options)).state).toBe('done');
    expect(contents()).not.toContain('Annecy');
  });

  it.each([
    ['the service does not show clearly whether it was made', { network: true }, 'Celui d’un autre'],
    ['the journal does not know its id', { status: 201, body: {}, applied: true }, undefined],
  ])('is a warning for a person if %s', async (_, fault, content) => {
    const { api, client, journal, timer, run } = await twoPlans();
    api.fail({ operation: 'posts.create', ...fault });
    await run([paris]);
    if (content) await client.posts.create({ ...paris.params, content } as never);
    const { warnings } = await rehearsePlan(client, named(...both), { journal, timer, prune: true });
    const message =
      'The plan no longer has noel/paris, and the service does not show whether its post was made. Look there, then settle the key in the journal.';
    expect(warnings).toEqual([{ code: 'unknown_outcome', message, path: [] }]);
  });

  it('belongs to the plan that has made it: `noel` deletes nothing of `noel/est`', async () => {
    const { client, journal, timer, contents } = await twoPlans();
    const metz = keyed('noel/est/metz', 'Metz', { scheduled_at: '2035-02-01T09:00:00Z' });
    const east = { ...planOf([metz]), name: 'noel/est' };
    expect((await runPlan(client, east, { journal, timer })).state).toBe('done');
    const { prune, warnings } = await rehearsePlan(client, named(...both), { journal });
    expect([prune, warnings]).toEqual([[], []]);
    expect((await runPlan(client, named(...both), { journal, timer, prune: true })).state).toBe('done');
    expect(contents()).toContain('Metz');
    const none = { ...planOf([lyon]), name: 'noel/est' };
    expect((await runPlan(client, none, { journal, timer, prune: true })).state).toBe('done');
    expect(contents()).not.toContain('Metz');
  });

  it('resumes with the same approval, wherever the run is killed', async () => {
    for (let killed = 1; killed < 4; killed++) {
      const { client, journal, timer, contents } = await twoPlans();
      const plan = named(lyon);
      const { hash } = await rehearsePlan(client, plan, { journal, prune: true });
      const options = { timer, prune: true, approved: hash };
      let saves = 0;
      const mortal = {
        load: journal.load,
        save: (next: string, previous: string | null) =>
          ++saves < killed ? journal.save(next, previous) : new Promise<never>(() => {}),
      };
      void runPlan(client, plan, { ...options, journal: mortal });
      await vi.waitFor(() => expect(saves).toBe(killed), { timeout: 60_000 });
      expect((await runPlan(client, plan, { ...options, journal })).state, `killed at save ${killed}`).toBe('done');
      expect(contents()).not.toContain('Annecy');
    }
  });
});
