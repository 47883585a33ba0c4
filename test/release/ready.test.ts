// scripts/ready.mjs in a small project, with an npm that only records how it is called.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, it, onTestFinished } from 'vitest';

const scripts = fileURLToPath(new URL('../../scripts', import.meta.url));
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'multilocal-ready-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  cpSync(join(scripts, 'ready.mjs'), join(root, 'scripts', 'ready.mjs'));
  for (const name of [
    'scripts/build.mjs',
    'scripts/inline-types.mjs',
    'scripts/licences.mjs',
    'src/core/a.ts',
    'src/b.ts',
    'tsup.config.ts',
    'tsconfig.json',
    'package.json',
  ]) {
    write(name);
  }
  lock({ ky: '2.1.0' });
  write(
    'npm',
    `#!/bin/sh
echo "$*" >> log
case "$1" in
  ci) mkdir -p node_modules; cp package-lock.json node_modules/.package-lock.json ;;
  run) mkdir -p dist; touch THIRD-PARTY-LICENSES.txt ;;
esac
`,
  );
  chmodSync(join(root, 'npm'), 0o755);
});

function write(name: string, text = ''): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

function lock(versions: Record<string, string>, others: Record<string, object> = {}): void {
  const packages = Object.entries(versions).map(([name, version]) => [`node_modules/${name}`, { version }]);
  const text = JSON.stringify({ packages: { '': {}, 'apps/docs': {}, ...Object.fromEntries(packages), ...others } });
  write('package-lock.json', text);
  age('package-lock.json');
}

/** As if the file had last changed some time before the build. */
function age(name: string): void {
  utimesSync(join(root, name), 1, 1);
}

/** How npm was called. */
function ready(...args: string[]): string[] {
  write('log');
  const env = { PATH: `${root}:/usr/bin:/bin` };
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'ready.mjs'), ...args], { env });
  expect(status).toBe(0);
  return readFileSync(join(root, 'log'), 'utf8').split('\n').filter(Boolean);
}

const INSTALL = 'ci --loglevel=error';
const BUILD = 'run --silent build';

it('installs and builds in a fresh clone, and nothing a second time', () => {
  expect(ready()).toEqual([INSTALL, BUILD]);
  expect(ready()).toEqual([]);
});

it('only installs with --no-build', () => {
  expect(ready('--no-build')).toEqual([INSTALL]);
  expect(ready('--no-build')).toEqual([]);
});

it('does not install after `npm ci`', () => {
  spawnSync(join(root, 'npm'), ['ci'], { cwd: root });
  expect(ready()).toEqual([BUILD]);
});

it('installs where the lockfile names another version, except of optional packages', () => {
  ready();
  lock({ ky: '2.1.0' }, { 'node_modules/for-another-platform': { version: '1.0.0', optional: true } });
  expect(ready()).toEqual([]);
  lock({ ky: '2.1.1' });
  expect(ready()).toEqual([INSTALL]);
});

it('builds where a source is newer than the build, or dist is missing', () => {
  ready();
  const soon = Date.now() / 1000 + 1;
  utimesSync(join(root, 'src', 'core', 'a.ts'), soon, soon);
  expect(ready()).toEqual([BUILD]);
  age('src/core/a.ts');
  utimesSync(join(root, 'THIRD-PARTY-LICENSES.txt'), soon, soon);
  expect(ready()).toEqual([]);
  rmSync(join(root, 'dist'), { recursive: true });
  expect(ready()).toEqual([BUILD]);
});
