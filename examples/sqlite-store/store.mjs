import { DatabaseSync } from 'node:sqlite';

/** @import { Article, ArticleStore } from 'multilocal' */

/**
 * Keeps articles in an SQLite database. A page of articles and its cursor are one transaction. After a crash, the
 * database has both or neither, and the next run continues after the last complete page. Readers, in this process
 * or in others, never see half a page.
 *
 * @param {string} path
 * @returns {ArticleStore & { close(): void }}
 */
export function sqliteStore(path) {
  const db = new DatabaseSync(path);
  db.exec(`
    -- Readers go on reading while a sync writes.
    PRAGMA journal_mode = WAL;
    -- A power cut may cost the last transactions, never half of one: the cursor goes back with the articles.
    PRAGMA synchronous = NORMAL;
    PRAGMA busy_timeout = 5000;
    CREATE TABLE IF NOT EXISTS articles (
      id INTEGER PRIMARY KEY,
      slug TEXT,
      updated_at TEXT NOT NULL,
      -- As the service sent it, fields included that this version does not know.
      article TEXT NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS articles_slug ON articles (slug);
    CREATE TABLE IF NOT EXISTS sync (one INTEGER PRIMARY KEY CHECK (one = 1), cursor TEXT NOT NULL) STRICT;
  `);
  const loadCursor = db.prepare('SELECT cursor FROM sync');
  const saveCursor = db.prepare('INSERT OR REPLACE INTO sync (one, cursor) VALUES (1, ?)');
  const versions = db.prepare('SELECT id, updated_at FROM articles');
  const put = db.prepare('INSERT OR REPLACE INTO articles (id, slug, updated_at, article) VALUES (?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM articles WHERE id = ?');

  function begin() {
    if (!db.isTransaction) db.exec('BEGIN IMMEDIATE');
  }
  function commit() {
    if (db.isTransaction) db.exec('COMMIT');
  }

  return {
    loadCursor: () => /** @type {string | undefined} */ (loadCursor.get()?.cursor) ?? null,
    saveCursor(cursor) {
      begin();
      saveCursor.run(cursor);
      commit();
    },
    ids: () => versions.all().map(({ id }) => Number(id)),
    /** With versions, a reconcile writes only the articles that differ. */
    versions: () => versions.all().map(({ id, updated_at }) => [Number(id), String(updated_at)]),
    put(article) {
      begin();
      put.run(article.id, article.slug ?? null, article.updated_at, JSON.stringify(article));
    },
    remove(id) {
      begin();
      remove.run(id);
    },
    /** Keeps the changes after the last cursor too: deletions do not change the cursor. */
    close() {
      commit();
      db.close();
    },
  };
}
