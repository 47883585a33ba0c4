import type { PlanJournal } from '../journal/port.js';
import { checkDialect, type SqlDialect, type SqlJournalOptions } from './options.js';
import { openText } from './texts.js';

const TABLE = 'multilocal_plans';

/**
 * Creates a journal of plans that keeps its text in Postgres or SQLite, through your own driver. Several plans may share one. So processes on several
 * machines can run the same plan, and only one of them carries out each action. Create the table once with the SQL of
 * `sqlJournal.schema(dialect)`.
 *
 * A save is one statement, which compares and swaps in the database. The methods throw a `ConfigurationError` if the table
 * is missing or if `query` does not resolve to rows. A busy SQLite and a Postgres that restarts are waited for, up to 30 s. Other
 * errors of the driver are thrown as they are.
 * @throws a `ConfigurationError` if an option is missing, unknown or invalid.
 * @example
 * import { sqlJournal } from 'multilocal/sql';
 * import { Pool } from 'pg';
 *
 * const pool = new Pool({ connectionString: process.env.DATABASE_URL });
 * const query = async (sql: string, params: unknown[]) => (await pool.query(sql, params)).rows;
 * const journal = sqlJournal({ query, dialect: 'postgres', name: 'noel-2026' });
 */
export function sqlJournal(options: SqlJournalOptions): PlanJournal {
  const { load, save } = openText({ caller: 'sqlJournal', table: TABLE, column: 'journal' }, options);
  return { load, save };
}

/**
 * Returns the SQL that creates the table of `sqlJournal`, unless it exists. It is the same for every `name`.
 * @throws a `ConfigurationError` if the dialect is invalid.
 * @example await pool.query(sqlJournal.schema('postgres'));
 */
sqlJournal.schema = (dialect: SqlDialect): string => {
  checkDialect('sqlJournal', dialect);
  return `-- The journals of plans.
CREATE TABLE IF NOT EXISTS "${TABLE}" (
  name TEXT NOT NULL PRIMARY KEY,
  journal TEXT NOT NULL
);
`;
};
