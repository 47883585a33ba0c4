// Installs the packed package as a user does, and type-checks test/package/fixtures/app.ts in each kind of project with
// each version of TypeScript that the types support. The compilers come from npm, into a cache outside the repository.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The oldest supported version first. */
const VERSIONS = ['5.4.5', '5.6.3', '5.9.3', '6.0.3', '7.0.2'];

const PROJECTS = [
  { type: 'module', module: 'node16', moduleResolution: 'node16' },
  { type: 'commonjs', module: 'node16', moduleResolution: 'node16' },
  { type: 'module', module: 'esnext', moduleResolution: 'bundler' },
];
/** `module: commonjs` of TypeScript 5 (ts-jest) reads `typesVersions` in place of `exports`. TypeScript 7 dropped it. */
const OLD_PROJECT = { type: 'commonjs', module: 'commonjs', moduleResolution: 'node10' };

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const compilers = installCompilers();
const user = mkdtempSync(join(tmpdir(), 'multilocal-types-'));
try {
  installPackage();
  for (const version of VERSIONS) {
    const projects = version.startsWith('5.') ? [...PROJECTS, OLD_PROJECT] : PROJECTS;
    for (const project of projects) check(version, project);
  }
} finally {
  rmSync(user, { recursive: true, force: true });
}

function check(version, { type, module, moduleResolution }) {
  const name = `${moduleResolution}-${type}`;
  const folder = join(user, version, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }));
  cpSync(join(root, 'test', 'package', 'fixtures', 'app.ts'), join(folder, 'app.ts'));
  const compilerOptions = {
    module,
    moduleResolution,
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    // A type that no entry exports cannot be named in the declarations of a library, so emitting them fails.
    declaration: true,
    emitDeclarationOnly: true,
    outDir: 'out',
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['app.ts'] }));
  const tsc = join(compilers, 'node_modules', version, 'bin', 'tsc');
  try {
    execFileSync(process.execPath, [tsc, '-p', folder], { stdio: ['ignore', 'inherit', 'inherit'] });
    console.log(`✓ TypeScript ${version}, ${name}`);
  } catch {
    console.log(`✗ TypeScript ${version}, ${name}`);
    process.exitCode = 1;
  }
}

/** Packs without scripts: the build is there already. */
function installPackage() {
  writeFileSync(join(user, 'package.json'), '{"name":"consumer","private":true}');
  npm(root, 'pack', '--ignore-scripts', '--pack-destination', user);
  const [tarball = ''] = readdirSync(user).filter((name) => name.endsWith('.tgz'));
  npm(user, 'install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', join(user, tarball));
}

/** The folder with the compilers, each under its version as name. A cache folder is complete or absent. */
function installCompilers() {
  const dependencies = Object.fromEntries(VERSIONS.map((version) => [version, `npm:typescript@${version}`]));
  const wanted = JSON.stringify({ private: true, dependencies });
  const hash = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
  const folder = join(process.env.XDG_CACHE_HOME || tmpdir(), 'multilocal-typescript', hash);
  if (existsSync(folder)) return folder;
  const draft = `${folder}-${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    writeFileSync(join(draft, 'package.json'), wanted);
    npm(draft, 'install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund');
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

function npm(cwd, ...args) {
  const stdio = ['ignore', 'ignore', 'inherit'];
  execFileSync('npm', [...args, '--loglevel=error'], { cwd, stdio, shell: process.platform === 'win32' });
}
