import { randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, uptime } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Lock } from '@multilocal/stores/journal/lock';
import { Client } from 'multilocal';
import { fileJournal } from 'multilocal/node';
import { describe, expect, it } from 'vitest';
import { memoryJournal, rehearsePlan, runPlan } from '../src/index.js';
import { type Action, firstIn, folder, planOf, post, social, stage, stageOnDisk } from './helpers.js';

const lockOf = (file: string) => file.replace(/json$/, 'lock');

describe('a journal', () => {
  it('is not taken for an older one because the clock of another machine is behind', async () => {
    const { client, journal, timer } = await stage();
    const { load, save } = journal;
    const behind = { ...timer, date: () => timer.date() - 600_000 };
    const update = (content: string) => ({ key: 'a', operation: 'posts.update', params: { post_id: 131, content } });
    await runPlan(client, planOf([update('Un')]), { journal, timer });
    let isFirst = true;
    const slow: typeof save = async (next, previous) => {
      if (isFirst) {
        isFirst = false;
        await runPlan(client, planOf([update('Deux')]), { journal, timer: behind });
      }
      return save(next, previous);
    };
    const run = runPlan(client, planOf([update('Un'), post('Un')]), { journal: { load, save: slow }, timer });
    expect((await run).state).toBe('done');
  });

  it('is nobody’s business where a plan does not have its keys', async () => {
    const { api, run, read, sent } = await stage();
    api.fail({ operation: 'social.publish', network: true });
    await run([post('Un'), social]);
    expect((await run([post('Deux')])).result.state).toBe('done');
    expect((await run([post('Deux'), post('Un')])).result.state).toBe('done');
    expect(sent('posts.create')).toHaveLength(2);
    expect(read().entries.map(({ outcome }) => outcome)).toEqual(['applied', 'unknown', 'applied']);
  });

  const wrong = { made: { digests: 7, ids: [{}] }, sent: { change: 'move', before: 7 }, begun_at: 'soon' };
  const wrongFields = [
    '`KEY.begun_at` must be an ISO 8601 date.',
    '`KEY.made.digests` must be an object; received a number.',
    '`KEY.sent.change` must be one of update, delete; received "move".',
    '`KEY.made.ids[0]` must be a string or a number; received an object.',
    '`KEY.sent.before` must be an object; received a number.',
  ];
  it.each([
    ['not JSON', '{ "version": 2,', ['It is not JSON.']],
    ['nothing in JSON', 'null', ['The journal must be an object; received null.']],
    ['empty', '', ['is empty.']],
    ['no version', '{}', ['`version`']],
    ['wrong fields', undefined, wrongFields],
  ])('that is damaged is refused: %s', async (_, text, expected) => {
    const { api, file, run, write } = await stageOnDisk();
    await run([post('Un')]);
    if (text === undefined) write((entry) => ({ ...entry, ...wrong }));
    else writeFileSync(file, text);
    const requests = api.requests.length;
    const failure = run([post('Un')]);
    await expect(failure).rejects.toMatchObject({ code: 'journal_damaged' });
    const { message } = (await failure.catch((error) => error)) as Error;
    expect(message).toMatch(/^The journal is damaged\. /);
    for (const part of expected) expect(message.replaceAll(/entries\.[\da-f]{64}/g, 'KEY')).toContain(part);
    expect(api.requests).toHaveLength(requests);
    expect(existsSync(lockOf(file))).toBe(false);
  });

  it('is the same for every form of the address', async () => {
    const { api, journal, run } = await stage();
    await run([post('Un')]);
    const { baseUrl: base } = api;
    for (const baseUrl of [`${base}/`, `${base}/api/v2`, base.toUpperCase().replace('API.', 'api.')]) {
      const client = await Client.connect({ apiKey: api.keys.sphere, baseUrl, fetch: api.handle, rateLimit: false });
      const { actions } = await rehearsePlan(client, planOf([post('Un')]), { journal });
      expect(actions).toMatchObject([{ state: 'done' }]);
    }
  });

  it('that cannot be read keeps the run from sending anything', async () => {
    const { file, run, sent } = await stageOnDisk();
    mkdirSync(file);
    const failure = run([post('Un')]);
    await expect(failure).rejects.toMatchObject({ code: 'journal_unusable', outcome: 'not_applied' });
    expect(sent('posts.create')).toEqual([]);
  });

  it('that is a symbolic link is written through it', async () => {
    const { file, run } = await stageOnDisk();
    await run([post('Un')]);
    const target = join(folder(), 'kept.json');
    renameSync(file, target);
    symlinkSync(target, file);
    await run([post('Un'), post('Deux')]);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(Object.keys(JSON.parse(readFileSync(target, 'utf8')).entries)).toHaveLength(2);
  });

  it('that several plans share by a symbolic link has one lock', async () => {
    const { file, run } = await stageOnDisk();
    await run([post('Un')]);
    const other = join(folder(), 'other.journal.json');
    symlinkSync(file, other);
    const release = await fileJournal(file).hold?.();
    await expect(run([post('Un')], { journal: fileJournal(other) })).rejects.toMatchObject({ code: 'journal_locked' });
    await release?.();
    expect((await run([post('Un')], { journal: fileJournal(other) })).result.state).toBe('done');
    expect(readdirSync(dirname(other)).sort()).toEqual(['other.journal.json']);
  });

  it('leaves nothing but itself behind, also not what killed runs left', async () => {
    const { file, run } = await stageOnDisk();
    const [lock, id] = [basename(lockOf(file)), randomUUID()];
    for (const name of ['.plan.json.journal.json', `.${lock}`, `.${lock}.${id}`, `${lock}.${id}`])
      writeFileSync(join(dirname(file), name.startsWith('.') ? `${name}.${id}.tmp` : name), '{');
    await run([post('Un')]);
    expect(readdirSync(dirname(file)).sort()).toEqual(['plan.json.journal.json']);
  });
});

/** A process id that no process has: ids are below it on every system that runs the tests. */
const NOBODY = 2 ** 30;

describe('a lock', () => {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const holder = (fields: object) => {
    return JSON.stringify({ id: randomUUID(), pid: NOBODY, host: hostname(), boot, started: 1, ...fields });
  };

  it.each([
    ['a dead process', {}],
    ['this process, which does not hold it', { pid: process.pid }],
    ['an earlier process with the id of this one', { pid: process.pid, started: 1 }],
  ])('of %s is taken over', async (_, fields) => {
    const file = join(folder(), 'plan.lock');
    writeFileSync(file, holder(fields));
    const lock = await Lock.take(file);
    expect(JSON.parse(readFileSync(file, 'utf8')).pid).toBe(process.pid);
    await lock.release();
    expect(readdirSync(dirname(file))).toEqual([]);
  });

  const idOf = (read: () => string) => {
    try {
      return read().trim() || undefined;
    } catch {
      return undefined;
    }
  };
  const machine = idOf(() => readFileSync('/etc/machine-id', 'utf8'));
  const namespace = idOf(() => readlinkSync('/proc/self/ns/pid'));
  const early = { boot: randomUUID(), started: Date.now() - uptime() * 1000 - 60_000 };
  const foreign: [string, string][] = [
    ['a living process', holder({ pid: process.ppid })],
    ['another machine', holder({ host: 'elsewhere' })],
    ['another machine with the same host name', holder({ machine: randomUUID() })],
    ['another machine with the same host name, by its boot', holder({ boot: randomUUID(), started: Date.now() })],
    ['another machine with the same host name, started before this one', holder(early)],
    ['another container before the last boot', holder({ ...early, machine, namespace: 'pid:[1]' })],
    ['a machine without ids', holder({ boot: undefined })],
    ...(namespace ? [['another container', holder({ namespace: 'pid:[1]' })] as [string, string]] : []),
    ['nobody knows who', ''],
  ];
  it.each(foreign)('of %s is refused', async (_, content) => {
    const file = join(folder(), 'plan.lock');
    writeFileSync(file, content);
    await expect(Lock.take(file)).rejects.toMatchObject({ code: 'journal_locked' });
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  it('that is a symbolic link to nothing is refused', async () => {
    const file = join(folder(), 'plan.lock');
    symlinkSync(join(dirname(file), 'nowhere'), file);
    await expect(Lock.take(file)).rejects.toMatchObject({
      code: 'journal_unusable',
      hint: expect.stringContaining(`Delete ${file}`),
    });
    expect(readdirSync(dirname(file))).toEqual(['plan.lock']);
  });

  it('with a long host name is not printed whole', async () => {
    const file = join(folder(), 'plan.lock');
    writeFileSync(file, holder({ host: `\u001b[2J${'x'.repeat(100_000)}` }));
    const { message } = (await Lock.take(file).catch((error) => error)) as Error;
    expect(message).toMatch(/holds the lock: process \d+/);
    expect(message.length).toBeLessThan(1000);
  });

  it.skipIf(!machine)('of a process before the last boot is taken over', async () => {
    const file = join(folder(), 'plan.lock');
    writeFileSync(file, holder({ pid: process.ppid, boot: randomUUID(), machine, namespace }));
    await (await Lock.take(file)).release();
    expect(readdirSync(dirname(file))).toEqual([]);
  });

  it('of a process that died while it took over another one is taken over', async () => {
    const file = join(folder(), 'plan.lock');
    const id = randomUUID();
    writeFileSync(file, holder({ id }));
    writeFileSync(`${file}.${id}`, holder({}));
    await (await Lock.take(file)).release();
    expect(readdirSync(dirname(file))).toEqual([]);
  });

  it('of another run stays when this run ends, and this run writes nothing more', async () => {
    const { file, journal, run } = await stageOnDisk();
    const lock = lockOf(file);
    let before = '';
    const save: typeof journal.save = async (next, previous) => {
      if (previous !== null) {
        // A person has deleted the lock, and another run has begun.
        writeFileSync(lock, holder({ pid: process.ppid }));
        before = previous;
      }
      return journal.save(next, previous);
    };
    const failure = run([post('Un')], { journal: { ...journal, save } });
    const hint = expect.not.stringContaining('Repair the journal');
    await expect(failure).rejects.toMatchObject({ code: 'journal_locked', outcome: 'applied', hint });
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(JSON.parse(readFileSync(lock, 'utf8')).pid).toBe(process.ppid);
  });
});

describe('two runs that share a journal without a lock', () => {
  /** A run that stops before one of its saves until the other one has ended. */
  async function together(actions: readonly Action[], stopAt: number) {
    const { api, client, sent, timer } = await stage();
    const journal = memoryJournal();
    let saves = 0;
    let other: PromiseSettledResult<unknown> | undefined;
    const save: typeof journal.save = async (next, previous) => {
      if (++saves === stopAt) {
        [other] = await Promise.allSettled([runPlan(client, planOf(actions), { journal, timer })]);
      }
      return journal.save(next, previous);
    };
    const [first] = await Promise.allSettled([
      runPlan(client, planOf(actions), { journal: { ...journal, save }, timer }),
    ]);
    const last = await runPlan(client, planOf(actions), { journal, timer });
    return { api, first, other, last, sent };
  }

  it.each([1, 2, 3, 4])('do everything once, if one of them stops before its save %i', async (stopAt) => {
    const { api, first, other, last, sent } = await together([post('Un'), post('Deux')], stopAt);
    // What it has sent, it knows better than the other one, which has only looked.
    if (stopAt % 2 === 0) expect(first).toMatchObject({ status: 'fulfilled', value: { state: 'done' } });
    else expect(first).toMatchObject({ status: 'rejected', reason: { code: 'journal_locked' } });
    expect(other).toMatchObject({ status: 'fulfilled', value: { state: 'done' } });
    expect(last.state).toBe('done');
    expect(sent('posts.create')).toHaveLength(2);
    const made = api.posts.all().filter(({ content }) => content === 'Un' || content === 'Deux');
    expect(made).toHaveLength(2);
  });

  it.each([1, 2, 3, 4, 5])('do an action once if they begin at the same moment (%i)', async () => {
    const { client, sent } = await stage();
    const journal = memoryJournal();
    const ended = await Promise.allSettled([1, 2].map(() => runPlan(client, planOf([post('Un')]), { journal })));
    expect(ended.map(({ status }) => status)).toContain('fulfilled');
    expect(sent('posts.create')).toHaveLength(1);
  });

  it('leave the one alone that still works', async () => {
    const { client, sent, timer } = await stage();
    const journal = memoryJournal();
    const plan = planOf([post('Un'), post('Deux')]);
    const wait = async () => {
      // While the second one looks for the result, the first one goes on.
      await first.resume();
    };
    const first = stopped(journal);
    const running = runPlan(client, plan, { journal: first.journal, timer });
    await first.isStarted;
    const second = runPlan(client, plan, { journal, timer: { ...timer, wait } });
    await expect(second).rejects.toMatchObject({ code: 'journal_locked' });
    expect((await running).state).toBe('done');
    expect(sent('posts.create')).toHaveLength(2);
  });

  it('save a start anew if it could not leave within half a minute', async () => {
    const { client, timer } = await stage();
    const journal = memoryJournal();
    const outcomes: string[] = [];
    const save: typeof journal.save = async (next, previous) => {
      if (outcomes.length === 0) await timer.wait(31_000, undefined);
      outcomes.push(String(firstIn(next)?.outcome));
      return journal.save(next, previous);
    };
    await runPlan(client, planOf([post('Un')]), { journal: { ...journal, save }, timer });
    expect(outcomes).toEqual(['started', 'started', 'applied']);
  });
});

/** A journal whose first start is saved, and that returns only when it is told to. */
function stopped(journal: ReturnType<typeof memoryJournal>) {
  let started = () => {};
  let resume = () => {};
  const isStarted = new Promise<void>((resolve) => {
    started = resolve;
  });
  const isResumed = new Promise<void>((resolve) => {
    resume = resolve;
  });
  let saves = 0;
  const save: typeof journal.save = async (next, previous) => {
    const isSaved = await journal.save(next, previous);
    if (++saves === 1) {
      started();
      await isResumed;
    }
    return isSaved;
  };
  return {
    isStarted,
    journal: { ...journal, save },
    /** Lets it go on, and waits until it has written again. */
    resume: async () => {
      resume();
      for (let turns = 0; saves < 2 && turns < 10_000; turns++) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
