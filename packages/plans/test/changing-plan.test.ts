import type { Client } from 'multilocal';
import { describe, expect, it } from 'vitest';
import { memoryJournal, rehearsePlan, runPlan } from '../src/index.js';
import { BULLE, FICHE, outcomesOf, planOf, post, stage } from './helpers.js';

/** A plan that its owner can change. */
const changeable = (content: string) => {
  const params = { content, platforms: ['facebook'], bulle_id: BULLE };
  return { params, plan: planOf([{ operation: 'posts.create', params }]) };
};

describe('a plan that its owner changes', () => {
  it('runs as it was when the run was called', async () => {
    const { client, timer, sent } = await stage();
    const { params, plan } = changeable('Un');
    const running = runPlan(client, plan, { journal: memoryJournal(), timer });
    params.content = 'Deux';
    await running;
    expect(sent('posts.create')).toMatchObject([{ body: { content: 'Un' } }]);
  });

  it('has the hash of what was rehearsed', async () => {
    const { client, timer, sent } = await stage();
    const { params, plan } = changeable('Un');
    const onProgress = () => void Object.assign(params, { content: 'Deux' });
    const { hash } = await rehearsePlan(client, plan, { timer, onProgress });
    expect(sent('posts.create')).toMatchObject([{ body: { content: 'Un', dry_run: true } }]);
    const run = runPlan(client, plan, { journal: memoryJournal(), timer, approved: hash });
    await expect(run).rejects.toMatchObject({ code: 'plan_not_approved' });
    const unset = { journal: memoryJournal(), timer, approved: undefined } as never;
    await expect(runPlan(client, plan, unset)).rejects.toMatchObject({ code: 'plan_not_approved' });
  });
});

describe('what a service answers', () => {
  /** A client whose reads of `path` get `body`, once the first write has been lost. */
  async function odd(path: string, body: (known: unknown) => unknown) {
    let isLost = false;
    return stage({}, undefined, ({ handle }) => ({
      validation: 'off',
      logLevel: 'off',
      fetch: async (input, init) => {
        const request = new Request(input, init);
        if (request.method === 'POST' && !isLost) {
          isLost = true;
          throw new TypeError('the connection broke');
        }
        const response = await handle(request);
        const isOdd = request.method === 'GET' && new URL(request.url).pathname.endsWith(path);
        return isOdd ? Response.json(body(await response.json())) : response;
      },
    }));
  }

  it.each([
    { operation: 'gmb.optimizer.audit', params: { fiche_id: FICHE }, path: '/gmb/optimizer' },
    { ...post('Un'), path: '/posts' },
  ])('is no absence of $operation if it is nonsense, although the client does not check it', async (given) => {
    const { path, ...action } = given;
    const { client, timer, sent } = await odd(path, () => ({}));
    const options = { journal: memoryJournal(), timer, again: true };
    const plan = planOf([action]);
    expect(outcomesOf(await runPlan(client, plan, options))).toEqual(['unknown']);
    const { steps } = await runPlan(client, plan, options);
    expect(steps).toMatchObject([{ outcome: 'unknown', problem: { code: 'plan_unresolved' } }]);
    expect(sent(action.operation)).toEqual([]);
  });

  it('does not make a search for twins endless', async () => {
    let page: object[] | undefined;
    const { client, timer, sent } = await odd('/posts', (posts) => {
      page ??= Array.from({ length: 100 }, (_, index) => ({ ...(posts as object[])[0], id: 1_000 + index }));
      return page;
    });
    await runPlan(client, planOf([post('Un')]), { journal: memoryJournal(), timer });
    expect(sent('posts.list')).toHaveLength(2);
  });
});

it('the view of a location is rehearsed with the accounts of the location that an action names', async () => {
  const { client, timer } = await stage();
  const accounts = await client.connections.list();
  const ended = accounts.find(({ bulle_id, needs_reconnect }) => bulle_id !== BULLE && needs_reconnect);
  const action = post('Un', { bulle_id: ended?.bulle_id, platforms: [ended?.platform] });
  const problems = async (one: Client) => {
    const { actions } = await rehearsePlan(one, planOf([action, action]), { timer });
    return actions.map((each) => each.problems.map(({ code }) => code));
  };
  const own = await problems(client.forBulle(BULLE));
  expect(own).toEqual([['needs_reconnect'], ['needs_reconnect']]);
  expect(own).toEqual(await problems(client));
});
