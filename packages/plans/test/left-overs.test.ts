// What becomes of posts that a plan no longer has: what a person is shown, and what survives a kill. The rules are in diff.test.ts.
import { describe, expect, it, vi } from 'vitest';
import { checkAccounts, compareSides } from '../src/compare.js';
import type { Context } from '../src/context.js';
import { hashOfPlan } from '../src/hash.js';
import { type Plan, type RunOptions, rehearsePlan, runPlan } from '../src/index.js';
import { readPosts } from '../src/service.js';
import { type Action, BULLE, keyed, outcomesOf, planOf, social, stage } from './helpers.js';

const named = (...actions: Action[]): Plan => ({ ...planOf(actions), name: 'noel' });
const TEN = '2035-01-01T10:00:00Z';
const lyon = keyed('lyon', 'Lyon');
const moved = keyed('lyon/10h', 'Lyon', { scheduled_at: TEN });
const annecy = keyed('annecy', 'Annecy', { bulle_id: 'bul_annecy_vieille_ville' });
const paris = keyed('paris', 'Paris', { bulle_id: 'bul_paris_batignolles' });
const prune = { leftOver: 'prune' } as const;

/** Two posts of a plan, and one of another plan. */
async function carriedOut() {
  const stood = await stage();
  const { api, client, few, journal, timer } = stood;
  const run = (plan: Plan, options: Partial<RunOptions> = {}) => runPlan(client, plan, { journal, timer, ...options });
  const rehearse = (plan: Plan, options: object = {}) => rehearsePlan(client, plan, { journal, timer, ...options });
  await run(named(lyon, annecy));
  await run({ ...planOf([keyed('paques', 'Pâques', { scheduled_at: '2035-04-01T09:00:00Z' })]), name: 'paques' });
  const first = api.requests.length;
  const sent = () => api.requests.slice(first).filter(({ method }) => method !== 'GET');
  const writes = () => sent().flatMap(({ operation, body }) => (Object(body).dry_run === true ? [] : operation));
  const contents = () => api.posts.all().map(({ content }) => content);
  const idOf = (text: string) => api.posts.all().find(({ content }) => content === text)?.id ?? 0;
  return { ...stood, few, run, rehearse, writes, contents, idOf };
}

const moments = (stood: Awaited<ReturnType<typeof carriedOut>>, text: string) =>
  stood.api.posts.all().flatMap((post) => (post.content === text ? String(post.scheduled_facebook).slice(11, 16) : []));

it('accounts are compared with the posts of a plan before it is written', async () => {
  const { api, client } = await stage();
  api.connections.change(BULLE, 'facebook', { needs_reconnect: true });
  const plan = planOf([social, { ...lyon, source: 'a.csv:2' } as Action]);
  const found = await checkAccounts(client, plan, new Map([[BULLE, 'Lyon']]), new AbortController().signal);
  const message = expect.stringMatching(/^Lyon, Facebook: /);
  expect(found).toMatchObject([{ code: 'needs_reconnect', source: 'a.csv:2', message }]);
});

describe('a left-over', () => {
  it.each([{}, { keepGoing: true }])('stops the plan, whole and with what seems to replace it: %j', async (options) => {
    const stood = await carriedOut();
    const id = stood.idOf('Lyon');
    const { ok, hash, leftOvers } = await stood.rehearse(named(moved, annecy), options);
    expect([ok, hash]).toEqual([false, '']);
    const other = keyed('annecy', 'Autre', { bulle_id: 'bul_annecy_vieille_ville' });
    const result = await stood.run(named(moved, other), options);
    expect([result.state, result.leftOvers, stood.writes()]).toEqual(['stopped', leftOvers, []]);
    expect(outcomesOf(result)).toEqual(['not_applied', 'not_applied']);
    expect(leftOvers).toMatchObject([
      { key: 'lyon', ids: [id], replacedBy: 'lyon/10h', step: 'refuse', problems: [{ code: 'left_over', path: [] }] },
    ]);
    expect(leftOvers[0]?.summary).toBe(
      [
        `Still scheduled, although the plan no longer has it: lyon (id ${id}).`,
        "Les Fournils d'Augustine – Lyon Croix-Rousse: post on Facebook for 2035-01-01 09:00 (UTC)",
        'Lyon',
        'lyon/10h: the plan has the same text at 2035-01-01 10:00 (UTC): moved?',
      ].join('\n'),
    );
  });

  it('is moved with one request, and approved before', async () => {
    const stood = await carriedOut();
    const plan = named(moved, annecy);
    const { ok, hash, actions, leftOvers } = await stood.rehearse(plan, prune);
    expect([ok, hash === hashOfPlan(plan), leftOvers.map(({ step }) => step)]).toEqual([true, false, ['adopt']]);
    expect(actions).toMatchObject([{ change: { kind: 'update', fields: ['scheduled_at'] } }, { state: 'done' }]);
    await expect(stood.run(plan, { ...prune, approved: 'a' })).rejects.toMatchObject({ code: 'plan_not_approved' });
    expect((await stood.run(plan, { ...prune, approved: hash })).state).toBe('done');
    expect([stood.writes(), moments(stood, 'Lyon')]).toEqual([['posts.update'], ['10:00']]);
    expect((await stood.run(plan)).state).toBe('done');
  });

  it('is adopted without a request where only its key changes', async () => {
    const stood = await carriedOut();
    const plan = named({ ...lyon, key: 'lyon-bis' }, annecy);
    const { actions, leftOvers } = await stood.rehearse(plan, prune);
    expect(actions).toMatchObject([{ state: 'changed', change: { kind: 'adopt' } }, { state: 'done' }]);
    expect(leftOvers[0]?.summary).toMatch(/\nlyon-bis: the plan has the same post: did its key change\?$/);
    expect((await stood.run(plan, prune)).state).toBe('done');
    expect([stood.writes(), (await stood.run(plan)).state]).toEqual([[], 'done']);
  });

  const undated = { scheduled_at: undefined };
  it.each<[string, Action[], RegExp]>([
    ['another text', [keyed('bis', 'Autre')], /the plan has another text at the same moment: reworded\?$/],
    ['no moment', [keyed('bis', 'Lyon', undated)], /bis: the plan has the same text at another moment: moved\?$/],
    ['two moments', [moved, keyed('bis', 'Lyon', { scheduled_at: '2035-01-01T11:00:00Z' })], /\(UTC\)\nLyon$/],
  ])('is shown beside what the plan has instead: %s', async (_, instead, shown) => {
    const stood = await carriedOut();
    stood.api.advance(90_000_000);
    const { leftOvers } = await stood.rehearse(named(...instead, annecy));
    expect(leftOvers[0]?.summary).toMatch(shown);
  });

  it('stays with `keep`, which is said', async () => {
    const stood = await carriedOut();
    const { ok, leftOvers } = await stood.rehearse(named(annecy), { leftOver: 'keep' });
    expect([ok, leftOvers.map(({ step }) => step)]).toEqual([true, ['keep']]);
    const result = await stood.run(named(annecy), { leftOver: 'keep' });
    expect([result.state, result.leftOvers.length, stood.contents().includes('Lyon')]).toEqual(['done', 1, true]);
  });

  it('is deleted with `prune`, and its approval stays valid', async () => {
    const stood = await carriedOut();
    const plan = named(annecy);
    const id = stood.idOf('Lyon');
    const { ok, hash, leftOvers } = await stood.rehearse(plan, prune);
    const post = "Les Fournils d'Augustine – Lyon Croix-Rousse: post on Facebook for 2035-01-01 09:00 (UTC)\nLyon";
    const summary = `Would delete the post of lyon (id ${id}).\n${post}`;
    expect([ok, hash === hashOfPlan(plan), leftOvers[0]?.summary]).toEqual([true, false, summary]);
    stood.api.fail({ operation: 'posts.delete', status: 503 });
    expect((await stood.run(plan, { ...prune, approved: hash })).state).toBe('stopped');
    expect(await stood.run(plan, { ...prune, approved: hash })).toMatchObject({
      state: 'done',
      steps: [{ index: 0 }, { index: 1, key: 'lyon', operation: 'posts.delete', outcome: 'applied', ids: [id] }],
    });
    expect([stood.contents().includes('Lyon'), stood.contents().includes('Pâques')]).toEqual([false, true]);
    const after = await stood.rehearse(plan, prune);
    expect([after.hash, after.leftOvers]).toEqual([hash, []]);
    expect((await stood.run(plan, { ...prune, approved: hash })).state).toBe('done');
  });

  it('is asked for by its id where the list of pending posts lacks it, which costs other plans nothing', async () => {
    const stood = await carriedOut();
    const { api, watch } = stood;
    const looks = async (plan: Plan) => {
      const requests = watch();
      const { leftOvers } = await stood.rehearse(plan);
      const reads = requests().filter((operation) => operation?.startsWith('posts.') && operation !== 'posts.create');
      return [leftOvers.map(({ key }) => key).join(), reads.join(' ')];
    };
    expect(await looks(named(lyon, annecy))).toEqual(['', 'posts.list posts.list']);
    expect(await looks(named(annecy))).toEqual(['lyon', 'posts.list posts.list']);
    api.fail({ operation: 'posts.list', status: 200, body: [] });
    expect(await looks(named(annecy))).toEqual(['lyon', 'posts.list posts.get posts.list']);
  });

  it('of two posts is deleted whole', async () => {
    const { api, client, run, journal, idOf } = await carriedOut();
    const ids = [idOf('Lyon'), (await client.posts.create(lyon.params as never)).id];
    const text = String(await journal.load());
    await journal.save(text.replace(/"ids":\s*\[\s*1001\s*\]/, `"ids":[${ids}]`), text);
    expect(await run(named(annecy), prune)).toMatchObject({ state: 'done', steps: [{}, { outcome: 'applied', ids }] });
    expect(api.posts.all().filter(({ id }) => ids.includes(id))).toEqual([]);
  });

  it.each([
    [{ content: 'Lyon, à 15 €' }, 'Lyon, à 15 €', /it now has the text "Lyon, à 15 €"\.$/],
    [{ scheduled_at: '2035-02-01T09:00:00Z' }, '2035-02-01', /it now has 2035-02-01 09:00 \(UTC\) on Facebook\.$/],
  ])(
    'that is changed by hand is shown as it is there, and needs another approval: %j',
    async (change, shown, message) => {
      const stood = await carriedOut();
      const { hash } = await stood.rehearse(named(annecy), prune);
      await stood.client.posts.update(stood.idOf('Lyon'), change);
      await expect(stood.run(named(annecy), { ...prune, approved: hash })).rejects.toMatchObject({
        code: 'plan_not_approved',
      });
      const warnings = [{ code: 'changed_by_hand', path: [], message: expect.stringMatching(message) }];
      const rehearsal = await stood.rehearse(named(annecy), prune);
      expect(rehearsal).toMatchObject({ ok: true, warnings, leftOvers: [{ summary: expect.stringContaining(shown) }] });
      const run = await stood.run(named(annecy), { ...prune, approved: rehearsal.hash });
      expect(run).toMatchObject({ state: 'done', warnings });
    },
  );

  it('needs the permission to delete, before anything is sent', async () => {
    const { few, journal, timer, writes } = await carriedOut();
    const problems = [{ code: 'missing_permission', path: [] }];
    const { ok, leftOvers } = await rehearsePlan(few, named(annecy), { journal, timer, ...prune });
    expect([ok, leftOvers]).toMatchObject([false, [{ step: 'refuse', problems }]]);
    const result = await runPlan(few, named(annecy, paris), { journal, timer, ...prune });
    expect([result, writes()]).toMatchObject([{ state: 'stopped', leftOvers: [{ problems }] }, []]);
  });

  it('is kept if its deletion was lost and it is online meanwhile', async () => {
    const { api, client, run, read, idOf } = await carriedOut();
    const id = idOf('Lyon');
    api.fail({ operation: 'posts.delete', network: true });
    expect((await run(named(annecy), prune)).state).toBe('stopped');
    await client.posts.publish(id);
    expect((await run(named(annecy), prune)).state).toBe('done');
    expect(read().entries[0]).toMatchObject({ ids: [id] });
  });

  it('is not deleted on the word of a response', async () => {
    const { api, run, contents } = await carriedOut();
    api.fail({ operation: 'posts.delete', status: 404 });
    expect(await run(named(annecy), prune)).toMatchObject({
      state: 'stopped',
      steps: [{}, { outcome: 'unknown', problem: { code: 'unknown_outcome' } }],
    });
    expect(contents()).toContain('Lyon');
    expect((await run(named(annecy), prune)).state).toBe('done');
    expect(contents()).not.toContain('Lyon');
  });

  it('whose response was lost is found, and approved in one go', async () => {
    const { api, rehearse, run, contents, read } = await carriedOut();
    api.fail({ operation: 'posts.create', network: true, applied: true });
    await run(named(lyon, annecy, paris));
    const before = JSON.stringify(read());
    const { leftOvers, hash } = await rehearse(named(lyon, annecy), prune);
    expect([leftOvers.map(({ key }) => key), JSON.stringify(read())]).toEqual([['paris'], before]);
    expect((await run(named(lyon, annecy), { ...prune, approved: hash })).state).toBe('done');
    expect(contents()).not.toContain('Paris');
  });

  it.each([
    ['the service does not show clearly whether it was made', { network: true }, 'Celui d’un autre'],
    ['the journal does not know its id', { status: 201, body: {}, applied: true }, undefined],
  ])('is for a person if %s', async (_, fault, content) => {
    const { api, client, journal, timer, rehearse, run } = await carriedOut();
    api.fail({ operation: 'posts.create', ...fault });
    await run(named(lyon, annecy, paris));
    if (content) await client.posts.create({ ...paris.params, content } as never);
    const problem = { code: 'unknown_outcome', message: expect.stringContaining('settle the key') };
    expect(await rehearse(named(lyon, annecy), prune)).toMatchObject({ ok: false, warnings: [problem] });
    const stopped = { state: 'stopped', leftOvers: [{ key: 'paris', problems: [problem] }] };
    expect(await run(named(lyon, annecy), prune)).toMatchObject(stopped);
    const compared = (leftOver: 'prune' | 'keep') =>
      compareSides(client, named(lyon, annecy), { journal, timer, leftOver });
    expect((await compared('prune')).hash).toBe('');
    const { hash } = await compared('keep');
    const kept = await run(named(lyon, annecy), { leftOver: 'keep', approved: hash });
    expect(kept).toMatchObject({ state: 'done', warnings: [problem] });
  });

  it.each([
    ['deleted', named(annecy), []],
    ['moved', named(moved, annecy), ['10:00']],
    [
      'replaced',
      named(keyed('lyon/10h', 'Lyon', { scheduled_at: TEN, platforms: ['gmb', 'facebook'] }), annecy),
      ['10:00'],
    ],
  ])('is %s with the same approval, wherever the run is killed', { tags: 'long' }, async (_, plan, expected) => {
    for (let killed = 1; killed < 7; killed++) {
      const stood = await carriedOut();
      const { client, journal, timer } = stood;
      const { hash } = await stood.rehearse(plan, prune);
      let saves = 0;
      let isOver = false;
      const mortal = {
        load: journal.load,
        save: (next: string, previous: string | null) =>
          ++saves < killed ? journal.save(next, previous) : new Promise<never>(() => {}),
      };
      const options = { timer, ...prune, approved: hash };
      // A dead process tells nobody that its journal did not respond.
      const end = () => {
        isOver = true;
      };
      void runPlan(client, plan, { ...options, journal: mortal }).then(end, () => {});
      await vi.waitFor(() => expect(isOver || saves === killed).toBe(true), { timeout: 60_000 });
      if (isOver) break;
      await timer.wait(600_000, undefined);
      expect((await runPlan(client, plan, { ...options, journal })).state, `killed at save ${killed}`).toBe('done');
      expect(moments(stood, 'Lyon'), `killed at save ${killed}`).toEqual(expected);
    }
  });
});

it('what would be there twice as the correction of what is online is told by a rehearsal and a run', async () => {
  const { run, rehearse } = await carriedOut();
  const publication = (key: string, text: string) => ({ ...social, key, params: { ...social.params, text } });
  await run(named(lyon, annecy, publication('a', 'La galete')));
  const plan = named(lyon, annecy, publication('b', 'La galette'));
  const { actions } = await rehearse(plan);
  const { state, warnings } = await run(plan);
  expect(actions[2]?.warnings).toMatchObject([
    { code: 'made_before', message: expect.stringMatching(/^The plan made a at /) },
  ]);
  expect([state, warnings]).toEqual(['done', actions[2]?.warnings]);
});

const day = (hour: number, key = `noel/${BULLE} ${hour}h`) =>
  keyed(key, 'Galette', { scheduled_at: `2035-01-01T${hour}:00:00Z` });

it('a table that is carried out again publishes nothing twice whose rows moved, whose file was renamed, or which has keys now', async () => {
  const { api, client, journal, timer } = await stage();
  const run = (name: string, actions: Action[], options: object = {}) =>
    runPlan(client, { ...planOf(actions), name }, { journal, timer, ...options });
  const pending = () => api.posts.all().filter(({ content }) => content === 'Galette').length;
  await run('noel', [day(10), day(14)]);
  // A person moves a row.
  expect((await run('noel', [day(11), day(14)])).state).toBe('stopped');
  expect((await run('noel', [day(11), day(14)], prune)).state).toBe('done');
  // The file has another name, and then a column of keys.
  const renamed = await run('noel-v2', [day(11, 'noel-v2/11h'), day(14, 'noel-v2/14h')]);
  expect(renamed.steps.map(({ problem }) => problem?.code)).toEqual(['twin', 'twin']);
  const withKeys = [day(11, 'a'), day(14, 'b')];
  expect((await run('noel', withKeys)).state).toBe('stopped');
  expect((await run('noel', withKeys, prune)).state).toBe('done');
  expect(pending()).toBe(2);
});

it.each<[string, total: number, removed: readonly number[], seen: number, offsets: string]>([
  ['a short list', 99, [], 99, '0'],
  ['a full page', 100, [], 100, '0 99'],
  ['two pages', 150, [], 150, '0 99'],
  ['three pages', 250, [], 250, '0 99 198'],
  ['a post leaves a list', 150, [1], 150, '0 99 0 99'],
  ['the last ones of a page leave it', 101, [1, 1], 101, '0 99 0'],
  ['a post leaves it at each page', 350, Array(9).fill(1), 350, '0 99 198 297 0 99 198 297'],
])('posts that leave a list between two pages hide no other one: %s', async (_, total, removed, seen, offsets) => {
  const left = Array.from({ length: total }, (_, id) => ({ id }));
  const asked: number[] = [];
  const gone = [...removed];
  const list = async ({ offset = 0, limit = 0 }) => {
    asked.push(offset);
    const page = left.slice(offset, offset + limit);
    if (asked.length <= removed.length) left.splice(0, gone.pop() ?? 0);
    return page;
  };
  const found = await readPosts({ client: { posts: { list } }, strict: {} } as unknown as Context, {});
  expect([found.size, asked.join(' ')]).toEqual([seen, offsets]);
});
