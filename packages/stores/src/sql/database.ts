import type { Reservation } from 'multilocal';
import { ConfigurationError } from 'multilocal/internal/errors';
import type { SqlDriver, SqlQuery } from './options.js';

/** A row of a result. */
export type Row = Readonly<Record<string, unknown>>;

/** Called if a response was lost, and the work is done again although it may have been carried out. */
type OnLost = (() => void) | undefined;

/** Runs a statement with `$1`, `$2` … and returns its rows. */
export type Ask = (sql: string, params: readonly (string | null)[], onLost?: OnLost) => Promise<readonly Row[]>;

/** The driver of a database, and the words of its errors. */
export interface DatabaseSettings extends SqlDriver {
  /** The function that the user has called. */
  caller: string;
  /** What is missing if a statement finds no table, and what to do. */
  missing: string;
}

/** What to do about a table of an older version, which the SQL of a schema leaves as it is. */
export const COLUMNS = 'If the table exists, add the columns that it lacks: the SQL names them.';

/** The queries of a database, checked. */
export class Database {
  readonly #settings: DatabaseSettings;

  constructor(settings: DatabaseSettings) {
    this.#settings = settings;
  }

  /** Runs one statement. Waits for a database that is busy or away. */
  readonly ask: Ask = (sql, params, onLost) => patiently(() => this.#ask(this.#settings.query, sql, params), onLost);

  /** Runs several statements, in one transaction if the options have one, which is then tried again as a whole. */
  together<Result>(work: (ask: Ask) => Promise<Result>, onLost: OnLost): Promise<Result> {
    const { transaction } = this.#settings;
    if (!transaction) return work((sql, params) => this.ask(sql, params, onLost));
    return patiently(() => this.#inTransaction(transaction, work), onLost);
  }

  async #inTransaction<Result>(
    transaction: NonNullable<SqlDriver['transaction']>,
    work: (ask: Ask) => Promise<Result>,
  ): Promise<Result> {
    const { dialect, caller } = this.#settings;
    let result: { value: Result } | undefined;
    const begin = async () =>
      transaction(async (query) => {
        if (typeof query !== 'function') throw careless(caller, 'must call `run` with a query of the transaction');
        result = { value: await work((sql, params) => this.#ask(query, sql, params)) };
      });
    await (dialect === 'sqlite' ? inTurn(transaction, begin) : begin());
    if (!result) throw careless(caller, 'must call `run` and wait for it');
    return result.value;
  }

  async #ask(query: SqlQuery, sql: string, params: readonly (string | null)[]): Promise<readonly Row[]> {
    const { dialect, caller, missing } = this.#settings;
    const statement = dialect === 'postgres' ? { sql, params } : positional(sql, params);
    let rows: unknown;
    try {
      rows = await query(statement.sql, [...statement.params]);
    } catch (error) {
      throw isAboutTable(error) ? new ConfigurationError(`${caller}: ${missing}`, { cause: error }) : error;
    }
    if (Array.isArray(rows) && (rows.length === 0 || isRow(rows[0]))) return rows;
    throw new ConfigurationError(
      `${caller}: \`query\` must resolve to an array of rows, and each row must be an object. With pg, pass ` +
        '`async (sql, params) => (await pool.query(sql, params)).rows`.',
    );
  }
}

/** Reserves a row. `ask` runs one of its `leaseStatements` for a holder. Resolves to `null` while another one has it. */
export async function reservation(
  ask: (statement: 'lease' | 'renew' | 'release', own: string) => Promise<readonly Row[]>,
): Promise<Reservation | null> {
  const own = crypto.randomUUID();
  if ((await ask('lease', own)).length === 0) return null;
  const end = async () => void (await ask('release', own));
  return Object.assign(end, { renew: async () => (await ask('renew', own)).length > 0 });
}

/** How long a store waits for a database that is busy or away, in ms: a restart takes some seconds. */
const PATIENCE = 30_000;

/** Does work again while the database is busy or away. What fails then is thrown as it is. */
async function patiently<Result>(work: () => Promise<Result>, onLost: OnLost): Promise<Result> {
  const until = performance.now() + PATIENCE;
  for (let pause = 25; ; pause = Math.min(2 * pause, 1_000)) {
    try {
      return await work();
    } catch (error) {
      const isAway = matches(error, AWAY);
      if ((!isAway && !matches(error, BUSY)) || performance.now() + pause > until) throw error;
      if (isAway) onLost?.();
      // Several programs that wait for one another must not come back at the same time.
      await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random() / 2)));
    }
  }
}

/** Nothing was carried out: a lock of SQLite, a Postgres that starts or has no session left, a statement that was rolled back. */
const BUSY = /^(SQLITE_BUSY\w*|57P03|53300|40001|40P01|55P03|ECONNREFUSED)$|database is locked|SQLITE_BUSY/;

/** The connection is gone, and with it the response: a Postgres that is stopped, a broken connection. */
const AWAY =
  /^(57P0[12]|08\w{3}|ECONNRESET|EPIPE|ETIMEDOUT|CONNECTION_CLOSED|CONNECT_TIMEOUT)$|^Connection terminated|is not queryable$/;

/** Whether the code or the message of an error, or of its cause, says so. */
function matches(error: unknown, words: RegExp): boolean {
  // Query builders wrap the error of the driver.
  return [error, Object(error).cause].some((failure) => {
    const { code, message } = Object(failure);
    return words.test(String(code)) || words.test(String(message));
  });
}

/** The last transaction of each connection to SQLite, which has one function for its transactions. */
const transactions = new WeakMap<object, Promise<unknown>>();

/** Begins a transaction after the one before it, because a connection to SQLite has only one at a time. */
function inTurn(transaction: object, begin: () => Promise<unknown>): Promise<unknown> {
  const before = transactions.get(transaction) ?? Promise.resolve();
  const turn = before.then(begin, begin);
  transactions.set(transaction, turn);
  return turn;
}

function careless(caller: string, problem: string): ConfigurationError {
  return new ConfigurationError(`${caller}: \`transaction\` ${problem}, as \`transaction: (run) => …\`.`);
}

function isRow(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a table or a column is missing: by the code of Postgres or the message of SQLite. */
function isAboutTable(error: unknown): boolean {
  return matches(error, /^(42P01|42703)$|\bno such (table|column)\b|has no column named/i);
}

/** Replaces `$1` … by `?`, in the order of the text. Some drivers of SQLite take numbered placeholders for names, and expect an object. */
function positional(sql: string, params: readonly (string | null)[]) {
  const used: (string | null)[] = [];
  const text = sql.replace(/\$(\d+)/g, (_, number: string) => {
    used.push(params[Number(number) - 1] ?? null);
    return '?';
  });
  return { sql: text, params: used };
}
