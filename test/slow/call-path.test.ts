// How many of our files one successful call enters, by V8's precise coverage. A reader follows a call through these.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const PROGRAM = join(import.meta.dirname, '../support/call-path.ts');
const filesOf = (operation: string) =>
  execFileSync(process.execPath, ['--import', 'tsx', PROGRAM, operation], { encoding: 'utf8' }).trim().split('\n');

it.each([
  ['posts.create', 20],
  ['articles.get', 19],
])('%s of a Client enters %i files at most', (operation, most) => {
  const files = filesOf(operation);
  expect(files).toContain('core/http.ts');
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(most);
});
