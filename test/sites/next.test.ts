import { type ChildProcess, spawn } from 'node:child_process';
import { cp, link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import axe, { type AxeResults } from 'axe-core';
import { build } from 'esbuild';
import { parseRssFeed } from 'feedsmith';
import { type Browser, chromium } from 'playwright';
import { parseSitemap } from 'sitemap';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { launchOptions } from '../../scripts/services.mjs';
import { type MockServer, startMockServer } from '../../src/mock/server.js';
import { environmentOf, installed, type Run, root, run } from '../examples/run.js';

const SITE = 'https://journal.example.com';
const SECRET = 'only-the-scheduler-knows';
const ATTACK = '<h1>Un</h1><p onclick="track()">Deux <a href="javascript:x">trois</a></p><script>track()</script>';

let service: MockServer;
let folder: string;
let server: ChildProcess;
let url: string;
/** The first build, which has no service, and its home page. */
let keyless: Run;
let mocked: string;

// The site that `multilocal init next` writes, built with the mock, then with a service, and served. The tests change the
// service's articles one after the other.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'multilocal-next-'));
  await install();
  keyless = await run('npm', ['run', 'build'], { cwd: folder, env: { NEXT_TELEMETRY_DISABLED: '1' } });
  expect(keyless.code, keyless.output).toBe(0);
  mocked = await readFile(join(folder, '.next', 'server', 'app', 'index.html'), 'utf8');
  service = await startMockServer();
  const { articles } = service.api;
  articles.touch(first().id, {
    title: 'Le pain </script><b>',
    meta_title: 'Le pain </title><b>',
    content_html: ATTACK,
    meta_description: 'Moins de "sucre" & de <sel>',
    featured_image_url: 'https://images.example.com/pain.jpg',
  });
  const { code, output } = await run('npm', ['run', 'build'], { cwd: folder, env: environment() });
  expect(code, output).toBe(0);
  await start();
});

afterAll(async () => {
  server?.kill();
  await service?.close();
  await rm(folder, { recursive: true, force: true });
});

async function install(): Promise<void> {
  const cli = join(root, 'dist', 'cli.js');
  expect(await run(process.execPath, [cli, 'init', 'next', folder], { cwd: folder })).toMatchObject({ code: 0 });
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const { multilocal: _, ...packages } = { ...manifest.dependencies, ...manifest.devDependencies };
  const modules = join(folder, 'node_modules');
  // Next's bundler follows no link out of the project, so the packages must be in it.
  await linkFiles(join(await installed(packages), 'node_modules'), modules);
  for (const name of ['dist', 'package.json']) {
    await cp(join(root, name), join(modules, 'multilocal', name), { recursive: true });
  }
  await symlink(join('..', 'multilocal', 'dist', 'cli.js'), join(modules, '.bin', 'multilocal'));
}

/** A copy of a folder that takes no space: its files are hard links. */
async function linkFiles(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await linkFiles(source, target);
    // Another disk takes no hard links.
    else await link(source, target).catch(() => cp(source, target, { verbatimSymlinks: true }));
  }
}

const environment = () => ({
  ...environmentOf(service, service.api.keys.readOnly),
  SITE_URL: SITE,
  CRON_SECRET: SECRET,
  NEXT_TELEMETRY_DISABLED: '1',
});

async function start(): Promise<void> {
  const next = join(folder, 'node_modules', 'next', 'dist', 'bin', 'next');
  const args = [next, 'start', '--hostname', '127.0.0.1', '--port', '0'];
  server = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, ...environment() } });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  await vi.waitFor(() => expect(output).toContain('Ready'), { timeout: 60_000 });
  url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? '';
}

const online = () => service.api.articles.all().filter(({ status }) => status === 'published');
const first = () => online()[0] as ReturnType<typeof online>[number];
const pathOf = ({ id, slug }: { id: number; slug: string | null }) => `/articles/${slug}-${id}`;
const sent = () => service.api.requests.length;

const visit = (path: string) => fetch(url + path);
const text = async (path: string) => (await visit(path)).text();
const status = async (path: string) => (await visit(path)).status;
const cron = (query = '', authorization = `Bearer ${SECRET}`) =>
  fetch(`${url}/api/sync${query}`, { headers: { authorization } });
const addressesInSitemap = async () =>
  (await parseSitemap(Readable.from([await text('/sitemap.xml')]))).map((entry) => entry.url);
const addressesInFeed = async () => parseRssFeed(await text('/feed.xml')).items?.map((item) => item.link) ?? [];

it('shows the articles and the pictures of the mock without a service', async () => {
  expect(keyless.output).toContain('the articles are those of the mock');
  const pictures = mocked.match(/(?<=<img src=")\/mock\/[^"]+/g) ?? [];
  expect(pictures.length).toBeGreaterThan(15);
  expect(await readFile(join(folder, 'public', pictures[0] ?? ''), 'utf8')).toContain('<svg');
  expect(await readdir(join(folder, 'content', 'articles'))).not.toEqual([]);
  expect(await text('/')).not.toContain('/mock/');
});

it('does not replace the articles with those of the mock if only the address is lost', async () => {
  const { code, output } = await run('npm', ['run', 'build'], { cwd: folder, env: { MULTILOCAL_API_KEY: 'key' } });
  expect(code).not.toBe(0);
  expect(output).toContain('MULTILOCAL_API_KEY is set, but not MULTILOCAL_BASE_URL.');
});

describe('pages', () => {
  it('hold the title, the description, the canonical address and the data of an article', async () => {
    const article = first();
    const page = await text(pathOf(article));
    expect(page).toContain('<title>Le pain &lt;/title&gt;&lt;b&gt;</title>');
    expect(page).toContain('content="Moins de &quot;sucre&quot; &amp; de &lt;sel&gt;"');
    expect(page).toContain(`<link rel="canonical" href="${SITE}${pathOf(article)}"/>`);
    expect(page).toContain('<meta property="og:image" content="https://images.example.com/pain.jpg"/>');
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];
    expect(JSON.parse(json)).toMatchObject({
      '@type': 'Article',
      headline: 'Le pain </script><b>',
      mainEntityOfPage: SITE + pathOf(article),
    });
  });

  it('hold nothing of an article that does harm', async () => {
    const page = await text(pathOf(first()));
    expect(page).toContain('<h2>Un</h2><p>Deux <a rel="noopener">trois</a></p>');
    expect(page).not.toMatch(/track\(|javascript:/);
  });

  it('are listed on the pages of the index, in the sitemap and, the newest, in the feed', async () => {
    const addresses = online().map((article) => SITE + pathOf(article));
    const inSitemap = await addressesInSitemap();
    expect(inSitemap.filter((address) => address.includes('/articles/')).sort()).toEqual(addresses.sort());
    const lists = inSitemap.filter((address) => address === `${SITE}/` || address.includes('/pages/'));
    expect(lists).toHaveLength(Math.ceil(addresses.length / 21));
    const pages = (await Promise.all(lists.map((address) => text(address.slice(SITE.length))))).join();
    for (const article of online()) expect(pages).toContain(`href="${pathOf(article)}"`);
    const feed = await addressesInFeed();
    expect(feed).toHaveLength(50);
    expect(addresses).toEqual(expect.arrayContaining(feed));
  });

  it('list the articles of a category, which is in the menu', async () => {
    const inSitemap = await addressesInSitemap();
    const lists = inSitemap.filter((address) => /\/categories\/recettes(\/\d+)?$/.test(address));
    const pages = (await Promise.all(lists.map((address) => text(address.slice(SITE.length))))).join();
    const recipes = online().filter(({ category }) => category === 'Recettes');
    expect(lists).toHaveLength(Math.ceil(recipes.length / 21));
    for (const article of recipes) expect(pages).toContain(`href="${pathOf(article)}"`);
    expect(await text('/')).toContain('<nav class="menu"');
    expect(await text('/')).toContain('href="/categories/recettes"');
  });

  it('are missing with the status 404', async () => {
    const draft = service.api.articles.all().find((article) => article.status === 'draft');
    const others = [
      '/articles/none',
      '/articles/x-999999',
      `/articles/wrong-${first().id}`,
      `/articles/x-${draft?.id}`,
      '/pages/1',
      '/pages/999',
      '/categories/none',
      '/categories/recettes/1',
    ];
    for (const path of others) expect(await status(path), path).toBe(404);
    expect(await text('/articles/none')).toContain('Page introuvable');
  });

  it('cost a visitor no request to the service', async () => {
    const before = sent();
    const paths = ['/', '/sitemap.xml', '/feed.xml', '/articles/none', ...online().slice(0, 16).map(pathOf)];
    expect(paths).toHaveLength(20);
    await Promise.all(paths.map(text));
    expect(sent()).toBe(before);
  });
});

describe('the cron route', () => {
  it.each(['', 'Bearer', 'Bearer wrong', SECRET])('refuses %j and costs nothing', async (authorization) => {
    const before = sent();
    const response = await cron('', authorization);
    expect(response.status).toBe(401);
    expect(await response.text()).not.toContain(SECRET);
    expect(sent()).toBe(before);
  });

  it('makes the changed page and the lists new, for one request', async () => {
    const changed = online().at(-2);
    if (!changed) throw new Error('the seed is too small');
    service.api.articles.touch(changed.id, { title: 'Un nouveau titre' });
    const before = sent();
    const response = await cron();
    expect(await response.json()).toEqual({ changed: [changed.id] });
    expect(await text(pathOf(changed))).toContain('Un nouveau titre');
    expect(await text('/')).toContain('Un nouveau titre');
    expect(sent()).toBe(before + 1);
    expect(await (await cron()).json()).toEqual({ changed: [] });
  });

  it('puts a new article online, also where somebody asked for it before', async () => {
    const added = service.api.articles.add({ title: 'Tout neuf', featured_image_url: null });
    expect(await status(pathOf(added))).toBe(404);
    expect(await (await cron()).json()).toEqual({ changed: [added.id] });
    expect(await text(pathOf(added))).toContain('Tout neuf');
    expect((await addressesInFeed())[0]).toBe(SITE + pathOf(added));
    service.api.articles.remove(added.id);
  });

  it('takes unpublished articles off the site, and deleted ones with a complete listing', async () => {
    const [deleted, offline] = online().slice(-2);
    if (!deleted || !offline) throw new Error('the seed is too small');
    service.api.articles.unpublish(offline.id);
    service.api.articles.remove(deleted.id);
    expect(await (await cron()).json()).toEqual({ changed: [offline.id] });
    expect(await status(pathOf(offline))).toBe(404);
    expect(await status(pathOf(deleted))).toBe(200);

    const { changed } = (await (await cron('?reconcile')).json()) as { changed: number[] };
    expect(changed).toContain(deleted.id);
    const [index, sitemap, feed] = [await text('/'), await addressesInSitemap(), await addressesInFeed()];
    for (const article of [deleted, offline]) {
      expect(await status(pathOf(article))).toBe(404);
      expect(index).not.toContain(pathOf(article));
      expect(sitemap).not.toContain(SITE + pathOf(article));
      expect(feed).not.toContain(SITE + pathOf(article));
    }
  });

  it('keeps all pages during an outage of the service, and reports it', async () => {
    const article = service.api.articles.touch(first().id, { title: 'Après la panne' });
    const repair = service.api.fail({ network: true, times: Number.POSITIVE_INFINITY });
    const response = await cron();
    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({ error: 'connection', changed: [] });
    for (const path of ['/', '/sitemap.xml', '/feed.xml', pathOf(article)]) expect(await status(path), path).toBe(200);

    repair();
    expect(await (await cron()).json()).toEqual({ changed: [article.id] });
    expect(await text(pathOf(article))).toContain('Après la panne');
  });
});

it('notes what a database stores, page by page', async () => {
  await writeFile(
    join(folder, 'database.mjs'),
    `import { memoryStore } from 'multilocal';
    const store = memoryStore();
    const commit = ({ upserts, cursor }) => {
      for (const article of upserts) store.put(article);
      store.saveCursor(cursor);
      return true;
    };
    export const openStore = () => ({ ...store, commit });`,
  );
  await build({
    entryPoints: [join(folder, 'lib', 'sync.ts')],
    outfile: join(folder, 'sync.mjs'),
    alias: { '@/lib/store': join(folder, 'database.mjs') },
    bundle: true,
    format: 'esm',
    external: ['multilocal'],
  });
  const code = `import { sync } from './sync.mjs'; console.log([...(await sync(false)).changed].join());`;
  const args = ['--input-type=module', '--eval', code];
  const { output } = await run(process.execPath, args, { cwd: folder, env: environment() });
  const ids = output.trim().split(',').map(Number);
  expect(new Set(ids)).toEqual(new Set(online().map(({ id }) => id)));
});

describe('in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch(launchOptions());
    return () => browser.close();
  });

  it.each([
    { width: 390, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
    { width: 820, colorScheme: 'light' },
    { width: 820, colorScheme: 'dark' },
    { width: 1440, colorScheme: 'light' },
    { width: 1440, colorScheme: 'dark' },
  ] as const)('nothing is wrong at $width px, $colorScheme', async ({ width, colorScheme }) => {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const faults: string[] = [];
    page.on('console', (message) => {
      // The 404 of the last page is what it should be.
      if (message.type() === 'error' && !message.location().url.endsWith('/nowhere')) faults.push(message.text());
    });
    page.on('pageerror', ({ message }) => faults.push(message));
    const article = online().at(-1) as ReturnType<typeof online>[number];
    for (const path of ['/', '/pages/2', '/categories/recettes', pathOf(article), '/nowhere']) {
      await page.goto(url + path, { waitUntil: 'networkidle' });
      await page.addScriptTag({ content: axe.source });
      const { violations } = await page.evaluate<AxeResults>('axe.run()');
      faults.push(...violations.map(({ id, nodes }) => `${path}: ${id} at ${nodes.map(({ target }) => target)}`));
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(width);
    }
    expect(faults).toEqual([]);
    await page.close();
  });

  it('links lead from the index to an article and back, without a request to the service', async () => {
    const before = sent();
    const page = await browser.newPage();
    await page.goto(url, { waitUntil: 'networkidle' });
    const link = page.locator('.cards h2 a').first();
    const title = await link.textContent();
    await link.click();
    await page.locator('.reading').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title);
    await page.getByRole('banner').getByRole('link').first().click();
    await page.locator('.opening').waitFor();
    expect(sent()).toBe(before);
    await page.close();
  });
});
