import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createMockApi } from '../src/index.js';

const api = createMockApi({ baseUrl: 'https://api.example.test:8443/a.b/api/v2' });
const refuse = () => {
  throw new Error('no handler');
};
const server = setupServer(...api.handlers);
beforeAll(() => server.listen({ onUnhandledRequest: refuse }));
afterEach(() => api.reset());
afterAll(() => server.close());

const headers = { 'x-api-key': api.keys.sphere };

describe('as MSW handlers', () => {
  test('respond to fetch', async () => {
    const response = await fetch(`${api.baseUrl}/api/v2/articles?limit=2&updated_since=2020-01-01`, { headers });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ limit: 2, total: 225 });
    expect(api.requests).toMatchObject([{ operation: 'articles.list', query: { limit: '2' } }]);
  });

  test('unknown routes below the base URL get a response and are not passed through', async () => {
    expect((await fetch(`${api.baseUrl}/elsewhere`, { headers })).status).toBe(404);
  });

  test('other addresses are not handled', async () => {
    for (const url of [
      'https://api.example.test:8443/axb/api/v2/health',
      'https://api.example.test/a.b/api/v2/health',
    ]) {
      const outcome = await fetch(url).then(
        ({ status }) => status,
        () => 'refused',
      );
      expect(['refused', 500]).toContain(outcome);
    }
    expect(api.requests).toEqual([]);
  });

  test('network faults are network errors', async () => {
    api.fail({ network: true });
    await expect(fetch(`${api.baseUrl}/api/v2/health`)).rejects.toThrow(TypeError);
  });
});
