// The test of the guide that uses node:test, as a file of a project that has installed the package; and its fake timers.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { blocksOf } from '../docs/blocks.js';
import { root, run } from '../examples/run.js';
import { ARTICLE } from '../support/fixtures.js';
import { sendJson, serve } from '../support/server.js';

const blocks = blocksOf('docs/guides/testing.md').filter(({ code }) => code.includes("from 'node:test'"));

it('are found', () => {
  expect(blocks).toHaveLength(1);
});

it.each(blocks.map(({ id, code }) => [id, code]))('%s passes', async (_, code) => {
  const project = mkdtempSync(join(tmpdir(), 'multilocal-node-test-'));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(root, join(project, 'node_modules', 'multilocal'), 'junction');
  writeFileSync(join(project, 'guide.test.mjs'), code);
  const { code: ended, output } = await run(process.execPath, ['--test'], { cwd: project });
  expect(ended, output).toBe(0);
  expect(output).toMatch(/^. pass 1$/m);
});

// They replace the functions of the module `node:timers` too.
it('fake timers do not stop a call with the global fetch', async () => {
  const { url, arrived } = await serve((_, response) => sendJson(response, ARTICLE));
  const program = `
    import { mock } from 'node:test';
    import { Client } from 'multilocal';
    mock.timers.enable();
    const client = new Client({ apiKey: 'key', baseUrl: '${url}' });
    console.log((await client.articles.get(42)).id);
    process.exit();
  `;
  const { output } = await run(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], {
    cwd: root,
  });
  expect(output).toBe('42\n');
  expect(arrived).toHaveLength(1);
});
