// The recipes of README.md, one after the other, against what `npx multilocal mock` starts and with the line that it prints.
import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { blocksOf, root } from './blocks.js';
import { execute } from './run.js';

let mock: ChildProcess;
let output = '';
beforeAll(async () => {
  mock = spawn(process.execPath, ['--import', 'tsx', 'src/cli/main.ts', 'mock', '--no-json', '--port', '0'], { cwd: root });
  mock.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await vi.waitUntil(() => output.includes('Requests:'), { timeout: 60_000 });
  const [, line = ''] = /^ +export (.+)$/m.exec(output) ?? [];
  for (const assignment of line.split(' ')) {
    const [name = '', value = ''] = assignment.split('=');
    process.env[name] = value;
  }
}, 60_000);
afterAll(() => {
  mock.kill('SIGKILL');
  delete process.env.MULTILOCAL_API_KEY;
  delete process.env.MULTILOCAL_BASE_URL;
});

const recipes = blocksOf('README.md');

it('there are five', () => {
  expect(recipes).toHaveLength(5);
});

it.each(recipes.map(({ id, code }) => [id, code] as const))('%s runs as it stands', async (_, code) => {
  // The last one is a test, and tests print nothing.
  if (!code.includes("from 'vitest'")) expect(await execute(code)).not.toEqual([]);
  else await execute(code);
});
