// One Postgres for all brands: their keys, and their articles.
import type { Article } from 'multilocal';
import { sqlStore } from 'multilocal/sql';
import { Pool } from 'pg';

/** A schema of its own, so that the example empties nothing else. */
const SCHEMA = 'multilocal_fleet';

export interface Brand {
  id: string;
  base_url: string;
  /** In plain text here. Encrypt the keys of a real fleet. */
  api_key: string;
  per_minute: number;
}

export function openDatabase(url: string): Pool {
  const db = new Pool({ connectionString: url, options: `-c search_path=${SCHEMA}`, max: 10 });
  // Without listeners, a connection that breaks ends the process. The query that needs it fails, and its job is retried.
  db.on('error', console.error);
  db.on('connect', (connection) => connection.on('error', console.error));
  return db;
}

export async function createTables(db: Pool): Promise<void> {
  await db.query(`drop schema if exists ${SCHEMA} cascade; create schema ${SCHEMA}`);
  await db.query(sqlStore.schema('postgres'));
  await db.query(
    'create table brands (id text primary key, base_url text not null, api_key text not null, per_minute integer not null)',
  );
}

export async function saveBrand(db: Pool, { id, base_url, api_key, per_minute }: Brand): Promise<void> {
  await db.query(
    'insert into brands values ($1, $2, $3, $4) on conflict (id) do update set api_key = excluded.api_key',
    [id, base_url, api_key, per_minute],
  );
}

export async function findBrand(db: Pool, id: string): Promise<Brand> {
  const { rows } = await db.query<Brand>('select * from brands where id = $1', [id]);
  if (!rows[0]) throw new Error(`There is no brand ${id}`);
  return rows[0];
}

/** The articles of one brand. */
export function storeOf(db: Pool, brand: string) {
  return sqlStore({ dialect: 'postgres', brand, query: async (sql, params) => (await db.query(sql, params)).rows });
}

/** The stored articles of one brand. */
export async function storedArticles(db: Pool, brand: string): Promise<Article[]> {
  const sql = 'select article from multilocal_articles where brand = $1';
  const { rows } = await db.query<{ article: Article }>(sql, [brand]);
  return rows.map(({ article }) => article);
}
