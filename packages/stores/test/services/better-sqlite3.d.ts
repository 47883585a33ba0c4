// The part of better-sqlite3 that examples, guides and tests use. sqlite.ts says why it is no dependency of the repository.
declare module 'better-sqlite3' {
  interface Statement {
    all(...params: unknown[]): Record<string, unknown>[];
    get(...params: unknown[]): unknown;
    run(...params: unknown[]): unknown;
    pluck(): Statement;
    safeIntegers(): void;
  }
  export default class Database {
    constructor(file?: string);
    exec(sql: string): this;
    prepare(sql: string): Statement;
    transaction<Result>(run: () => Result): { immediate(): Result };
    close(): void;
  }
}
