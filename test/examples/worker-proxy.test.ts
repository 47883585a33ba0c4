import { join } from 'node:path';
import { type MockServer, startMockServer } from 'multilocal/mock/server';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
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

it('serves articles and confirmations, and nothing else', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => void error.mockRestore());
  const { default: worker } = await import('../../examples/worker-proxy/worker.js');
  const { MULTILOCAL_API_KEY = '', MULTILOCAL_BASE_URL = '' } = environmentOf(server);
  const env = { MULTILOCAL_API_KEY, MULTILOCAL_BASE_URL, ORIGINS };
  const context = { waitUntil: (_work: Promise<unknown>) => {} };
  const visit: Visit = (path, init) =>
    worker.fetch(new Request(`https://articles.example.com${path}`, init), env, context);
  await expectProxy(visit);
  expect(error).not.toHaveBeenCalled();
});

it.skipIf(workerd === undefined)('does so in workerd', async () => {
  const folder = await temporaryFolder();
  await bundle(join(folder, 'bundle.js'), { entryPoints: [join(example('worker-proxy'), 'worker.ts')] });
  const { urls } = await startWorkerd(folder, { main: WORKER }, { ...environmentOf(server), ORIGINS });
  await expectProxy((path, init) => globalThis.fetch(`${urls.main}${path}`, init));
});

const WORKER = `
  modules = [(name = "worker", esModule = embed "bundle.js")],
  bindings = [
    (name = "MULTILOCAL_API_KEY", fromEnvironment = "MULTILOCAL_API_KEY"),
    (name = "MULTILOCAL_BASE_URL", fromEnvironment = "MULTILOCAL_BASE_URL"),
    (name = "ORIGINS", fromEnvironment = "ORIGINS"),
  ],
`;
