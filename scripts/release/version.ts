// Turns the waiting changesets into a version: package.json, CHANGELOG.md, and what else names the version. The release
// workflow runs it to write its pull request; nothing is committed or published here.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readChangesets, withRelease } from './changesets.js';
import { root, run, tool } from './run.js';

const changesets = readChangesets(join(root, '.changeset'));
tool('changeset', 'version');

if (changesets.length === 0) process.exit();

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const file = join(root, 'CHANGELOG.md');
const today = new Date().toISOString().slice(0, 10);
writeFileSync(file, withRelease(readFileSync(file, 'utf8'), version, today, changesets));

run(root, 'npm', 'install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund');
tool('tsx', 'scripts/docs-api/main.ts');
