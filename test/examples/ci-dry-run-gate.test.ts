import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startMockServer } from '../../src/mock/server.js';
import { environmentOf, example, run } from './run.js';

const cwd = example('ci-dry-run-gate');

/** The script of package.json. Its command is that of the built package. */
async function check(key?: string) {
  const server = await startMockServer();
  const before = server.api.snapshot();
  const { scripts } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
  const [, ...words] = scripts.check.split(' ');
  const cli = join(cwd, '..', '..', 'dist', 'cli.js');
  const { code, output } = await run(process.execPath, [cli, ...words], { cwd, env: environmentOf(server, key) });
  // The service is as it was: no post, no reply, no quota spent.
  expect(server.api.snapshot()).toEqual(before);
  await server.close();
  return { code, output, requests: server.api.requests };
}

it('passes the plan that lies beside it', async () => {
  const { code, output, requests } = await check();
  expect(output).toContain('3 actions: 3 ready. Nothing was executed.');
  expect(code).toBe(0);
  const count = (name: string) => requests.filter(({ operation }) => operation === name).length;
  expect([count('platforms.limits'), count('posts.create'), count('reviews.reply')]).toEqual([1, 2, 1]);
});

it('a key that is refused: exit 4, and the key is not shown', async () => {
  const { code, output } = await check('a-wrong-but-secret-key');
  expect(code).toBe(4);
  expect(output).not.toContain('a-wrong-but-secret-key');
});
