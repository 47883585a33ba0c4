import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from './run.js';

/** From the oldest that the types are held to up to the newest. */
export const VERSIONS = ['5.4.5', '5.6.3', '5.9.3', '6.0.3', '7.0.2'] as const;

const PROJECTS = [
  { type: 'module', module: 'node16', moduleResolution: 'node16' },
  { type: 'commonjs', module: 'node16', moduleResolution: 'node16' },
  { type: 'module', module: 'esnext', moduleResolution: 'bundler' },
];

/** What `module: commonjs` means in TypeScript 5 (ts-jest): reads no `exports`, but `typesVersions`. Gone in TypeScript 7. */
const OLD_PROJECT = { type: 'commonjs', module: 'commonjs', moduleResolution: 'node10' };

/** Installs the tarball as a user does and type-checks the fixture of test/package in each kind of project. */
export function checkTypes(version: (typeof VERSIONS)[number], tarball: string): void {
  const tsc = join(installCompilers(), 'node_modules', version, 'bin', 'tsc');
  const user = mkdtempSync(join(tmpdir(), 'multilocal-types-'));
  try {
    writeFileSync(join(user, 'package.json'), '{"name":"consumer","private":true}');
    run(user, 'npm', 'install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', tarball);
    const projects = version.startsWith('5.') ? [...PROJECTS, OLD_PROJECT] : PROJECTS;
    const faults = projects.flatMap(({ type, module, moduleResolution }) => {
      const name = `${moduleResolution}-${type}`;
      const project = join(user, name);
      mkdirSync(project);
      writeFileSync(join(project, 'package.json'), JSON.stringify({ type }));
      cpSync(join(root, 'test', 'package', 'fixtures', 'app.ts'), join(project, 'app.ts'));
      const compilerOptions = {
        module,
        moduleResolution,
        target: 'es2022',
        lib: ['es2023', 'dom', 'dom.iterable'],
        types: [],
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        // In the declarations of a library, a type that no entry exports cannot be named: that is an error of its build.
        declaration: true,
        emitDeclarationOnly: true,
        outDir: 'out',
      };
      writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['app.ts'] }));
      try {
        run(user, process.execPath, tsc, '-p', project);
        return [];
      } catch (error) {
        return `${name}:\n${(error as Error).message}`;
      }
    });
    if (faults.length > 0) throw new Error(faults.join('\n'));
  } finally {
    rmSync(user, { recursive: true, force: true });
  }
}

/** The compilers, from the cache or from npm, each under its version as name. A cache is complete or not there. */
function installCompilers(): string {
  const dependencies = Object.fromEntries(VERSIONS.map((version) => [version, `npm:typescript@${version}`]));
  const wanted = JSON.stringify({ private: true, dependencies });
  const hash = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), 'multilocal-typescript', hash);
  if (existsSync(folder)) return folder;
  const draft = `${folder}-${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    writeFileSync(join(draft, 'package.json'), wanted);
    run(
      draft,
      'npm',
      'install',
      '--ignore-scripts',
      '--no-package-lock',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    );
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}
