// Databases that need no server, each with the lines that the guide shows for its driver.
import { PGlite } from '@electric-sql/pglite';
import { beforeAll } from 'vitest';
import { type SqlStoreOptions, sqlCursor, sqlJournal, sqlStore } from '../../src/sql/index.js';

/** What a driver contributes to the options of `sqlStore`. */
export type Driver = Pick<SqlStoreOptions, 'query' | 'transaction' | 'dialect'>;

export function pgliteDriver(db: PGlite): Driver {
  return {
    dialect: 'postgres',
    query: async (sql, params) => (await db.query(sql, params)).rows,
    transaction: (run) => db.transaction((tx) => run(async (sql, params) => (await tx.query(sql, params)).rows)),
  };
}

let opened: Promise<PGlite> | undefined;
let names = 0;

/** One database, with all tables, for all test files of a thread: to start it takes two seconds. It ends with the thread. */
export function openPglite(): Promise<PGlite> {
  opened ??= (async () => {
    const db = new PGlite();
    await db.exec([sqlStore, sqlJournal, sqlCursor].map(({ schema }) => schema('postgres')).join(''));
    return db;
  })();
  return opened;
}

export function usePglite() {
  let db: PGlite;
  beforeAll(async () => {
    db = await openPglite();
  });
  return { driver: () => pgliteDriver(db), db: () => db, newName: () => `name ${names++}` };
}
