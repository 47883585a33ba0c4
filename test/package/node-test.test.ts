// The test of the guide that uses node:test, as a file of a project that has installed the package.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { blocksOf } from '../docs/blocks.js';
import { root, run } from '../examples/run.js';

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
