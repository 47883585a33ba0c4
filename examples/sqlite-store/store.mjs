import { DatabaseSync } from 'node:sqlite';
import { sqlStore } from 'multilocal/sql';

/** @import { SqlQuery } from 'multilocal/sql' */

/**
 * Opens an SQLite database that keeps articles. A page of articles and its cursor are one transaction. After a crash, the
 * database has both or neither, and the next run continues after the last complete page. Readers, in this process or in
 * others, never see half a page.
 *
 * @param {string} path
 */
export function openDatabase(path) {
  const db = new DatabaseSync(path);
  // Readers go on while a sync writes, and two syncs wait for each other.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000;');
  db.exec(sqlStore.schema('sqlite'));

  /** @type {SqlQuery} */
  const query = (sql, params) => db.prepare(sql).all(...params);

  /** @param {(query: SqlQuery) => Promise<void>} run */
  async function transaction(run) {
    db.exec('BEGIN IMMEDIATE');
    try {
      await run(query);
      db.exec('COMMIT');
    } catch (error) {
      db.exec('ROLLBACK');
      throw error;
    }
  }

  return {
    /** @param {string} brand */
    storeOf: (brand) => sqlStore({ dialect: 'sqlite', brand, query, transaction }),
    close: () => db.close(),
  };
}
