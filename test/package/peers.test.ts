// Nobody has to install the peers. An entry whose peer is missing says which version it needs.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { root, run } from '../examples/run.js';

const project = mkdtempSync(join(tmpdir(), 'multilocal-peers-'));
afterAll(() => rmSync(project, { recursive: true, force: true }));
const own = join(project, 'node_modules', 'multilocal');
mkdirSync(own, { recursive: true });
for (const name of ['dist', 'package.json']) cpSync(join(root, name), join(own, name), { recursive: true });

it.each([
  ['schemas', 'import', 'needs-zod-4.1-or-later'],
  ['schemas', 'require', 'multilocal/schemas needs zod 4.1 or later: npm install zod@latest'],
  ['mock', 'import', 'needs-msw-2.10-or-later'],
  ['mock', 'require', 'multilocal/mock needs msw 2.10 or later: npm install msw@latest'],
  ['astro', 'import', 'needs-astro-5-or-later'],
])('%s by %s: %s', async (entry, how, message) => {
  const code = `Promise.resolve().then(() => ${how}('multilocal/${entry}')).catch((error) => console.error(error.message))`;
  const type = how === 'import' ? 'module' : 'commonjs';
  const { output } = await run(process.execPath, [`--input-type=${type}`, '--eval', code], { cwd: project });
  expect(output).toContain(message);
});
