import type { WatchCursor } from '../cursor/port.js';
import { reservation } from './database.js';
import { checkDialect, type SqlCursorOptions, type SqlDialect } from './options.js';
import { leaseStatements } from './statements.js';
import { openText } from './texts.js';

const TABLE = 'multilocal_watch';

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
  const { name, ask, load, save } = openText({ caller: 'sqlCursor', table: TABLE, column: 'cursor' }, options);
  const statements = leaseStatements(options.dialect, TABLE, 'name');
  return { load, save, lease: () => reservation((statement, own) => ask(statements[statement], [name, own])) };
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
