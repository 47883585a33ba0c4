import type { MockRequest } from 'multilocal/mock';
import { describe, expect, it } from 'vitest';
import { readActions, resolveTargets } from '../src/actions.js';
import { hashOfPlan, linesOf } from '../src/hash.js';
import { rehearsePlan, runPlan } from '../src/index.js';
import { retryLine, shifted } from '../src/left-overs.js';
import { type Action, AT, BULLE, keyed, planOf, post, social, stage } from './helpers.js';
import { sidesOf } from './sides.js';

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
    const { bulle, gmb_fiches = [] } = own.identity ?? {};
    const [bulle_id, fiche_id] = [`${bulle?.id}`, `${gmb_fiches[0]?.id}`];
    const audit = { operation: 'gmb.optimizer.audit', params: {} };
    const view = client.forBulle(bulle_id).forFiche(fiche_id);
    const keyOf = (by: typeof client, one: Action) => resolveTargets(readActions(planOf([one])).actions, by)[0]?.key;
    for (const [action, target] of [
      [un, { bulle_id }],
      [audit, { fiche_id }],
    ] as const) {
      const written = { ...action, params: { ...action.params, ...target } };
      const keys = [keyOf(view, action), keyOf(own, action), keyOf(client, written)];
      expect(new Set(keys).size).toBe(1);
      expect(keyOf(client, action)).not.toBe(keys[0]);
    }
  });

  it.each([
    ['written out in the next version', {}, { bulle_id: BULLE }],
    ['no longer written out', { bulle_id: BULLE }, {}],
    ['of the view in the next version', {}, {}, true],
    ['absent in a journal of the version before', {}, { bulle_id: BULLE }, false, true],
  ])('is of one place with the location of the key %s', async (_, first, then, isInView = false, isOld = false) => {
    const { client, journal, timer, run, write, watch } = await stage({}, ({ keys }) => keys.bulle);
    const row = (text: string, more: object) => keyed('a', text, { bulle_id: undefined, ...more });
    const publication = (key: string, more: object) => ({
      key,
      ...social,
      params: { ...social.params, bulle_id: undefined, ...more },
    });
    await run([row('Un', first), publication('b', first)]);
    if (isOld)
      write(({ made, ...entry }) => ({
        ...entry,
        made: { ...made, digests: { ...made?.digests, bulle_id: undefined } },
      }));
    const asked = watch();
    const by = isInView ? client.forBulle(BULLE) : client;
    const plan = planOf([row('Deux', then), publication('c', then)]);
    const { steps } = await runPlan(by, plan, { journal, timer, keepGoing: true });
    expect(steps.map(({ outcome, problem }) => problem?.code ?? outcome)).toEqual(['applied', 'twin']);
    expect(asked().filter((name) => /^(posts|social)\.(?!get|list)/.test(`${name}`))).toEqual(['posts.update']);
  });

  it.each<[string, object[], string?]>([
    ['used twice', Array(2).fill({ key: 'a', ...un }), '1 is also the key of action 1. Each action needs its own.'],
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

it.each([
  ['of two names', ['noel', 'fete'], post('Un', { scheduled_at: AT })],
  ['of one name and two versions', ['noel', 'noel'], post('Un', { scheduled_at: AT })],
  ['with a publication', ['noel', 'fete'], social],
])('two plans that begin at one instant with one journal make a row once: %s', async (_, names, row) => {
  const { api, client, journal, timer } = await stage();
  const { length } = api.posts.all();
  const plans = names.map((name, index) => ({ ...planOf([{ ...row, key: `${name} ${index}` }]), name }));
  const runs = await Promise.allSettled(plans.map((plan) => runPlan(client, plan, { journal, timer })));
  expect(api.posts.all()).toHaveLength(length + 1);
  const said = runs.map((run) => (run.status === 'fulfilled' ? run.value.state : run.reason.code));
  expect(said.sort()).toEqual(['done', 'journal_locked']);
  for (const plan of plans) await runPlan(client, plan, { journal, timer });
  expect(api.posts.all()).toHaveLength(length + 1);
});

const days = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi'];
const rows = (...texts: string[]) =>
  texts.map((text, index) => keyed(days[index] ?? '', text, { scheduled_at: `2035-01-0${text.length}T09:00:00Z` }));
const before = rows('a', 'bb', 'ccc', 'dddd');
const isOfRow = ({ content }: { content: string }) => /^(\w)\1*$/.test(content);

it.each([
  ['a row leaves at the top', rows('bb', 'ccc', 'dddd'), 'prune', ['posts.delete']],
  ['a row is added at the top', rows('eeeee', 'a', 'bb', 'ccc', 'dddd'), 'refuse', ['posts.create']],
  ['one leaves, and one is added', rows('bb', 'ccc', 'dddd', 'eeeee'), 'refuse', ['posts.update']],
  ['two change places', rows('bb', 'a', 'ccc', 'dddd'), 'refuse', []],
  ['all change places', rows('dddd', 'ccc', 'bb', 'a'), 'refuse', []],
] as const)(
  'keys that say where a row stands: %s: each post keeps its text, also if the run dies and somebody publishes',
  async (_, after, leftOver, writes) => {
    for (let lives = 0; lives <= writes.length; lives++) {
      const { api, client, journal, timer } = await stage();
      const plan = (actions: readonly Action[]) => ({ ...planOf(actions), name: 'noel' });
      await runPlan(client, plan(before), { journal, timer });
      const { length } = api.requests;
      const rehearsal = await rehearsePlan(client, plan(after), { journal, timer, leftOver });
      expect(rehearsal.actions.flatMap(({ problems }) => problems)).toEqual([]);
      const options = { journal, timer, leftOver, approved: rehearsal.hash };
      if (lives < writes.length) api.fail({ operation: writes[lives] as string, network: true, applied: true });
      await runPlan(client, plan(after), options);
      for (const { id } of api.posts.all().filter(isOfRow)) await client.posts.publish(id).catch(() => {});
      api.advance(120_000);
      const run = await runPlan(client, plan(after), options);
      expect(run.state).toBe('done');
      const rows = api.posts.all().filter(isOfRow);
      const wanted = after.map(({ params }) => (params as { content: string }).content);
      expect(rows.map(({ content }) => content).sort()).toEqual(wanted.sort());
      const isSent = ({ method, path }: MockRequest) => method !== 'GET' && !path.endsWith('/publish');
      const sent = api.requests.slice(length).filter(isSent);
      expect(new Set(sent.map(({ operation }) => operation))).toEqual(new Set(writes));
    }
  },
);

it.each(['a#1', 'a lost', 'a online:f'])('what may be out takes over no other row with its text: %s', (own) => {
  expect(shifted(sidesOf('a; b Deux', `${own}; b#2`, '')).size).toBe(0);
});

describe('the hash of a plan', () => {
  const moment = { scheduled_at: AT };
  const first = post('Un', moment);
  const plan = planOf([first]);
  // As `toString` of a moment writes it, with the calendar of its owner.
  const written = { toJSON: () => '2035-01-01T10:00:00+01:00[Europe/Paris][u-ca=hebrew]' };
  const prototype = { [Symbol.toStringTag]: 'Temporal.ZonedDateTime', ...written };
  const temporal = Object.assign(Object.create(prototype), { epochMilliseconds: Date.parse(AT) });
  const reversed = Object.fromEntries(Object.entries({ ...first.params }).reverse());
  const own = readActions(plan).actions[0]?.key;

  it('is the same in every version', () => {
    const deleted = { key: 'a', step: 'delete', posts: [{ content: 'Un' }, {}] };
    const leftOvers = linesOf([deleted, { key: 'b', step: 'adopt', replacedBy: 'c' }]);
    const lines = [...leftOvers, retryLine({ key: 'd' }, ['gmb'])];
    expect(hashOfPlan(plan)).toBe('e7dcf440b167abe251d6f5a9af3a863e33f3266a28c1a9ef19991c7e8c8de586');
    const whole = '57f0da7cca540a06179939474c95da70d88b958e64c673100e8cb6dcf11fa99f';
    expect(hashOfPlan({ name: 'noel', ...plan }, lines)).toBe(whole);
  });

  it.each<[string, object]>([
    ['the moment in another zone', post('Un', { scheduled_at: '2035-01-01T10:00:00.000+01:00' })],
    ['the moment as a Date', post('Un', { scheduled_at: new Date(AT) })],
    ['the moment of Temporal', post('Un', { scheduled_at: temporal })],
    ['its parameters in another order', { ...first, params: reversed }],
    ['its own key written out', { key: own, ...post('Un', moment) }],
  ])('is the same with %s', (_, action) => {
    expect(hashOfPlan(planOf([action as Action]))).toBe(hashOfPlan(plan));
  });
});
