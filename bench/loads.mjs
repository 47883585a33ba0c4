// How much JavaScript of ours an `import` or a `require` of each entry loads, before any bundler: its file, and every
// file that it reaches by static imports.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/**
 * The most bytes that `import` and `require` of an entry may load: what the contract promises, or what they loaded when the packages were
 * split. A higher limit needs a line in docs/decisions/0004-bundling.md.
 *
 * @type {Record<string, readonly [number, number?]>}
 */
export const LIMITS = {
  '.': [425_500, 474_200],
  './articles': [212_250, 234_550],
  './astro': [447_800],
  './limiter': [30_000, 30_000],
  './mock': [317_500, 317_600],
  './mock/server': [309_300, 308_900],
  './node': [60_000, 60_000],
  './otel': [16_900, 18_300],
  './plans': [472_200, 512_500],
  './proxy': [151_850, 170_200],
  './redis': [20_000, 20_000],
  './schemas': [38_500, 43_100],
  './site': [21_100, 22_300],
  './sql': [40_000, 40_000],
  './watch': [176_200, 193_100],
};

/** @returns {{ entry: string; format: 'import' | 'require'; bytes: number }[]} */
export function loads() {
  return Object.entries(exports).flatMap(([entry, formats]) =>
    ['import', 'require']
      .filter((format) => formats[format])
      .map((format) => ({ entry, format, bytes: bytesOf(formats[format].default.replace('./dist/', '')) })),
  );
}

function bytesOf(file) {
  const found = new Set();
  const visit = (name) => {
    if (found.has(name) || !existsSync(join(dist, name))) return;
    found.add(name);
    const code = readFileSync(join(dist, name), 'utf8');
    for (const [, path] of code.matchAll(/(?:^import|\bfrom|\brequire\()\s*['"](\.{1,2}\/[^'"]+)['"]/gm))
      visit(normalize(join(dirname(name), path)));
  };
  visit(file);
  return [...found].reduce((sum, name) => sum + readFileSync(join(dist, name)).length, 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { entry, format, bytes } of loads()) console.log(`${entry} ${format} ${(bytes / 1000).toFixed(1)} kB`);
