import { join } from 'node:path';
import { ArticlesClient } from 'multilocal/articles';
import { type MockServer, startMockServer } from 'multilocal/mock/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { environmentOf, example } from './run.js';
import { bundle, startWorkerd, temporaryFolder, workerd } from './workerd.js';

const ORIGINS = 'https://www.example.com,https://blog.example.com';

let server: MockServer;
beforeEach(async () => {
  server = await startMockServer();
  return () => server.close();
});

/** What visitors ask, wherever the Worker runs. */
type Visit = (path: string, init?: RequestInit) => Promise<Response>;

/** What the Worker is for, in whatever runtime it is. */
async function expectProxy(visit: Visit): Promise<void> {
  const { api } = server;
  const origin = 'https://blog.example.com';
  const list = () => visit('/content/api/v2/articles?status=published', { headers: { origin } });
  const [answer] = await Promise.all([list(), list(), list()]);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
  const { articles } = (await answer.json()) as { articles: { id: number; status: string }[] };
  expect(articles.length).toBeGreaterThan(0);
  expect(articles.every(({ status }) => status === 'published')).toBe(true);
  // All visitors share the first copy, and no visitor causes another request.
  const requests = api.requests.length;
  expect(new Set(api.requests.map(({ query }) => query.updated_since)).size).toBe(requests);
  expect(api.requests[0]?.headers['x-api-key']).toBe('***');

  const [first] = articles;
  const newest = await visit('/content/api/v2/articles?order=newest&limit=1&fields=id');
  expect(await newest.json()).toMatchObject({ articles: [{ id: first?.id }], limit: 1 });
  const article = await visit(`/content/api/v2/articles/${first?.id}`, { headers: { origin: 'https://evil.example' } });
  expect(article.headers.get('access-control-allow-origin')).toBeNull();
  expect((await visit('/content/api/v2/articles?status=draft')).status).toBe(403);
  expect((await visit('/content/api/v2/me')).status).toBe(404);
  expect(api.requests).toHaveLength(requests);

  const confirm = (rendered_url: string) =>
    visit(`/content/api/v2/articles/${first?.id}/confirm`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ rendered_url }),
    });
  expect((await confirm('https://evil.example/')).status).toBeGreaterThanOrEqual(400);
  expect((await confirm('https://www.example.com/un')).status).toBe(200);
  expect(api.articles.confirmation(first?.id ?? 0)?.rendered_url).toBe('https://www.example.com/un');
}

describe('in this process', () => {
  const context = { waitUntil: (_work: Promise<unknown>) => {} };
  const logged: unknown[] = [];
  let fetch: (request: Request) => Promise<Response>;

  beforeEach(async () => {
    vi.spyOn(console, 'error').mockImplementation((error) => void logged.push(error));
    // The Worker keeps its proxy for as long as it lives.
    vi.resetModules();
    const { default: worker } = await import('../../examples/worker-proxy/worker.js');
    const { MULTILOCAL_API_KEY = '', MULTILOCAL_BASE_URL = '' } = environmentOf(server);
    const env = { MULTILOCAL_API_KEY, MULTILOCAL_BASE_URL, ORIGINS };
    fetch = (request) => worker.fetch(request, env, context);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    logged.length = 0;
  });

  it('serves articles and confirmations, and nothing else', async () => {
    await expectProxy((path, init) => fetch(new Request(`https://articles.example.com${path}`, init)));
    expect(logged).toEqual([]);
  });

  it('is what an ArticlesClient without a key reads from', async () => {
    const articles = new ArticlesClient({
      baseUrl: 'https://articles.example.com/content',
      fetch: (input, init) => fetch(new Request(input as string, init)),
    });
    const ids: number[] = [];
    for await (const { id } of articles.changes()) ids.push(id);
    const published = server.api.articles.all().filter(({ status }) => status === 'published');
    expect(ids.sort((a, b) => a - b)).toEqual(published.map(({ id }) => id));
  });

  it('tells the log why a request failed, without the key, and the visitor nothing', async () => {
    server.api.fail({ status: 401, detail: `unknown key ${server.api.keys.sphere}` });
    const response = await fetch(new Request('https://articles.example.com/content/api/v2/articles'));
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain('unknown key');
    expect(logged).toMatchObject([{ code: 'authentication' }]);
    expect(JSON.stringify(logged)).not.toContain(server.api.keys.sphere);
  });
});

describe('in workerd', () => {
  it.skipIf(workerd === undefined)('serves articles and confirmations', async () => {
    const folder = await temporaryFolder();
    await bundle(join(folder, 'bundle.js'), { entryPoints: [join(example('worker-proxy'), 'worker.ts')] });
    const { urls } = await startWorkerd(folder, { main: WORKER }, { ...environmentOf(server), ORIGINS });
    await expectProxy((path, init) => globalThis.fetch(`${urls.main}${path}`, init));
  });
});

const WORKER = `
  modules = [(name = "worker", esModule = embed "bundle.js")],
  bindings = [
    (name = "MULTILOCAL_API_KEY", fromEnvironment = "MULTILOCAL_API_KEY"),
    (name = "MULTILOCAL_BASE_URL", fromEnvironment = "MULTILOCAL_BASE_URL"),
    (name = "ORIGINS", fromEnvironment = "ORIGINS"),
  ],
`;
