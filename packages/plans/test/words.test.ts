// Every sentence that a run leaves a person with, whole: what happened, and what to do.
import { expect, it } from 'vitest';
import { memoryJournal, type Plan, rehearsePlan, runPlan, settleAction } from '../src/index.js';
import { type Action, AT, BULLE, keyed, killed, planOf, post, social, stage } from './helpers.js';

type Stood = Awaited<ReturnType<typeof stage>>;
/** Resolves to what a run has found, or rejects with its error. */
type Scene = (stood: Stood) => Promise<unknown>;

const update = { operation: 'posts.update', params: { post_id: 131, content: 'Autre' } };
const deletion = { operation: 'posts.delete', params: { post_id: 131 } };
const another = { ...keyed('noel/lyon', 'Autre'), ...social };

/** The second run of an action whose first one met a fault. */
const again =
  (fault: object, first: Action, then = first): Scene =>
  async ({ api, run }) => {
    api.fail({ operation: first.operation, ...fault });
    await run([first]);
    return run([then]);
  };
/** A run with a journal in which one field was changed. */
const inJournal =
  (change: object): Scene =>
  async ({ api, run, write }) => {
    await run([post('Un')]);
    write((entry) => entry, change);
    const requests = api.requests.length;
    return run([post('Un')]).finally(() => expect(api.requests).toHaveLength(requests));
  };

const scenes: Readonly<Record<string, Scene>> = {
  'an action that is refused': ({ api, run }) => {
    api.fail({ operation: 'social.publish', status: 422 });
    return run([social]);
  },
  'an action whose response was lost': ({ api, run }) => {
    api.fail({ operation: 'posts.create', network: true });
    return run([post('Un')]);
  },
  'an action whose response is a list, as a proxy writes it': ({ api, run }) => {
    api.fail({ operation: 'posts.create', status: 200, body: [] });
    return run([post('Un')]);
  },
  'an action that no read shows': again({ network: true }, social),
  'an action that was answered with a preview': again({ status: 200, body: { dry_run: true } }, social),
  'an action that a killed run may still be sending': async (stood) => {
    await killed(stood, social, { age: 0, wait: 0 });
    return stood.run([social]);
  },
  'an action whose response names a failure': ({ api, run }) => {
    api.fail({ operation: 'social.publish', status: 200, body: { post_id: 1, success: false } });
    return run([social]);
  },
  'an action whose response names nothing': ({ api, run }) => {
    api.fail({ operation: 'social.publish', status: 200, body: {} });
    return run([social]);
  },
  'a change whose response is empty, and that did not happen': async ({ api, run }) => {
    await run([keyed('noel/lyon', 'Un')]);
    api.fail({ operation: 'posts.update', status: 200, body: {} });
    return run([keyed('noel/lyon', 'Deux')]);
  },
  'a post that the service has already': async ({ client, run }) => {
    await client.posts.create({ ...keyed('', 'Un').params } as never);
    return run([keyed('noel/lyon', 'Un')]);
  },
  'a correction of a post that is online': async ({ client, run, read }) => {
    await run([keyed('noel/lyon', 'Un')]);
    await client.posts.publish(Number(read().entries[0]?.ids?.[0]));
    return run([keyed('noel/lyon', 'Deux')]);
  },
  'a correction of what cannot be corrected': async ({ run }) => {
    await run([{ ...social, key: 'info' }]);
    return run([{ ...social, key: 'info', params: { ...social.params, text: 'Fermé' } }]);
  },
  'another operation under the key of an action that was lost': again(
    { network: true },
    { ...social, key: 'info' },
    keyed('info', 'Un'),
  ),
  'another operation under a key': async ({ run }) => {
    await run([keyed('noel/lyon', 'Un')]);
    return run([another]);
  },
  'another operation under the key of a lost change': again(
    { network: true },
    { key: 'a', ...update },
    { key: 'a', ...deletion },
  ),
  'a deletion that the service may not have made': async ({ api, run }) => {
    await run([keyed('noel/lyon', 'Un')]);
    api.fail({ operation: 'posts.delete', status: 200, body: {} });
    return run([keyed('noel/lyon', 'Un', { platforms: ['gmb'] })]);
  },
  'a preview that was carried out, of a post that is to replace another one': async ({ api, client, journal, run }) => {
    await run([keyed('noel/lyon', 'Un')]);
    api.fail({ operation: 'posts.create', status: 201, body: { id: 1002, status: 'scheduled' } });
    return rehearsePlan(client, planOf([keyed('noel/lyon', 'Un', { platforms: ['gmb'] })]), { journal });
  },
  'a post to prune that goes online meanwhile': async ({ api, client, journal, timer, read }) => {
    const named = (...actions: Action[]): Plan => ({ ...planOf(actions), name: 'noel' });
    const [lyon, paris] = [keyed('lyon', 'Un'), keyed('paris', 'Deux', { scheduled_at: '2035-01-02T09:00:00Z' })];
    await runPlan(client, named(lyon, paris), { journal, timer });
    const plan = named(paris);
    const { id, ...row } = await client.posts.get(Number(read().entries[0]?.ids?.[0]));
    const online = { ...row, id, status: 'published', published_facebook: AT };
    api.fail({ operation: 'posts.get', status: 200, body: online });
    return runPlan(client, plan, { journal, timer, leftOver: 'prune' });
  },
  'a key that may not publish': ({ few, journal, timer }) => runPlan(few, planOf([social]), { journal, timer }),
  'another plan than the approved one': ({ run }) => run([social], { approved: 'a' }),
  'a key of another plan': async ({ client, journal }) => {
    await runPlan(client, { ...planOf([keyed('lundi', 'Un')]), name: 'paques' }, { journal });
    return runPlan(client, { ...planOf([keyed('lundi', 'Deux')]), name: 'noel' }, { journal });
  },
  'no journal': ({ client }) => runPlan(client, planOf([social]), {} as never),
  'a journal of another service': inJournal({ service: 'https://old.test/api/v2' }),
  'a journal of another brand': inJournal({ sphere_id: `sph_${'x'.repeat(500)}` }),
  'a journal of a key with another scope': inJournal({ bulle_id: BULLE }),
  'a journal of a later version': inJournal({ version: 3 }),
  'a journal of an earlier version': inJournal({ version: 1 }),
  'a journal with an unknown field': inJournal({ zones: [] }),
  'a journal whose entry has an unknown field': async ({ run, write }) => {
    await run([post('Un')]);
    write((entry) => ({ ...entry, paused: true }));
    return run([post('Un')]);
  },
  'a journal without a version': inJournal({ version: undefined }),
  'a journal that fails after the response': async ({ client, timer }) => {
    const { load, save } = memoryJournal();
    let saves = 0;
    const broken: typeof save = async (next, previous) => {
      if (++saves > 1) throw new Error('no rows');
      return save(next, previous);
    };
    return runPlan(client, planOf([social]), { journal: { load, save: broken }, timer });
  },
  'a journal that vanishes': async ({ client, timer }) => {
    let text: string | null = null;
    const save = async (next: string) => {
      text = next;
      return true;
    };
    const onStep = () => {
      text = null;
    };
    const journal = {
      load: async () => text,
      save: async (next: string, old: string | null) => old === text && save(next),
    };
    return runPlan(client, planOf([post('Un'), social]), { journal, timer, onStep });
  },
  'a journal that another run has written': async ({ client, timer }) => {
    const journal = memoryJournal();
    const save: typeof journal.save = async (next, previous) => {
      await runPlan(client, planOf([post('Un')]), { journal, timer });
      return journal.save(next, previous);
    };
    return runPlan(client, planOf([post('Un')]), { journal: { ...journal, save }, timer });
  },
  'a key that is settled and was never there': () => settleAction(memoryJournal(), 'info', 'applied'),
  'a key that is settled while a run writes the journal': async ({ api, journal, run }) => {
    api.fail({ operation: 'social.publish', network: true });
    await run([{ ...social, key: 'info' }]);
    return settleAction({ ...journal, save: async () => false }, 'info', 'applied');
  },
  'a key that is settled against the word of the service': async ({ journal, run }) => {
    await run([keyed('noel/lyon', 'Un')]);
    return settleAction(journal, 'noel/lyon', 'not_applied');
  },
  'a key that is settled while its request may be on its way': async (stood) => {
    const journal = memoryJournal();
    await killed({ ...stood, journal }, { key: 'info', ...social }, { age: 0, wait: 0 });
    return settleAction(journal, 'info', 'not_applied');
  },
};

/** What differs between two runs of a test. */
const settled = (text: string) =>
  text
    .replaceAll(/[\da-f]{64}|[\da-f]{30,}…/g, 'KEY')
    .replaceAll(/x{9,}(?=…)/g, 'xxx')
    .replaceAll(/20\d\d-\d\d-\d\d \d\d:\d\d/g, 'MOMENT')
    .replaceAll(/in \d+ seconds/g, 'in SOME seconds')
    .replaceAll(/soc_\w+/g, 'soc_1');

it('says these words', async () => {
  const said: string[] = [];
  for (const [title, scene] of Object.entries(scenes)) {
    const found = await scene(await stage()).catch((error: unknown) => ({ error }));
    const { result = found, error } = Object(found);
    const steps = [...(result.steps ?? [])];
    const problems = steps.flatMap(({ outcome, problem, warning, error: own }) =>
      [problem, warning].flatMap((one) => (one ? [{ ...one, outcome, hint: own?.hint }] : [])),
    );
    const lines = [...problems, ...(error ? [error] : [])].map(({ code, path, message, outcome, hint }) =>
      [
        `${outcome ?? ''} ${code}${path ? ` at ${JSON.stringify(path)}` : ''}: ${message}`,
        ...(hint ? [`→ ${hint}`] : []),
      ].join('\n'),
    );
    expect(lines, title).not.toEqual([]);
    said.push(settled([title, ...lines].join('\n')));
  }
  await expect(`${said.join('\n\n')}\n`).toMatchFileSnapshot('./snapshots/words.txt');
});
