// The journals that need no server. test/services has those of Postgres and SQLite.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { describeJournal } from '@multilocal/test/support/journal-contract';
import { fileJournal } from 'multilocal/node';
import { memoryJournal } from 'multilocal/plans';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { sqlJournal } from '../src/sql/index.js';
import { openPglite, pgliteDriver } from './sql/databases.js';

describeJournal('memory', () => {
  const journal = memoryJournal();
  return () => journal;
});

describeJournal('a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'multilocal-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return () => fileJournal(join(folder, 'plan.journal.json'));
});

let db: PGlite;
beforeAll(async () => {
  db = await openPglite();
  await db.exec(sqlJournal.schema('postgres'));
});
afterAll(() => db.close());

let names = 0;
describeJournal('PGlite', () => {
  const name = `journal ${names++}`;
  return () => sqlJournal({ ...pgliteDriver(db), name });
});
