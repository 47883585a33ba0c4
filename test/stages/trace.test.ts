import { describe, expect, it } from 'vitest';
import { isRepeatable } from '../../src/core/call.js';

import { Client, memoryStore } from '../../src/index.js';
import { endpoints } from '../../src/resources/index.js';

const client = (fetch: typeof globalThis.fetch) =>
  new Client({ apiKey: 'test-key', baseUrl: 'https://service.test', fetch, maxRetries: 0 });
const failing = client(async () => Response.json({ detail: 'Panne' }, { status: 503 }));
const broken = client(async () => {
  throw new TypeError('fetch failed');
});

describe('an error whose outcome is unknown', () => {
  it('knows for every costly write where its trace shows', () => {
    for (const endpoint of endpoints) expect(Boolean(endpoint.trace), endpoint.operation).toBe(!isRepeatable(endpoint));
  });

  it.each([
    ['a 503', failing],
    ['a broken connection', broken],
  ])('names the read that shows the result of %s', async (_, each) => {
    const error = await each.articles.publish(42).catch((thrown) => thrown);
    expect(error.outcome).toBe('unknown');
    expect(error.message).toContain('If it happened, `articles.get(id)` shows the status `published`');
  });

  it('says that a harmless write can be called again', async () => {
    const error = await failing.articles.confirm(42).catch((thrown) => thrown);
    expect(error.message).toContain('You can call it again.');
  });

  it('says to check before a second call of a route that the client does not know', async () => {
    const error = await failing.request<Error>({ method: 'POST', path: '/new' }).catch((thrown) => thrown as Error);
    expect(error.message).toContain('Check this before you call it again.');
  });

  it('says nothing of it after a read', async () => {
    const error = await failing.articles.get(42).catch((thrown) => thrown);
    expect(error.message).not.toContain('carried out');
  });
});

describe('a limiter of the caller’s own', () => {
  it('that fails ends the call with its error: nothing is sent or retried', async () => {
    let asked = 0;
    let sent = 0;
    const acquire = async () => {
      asked++;
      throw new RangeError('no room');
    };
    const fetch = async () => {
      sent++;
      return Response.json({});
    };
    const own = new Client({ apiKey: 'k', baseUrl: 'https://service.test', fetch, rateLimit: { acquire } });
    await expect(own.articles.get(1)).rejects.toThrow(new RangeError('no room'));
    expect([asked, sent]).toEqual([1, 0]);
  });
});

describe('an error on the third page', () => {
  it('is thrown, and a run from the last checkpoint continues without a gap', async () => {
    const at = (id: number) => `2026-01-01T00:00:${String(id).padStart(2, '0')}.000000+00:00`;
    const rows = Array.from({ length: 10 }, (_, index) => {
      return { id: index + 1, title: 'T', status: 'published', created_at: at(0), updated_at: at(index + 1) };
    });
    let requests = 0;
    const service = client(async (input) => {
      if (++requests === 3) return Response.json({}, { status: 500 });
      const since = new URL(String(input)).searchParams.get('updated_since') as string;
      const later = rows.filter(({ updated_at }) => updated_at > since);
      return Response.json({ articles: later.slice(0, 3), total: later.length, limit: 3, offset: 0 });
    });
    const store = memoryStore();
    await expect(service.articles.syncTo(store)).rejects.toMatchObject({ code: 'internal_server_error' });
    expect(store.articles.size).toBe(5);
    await service.articles.syncTo(store);
    expect([...store.articles.keys()]).toEqual(rows.map(({ id }) => id));
  });
});
