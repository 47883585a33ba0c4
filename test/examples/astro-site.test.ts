import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MockServer, startMockServer } from '../../src/mock/server.js';
import { environmentOf, example, type Run, root, run } from './run.js';

const TIMEOUT = 180_000;

let server: MockServer;
let folder: string;
let siteUrl: string;
const site = createServer(async (request, response) => {
  const file = join(folder, 'dist', new URL(request.url ?? '/', 'http://localhost').pathname, 'index.html');
  const page = await readFile(file).catch(() => undefined);
  response.writeHead(page ? 200 : 404).end(page);
});

// A copy, so that the example stays as it is, with the dependencies of the workspace.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'multilocal-astro-'));
  const files = ['package.json', 'astro.config.mjs', 'scripts', 'src'];
  for (const name of files) await cp(join(example('astro-site'), name), join(folder, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');

  // The budget of the default would take minutes for that many confirmations.
  server = await startMockServer({ rateLimit: { perMinute: 6_000, perDay: 100_000 } });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});

afterAll(async () => {
  site.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

function npm(...args: string[]): Promise<Run> {
  const env = { ...environmentOf(server), SITE_URL: siteUrl, ASTRO_TELEMETRY_DISABLED: '1' };
  return run('npm', ['run', ...args], { cwd: folder, env });
}

const online = () => server.api.articles.all().filter(({ status }) => status === 'published');
const pageOf = ({ id, slug }: { id: number; slug: string | null }) => `${slug}-${id}`;
const pages = () => readdir(join(folder, 'dist', 'articles'));
const confirmations = () => server.api.requests.filter(({ operation }) => operation === 'articles.confirm');

it('makes a page of each article that is online, without what does harm', {
  timeout: TIMEOUT,
}, async () => {
  const { articles } = server.api;
  const [first] = online();
  const content_html =
    '<h1>Un</h1><p onclick="track()">Deux <a href="javascript:x">trois</a></p><script>track()</script>';
  articles.touch(first?.id ?? 0, { content_html, meta_description: 'Moins de "sucre" & de <sel>' });

  const { code, output } = await npm('build');
  expect(code, output).toBe(0);
  expect(output).toContain(`${online().length} articles new or changed`);

  expect((await pages()).sort()).toEqual(online().map(pageOf).sort());
  const index = await readFile(join(folder, 'dist', 'index.html'), 'utf8');
  for (const article of online()) expect(index).toContain(`href="/articles/${pageOf(article)}/"`);

  const name = `${first?.slug}-${first?.id}`;
  const page = await readFile(join(folder, 'dist', 'articles', name, 'index.html'), 'utf8');
  expect(page).toContain(`<link rel="canonical" href="${siteUrl}/articles/${name}/">`);
  expect(page).toContain('<h2>Un</h2><p>Deux <a rel="noopener">trois</a></p>');
  expect(page).not.toContain('track');
  expect(page).toMatch(/content="Moins de (&quot;|&#34;)sucre(&quot;|&#34;) &(amp;|#38;) de (&lt;|<)sel(&gt;|>)"/);
});

it('confirms each version of an article once, at its address', { timeout: TIMEOUT }, async () => {
  const { api } = server;
  expect((await npm('confirm')).output).toContain(`${online().length} confirmed`);
  for (const article of online()) {
    const rendered_url = `${siteUrl}/articles/${pageOf(article)}/`;
    expect(api.articles.confirmation(article.id)).toMatchObject({ rendered_url });
  }
  const sent = confirmations().length;
  expect(sent).toBe(online().length);
  expect((await npm('confirm')).output).toContain('0 confirmed');
  expect(confirmations()).toHaveLength(sent);
});

it('follows what changes, goes offline and is deleted', { timeout: TIMEOUT }, async () => {
  const { articles } = server.api;
  const [changed, offline, deleted] = online().map(({ id }) => id);
  articles.touch(changed ?? 0, { title: 'Nouveau titre' });
  articles.unpublish(offline ?? 0);
  articles.remove(deleted ?? 0);

  const { code, output } = await npm('build');
  expect(output).toContain('1 articles new or changed, 1 gone. Requests: 1.');
  expect(code, output).toBe(0);
  // The deleted article is found once a day. An empty collection finds it too.
  expect((await npm('build', '--', '--force')).code).toBe(0);
  expect((await pages()).sort()).toEqual(online().map(pageOf).sort());

  const sent = confirmations().length;
  expect((await npm('confirm')).output).toContain('1 confirmed');
  expect(confirmations()).toHaveLength(sent + 1);
});

it('confirms no page that is not online, and fails', { timeout: TIMEOUT }, async () => {
  const { api } = server;
  const added = api.articles.add({ title: 'Tout neuf' });
  const offline = await readdir(join(folder, 'dist', 'articles'));
  await npm('build');
  await rm(join(folder, 'dist', 'articles', pageOf(added)), { recursive: true });
  expect(await pages()).toEqual(offline);
  const { code, output } = await npm('confirm');
  expect(output).toContain(`not online: ${siteUrl}/articles/${pageOf(added)}/`);
  expect(output).toContain('0 confirmed');
  expect(code).toBe(1);
  expect(api.articles.confirmation(added.id)).toBeUndefined();
});

it('leaves the site as it is when the key is refused', { timeout: TIMEOUT }, async () => {
  const before = await pages();
  server.api.revokeKey(server.api.keys.sphere);
  const { code, output } = await npm('build');
  expect(output).toContain('401');
  expect(code).not.toBe(0);
  expect(await pages()).toEqual(before);
});
