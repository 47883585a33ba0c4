import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';

const file = fileURLToPath(new URL('../../../dist/openapi.json', import.meta.url));

async function errorsOf(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: file, config });
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ message, location }) => `${message} (${location[0]?.pointer})`);
}

test('dist/openapi.json: the linter of Redocly finds no error', { timeout: 60_000 }, async () => {
  expect(await errorsOf(readFileSync(file, 'utf8'))).toEqual([]);
});

test('it would find one', async () => {
  expect(await errorsOf('{"openapi":"3.1.0"}')).not.toEqual([]);
});
