// `npm run build`: builds the package into a new folder, which then replaces dist. A build that fails leaves dist as it was.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
const started = new Date();
const draft = mkdtempSync('.dist-');
try {
  run('tsup', '--silent', '--out-dir', draft);
  run('tsx', 'scripts/inline-types.mjs', draft);
  run('tsx', 'scripts/docs-api/documents.ts', draft);
  copyTemplates();
  const files = readdirSync(draft, { recursive: true, encoding: 'utf8' });
  dropBareImports(files);
  importTypesFromIndex(files);
  writeTypesOfCommonJs(files);
  // The time of the folder is that of the build: a source that changed since then needs another one.
  utimesSync(draft, started, started);
  rmSync('dist', { recursive: true, force: true });
  renameSync(draft, 'dist');
} finally {
  rmSync(draft, { recursive: true, force: true });
}

/** What `init` copies into the folder of a site, and the skill where installers of skills look for one. */
function copyTemplates() {
  const filter = (path) => !/[\\/](node_modules|dist|\.astro|\.next)([\\/]|$)/.test(path);
  for (const name of ['astro', 'next'])
    cpSync(join('packages/sites/templates', name), join(draft, 'templates', name), { recursive: true, filter });
  rmSync('skills', { recursive: true, force: true });
  cpSync('packages/cli/skills', 'skills', { recursive: true });
}

/**
 * esbuild imports chunks for their order of evaluation too. No chunk of the library has an effect, and bundlers of users
 * would warn about these imports.
 */
function dropBareImports(files) {
  for (const name of files.filter((file) => file.endsWith('.js'))) {
    rewrite(name, name, (code) => code.replace(/^import '\.{1,2}\/chunk-\w+\.js';\n/gm, ''));
  }
}

/** tsup imports a shared type from the first entry that exports it. `astro` needs the app's Astro, so `index` serves instead. */
function importTypesFromIndex(files) {
  for (const name of files.filter((file) => file.endsWith('.d.ts'))) {
    rewrite(name, name, (types) => types.replaceAll("'./astro.js'", "'./index.js'"));
  }
}

/** A `.d.cts` has the text of its `.d.ts` and imports the others of its kind. The entry for Astro is an ES module only. */
function writeTypesOfCommonJs(files) {
  for (const name of files.filter((file) => file.endsWith('.d.ts') && file !== 'astro.d.ts')) {
    rewrite(name, name.replace(/ts$/, 'cts'), (types) =>
      types.replaceAll(/((?:from|import) '\.[^']*)\.js'/g, "$1.cjs'"),
    );
  }
}

function rewrite(from, to, change) {
  writeFileSync(join(draft, to), change(readFileSync(join(draft, from), 'utf8')));
}

function run(command, ...args) {
  const options = { stdio: 'inherit', shell: process.platform === 'win32' };
  const { status, error } = spawnSync(join('node_modules', '.bin', command), args, options);
  if (status !== 0) throw error ?? new Error(`${command} failed`);
}
