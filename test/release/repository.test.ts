import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const manifest = () => JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, unknown>;

/** The check in a folder of its own, which is no repository: its first step, `git clone`, fails there. */
function check(url: string) {
  const folder = mkdtempSync(join(tmpdir(), 'multilocal-repository-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync('scripts/release-check.mjs', join(folder, 'scripts/release-check.mjs'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ repository: { type: 'git', url } }));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/release-check.mjs'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

it('the address of the repository stands in one place, from which npm derives the others', () => {
  const { repository, homepage, bugs } = manifest();
  expect(repository).toMatchObject({ type: 'git', url: expect.stringMatching(/^git\+https:.+\/multilocal\.git$/) });
  expect([homepage, bugs]).toEqual([undefined, undefined]);
});

it('a release with the placeholder is refused before anything else', () => {
  expect(check('git+https://github.com/OWNER/multilocal.git')).toEqual({
    status: 1,
    stdout: '',
    stderr: '✗ package.json: `repository` has the placeholder OWNER. Replace it with the owner of the repository.\n',
  });
});

it('a release with an owner goes on to the steps', () => {
  expect(check('git+https://github.com/maison-martin/multilocal.git').stdout).toContain('> git clone');
});
