import { describe, expect, it } from 'vitest';
import type { Article, ArticleList, SyncEvent, SyncOptions } from '../../src/index.js';
import { syncEvents } from '../../src/sync/events.js';
import type { SyncSource } from '../../src/sync/source.js';

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
  it('follow each page with a checkpoint whose articles are complete', async () => {
    const { events } = run([published(1, 1), published(2, 2), published(3, 3)]);
    expect(await told(events)).toEqual([
      'upsert 1',
      'upsert 2',
      `checkpoint ${at(1)}`,
      'upsert 3',
      `checkpoint ${at(2)}`,
      `checkpoint ${at(3)}`,
    ]);
  });

  it('ignore drafts if neither `known` nor a cursor is given', async () => {
    const { events } = run([draft(1, 1), published(2, 2)], {}, 3);
    expect(await told(events)).toEqual(['upsert 2', `checkpoint ${at(2)}`]);
  });

  it('unpublish every draft if a cursor but no `known` is given', async () => {
    const { events } = run([published(1, 1), draft(2, 2)], { cursor: at(1) });
    expect(await told(events)).toEqual(['unpublish 2', `checkpoint ${at(2)}`]);
  });

  it('unpublish only known drafts if `known` is given', async () => {
    const { events } = run([draft(2, 2), draft(3, 3)], { cursor: at(1), known: [3] }, 3);
    expect(await told(events)).toEqual(['unpublish 3', `checkpoint ${at(3)}`]);
  });

  it('unpublish a draft that this run yielded as published before', async () => {
    const pages = [[published(1, 1), published(2, 2)], [published(2, 2), draft(1, 3)], [draft(1, 3)]];
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

  it('delete known articles that are not listed, after the listing and before the checkpoint', async () => {
    const { events } = run([published(1, 1), published(2, 2), published(3, 3)], { known: [1, 7] });
    expect(await told(events)).toEqual(['upsert 1', 'upsert 2', 'upsert 3', 'delete 7', `checkpoint ${at(3)}`]);
  });

  it('do not look for deletions with a cursor, and request one page if nothing is new', async () => {
    const { events, requests } = run([published(1, 1)], { cursor: at(1), known: [1, 7] });
    expect(await told(events)).toEqual([`checkpoint ${at(1)}`]);
    expect(requests).toEqual([at(1)]);
  });

  it('reconcile: list everything; yield only changed and missed articles, known drafts and deletions', async () => {
    const articles = [published(1, 1), published(2, 2), draft(3, 3), published(4, 4), published(5, 9)];
    const { events, requests } = run(articles, { cursor: at(5), known: [1, 3, 4, 8], reconcile: true }, 3);
    expect(await told(events)).toEqual(['upsert 2', 'unpublish 3', 'upsert 5', 'delete 8', `checkpoint ${at(9)}`]);
    // The second page is full, so a third one has to show that it was the last.
    expect(requests).toHaveLength(3);
  });

  it('keep the cursor if the newest article was deleted', async () => {
    const { events } = run([published(1, 1)], { cursor: at(5), known: [1, 2], reconcile: true });
    expect(await told(events)).toEqual(['delete 2', `checkpoint ${at(5)}`]);
  });

  it('reconcile without `known`: yield only changes since the cursor', async () => {
    const { events } = run([published(1, 1), published(2, 6)], { cursor: at(5), reconcile: true });
    expect(await told(events)).toEqual(['upsert 2', `checkpoint ${at(6)}`]);
  });

  it('accept an async iterable of known ids', async () => {
    async function* ids() {
      yield 7;
    }
    const { events } = run([published(1, 1)], { known: ids() });
    expect(await told(events)).toContain('delete 7');
  });

  it('report no deletion if more than half of more than ten known ids are missing', async () => {
    const known = Array.from({ length: 11 }, (_, id) => id + 100);
    const { events } = run([published(1, 1)], { known });
    await expect(told(events)).rejects.toMatchObject({ code: 'mass_deletion', missing: 11, known: 11 });
  });

  it('report them if allowed, and if at most half or at most ten ids are missing', async () => {
    const eleven = Array.from({ length: 11 }, (_, id) => id + 100);
    const deletions = async (options: SyncOptions, articles: Article[] = []) => {
      return (await told(run(articles, options).events)).filter((line) => line.startsWith('delete')).length;
    };
    expect(await deletions({ known: eleven, allowMassDeletion: true })).toBe(11);
    expect(await deletions({ known: eleven.slice(1) })).toBe(10);
    const half = Array.from({ length: 6 }, (_, id) => published(id + 100, id + 1));
    expect(await deletions({ known: [...eleven, 111] }, half)).toBe(6);
  });

  it('delete nothing if the listing fails on its second page', async () => {
    let asked = 0;
    const ask = async (): Promise<ArticleList> => {
      if (asked++ > 0) throw new Error('broken');
      return { articles: [published(1, 1), published(2, 2)], total: 3, limit: 2, offset: 0 };
    };
    const seen: string[] = [];
    await expect(
      (async () => {
        for await (const event of syncEvents(source(ask), { known: [50] })) seen.push(event.type);
      })(),
    ).rejects.toThrow('broken');
    expect(seen).toEqual(['upsert', 'upsert']);
  });

  it('yield no checkpoint without an article and a cursor', async () => {
    expect(await told(run([], { known: [4] }).events)).toEqual(['delete 4']);
    expect(await told(run([]).events)).toEqual([]);
  });
});
