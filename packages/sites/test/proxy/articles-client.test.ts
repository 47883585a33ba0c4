import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { ArticlesClient, NotFoundError, PermissionDeniedError, ServiceUnavailableError } from 'multilocal/articles';
import { afterEach, describe, expect, it } from 'vitest';
import { articlesProxy } from '../../src/proxy/index.js';
import { article, json, KEY, Service } from './helpers.js';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A client without a key, and a proxy behind real HTTP, as an adapter would put it there. */
async function visitors(service: Service, path = '/content') {
  const handler = articlesProxy({ client: service.client(), path, confirm: { origins: ['https://www.example.com'] } });
  const server = createServer(getRequestListener(handler, { overrideGlobalObjects: false }));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return new ArticlesClient({ baseUrl: `http://127.0.0.1:${port}${path}`, maxRetries: 0 });
}

describe('an ArticlesClient without a key', () => {
  it.each(['/content', '/content/', ''])('lists, gets and confirms through a proxy at %j', async (path) => {
    const service = new Service();
    const articles = await visitors(service, path);
    const list = await articles.list({ status: 'published', bulle_id: 'b-lyon' });
    expect(list.articles.map(({ id }) => id)).toEqual([3, 2, 1]);
    expect(await articles.get(2)).toEqual(article(2));
    const confirmed = await articles.confirm(2, { rendered_url: 'https://www.example.com/blog/2' });
    expect(confirmed).toMatchObject({ article_id: 2, confirmation_source: 'pingback' });
    expect((await articles.confirm(3)).article_id).toBe(3);
    expect(service.requests.every((request) => request.headers.get('x-api-key') === KEY)).toBe(true);
  });

  it('iterates all changes, over pages and equal timestamps', async () => {
    const service = new Service();
    const same = '2026-03-01T00:00:00.5+00:00';
    service.pageSize = 3;
    service.articles = [
      ...[1, 2, 3, 4].map((id) => article(id)),
      ...[11, 12, 13, 14, 15].map((id) => article(id, { updated_at: same })),
      article(20, { updated_at: '2026-04-01T00:00:00+00:00' }),
      article(21, { status: 'draft', updated_at: '2026-04-02T00:00:00+00:00' }),
    ];
    const articles = await visitors(service);
    const seen: number[] = [];
    for await (const { id } of articles.changes()) seen.push(id);
    expect(seen.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 11, 12, 13, 14, 15, 20]);

    const later: number[] = [];
    for await (const { id } of articles.changes({ since: same })) later.push(id);
    expect(later).toEqual([20]);
  });

  it('is told clearly that it cannot see drafts', async () => {
    const service = new Service();
    const articles = await visitors(service);
    await expect(articles.list({ status: 'draft' })).rejects.toSatisfy(
      (error) => error instanceof PermissionDeniedError && error.detail.includes('Only published articles'),
    );
    await expect(articles.get(4)).rejects.toBeInstanceOf(NotFoundError);
    await expect(articles.get(99)).rejects.toBeInstanceOf(NotFoundError);
  });

  it('gets the time of a retry', async () => {
    const service = new Service();
    service.reply = () => json(429, {}, { 'retry-after': '90' });
    const articles = await visitors(service);
    await expect(articles.list()).rejects.toSatisfy(
      (error) => error instanceof ServiceUnavailableError && error.retryAfter === 90_000,
    );
  });
});
