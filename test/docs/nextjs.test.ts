// The guide of Next.js shows files of examples/next-site, which are built and served in a test.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blocksOf, root } from './blocks.js';

const files = blocksOf('docs/guides/nextjs.md').flatMap(({ code }) => {
  const [, path, text] = /^\/\/ ((?:app|lib)\/\S+)\n([\s\S]*)$/.exec(code) ?? [];
  return path && text ? [{ path, text }] : [];
});
const SHOWN = [
  'lib/store.ts',
  'lib/articles.ts',
  'lib/sync.ts',
  'app/api/sync/route.ts',
  'app/articles/[page]/page.tsx',
];

it.each(SHOWN)('%s is in the guide as it is in the example', (path) => {
  // The store for one server comes before the one for several.
  const shown = files.find((file) => file.path === path)?.text;
  expect(shown).toBe(readFileSync(join(root, 'examples', 'next-site', path), 'utf8'));
});
