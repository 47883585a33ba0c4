// What each package.json allows: `"budget": { "files", "lines", "testLines" }`, the files and lines of its `src` and the lines of its
// `test`. `"templates"` in it has the files and lines of each folder of `templates`, whose own package.json belongs to users. A commit that raises a budget says what left instead, or why nothing could.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const CODE = /\.(ts|mts|mjs|js|tsx|vue|astro|css)$/;

/** @returns {{ name: string; what: string; value: number; most: number }[]} */
export function budgets() {
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);
  return ['.', ...packages].flatMap((folder) => {
    const { budget } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const [src, test] = ['src', 'test'].map((part) => measure(join(root, folder, part)));
    const found = { files: src.files, lines: src.lines, testLines: test.lines };
    const name = folder === '.' ? 'src' : folder;
    const templates = existsSync(join(root, folder, 'templates')) ? readdirSync(join(root, folder, 'templates')) : [];
    return [
      ...compared(name, found, budget),
      ...templates.flatMap((one) =>
        compared(`${name}/templates/${one}`, measure(join(root, folder, 'templates', one)), budget?.templates?.[one]),
      ),
    ];
  });
}

function compared(name, found, budget) {
  return Object.entries(found).map(([what, value]) => ({ name, what, value, most: budget?.[what] ?? 0 }));
}

function measure(folder) {
  if (!existsSync(folder)) return { files: 0, lines: 0 };
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => CODE.test(path) && !/node_modules|fixtures[\\/]|__snapshots__/.test(path),
  );
  const lines = paths.reduce((sum, path) => sum + readFileSync(join(folder, path), 'utf8').split('\n').length - 1, 0);
  return { files: paths.length, lines };
}
