// What people, GitHub, GitLab and a comment are shown of a plan whose actions were written in a table.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { rehearse } from '../../src/commands/rehearse.js';
import { readWords } from '../../src/flags.js';
import { cell, tableOf } from '../../src/plan/github.js';
import { LYON, NANTES, stage } from './stage.js';

const rowsOf = (shown: string) => shown.split('\n').filter((line) => /^[✓✗▲] /.test(line));

it('a long rehearsal shows what somebody has to look at, each reason once, and help', { tags: 'long' }, async () => {
  const { api, go, summary } = stage(25, 3);
  api.connections.change(NANTES, 'facebook', { needs_reconnect: true });
  const { shown, message, hint, comment } = await go('rehearse');
  expect(rowsOf(shown)).toHaveLength(3);
  expect(shown).toMatch(/✗ +semaine\.csv:2 /);
  expect(shown).toContain('22 actions without a remark are not shown.');
  expect(message).toMatch(/^The plan has 3 problems\.\n3 × .+ \(semaine\.csv:2, semaine\.csv:3, semaine\.csv:4\)$/);
  expect(hint).toContain('--keep-going');
  expect(shown).toMatch(
    /^::error file=semaine\.csv,line=2,title=needs_reconnect::.+ \(3 ×: semaine\.csv:2, semaine\.csv:3, semaine\.csv:4\)$/m,
  );
  expect(comment).toBe(summary());
  expect(comment).toMatch(/^### \/w\/plan\.json: 3 problems\n/);
  expect(comment.match(/^\| semaine\.csv:\d+ \|/gm)).toHaveLength(25);
  expect(comment).toContain('Texte 4');
  expect(comment).toMatch(/^\| line \| operation \| state \| what would happen \| remarks \|$/m);
  // Nobody may approve what is refused.
  expect(comment).not.toMatch(/hash/);
  expect(rowsOf((await go('rehearse', '--all')).shown)).toHaveLength(25);
  const { shown: became } = await go('status');
  expect(became).toMatch(/25 actions without a remark are\s+not shown\./);
  expect((await go('status', '--all')).shown.match(/^• /gm)).toHaveLength(25);
  // What a run has left out would be missed.
  await go('rehearse', '--run', '--yes', '--keep-going');
  const left = (await go('status')).shown;
  expect(left.match(/\(semaine\.csv:\d+\)/g)).toEqual([2, 3, 4].map((line) => `(semaine.csv:${line})`));
  expect(left).toMatch(/\n22 pending, 3 not carried out \(3 × .+ Nantes Talensac\)\.\s/);
});

it('a comment has the hash, the posts that would be deleted, what a run did, and what became of it', async () => {
  const { api, go, actions, write } = stage(3, 1);
  actions[0]?.params.platforms.push('gmb');
  write(actions);
  for (const bulle of [LYON, NANTES]) api.connections.change(bulle, 'facebook', { expires_at: '2029-12-02T07:00:00' });
  const [, hash] = /^hash `([0-9a-f]{64})`$/m.exec((await go('rehearse')).comment) ?? [];
  const ran = await go('rehearse', '--run', '--yes', '--approved', `${hash}`);
  expect(ran.comment).toContain('Done: 3 of 3 actions.');
  // The run finds the same, without the name of the location.
  expect(ran.shown.match(/^::warning .*|^warning .*/gm)).toEqual(Array(2).fill(expect.stringContaining('Fournils')));
  for (const bulle of [LYON, NANTES]) api.connections.change(bulle, 'facebook', { expires_at: '2035-12-02T07:00:00' });
  write(actions.slice(1));
  expect((await go('rehearse')).comment).toMatch(/^\| {2}\| {2}\| \*\*left over\*\* \| .*Texte 0/m);
  const pruned = (await go('rehearse', '--prune')).comment;
  expect(pruned).toMatch(/^\| {2}\| {2}\| \*\*delete\*\* \| .*Texte 0/m);
  expect(pruned).toMatch(/^hash `/m);
  write(actions);
  api.connections.change(LYON, 'facebook', { needs_reconnect: true });
  api.advance(5 * 86_400_000);
  const { message, shown, comment } = await go('status');
  expect(message).toMatch(/1 online, 2 failed on Facebook \(2 × .+ Croix-Rousse: [^;]+[^.]\)\.$/);
  expect(shown).toMatch(/✓ .+ Facebook, Google online since/);
  expect(shown).toMatch(/\(semaine\.csv:3\)/);
  expect(shown).toMatch(/^::error file=semaine\.csv,line=3,/m);
  expect(comment).toMatch(/^\| semaine\.csv:3 \| .+ \| Facebook failed/m);
});

it('`--strict` marks the warnings that fail', async () => {
  const { go, actions, write } = stage(2, 1);
  const [first, second] = actions as [(typeof actions)[0], (typeof actions)[0]];
  write([first, { ...second, params: { ...second.params, scheduled_at: '2020-01-01T09:00:00Z' } }]);
  expect(rowsOf((await go('rehearse')).shown).map((row) => row[0])).toEqual(['✓', '✓']);
  const { shown, message } = await go('rehearse', '--strict');
  expect(rowsOf(shown).map((row) => row[0])).toEqual(['✓', '▲']);
  expect(message).toMatch(/^The plan has 1 warning\.\nsemaine\.csv:3: /);
});

it.each<[string, Parameters<typeof vi.stubEnv> | [], string[], string]>([
  ['a fork has no key', ['MULTILOCAL_API_KEY', ''], [], 'There is no key.'],
  ['another plan was approved', [], ['--approved=abc'], 'not the one that was approved'],
])('a comment says that %s, and no hash of an earlier version', async (_, env, flags, said) => {
  const { go } = stage(1, 1);
  expect((await go('rehearse')).comment).toContain('hash');
  if (env.length > 0) vi.stubEnv(...(env as Parameters<typeof vi.stubEnv>));
  const { comment, hint } = await go('rehearse', ...flags);
  expect(comment).toContain(said);
  expect(comment).not.toMatch(/^hash/m);
  if (env.length > 0)
    expect([hint, comment]).toEqual([expect.stringContaining('--offline'), expect.stringContaining('--offline')]);
});

it('a long comment is one that GitHub takes: what has problems stays', () => {
  const row = (text: string, weight: number) => ({ cells: [text, cell('é<'.repeat(1_000))], weight });
  const rows = Array.from({ length: 40 }, (_, index) => row(`r${index}`, index === 30 ? 2 : index === 31 ? 1 : 0));
  const table = tableOf('| head |', rows);
  expect(table.join('\n').length).toBeLessThan(60_000);
  expect(table.map((line) => line.slice(0, 6))).toEqual(expect.arrayContaining(['| r30 ', '| r31 ']));
  expect(table.at(-1)).toBe('30 rows more in the log.');
});

it('the workflows of the guide hand over the hash of the comment, with flags that exist', async () => {
  const { go, cwd } = stage(1, 1);
  const { comment } = await go('rehearse');
  writeFileSync(join(cwd, 'plan.md'), comment);
  const guide = readFileSync('docs/guides/plans-in-ci.md', 'utf8');
  const lines = guide.split('\n').map((line) => line.replace(/^ *-? *(run: )?/, ''));
  for (const line of lines.filter((one) => one.startsWith('sed '))) {
    const command = line.replace(/>.*/, '');
    const [name, hash] = spawnSync('bash', ['-c', command], { cwd, encoding: 'utf8' }).stdout.trim().split('=');
    expect([name?.toLowerCase(), comment]).toEqual(['hash', expect.stringContaining(`hash \`${hash}\``)]);
    expect(hash).toHaveLength(64);
  }
  const commands = lines.flatMap((line) => /^npx multilocal rehearse (.*)/.exec(line)?.[1] ?? []);
  expect(commands).toHaveLength(4);
  for (const words of commands) readWords('rehearse', rehearse, words.replace(' $OFFLINE', '').split(' '));
});
