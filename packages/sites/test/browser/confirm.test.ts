import { request } from 'node:http';
import { expect, it } from 'vitest';
import { useWorld } from './element.js';

const world = useWorld();

it('a page of the server with the proxy confirms itself, with no option set', async () => {
  const { id } = world.mock.api.articles.add({});
  const { page, url } = await world.open('', { path: '/blog/levain' });
  const status = await page.evaluate(async (id) => {
    const body = JSON.stringify({ rendered_url: location.href });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`/content/api/v2/articles/${id}/confirm`, { method: 'POST', headers, body })).status;
  }, id);
  expect(status).toBe(200);
  expect(world.mock.api.articles.confirmation(id)?.rendered_url).toBe(`${url}/blog/levain`);
});

// What `curl -H 'Host: evil.example'` sends, and `curl --request-target https://evil.example/…`.
it.each([
  ['evil.example', false],
  ['evil.example:443', false],
  ['evil.example:80', false],
  ['evil.example', true],
  ['evil.example:443', true],
] as const)(
  'a visitor who claims to be at `%s` confirms nothing (whole address in the request line: %s)',
  async (host, isWhole) => {
    const { id } = world.mock.api.articles.add({});
    const { url } = await world.open('');
    for (const rendered_url of [`https://${host}/x`, `http://${host}/x`]) {
      const status = await new Promise((resolve, reject) => {
        const headers = {
          host,
          origin: `https://${host}`,
          'content-type': 'application/json',
          'x-forwarded-proto': 'https',
        };
        const path = `/content/api/v2/articles/${id}/confirm`;
        const sent = request(
          url,
          { method: 'POST', headers, path: isWhole ? `https://${host}${path}` : path },
          (response) => {
            response.resume();
            resolve(response.statusCode);
          },
        );
        sent.on('error', reject).end(JSON.stringify({ rendered_url }));
      });
      expect(status).toBe(403);
    }
    expect(world.mock.api.articles.confirmation(id)).toBeUndefined();
  },
);
