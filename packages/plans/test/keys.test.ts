import { describe, expect, it } from 'vitest';
import { inView, readActions } from '../src/actions.js';
import { hashOfPlan } from '../src/hash.js';
import { rehearsePlan } from '../src/index.js';
import { planOf, post, stage } from './helpers.js';

const un = { operation: 'posts.create', params: { content: 'Un', platforms: ['facebook'] } };

describe('the key of an action', () => {
  it('is the one that the plan gives it', () => {
    const { actions, name } = readActions({ name: 'noel', actions: [{ key: 'noel/lyon', ...un }, un] });
    expect(name).toBe('noel');
    expect(actions.map(({ key }) => key)).toEqual(['noel/lyon', expect.stringMatching(/^[\da-f]{64}$/)]);
  });

  it('stands for the text and the place otherwise, with a number for repetitions', () => {
    const keys = readActions(planOf([un, un, post('Un'), un])).actions.map(({ key }) => key);
    expect(keys).toEqual([keys[0], `${keys[0]}#2`, keys[2], `${keys[0]}#3`]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it('is the same for a target of the view, of the key, and one that is written out', async () => {
    const { client } = await stage();
    const { client: own } = await stage({}, (api) => api.keys.bulle);
    const keyOf = (view: typeof client, action: object) =>
      inView(readActions(planOf([action as never])).actions, view)[0]?.key;
    const written = { ...un, params: { ...un.params, bulle_id: own.identity?.bulle?.id } };
    const keys = [keyOf(client.forBulle(String(own.identity?.bulle?.id)), un), keyOf(own, un), keyOf(client, written)];
    expect(new Set(keys).size).toBe(1);
    expect(keyOf(client, un)).not.toBe(keys[0]);
  });

  const path = ['actions', 0, 'key'];
  const a = { key: 'a' };
  it.each([
    [
      'used twice',
      [
        { ...a, ...un },
        { ...a, ...post('Deux') },
      ],
      ['actions', 1, 'key'],
      'the key of action 1',
    ],
    ['empty', [{ key: '', ...un }], path, '1 to 200 characters'],
    ['no text', [{ key: 7, ...un }], path, 'must be a string'],
    ['of two lines', [{ key: 'a\nb', ...un }], path, 'on one line'],
  ])('that is %s is a problem', async (_, actions, path, message) => {
    expect(readActions({ actions }).problems).toEqual([
      { code: 'invalid_request', message: expect.stringContaining(message), path },
    ]);
  });

  it('is part of the hash of the plan', async () => {
    const { client } = await stage();
    const hash = async (key?: string) => {
      const plan = planOf([{ ...(key && { key }), ...post('Un') }]);
      const rehearsal = await rehearsePlan(client, plan);
      expect(hashOfPlan(plan)).toBe(rehearsal.hash);
      return rehearsal.hash;
    };
    expect(await hash('noel/lyon')).not.toBe(await hash('noel/paris'));
    expect(await hash()).toBe(await hash(readActions(planOf([post('Un')])).actions[0]?.key));
  });
});
