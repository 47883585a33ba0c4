// The journals and cursors that need no database.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeJournal } from '@multilocal/test/support/journal-contract';
import { fileCursor, fileJournal } from 'multilocal/node';
import { memoryJournal } from 'multilocal/plans';
import { memoryCursor } from 'multilocal/watch';
import { expect, it, onTestFinished } from 'vitest';
import { describeCursor } from './cursor-contract.js';

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'multilocal-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'plan.journal.json');
}

describeJournal('memory', () => {
  const journal = memoryJournal();
  return () => journal;
});

describeJournal('a file', () => {
  const file = newFile();
  return () => fileJournal(file);
});

describeCursor('memory', async () => {
  const cursor = memoryCursor();
  return () => cursor;
});

describeCursor('a file', async () => {
  const file = newFile();
  return () => fileCursor(file);
});

it('frees the lease of a killed process of this machine at once', async () => {
  const file = newFile();
  const cursor = fileCursor(file);
  await cursor.lease?.();
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const held = JSON.parse(await readFile(`${file}.lease`, 'utf8'));
  await writeFile(`${file}.lease`, JSON.stringify({ ...held, pid }));
  expect(await cursor.lease?.()).not.toBeNull();
});
