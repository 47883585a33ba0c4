import { describe, expect, it } from 'vitest';
import { inView, readActions } from '../src/actions.js';
import { hashOfPlan } from '../src/hash.js';
import { type Action, AT, planOf, post, stage } from './helpers.js';

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

  const a = { key: 'a' };
  it.each<[string, object[], string?]>([
    ['used twice', Array(2).fill({ ...a, ...un }), '1 is also the key of action 1. Each action needs its own.'],
    ['empty', [{ key: '', ...un }], '0 must have 1 to 200 characters on one line.'],
    ['no text', [{ key: 7, ...un }], '0 must be a string; received a number.'],
    ['of two lines', [{ key: 'a\nb', ...un }], '0 must have 1 to 200 characters on one line.'],
    ['too long', [{ key: 'é'.repeat(201), ...un }], '0 must have 1 to 200 characters on one line.'],
    ['as long as a key may be', [{ key: 'é'.repeat(200), ...un }]],
  ])('may be refused: %s', (_, actions, problem) => {
    const { problems, issues } = readActions({ actions });
    const [index, ...words] = problem?.split(' ') ?? [];
    const [path, message] = [['actions', Number(index), 'key'], `\`key\` ${words.join(' ')}`];
    expect(problems).toEqual(problem ? [{ code: 'invalid_request', message, path }] : []);
    expect(issues.map((issue) => issue.path)).toEqual(problem ? [path] : []);
  });
});

describe('the hash of a plan', () => {
  const moment = { scheduled_at: AT };
  const first = post('Un', moment);
  const plan = planOf([first]);
  // As `toString` of a moment writes it, with the calendar of its owner.
  const written = { toJSON: () => '2035-01-01T10:00:00+01:00[Europe/Paris][u-ca=hebrew]' };
  const temporal = Object.assign(Object.create({ [Symbol.toStringTag]: 'Temporal.ZonedDateTime', ...written }), {
    epochMilliseconds: Date.parse(AT),
  });
  const reversed = Object.fromEntries(Object.entries({ ...first.params }).reverse());
  const own = readActions(plan).actions[0]?.key;

  it.each<[string, object]>([
    ['the moment in another zone', post('Un', { scheduled_at: '2035-01-01T10:00:00.000+01:00' })],
    ['the moment as a Date', post('Un', { scheduled_at: new Date(AT) })],
    ['the moment of Temporal', post('Un', { scheduled_at: temporal })],
    ['its parameters in another order', { ...first, params: reversed }],
    ['its own key written out', { key: own, ...post('Un', moment) }],
  ])('is the same with %s', (_, action) => {
    expect(hashOfPlan(planOf([action as Action]))).toBe(hashOfPlan(plan));
  });

  it.each<[string, object]>([
    ['moment', post('Un', { scheduled_at: '2035-01-01T09:00:01Z' })],
    ['text', post('Deux', moment)],
    ['location', post('Un', { ...moment, bulle_id: 'bul_paris' })],
    ['parameter', post('Un', { ...moment, image_url: 'https://x.test/a.png' })],
    ['key', { key: 'noel/lyon', ...post('Un', moment) }],
  ])('is another one with another %s', (_, action) => {
    expect(hashOfPlan(plan)).toMatch(/^[\da-f]{64}$/);
    expect(hashOfPlan(planOf([action as Action]))).not.toBe(hashOfPlan(plan));
  });
});
