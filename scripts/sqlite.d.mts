/** The part of better-sqlite3 that tests use. */
export interface Sqlite {
  exec(sql: string): unknown;
  prepare(sql: string): { all(...params: unknown[]): Record<string, unknown>[]; safeIntegers(): void };
  close(): void;
}

/** Installs better-sqlite3, if it is not in the cache, and returns its constructor. */
export function loadBetterSqlite3(): new (file?: string) => Sqlite;
