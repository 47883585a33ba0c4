import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const tsc = require.resolve('typescript/bin/tsc');

export const COMPILER = `TypeScript ${require('typescript/package.json').version}`;

/** The cost of an empty file, which is the same in every project with these settings. */
const emptyCosts = new Map();

/** The cost of a user's check of one file, as TypeScript counts it, less that of an empty file. */
export function typeCostOf(file, skipLibCheck = true) {
  const folder = join(dirname(file), 'types');
  mkdirSync(folder, { recursive: true });
  const empty = join(folder, 'empty.ts');
  writeFileSync(empty, 'export {};\n');
  if (!emptyCosts.has(skipLibCheck)) emptyCosts.set(skipLibCheck, check(folder, empty, skipLibCheck));
  const cost = check(folder, file, skipLibCheck);
  const base = emptyCosts.get(skipLibCheck);
  return { instantiations: cost.instantiations - base.instantiations, seconds: cost.seconds - base.seconds };
}

function check(folder, file, skipLibCheck) {
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    strict: true,
    skipLibCheck,
    noEmit: true,
  };
  const project = join(folder, 'tsconfig.json');
  writeFileSync(project, JSON.stringify({ compilerOptions, files: [file] }));
  // Fails where the file does: a candidate that does not compile is not measured.
  const output = execFileSync(process.execPath, [tsc, '-p', project, '--extendedDiagnostics'], { encoding: 'utf8' });
  const figure = (name) => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(output)[1]);
  return { instantiations: figure('Instantiations'), seconds: figure('Check time') };
}
