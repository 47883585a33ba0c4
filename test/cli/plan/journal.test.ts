import { randomUUID } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, uptime } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Journal, readPlan, runPlan } from '../../../src/cli/plan/index.js';
import { Lock } from '../../../src/cli/plan/lock.js';
import { type Action, folder, planOf, stage } from './helpers.js';

const BULLE = 'bul_lyon_croix_rousse';
const post = (content: string): Action => ({
  operation: 'posts.create',
  params: { content, platforms: ['facebook'], bulle_id: BULLE },
});

describe('a journal', () => {
  it('follows its actions when the plan is reordered and grows', async () => {
    const { run, sent } = await stage();
    await run([post('Un'), post('Deux')]);
    const { result } = await run([post('Trois'), post('Deux'), post('Un'), post('Un')]);
    expect(result.state).toBe('done');
    expect(sent('posts.create')).toHaveLength(4);
  });

  it('refuses a plan without an action that happened', async () => {
    const { api, run, sent } = await stage();
    await run([post('Un'), post('Deux')]);
    const requests = api.requests.length;
    const failure = run([post('Un'), post('Deux !')]);
    await expect(failure).rejects.toMatchObject({ code: 'plan_changed' });
    await expect(failure).rejects.toThrow(/posts\.create \(bulle_id bul_lyon_croix_rousse\) of 20.*`applied`/);
    expect(api.requests).toHaveLength(requests);
    expect(sent('posts.create')).toHaveLength(2);
  });

  it.each(['started', 'unknown'])('refuses a plan without an action that is %s', async (outcome) => {
    const { run, read, write } = await stage();
    await run([post('Un')]);
    const { entries, ...head } = read();
    write({ ...head, entries: entries.map((entry) => ({ ...entry, outcome })) });
    await expect(run([post('Deux')])).rejects.toMatchObject({ code: 'plan_changed' });
  });

  it('forgets an action that did not happen', async () => {
    const { api, run, read } = await stage();
    api.fail({ operation: 'posts.create', status: 422 });
    await run([post('Un')]);
    expect((await run([post('Deux')])).result.state).toBe('done');
    expect(read().entries).toHaveLength(1);
  });

  it.each([
    ['not JSON', '{ "version": 1,', 'It is not JSON.'],
    ['empty', '', 'It is not JSON.'],
    ['another version', '{"version":2}', '`version` must be 1'],
    ['a misspelled outcome', undefined, 'Did you mean "applied"?'],
  ])('that is damaged is refused: %s', async (_, text, expected) => {
    const { api, file, run, read, write } = await stage();
    await run([post('Un')]);
    if (text === undefined) {
      const { entries, ...head } = read();
      write({ ...head, entries: entries.map((entry) => ({ ...entry, outcome: 'aplied' })) });
    } else writeFileSync(`${file}.journal.json`, text);
    const requests = api.requests.length;
    const failure = run([post('Un')]);
    await expect(failure).rejects.toMatchObject({ code: 'journal_damaged' });
    await expect(failure).rejects.toThrow(`${file}.journal.json is damaged.`);
    await expect(failure).rejects.toThrow(expected);
    expect(api.requests).toHaveLength(requests);
    expect(existsSync(`${file}.journal.lock`)).toBe(false);
  });

  it.each([
    ['service', 'https://other.example.com/api/v2', 'another service'],
    ['sphere_id', 'sph_other', 'another brand'],
    ['bulle_id', BULLE, 'a key with another scope'],
  ])('of another %s is refused', async (name, value, expected) => {
    const { api, run, read, write } = await stage();
    await run([post('Un')]);
    write({ ...read(), [name]: value });
    const requests = api.requests.length;
    const failure = run([post('Un')]);
    // A copy of the plan has no journal: everything would happen again.
    const hint = expect.not.stringMatching(/new file|copy the plan/);
    await expect(failure).rejects.toMatchObject({ code: 'journal_of_another_brand', hint });
    await expect(failure).rejects.toThrow(expected);
    expect(api.requests).toHaveLength(requests);
  });

  it('of a service that has moved goes on after the change that its hint names', async () => {
    const { api, run, read, write, sent } = await stage();
    await run([post('Un')]);
    write({ ...read(), service: 'https://old.example.com/api/v2' });
    const { hint } = (await run([post('Un')]).catch((error) => error)) as { hint: string };
    expect(hint).toContain(`set \`service\` in the journal to ${api.baseUrl}/api/v2`);
    write({ ...read(), service: `${api.baseUrl}/api/v2` });
    expect((await run([post('Un')])).result.state).toBe('done');
    expect(sent('posts.create')).toHaveLength(1);
  });

  it('with a long name of a brand is not printed whole', async () => {
    const { run, read, write } = await stage();
    await run([post('Un')]);
    write({ ...read(), sphere_id: 'x'.repeat(100_000) });
    const { message } = (await run([post('Un')]).catch((error) => error)) as Error;
    expect(message).toMatch(/belongs to another brand/);
    expect(message.length).toBeLessThan(1000);
  });

  it.each<[string, (from: string, to: string) => void]>([
    ['renamed', renameSync],
    ['hard-linked', linkSync],
    ['copied', copyFileSync],
  ])('refuses a plan of the same folder that was %s and has no journal', async (_, rename) => {
    const { client, file, owner, run, sent } = await stage();
    await run([post('Un'), post('Deux')]);
    const other = join(dirname(file), 'other.json');
    rename(file, other);
    const plan = await readPlan(other);
    for (const open of [Journal.open, Journal.read]) {
      const failure = open(plan, owner());
      await expect(failure).rejects.toMatchObject({
        code: 'journal_of_another_plan',
        hint: expect.stringContaining(`${other}.journal.json`),
      });
      await expect(failure).rejects.toThrow(`${file}.journal.json has the action posts.create`);
    }
    expect(existsSync(`${other}.journal.lock`)).toBe(false);
    renameSync(`${file}.journal.json`, `${other}.journal.json`);
    const journal = await Journal.open(plan, owner());
    expect((await runPlan(client, plan, journal)).state).toBe('done');
    await journal.close();
    expect(sent('posts.create')).toHaveLength(2);
  });

  it('that was copied with its plan and has gone on is never to be replaced by the other one', async () => {
    const { file, owner, run } = await stage();
    await run([post('Un')]);
    const other = join(dirname(file), 'other.json');
    copyFileSync(`${file}.journal.json`, `${other}.journal.json`);
    await run([post('Un'), post('Deux')]);
    const plan = planOf([post('Un'), post('Deux')], other);
    await expect(Journal.open(plan, owner())).rejects.toMatchObject({
      code: 'journal_of_another_plan',
      hint: expect.not.stringContaining('rename'),
    });
  });

  it('of another plan does not matter if the action did not happen, may be repeated or is of another location', async () => {
    const { api, file, owner, run, read } = await stage();
    const update = { operation: 'posts.update', params: { post_id: 131, content: 'Autre' } };
    const audit = { operation: 'seo.scan' };
    api.fail({ operation: 'posts.create', status: 422 });
    await run([update, post('Un')]);
    const folderOf = dirname(file);
    const { entries, ...head } = read();
    const scan = { ...entries[0], operation: 'seo.scan', action: planOf([audit], file).actions[0]?.hash };
    writeFileSync(
      join(folderOf, 'nantes.json.journal.json'),
      JSON.stringify({ ...head, bulle_id: 'bul_nantes', entries: [scan] }),
    );
    writeFileSync(join(folderOf, 'notes.journal.json'), 'not of ours');
    mkdirSync(join(folderOf, 'folder.journal.json'));
    symlinkSync(join(folderOf, 'nowhere'), join(folderOf, 'gone.journal.json'));
    const plan = planOf([update, post('Un'), audit], join(folderOf, 'other.json'));
    await expect(Journal.read(plan, owner())).resolves.toBeDefined();
  });

  it('is the same for every form of the address', async () => {
    const { api, client, file, run } = await stage();
    await run([post('Un')]);
    const identity = await client.me();
    const plan = planOf([post('Un')], file);
    for (const baseUrl of [
      `${api.baseUrl}/`,
      `${api.baseUrl}/api/v2`,
      api.baseUrl.toUpperCase().replace('API.', 'api.'),
    ]) {
      const journal = await Journal.read(plan, { baseUrl, identity });
      expect(journal.entryOf(plan.actions[0] as never)?.outcome).toBe('applied');
    }
  });

  it('that cannot be read keeps the run from sending anything', async () => {
    const { file, run, sent } = await stage();
    mkdirSync(`${file}.journal.json`);
    const failure = run([post('Un')]);
    await expect(failure).rejects.toMatchObject({ code: 'journal_unusable', outcome: 'not_applied' });
    expect(sent('posts.create')).toEqual([]);
  });

  it('that cannot be written after a request says that the outcome is unknown', async () => {
    const { api, client, file, owner, run, sent } = await stage();
    const plan = planOf([post('Un')], file);
    const journal = await Journal.open(plan, owner());
    const onStep = () => {
      rmSync(journal.file);
      mkdirSync(journal.file);
    };
    await expect(runPlan(client, plan, journal, { onStep })).rejects.toMatchObject({
      code: 'journal_unusable',
      outcome: 'unknown',
    });
    await journal.close();
    expect(sent('posts.create')).toHaveLength(1);
    expect(api.posts.all().filter(({ content }) => content === 'Un')).toHaveLength(1);
    await expect(run([post('Un')])).rejects.toThrow();
  });

  it('is the same for a symbolic link to the plan', async () => {
    const { file, owner, run } = await stage();
    await run([post('Un')]);
    const link = join(folder(), 'link.json');
    symlinkSync(file, link);
    const plan = { ...planOf([post('Un')], file), file: link };
    const journal = await Journal.open(plan, owner());
    expect(journal.entryOf(plan.actions[0] as never)?.outcome).toBe('applied');
    await expect(Journal.open({ ...plan, file }, owner())).rejects.toMatchObject({ code: 'journal_locked' });
    await journal.close();
  });

  it('that is a symbolic link is written through it', async () => {
    const { file, run } = await stage();
    await run([post('Un')]);
    const target = join(folder(), 'kept.json');
    renameSync(`${file}.journal.json`, target);
    symlinkSync(target, `${file}.journal.json`);
    await run([post('Un'), post('Deux')]);
    expect(lstatSync(`${file}.journal.json`).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(target, 'utf8')).entries).toHaveLength(2);
  });

  it('that several plans share by a symbolic link has one lock', async () => {
    const { file, owner, run } = await stage();
    await run([post('Un')]);
    const other = join(folder(), 'other.json');
    symlinkSync(`${file}.journal.json`, `${other}.journal.json`);
    const journal = await Journal.open(planOf([post('Un')], file), owner());
    await expect(Journal.open(planOf([post('Un')], other), owner())).rejects.toMatchObject({ code: 'journal_locked' });
    await journal.close();
    await (await Journal.open(planOf([post('Un')], other), owner())).close();
    expect(readdirSync(dirname(other)).sort()).toEqual(['other.json', 'other.json.journal.json']);
  });

  it('leaves nothing but itself behind, also not what killed runs left', async () => {
    const { file, run } = await stage();
    writeFileSync(join(dirname(file), `.plan.json.journal.json.${randomUUID()}.tmp`), '{');
    writeFileSync(`${file}.journal.lock.${randomUUID()}.tmp`, '{');
    await run([post('Un')]);
    expect(readdirSync(dirname(file)).sort()).toEqual(['plan.json', 'plan.json.journal.json']);
  });
});

/** A process id that no process has: ids are below it on every system that runs the tests. */
const NOBODY = 2 ** 30;

describe('a lock', () => {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const holder = (fields: object) => {
    return JSON.stringify({ id: randomUUID(), pid: NOBODY, host: hostname(), boot, started: 1, ...fields });
  };

  it('is held by one run at a time', async () => {
    const file = join(folder(), 'plan.lock');
    const lock = await Lock.take(file);
    await expect(Lock.take(file)).rejects.toMatchObject({
      code: 'journal_locked',
      hint: expect.stringContaining(file),
    });
    await lock.release();
    await (await Lock.take(file)).release();
    expect(existsSync(file)).toBe(false);
  });

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
  const beforeBoot = Date.now() - uptime() * 1000 - 60_000;
  const foreign: [string, string][] = [
    ['a living process', holder({ pid: process.ppid })],
    ['another machine', holder({ host: 'elsewhere' })],
    ['another machine with the same host name', holder({ machine: randomUUID() })],
    ['another machine with the same host name, by its boot', holder({ boot: randomUUID(), started: Date.now() })],
    [
      'another machine with the same host name and no id, which was started before this one',
      holder({ boot: randomUUID(), started: beforeBoot }),
    ],
    [
      'another container before the last boot, on a machine with the same id',
      holder({ boot: randomUUID(), started: beforeBoot, machine, namespace: 'pid:[1]' }),
    ],
    ['a machine without ids', holder({ boot: undefined })],
    ...(existsSync('/proc/self/ns/pid')
      ? [['another container', holder({ namespace: 'pid:[1]' })] as [string, string]]
      : []),
    ['nobody knows who', ''],
  ];
  it.each(foreign)('of %s is refused', async (_, content) => {
    const file = join(folder(), 'plan.lock');
    writeFileSync(file, content);
    await expect(Lock.take(file)).rejects.toMatchObject({ code: 'journal_locked' });
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  it('that is a symbolic link to nothing is refused', { timeout: 20_000 }, async () => {
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
    const { file, owner } = await stage();
    const plan = planOf([post('Un')], file);
    const journal = await Journal.open(plan, owner());
    const action = plan.actions[0] as (typeof plan.actions)[0];
    await journal.start(action, new Date());
    // A person has deleted the lock, and another run has begun.
    const lock = `${file}.journal.lock`;
    writeFileSync(lock, holder({ pid: process.ppid }));
    const before = readFileSync(`${file}.journal.json`, 'utf8');
    await expect(journal.end(action, { outcome: 'applied' })).rejects.toMatchObject({
      code: 'journal_locked',
      outcome: 'unknown',
    });
    await journal.close();
    expect(readFileSync(`${file}.journal.json`, 'utf8')).toBe(before);
    expect(JSON.parse(readFileSync(lock, 'utf8')).pid).toBe(process.ppid);
  });

  it('is refused to the second of two runs', async () => {
    const { client, file, owner } = await stage();
    const plan = planOf([post('Un')], file);
    const journal = await Journal.open(plan, owner());
    await expect(Journal.open(plan, owner())).rejects.toMatchObject({ code: 'journal_locked' });
    expect((await Journal.read(plan, owner())).file).toBe(`${file}.journal.json`);
    await journal.close();
    expect(client.identity).toBeDefined();
  });
});
