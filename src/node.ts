import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArticleStore } from './resources/articles-sync.js';

const CURSOR = 'cursor.json';
const ARTICLE = /^(-?\d+)\.json$/;
const TEMPORARY = '.tmp';

/**
 * Keep articles in a folder, one JSON file each, named by its id; the folder is made when it is missing.
 *
 * Files are written beside their place and renamed into it, so that a reader never sees half an article, and flushed
 * to the disk before the cursor that covers them: a crash at any instant loses nothing. One process at a time.
 * @throws a `TypeError` where no path is given.
 * @example
 * import { directoryStore } from 'multilocal/node';
 * await client.articles.syncTo(directoryStore('content/articles'));
 */
export function directoryStore(path: string): ArticleStore {
  if (typeof path !== 'string' || path === '') throw new TypeError('directoryStore: expected a path');
  /** Written since the last cursor, perhaps not yet on the disk. */
  let unflushed = new Set<string>();

  async function write(name: string, value: unknown, flush: boolean): Promise<void> {
    await mkdir(path, { recursive: true });
    const temporary = join(path, `.${name}.${randomUUID()}${TEMPORARY}`);
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(`${JSON.stringify(value, null, 2)}\n`);
      if (flush) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, join(path, name));
  }

  async function flush(name: string): Promise<void> {
    const file = await open(join(path, name), 'r').catch(ignoreMissing);
    await file?.sync().finally(() => file.close());
  }

  return {
    async loadCursor() {
      // What a run left that was ended while it wrote.
      for (const name of await list(path)) if (name.endsWith(TEMPORARY)) await rm(join(path, name), { force: true });
      const text = await readFile(join(path, CURSOR), 'utf8').catch(ignoreMissing);
      return text === undefined ? null : (JSON.parse(text) as { cursor: string }).cursor;
    },
    async saveCursor(cursor) {
      const written = unflushed;
      unflushed = new Set();
      for (const name of written) await flush(name);
      // Names live in the folder, which some systems do not let one flush.
      await flush('.').catch(() => {});
      await write(CURSOR, { cursor }, true);
    },
    async *ids() {
      for (const name of await list(path)) {
        const id = ARTICLE.exec(name)?.[1];
        if (id !== undefined) yield Number(id);
      }
    },
    async put(article) {
      const name = nameOf(article.id);
      await write(name, article, false);
      unflushed.add(name);
    },
    async remove(id) {
      await rm(join(path, nameOf(id)), { force: true });
      unflushed.delete(nameOf(id));
    },
  };
}

/** An id is a number of the service: anything else must not become part of a path. */
function nameOf(id: number): string {
  if (!Number.isSafeInteger(id)) throw new TypeError('An article id is an integer.');
  return `${id}.json`;
}

async function list(path: string): Promise<string[]> {
  return (await readdir(path).catch(ignoreMissing)) ?? [];
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
