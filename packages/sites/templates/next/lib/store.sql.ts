// A store for hosts that keep no files, such as Vercel and Netlify. Put it in the place of `store.ts`, and see README.md.
import type { Article, ArticleStore } from 'multilocal';
import { sqlStore } from 'multilocal/sql';
import pg from 'pg';
import type { Listing } from '@/lib/places';

/** Tells the articles of several sites in one database apart. */
const brand = 'site';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
// Without listeners, a connection that breaks ends the process.
pool.on('error', console.error);
pool.on('connect', (connection) => connection.on('error', console.error));
const rows = async (sql: string, params?: unknown[]) => (await pool.query(sql, params)).rows;

/** Keeps the articles and the cursor of the sync. Pages read only this. */
export const openStore = (): ArticleStore => sqlStore({ dialect: 'postgres', brand, query: rows });

const SELECT = 'SELECT article FROM multilocal_articles WHERE brand = $1';

export const readArticle = async (id: number): Promise<Article | undefined> =>
  (await rows(`${SELECT} AND id = $2`, [brand, id]))[0]?.article;

export const readArticles = async (): Promise<Article[]> => (await rows(SELECT, [brand])).map(({ article }) => article);

export const readListings = async (): Promise<Listing[]> =>
  (await rows('SELECT listings FROM site_listings WHERE brand = $1', [brand]))[0]?.listings ?? [];

export async function saveListings(listings: readonly Listing[]): Promise<void> {
  const sql = `INSERT INTO site_listings (brand, listings) VALUES ($1, $2)
    ON CONFLICT (brand) DO UPDATE SET listings = excluded.listings`;
  await rows(sql, [brand, JSON.stringify(listings)]);
}
