// A service that carries out what it was asked to preview. Whatever it answers, nothing happens a second time.
import type { MockControl } from 'multilocal/mock';
import { describe, expect, it } from 'vitest';
import { rehearsePlan } from '../src/index.js';
import { firstIn, keyed, planOf, social, stage } from './helpers.js';

type Answer = (result: Response) => Response;

function silence(): never {
  throw new TypeError('fetch failed');
}

/** What a service may answer after it has carried a preview out. `applied`: the answer shows it. */
const answers: readonly (readonly [string, Answer, 'applied' | 'unknown'])[] = [
  ['its result', (result) => result, 'applied'],
  ['an object without an id', () => Response.json({ success: true }), 'applied'],
  ['204', () => new Response(null, { status: 204 }), 'unknown'],
  ['null', () => Response.json(null), 'unknown'],
  ['a list', () => Response.json([]), 'unknown'],
  ['a text', () => new Response('OK'), 'unknown'],
  ['half a JSON', () => new Response('{ "id": 10', { headers: { 'content-type': 'application/json' } }), 'unknown'],
  ['502', () => Response.json({ detail: 'Service externe' }, { status: 502 }), 'unknown'],
  ['nothing', silence, 'unknown'],
];

/** A stage whose service ignores `dry_run`. */
const careless = (answer: Answer) =>
  stage({}, undefined, ({ handle }: MockControl) => ({
    logLevel: 'off' as const,
    fetch: async (input, init) => {
      const { dry_run, ...body } = JSON.parse(String(init?.body ?? '{}'));
      if (dry_run !== true) return handle(input, init);
      return answer(await handle(input, { ...init, body: JSON.stringify(body) }));
    },
  }));

const named = { ...social, key: 'a' };
const made = ({ requests }: MockControl, operation: string) =>
  requests.filter((request) => request.operation === operation && request.status < 300).length;

describe.each(answers)('a preview that was carried out and is answered with %s', (_, answer, outcome) => {
  it.each([named, keyed('a', 'Un')])('is noted under its key, and $operation happens once', async (action) => {
    const { api, client, journal, timer, run } = await careless(answer);
    const rehearse = () => rehearsePlan(client, planOf([action]), { journal, timer }).catch(() => undefined);
    const rehearsals = [await rehearse(), await rehearse()].flatMap((one) => JSON.stringify(one) ?? []);
    expect(firstIn((await journal.load()) ?? '{ "entries": {} }')?.outcome).toBe(outcome);
    // The first one says it beside its error.
    const open = action === named ? 'plan_unresolved' : 'unknown_outcome';
    for (const said of rehearsals) expect(said.includes(`"${open}"`)).toBe(outcome === 'unknown');
    for (let round = 0; round < 3; round++) {
      await timer.wait(600_000, undefined);
      await run([action]);
      await rehearse();
    }
    expect(made(api, action.operation)).toBe(1);
    // A read shows the post. A publication shows nowhere, so a person must look.
    const { result } = await run([action]);
    expect(result.state).toBe(action === named && outcome === 'unknown' ? 'stopped' : 'done');
  });

  it('says without a journal what is to be done', async () => {
    const { client, timer } = await careless(answer);
    const said = await rehearsePlan(client, planOf([named]), { timer }).then(
      ({ actions }) => actions.flatMap(({ problems }) => problems.map(({ message }) => message)).join(),
      ({ message }) => message,
    );
    expect(said).toContain('Look in the service before you run the plan: no journal was given');
  });

  it('replaces no post: the old one stays, and no third one is made', async () => {
    const { api, timer, run } = await careless(answer);
    await run([keyed('a', 'Un')]);
    const plan = [keyed('a', 'Un', { platforms: ['facebook', 'gmb'] })];
    for (let round = 0; round < 3; round++) {
      await run(plan).catch(() => {});
      await timer.wait(600_000, undefined);
    }
    expect(made(api, 'posts.create')).toBe(2);
  });

  it('takes no post from the key that made it, where keys count rows', async () => {
    const { client, journal, timer, run, read } = await careless(answer);
    await run([keyed('1', 'Un'), keyed('2', 'Deux')]);
    const ids = () => read().entries.flatMap((entry) => entry.ids ?? []);
    const before = ids();
    const plan = planOf([keyed('1', 'Deux'), keyed('2', 'Trois', { platforms: ['facebook', 'gmb'] })]);
    await rehearsePlan(client, plan, { journal, timer }).catch(() => {});
    expect(ids()).toEqual(expect.arrayContaining(before));
  });
});
