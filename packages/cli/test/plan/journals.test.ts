import { copyFileSync, linkSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readActions } from '@multilocal/plans/actions';
import type { JournalContent } from '@multilocal/plans/journal-content';
import { type Action, folder, planOf, post, stage } from '@multilocal/plans/test/helpers';
import type { Identity } from 'multilocal';
import { fileJournal } from 'multilocal/node';
import { runPlan } from 'multilocal/plans';
import { describe, expect, it } from 'vitest';
import { journalOf, refuseRepeated } from '../../src/plan/journals.js';
import { PlanFile } from '../../src/plan/plan-file.js';

/** A folder with plans, each with its journal beside it. */
async function desk() {
  const { api, client, sent } = await stage();
  const file = join(folder(), 'plan.json');
  const write = (actions: readonly Action[], name = file) => {
    writeFileSync(name, JSON.stringify({ actions }, null, 2));
    return name;
  };
  const run = async (actions: readonly Action[], name = file) => {
    write(actions, name);
    return runPlan(client, planOf(actions), { journal: fileJournal(await journalOf(name)), again: true });
  };
  /** What the command does before it sends anything. */
  const check = async (name: string) => {
    const own = await journalOf(name);
    const plan = new PlanFile(name, readFileSync(name, 'utf8'));
    await refuseRepeated(plan, own, fileJournal(own), client.identity as Identity);
  };
  return { api, client, sent, file, write, run, check };
}

describe('the journal of a plan', () => {
  it('is the same for a symbolic link to the plan', async () => {
    const { file, write } = await desk();
    const link = join(folder(), 'link.json');
    symlinkSync(write([post('Un')]), link);
    expect(await journalOf(link)).toBe(`${file}.journal.json`);
  });

  it.each<[string, (from: string, to: string) => void]>([
    ['renamed', renameSync],
    ['hard-linked', linkSync],
    ['copied', copyFileSync],
  ])('is missed by a plan of the same folder that was %s', async (_, rename) => {
    const { file, run, check, sent } = await desk();
    const actions = [post('Un'), post('Deux')];
    await run(actions);
    const other = join(dirname(file), 'other.json');
    rename(file, other);
    const failure = check(other);
    await expect(failure).rejects.toMatchObject({
      code: 'journal_of_another_plan',
      hint: expect.stringContaining(`${other}.journal.json`),
    });
    await expect(failure).rejects.toThrow(`${file}.journal.json has the action posts.create of line 3`);
    renameSync(`${file}.journal.json`, `${other}.journal.json`);
    await check(other);
    expect((await run(actions, other)).state).toBe('done');
    expect(sent('posts.create')).toHaveLength(2);
  });

  it('that was copied with its plan and has gone on is never to be replaced by the other one', async () => {
    const { file, run, write, check } = await desk();
    await run([post('Un')]);
    const other = join(dirname(file), 'other.json');
    copyFileSync(`${file}.journal.json`, `${other}.journal.json`);
    await run([post('Un'), post('Deux')]);
    await expect(check(write([post('Un'), post('Deux')], other))).rejects.toMatchObject({
      code: 'journal_of_another_plan',
      hint: expect.not.stringContaining('rename'),
    });
  });

  it('does not matter if the action did not happen, may be repeated or is of another location', async () => {
    const { api, file, run, write, check } = await desk();
    const update = { operation: 'posts.update', params: { post_id: 131, content: 'Autre' } };
    const scan = { operation: 'seo.scan' };
    api.fail({ operation: 'posts.create', status: 422 });
    await run([update, post('Un')]);
    const path = dirname(file);
    const { entries, ...head }: JournalContent = JSON.parse(readFileSync(`${file}.journal.json`, 'utf8'));
    const hash = readActions(planOf([scan])).actions[0]?.hash ?? '';
    const done = { ...Object.values(entries)[0], operation: 'seo.scan', hash };
    const nantes = JSON.stringify({ ...head, bulle_id: 'bul_nantes', entries: { [hash]: done } });
    writeFileSync(join(path, 'nantes.json.journal.json'), nantes);
    writeFileSync(join(path, 'notes.journal.json'), 'not of ours');
    mkdirSync(join(path, 'folder.journal.json'));
    symlinkSync(join(path, 'nowhere'), join(path, 'gone.journal.json'));
    await check(write([update, post('Un'), scan], join(path, 'other.json')));
  });
});
