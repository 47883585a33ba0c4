import { testArticleStore } from 'multilocal/mock';
import { describe, expect, it } from 'vitest';
import { sqlStore } from '../../src/sql/index.js';
import { usePglite } from '../sql/databases.js';

const { db, driver, newName } = usePglite();

describe('sqlStore on PGlite', () => {
  it('is an article store', async () => {
    await testArticleStore(() => sqlStore({ ...driver(), brand: newName() }));
  });

  it('keeps the text of an article as the service sent it', async () => {
    const article = {
      id: 1,
      title: `'"\\ 🥖 \u0000 \ud800`,
      status: 'published',
      slug: `x'\u0000${'y'.repeat(10_000)}`,
      created_at: 'c',
      updated_at: '2026-01-01T00:00:00.000001Z',
      newer_field: { price: 1.1, list: [1, null] },
    };
    const brand = newName();
    const store = sqlStore({ ...driver(), brand });
    const text = async () => {
      const sql = 'SELECT article::text AS article, slug, updated_at FROM multilocal_articles WHERE brand = $1';
      const { rows } = await db().query<{ article: string; slug: string; updated_at: string }>(sql, [brand]);
      return rows;
    };
    const expected = {
      article: JSON.stringify(article),
      slug: `x'\ufffd${'y'.repeat(497)}`,
      updated_at: article.updated_at,
    };
    await store.put(article);
    expect(await text()).toEqual([expected]);
    await store.remove(1);
    expect(await text()).toEqual([]);
    await store.commit({ upserts: [article], removals: [], cursor: 'c', previous: null });
    expect(await text()).toEqual([expected]);
  });

  it('keeps brands apart, in a table of another name too', async () => {
    await db().exec(sqlStore.schema('postgres', 'Order'));
    for (const table of ['multilocal_articles', 'Order']) {
      const [one, other] = ["l'un", 'other'].map((brand) => sqlStore({ ...driver(), brand, table }));
      const article = { id: 1, title: 'T', status: 'published', created_at: 'c', updated_at: 'u' };
      await one?.commit({ upserts: [article], removals: [], cursor: 'c', previous: null });
      expect(await other?.loadCursor()).toBeNull();
      await other?.commit({ upserts: [], removals: [1], cursor: 'd', previous: null });
      expect([await one?.loadCursor(), await other?.loadCursor()]).toEqual(['c', 'd']);
      const ids: number[] = [];
      for await (const id of one?.ids() ?? []) ids.push(id);
      expect(ids).toEqual([1]);
    }
  });

  it('names the schema if the tables are missing, within a transaction too', async () => {
    const store = sqlStore({ ...driver(), brand: 'one', table: 'missing' });
    const page = { upserts: [], removals: [], cursor: 'c', previous: null };
    for (const action of [() => store.loadCursor(), () => store.commit(page)]) {
      await expect(action()).rejects.toThrow("Run the SQL of sqlStore.schema('postgres', 'missing')");
    }
  });
});
