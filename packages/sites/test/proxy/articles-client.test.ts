import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { ArticlesClient } from 'multilocal/articles';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ArticlesProxyOptions, articlesProxy } from '../../src/proxy/index.js';
import { article, KEY, LIST, Service } from './helpers.js';

/** A proxy behind real HTTP, as an adapter puts it there. */
async function listen(options: ArticlesProxyOptions): Promise<number> {
  const server = createServer(getRequestListener(articlesProxy(options), { overrideGlobalObjects: false }));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A client without a key, for a proxy before this service. */
async function visitors(service: Service, path = '/content') {
  const confirm = { origins: ['https://www.example.com'] };
  const port = await listen({ client: service.client(), path, confirm });
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
});

// What `curl -H 'Host: evil.example'` sends, and `curl --request-target https://evil.example/…`.
it.each([
  ['the own address', undefined, false, 200],
  ['another host', 'evil.example', false, 403],
  ['another host with a port', 'evil.example:443', false, 403],
  ['another host in the whole address', 'evil.example', true, 403],
  ['another host in the whole address, with a port', 'evil.example:443', true, 403],
])('a server without options confirms pages of itself only: %s', async (_, claimed, isWhole, status) => {
  const service = new Service();
  const port = await listen({ client: service.client({ baseUrl: 'http://127.0.0.1:4010/tenant' }) });
  const host = claimed ?? `127.0.0.1:${port}`;
  const headers = { host, origin: `https://${host}`, 'content-type': 'application/json', 'x-forwarded-proto': 'https' };
  const path = `${isWhole ? `https://${host}` : ''}${LIST}/1/confirm`;
  const received = await new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method: 'POST', headers, path }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end(JSON.stringify({ rendered_url: `http://${host}/x` }));
  });
  expect([received, service.bodies]).toEqual([status, status === 200 ? [{ rendered_url: `http://${host}/x` }] : []]);
});
