// An incremental run asks the store for its articles only if they matter.
import { beforeEach, describe, expect, it } from 'vitest';
import { type ArticleStore, type Client, InvalidRequestError, type MemoryStore, memoryStore } from '../../src/index.js';
import { articlesOf, held, Service, type Write } from './service.js';

let service: Service;
let articles: Client['articles'];
let store: MemoryStore;
/** What the store was asked for, and after how many requests. */
let asked: string[];

const write = (kind: Write['kind'], ...picks: number[]) => service.write({ kind, picks });

function watched(changes: Partial<ArticleStore> = {}): ArticleStore {
  const noted = <T>(what: string, answer: () => T) => {
    asked.push(`${what} after ${service.requests.length}`);
    return answer();
  };
  const ids = () => noted('ids', store.ids);
  const versions = () => noted('versions', () => store.versions?.() ?? []);
  return { ...store, ids, versions, ...changes };
}

beforeEach(async () => {
  service = new Service({ pageSize: 3 });
  write('create', 1, 1, 1, 1);
  articles = articlesOf(service);
  store = memoryStore();
  asked = [];
  await articles.syncTo(store);
  service.requests = [];
});

describe('a run without a cursor, or with reconcile', () => {
  it('asks before the first request', async () => {
    await articles.syncTo(watched({ loadCursor: () => null }));
    expect(asked).toEqual(['ids after 0']);
    asked = [];
    service.requests = [];
    await articles.syncTo(watched(), { reconcile: true });
    expect(asked).toEqual(['versions after 0']);
  });
});

describe('a run with a cursor', () => {
  it.each([
    ['put', () => ({})],
    ['put, side by side', () => ({ concurrency: 8 })],
    ['commit', () => ({ commit: () => true })],
  ])('does not ask if nothing went offline (%s)', async (_, changes) => {
    await articles.syncTo(watched(changes()));
    write('touch', 0, 1, 2, 3);
    write('create', 1);
    await articles.syncTo(watched(changes()));
    expect(asked).toEqual([]);
  });

  it('asks once, at the first draft, and removes what is stored', async () => {
    write('touch', 1, 2);
    service.tick();
    write('create', 1);
    service.tick();
    write('unpublish', 3);
    service.tick();
    // Was never online.
    write('create', 4);
    service.tick();
    write('unpublish', 0);
    expect(await articles.syncTo(watched())).toMatchObject({ upserted: 3, unpublished: 2 });
    expect(asked).toEqual(['ids after 2']);
    expect(held(store)).toEqual(service.online);
  });

  it('does not ask for a draft that the run has put itself', async () => {
    write('create', 1, 1, 1);
    service.beforeAnswer = () => {
      // After the first page is read, its first article goes offline.
      if (service.requests.length === 2) write('unpublish', 4);
    };
    expect(await articles.syncTo(watched())).toMatchObject({ upserted: 3, unpublished: 1 });
    expect(asked).toEqual([]);
    expect(held(store)).toEqual(service.online);
  });

  it('knows the articles of the store and those of the run, if it asks in its midst', async () => {
    // A store whose ids do not show what the run has put.
    const ids = () => [1, 2, 3, 4];
    for (let count = 0; count < 4; count++) {
      write('create', 1);
      service.tick();
    }
    service.beforeAnswer = () => {
      if (service.requests.length === 2) write('unpublish', 0);
      if (service.requests.length === 3) write('unpublish', 4);
    };
    expect(await articles.syncTo(watched({ ids }))).toMatchObject({ upserted: 4, unpublished: 2 });
    expect(held(store)).toEqual(service.online);
  });

  it.each([
    ['nothing', undefined, 'articles.syncTo: `known` must hold numeric ids.'],
    ['texts', ['1'], 'articles.sync: `known` must hold numeric ids.'],
    ['no list', {}, 'articles.sync: `known` must hold numeric ids.'],
  ])('ends before it changes anything of the page if ids are %s', async (_, ids, message) => {
    write('touch', 1);
    write('unpublish', 0);
    const cursor = await store.loadCursor();
    const before = held(store);
    const error = await articles.syncTo(watched({ ids: () => ids as never })).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.message).toContain(message);
    expect(held(store)).toEqual(before);
    expect(await store.loadCursor()).toBe(cursor);
  });
});

describe('a limited run with a cursor', () => {
  it('asks for versions at its first article', async () => {
    await articles.syncTo(watched(), { maxRequests: 5 });
    expect(asked).toEqual([]);
    service.requests = [];
    write('touch', 0);
    await articles.syncTo(watched(), { maxRequests: 5 });
    expect(asked).toEqual(['versions after 1']);
  });
});
