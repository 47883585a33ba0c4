import type { PlanJournal } from '../journal/port.js';
import { type Ask, COLUMNS, Database } from './database.js';
import { checkNamedOptions, type SqlJournalOptions } from './options.js';

/** A table with one text for each name: of the journals of plans, or of the cursors of watchers. */
interface TextTable {
  /** The function that the user has called. */
  readonly caller: string;
  readonly table: string;
  /** The column of the text. */
  readonly column: string;
}

/** A text in a database, and what else its table needs. */
interface SqlText extends PlanJournal {
  readonly name: string;
  readonly ask: Ask;
}

/**
 * Opens the text of a name. A save is one statement, which compares and swaps in the database.
 * @throws {ConfigurationError} if an option is missing, unknown or invalid.
 */
export function openText({ caller, table, column }: TextTable, options: SqlJournalOptions): SqlText {
  const { name, ...driver } = checkNamedOptions(caller, options);
  const missing = `the table "${table}" is missing or has other columns. Run the SQL of ${caller}.schema('${driver.dialect}') in the database. ${COLUMNS}`;
  const { ask } = new Database({ ...driver, caller, missing });
  const load = async () => {
    const [row] = await ask(`SELECT ${column} AS text FROM "${table}" WHERE name = $1`, [name]);
    return row?.text == null ? null : String(row.text);
  };
  /** The row of a lease may have no text yet. */
  const create = `INSERT INTO "${table}" (name, ${column}) VALUES ($1, $2) ON CONFLICT (name)
    DO UPDATE SET ${column} = excluded.${column} WHERE "${table}".${column} IS NULL RETURNING 1 AS done`;
  /** A concurrent save waits, and then finds another text. */
  const replace = `UPDATE "${table}" SET ${column} = $2 WHERE name = $1 AND ${column} = $3 RETURNING 1 AS done`;
  return {
    name,
    ask,
    load,
    async save(next, previous) {
      let isLost = false;
      const [sql, ...expected] = previous === null ? [create] : [replace, previous];
      const rows = await ask(sql, [name, next, ...expected], () => {
        isLost = true;
      });
      // A save whose response was lost is not a save of another process.
      return rows.length > 0 || (isLost && (await load()) === next);
    },
  };
}
