// scripts/build.mjs in a small project, with a tsup that only writes some files, one after the other.
import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, it, onTestFinished } from 'vitest';

const FILES = ['a.js', 'b.js', 'c.js', 'd.js', 'types.d.ts'];
const TSUP = `#!/usr/bin/env node
const { existsSync, mkdirSync, writeFileSync } = require('node:fs');
const out = process.argv[process.argv.indexOf('--out-dir') + 1];
mkdirSync(out, { recursive: true });
(async () => {
  for (const name of ${JSON.stringify(FILES.slice(0, -1))}) {
    writeFileSync(out + '/' + name, name);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  if (existsSync('broken')) process.exit(1);
})();
`;
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'multilocal-build-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const script = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));
  cpSync(script, join(root, 'scripts', 'build.mjs'));
  write('node_modules/.bin/tsup', TSUP);
  chmodSync(join(root, 'node_modules/.bin/tsup'), 0o755);
  write(
    'scripts/inline-types.mjs',
    "import { writeFileSync } from 'node:fs';\nwriteFileSync(process.argv[2] + '/types.d.ts', '');",
  );
  write(
    'scripts/licences.mjs',
    "import { writeFileSync } from 'node:fs';\nwriteFileSync('THIRD-PARTY-LICENSES.txt', '');",
  );
});

function write(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

/** Runs a build. Resolves to its exit code. */
function build(): Promise<number | null> {
  const child = spawn(process.execPath, [join(root, 'scripts', 'build.mjs')], { stdio: 'ignore' });
  return new Promise((resolve) => child.on('close', resolve));
}

/** What is beside the sources. */
const leftovers = () => readdirSync(root).filter((name) => name.startsWith('.dist-'));

it('two builds at the same time leave a complete dist, and nobody ever reads a part of one', async () => {
  expect(await build()).toBe(0);
  write('dist/of-an-older-build.js', '');
  let isOver = false;
  const builds = Promise.all([build(), build()]).finally(() => {
    isOver = true;
  });
  const seen = new Set<string>();
  while (!isOver) {
    if (existsSync(join(root, 'dist'))) {
      try {
        seen.add(readdirSync(join(root, 'dist')).sort().join());
      } catch {
        // It was replaced in between.
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect(await builds).toEqual([0, 0]);
  const complete = FILES.join();
  expect([...seen].filter((names) => names !== complete)).toEqual([
    'a.js,b.js,c.js,d.js,of-an-older-build.js,types.d.ts',
  ]);
  expect(readdirSync(join(root, 'dist')).sort()).toEqual(FILES);
  expect(leftovers()).toEqual([]);
});

it('a build that fails leaves dist as it was', async () => {
  await build();
  write('dist/a.js', 'of the first build');
  write('broken', '');
  expect(await build()).toBe(1);
  expect(readFileSync(join(root, 'dist', 'a.js'), 'utf8')).toBe('of the first build');
  expect(leftovers()).toEqual([]);
});
