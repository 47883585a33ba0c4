import type { SqlDialect } from './options.js';

/** Seconds until a reservation expires. */
const LEASE_SECONDS = 30;
/** Number of articles in one response: some megabytes. */
const ALL_AT_ONCE = 500;

/** The parts of SQL in which the databases differ. */
const DIALECTS = {
  postgres: {
    id: 'BIGINT',
    // Not JSONB, which refuses \u0000, changes the order of fields and rounds nothing but forgets how numbers were written.
    json: 'JSON',
    /** Seconds of the clock of the database. The time of the transaction would not move. */
    now: 'CAST(EXTRACT(EPOCH FROM CLOCK_TIMESTAMP()) AS BIGINT)',
    equals: 'IS NOT DISTINCT FROM',
    /** The rows of a page. A page is one parameter, so it never has too many parameters. */
    articles: (page: string) =>
      `SELECT CAST($1 AS TEXT), id, slug, version, CAST(article AS JSON)
       FROM json_to_recordset(CAST(${page} AS JSON)) AS page (id BIGINT, slug TEXT, version TEXT, article TEXT)`,
    ids: (list: string) =>
      `SELECT CAST(value AS BIGINT) FROM json_array_elements_text(CAST(${list} AS JSON)) AS list (value)`,
  },
  sqlite: {
    id: 'INTEGER',
    json: 'TEXT',
    now: "CAST(strftime('%s', 'now') AS INTEGER)",
    equals: 'IS',
    articles: (page: string) =>
      `SELECT $1, json_extract(value, '$.id'), json_extract(value, '$.slug'), json_extract(value, '$.version'),
         json_extract(value, '$.article')
       FROM json_each(${page})`,
    ids: (list: string) => `SELECT value FROM json_each(${list})`,
  },
} as const;

export type Statements = ReturnType<typeof statementsOf>;

/**
 * Returns the SQL for a table, with `$1`, `$2` … for the parameters. `$1` is always the brand. All values are texts or
 * null, because drivers differ in what they make of numbers. Every statement returns rows, because some drivers have
 * another call for statements that return none.
 */
export function statementsOf(dialect: SqlDialect, table: string) {
  const { equals, articles, ids } = DIALECTS[dialect];
  const sync = `"${table}_sync"`;
  const text = (parameter: string) => `CAST(${parameter} AS TEXT)`;
  const revision = 'CAST(revision AS TEXT)';
  const insert = `INSERT INTO "${table}" (brand, id, slug, updated_at, article)`;
  const replace = `ON CONFLICT (brand, id) DO UPDATE
      SET slug = excluded.slug, updated_at = excluded.updated_at, article = excluded.article`;
  const isCurrent = (parameter: string) =>
    `(${text(parameter)} IS NULL OR EXISTS (SELECT 1 FROM ${sync} WHERE brand = $1 AND ${revision} = ${text(parameter)}))`;
  /** Moves the revision if cursor and revision are still those. */
  const claim = (cursor: string, known: string) =>
    `UPDATE ${sync} SET ${cursor} revision = revision + 1
     WHERE brand = $1 AND cursor ${equals} ${text('$2')} AND ${revision} = COALESCE(${text(known)}, ${revision})
     RETURNING ${revision} AS revision`;

  return {
    loadCursor: `SELECT cursor, ${revision} AS revision FROM ${sync} WHERE brand = $1`,
    saveCursor: `INSERT INTO ${sync} (brand, cursor) VALUES ($1, $2)
      ON CONFLICT (brand) DO UPDATE SET cursor = excluded.cursor, revision = ${sync}.revision + 1 RETURNING 1 AS done`,
    ids: `SELECT id FROM "${table}" WHERE brand = $1`,
    versions: `SELECT id, updated_at AS version FROM "${table}" WHERE brand = $1`,
    /** `$2` the articles, `$3` the revision that must be the current one, or null. */
    put: `${insert} ${articles(text('$2'))} WHERE ${isCurrent('$3')} ${replace} RETURNING 1 AS done`,
    remove: `DELETE FROM "${table}" WHERE brand = $1 AND id IN (${ids(text('$2'))}) AND ${isCurrent('$3')}
      RETURNING 1 AS done`,
    /** The next articles after the id `$2`. A database sends only so much in one response. */
    all: `SELECT id, CAST(article AS TEXT) AS article FROM "${table}"
      WHERE brand = $1 AND (${text('$2')} IS NULL OR id > CAST(${text('$2')} AS ${DIALECTS[dialect].id})) ORDER BY id LIMIT ${ALL_AT_ONCE}`,
    loadState: `SELECT state FROM ${sync} WHERE brand = $1`,
    saveState: `INSERT INTO ${sync} (brand, state) VALUES ($1, $2)
      ON CONFLICT (brand) DO UPDATE SET state = excluded.state RETURNING 1 AS done`,
    loadListing: `SELECT listing FROM ${sync} WHERE brand = $1`,
    /** `$2` the state, `$3` the revision that must be the current one, or null. */
    saveListing: `INSERT INTO ${sync} (brand, listing) VALUES ($1, $2) ON CONFLICT (brand) DO UPDATE
      SET listing = excluded.listing
      WHERE CAST(${sync}.revision AS TEXT) = COALESCE(${text('$3')}, CAST(${sync}.revision AS TEXT)) RETURNING 1 AS done`,
    create: `INSERT INTO ${sync} (brand) VALUES ($1) ON CONFLICT (brand) DO NOTHING RETURNING 1 AS done`,
    /** `$2` the expected cursor, `$3` the expected revision or null. */
    claim: claim('', '$3'),
    /** `$2` the cursor, `$3` the claimed revision. */
    move: `UPDATE ${sync} SET cursor = $2 WHERE brand = $1 AND ${revision} = ${text('$3')} RETURNING 1 AS done`,
    /**
     * `$2` and `$3` as for `claim`, `$4` the new cursor, `$5` the articles, `$6` the ids to remove. One statement is one
     * transaction. The first part locks the row of the brand, so another commit waits and then finds another cursor.
     */
    commit: `WITH claimed AS (${claim(`cursor = ${text('$4')},`, '$3')}),
      stored AS (${insert} ${articles(text('$5'))} WHERE EXISTS (SELECT 1 FROM claimed) ${replace}),
      removed AS (DELETE FROM "${table}" WHERE brand = $1 AND id IN (${ids(text('$6'))}) AND EXISTS (SELECT 1 FROM claimed))
      SELECT revision FROM claimed`,
    ...leaseStatements(dialect, `${table}_sync`, 'brand'),
  };
}

/** The SQL of reservations. `$1` names the row by the column `key`, `$2` is the holder. */
export function leaseStatements(dialect: SqlDialect, name: string, key: string) {
  const { now } = DIALECTS[dialect];
  const table = `"${name}"`;
  const until = `${now} + ${LEASE_SECONDS}`;
  return {
    lease: `INSERT INTO ${table} (${key}, lease, lease_until) VALUES ($1, $2, ${until}) ON CONFLICT (${key}) DO UPDATE
      SET lease = excluded.lease, lease_until = excluded.lease_until
      WHERE ${table}.lease IS NULL OR ${table}.lease = $2 OR ${table}.lease_until < ${now} RETURNING 1 AS done`,
    renew: `UPDATE ${table} SET lease_until = ${until} WHERE ${key} = $1 AND lease = $2 RETURNING 1 AS done`,
    release: `UPDATE ${table} SET lease = NULL WHERE ${key} = $1 AND lease = $2 RETURNING 1 AS done`,
  };
}

/** Returns the SQL that creates the tables. */
export function schemaOf(dialect: SqlDialect, table: string): string {
  const { id, json } = DIALECTS[dialect];
  // In Postgres, CREATE … IF NOT EXISTS fails if several programs run it at the same moment. A driver sends the text as one transaction.
  const oneByOne = dialect === 'postgres' ? 'SELECT pg_advisory_xact_lock(1836411252);\n' : '';
  return `${oneByOne}-- The articles that are online, as the service sent them.
CREATE TABLE IF NOT EXISTS "${table}" (
  brand TEXT NOT NULL,
  id ${id} NOT NULL,
  slug TEXT,
  updated_at TEXT NOT NULL,
  article ${json} NOT NULL,
  PRIMARY KEY (brand, id)
);
CREATE INDEX IF NOT EXISTS "${table}_slug" ON "${table}" (brand, slug);
-- Cursor of each brand, position of its complete listing, state of its copy, and the run that has reserved it until a time in seconds.
CREATE TABLE IF NOT EXISTS "${table}_sync" (
  brand TEXT NOT NULL PRIMARY KEY,
  cursor TEXT,
  revision ${id} NOT NULL DEFAULT 0,
  listing TEXT,
  state TEXT,
  lease TEXT,
  lease_until ${id}
);
`;
}
