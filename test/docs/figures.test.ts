// docs/endpoints.md counts the routes and methods that the endpoints have, and dist/openapi.json has their limits.
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
  for (const figure of figures)
    expect(figure, 'docs/endpoints.md is stale: npx vitest run test/spec/endpoints-page -u').toBe(count);
});

it('dist/openapi.json has limits as JSON Schema says them, not in words', () => {
  const openapi = readFileSync(join(root, 'dist', 'openapi.json'), 'utf8');
  expect(openapi.match(/"minLength": 1\b/g)?.length).toBeGreaterThan(20);
  expect(openapi.match(/Expected: -?\d.*/g)).toBeNull();
});

it('README.md quotes the figures of apps/bench/RESULTS.md', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const results = readFileSync(join(root, 'apps/bench/RESULTS.md'), 'utf8');
  const [, table = ''] = /<!-- Written by `npm run bench`. -->(.*)<!-- End of the figures. -->/s.exec(readme) ?? [];
  const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim());
  const measured = new Set(results.split('\n').map((line) => cellsOf(line).slice(1, 4).join('|')));
  const quoted = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| ---'));
  expect(quoted.length).toBeGreaterThan(10);
  for (const line of quoted)
    expect(measured, `npm run bench writes both: ${line}`).toContain(cellsOf(line).slice(1, 4).join('|'));
});
