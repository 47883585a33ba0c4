import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresServer, startPostgres } from '@multilocal/scripts/services';
import { describeJournal } from '@multilocal/test/support/journal-contract';
import { articlesOf, serviceWith } from '@multilocal/test/sync/service';
import type { Article, StorePage } from 'multilocal';
import { testArticleStore } from 'multilocal/mock';
import pg from 'pg';
import postgresJs from 'postgres';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type SqlQuery, sqlJournal, sqlStore } from '../../src/sql/index.js';
import type { Driver } from '../sql/databases.js';
import { loadBetterSqlite3, type Sqlite } from './sqlite.js';

let server: PostgresServer;
let pool: pg.Pool;
beforeAll(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ connectionString: server.url, max: 20 });
  // Without listeners, a session that is terminated ends the process.
  pool.on('error', () => {});
  pool.on('connect', (connection) => connection.on('error', () => {}));
  await pool.query(sqlStore.schema('postgres'));
  // A schema that exists is no error.
  await pool.query(sqlStore.schema('postgres'));
});
afterAll(async () => {
  await pool?.end();
  await server?.stop();
});

let brands = 0;
const newBrand = () => `brand ${brands++}`;

const query: SqlQuery = async (sql, params) => (await pool.query(sql, params)).rows;

async function inTransaction(run: (query: SqlQuery) => Promise<void>): Promise<void> {
  const connection = await pool.connect();
  let failure: unknown;
  try {
    await connection.query('BEGIN');
    await run(async (sql, params) => (await connection.query(sql, params)).rows);
    await connection.query('COMMIT');
  } catch (error) {
    failure = error;
    await connection.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    connection.release(failure !== undefined);
  }
}

const withPg: Driver = { dialect: 'postgres', query, transaction: inTransaction };
const withPgAlone: Driver = { dialect: 'postgres', query };

it('programs that start at the same moment may all create the tables', async () => {
  const sql = postgresJs(server.url, { max: 8 });
  onTestFinished(() => sql.end());
  const withAll = (run: (text: string) => Promise<unknown>, text: string) =>
    Promise.all(Array.from({ length: 8 }, () => run(text)));
  for (const [at, run] of [(text: string) => pool.query(text), (text: string) => sql.unsafe(text)].entries()) {
    await withAll(run, 'SELECT pg_sleep(0.2)');
    await withAll(run, sqlStore.schema('postgres', `at_${at}`));
  }
});

const DRIVERS: [string, Driver][] = [
  ['with transactions', withPg],
  ['without transactions', withPgAlone],
];

const article = (id: number, updated_at: string): Article => {
  return { id, title: `Article ${id}`, status: 'published', slug: `a-${id}`, created_at: updated_at, updated_at };
};

const page = (changes: Partial<StorePage<Article>>): StorePage<Article> => {
  return { upserts: [], removals: [], cursor: 'c1', previous: null, ...changes };
};

async function contentOf(brand: string) {
  const { rows } = await pool.query(`SELECT id, updated_at FROM multilocal_articles WHERE brand = $1 ORDER BY id`, [
    brand,
  ]);
  const { rows: sync } = await pool.query('SELECT cursor FROM multilocal_articles_sync WHERE brand = $1', [brand]);
  return { cursor: sync[0]?.cursor ?? null, versions: rows.map(({ id, updated_at }) => `${id}@${updated_at}`) };
}

/** Waits until this many statements on the tables wait for a lock. */
async function waitForLocks(count: number): Promise<void> {
  for (;;) {
    const { rows } = await pool.query(
      `SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%multilocal%'`,
    );
    if (rows[0].waiting >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

// guide.test.ts has pg and postgres.js with the lines of the guide.
describe('sqlStore on Postgres is an article store', () => {
  it('without transactions', () => testArticleStore(() => sqlStore({ ...withPgAlone, brand: newBrand() })));

  it('without prepared statements', async () => {
    const sql = postgresJs(server.url, { prepare: false });
    onTestFinished(() => sql.end());
    const query: SqlQuery = (text, params) => sql.unsafe(text, params);
    await testArticleStore(() => sqlStore({ dialect: 'postgres', query, brand: newBrand() }));
  });
});

describe.each(DRIVERS)('two workers, %s', (_, driver) => {
  const workers = (brand: string) => [sqlStore({ ...driver, brand }), sqlStore({ ...driver, brand })] as const;

  // The pages of a complete listing leave the cursor as it is.
  it('in a complete listing: the stalled one is refused although the cursor is the same', async () => {
    const brand = newBrand();
    const [stalled, other] = workers(brand);
    await other.commit(page({ upserts: [article(1, 'old')] }));
    await stalled.loadCursor();
    await other.loadCursor();
    const listed = { cursor: 'c1', previous: 'c1' };
    expect(await other.commit(page({ ...listed, upserts: [article(1, 'new')] }))).toBe(true);
    expect(await stalled.commit(page({ ...listed, upserts: [article(1, 'stale')] }))).toBe(false);
    await stalled.saveListing({ bulle_id: null, isFirst: false, position: 'stale', ids: [], missing: null });
    expect(await other.loadListing()).toBeNull();
    expect(await contentOf(brand)).toEqual({ cursor: 'c1', versions: ['1@new'] });
  });

  it.each([null, 'c0'])('that commit at the same time from the cursor %s: one wins', async (previous) => {
    const brand = newBrand();
    if (previous !== null) await sqlStore({ ...driver, brand }).saveCursor(previous);
    // Holds the row, so that all of them really wait for it at the same time.
    const blocker = await pool.connect();
    await blocker.query('BEGIN');
    await blocker.query(
      `INSERT INTO multilocal_articles_sync (brand) VALUES ($1)
       ON CONFLICT (brand) DO UPDATE SET brand = excluded.brand`,
      [brand],
    );
    const commits = [1, 2, 3, 4, 5].map((worker) =>
      sqlStore({ ...driver, brand }).commit(
        page({ upserts: [article(1, `of ${worker}`), article(worker + 1, 'own')], cursor: `c${worker}`, previous }),
      ),
    );
    await waitForLocks(commits.length);
    await blocker.query('COMMIT');
    blocker.release();
    const results = await Promise.all(commits);
    expect(results.filter(Boolean)).toHaveLength(1);
    const winner = results.indexOf(true) + 1;
    expect(await contentOf(brand)).toEqual({ cursor: `c${winner}`, versions: [`1@of ${winner}`, `${winner + 1}@own`] });
  });
});

it.each(DRIVERS)(
  'a session that is terminated in the middle of a commit, %s: nothing is stored, and the commit is tried again',
  async (_, driver) => {
    const brand = newBrand();
    const store = sqlStore({ ...driver, brand });
    await store.commit(page({ upserts: [article(1, 'old'), article(2, 'old')] }));
    const blocker = await pool.connect();
    await blocker.query('BEGIN');
    // The statement has claimed the cursor, and waits in the middle of its articles.
    await blocker.query('SELECT 1 FROM multilocal_articles WHERE brand = $1 AND id = 2 FOR UPDATE', [brand]);
    const change = page({
      upserts: [article(1, 'new'), article(2, 'new'), article(3, 'new')],
      cursor: 'c2',
      previous: 'c1',
    });
    const done = store.commit(change);
    await waitForLocks(1);
    await pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%multilocal%'`,
    );
    // The first try has stored nothing, and the second one waits for the same article.
    await waitForLocks(1);
    expect(await contentOf(brand)).toEqual({ cursor: 'c1', versions: ['1@old', '2@old'] });
    await blocker.query('ROLLBACK');
    blocker.release();
    expect(await done).toBe(true);
    expect(await contentOf(brand)).toEqual({ cursor: 'c2', versions: ['1@new', '2@new', '3@new'] });
  },
);

it.each(DRIVERS)('a Postgres that restarts, %s: every page and every save is there once', async (_, driver) => {
  await pool.query(sqlJournal.schema('postgres'));
  const brand = newBrand();
  const store = sqlStore({ ...driver, brand });
  const journal = sqlJournal({ ...driver, name: brand });
  expect([await store.loadCursor(), await journal.load()]).toEqual([null, null]);
  let isRestarted = false;
  const restarting = server.restart().then(() => {
    isRestarted = true;
  });
  let last: string | null = null;
  for (let count = 1, after = 0; after < 5; count++) {
    if (isRestarted) after++;
    const next = `c${count}`;
    expect(await store.commit(page({ upserts: [article(count, next)], cursor: next, previous: last }))).toBe(true);
    expect(await journal.save(next, last)).toBe(true);
    last = next;
  }
  await restarting;
  const { cursor, versions } = await contentOf(brand);
  expect([cursor, `c${versions.length}`, await journal.load()]).toEqual([last, last, last]);
});

it('a SQLite that another connection keeps busy is waited for', async () => {
  const Sqlite = await loadBetterSqlite3();
  const folder = mkdtempSync(join(tmpdir(), 'multilocal-'));
  const [ours, theirs] = [new Sqlite(join(folder, 'a.db')), new Sqlite(join(folder, 'a.db'))];
  onTestFinished(() => {
    for (const connection of [ours, theirs]) connection.close();
    rmSync(folder, { recursive: true });
  });
  ours.exec(`PRAGMA busy_timeout = 0; ${sqlJournal.schema('sqlite')}`);
  const query: SqlQuery = async (sql, params) => ours.prepare(sql).all(...params);
  theirs.exec('BEGIN IMMEDIATE');
  const saved = sqlJournal({ dialect: 'sqlite', name: 'one', query }).save('a', null);
  await new Promise((resolve) => setTimeout(resolve, 200));
  theirs.exec('COMMIT');
  expect(await saved).toBe(true);
});

it('keeps no state in a session: each statement may go to another one, as behind PgBouncer', async () => {
  const brand = newBrand();
  const service = serviceWith(Array(9).fill(1));
  const sessions = new Set<number>();
  const anywhere: SqlQuery = async (sql, params) => {
    const connection = new pg.Client(server.url);
    await connection.connect();
    try {
      sessions.add((await connection.query('SELECT pg_backend_pid() AS pid')).rows[0].pid);
      return (await connection.query(sql, params)).rows;
    } finally {
      await connection.end();
    }
  };
  await articlesOf(service).syncTo(sqlStore({ dialect: 'postgres', query: anywhere, brand }));
  expect(sessions.size).toBeGreaterThan(5);
  expect((await contentOf(brand)).versions.sort()).toEqual(service.online);
});

it('gives a reservation that has expired to the next run, by the clock of the database', async () => {
  const brand = newBrand();
  const [killed, next] = [sqlStore({ ...withPg, brand }), sqlStore({ ...withPg, brand })];
  const end = await killed.lease();
  expect(await next.lease()).toBeNull();
  const until = async () => {
    const { rows } = await pool.query(
      `SELECT lease_until - extract(epoch FROM clock_timestamp()) AS left FROM multilocal_articles_sync WHERE brand = $1`,
      [brand],
    );
    return Number(rows[0].left);
  };
  const age = () =>
    pool.query('UPDATE multilocal_articles_sync SET lease_until = lease_until - 29 WHERE brand = $1', [brand]);
  await age();
  expect(await until()).toBeLessThan(2);
  expect(await end?.renew?.()).toBe(true);
  expect(await until()).toBeGreaterThan(2);
  expect(await next.lease()).toBeNull();
  for (let times = 0; times < 2; times++) await age();
  expect(await next.lease()).not.toBeNull();
  expect(await end?.renew?.()).toBe(false);
  await end?.();
  expect(await killed.lease()).toBeNull();
});

let names = 0;
describeJournal('Postgres through many sessions', async () => {
  await pool.query(sqlJournal.schema('postgres'));
  const name = `journal ${names++}`;
  return () => sqlJournal({ ...withPgAlone, name });
});

describeJournal('SQLite through several connections', async () => {
  const Sqlite = await loadBetterSqlite3();
  const folder = mkdtempSync(join(tmpdir(), 'multilocal-'));
  const connections = Array.from({ length: 3 }, () => new Sqlite(join(folder, 'plans.db')));
  onTestFinished(() => {
    for (const connection of connections) connection.close();
    rmSync(folder, { recursive: true });
  });
  connections[0]?.exec(sqlJournal.schema('sqlite'));
  let runs = 0;
  return () => {
    const connection = connections[runs++ % connections.length] as Sqlite;
    const query: SqlQuery = async (sql, params) => connection.prepare(sql).all(...params);
    return sqlJournal({ dialect: 'sqlite', name: 'race', query });
  };
});
