import { caught, rejection, thrown } from '@multilocal/test/support/clients';
import { articlesOf, serviceWith } from '@multilocal/test/sync/service';
import { type Article, ConfigurationError } from 'multilocal';
import { describe, expect, it } from 'vitest';
import { type SqlQuery, type SqlStoreOptions, sqlJournal, sqlStore } from '../../src/sql/index.js';

const options: SqlStoreOptions = { query: async () => [], dialect: 'postgres', brand: 'one' };
const journalOptions = { query: options.query, dialect: options.dialect, name: 'one' };
const article: Article = { id: 1, title: 'T', status: 'published', created_at: 'c', updated_at: 'u' };

describe('options that cannot be used', () => {
  it.each<[string, object, string]>([
    ['no query', { query: undefined }, 'query'],
    ['a pool in place of a query', { query: { query: () => {} } }, 'query'],
    ['a transaction that is no function', { transaction: true }, 'transaction'],
    ['no dialect', { dialect: undefined }, 'dialect'],
    ['another dialect', { dialect: 'mysql' }, 'dialect'],
    ['no brand', { brand: undefined }, 'brand'],
    ['an empty brand', { brand: '' }, 'brand'],
    ['a brand that is a number', { brand: 7 }, 'brand'],
    ['a brand that Postgres refuses', { brand: 'a\0b' }, 'brand'],
    ['a brand that is no text', { brand: 'a\ud800' }, 'brand'],
    ['a table with SQL', { table: 'articles"; DROP TABLE users; --' }, 'table'],
    ['a table with a schema', { table: 'public.articles' }, 'table'],
    ['a table that begins with a digit', { table: '1articles' }, 'table'],
    ['a table with a long name', { table: 'a'.repeat(51) }, 'table'],
    ['an empty table', { table: '' }, 'table'],
    ['an unknown option', { tabel: 'articles' }, 'tabel'],
  ])('sqlStore: %s', (_, change, name) => {
    const error = thrown(() => sqlStore({ ...options, ...change } as SqlStoreOptions), ConfigurationError);
    expect(error.message).toMatch(new RegExp(`^sqlStore: \`${name}\` `));
  });

  it.each<[string, object, string]>([
    ['no name', { name: undefined }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name that Postgres refuses', { name: 'a\0b' }, 'name'],
    ['a long name', { name: 'a'.repeat(201) }, 'name'],
    ['an option of sqlStore', { brand: 'one' }, 'brand'],
  ])('sqlJournal: %s', (_, change, name) => {
    const error = thrown(() => sqlJournal({ ...journalOptions, ...change }), ConfigurationError);
    expect(error.message).toMatch(new RegExp(`^sqlJournal: \`${name}\` `));
  });

  it('no options at all', () => {
    expect(thrown(() => sqlStore(undefined as never), Error).message).toContain('`query` must be a function');
  });

  it('of the schema', () => {
    const dialect = "`dialect` must be 'postgres' or 'sqlite'.";
    for (const [name, { schema }] of Object.entries({ sqlStore, sqlJournal })) {
      expect(thrown(() => schema('mysql' as never), ConfigurationError).message).toBe(`${name}: ${dialect}`);
    }
    expect(thrown(() => sqlStore.schema('sqlite', 'a"b'), Error).message).toContain('`table`');
  });
});

describe('an article that cannot be stored', () => {
  it.each([
    ['id', { id: '1; DROP TABLE users' }],
    ['id', { id: null }],
    ['updated_at', { updated_at: 7 }],
  ])('%s: an InvalidRequestError, and no query', async (name, wrong) => {
    const query = async () => Promise.reject(new Error('was asked'));
    const store = sqlStore({ ...options, query });
    const bad = { ...article, ...wrong } as never;
    const page = { upserts: [bad], removals: [], cursor: null, previous: null };
    for (const work of [async () => store.put(bad), async () => store.commit?.(page)])
      await expect(work()).rejects.toMatchObject({ code: 'invalid_request', issues: [{ path: [name] }] });
    await expect((async () => store.remove(Number.NaN))()).rejects.toThrow('must be an integer');
  });
});

describe('the SQL', () => {
  it('is the same for all data', async () => {
    const seen = new Map<string, Set<string>>();
    for (const [brand, text] of [
      ['one', 'plain'],
      [`'; DROP TABLE users; --`, `'"; DROP TABLE users; --`],
    ] as const) {
      for (const dialect of ['postgres', 'sqlite'] as const) {
        const texts = new Set<string>();
        const query: SqlQuery = async (sql) => {
          texts.add(sql);
          return [{ revision: '1', done: 1 }];
        };
        const store = sqlStore({ query, dialect, brand });
        const odd = { ...article, slug: text, title: text };
        await store.loadCursor();
        await store.saveCursor(text);
        await store.put(odd);
        await store.remove(1);
        await store.saveListing({ bulle_id: text, isFirst: true, position: text, ids: [1], missing: null });
        await store.commit({ upserts: [odd], removals: [2], cursor: text, previous: null });
        await store.commit({ upserts: [odd], removals: [2], cursor: text, previous: text });
        await (await store.lease())?.();
        const journal = sqlJournal({ query, dialect, name: brand });
        await journal.load();
        await journal.save(text, null);
        await journal.save(text, text);
        expect([...texts].join('\n')).not.toMatch(dialect === 'sqlite' ? /DROP|\$\d/ : /DROP|\?/);
        expect(seen.get(dialect) ?? texts).toEqual(texts);
        seen.set(dialect, texts);
      }
    }
  });

  it('is about the table of the options', async () => {
    const texts: string[] = [];
    const query: SqlQuery = async (sql) => {
      texts.push(sql);
      return [];
    };
    const store = sqlStore({ ...options, query, table: 'Order' });
    await store.put(article);
    await store.loadCursor();
    expect(texts[0]).toContain('INSERT INTO "Order" ');
    expect(texts[1]).toContain('FROM "Order_sync" ');
    expect(sqlStore.schema('postgres', 'Order')).toContain('CREATE TABLE IF NOT EXISTS "Order" (');
  });

  it('never exceeds the size of a parameter of D1', { tags: 'long' }, async () => {
    const sizes: number[] = [];
    const query: SqlQuery = async (_, params) => {
      sizes.push(...params.map((param) => new TextEncoder().encode(param ?? '').length));
      return [{ revision: '1', done: 1 }];
    };
    const store = sqlStore({ ...options, dialect: 'sqlite', query });
    const upserts = Array.from({ length: 300 }, (_, id) => ({ ...article, id, content_html: '字'.repeat(20_000) }));
    const removals = Array.from({ length: 200_000 }, (_, index) => 1_000 + index);
    expect(await store.commit({ upserts, removals, cursor: 'c', previous: null })).toBe(true);
    expect(Math.max(...sizes)).toBeLessThan(2_000_000);
    expect(sizes.length).toBeGreaterThan(20);
  });
});

describe('a database with a problem', () => {
  const failing = (failure: unknown, dialect: 'postgres' | 'sqlite' = 'postgres') =>
    sqlStore({ ...options, dialect, table: 'news', query: () => Promise.reject(failure) });

  it.each([
    ['Postgres', 'postgres', Object.assign(new Error('relation "news" does not exist'), { code: '42P01' })],
    ['SQLite', 'sqlite', new Error('no such table: news_sync')],
    ['D1', 'sqlite', new Error('D1_ERROR: no such table: news_sync: SQLITE_ERROR')],
    ['a query builder', 'postgres', new Error('x', { cause: Object.assign(new Error(), { code: '42P01' }) })],
    ['a table with other columns', 'postgres', Object.assign(new Error(), { code: '42703' })],
  ] as const)('a missing table of %s: the error names the schema', async (_, dialect, failure) => {
    const error = await caught(failing(failure, dialect).loadCursor(), ConfigurationError);
    expect(error).toMatchObject({ cause: failure, outcome: 'not_applied' });
    expect(String(error)).toContain(`sqlStore.schema('${dialect}', 'news')`);
    const journal = sqlJournal({ ...journalOptions, dialect, query: () => Promise.reject(failure) });
    const other = await caught(journal.load(), ConfigurationError);
    expect(other).toMatchObject({ code: 'configuration', cause: failure });
    expect(String(other)).toContain(`Run the SQL of sqlJournal.schema('${dialect}')`);
    for (const one of [error, other]) expect(String(one)).toContain('If the table exists, add the columns');
  });

  it.each([new Error('connection lost'), 'text', undefined, null, { code: '23505' }])(
    'another failure of the driver comes as it is: %s',
    async (failure) => {
      expect(await rejection(failing(failure).loadCursor())).toBe(failure);
    },
  );

  it.each([
    ['the result of pg', { rows: [], rowCount: 0 }],
    ['nothing', undefined],
    ['rows that are arrays', [[1]]],
  ])('a query that resolves to %s: the error shows how to wrap the driver', async (_, result) => {
    const store = sqlStore({ ...options, query: (async () => result) as unknown as SqlQuery });
    const error = await caught(store.loadCursor(), ConfigurationError);
    expect(String(error)).toContain('(await pool.query(sql, params)).rows');
  });

  it.each<[string, NonNullable<SqlStoreOptions['transaction']>, string]>([
    ['does not call run', async () => {}, 'must call `run` and wait for it'],
    ['does not wait for run', (run) => void run(options.query), 'must call `run` and wait for it'],
    ['passes no query', (run) => (run as () => Promise<void>)(), 'must call `run` with a query'],
  ])('a transaction that %s is refused', async (_, transaction, message) => {
    const store = sqlStore({ ...options, transaction });
    const page = { upserts: [], removals: [], cursor: 'c', previous: 'b' };
    expect(String(await caught(store.commit(page), ConfigurationError))).toContain(message);
  });

  it('a failure in the middle of a run reaches the caller, and nothing is requested after it', async () => {
    const service = serviceWith(Array(9).fill(1), 2);
    const failure = new Error('disk full');
    const query: SqlQuery = async (sql) => {
      if (sql.includes('json_to_recordset')) throw failure;
      return sql.includes('lease = excluded') ? [{ done: 1 }] : [];
    };
    await expect(articlesOf(service).syncTo(sqlStore({ ...options, query }))).rejects.toBe(failure);
    expect(service.requests).toHaveLength(1);
  });
});
