import type { PlanJournal } from '../journal/port.js';
import { Database } from './database.js';
import { checkDialect, checkNamedOptions, type SqlDialect, type SqlJournalOptions } from './options.js';

const TABLE = 'multilocal_plans';

/** `$1` is the name of the journal. Each statement is one transaction. */
const STATEMENTS = {
  load: `SELECT journal FROM "${TABLE}" WHERE name = $1`,
  /** `$2` the text. */
  create: `INSERT INTO "${TABLE}" (name, journal) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING RETURNING 1 AS done`,
  /** `$2` the text, `$3` the text that must still be there. A concurrent save waits, and then finds another text. */
  replace: `UPDATE "${TABLE}" SET journal = $2 WHERE name = $1 AND journal = $3 RETURNING 1 AS done`,
};

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
  const { name, ...driver } = checkNamedOptions('sqlJournal', options);
  const missing = `the table "${TABLE}" is missing or has other columns. Run the SQL of sqlJournal.schema('${driver.dialect}') in the database.`;
  const { ask } = new Database({ ...driver, caller: 'sqlJournal', missing });
  const load = async () => {
    const [row] = await ask(STATEMENTS.load, [name]);
    return row ? String(row.journal) : null;
  };
  return {
    load,
    async save(next, previous) {
      let isLost = false;
      const [sql, ...expected] = previous === null ? [STATEMENTS.create] : [STATEMENTS.replace, previous];
      const rows = await ask(sql, [name, next, ...expected], () => {
        isLost = true;
      });
      // A save whose response was lost is not a save of another run.
      return rows.length > 0 || (isLost && (await load()) === next);
    },
  };
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
