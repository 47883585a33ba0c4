// `npm run build`: builds the package into a new folder, which then replaces dist. A build that fails leaves dist as it was.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
const started = new Date();
const draft = mkdtempSync('.dist-');
try {
  run('tsup', '--silent', '--out-dir', draft);
  run('tsx', 'scripts/inline-types.mjs', draft);
  run('tsx', 'scripts/docs-api/documents.ts', draft);
  copyTemplates();
  const files = readdirSync(draft, { recursive: true, encoding: 'utf8' });
  minifyFilesOfPages();
  dropBareImports(files);
  namePeers();
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

/** The removal of unused code writes the files for pages again, with spaces and long forms. */
function minifyFilesOfPages() {
  for (const name of ['articles', 'element']) {
    const file = `browser/multilocal-${name}.min.js`;
    rewrite(file, file, (code) => transformSync(code, { minify: true, format: 'esm', charset: 'utf8' }).code);
  }
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

/**
 * The entries that need a peer import it through a file whose name says which version. So the error for a missing peer says it,
 * in CommonJS in a sentence. A static import stays one, which bundlers need.
 */
function namePeers() {
  const peers = [
    ['schemas', 'zod/v4-mini', 'zod 4.1'],
    ['mock/index', 'msw', 'msw 2.10'],
    ['astro', 'astro/zod', 'astro 5'],
  ];
  for (const [entry, specifier, peer] of peers) {
    const file = `needs-${peer.replace(' ', '-')}-or-later`;
    const folder = join(draft, dirname(entry));
    const [name] = peer.split(' ');
    const message = `multilocal/${entry.replace('/index', '')} needs ${peer} or later: npm install ${name}@latest`;
    rewrite(`${entry}.js`, `${entry}.js`, (code) => code.replaceAll(`'${specifier}'`, `'./${file}.js'`));
    writeFileSync(join(folder, `${file}.js`), `export * from '${specifier}';\n`);
    if (!existsSync(join(draft, `${entry}.cjs`))) continue;
    rewrite(`${entry}.cjs`, `${entry}.cjs`, (code) => code.replaceAll(`'${specifier}'`, `'./${file}.cjs'`));
    const load = `module.exports = require('${specifier}');`;
    const missing = '/^(MODULE_NOT_FOUND|ERR_PACKAGE_PATH_NOT_EXPORTED)$/.test(cause.code)';
    const fail = `throw ${missing} ? new Error('${message}', { cause }) : cause;`;
    writeFileSync(join(folder, `${file}.cjs`), `try {\n  ${load}\n} catch (cause) {\n  ${fail}\n}\n`);
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
