import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { turned } from '@multilocal/test/support/clock';
import { Client, ConfigurationError } from 'multilocal';
import { PlanError } from 'multilocal/internal/errors';
import { describe, expect, it, vi } from 'vitest';
import { LEAVES_WITHIN } from '../src/clock.js';
import type { Plan, PlanJournal, PlanRun, PlanStep } from '../src/index.js';
import { memoryJournal, planStatus, rehearsePlan, requireDone, runPlan, settleAction } from '../src/index.js';
import { RETRY_FOR } from '../src/ledger.js';
import { firstIn, outcomesOf, planOf, post, social, stage, stageOnDisk } from './helpers.js';

/** A journal in memory. `before` is called before each save, and the save fails with what it throws. */
function journalWith(before: (next: string, saves: number) => unknown): PlanJournal {
  const { load, save } = memoryJournal();
  let saves = 0;
  return {
    load,
    save: async (next, previous) => {
      await before(next, ++saves);
      return save(next, previous);
    },
  };
}

/** A journal in memory without a lock, and its texts, to which a test may add one. */
function replaceable() {
  const texts: (string | null)[] = [null];
  const journal: PlanJournal = {
    load: async () => texts.at(-1) ?? null,
    save: async (next, previous) => texts.at(-1) === previous && texts.push(next) > 0,
  };
  return { journal, texts };
}

const outcomeIn = async ({ load }: PlanJournal) => firstIn((await load()) ?? '{"entries":{}}')?.outcome;
/** Lets everything happen that waits for nothing but its turn. */
const turns = async () => {
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe('a run whose journal fails', () => {
  it.each(['an error of the SDK', 'the reason of the signal'])(
    'after the response, with %s, is tried again, and says what happened after half a minute',
    async (what) => {
      const { client, timer, sent } = await stage();
      const controller = new AbortController();
      const failure = what === 'an error of the SDK' ? new ConfigurationError('no rows') : new Error('stop');
      let isBroken = true;
      const journal = journalWith((_, saves) => {
        if (saves < 2 || !isBroken) return;
        if (what !== 'an error of the SDK') controller.abort(failure);
        throw failure;
      });
      const plan = planOf([social]);
      const started = timer.now();
      const run = runPlan(client, plan, { journal, timer, signal: controller.signal });
      await expect(run).rejects.toMatchObject({ code: 'journal_unusable', outcome: 'applied' });
      await expect(run).rejects.toThrow(/social\.publish .*: applied \(id soc_.*(no rows|stop)/);
      expect(timer.now() - started).toBeGreaterThanOrEqual(30_000);
      expect(await outcomeIn(journal)).toBe('started');
      isBroken = false;
      // No read shows a social publication. The service may still be working on it.
      await expect(runPlan(client, plan, { journal, timer })).rejects.toMatchObject({ code: 'journal_locked' });
      await timer.wait(300_000, undefined);
      expect(outcomesOf(await runPlan(client, plan, { journal, timer }))).toEqual(['unknown']);
      expect(sent('social.publish')).toHaveLength(1);
    },
  );

  it('is tried again after longer and longer pauses, whatever it throws', async () => {
    const { client, timer } = await stage();
    const pauses: number[] = [];
    let now = 0;
    const wait = async (ms: number) => {
      pauses.push(ms);
      now += ms;
    };
    const journal = journalWith((_, saves) => saves > 1 && Promise.reject('the disk is full'));
    const run = runPlan(client, planOf([social]), { journal, timer: { ...timer, now: () => now, wait } });
    await expect(run).rejects.toMatchObject({
      message: expect.stringMatching(/: applied \(id soc_\w+\)\. The journal failed\. the disk is full$/),
    });
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 14_500]);
  });

  it.each<[string, Error]>([
    ['an error of a database', Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })],
    ['an error of the file', new PlanError('journal_unusable', 'The disk is full.', 'Make room.')],
  ])('for a moment after the response loses nothing: %s', async (_, failure) => {
    const { client, timer, sent } = await stage();
    const journal = journalWith((__, saves) => {
      if (saves > 1 && saves < 5) throw failure;
    });
    const run = await runPlan(client, planOf([social]), { journal, timer });
    expect(run).toMatchObject({ state: 'done', steps: [{ outcome: 'applied', ids: [expect.any(String)] }] });
    expect(await outcomeIn(journal)).toBe('applied');
    expect(sent('social.publish')).toHaveLength(1);
  });

  it('after it has saved is not taken for another run', async () => {
    const { client, timer } = await stage();
    const { load, save } = memoryJournal();
    let saves = 0;
    const broken: PlanJournal['save'] = async (next, previous) => {
      const isSaved = await save(next, previous);
      if (++saves === 2) throw new Error('the connection broke');
      return isSaved;
    };
    expect((await runPlan(client, planOf([social]), { journal: { load, save: broken }, timer })).state).toBe('done');
  });

  it.each([
    ['vanishes', () => null],
    ['becomes an older one', (texts: (string | null)[]) => texts[1] ?? null],
  ])('because it %s is lost, and nobody is told to run again', async (_, backTo) => {
    const { client, timer, sent } = await stage();
    const { journal, texts } = replaceable();
    const onStep = () => void texts.push(backTo(texts));
    const run = runPlan(client, planOf([post('Un'), post('Deux')]), { journal, timer, onStep });
    await expect(run).rejects.toMatchObject({ code: 'journal_lost', hint: expect.stringContaining('Do not run') });
    await expect(run).rejects.toThrow(/This run has noted: posts\.create .*: applied \(id \d+\)/);
    expect(sent('posts.create')).toHaveLength(1);
  });

  it('because it becomes an older one while a request is on its way is lost', async () => {
    const { client, timer, sent } = await stage();
    const { journal, texts } = replaceable();
    await runPlan(client, planOf([post('Un')]), { journal, timer });
    const old = texts.at(-1) ?? null;
    const onProgress = () => {
      if (texts.at(-1)?.includes('social.publish') && sent('social.publish').length === 0) texts.push(old);
    };
    const running = runPlan(client, planOf([post('Un'), social]), { journal, timer, onProgress });
    await expect(running).rejects.toMatchObject({ code: 'journal_lost', outcome: 'applied' });
  });

  it.each(['nothing', 'an older one'])('because a file becomes %s under its lock is lost', async (what) => {
    const { file, run, sent } = await stageOnDisk();
    await run([post('Un')]);
    const older = readFileSync(file, 'utf8');
    const onStep = () => (what === 'nothing' ? rmSync(file) : writeFileSync(file, older));
    const failure = run([post('Un'), post('Deux'), post('Trois')], { onStep });
    await expect(failure).rejects.toMatchObject({ code: 'journal_lost', outcome: 'not_applied' });
    await expect(failure).rejects.toThrow(/posts\.create .*: applied \(id \d+\)/);
    expect(sent('posts.create')).toHaveLength(2);
  });

  it('before the request ends the run, also with an error of a connection', async () => {
    const { client, timer, sent } = await stage({}, undefined, { maxRetries: 2 });
    const failure = new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) });
    const save = vi.fn(() => Promise.reject(failure));
    const run = runPlan(client, planOf([social]), { journal: journalWith(save), timer });
    await expect(run).rejects.toMatchObject({ code: 'journal_unusable', outcome: 'not_applied', cause: failure });
    expect(save).toHaveBeenCalledOnce();
    expect(sent('social.publish')).toEqual([]);
  });

  /** A journal whose calls may hang, in which a person must settle the key `info`. */
  async function stuck(calls: object) {
    const { api, client, timer, journal, run, sent } = await stage();
    api.fail({ operation: 'social.publish', network: true });
    await run([{ ...social, key: 'info' }]);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const own = { ...journal, ...calls };
    const settle = () => settleAction(own, 'info', 'applied', { ids: ['soc_9'] });
    return { settle, run: () => runPlan(client, planOf([post('Un')]), { journal: own, timer }), sent };
  }

  it.each(['load', 'save', 'hold'] as const)('and never answers a %s ends after half a minute', async (name) => {
    const { run, settle, sent } = await stuck({ [name]: () => new Promise<never>(() => {}) });
    // A journal whose lock is taken may throw what it likes.
    const hint = expect.stringMatching(name === 'hold' ? /^Wait until/ : /^Repair/);
    const error = { code: 'journal_unusable', hint };
    await expect(turned(run(), 500)).rejects.toMatchObject(error);
    await expect(turned(settle(), 500)).rejects.toMatchObject(error);
    expect(sent('posts.create')).toEqual([]);
  });

  it.each([
    ['fails', async () => Promise.reject(new Error('no lock'))],
    ['never answers', () => new Promise<void>(() => {})],
    ['is not a promise', () => {}],
  ])('when it releases its lock has done its work all the same: %s', async (_, release) => {
    const { run, settle } = await stuck({ hold: async () => release });
    await turned(settle(), 500);
    expect((await turned(run(), 500)).state).toBe('done');
  });

  it('with its lock after half a minute has it back at once', async () => {
    const release = vi.fn(async () => {});
    const hold = () => new Promise((resolve) => setTimeout(resolve, RETRY_FOR + 1, release));
    const { settle } = await stuck({ hold });
    await expect(turned(settle(), 500)).rejects.toMatchObject({ code: 'journal_unusable', outcome: 'not_applied' });
    await vi.advanceTimersByTimeAsync(1);
    expect(release).toHaveBeenCalledOnce();
  });
});

it.each([
  ['the start', 1, 'not_applied', 0, (text: string) => text],
  ['the ending', 2, 'applied', 1, (text: string) => text],
  ['the ending, shown otherwise each time', 2, 'applied', 1, (text: string, turn: number) => text + ' '.repeat(turn)],
])(
  'a journal that refuses every save although nobody writes ends the run after a bounded number of tries, and lets others work: %s',
  async (_, from, outcome, requests, shown) => {
    const { client, timer, sent } = await stage();
    const { load, save } = memoryJournal();
    let [saves, waits] = [0, 0];
    const show = async () => shown((await load()) ?? '', saves) || null;
    const stuck: PlanJournal = { load: show, save: async (...texts) => ++saves < from && save(...texts) };
    const wait = async (ms: number) => {
      waits++;
      await timer.wait(ms, undefined);
    };
    const run = runPlan(client, planOf([social]), { journal: stuck, timer: { ...timer, wait } });
    await expect(run).rejects.toMatchObject({ code: 'journal_unusable', outcome });
    expect([sent('social.publish').length, saves < 1_000, waits > 0]).toEqual([requests, true, true]);
  },
);

describe('requireDone', () => {
  const step = (outcome: PlanStep['outcome'], message?: string): PlanStep => {
    const problem = { problem: { code: 'x', message: message ?? '', path: [] } };
    return { index: 0, key: 'a', operation: 'posts.create', outcome, ...(message && problem) };
  };
  const problems = [{ code: 'left_over', message: 'Still scheduled.', path: [] }];
  const left = { key: 'old', ids: [], summary: '', step: 'refuse', posts: [], problems } as const;
  it.each<[string, Pick<PlanRun, 'state' | 'steps' | 'leftOvers'>, string, string]>([
    ['a refusal', { state: 'stopped', steps: [step('not_applied', 'No.')], leftOvers: [] }, 'No.', 'not_applied'],
    ['what stays unknown', { state: 'partly', steps: [step('unknown', 'Lost.')], leftOvers: [] }, 'Lost.', 'unknown'],
    ['left-overs', { state: 'stopped', steps: [], leftOvers: [left] }, 'Still scheduled.', 'not_applied'],
    ['a signal', { state: 'stopped', steps: [step('not_applied')], leftOvers: [] }, 'its signal', 'not_applied'],
  ])('throws because of %s', (_, run, message, outcome) => {
    expect(() => requireDone(run)).toThrow(expect.objectContaining({ code: 'plan_incomplete', outcome }));
    expect(() => requireDone(run)).toThrow(message);
  });

  it('says nothing about what is done', () => {
    expect(requireDone({ state: 'done', steps: [step('applied')], leftOvers: [] })).toBeUndefined();
  });
});

it.each(['journal_unusable', 'journal_locked'] as const)(
  'a journal that cannot note what was seen online is told, unless a run holds it: %s',
  async (code) => {
    const { client, journal, run, read } = await stage();
    const plan = [{ key: 'a', ...post('Un') }];
    await run(plan);
    await client.posts.publish(Number(read().entries[0]?.ids?.[0]));
    const stuck = { load: journal.load, save: () => Promise.reject(new PlanError(code, 'Stuck.', 'Wait.')) };
    const { warnings } = await rehearsePlan(client, planOf(plan), { journal: stuck });
    expect(warnings).toEqual(code === 'journal_locked' ? [] : [{ code, message: 'Stuck.', path: [] }]);
    expect((await planStatus(client, planOf(plan), { journal: stuck })).actions[0]?.state).toBe('online');
  },
);

describe('a run whose journal is slow', () => {
  it('notes the end of an interrupted action after its start', async () => {
    const { client, timer, sent } = await stage();
    const controller = new AbortController();
    const order: string[] = [];
    const journal = journalWith(async (next, saves) => {
      if (saves === 1) controller.abort(new Error('stop'));
      await turns();
      order.push(String(firstIn(next)?.outcome));
    });
    const run = await runPlan(client, planOf([social]), { journal, timer, signal: controller.signal });
    expect(run).toMatchObject({ state: 'stopped', requests: 0, steps: [{ outcome: 'not_applied' }] });
    expect(order).toEqual(['started', 'not_applied']);
    expect(sent('social.publish')).toEqual([]);
  });

  it('notes the end of an attempt that ran out of time after its start', async () => {
    const { client, timer, sent } = await stage({}, undefined, { timeout: 1_000 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    // Longer than the time limit of the attempt.
    const journal = journalWith(() => new Promise((resolve) => setTimeout(resolve, 3_000)));
    const run = await turned(runPlan(client, planOf([social]), { journal, timer }), 10);
    expect(run).toMatchObject({ state: 'stopped', requests: 0, steps: [{ outcome: 'not_applied' }] });
    expect(await outcomeIn(journal)).toBe('not_applied');
    expect(sent('social.publish')).toEqual([]);
  });

  it('can be interrupted while no save is fast enough', async () => {
    const { client, timer, sent } = await stage();
    const controller = new AbortController();
    const journal = journalWith(async (_, saves) => {
      await timer.wait(LEAVES_WITHIN + 1, undefined);
      if (saves === 3) controller.abort(new Error('stop'));
      if (saves > 9) throw new Error('It goes on.');
    });
    const run = await runPlan(client, planOf([social]), { journal, timer, signal: controller.signal });
    expect(run.state).toBe('stopped');
    expect(sent('social.publish')).toEqual([]);
  });
});

describe('a run that was interrupted before it began', () => {
  it('is stopped, and tells what earlier runs have done', async () => {
    const { run } = await stage();
    await run([post('Un')]);
    const { result } = await run([post('Un'), social], { signal: AbortSignal.abort(new Error('stop')) });
    expect(result).toMatchObject({ state: 'stopped', requests: 0 });
    expect(outcomesOf(result)).toEqual(['applied', 'not_applied']);
  });

  it('is stopped while it looks for posts to prune, and deletes nothing', async () => {
    const { client, journal, timer, watch } = await stage();
    const named = (...keys: string[]) =>
      ({ name: 'noel', actions: keys.map((key) => ({ key, ...post(key) })) }) as Plan;
    await runPlan(client, named('noel/a', 'noel/b'), { journal, timer });
    const requests = watch();
    const signal = AbortSignal.abort(new Error('stop'));
    const run = await runPlan(client, named('noel/a'), { journal, timer, leftOver: 'prune', signal });
    expect([run.state, outcomesOf(run)]).toEqual(['stopped', ['applied']]);
    expect(requests()).toEqual([]);
  });

  it('is stopped before the identity is known', async () => {
    const { api, timer } = await stage();
    const client = new Client({ apiKey: api.keys.sphere, baseUrl: api.baseUrl, fetch: api.handle, rateLimit: false });
    const signal = AbortSignal.abort(new Error('stop'));
    const run = await runPlan(client, planOf([social]), { journal: memoryJournal(), timer, signal });
    expect(run).toEqual({ state: 'stopped', steps: [], warnings: [], leftOvers: [], requests: 0 });
  });
});
