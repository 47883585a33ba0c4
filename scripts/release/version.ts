// Turns the waiting changesets into a version: package.json, CHANGELOG.md, and what else names the version. The release
// workflow runs it to write its pull request; nothing is committed or published here.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readChangesets, withRelease } from './changesets.js';
import { root, tool } from './run.js';

const changesets = readChangesets(join(root, '.changeset'));
tool('changeset', 'version');
if (changesets.length === 0) process.exit();

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
rewrite('CHANGELOG.md', (text) => withRelease(text, version, new Date().toISOString().slice(0, 10), changesets));
// By hand: npm would look every dependency up again to write the same two lines.
rewrite('package-lock.json', (text) => {
  const lock = JSON.parse(text) as { version: string; packages: { '': { version: string } } };
  lock.version = version;
  lock.packages[''].version = version;
  return `${JSON.stringify(lock, null, 2)}\n`;
});
tool('tsx', 'scripts/docs-api/main.ts');

function rewrite(name: string, change: (text: string) => string): void {
  const file = join(root, name);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}
