// The journals that need no server. test/services has those of Postgres and SQLite.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeJournal } from '@multilocal/test/support/journal-contract';
import { fileJournal } from 'multilocal/node';
import { memoryJournal } from 'multilocal/plans';
import { onTestFinished } from 'vitest';
import { sqlJournal } from '../src/sql/index.js';
import { usePglite } from './sql/databases.js';

describeJournal('memory', () => {
  const journal = memoryJournal();
  return () => journal;
});

describeJournal('a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'multilocal-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return () => fileJournal(join(folder, 'plan.journal.json'));
});

const { driver, newName } = usePglite();

describeJournal('PGlite', () => {
  const name = newName();
  return () => sqlJournal({ ...driver(), name });
});
