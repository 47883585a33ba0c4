// docs/endpoints.md counts the routes and methods that the endpoints have, and docs/openapi.json has their limits.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { endpoints } from '../../src/resources/index.js';
import { root } from './blocks.js';

const routes = new Set(endpoints.map(({ method, path }) => `${method} ${path}`)).size;

it.each([
  [/\b(\d+) routes\b/g, routes],
  [/\b(\d+) methods\b/g, endpoints.length],
])('docs/endpoints.md: %s', (pattern, count) => {
  const page = readFileSync(join(root, 'docs', 'endpoints.md'), 'utf8');
  const figures = [...page.matchAll(pattern)].map(([, figure]) => Number(figure));
  expect(figures, `docs/endpoints.md gives no figure for ${pattern}`).not.toEqual([]);
  for (const figure of figures) expect(figure, 'docs/endpoints.md is stale: run npm run generate').toBe(count);
});

it('docs/openapi.json has limits as JSON Schema says them, not in words', () => {
  const openapi = readFileSync(join(root, 'docs', 'openapi.json'), 'utf8');
  expect(openapi.match(/"minLength": 1\b/g)?.length).toBeGreaterThan(20);
  expect(openapi.match(/Expected: -?\d.*/g)).toBeNull();
});
