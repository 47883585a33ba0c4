import { describe, expect, it } from 'vitest';
import type { Article, ArticleList } from '../../src/index.js';
import type { SyncArticle, SyncList } from '../../src/sync/source.js';
import { BEGINNING, type Step, walk as walkList } from '../../src/sync/walk.js';

type Row = readonly [id: number, updated_at: string];

const at = (second: number, fraction = '000000') =>
  `2026-01-01T00:00:${String(second).padStart(2, '0')}.${fraction}+00:00`;

/** Answers of a service that holds these rows; what was asked is kept. */
function service(rows: readonly Row[], { pageSize = 3, offsets = true } = {}) {
  const asked: string[] = [];
  const ask = async (position: { updated_since: string; offset: number }): Promise<ArticleList> => {
    asked.push(`${position.updated_since}+${position.offset}`);
    const later = rows.filter(([, time]) => time > position.updated_since);
    const offset = offsets ? position.offset : 0;
    const articles = later.slice(offset, offset + pageSize).map(([id, updated_at]) => article(id, updated_at));
    return { articles, total: later.length, limit: pageSize, offset };
  };
  return { ask, asked };
}

const walk = (list: SyncList<Article>['list'], since: string) => walkList({ list, mask: (text) => text }, since);

function article(id: number, updated_at: string) {
  return { id, updated_at, title: 'T', status: 'published', created_at: at(0) };
}

async function collect(steps: AsyncIterable<Step<SyncArticle>>) {
  const ids: number[] = [];
  const cursors: (string | undefined)[] = [];
  for await (const step of steps) {
    ids.push(...step.articles.map(({ id }) => id));
    cursors.push(step.cursor);
  }
  return { ids, cursors };
}

describe('walk', () => {
  it('starts at the earliest date without a cursor, so that the service sorts', async () => {
    const { ask, asked } = service([[1, at(1)]]);
    await collect(walk(ask, BEGINNING));
    expect(asked).toEqual(['1970-01-01T00:00:00Z+0']);
  });

  it('stops after one request if nothing is new', async () => {
    const { ask, asked } = service([[1, at(1)]]);
    expect(await collect(walk(ask, at(1)))).toEqual({ ids: [], cursors: [at(1)] });
    expect(asked).toHaveLength(1);
  });

  it('stops after a short page', async () => {
    const { ask, asked } = service([1, 2].map((id) => [id, at(id)]));
    expect(await collect(walk(ask, BEGINNING))).toEqual({ ids: [1, 2], cursors: [at(2)] });
    expect(asked).toHaveLength(1);
  });

  it('requests another page after a full one, whatever `total` says', async () => {
    const { ask, asked } = service([1, 2, 3].map((id) => [id, at(id)]));
    expect(await collect(walk(ask, BEGINNING))).toEqual({ ids: [1, 2, 3], cursors: [at(2), at(3)] });
    expect(asked).toEqual([`${BEGINNING}+0`, `${at(2)}+0`]);
  });

  it('needs 5 requests for 240 articles at 50 a page', async () => {
    const rows = Array.from({ length: 240 }, (_, id): Row => [id, at(id % 60, String(id).padStart(6, '0'))]);
    rows.sort(([, a], [, b]) => (a < b ? -1 : 1));
    const { ask, asked } = service(rows, { pageSize: 50 });
    expect((await collect(walk(ask, BEGINNING))).ids).toHaveLength(240);
    expect(asked).toHaveLength(5);
  });

  it('delivers all articles with one updated_at across the end of a page', async () => {
    const rows: Row[] = [1, 2, 2, 2, 2, 3].map((second, index) => [index, at(second)]);
    const { ask } = service(rows, { pageSize: 4 });
    const { ids, cursors } = await collect(walk(ask, BEGINNING));
    expect(ids).toEqual([0, 1, 2, 3, 4, 5]);
    // The first page ends within second 2: only second 1 is complete.
    expect(cursors[0]).toBe(at(1));
  });

  it('passes the cursor back unchanged: articles a microsecond apart are both delivered', async () => {
    const rows: Row[] = [1, 2, 3, 4, 5].map((id) => [id, at(7, `00000${id}`)]);
    const { ask, asked } = service(rows, { pageSize: 2 });
    expect((await collect(walk(ask, BEGINNING))).ids).toEqual([1, 2, 3, 4, 5]);
    expect(asked).toContain(`${at(7, '000001')}+0`);
  });

  it('walks by offset if one timestamp fills pages', async () => {
    const rows = Array.from({ length: 11 }, (_, id): Row => [id, at(5)]);
    const { ask, asked } = service([...rows, [99, at(6)]], { pageSize: 4 });
    const { ids, cursors } = await collect(walk(ask, BEGINNING));
    expect(ids).toEqual([...rows.map(([id]) => id), 99]);
    expect(cursors.slice(0, -1).every((cursor) => cursor === undefined)).toBe(true);
    expect(asked.slice(0, 2)).toEqual([`${BEGINNING}+0`, `${BEGINNING}+3`]);
  });

  it('stalls rather than leave a gap if the service ignores the offset', async () => {
    const rows = Array.from({ length: 5 }, (_, id): Row => [id, at(5)]);
    const { ask } = service(rows, { pageSize: 3, offsets: false });
    await expect(collect(walk(ask, BEGINNING))).rejects.toMatchObject({ code: 'sync_stalled', cursor: BEGINNING });
  });

  it('reads equal timestamps again after a change, and gives up if they keep changing', async () => {
    let requests = 0;
    const ask = async ({ offset }: { offset: number }): Promise<ArticleList> => {
      requests++;
      const articles = [0, 1, 2].map((index) => article(requests * 10 + index, at(5)));
      return { articles, total: 9, limit: 3, offset };
    };
    await expect(collect(walk(ask, BEGINNING))).rejects.toMatchObject({ code: 'sync_stalled' });
    expect(requests).toBeLessThan(60);
  });

  it('stalls on a page in the wrong order, unless it is the only one', async () => {
    const rows: Row[] = [3, 2, 1].map((id) => [id, at(id)]);
    const { ask } = service(rows, { pageSize: 2 });
    await expect(collect(walk(ask, BEGINNING))).rejects.toMatchObject({ code: 'sync_stalled' });
    const single = service(rows, { pageSize: 4 });
    expect(await collect(walk(single.ask, BEGINNING))).toEqual({ ids: [1, 2, 3], cursors: [at(3)] });
  });

  it('skips articles that are not later than the cursor, and ends, if the service ignores updated_since', async () => {
    const rows = Array.from({ length: 7 }, (_, id): Row => [id, at(id)]);
    const ask = async ({ offset }: { offset: number }): Promise<ArticleList> => ({
      articles: rows.slice(offset, offset + 3).map(([id, time]) => article(id, time)),
      total: rows.length,
      limit: 3,
      offset,
    });
    expect((await collect(walk(ask, at(2)))).ids).toEqual([3, 4, 5, 6]);
  });

  it('requests an unexpected empty page once more, and ends', async () => {
    const ask = async (): Promise<ArticleList> => ({ articles: [], total: 5, limit: 3, offset: 0 });
    expect(await collect(walk(ask, at(1)))).toEqual({ ids: [], cursors: [undefined, at(1)] });
  });

  it('reads pages of one article', async () => {
    const rows: Row[] = [1, 2, 2, 2, 3].map((second, index) => [index, at(second)]);
    const { ask } = service(rows, { pageSize: 1 });
    expect((await collect(walk(ask, BEGINNING))).ids).toEqual([0, 1, 2, 3, 4]);
  });

  it('treats unreadable timestamps as later', async () => {
    const { ask } = service([
      [1, 'tomorrow'],
      [2, 'yesterday'],
    ]);
    expect((await collect(walk(ask, 'now'))).ids).toEqual([1, 2]);
  });
});
