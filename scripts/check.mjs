// * Run this before a pull request: everything about the code that needs no test run, each step with its time.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const shell = process.platform === 'win32';

/** Name and function of each step, and a fix if the output does not name one. */
const steps = [
  [
    'format, lint and direction of imports',
    () => tool('biome', 'check', '--error-on-warnings'),
    'npm run format fixes the format, the order of imports and some of the lint; fix the rest by hand.',
  ],
  [
    'spelling',
    () => tool('cspell', 'lint', '--no-progress', '--no-summary', '--gitignore'),
    'A name or a French word belongs in `words` of cspell.json. Replace a word of `flagWords`: it has to be read twice.',
  ],
  [
    'no circular imports, those of types included',
    () => tool('dpdm', '--no-warning', '--no-tree', '--no-progress', '--exit-code', 'circular:1', 'src/**/*.ts'),
  ],
  ['sizes and types are within their budgets', budgets],
  // The examples and apps/ import the built package as users do.
  ['types of sources, tests, examples, scripts, apps', () => tool('tsc', '--noEmit')],
  [
    'lists and documents are up to date',
    () => tool('tsx', 'scripts/lists.ts', '--check') ?? tool('tsx', 'scripts/docs-api/main.ts', '--check'),
    'npm run generate',
  ],
  [
    'published types name no other package',
    publishedTypes,
    'Public types are interfaces of our own, never made from those of a library: decisions/0002-interfaces-and-schemas.md.',
  ],
  ['publint', () => tool('publint', '--strict')],
  ['are the types wrong', typesOfTarball],
  [
    'unused code and dependencies',
    () => tool('knip'),
    'Remove it, or, where something outside the sources uses it, name it in knip.json.',
  ],
];

const failed = [];
for (const [name, step, fix] of steps) {
  const started = performance.now();
  const output = step();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${output === undefined ? '✓' : '✗'} ${name} (${seconds} s)`);
  if (output !== undefined) {
    failed.push(name);
    console.error([output.trimEnd(), fix].filter(Boolean).join('\n→ '));
  }
}
if (failed.length > 0) console.error(`\n${failed.length} of ${steps.length} failed: ${failed.join('; ')}`);
process.exit(failed.length > 0 ? 1 : 0);

/** A development dependency of the root. */
function tool(name, ...args) {
  return run(join(root, 'node_modules', '.bin', name), ...args);
}

/** What the command printed if it failed, else nothing. */
function run(command, ...args) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    shell,
    maxBuffer: 64 * 1024 * 1024,
  });
  return status === 0 ? undefined : `${stdout}${stderr}`;
}

/** The figures are worth a look even when they are within bounds. */
function budgets() {
  const { status } = spawnSync(process.execPath, ['apps/bench/check.mjs'], { cwd: root, stdio: 'inherit' });
  return status === 0 ? undefined : 'The figures stand above this line.';
}

/** Packed without scripts: the build is there already, and others may be reading it. */
function typesOfTarball() {
  const folder = mkdtempSync(join(tmpdir(), 'multilocal-check-'));
  try {
    const args = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
    spawnSync('npm', args, { cwd: root, shell });
    const [tarball = ''] = readdirSync(folder);
    // Astro exists only as an ES module, and so does our entry for it. test/sites compiles against it.
    const esmOnly = ['--exclude-entrypoints', 'astro'];
    return tool('attw', join(folder, tarball), '--profile', 'node16', '--format', 'ascii', ...esmOnly);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Users install no library with the package: a type that came from one would be `any` to them, or an error. */
function publishedTypes() {
  const dist = join(root, 'dist');
  const faults = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    // The schemas are made for the app's own zod.
    .filter((name) => /\.d\.c?ts$/.test(name) && !name.startsWith('schemas.'))
    .filter((name) =>
      /(from|import\()\s*['"](zod|ky|type-fest|schema-dts)\b/.test(readFileSync(join(dist, name), 'utf8')),
    );
  return faults.length > 0 ? `Imports of bundled packages in: ${faults.join(', ')}` : undefined;
}
