import { describe, expect, it } from 'vitest';
import type { Article, ArticleList } from '../../src/index.js';
import type { SyncArticle, SyncList } from '../../src/sync/source.js';
import { BEGINNING, type Step, walk as walkList } from '../../src/sync/walk.js';

type Row = readonly [id: number, updated_at: string];

const at = (second: number, fraction = '000000') =>
  `2026-01-01T00:00:${String(second).padStart(2, '0')}.${fraction}+00:00`;

/** Answers of a service that holds these rows; what was asked is kept. */
function service(
  rows: readonly Row[],
  { pageSize = 3, offsets = true, isLater = (a: string, b: string) => a > b } = {},
) {
  const asked: string[] = [];
  const ask = async (position: { updated_since: string; offset: number }): Promise<ArticleList> => {
    asked.push(`${position.updated_since}+${position.offset}`);
    const later = rows.filter(([, time]) => isLater(time, position.updated_since));
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
  const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  /** Articles 1, 2 … with these seconds. */
  const rowsAt = (...seconds: number[]) => seconds.map((second, index): Row => [index + 1, at(second)]);
  const many = range(240).map((id): Row => [id, at(Math.floor(id / 60), String(id).padStart(6, '0'))]);
  const microseconds = range(5).map((id): Row => [id, at(7, `00000${id}`)]);
  const unreadable: Row[] = [
    [1, 'tomorrow'],
    [2, 'yesterday'],
  ];

  const first = `${BEGINNING}+0`;
  const containing = (text: string) => expect.arrayContaining([text]);
  const three = { ids: [1, 2, 3], cursors: [at(2), at(3)], asked: [first, `${at(2)}+0`] };
  const sixty = rowsAt(...Array(60).fill(5));
  it.each<[string, readonly Row[], pageSize: number, expected: object, since?: string]>([
    ['starts at the earliest date, so that the service sorts', rowsAt(1), 3, { ids: [1], asked: [first] }],
    ['stops after one request if nothing is new', rowsAt(1), 3, { ids: [], cursors: [at(1)], requests: 1 }, at(1)],
    ['stops after a short page', rowsAt(1, 2), 3, { ids: [1, 2], cursors: [at(2)], requests: 1 }],
    ['requests another page after a full one, whatever `total` says', rowsAt(1, 2, 3), 3, three],
    ['needs 5 requests for 240 articles at 50 a page', many, 50, { ids: range(240), requests: 5 }],
    // The first page ends within second 2: only second 1 is complete.
    ['cuts within a second', rowsAt(1, 2, 2, 2, 2, 3), 4, { ids: range(6), cursors: containing(at(1)) }],
    ['delivers once what a page has twice', [...rowsAt(1), ...rowsAt(1, 2)], 9, { ids: [1, 2] }],
    ['keeps microseconds', microseconds, 2, { ids: range(5), asked: containing(`${at(7, '000001')}+0`) }],
    ['takes more than 20 pages of one timestamp for different pages', sixty, 3, { ids: range(60) }],
    ['treats unreadable timestamps as later', unreadable, 3, { ids: [1, 2], cursors: ['now'] }, 'now'],
  ])('%s', async (_, rows, pageSize, expected, since = BEGINNING) => {
    const { ask, asked } = service(rows, { pageSize });
    const walked = await collect(walk(ask, since));
    expect({ ...walked, asked, requests: asked.length }).toMatchObject(expected);
  });

  it.each(['2026-01-01T00:00:05.000Z', '2026-01-01T02:00:05+02:00'])(
    'delivers all articles of one instant in two spellings across the end of a page: %s',
    async (spelling) => {
      const plain = '2026-01-01T00:00:05Z';
      const rows: Row[] = ['2026-01-01T00:00:01Z', plain, spelling, plain].map((time, id) => [id, time]);
      const { ask } = service(rows, { isLater: (a, b) => Date.parse(a) > Date.parse(b) });
      expect((await collect(walk(ask, BEGINNING))).ids).toEqual([0, 1, 2, 3]);
    },
  );

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
    const { ask, asked } = service(rows, { pageSize: 3, offsets: false });
    const stalled = collect(walk(ask, BEGINNING));
    await expect(stalled).rejects.toMatchObject({ code: 'sync_stalled', cursor: BEGINNING });
    await expect(stalled).rejects.toThrow('the service ignores `offset`');
    expect(asked).toHaveLength(2);
  });

  it('reads equal timestamps again after a change, and gives up if they keep changing', async () => {
    let requests = 0;
    const ask = async ({ offset }: { offset: number }): Promise<ArticleList> => {
      requests++;
      const articles = [0, 1, 2].map((index) => article(requests * 10 + index, at(5)));
      return { articles, total: 9, limit: 3, offset };
    };
    await expect(collect(walk(ask, BEGINNING))).rejects.toThrow('articles with the same updated_at keep changing');
    // A run is read again 20 times, each time with a page and the one that should follow.
    expect(requests).toBe(2 * 21);
  });

  it('stalls on a page in the wrong order, unless it is the only one', async () => {
    const rows: Row[] = [3, 2, 1].map((id) => [id, at(id)]);
    const { ask } = service(rows, { pageSize: 2 });
    await expect(collect(walk(ask, BEGINNING))).rejects.toThrow('a page is not sorted by updated_at');
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
    const asked: object[] = [];
    const ask = async (position: object): Promise<ArticleList> => {
      asked.push(position);
      return { articles: [], total: 5, limit: 3, offset: 0 };
    };
    expect(await collect(walk(ask, at(1)))).toEqual({ ids: [], cursors: [undefined, at(1)] });
    expect(asked).toEqual(Array(2).fill({ updated_since: at(1), offset: 0 }));
  });

  it('reads pages of one article', async () => {
    const rows: Row[] = [1, 2, 2, 2, 3].map((second, index) => [index, at(second)]);
    const { ask } = service(rows, { pageSize: 1 });
    const { ids, cursors } = await collect(walk(ask, BEGINNING));
    expect(ids).toEqual([0, 1, 2, 3, 4]);
    expect(cursors.filter((cursor) => cursor !== undefined)).toEqual([at(1), at(2), at(3)]);
  });

  it('takes no notice of the `offset` of a page that was requested without one', async () => {
    const { ask } = service([1, 2, 3, 4].map((id) => [id, at(id)]));
    const shifted = async (position: Parameters<typeof ask>[0]) => ({ ...(await ask(position)), offset: 7 });
    expect((await collect(walk(shifted, BEGINNING))).ids).toEqual([1, 2, 3, 4]);
  });

  /** A service that gives these pages, one after the other; the last one again and again. */
  function pagesOf(...pages: readonly (readonly Row[])[]) {
    const asked: number[] = [];
    const ask = async ({ offset }: { offset: number }): Promise<ArticleList> => {
      const rows = pages[Math.min(asked.push(offset), pages.length) - 1] ?? [];
      return { articles: rows.map(([id, time]) => article(id, time)), total: 0, limit: 2, offset };
    };
    return { ask, asked };
  }

  it.each<[string, Row[]]>([
    ['is gone', []],
    ['changed', [[2, at(6)]]],
    ['is another one', [[3, at(5)]]],
  ])('begins a run of equal timestamps again if its last article %s', async (_, page) => {
    const run = rowsAt(5, 5);
    const { ask, asked } = pagesOf(run, page, run, [[2, at(5)]]);
    expect((await collect(walk(ask, BEGINNING))).ids).toEqual([1, 2]);
    expect(asked).toEqual([0, 1, 0, 1]);
  });

  it('stalls when a page comes a 21st time, and not before', async () => {
    const page: Row[] = [2, 2].map((id) => [id, at(5)]);
    const again = (count: number) => pagesOf(...Array<Row[]>(count).fill(page), []);
    const { ask, asked } = again(22);
    await expect(collect(walk(ask, BEGINNING))).rejects.toThrow('the service repeats a page');
    expect(asked).toEqual(Array.from({ length: 22 }, (_, index) => index));
    expect((await collect(walk(again(21).ask, BEGINNING))).ids).toEqual([2]);
  });

  it('stalls on a full page whose first timestamp cannot be read', async () => {
    const { ask } = pagesOf([[1, 'hier'], ...rowsAt(1, 2).slice(1)]);
    await expect(collect(walk(ask, BEGINNING))).rejects.toThrow('article 1 has no valid updated_at');
  });

  it('goes on as long as `total` promises more and short pages bring news', async () => {
    const rows = rowsAt(...range(6));
    const { ask, asked } = service(rows, { pageSize: 9 });
    // The first page holds three articles, and each page after it the article before and one more.
    const short = async (position: Parameters<typeof ask>[0]) => {
      const page = await ask(position);
      return { ...page, articles: page.articles.slice(0, asked.length === 1 ? 3 : 2) };
    };
    expect((await collect(walk(short, BEGINNING))).ids).toEqual(range(6));
  });

  it('takes a page for full that is as large as the largest one', async () => {
    const rows = rowsAt(...range(7));
    const { ask, asked } = service(rows, { pageSize: 3 });
    const wrong = async (position: Parameters<typeof ask>[0]) => {
      const page = await ask(position);
      return { ...page, limit: 50, total: asked.length === 1 ? page.total : 0 };
    };
    expect((await collect(walk(wrong, BEGINNING))).ids).toEqual(range(7));
  });

  describe('pages that the service cuts by size', () => {
    const rows = rowsAt(1, 2, 3, 3, 5, 6, 7, 8);
    /** The number of articles on the pages, one after the other; the last one again and again. */
    const cut = (sizes: readonly number[], options: { offsets?: boolean } = {}, stored = rows) => {
      const { ask, asked } = service(stored, { pageSize: 50, ...options });
      const list = async (position: Parameters<typeof ask>[0]) => {
        const page = await ask(position);
        return { ...page, articles: page.articles.slice(0, sizes[Math.min(asked.length, sizes.length) - 1]) };
      };
      return { list, asked };
    };

    it.each([[[1]], [[2]], [[3]], [[2, 1]], [[3, 1, 2]], [[3, 2, 1]], [[4, 1]], [[1, 2, 1, 3, 1]]])(
      'are read to the end: %j',
      async (sizes) => {
        const { ids, cursors } = await collect(walk(cut(sizes).list, BEGINNING));
        expect(ids).toEqual(range(8));
        expect(cursors.at(-1)).toBe(at(8));
      },
    );

    it('stall the walk if the service ignores `offset` and articles follow', async () => {
      const stalled = collect(walk(cut([2, 1], { offsets: false }).list, BEGINNING));
      await expect(stalled).rejects.toMatchObject({ code: 'sync_stalled', cursor: at(1) });
      await expect(stalled).rejects.toThrow('the service ignores `offset`');
    });

    it.each([[[2, 1]], [[3, 1, 2, 1]]])(
      'stall the walk if the service repeats `offset` in the response without applying it: %j',
      async (sizes) => {
        const same = rowsAt(1, 2, 2, 2);
        const { list } = cut(sizes, { offsets: false }, same);
        const echo: typeof list = async (position) => ({ ...(await list(position)), offset: position.offset });
        await expect(collect(walk(echo, BEGINNING))).rejects.toMatchObject({ code: 'sync_stalled', cursor: at(1) });
      },
    );

    it('stall the walk if a page lacks the articles of the page before', async () => {
      await expect(collect(walk(cut([2, 0]).list, BEGINNING))).rejects.toMatchObject({ cursor: at(1) });
    });
  });

  it.each<[string, number, object]>([
    ['accepts `offset`', 3, {}],
    ['ignores `offset`', 4, { offsets: false }],
  ])('ends if `total` counts more than the list has, and the service %s', async (_, requests, options) => {
    const { ask, asked } = service(rowsAt(1, 2, 3), { pageSize: 9, ...options });
    const list = async (position: Parameters<typeof ask>[0]) => ({ ...(await ask(position)), total: 8 });
    expect(await collect(walk(list, BEGINNING))).toMatchObject({ ids: [1, 2, 3] });
    expect(asked).toHaveLength(requests);
  });
});
