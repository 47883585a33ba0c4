// What only a release makes true is marked where scripts/release.mjs finds it: the owner, the date, badges, the install command.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { leftIn, released, texts } from '../../scripts/release.mjs';
import { pages, root } from './blocks.js';

const read = (name: string) => readFileSync(join(root, name), 'utf8');

it('leaves nothing to say after a release', () => {
  const after = Object.fromEntries(texts().map((name) => [name, released(read(name), 'some/where', '2027-01-02')]));
  const left = Object.entries(after).filter(([, text]) => leftIn(text).length > 0);
  expect(left.map(([name]) => name)).toEqual([]);
  expect(after['README.md']).toContain('(https://github.com/some/where/actions');
  expect(after['package.json']).toContain('git+https://github.com/some/where.git');
});

it.each([
  'github.com/OWNER/x',
  'Until 0.1.0',
  '<!-- /until the first release -->',
  'not on npm yet',
  '## [0] - unreleased',
])('finds %s if nobody has marked it', (text) => expect(leftIn(released(text, 'some/where'))).toEqual([text]));

it('has no link to the repository where a relative one works', () => {
  const text = pages.map((page) => read(page).replace(/<!-- from the first release on\n[\s\S]*?-->/, '')).join();
  expect(text).not.toContain('github.com/OWNER');
});
