import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseUrl } from '../../src/core/config.js';

const SOURCES = join(import.meta.dirname, '../../src');

it.each([
  ['https://été.example', undefined],
  ['//été.example/x', 'https://a.example'],
])('%s with the base %s has an origin, however often it is parsed', (text, base) => {
  const origins = new Set<string | undefined>();
  // Enough for V8 to optimise the function.
  for (let n = 0; n < 100_000; n++) origins.add(parseUrl(text, base)?.origin);
  expect([...origins]).toEqual(['https://xn--t-9fab.example']);
});

it.each(['', 'x', '//a.example', 'https://[', 'http://a b'])('%j is not an address', (text) => {
  expect(parseUrl(text)).toBeUndefined();
});

it('no source uses URL.canParse, which Node 20 gets wrong', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  expect(files.filter((name) => readFileSync(join(SOURCES, name), 'utf8').includes('URL.canParse('))).toEqual([]);
});
