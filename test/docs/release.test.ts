// What only a release makes true is marked where scripts/release.mjs finds it: the owner, the date, badges, "not on npm yet".
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { leftIn, released, texts } from '../../scripts/release.mjs';
import { pages, root } from './blocks.js';

const read = (name: string) => readFileSync(join(root, name), 'utf8');

it('leaves nothing to say after a release', () => {
  const left = texts().flatMap((name) =>
    leftIn(released(read(name), 'someone/elsewhere')).map((line) => `${name}: ${line}`),
  );
  expect(left).toEqual([]);
  const readme = released(read('README.md'), 'someone/elsewhere');
  expect(readme).toContain('(https://github.com/someone/elsewhere/actions');
  expect(readme).not.toContain('<!--');
  expect(JSON.parse(released(read('package.json'), 'someone/elsewhere')).repository.url).toBe(
    'git+https://github.com/someone/elsewhere.git',
  );
  expect(released('## [1.0.0] - unreleased', 'a/b', '2027-01-02')).toBe('## [1.0.0] - 2027-01-02');
});

it('finds what nobody has marked', () => {
  const unmarked = [
    'github.com/OWNER/other',
    'Until 0.1.0 is there',
    '<!-- /until the first release -->',
    'It is not on npm yet.',
  ];
  expect(leftIn(released(unmarked.join('\n'), 'a/b'))).toEqual(unmarked);
});

it('has no link to the repository where a relative one works', () => {
  const marked = /<!-- from the first release on\n[\s\S]*?-->/g;
  const found = pages.filter((page) => read(page).replace(marked, '').includes('github.com/OWNER'));
  expect(found).toEqual([]);
});
