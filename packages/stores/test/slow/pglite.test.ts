// Journals, cursors and stores in a Postgres without a server, whose start takes seconds.
import { describeJournal } from '@multilocal/test/support/journal-contract';
import type { Article } from 'multilocal';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type SqlQuery, sqlCursor, sqlJournal, sqlStore } from '../../src/sql/index.js';
import { describeCursor } from '../cursor-contract.js';
import { type Driver, usePglite } from '../sql/databases.js';

const failure = (code: string, message = '') => Object.assign(new Error(message), { code });

const UNUSABLE = 'has encountered a connection error and is not queryable';
const { driver: pglite, db, newName } = usePglite();

describeJournal('PGlite', () => {
  const name = newName();
  return () => sqlJournal({ ...pglite(), name });
});

describeCursor('PGlite', async () => {
  const name = newName();
  return () => sqlCursor({ ...pglite(), name });
});

it('the schema of a journal may exist already', async () => {
  await db().exec(sqlJournal.schema('postgres'));
});

it('a table keeps plans apart', async () => {
  const names = ["l'un", 'L’un', " l'un", '"; DROP TABLE multilocal_plans; --'];
  const journals = names.map((name) => sqlJournal({ ...pglite(), name }));
  const texts = names.map((name) => `${JSON.stringify({ name, text: '🥖 \\u0000 \ud800' })}\r\n `);
  for (const [index, journal] of journals.entries()) expect(await journal.save(texts[index] ?? '', null)).toBe(true);
  expect(await Promise.all(journals.map((journal) => journal.load()))).toEqual(texts);
  for (const [index, journal] of journals.entries()) expect(await journal.save('', texts[index] ?? '')).toBe(true);
  expect(await journals[0]?.load()).toBe('');
});

it('frees the lease in a database after half a minute', async () => {
  const cursor = sqlCursor({ ...pglite(), name: newName() });
  const lease = await cursor.lease?.();
  await db().exec('UPDATE multilocal_watch SET lease_until = lease_until - 31');
  expect(await cursor.lease?.()).not.toBeNull();
  expect(await lease?.renew?.()).toBe(false);
});

/** A driver of a database that is busy or away for a moment. Its first statements like `like` fail, after they were carried out, or before. */
function failing(like: RegExp, when: 'before' | 'after', error: unknown, times = 1, others?: () => unknown): Driver {
  const driver = pglite();
  const flaky =
    (query: SqlQuery): SqlQuery =>
    async (sql, params) => {
      if (!like.test(sql) || times-- <= 0) return query(sql, params);
      if (when === 'after') await query(sql, params);
      await others?.();
      throw error;
    };
  return { ...driver, query: flaky(driver.query) };
}

describe('sqlJournal', () => {
  it.each([
    ['a busy SQLite', failure('SQLITE_BUSY'), 'before'],
    ['a busy SQLite of Node', failure('ERR_SQLITE_ERROR', 'database is locked'), 'before'],
    ['a Postgres that starts', failure('57P03'), 'before'],
    ['a refused connection, wrapped by a query builder', new Error('x', { cause: failure('ECONNREFUSED') }), 'before'],
    ['a Postgres that is stopped', failure('57P01'), 'after'],
    ['a broken connection', failure('ECONNRESET'), 'after'],
    ['a connection that pg has lost', new Error('Connection terminated unexpectedly'), 'before'],
    ['a connection that pg has lost', new Error('Connection terminated unexpectedly'), 'after'],
    ['a client of pg without a connection', new Error(`Client ${UNUSABLE}`), 'before'],
  ] as const)('%s: a save is there once, and is no save of another run', async (_, error, when) => {
    const name = newName();
    const journal = sqlJournal({ ...failing(/INSERT|UPDATE/, when, error, 2), name });
    expect(await journal.save('a', null)).toBe(true);
    expect(await journal.save('b', 'a')).toBe(true);
    expect(await sqlJournal({ ...failing(/SELECT/, when, error), name }).load()).toBe('b');
  });

  it('a save of another run in that moment wins', async () => {
    const name = newName();
    const other = sqlJournal({ ...pglite(), name });
    const theirs = () => other.save('theirs', null);
    const journal = sqlJournal({ ...failing(/INSERT/, 'before', failure('ECONNRESET'), 1, theirs), name });
    expect(await journal.save('ours', null)).toBe(false);
    expect(await journal.load()).toBe('theirs');
  });
});

describe('sqlStore', () => {
  const article = (id: number): Article => {
    return { id, title: 'T', status: 'published', created_at: 'c', updated_at: `u${id}` };
  };
  const page = { upserts: [article(1)], removals: [], cursor: 'c1', previous: null };

  it.each(['before', 'after'] as const)('a commit that fails %s it is carried out is made once', async (when) => {
    const brand = newName();
    const store = sqlStore({ ...failing(/WITH claimed/, when, failure('57P01'), 2), transaction: undefined, brand });
    await store.loadCursor();
    expect(await store.commit(page)).toBe(true);
    expect(await store.commit({ ...page, upserts: [article(2)], cursor: 'c2', previous: 'c1' })).toBe(true);
    expect(await store.loadCursor()).toBe('c2');
    for await (const { id } of store.all()) expect([1, 2]).toContain(id);
  });

  it('a transaction is tried again as a whole', async () => {
    const brand = newName();
    const driver = pglite();
    let begun = 0;
    const transaction: Driver['transaction'] = (run) =>
      driver.transaction?.(async (query) => {
        await run(query);
        if (++begun === 1) throw failure('SQLITE_BUSY');
      });
    const store = sqlStore({ ...driver, transaction, brand });
    expect(await store.commit(page)).toBe(true);
    expect([begun, await store.loadCursor()]).toEqual([2, 'c1']);
  });

  it('a page of another run in that moment is not taken for ours', async () => {
    const brand = newName();
    const other = sqlStore({ ...pglite(), brand });
    await other.commit(page);
    await other.loadCursor();
    const theirs = () => other.commit({ ...page, upserts: [article(3)], cursor: 'c1', previous: 'c1' });
    const driver = failing(/WITH claimed/, 'before', failure('ECONNRESET'), 1, theirs);
    const store = sqlStore({ ...driver, transaction: undefined, brand });
    await store.loadCursor();
    expect(await store.commit({ ...page, upserts: [article(2)], previous: 'c1' })).toBe(false);
  });

  it('a reservation whose answer was lost is ours', async () => {
    const brand = newName();
    const store = sqlStore({ ...failing(/lease = excluded/, 'after', failure('ECONNRESET')), brand });
    expect(await store.lease()).not.toBeNull();
    expect(await store.lease()).toBeNull();
  });
});

describe('a database that stays away', () => {
  beforeEach(() => void vi.useFakeTimers());

  it('is waited for, 30 s at most, and its error comes as it is', async () => {
    const error = failure('ECONNREFUSED');
    let tries = 0;
    const query = () => {
      tries += 1;
      throw error;
    };
    const started = Date.now();
    const ended = sqlJournal({ dialect: 'postgres', name: 'one', query })
      .load()
      .catch((reason) => [reason, Date.now() - started]);
    await vi.advanceTimersByTimeAsync(60_000);
    const [reason, time] = (await ended) as [unknown, number];
    expect([reason, time > 28_000, time <= 30_000, tries < 100]).toEqual([error, true, true, true]);
  });
});
