import type { WatchCursor } from '../cursor/port.js';
import { Database } from './database.js';
import { checkDialect, checkNamedOptions, type SqlCursorOptions, type SqlDialect } from './options.js';
import { leaseStatements } from './statements.js';

const TABLE = 'multilocal_watch';

/** `$1` is the name of the cursor. Each statement is one transaction. */
const STATEMENTS = {
  load: `SELECT cursor FROM "${TABLE}" WHERE name = $1`,
  /** `$2` the text. */
  create: `INSERT INTO "${TABLE}" (name, cursor) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET cursor = excluded.cursor
    WHERE "${TABLE}".cursor IS NULL RETURNING 1 AS done`,
  /** `$2` the text, `$3` the text that must still be there. */
  replace: `UPDATE "${TABLE}" SET cursor = $2 WHERE name = $1 AND cursor = $3 RETURNING 1 AS done`,
};

/**
 * Creates a cursor of `watch` in Postgres or SQLite, through your own driver. Create the table once with the SQL of
 * `sqlCursor.schema(dialect)`. A second watcher waits for the first one. The lease of one that was killed expires after 30 s,
 * with the clock of the database.
 *
 * The methods throw a `ConfigurationError` if the table is missing or if `query` does not resolve to rows. A busy SQLite and a
 * Postgres that restarts are waited for, up to 30 s.
 * @throws a `ConfigurationError` if an option is missing, unknown or invalid.
 * @example
 * import { sqlCursor } from 'multilocal/sql';
 * import { Pool } from 'pg';
 *
 * const pool = new Pool({ connectionString: process.env.DATABASE_URL });
 * const query = async (sql: string, params: unknown[]) => (await pool.query(sql, params)).rows;
 * const cursor = sqlCursor({ query, dialect: 'postgres', name: 'boulangerie' });
 */
export function sqlCursor(options: SqlCursorOptions): WatchCursor {
  const { name, ...driver } = checkNamedOptions('sqlCursor', options);
  const missing = `the table "${TABLE}" is missing or has other columns. Run the SQL of sqlCursor.schema('${driver.dialect}') in the database.`;
  const { ask } = new Database({ ...driver, caller: 'sqlCursor', missing });
  const leases = leaseStatements(driver.dialect, TABLE, 'name');
  const load = async () => {
    const [row] = await ask(STATEMENTS.load, [name]);
    return row?.cursor == null ? null : String(row.cursor);
  };
  return {
    load,
    async save(next, previous) {
      const [sql, ...expected] = previous === null ? [STATEMENTS.create] : [STATEMENTS.replace, previous];
      const rows = await ask(sql, [name, next, ...expected]);
      return rows.length > 0;
    },
    async lease() {
      const own = crypto.randomUUID();
      if ((await ask(leases.lease, [name, own])).length === 0) return null;
      const end = async () => void (await ask(leases.release, [name, own]));
      return Object.assign(end, { renew: async () => (await ask(leases.renew, [name, own])).length > 0 });
    },
  };
}

/**
 * Returns the SQL that creates the table of `sqlCursor`, unless it exists. It is the same for every `name`.
 * @throws a `ConfigurationError` if the dialect is invalid.
 * @example await pool.query(sqlCursor.schema('postgres'));
 */
sqlCursor.schema = (dialect: SqlDialect): string => {
  checkDialect('sqlCursor', dialect);
  return `-- The cursors of watchers, and who watches until a time in seconds.
CREATE TABLE IF NOT EXISTS "${TABLE}" (
  name TEXT NOT NULL PRIMARY KEY,
  cursor TEXT,
  lease TEXT,
  lease_until ${dialect === 'postgres' ? 'BIGINT' : 'INTEGER'}
);
`;
};
