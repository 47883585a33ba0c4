// Databases that need no server, each with the lines that the guide shows for its driver.
import { PGlite } from '@electric-sql/pglite';
import { type SqlStoreOptions, sqlStore } from '../../src/sql/index.js';

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
