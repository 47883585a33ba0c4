import { ConfigurationError } from 'multilocal/internal/errors';

/** The SQL that a database understands. */
export type SqlDialect = 'postgres' | 'sqlite';

/**
 * Runs one statement and resolves to its rows: an array of objects with a field for each column. The placeholders are
 * `$1`, `$2` … for Postgres and `?` for SQLite. Every statement of this entry returns rows, or an empty array.
 */
export type SqlQuery = (sql: string, params: (string | null)[]) => PromiseLike<readonly unknown[]> | readonly unknown[];

/** What your driver contributes to the options. */
export interface SqlDriver {
  /**
   * Runs one statement. With `pg`: `async (sql, params) => (await pool.query(sql, params)).rows`. The guide has the line
   * for other drivers.
   */
  query: SqlQuery;
  /**
   * Runs several statements in one transaction: begins it, calls `run` with a query of this transaction, waits for
   * `run`, and commits. If `run` fails, it rolls back and throws the error. Default: none. `sqlJournal` does not need it,
   * because its statements stand alone.
   *
   * Without it, Postgres still stores a page all or nothing, because a page is one statement. SQLite then stores a page
   * in several statements. If the process ends between them, a part of the page is stored without its cursor, and the
   * next run stores the page again.
   */
  transaction?: ((run: (query: SqlQuery) => Promise<void>) => unknown) | undefined;
  /** The kind of database. */
  dialect: SqlDialect;
}

/** Options of {@link sqlStore}. */
export interface SqlStoreOptions extends SqlDriver {
  /**
   * Names the copy of the articles: 1 to 200 characters. One table holds the articles of many brands, each with its own
   * cursor. With `syncTo(store, { bulle_id })`, use another name for each location.
   */
  brand: string;
  /**
   * Name of the table: letters, digits and `_`, at most 50 characters, not beginning with a digit. Default
   * `multilocal_articles`. The cursors are in a table with `_sync` behind this name.
   */
  table?: string | undefined;
}

/** Options of {@link sqlJournal}. */
export interface SqlJournalOptions extends SqlDriver {
  /** Names the plan: 1 to 200 characters. One table holds the journals of many plans. */
  name: string;
}

/** Options of {@link sqlCursor}. */
export interface SqlCursorOptions extends SqlDriver {
  /** Names the cursor: 1 to 200 characters. One table holds the cursors of many brands. */
  name: string;
}

/** The options with their defaults. */
export type SqlStoreSettings = SqlStoreOptions & { table: string };

export const DEFAULT_TABLE = 'multilocal_articles';

/** What is wrong with the value of an option, or `false`. */
type Rules<Options> = { [Name in keyof Required<Options>]: (value: unknown) => string | false };

const isFunction = (value: unknown) => typeof value === 'function';

const DRIVER_RULES: Rules<SqlDriver> = {
  query: (value) => !isFunction(value) && 'must be a function (sql, params) that resolves to an array of rows',
  transaction: (value) => value !== undefined && !isFunction(value) && 'must be a function',
  dialect: (value) => value !== 'postgres' && value !== 'sqlite' && "must be 'postgres' or 'sqlite'",
};

const nameRule = (value: unknown) => !isName(value) && 'must be a string of 1 to 200 characters';

const STORE_RULES: Rules<SqlStoreOptions> = {
  ...DRIVER_RULES,
  brand: nameRule,
  table: (value) =>
    value !== undefined &&
    !(typeof value === 'string' && /^[a-z_][a-z0-9_]{0,49}$/i.test(value)) &&
    'must be a name of letters, digits and `_`, at most 50 characters, not beginning with a digit',
};

const JOURNAL_RULES: Rules<SqlJournalOptions> = { ...DRIVER_RULES, name: nameRule };

/** Half a surrogate pair is not a text for a database, and Postgres refuses U+0000. */
function isName(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= 200 && !/[\0\p{Cs}]/u.test(value);
}

/** @throws {ConfigurationError} if an option is missing, unknown or invalid. */
export function checkStoreOptions(options: SqlStoreOptions): SqlStoreSettings {
  check('sqlStore', STORE_RULES, options);
  return { ...options, table: options.table ?? DEFAULT_TABLE };
}

/** @throws {ConfigurationError} if an option is missing, unknown or invalid. */
export function checkNamedOptions<Options extends SqlJournalOptions>(caller: string, options: Options): Options {
  check(caller, JOURNAL_RULES, options);
  return { ...options };
}

/** @throws {ConfigurationError} if the dialect is invalid. */
export function checkDialect(caller: string, dialect: SqlDialect): void {
  const { dialect: rule } = DRIVER_RULES;
  check(caller, { dialect: rule }, { dialect });
}

/** @throws {ConfigurationError} if the dialect or the name of the table is invalid. */
export function checkTable(dialect: SqlDialect, table: string): void {
  const { table: rule } = STORE_RULES;
  checkDialect('sqlStore', dialect);
  check('sqlStore', { table: rule }, { table });
}

function check<Options extends object>(caller: string, rules: Rules<Options>, options: Options): void {
  const given: Record<string, unknown> = Object(options);
  const invalid = (name: string, problem: string) => new ConfigurationError(`${caller}: \`${name}\` ${problem}.`);
  for (const name in given) {
    if (!Object.hasOwn(rules, name))
      throw invalid(name, `is an unknown option. Options: ${Object.keys(rules).join(', ')}`);
  }
  for (const [name, problemOf] of Object.entries<(value: unknown) => string | false>(rules)) {
    const problem = problemOf(given[name]);
    if (problem !== false) throw invalid(name, problem);
  }
}
