import { describe, expect, it } from 'vitest';
import { confirmation, LIST, Service } from './helpers.js';

const BLOG = 'https://blog.example.com';
const LOCAL = 'http://localhost:5173';
const ROUTES = [LIST, `${LIST}/1`, `${LIST}/1/related`, `${LIST}/1/confirm`, '/elsewhere'];
const EXPOSED = { 'access-control-expose-headers': 'Age, ETag, Retry-After, X-Multilocal-Proxy' };

function corsOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control') || name === 'vary'));
}

describe('origins', () => {
  it.each([
    [undefined, [BLOG, 'https://www.example.com', 'null']],
    [
      [BLOG, `${LOCAL}/`],
      [`${BLOG}.evil.example`, 'https://evil.example', 'http://blog.example.com', `${BLOG}:8443`, `${BLOG}/`],
    ],
    [[BLOG], ['https://BLOG.example.com', `${BLOG}, https://evil.example`, 'null', '*', '']],
  ])('%j: nothing can be read by %j, and caches keep the responses apart', async (origins, others) => {
    const visit = new Service().visit({ origins });
    for (const origin of others) {
      for (const path of ROUTES) {
        for (const method of ['GET', 'OPTIONS', 'POST']) {
          const response = await visit(path, { method, headers: { origin } });
          expect(corsOf(response), `${method} ${path} ${origin}`).toEqual({ vary: 'Origin' });
        }
      }
    }
    expect(corsOf(await visit(LIST))).toEqual({ vary: 'Origin' });
  });

  it('in the list are named, each in its own response, also in errors', async () => {
    const service = new Service();
    const visit = service.visit({ origins: [BLOG, `${LOCAL}/`] });
    for (const origin of [BLOG, LOCAL]) {
      const named = { 'access-control-allow-origin': origin, ...EXPOSED, vary: 'Origin' };
      for (const path of [LIST, `${LIST}/99`, `${LIST}?status=all`, '/nowhere']) {
        expect(corsOf(await visit(path, { headers: { origin } })), path).toEqual(named);
      }
    }
    expect(service.asked).toHaveLength(1);
  });

  it("'*' lets every origin read, without credentials", async () => {
    const visit = new Service().visit({ origins: '*' });
    for (const origin of [BLOG, 'null']) {
      const response = await visit(`${LIST}/1/confirm`, confirmation({}, { origin }));
      expect([response.status, corsOf(response)]).toEqual([200, { 'access-control-allow-origin': '*', ...EXPOSED }]);
    }
  });
});

it.each(ROUTES.slice(0, 4))(
  'the preflight of %s permits what the proxy takes, whatever a page asks for',
  async (path) => {
    const headers = {
      origin: BLOG,
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': 'x-api-key, authorization',
    };
    const response = await new Service().visit({ origins: [BLOG] })(path, { method: 'OPTIONS', headers });
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(corsOf(response)).toEqual({
      'access-control-allow-origin': BLOG,
      ...EXPOSED,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': '600',
      vary: 'Origin',
    });
  },
);
