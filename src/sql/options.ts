import { ConfigurationError } from '../core/errors/index.js';

/** The SQL that a database understands. */
export type SqlDialect = 'postgres' | 'sqlite';

/**
 * Runs one statement and resolves to its rows: an array of objects with a field for each column. The placeholders are
 * `$1`, `$2` … for Postgres and `?` for SQLite. Every statement of `sqlStore` returns rows, or an empty array.
 */
export type SqlQuery = (sql: string, params: (string | null)[]) => PromiseLike<readonly unknown[]> | readonly unknown[];

/** Options of {@link sqlStore}. */
export interface SqlStoreOptions {
  /**
   * Runs one statement. With `pg`: `async (sql, params) => (await pool.query(sql, params)).rows`. The guide has the line
   * for other drivers.
   */
  query: SqlQuery;
  /**
   * Runs several statements in one transaction: begins it, calls `run` with a query of this transaction, waits for
   * `run`, and commits. If `run` fails, it rolls back and throws the error. Default: none.
   *
   * Without it, Postgres still stores a page all or nothing, because a page is one statement. SQLite then stores a page
   * in several statements. If the process ends between them, a part of the page is stored without its cursor, and the
   * next run stores the page again.
   */
  transaction?: ((run: (query: SqlQuery) => Promise<void>) => unknown) | undefined;
  /** The kind of database. */
  dialect: SqlDialect;
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

/** The options with their defaults. */
export type SqlStoreSettings = SqlStoreOptions & { table: string };

export const DEFAULT_TABLE = 'multilocal_articles';

type Rules = { [Name in keyof Required<SqlStoreOptions>]: (value: unknown) => string | false };

const isFunction = (value: unknown) => typeof value === 'function';

/** What is wrong with a value, or `false`. */
const RULES: Rules = {
  query: (value) => !isFunction(value) && 'must be a function (sql, params) that resolves to an array of rows',
  transaction: (value) => value !== undefined && !isFunction(value) && 'must be a function',
  dialect: (value) => value !== 'postgres' && value !== 'sqlite' && "must be 'postgres' or 'sqlite'",
  brand: (value) => !isName(value) && 'must be a string of 1 to 200 characters',
  table: (value) =>
    value !== undefined &&
    !(typeof value === 'string' && /^[a-z_][a-z0-9_]{0,49}$/i.test(value)) &&
    'must be a name of letters, digits and `_`, at most 50 characters, not beginning with a digit',
};

/** Half a surrogate pair is no text to a database, and Postgres refuses U+0000. */
function isName(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= 200 && !/[\0\p{Cs}]/u.test(value);
}

/** @throws {ConfigurationError} if an option is missing, unknown or invalid. */
export function checkOptions(options: SqlStoreOptions): SqlStoreSettings {
  const given: Record<string, unknown> = Object(options);
  for (const name in given) {
    if (!Object.hasOwn(RULES, name))
      throw invalid(name, `is an unknown option. Options: ${Object.keys(RULES).join(', ')}`);
  }
  for (const [name, problemOf] of Object.entries(RULES)) {
    const problem = problemOf(given[name]);
    if (problem !== false) throw invalid(name, problem);
  }
  return { ...options, table: options.table ?? DEFAULT_TABLE };
}

/** @throws {ConfigurationError} if the dialect or the name of the table is invalid. */
export function checkTable(dialect: SqlDialect, table: string): void {
  for (const [name, value] of Object.entries({ dialect, table })) {
    const problem = RULES[name as 'dialect' | 'table'](value);
    if (problem !== false) throw invalid(name, problem);
  }
}

function invalid(name: string, problem: string): ConfigurationError {
  return new ConfigurationError(`sqlStore: \`${name}\` ${problem}.`);
}
