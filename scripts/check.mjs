// * Run this before a pull request: everything about the code that needs no test run, each step with its time. There are as
// many steps at a time as processors.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { borders } from './borders.mjs';
import { budgets } from './budgets.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const DOCSTRINGS = 'every public name is documented and exported, and every link in a docstring leads somewhere';

/** Name and function of each step, and a fix if the output does not name one. The longest is the first. */
const steps = [
  ['types of sources, tests, scripts, the site', () => types()],
  [
    'format, lint, cycles of imports',
    () => tool('biome', 'check', '--error-on-warnings'),
    'npm run format fixes the format, the order of imports and some of the lint; fix the rest by hand.',
  ],
  [
    'spelling',
    () => tool('cspell', 'lint', '--config', 'scripts/cspell.json', '--no-progress', '--no-summary', '--gitignore'),
    'A name or a French word belongs in `words` of scripts/cspell.json. Replace a word of `flagWords`: it has to be read twice.',
  ],
  [
    'borders: each room imports what its row lists, values come from the listed modules',
    () => borders().faults.join('\n') || undefined,
    'ROOMS of scripts/borders.mjs says what each room may import.',
  ],
  [
    'files and lines are within the budget of each package.json',
    overBudget,
    'Say what leaves instead, or raise the budget in the same commit with the reason why nothing could leave.',
  ],
  ['sizes, loads and types are within their limits', sizes],
  ['types of the examples, which import the built package', () => types('-p', 'examples')],
  [
    'etc/*.api.md are up to date',
    () => node('scripts/api.mjs'),
    '`npm run api` writes them. Their difference shows what users will notice.',
  ],
  [DOCSTRINGS, () => tool('typedoc', '--options', 'docs/site/typedoc.jsonc')],
  [
    'published types name no other package',
    publishedTypes,
    'Public types are interfaces of our own, never made from those of a library: docs/decisions/0002-interfaces-and-schemas.md.',
  ],
  ['publint', () => tool('publint', '--strict')],
  [
    'unused code and dependencies',
    () => tool('knip', '--config', 'scripts/knip.mjs'),
    'Remove it, or, where something outside the sources uses it, name it in scripts/knip.mjs.',
  ],
];

const failed = [];
// The build of the docs checks the same.
const waiting = process.argv.includes('--no-docstrings') ? steps.filter(([name]) => name !== DOCSTRINGS) : [...steps];
await Promise.all(Array.from({ length: availableParallelism() }, runSteps));
if (failed.length > 0) console.error(`\n${failed.length} of ${steps.length} failed: ${failed.join('; ')}`);
process.exit(failed.length > 0 ? 1 : 0);

async function runSteps() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, step, fix] = next;
    const started = performance.now();
    const output = await step();
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${output === undefined ? '✓' : '✗'} ${name} (${seconds} s)`);
    if (output === undefined) continue;
    failed.push(name);
    console.error([output.trimEnd(), fix].filter(Boolean).join('\n→ '));
  }
}

/** Runs a command. Resolves to what it printed if it failed, else to nothing. `look` gets what it printed if it did not. */
function run(command, args, look) {
  const options = { cwd: root, shell: process.platform === 'win32', maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error) return resolve(`${stdout}${stderr}`);
      look?.(stdout);
      resolve();
    });
  });
}

/** Runs a script. */
function node(script, ...args) {
  return run(process.execPath, [script, ...args]);
}

/** TypeScript 7 needs a fraction of the time of TypeScript 6, which compiles `src` in each build. Its `tsc` is not the one in `.bin`. */
function types(...args) {
  return node(join(root, 'node_modules/typescript-native/bin/tsc'), '--noEmit', ...args);
}

/** Runs a development dependency of the root. */
function tool(name, ...args) {
  return run(join(root, 'node_modules', '.bin', name), args);
}

/** The figures are worth a look even when they are within bounds. */
function sizes() {
  return run(process.execPath, ['bench/check.mjs'], (figures) => console.log(figures.trimEnd()));
}

/** Returns what is over the budget of a package.json. */
function overBudget() {
  const over = budgets().filter(({ value, most }) => value > most);
  return (
    over.map(({ name, what, value, most }) => `${name}: ${value} ${what}, ${most} at most`).join('\n') || undefined
  );
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
