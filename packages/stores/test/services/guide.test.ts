// Runs the lines of the guide for each driver, as they stand.
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresServer, startPostgres } from '@multilocal/scripts/services';
import { root } from '@multilocal/test/docs/blocks';
import type { Article } from 'multilocal';
import { testArticleStore } from 'multilocal/mock';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type SqlQuery, type SqlStore, sqlStore } from '../../src/sql/index.js';
import { blockOf, exportsOf } from './guide.js';
import { loadBetterSqlite3, type Sqlite } from './sqlite.js';

let brands = 0;
/** Tests the stores that a block of the guide makes. */
async function expectStores(exported: Record<string, unknown>, ...more: unknown[]): Promise<void> {
  const storeOf = exported.storeOf as (brand: string, ...more: unknown[]) => SqlStore;
  await testArticleStore(() => storeOf(`brand ${brands++}`, ...more));
}

describe('Postgres', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  it('pg', async () => {
    const pools: pg.Pool[] = [];
    class Pool extends pg.Pool {
      constructor(config: pg.PoolConfig) {
        super(config);
        pools.push(this);
      }
    }
    onTestFinished(() => Promise.all(pools.map((pool) => pool.end())).then(() => {}));
    const modules = { pg: { __esModule: true, default: { Pool } } };
    await expectStores(await exportsOf(blockOf("from 'pg'"), { DATABASE_URL: server.url }, modules));
    expect(pools).toHaveLength(1);
  });

  it('postgres.js', async () => {
    const block = blockOf("from 'postgres'");
    const closing = { ...block, code: `${block.code}\nexport const end = () => sql.end();` };
    const exported = await exportsOf(closing, { DATABASE_URL: server.url });
    onTestFinished(() => (exported.end as () => Promise<void>)());
    await expectStores(exported);
  });
});

it('PGlite', async () => {
  const block = blockOf("from '@electric-sql/pglite'");
  const exported = await exportsOf({ ...block, code: `${block.code}\nexport const end = () => db.close();` });
  onTestFinished(() => (exported.end as () => Promise<void>)());
  await expectStores(exported);
});

describe('better-sqlite3', () => {
  let Database: new (file?: string) => Sqlite;
  beforeAll(async () => {
    Database = await loadBetterSqlite3();
  });

  it('the lines of the guide', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'multilocal-sqlite-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const block = blockOf("from 'better-sqlite3'");
    const closing = { ...block, code: `${block.code}\nexport const end = () => db.close();` };
    const modules = { 'better-sqlite3': { __esModule: true, default: Database } };
    const exported = await exportsOf(closing, { DATABASE_FILE: join(folder, 'articles.db') }, modules);
    onTestFinished(() => (exported.end as () => void)());
    await expectStores(exported);
  });

  /** A database in memory, and its query. */
  function open(): { db: Sqlite; query: SqlQuery } {
    const db = new Database();
    onTestFinished(() => db.close());
    db.exec(sqlStore.schema('sqlite'));
    return { db, query: (sql, params) => db.prepare(sql).all(...params) };
  }

  it('without transactions', async () => {
    await testArticleStore(() => sqlStore({ dialect: 'sqlite', brand: 'one', query: open().query }));
  });

  it('ids that come as bigint', async () => {
    await testArticleStore(() => {
      const { db } = open();
      const query: SqlQuery = (sql, params) => {
        const statement = db.prepare(sql);
        statement.safeIntegers();
        return statement.all(...params);
      };
      return sqlStore({ dialect: 'sqlite', brand: 'one', query });
    });
  });

  const article = (id: number, updated_at: string): Article => {
    return { id, title: 'T', status: 'published', created_at: 'c', updated_at };
  };
  const content = (db: Sqlite) => ({
    cursor: db.prepare('SELECT cursor FROM multilocal_articles_sync').all()[0]?.cursor ?? null,
    versions: db
      .prepare('SELECT id, updated_at FROM multilocal_articles ORDER BY id')
      .all()
      .map(({ id, updated_at }) => `${id}@${updated_at}`),
  });

  // As on D1. Each number of statements after which the process ends.
  it('a process that ends within a commit without a transaction: the cursor never covers what is not stored', async () => {
    for (let left = 0; left <= 4; left++) {
      const { db, query } = open();
      const commits = { upserts: [article(1, 'new'), article(2, 'new')], removals: [3], cursor: 'c2', previous: 'c1' };
      const healthy = sqlStore({ dialect: 'sqlite', brand: 'one', query });
      await healthy.commit({ upserts: [article(3, 'old')], removals: [], cursor: 'c1', previous: null });
      let statements = left;
      const dying: SqlQuery = (sql, params) => {
        if (statements-- === 0) throw new Error('killed');
        return query(sql, params);
      };
      const result = await sqlStore({ dialect: 'sqlite', brand: 'one', query: dying }).commit(commits).catch(String);
      const whole = { cursor: 'c2', versions: ['1@new', '2@new'] };
      if (left === 4) expect([result, content(db)]).toEqual([true, whole]);
      else {
        expect([result, content(db).cursor]).toEqual(['Error: killed', 'c1']);
        // The next run repeats the page.
        expect(await sqlStore({ dialect: 'sqlite', brand: 'one', query }).commit(commits)).toBe(true);
        expect(content(db)).toEqual(whole);
      }
    }
  });

  it('a run that is overtaken within a commit without a transaction stores no more', async () => {
    for (let after = 1; after <= 3; after++) {
      const { db, query } = open();
      const other = sqlStore({ dialect: 'sqlite', brand: 'one', query });
      let statements = 0;
      const slow: SqlQuery = async (sql, params) => {
        const rows = await query(sql, params);
        if (++statements === after) {
          const page = { upserts: [article(1, 'other')], removals: [], cursor: 'c2', previous: null };
          expect(await other.commit(page)).toBe(true);
        }
        return rows;
      };
      const stale = { upserts: [article(1, 'stale')], removals: [], cursor: 'c3', previous: null };
      expect(await sqlStore({ dialect: 'sqlite', brand: 'one', query: slow }).commit(stale)).toBe(false);
      expect(content(db)).toEqual({ cursor: 'c2', versions: ['1@other'] });
    }
  });
});

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
it.runIf(major > 22 || (major === 22 && minor >= 16))('node:sqlite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'multilocal-sqlite-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // The guide has the lines of better-sqlite3, and says which two to replace.
  const block = blockOf("from 'better-sqlite3'");
  const code = block.code
    .replace("import Database from 'better-sqlite3'", "import { DatabaseSync } from 'node:sqlite'")
    .replace('new Database(', 'new DatabaseSync(');
  const closing = { ...block, code: `${code}\nexport const end = () => db.close();` };
  const exported = await exportsOf(closing, { DATABASE_FILE: join(folder, 'articles.db') });
  onTestFinished(() => (exported.end as () => void)());
  await expectStores(exported);
});

/** The part of miniflare that the test uses. It comes with wrangler, which a workspace installs. */
interface Local {
  getD1Database(binding: string): Promise<{ prepare(sql: string): { run(): Promise<unknown> } }>;
  dispose(): Promise<void>;
}

it('D1', async () => {
  const example = createRequire(join(root, 'examples/worker-proxy/package.json'));
  const wrangler = createRequire(example.resolve('wrangler/package.json'));
  const { Miniflare }: { Miniflare: new (options: object) => Local } = wrangler('miniflare');
  const code = { 'worker.mjs': { type: 'esm', contents: 'export default {}' } };
  const manifest = { mainModule: 'worker.mjs', modules: code };
  const env = { DB: { type: 'd1', id: 'articles' } };
  const local = new Miniflare({
    workers: [{ config: { name: 'worker', compatibilityDate: '2026-01-01', env, manifest } }],
  });
  onTestFinished(() => local.dispose());
  const db = await local.getD1Database('DB');
  // D1 runs one statement at a time.
  const statements = sqlStore
    .schema('sqlite')
    .split(';')
    .filter((sql) => sql.includes('CREATE'));
  for (const sql of statements) await db.prepare(sql).run();
  await expectStores(await exportsOf(blockOf('interface D1')), db);
});
