import { describe, expect, it } from 'vitest';
import { Copy, type KnownArticles } from '../../src/sync/copy.js';
import type { SyncArticle } from '../../src/sync/source.js';

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
