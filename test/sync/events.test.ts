import { describe, expect, it } from 'vitest';
import type { Article, ArticleList, SyncEvent, SyncOptions } from '../../src/index.js';
import { Copy, type KnownArticles } from '../../src/sync/copy.js';
import { syncEvents } from '../../src/sync/events.js';
import type { SyncArticle, SyncSource } from '../../src/sync/source.js';
import { BEGINNING } from '../../src/sync/walk.js';

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000000+00:00`;
const published = (id: number, second: number): Article => {
  return { id, title: 'T', status: 'published', created_at: at(0), updated_at: at(second) };
};
const draft = (id: number, second: number): Article => ({ ...published(id, second), status: 'draft' });

function run(articles: Article[], options: SyncOptions = {}, pageSize = 2) {
  const requests: string[] = [];
  const list: Source['list'] = async ({ updated_since, offset }) => {
    requests.push(updated_since);
    const later = articles.filter(({ updated_at }) => updated_at > updated_since);
    return { articles: later.slice(offset, offset + pageSize), total: later.length, limit: pageSize, offset };
  };
  return { events: syncEvents(source(list), options), requests };
}

type Source = SyncSource<Article>;

/** A source of this list, on which no other article exists. */
function source(list: Source['list']): Source {
  return { list, get: async () => 'missing', bulle_id: undefined, announce: () => {}, mask: (text) => text };
}

async function told(events: AsyncIterable<SyncEvent>): Promise<string[]> {
  const lines: string[] = [];
  for await (const event of events) {
    lines.push(
      `${event.type} ${event.type === 'checkpoint' ? event.cursor : 'article' in event ? event.article.id : event.id}`,
    );
  }
  return lines;
}

describe('sync events', () => {
  const range = (count: number, first = 1) => Array.from({ length: count }, (_, index) => first + index);
  /** Published articles with these ids, each of the second of its id. */
  const all = (...ids: number[]) => ids.map((id) => published(id, id));
  const half = range(6).map((second) => published(second + 99, second));
  const lines = (type: string, ...ids: number[]) => ids.map((id) => `${type} ${id}`);
  const end = (second: number) => `checkpoint ${at(second)}`;
  const [one, two] = all(1, 2) as [Article, Article];
  const three = all(1, 2, 3);
  const mixed = [one, two, draft(3, 3), published(4, 4), published(5, 9)];
  const eleven = range(11, 100);
  const after5 = { cursor: at(5), reconcile: true };
  async function* seven() {
    yield 7;
  }

  it.each<[title: string, articles: Article[], options: SyncOptions, events: string[], pageSize?: number]>([
    ['follow a page with a checkpoint', three, {}, ['upsert 1', 'upsert 2', end(1), 'upsert 3', end(2), end(3)]],
    ['ignore drafts without `known` and cursor', [draft(1, 1), two], {}, ['upsert 2', end(2)], 3],
    ['unpublish every draft without `known`', [one, draft(2, 2)], { cursor: at(1) }, ['unpublish 2', end(2)]],
    ['unpublish known drafts', [draft(2, 2), draft(3, 3)], { cursor: at(1), known: [3] }, ['unpublish 3', end(3)], 3],
    ['delete what is not listed', three, { known: [1, 7] }, [...lines('upsert', 1, 2, 3), 'delete 7', end(3)]],
    ['do not look for deletions with a cursor', [one], { cursor: at(1), known: [1, 7] }, [end(1)]],
    [
      'reconcile: only changed and missed articles, known drafts and deletions',
      mixed,
      { ...after5, known: [1, 3, 4, 8] },
      ['upsert 2', 'unpublish 3', 'upsert 5', 'delete 8', end(9)],
      3,
    ],
    ['keep the cursor if the newest was deleted', [one], { ...after5, known: [1, 2] }, ['delete 2', end(5)]],
    ['reconcile without `known`: changes since the cursor', [one, published(2, 6)], after5, ['upsert 2', end(6)]],
    ['accept an async iterable of known ids', [one], { known: seven() }, ['upsert 1', 'delete 7', end(1)]],
    ['yield no checkpoint without an article and a cursor', [], { known: [4] }, ['delete 4']],
    ['yield nothing without anything', [], {}, []],
    ['delete many if that is allowed', [], { known: eleven, allowMassDeletion: true }, lines('delete', ...eleven)],
    ['delete up to ten', [], { known: eleven.slice(1) }, lines('delete', ...eleven.slice(1))],
    [
      'delete up to half',
      half,
      { known: range(12, 100) },
      [...lines('upsert', ...range(6, 100)), ...lines('delete', ...range(6, 106)), end(6)],
      9,
    ],
  ])('%s', async (_, articles, options, expected, pageSize) => {
    expect(await told(run(articles, options, pageSize).events)).toEqual(expected);
  });

  it.each<[string, Article[], SyncOptions, first: string, count: number]>([
    ['one page if nothing is new', [one], { cursor: at(1), known: [1, 7] }, at(1), 1],
    ['everything with an empty cursor', [one], { cursor: '' }, BEGINNING, 1],
    // The second page is full, so a third one has to show that it was the last.
    ['everything to reconcile', all(1, 2, 3, 4, 5), { ...after5, known: [1] }, BEGINNING, 3],
  ])('request %s', async (_, articles, options, first, count) => {
    const { events, requests } = run(articles, options, 3);
    await told(events);
    expect([requests[0], requests.length]).toEqual([first, count]);
  });

  it('unpublish a draft that this run yielded as published before', async () => {
    const pages = [[one, two], [two, draft(1, 3)], [draft(1, 3)]];
    const ask = async (): Promise<ArticleList> => {
      const articles = pages.shift() ?? [];
      return { articles, total: 3, limit: 2, offset: 0 };
    };
    expect(await told(syncEvents(source(ask), {}))).toContain('unpublish 1');
  });

  it('include the article in an unpublish event', async () => {
    const { events } = run([draft(2, 2)], { cursor: at(1) });
    expect((await events.next()).value).toEqual({ type: 'unpublish', id: 2, article: draft(2, 2) });
  });

  it('report no deletion if more than half of more than ten known ids are missing', async () => {
    const { events } = run([one], { known: eleven });
    await expect(told(events)).rejects.toMatchObject({ code: 'mass_deletion', missing: 11, known: 11 });
  });

  it('delete nothing if the listing fails on its second page', async () => {
    let asked = 0;
    const ask = async (): Promise<ArticleList> => {
      if (asked++ > 0) throw new Error('broken');
      return { articles: [one, two], total: 3, limit: 2, offset: 0 };
    };
    const seen: string[] = [];
    await expect(
      (async () => {
        for await (const event of syncEvents(source(ask), { known: [50] })) seen.push(event.type);
      })(),
    ).rejects.toThrow('broken');
    expect(seen).toEqual(['upsert', 'upsert']);
  });
});

describe('the copy of a run', () => {
  const at = (second: number) => `2026-01-01T00:00:0${second}Z`;
  const article = (id: number, second: number, bulle_id: string | null = null): SyncArticle => {
    return { id, status: 'published', updated_at: at(second), bulle_id };
  };

  async function copyOf({ cursor, bulle_id, known }: { cursor?: string; bulle_id?: string; known?: KnownArticles }) {
    const copy = new Copy<SyncArticle>(cursor, bulle_id);
    if (known) await copy.fill(known);
    return copy;
  }

  const typesOf = (changes: Iterable<{ type: string }>) => Array.from(changes, ({ type }) => type);

  describe('what a copy knows', () => {
    it.each([['1'], [1.5], [null]])('holds no id such as %j', async (id) => {
      const failed = copyOf({ known: [id as number] });
      await expect(failed).rejects.toMatchObject({ code: 'invalid_request', operation: 'articles.sync' });
    });

    it.each([
      [undefined, ['upsert']],
      [at(5), []],
    ])('holds versions; with the cursor %s, an article of the same version yields %j', async (cursor, expected) => {
      const copy = await copyOf({ ...(cursor && { cursor }), known: [[1, at(1)]] });
      expect(typesOf(copy.changes([article(1, 1)], 'listing'))).toEqual(expected);
    });

    it('loses an article that is deleted', async () => {
      const copy = await copyOf({ known: [1, 2] });
      expect(copy.delete(1)).toEqual({ type: 'delete', id: 1 });
      expect({ size: copy.size, ids: copy.ids, has: [copy.has(1), copy.has(2)] }).toEqual({
        size: 1,
        ids: [2],
        has: [false, true],
      });
    });
  });

  describe('a published article that a listing of one location does not show', () => {
    it.each([
      ['in another location', 'lyon', 'lyon', 'paris', 'unpublish'],
      ['in the same location', 'lyon', 'lyon', 'lyon', 'upsert'],
      ['in a location that the service writes in another way', 'LYON', 'lyon', 'lyon', 'upsert'],
      ['in a location that is not told', 'lyon', 'lyon', null, 'upsert'],
      ['where no listed article tells its location', 'lyon', null, 'paris', 'upsert'],
      ['where all locations are listed', undefined, 'lyon', 'paris', 'upsert'],
    ])('%s', async (_, bulle_id, listed, found, expected) => {
      const copy = await copyOf({ cursor: at(0), ...(bulle_id && { bulle_id }), known: [1, 2] });
      expect(typesOf(copy.changes([article(1, 1, listed)], 'listing'))).toEqual(['upsert']);
      expect(typesOf(copy.changes([article(2, 1, found)], 'request'))).toEqual([expected]);
    });

    it('where the listing shows nothing', async () => {
      const copy = await copyOf({ cursor: at(0), bulle_id: 'lyon', known: [2] });
      expect(typesOf(copy.changes([article(2, 1, 'paris')], 'request'))).toEqual(['upsert']);
    });
  });
});
