// Builds the package into a new folder, which then replaces dist. Other processes that read dist, or build at the same
// time, always find a complete build.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const started = new Date();
/** The files that bundlers of users read. The command is run as it is. */
const ENTRY_OR_CHUNK = /^(mock\/)?(index|server|articles|astro|node|proxy|redis|site|sql|otel|chunk-\w+)\.js$/;
// Beside dist, so that the source maps name the sources by the same relative paths.
const draft = mkdtempSync(join(root, '.dist-'));
try {
  run(join('node_modules', '.bin', 'tsup'), '--silent', '--out-dir', basename(draft));
  run('node', join('scripts', 'inline-types.mjs'), basename(draft));
  dropBareImports();
  replaceDist();
  run('node', join('scripts', 'licences.mjs'));
  // The time of this file is that of the build: a source that changed since then needs another one.
  utimesSync(join(root, 'THIRD-PARTY-LICENSES.txt'), started, started);
} finally {
  rmSync(draft, { recursive: true, force: true });
}

/**
 * esbuild imports chunks for their order of evaluation too. No chunk of the library has an effect, and bundlers of users
 * would warn about these imports. The lines stay, so that the source maps are right.
 */
function dropBareImports() {
  for (const name of readdirSync(draft, { recursive: true, encoding: 'utf8' })) {
    if (!ENTRY_OR_CHUNK.test(name.replaceAll('\\', '/'))) continue;
    const path = join(draft, name);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^import '\.{1,2}\/chunk-\w+\.js';$/gm, ''));
  }
}

function replaceDist() {
  const old = `${draft}-old`;
  for (let isReplaced = false; !isReplaced; ) {
    rename(dist, old, 'ENOENT');
    // Another build may have put its folder there in between.
    isReplaced = rename(draft, dist, 'ENOTEMPTY', 'EEXIST');
    rmSync(old, { recursive: true, force: true });
  }
}

/** Returns whether it succeeded, and throws errors with other codes. */
function rename(from, to, ...expected) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (expected.includes(error.code)) return false;
    throw error;
  }
}

function run(command, ...args) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw error ?? new Error(`${command} failed`);
}
