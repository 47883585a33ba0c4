import { describe, expect, it } from 'vitest';
import { confirmation, LIST, Service } from './helpers.js';

const BLOG = 'https://blog.example.com';
const ROUTES = [LIST, `${LIST}/1`, `${LIST}/1/related`, `${LIST}/1/confirm`];

function corsOf(response: Response): Record<string, string> {
  return Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('access-control')));
}

describe('without origins', () => {
  it.each([BLOG, 'https://www.example.com', 'null'])('lets %s read nothing across origins', async (origin) => {
    const visit = new Service().visit();
    for (const path of ROUTES) {
      for (const method of ['GET', 'OPTIONS', 'POST']) {
        expect(corsOf(await visit(path, { method, headers: { origin } })), `${method} ${path}`).toEqual({});
      }
    }
  });
});

describe('with a list of origins', () => {
  const visit = new Service().visit({ origins: [BLOG, 'http://localhost:5173/'] });

  it.each([BLOG, 'http://localhost:5173'])('names %s and varies', async (origin) => {
    const response = await visit(LIST, { headers: { origin } });
    expect(corsOf(response)).toEqual({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'Age, ETag, Retry-After, X-Multilocal-Proxy',
    });
    expect(response.headers.get('vary')).toBe('Origin');
  });

  it.each([
    'https://blog.example.com.evil.example',
    'https://evil.example',
    'http://blog.example.com',
    'https://blog.example.com:8443',
    'https://BLOG.example.com',
    'https://blog.example.com/',
    `${BLOG}, https://evil.example`,
    'null',
    '*',
    '',
  ])('gives %j no permission, but varies', async (origin) => {
    for (const path of [...ROUTES, '/elsewhere']) {
      for (const method of ['GET', 'OPTIONS']) {
        const response = await visit(path, { method, headers: { origin } });
        expect(corsOf(response), `${method} ${path}`).toEqual({});
        expect(response.headers.get('vary')).toBe('Origin');
      }
    }
  });

  it('varies where no origin was sent', async () => {
    const response = await visit(LIST);
    expect([corsOf(response), response.headers.get('vary')]).toEqual([{}, 'Origin']);
  });

  it.each(ROUTES)('responds to the preflight of %s', async (path) => {
    const headers = {
      origin: BLOG,
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': 'x-api-key, authorization',
    };
    const response = await visit(path, { method: 'OPTIONS', headers });
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(corsOf(response)).toEqual({
      'access-control-allow-origin': BLOG,
      'access-control-expose-headers': 'Age, ETag, Retry-After, X-Multilocal-Proxy',
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': '600',
    });
  });

  it('lets pages read errors too', async () => {
    for (const path of [`${LIST}/99`, `${LIST}?status=all`, '/nowhere']) {
      const response = await visit(path, { headers: { origin: BLOG } });
      expect(response.ok).toBe(false);
      expect(response.headers.get('access-control-allow-origin')).toBe(BLOG);
    }
  });

  it('gives each origin its own header for one copy', async () => {
    const service = new Service();
    const ask = service.visit({ origins: [BLOG, 'https://a.example'] });
    const named = async (origin: string) =>
      (await ask(LIST, { headers: { origin } })).headers.get('access-control-allow-origin');
    expect([await named(BLOG), await named('https://a.example'), await named('https://evil.example')]).toEqual([
      BLOG,
      'https://a.example',
      null,
    ]);
    expect(service.asked).toHaveLength(1);
  });
});

describe("with '*'", () => {
  it('lets every origin read, without credentials', async () => {
    const visit = new Service().visit({ origins: '*' });
    for (const origin of [BLOG, 'null']) {
      const response = await visit(`${LIST}/1/confirm`, confirmation({}, { origin }));
      expect(response.status).toBe(200);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
      expect(response.headers.get('vary')).toBeNull();
    }
  });
});
