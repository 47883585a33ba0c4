// Databases that need no server, each with the lines that the guide shows for its driver.
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll } from 'vitest';
import { type SqlStoreOptions, sqlJournal, sqlStore } from '../../src/sql/index.js';

/** What a driver contributes to the options of `sqlStore`. */
export type Driver = Pick<SqlStoreOptions, 'query' | 'transaction' | 'dialect'>;

export function pgliteDriver(db: PGlite): Driver {
  return {
    dialect: 'postgres',
    query: async (sql, params) => (await db.query(sql, params)).rows,
    transaction: (run) => db.transaction((tx) => run(async (sql, params) => (await tx.query(sql, params)).rows)),
  };
}

export async function openPglite(): Promise<PGlite> {
  const db = new PGlite();
  await db.exec(sqlStore.schema('postgres'));
  return db;
}

/** One database for the tests of a file, with the tables of stores and journals. */
export function usePglite() {
  let db: PGlite;
  beforeAll(async () => {
    db = await openPglite();
    await db.exec(sqlJournal.schema('postgres'));
  });
  afterAll(() => db.close());
  let names = 0;
  return { driver: () => pgliteDriver(db), db: () => db, newName: () => `name ${names++}` };
}
