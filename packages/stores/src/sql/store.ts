import type { Article, ArticleStore, CopyState, ListingState, Reservation, StoredVersion, StorePage } from 'multilocal';
import { checked, idOf } from '../article.js';
import { type Ask, COLUMNS, Database, reservation } from './database.js';
import { checkStoreOptions, checkTable, DEFAULT_TABLE, type SqlDialect, type SqlStoreOptions } from './options.js';
import { type Statements, schemaOf, statementsOf } from './statements.js';

/** An article store in a database. It has every optional method of a store. */
export interface SqlStore extends Required<Omit<ArticleStore, 'concurrency'>> {
  loadCursor(): Promise<string | null>;
  saveCursor(cursor: string): Promise<void>;
  put(article: Article): Promise<void>;
  remove(id: number): Promise<void>;
  all(): AsyncGenerator<Article>;
  loadState(): Promise<CopyState | null>;
  saveState(state: CopyState): Promise<void>;
  loadListing(): Promise<ListingState | null>;
  saveListing(state: ListingState | null): Promise<void>;
  commit(page: StorePage<Article>): Promise<boolean>;
  lease(): Promise<Reservation | null>;
}

/**
 * Creates a store that keeps articles in Postgres or SQLite, through your own driver. Create the tables once with the
 * SQL of `sqlStore.schema(dialect)`.
 *
 * Each page and its cursor are stored together. A run that was overtaken by another one overwrites nothing and ends with
 * a `SyncConflictError`. While a run has the brand, `syncTo` waits. The reservation of a run that was killed expires after
 * 30 s, with the clock of the database. The store keeps what its run has read, so create one for each run, which costs
 * nothing.
 *
 * The methods of the store throw a `ConfigurationError` if the tables are missing or if `query` does not resolve to
 * rows. A busy SQLite and a Postgres that restarts are waited for, up to 30 s. Other errors of the driver are thrown as they are.
 * @throws a `ConfigurationError` if an option is missing, unknown or invalid.
 * @example
 * import { sqlStore } from 'multilocal/sql';
 * import { Pool } from 'pg';
 *
 * const pool = new Pool({ connectionString: process.env.DATABASE_URL });
 * const query = async (sql: string, params: unknown[]) => (await pool.query(sql, params)).rows;
 * await client.articles.syncTo(sqlStore({ query, dialect: 'postgres', brand: 'boulangerie' }));
 */
export function sqlStore(options: SqlStoreOptions): SqlStore {
  const settings = checkStoreOptions(options);
  const { dialect, brand, table } = settings;
  const missing = `the table "${table}" or "${table}_sync" is missing or has other columns. Run the SQL of sqlStore.schema('${dialect}', '${table}') in the database. ${COLUMNS}`;
  const database = new Database({ ...settings, caller: 'sqlStore', missing });
  const statements = statementsOf(dialect, table);
  const ask: Step = (name, ...params) => database.ask(statements[name], [brand, ...params]);
  const commitPage = dialect === 'postgres' ? commitAtOnce : commitInSteps;
  /** The cursor that this store read or saved last, and its revision, which also moves when the cursor does not. */
  let known: { cursor: string | null; revision: string } | undefined;

  const loadCursor = async () => {
    const [row] = await ask('loadCursor');
    const cursor = textOf(row?.cursor);
    known = row && { cursor, revision: String(row.revision) };
    return cursor;
  };
  return {
    loadCursor,
    async saveCursor(cursor) {
      known = undefined;
      await ask('saveCursor', cursor);
    },
    async *ids() {
      for (const { id } of await ask('ids')) yield Number(id);
    },
    async *versions() {
      for (const row of await ask('versions')) yield [Number(row.id), String(row.version)] satisfies StoredVersion;
    },
    async put(article) {
      await ask('put', `[${rowOf(article)}]`, null);
    },
    async remove(id) {
      await ask('remove', JSON.stringify([idOf('sqlStore', id)]), null);
    },
    async *all() {
      for (let last: string | null = null; ; ) {
        const rows = await ask('all', last);
        for (const { article } of rows) yield JSON.parse(String(article));
        const end = rows.at(-1);
        if (!end) return;
        last = String(end.id);
      }
    },
    loadState: async () => parsed((await ask('loadState'))[0]?.state),
    async saveState(state) {
      await ask('saveState', JSON.stringify(state));
    },
    loadListing: async () => parsed((await ask('loadListing'))[0]?.listing),
    async saveListing(state) {
      await ask('saveListing', state && JSON.stringify(state), known?.revision ?? null);
    },
    async commit(page) {
      const { cursor, previous } = page;
      const expected = known?.cursor === previous ? known.revision : null;
      const changes: Commit = { ...changesOf(page), cursor, claim: [previous, expected] };
      let isLost = false;
      const revision = await database.together(
        (run) => commitPage((name, ...params) => run(statements[name], [brand, ...params]), changes),
        () => {
          isLost = true;
        },
      );
      if (revision !== undefined) known = { cursor, revision };
      // A commit whose response was lost has moved the cursor. Where another run has moved it as far, it has stored the same.
      return revision !== undefined || (isLost && cursor !== previous && (await loadCursor()) === cursor);
    },
    lease: () => reservation(ask),
  };
}

/**
 * Returns the SQL that creates the tables of `sqlStore`, unless they exist: several statements, each with a `;` at its
 * end.
 * @throws a `ConfigurationError` if the dialect or the name of the table is invalid.
 * @example await pool.query(sqlStore.schema('postgres'));
 */
sqlStore.schema = (dialect: SqlDialect, table: string = DEFAULT_TABLE): string => {
  checkTable(dialect, table);
  return schemaOf(dialect, table);
};

/** Runs a statement for the brand. */
type Step = (name: keyof Statements, ...params: (string | null)[]) => ReturnType<Ask>;

interface Changes {
  /** The rows of the articles, as JSON. */
  upserts: string[];
  /** The ids to remove, as JSON. */
  removals: string[];
}

interface Commit extends Changes {
  cursor: string | null;
  /** The expected cursor and revision. */
  claim: [previous: string | null, revision: string | null];
}

/** Commits a page in one statement. Returns the new revision, or `undefined` if another run was faster. */
async function commitAtOnce(step: Step, { upserts, removals, cursor, claim }: Commit): Promise<string | undefined> {
  // There is no row to compare before the first commit.
  if (claim[0] === null) await step('create');
  const [claimed] = await step('commit', ...claim, cursor, `[${upserts}]`, `[${removals}]`);
  return claimed && String(claimed.revision);
}

/**
 * Commits a page in several statements. The first one moves the revision, and the others change nothing once another run
 * has moved it again. The cursor moves last, so without a transaction too it never covers more than what is stored.
 */
async function commitInSteps(step: Step, { upserts, removals, cursor, claim }: Commit): Promise<string | undefined> {
  // There is no row to compare before the first commit.
  if (claim[0] === null) await step('create');
  const [claimed] = await step('claim', ...claim);
  if (!claimed) return undefined;
  const revision = String(claimed.revision);
  for (const part of parts(upserts)) await step('put', part, revision);
  for (const part of parts(removals)) await step('remove', part, revision);
  const [moved] = await step('move', cursor, revision);
  return moved && revision;
}

/** Maximum length of a parameter. D1 takes up to 2,000,000 bytes, and a character has up to 3. */
const LONGEST_PART = 600_000;

/** Joins JSON values to arrays that are not too long for a parameter. */
function parts(values: readonly string[]): string[] {
  const lists: string[][] = [];
  let length = LONGEST_PART;
  for (const value of values) {
    length += value.length;
    if (length > LONGEST_PART) {
      lists.push([]);
      length = value.length;
    }
    lists.at(-1)?.push(value);
  }
  return lists.map((list) => `[${list}]`);
}

/** What a column of JSON holds. */
function parsed<State>(value: unknown): State | null {
  return typeof value === 'string' ? JSON.parse(value) : null;
}

/** The rows of a page, each article once. */
function changesOf({ upserts, removals }: StorePage<Article>): Changes {
  const rows = new Map(upserts.map((article) => [article.id, rowOf(article)]));
  const gone = new Set(removals.filter((id) => !rows.has(id)));
  return { upserts: [...rows.values()], removals: Array.from(gone, (id) => String(idOf('sqlStore', id))) };
}

/** The row of an article as JSON. The article is a text in it, so that the database stores it as it is. */
function rowOf(article: Article): string {
  const { id, slug, updated_at } = checked('sqlStore', article);
  return JSON.stringify({
    id,
    // An index takes no text of any length. The whole slug is in the article.
    slug: typeof slug === 'string' ? storable(slug.slice(0, 500)) : null,
    version: storable(updated_at),
    article: JSON.stringify(article),
  });
}

/** Replaces what Postgres refuses in a text. */
function storable(text: string): string {
  return text.replace(/[\0\p{Cs}]/gu, '\ufffd');
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
