import type { Article, ArticleStore, StorePage } from 'multilocal';
import type { Promisable } from 'type-fest';

/** Number of articles in the test of a large store. */
const MANY = 10_000;

const FIRST = '2026-01-01T00:00:00.000001+00:00';
const SECOND = '2026-01-01T00:00:00.000002Z';

/**
 * Tests whether a store behaves as `articles.syncTo` needs it: empty start, replacing and removing, cursors that come
 * back unchanged, numeric ids, repeated calls, 10 000 articles, and `all`, `versions`, `loadState`, `loadListing`,
 * `commit` and `lease`, if the store has them. Needs no test framework. A store on a disk may take some seconds.
 * @param make Returns an empty store, or a promise of one. Called several times.
 * @throws an `Error` at the first difference, which says what was expected.
 * @example
 * it('is an article store', () => testArticleStore(() => myStore(emptyTable())));
 */
export async function testArticleStore(make: () => Promisable<ArticleStore>): Promise<void> {
  const tests = [testBasics, testTexts, testState, testListing, testCommit, testHalfCommit, testRace];
  for (const test of [...tests, testLease, testMany]) await test(await make());
}

const article = (id: number, changes: Partial<Article> & { newer_field?: unknown } = {}): Article => ({
  id,
  title: `Article ${id}`,
  status: 'published',
  slug: `article-${id}`,
  content_html: '<p>Text</p>',
  created_at: FIRST,
  updated_at: FIRST,
  ...changes,
});

const page = (changes: Partial<StorePage<Article>>): StorePage<Article> => {
  return { upserts: [], removals: [], cursor: FIRST, previous: null, ...changes };
};

function fail(problem: string): never {
  throw new Error(`testArticleStore: ${problem}`);
}

function expectSame(actual: unknown, expected: unknown, what: string): void {
  const [is, be] = [print(actual), print(expected)];
  if (is !== be) fail(`${what}: expected ${shortened(be)}, got ${shortened(is)}`);
}

const print = (value: unknown): string =>
  JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner)) ?? String(value);

const shortened = (text: string): string =>
  text.length > 200 ? `${text.slice(0, 200)} … (${text.length} characters)` : text;

type Items<Item> = Iterable<Item> | AsyncIterable<Item>;

async function collect<Item>(given: Promisable<Items<Item>> | undefined): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of (await given) ?? []) items.push(item);
  return items;
}

/** The stored ids in ascending order. */
async function idsOf(store: ArticleStore): Promise<number[]> {
  const given = await store.ids();
  if (!given) fail('`ids` must return an iterable, also for an empty store');
  const ids = await collect(given);
  const wrong: unknown = ids.find((id) => typeof id !== 'number');
  if (wrong !== undefined) fail(`\`ids\` must return numbers, got a ${typeof wrong}: convert the ids with Number(id)`);
  return ids.sort((a, b) => a - b);
}

async function versionsOf(store: ArticleStore) {
  const versions = await collect(store.versions?.());
  if (!versions.every(Array.isArray)) fail('`versions` must return pairs of an id and its `updated_at`');
  return versions.sort(([a], [b]) => a - b);
}

const allOf = async (store: ArticleStore): Promise<Article[]> =>
  (await collect(store.all?.())).sort((a, b) => a.id - b.id);

/** Compares the cursor and the ids with what a store should hold. */
async function expectContent(store: ArticleStore, cursor: string | null, ids: number[], when: string): Promise<void> {
  expectSame(await store.loadCursor(), cursor, `\`loadCursor\` ${when}`);
  expectSame(await idsOf(store), ids, `\`ids\` ${when}`);
}

/** Compares what `versions` and `all` return, if the store has them. */
async function expectReads(store: ArticleStore, articles: Article[], when: string): Promise<void> {
  const versions = articles.map(({ id, updated_at }) => [id, updated_at]);
  if (store.versions) expectSame(await versionsOf(store), versions, `\`versions\` ${when}`);
  if (store.all) expectSame(await allOf(store), articles, `\`all\` ${when}`);
}

async function testBasics(store: ArticleStore): Promise<void> {
  await expectContent(store, null, [], 'of an empty store');
  for (const one of [article(2), article(1), article(2, { title: 'New title', updated_at: SECOND })])
    await store.put(one);
  await expectContent(store, null, [1, 2], 'after `put` of 2, 1 and 2 again');
  for (const id of [2, 2, 77]) await store.remove(id);
  await expectContent(store, null, [1], 'after `remove` of 2, 2 again and an id that is not stored');
  for (const cursor of [FIRST, SECOND, '2026-01-01 00:00:00.123456789 +02:00']) {
    await store.saveCursor(cursor);
    await expectContent(store, cursor, [1], 'after `saveCursor`, which must keep the text unchanged');
  }
}

async function testTexts(store: ArticleStore): Promise<void> {
  await expectReads(store, [], 'of an empty store');
  const texts = [`'"\\;-- %_$1 ?`, 'é 🥖 \u2028', 'null \u0000 null', 'half \ud800', '', 'x'.repeat(20_000)];
  const unusual = texts.map((text, id) =>
    article(id, {
      title: text,
      slug: text,
      content_html: text,
      category: null,
      newer_field: { list: [text, 1.5, null] },
    }),
  );
  const articles = [article(-3), ...unusual, article(Number.MAX_SAFE_INTEGER)];
  const ids = articles.map(({ id }) => id);
  const old = article(2, { title: 'Old title', updated_at: SECOND });
  for (const one of [article(77), old, ...articles]) await store.put(one);
  await store.remove(77);
  await expectContent(store, null, ids, 'after `put` of articles with quotes, unknown fields and unusual characters');
  await expectReads(store, articles, 'must return each article as it was put last');
  for (const id of ids) await store.remove(id);
  await expectContent(store, null, [], 'after `remove` of all articles');
}

const testState = (store: ArticleStore): Promise<void> => {
  const first = { refreshedAt: null, reconciledAt: FIRST, version: "l'été" };
  return testPair(store, 'State', [first, { refreshedAt: SECOND, reconciledAt: null, version: '' }]);
};

const testListing = (store: ArticleStore): Promise<void> => {
  const first = { bulle_id: null, isFirst: true, position: FIRST, ids: [1, 2], missing: null, savedAt: SECOND };
  const ids = Array.from({ length: MANY }, (_, index) => index);
  const other = { bulle_id: "l'été", isFirst: false, position: SECOND, ids, missing: [3], savedAt: FIRST };
  return testPair(store, 'Listing', [first, other, null, null]);
};

/** `load` of a kind must return what `save` was given last, and only that changes. */
async function testPair(store: ArticleStore, kind: 'State' | 'Listing', values: readonly (object | null)[]) {
  const [load, save] = [`load${kind}`, `save${kind}`] as const;
  const methods = Object(store) as Partial<Record<string, (value?: object | null) => unknown>>;
  if (!methods[load] !== !methods[save]) fail(`\`${load}\` and \`${save}\` need each other`);
  if (!methods[load]) return;
  const expectLoaded = async (value: object | null, when: string) => {
    const loaded = await methods[load]?.();
    // A store may keep more than it was given, in another order.
    const given = Object.keys(Object(value)).map((name) => [name, Object(loaded)[name]]);
    expectSame(value && loaded ? Object.fromEntries(given) : loaded, value, `\`${load}\` ${when}`);
  };
  await expectLoaded(null, 'of an empty store');
  for (const value of values) {
    await methods[save]?.(value);
    await expectLoaded(value, `after \`${save}\``);
    await expectContent(store, null, [], `after \`${save}\`, which must change nothing else`);
  }
  await store.saveCursor(FIRST);
  await expectLoaded(values.at(-1) ?? null, 'after `saveCursor`');
}

async function testMany(store: ArticleStore): Promise<void> {
  const articles = Array.from({ length: MANY }, (_, index) => article(index + 1));
  if (store.commit) {
    expectSame(await store.commit(page({ upserts: articles })), true, `\`commit\` of ${MANY} articles`);
  } else {
    for (const one of articles) await store.put(one);
  }
  const ids = await idsOf(store);
  expectSame([ids.length, ids[0], ids.at(-1)], [MANY, 1, MANY], `\`ids\` after ${MANY} articles: count, first, last`);
  if (store.all) expectSame((await allOf(store)).length, MANY, `number of articles of \`all\` after ${MANY} articles`);
  if (store.versions)
    expectSame((await versionsOf(store)).length, MANY, `number of \`versions\` after ${MANY} articles`);
  if (!store.commit) return;
  const removal = page({ removals: ids.slice(1), cursor: SECOND, previous: FIRST });
  expectSame(await store.commit(removal), true, `\`commit\` of ${MANY - 1} removals`);
  await expectContent(store, SECOND, [1], `after \`commit\` of ${MANY - 1} removals`);
}

const CHANGED = article(2, { updated_at: SECOND });

/** Pages that must be stored, with the ids after each of them. */
const PAGES: readonly (readonly [what: string, changes: Partial<StorePage<Article>>, ids: number[]])[] = [
  // As in a complete listing, whose pages do not move the cursor.
  ['of a page without a cursor', { upserts: [article(1)], cursor: null }, [1]],
  ['of the first cursor', { upserts: [article(2), article(3)], removals: [9] }, [1, 2, 3]],
  ['of a new version and a removal', { upserts: [CHANGED], removals: [1], cursor: SECOND, previous: FIRST }, [2, 3]],
  ['with the cursor that is stored', { removals: [3, 8], cursor: SECOND, previous: SECOND }, [2]],
  ['of a page without changes', { previous: SECOND }, [2]],
];

async function testCommit(store: ArticleStore): Promise<void> {
  if (!store.commit) return;
  for (const [what, changes, ids] of PAGES) {
    const stored = page(changes);
    expectSame(await store.commit(stored), true, `\`commit\` ${what}`);
    await expectContent(store, stored.cursor, ids, `after \`commit\` ${what}`);
  }
  await expectReads(store, [CHANGED], 'after `commit`');
  const stale = { upserts: [article(2), article(5)], removals: [2], cursor: SECOND };
  for (const previous of [null, SECOND, '']) {
    const isDone = await store.commit(page({ ...stale, previous }));
    expectSame(isDone, false, '`commit` of a page whose `previous` is not the stored cursor');
    await expectContent(store, FIRST, [2], 'after a refused `commit`, which must change nothing');
    await expectReads(store, [CHANGED], 'after a refused `commit`, which must change nothing');
  }
}

/** An article that cannot be written fails in the middle of a page. */
async function testHalfCommit(store: ArticleStore): Promise<void> {
  if (!store.commit) return;
  await store.commit(page({ upserts: [article(1), article(2)] }));
  const toJSON = () => {
    throw new Error('cannot be written');
  };
  const upserts = [article(3), { ...article(4), toJSON }];
  const commit = async () => store.commit?.(page({ upserts, removals: [1], cursor: SECOND, previous: FIRST }));
  const isStored = await commit().catch(() => false);
  // A store that writes no JSON stores it.
  if (isStored) await expectContent(store, SECOND, [2, 3, 4], 'after `commit` returned true');
  else await expectContent(store, FIRST, [1, 2], 'after a failed `commit`, which must change nothing');
}

/** Of two runs that commit at the same time, one wins. */
async function testRace(store: ArticleStore): Promise<void> {
  if (!store.commit) return;
  const pages = [1, 2, 3, 4].map((id) => page({ upserts: [article(id)], cursor: `${FIRST} ${id}` }));
  const results = await Promise.all(pages.map(async (one) => store.commit?.(one)));
  const winners = pages.filter((_, index) => results[index] === true);
  expectSame(winners.length, 1, 'number of successes among four commits at the same time with the same `previous`');
  const [won] = winners;
  const ids = won?.upserts.map(({ id }) => id) ?? [];
  await expectContent(store, won?.cursor ?? null, ids, 'after four commits at the same time');
}

async function testLease(store: ArticleStore): Promise<void> {
  if (!store.lease) return;
  const end = await store.lease();
  if (!end) fail('`lease` must reserve a store that no run has reserved');
  expectSame(await store.lease(), null, '`lease` while another run has the store');
  if (store.commit) expectSame(await store.commit(page({})), true, '`commit` must not depend on `lease`');
  await end();
  await end();
  const next = await store.lease();
  if (!next) fail('`lease` must reserve the store again after the reservation has ended');
  await end();
  expectSame(await store.lease(), null, '`lease` after an old reservation was ended again');
  await next();
}
