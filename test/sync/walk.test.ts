import { expect, it } from 'vitest';
import type { ArticleList } from '../../src/index.js';
import { BEGINNING, walk } from '../../src/sync/walk.js';

type Row = readonly [id: number, updated_at: string];
type Position = { updated_since: string; offset: number };
/** What the service answers to the request with this number, from 0 on. */
type Answer = (position: Position, index: number) => ArticleList;

const at = (second: number, fraction = '000000') =>
  `2026-01-01T00:00:${String(second).padStart(2, '0')}.${fraction}+00:00`;
const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
/** Articles 1, 2 … with these seconds. */
const rowsAt = (...seconds: number[]) => seconds.map((second, index): Row => [index + 1, at(second)]);

function page(rows: readonly Row[], fields: Omit<ArticleList, 'articles'>): ArticleList {
  const articles = rows.map(([id, updated_at]) => {
    return { id, updated_at, title: 'T', status: 'published', created_at: at(0) };
  });
  return { articles, ...fields };
}

/** A service that holds these rows. */
function holding(
  rows: readonly Row[],
  limit = 3,
  { offsets = true, isLater = (a: string, b: string) => a > b } = {},
): Answer {
  return (position) => {
    const later = rows.filter(([, time]) => isLater(time, position.updated_since));
    const offset = offsets ? position.offset : 0;
    return page(later.slice(offset, offset + limit), { total: later.length, limit, offset });
  };
}

/** A service that gives these pages, one after the other; the last one again and again. */
const giving = (...pages: readonly (readonly Row[])[]): Answer => {
  return ({ offset }, index) => page(pages[Math.min(index, pages.length - 1)] ?? [], { total: 0, limit: 2, offset });
};

type Change = (page: ArticleList, index: number, position: Position) => Partial<ArticleList>;

const changing = (answer: Answer, change: Change): Answer => {
  return (position, index) => {
    const given = answer(position, index);
    return { ...given, ...change(given, index, position) };
  };
};

/** A service that cuts its pages by size: to so many articles, one after the other; the last number again and again. */
const cut = (sizes: readonly number[], rows: readonly Row[], options: { offsets?: boolean } = {}) =>
  changing(holding(rows, 50, options), ({ articles }, index) => {
    return { articles: articles.slice(0, sizes[Math.min(index, sizes.length - 1)]) };
  });

/** What a walk delivers and asks for, and the error that ends it. */
async function walked(answer: Answer, since: string) {
  const ids: number[] = [];
  const cursors: (string | undefined)[] = [];
  const asked: string[] = [];
  const list = async (position: Position) =>
    answer(position, asked.push(`${position.updated_since}+${position.offset}`) - 1);
  let stalled: unknown;
  try {
    for await (const step of walk({ list, mask: (text) => text }, since)) {
      ids.push(...step.articles.map(({ id }) => id));
      cursors.push(step.cursor);
    }
  } catch (error) {
    stalled = error;
  }
  return { ids, cursors, asked, requests: asked.length, stalled };
}

const stalled = (reason: string, cursor = BEGINNING) =>
  expect.objectContaining({ code: 'sync_stalled', cursor, message: expect.stringContaining(reason) });

const first = `${BEGINNING}+0`;
const containing = (...texts: string[]) => expect.arrayContaining(texts);
const many = range(240).map((id): Row => [id, at(Math.floor(id / 60), String(id).padStart(6, '0'))]);
const microseconds = range(5).map((id): Row => [id, at(7, `00000${id}`)]);
const unreadable: Row[] = [
  [1, 'tomorrow'],
  [2, 'yesterday'],
];
const unsorted = [3, 2, 1].map((id): Row => [id, at(id)]);
const eight = rowsAt(1, 2, 3, 3, 5, 6, 7, 8);
const same = rowsAt(1, 2, 2, 2);
const eleven = [...rowsAt(...Array(11).fill(5)), [99, at(6)] as const];
const twice: Row[] = [...rowsAt(1), ...rowsAt(1, 2)];
const pair = rowsAt(5, 5);
const again = (count: number) => giving(...Array(count).fill([2, 2].map((id) => [id, at(5)])), []);
const noOffsets = { offsets: false };
const ignored = 'the service ignores `offset`';
const echo: Change = (_, __, { offset }) => ({ offset });

type Case = [title: string, Answer, expected: object, since?: string];

it.each<Case>([
  ['starts at the earliest date, so that the service sorts', holding(rowsAt(1)), { ids: [1], asked: [first] }],
  ['stops after one request if nothing is new', holding(rowsAt(1)), { ids: [], cursors: [at(1)], requests: 1 }, at(1)],
  ['stops after a short page', holding(rowsAt(1, 2)), { ids: [1, 2], cursors: [at(2)], requests: 1 }],
  [
    'requests another page after a full one, whatever `total` says',
    holding(rowsAt(1, 2, 3)),
    { ids: [1, 2, 3], cursors: [at(2), at(3)], asked: [first, `${at(2)}+0`] },
  ],
  ['needs 5 requests for 240 articles at 50 a page', holding(many, 50), { ids: range(240), requests: 5 }],
  // The first page ends within second 2: only second 1 is complete.
  ['cuts within a second', holding(rowsAt(1, 2, 2, 2, 2, 3), 4), { ids: range(6), cursors: containing(at(1)) }],
  ['delivers once what a page has twice', holding(twice, 9), { ids: [1, 2] }],
  ['keeps microseconds', holding(microseconds, 2), { ids: range(5), asked: containing(first, `${at(7, '000001')}+0`) }],
  ...['2026-01-01T00:00:05.000Z', '2026-01-01T02:00:05+02:00'].map((spelling): Case => {
    const times = ['2026-01-01T00:00:01Z', '2026-01-01T00:00:05Z', spelling, '2026-01-01T00:00:05Z'];
    const isLater = (a: string, b: string) => Date.parse(a) > Date.parse(b);
    const rows = times.map((time, index): Row => [index + 1, time]);
    return [`delivers one instant in two spellings: ${spelling}`, holding(rows, 3, { isLater }), { ids: range(4) }];
  }),
  [
    'reads pages of one article',
    holding(rowsAt(1, 2, 2, 2, 3), 1),
    { ids: range(5), cursors: containing(at(2), at(3)) },
  ],
  [
    'skips what is not later than the cursor if the service ignores `updated_since`',
    ({ offset }, index) => holding(rowsAt(...range(7)))({ updated_since: BEGINNING, offset }, index),
    { ids: [4, 5, 6, 7] },
    at(3),
  ],
  [
    'takes no notice of the `offset` of a page that was requested without one',
    changing(holding(rowsAt(1, 2, 3, 4)), () => ({ offset: 7 })),
    { ids: range(4) },
  ],
  [
    'takes a page for full that is as large as the largest one',
    changing(holding(rowsAt(...range(7))), ({ total }, index) => ({ limit: 50, total: index === 0 ? total : 0 })),
    { ids: range(7) },
  ],
])('a walk %s', async (_, answer, expected, since = BEGINNING) => {
  expect(await walked(answer, since)).toMatchObject({ stalled: undefined, ...expected });
});

it.each<Case>([
  [
    'goes by offset if it fills pages',
    holding(eleven, 4),
    { ids: [...range(11), 99], cursors: [...Array(3).fill(undefined), at(6)], asked: containing(`${BEGINNING}+3`) },
  ],
  ['takes more than 20 of its pages for different pages', holding(rowsAt(...Array(60).fill(5))), { ids: range(60) }],
  [
    'stalls rather than leave a gap if the service ignores the offset',
    holding(rowsAt(5, 5, 5, 5, 5), 3, noOffsets),
    { stalled: stalled(ignored), requests: 2 },
  ],
  [
    'gives up if its articles keep changing',
    ({ offset }, index) =>
      page(
        [10, 11, 12].map((id) => [index * 10 + id, at(5)]),
        { total: 9, limit: 3, offset },
      ),
    // A run is read again 20 times, each time with a page and the one that should follow.
    { stalled: stalled('articles with the same updated_at keep changing'), requests: 2 * 21 },
  ],
  ...(
    [
      ['is gone', []],
      ['changed', [[2, at(6)]]],
      ['is another one', [[3, at(5)]]],
    ] as [string, Row[]][]
  ).map(([what, edge]): Case => {
    const asked = [0, 1, 0, 1].map((offset) => `${BEGINNING}+${offset}`);
    return [
      `begins it again if its last article ${what}`,
      giving(pair, edge, pair, [[2, at(5)]]),
      { ids: [1, 2], asked },
    ];
  }),
  ['stalls when a page comes a 21st time', again(22), { stalled: stalled('the service repeats a page'), requests: 22 }],
  ['does not stall when a page comes a 20th time', again(21), { ids: [2], stalled: undefined }],
])('a walk through one timestamp %s', async (_, answer, expected) => {
  expect(await walked(answer, BEGINNING)).toMatchObject(expected);
});

it.each<Case>([
  ['treats unreadable timestamps as later', holding(unreadable), { ids: [1, 2], cursors: ['now'] }, 'now'],
  ...['', 'hier'].map((text): Case => {
    const page = changing(giving([...rowsAt(1, 2), [3, text]]), () => ({ limit: 10 }));
    return [`takes no cursor from the timestamp '${text}'`, page, { ids: [3, 1, 2], cursors: [at(2)] }];
  }),
  [
    'stalls on a full page whose first timestamp cannot be read',
    giving([[1, 'hier'], ...rowsAt(1, 2).slice(1)]),
    { stalled: stalled('article 1 has no valid updated_at') },
  ],
  [
    'stalls on a page in the wrong order',
    holding(unsorted, 2),
    { stalled: stalled('a page is not sorted by updated_at') },
  ],
  ['sorts the only page', holding(unsorted, 4), { ids: [1, 2, 3], cursors: [at(3)], stalled: undefined }],
  ...Object.entries<(page: ArticleList) => number>({
    'is one too low': ({ total }) => total - 1,
    'is too high': ({ total }) => total + 100,
    'counts the page': ({ articles }) => articles.length,
    'is 0': () => 0,
    'is negative': () => -1,
  }).map(([what, total]): Case => {
    // The last two share a timestamp, and the end of a full page cuts between them.
    const tied = holding(rowsAt(...range(9), 9), 5);
    return [
      `delivers ties although \`total\` ${what}`,
      changing(tied, (page) => ({ total: total(page) })),
      { ids: range(10) },
    ];
  }),
  [
    'requests an unexpected empty page once more, and ends',
    changing(holding([]), () => ({ total: 5 })),
    { ids: [], cursors: [undefined, at(1)], asked: Array(2).fill(`${at(1)}+0`) },
    at(1),
  ],
  [
    'ends if `total` counts more than the list has, by offset',
    changing(holding(rowsAt(1, 2, 3), 9), () => ({ total: 8 })),
    { ids: [1, 2, 3], cursors: [at(2), undefined, at(2)], requests: 3, stalled: undefined },
  ],
  [
    'ends if `total` counts more than the list has, and the service ignores `offset`',
    changing(holding(rowsAt(1, 2, 3), 9, noOffsets), () => ({ total: 8 })),
    { ids: [1, 2, 3], cursors: [at(2), undefined, at(2)], requests: 4, stalled: undefined },
  ],
  ...[[1], [2], [3], [2, 1], [3, 1, 2], [3, 2, 1], [4, 1], [1, 2, 1, 3, 1]].map((sizes): Case => {
    return [
      `reads pages to the end that are cut to ${sizes}`,
      cut(sizes, eight),
      { ids: range(8), cursors: containing(at(8)) },
    ];
  }),
  ['goes on while short pages bring news', cut([3, 2], rowsAt(...range(6))), { ids: range(6), stalled: undefined }],
  ['stalls if cut pages need an ignored `offset`', cut([2, 1], eight, noOffsets), { stalled: stalled(ignored, at(1)) }],
  [
    'stalls if `offset` is repeated without being applied',
    changing(cut([2, 1], same, noOffsets), echo),
    { stalled: stalled('repeats a page', at(1)) },
  ],
  [
    'stalls if `offset` is repeated without being applied, after larger pages',
    changing(cut([3, 1, 2, 1], same, noOffsets), echo),
    { stalled: stalled('', at(1)) },
  ],
  ['stalls if a page lacks the articles of the page before', cut([2, 0], eight), { stalled: stalled('', at(1)) }],
])('a walk through odd pages %s', async (_, answer, expected, since = BEGINNING) => {
  expect(await walked(answer, since)).toMatchObject(expected);
});
