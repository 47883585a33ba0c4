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
