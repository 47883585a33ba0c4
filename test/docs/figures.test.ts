// The figures that the pages give of the routes and methods are those of the endpoints.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { endpoints } from '../../src/resources/index.js';
import { root } from './blocks.js';

const routes = new Set(endpoints.map(({ method, path }) => `${method} ${path}`)).size;

it.each([
  ['README.md', /\b(\d+) routes\b/g, routes, 'mend it'],
  ['docs/index.md', /\b(\d+) routes\b/g, routes, 'mend it'],
  ['docs/endpoints.md', /\b(\d+) routes\b/g, routes, 'npm run generate writes it'],
  ['docs/endpoints.md', /\b(\d+) methods\b/g, endpoints.length, 'npm run generate writes it'],
])('%s: %s', (page, pattern, count, cure) => {
  const figures = [...readFileSync(join(root, page), 'utf8').matchAll(pattern)].map(([, figure]) => Number(figure));
  expect(figures, `${page} gives no figure for ${pattern}: mend it, or this test`).not.toEqual([]);
  for (const figure of figures) {
    expect(figure, `${page} says ${figure} where src/endpoints.ts has ${count}: ${cure}`).toBe(count);
  }
});

it('docs/openapi.json has limits as JSON Schema says them, not in words', () => {
  const openapi = readFileSync(join(root, 'docs', 'openapi.json'), 'utf8');
  expect(openapi.match(/"minLength": 1\b/g)?.length).toBeGreaterThan(20);
  expect(openapi.match(/Expected: -?\d.*/g)).toBeNull();
});
