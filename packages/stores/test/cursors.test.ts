// The cursors of watchers. They keep texts as journals do.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeJournal } from '@multilocal/test/support/journal-contract';
import { fileCursor, type WatchCursor } from 'multilocal/node';
import { memoryCursor } from 'multilocal/watch';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sqlCursor } from '../src/sql/index.js';
import { usePglite } from './sql/databases.js';

const { driver, newName, db } = usePglite();

/** Opens a new cursor. Each call of the returned function opens the same one again. */
const cursors: Record<string, () => Promise<() => WatchCursor>> = {
  memory: async () => {
    const cursor = memoryCursor();
    return () => cursor;
  },
  'a file': async () => {
    const folder = mkdtempSync(join(tmpdir(), 'multilocal-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return () => fileCursor(join(folder, 'watch.json'));
  },
  PGlite: async () => {
    await db().exec(sqlCursor.schema('postgres'));
    const name = newName();
    return () => sqlCursor({ ...driver(), name });
  },
};

describe.each(Object.entries(cursors))('a cursor in %s', (name, open) => {
  describeJournal(name, open);

  it('has one watcher, and a next one when it ends', async () => {
    const again = await open();
    const lease = await again().lease?.();
    expect(await again().lease?.()).toBeNull();
    expect(await lease?.renew?.()).toBe(true);
    // The lease of a cursor that has no text yet is no text.
    expect(await again().load()).toBeNull();
    await lease?.();
    const next = await again().lease?.();
    expect(next).not.toBeNull();
    expect(await lease?.renew?.()).toBe(false);
    await lease?.();
    expect(await again().lease?.()).toBeNull();
  });
});

it('frees the lease of a killed process of this machine at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'multilocal-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'watch.json');
  const cursor = fileCursor(file);
  await cursor.lease?.();
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const held = JSON.parse(await readFile(`${file}.lease`, 'utf8'));
  await writeFile(`${file}.lease`, JSON.stringify({ ...held, pid }));
  expect(await cursor.lease?.()).not.toBeNull();
});

it('frees the lease in a database after half a minute', async () => {
  await db().exec(sqlCursor.schema('postgres'));
  const cursor = sqlCursor({ ...driver(), name: newName() });
  const lease = await cursor.lease?.();
  await db().exec('UPDATE multilocal_watch SET lease_until = lease_until - 31');
  expect(await cursor.lease?.()).not.toBeNull();
  expect(await lease?.renew?.()).toBe(false);
});
