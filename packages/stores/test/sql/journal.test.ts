import { thrown } from '@multilocal/test/support/clients';
import { ConfigurationError } from 'multilocal';
import { describe, expect, it } from 'vitest';
import { type SqlJournalOptions, type SqlQuery, sqlJournal } from '../../src/sql/index.js';
import { usePglite } from './databases.js';

const options: SqlJournalOptions = { query: async () => [], dialect: 'postgres', name: 'one' };

describe('sqlJournal on PGlite', () => {
  const { db, driver } = usePglite();

  it('has a schema that may exist already', async () => {
    await db().exec(sqlJournal.schema('postgres'));
  });

  it('keeps plans apart', async () => {
    const names = ["l'un", 'L’un', " l'un", '"; DROP TABLE multilocal_plans; --'];
    const journals = names.map((name) => sqlJournal({ ...driver(), name }));
    const texts = names.map((name) => `${JSON.stringify({ name, text: '🥖 \\u0000 \ud800' })}\r\n `);
    for (const [index, journal] of journals.entries()) expect(await journal.save(texts[index] ?? '', null)).toBe(true);
    expect(await Promise.all(journals.map((journal) => journal.load()))).toEqual(texts);
    for (const [index, journal] of journals.entries()) expect(await journal.save('', texts[index] ?? '')).toBe(true);
    expect(await journals[0]?.load()).toBe('');
  });
});

describe('options that cannot be used', () => {
  it.each<[string, object, string]>([
    ['no name', { name: undefined }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name that Postgres refuses', { name: 'a\0b' }, 'name'],
    ['a long name', { name: 'a'.repeat(201) }, 'name'],
    ['an option of sqlStore', { brand: 'one' }, 'brand'],
  ])('%s', (_, change, name) => {
    const error = thrown(() => sqlJournal({ ...options, ...change } as SqlJournalOptions), ConfigurationError);
    expect(error.message).toMatch(new RegExp(`^sqlJournal: \`${name}\` `));
  });

  it('of the schema', () => {
    const error = thrown(() => sqlJournal.schema('mysql' as never), ConfigurationError);
    expect(error.message).toBe("sqlJournal: `dialect` must be 'postgres' or 'sqlite'.");
  });
});

describe('a database with a problem', () => {
  it.each([
    ['postgres', Object.assign(new Error('relation does not exist'), { code: '42P01' })],
    ['sqlite', new Error('no such table: multilocal_plans')],
  ] as const)('a missing table of %s: the error names the schema', async (dialect, failure) => {
    const journal = sqlJournal({ ...options, dialect, query: () => Promise.reject(failure) });
    await expect(journal.load()).rejects.toMatchObject({
      code: 'configuration',
      cause: failure,
      message: expect.stringContaining(`Run the SQL of sqlJournal.schema('${dialect}')`),
    });
  });

  it('the SQL is the same for all data, with `?` for SQLite', async () => {
    const texts = new Set<string>();
    const query: SqlQuery = async (sql) => {
      texts.add(sql);
      return [];
    };
    for (const name of ['one', `'; DROP TABLE users; --`]) {
      const journal = sqlJournal({ query, dialect: 'sqlite', name });
      await journal.load();
      await journal.save(name, null);
      await journal.save(name, name);
    }
    expect(texts.size).toBe(3);
    expect([...texts].join('\n')).not.toMatch(/DROP|\$\d/);
  });
});
