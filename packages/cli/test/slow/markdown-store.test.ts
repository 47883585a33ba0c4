import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testArticleStore } from 'multilocal/mock';
import { expect, it, onTestFinished } from 'vitest';
import { markdownStore } from '../../src/sync/markdown.js';

it('the store of Markdown files is an article store', async () => {
  // The store flushes each of thousands of files, which only a disk in memory does quickly.
  const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'multilocal-store-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  let stores = 0;
  await testArticleStore(() => markdownStore(join(folder, `${stores++}`)));
  expect(stores).toBeGreaterThan(1);
});
