// The site that `multilocal init next` writes: built with the mock, then with a service, and read in Chromium.
import { type ChildProcess, spawn } from 'node:child_process';
import { access, cp, link, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { installed } from '@multilocal/scripts/matrix';
import { environmentOf, type Run, root, run } from '@multilocal/test/examples/run';
import { usePages } from '@multilocal/test/support/pages';
import axe, { type AxeResults } from 'axe-core';
import { build as bundle } from 'esbuild';
import { parseRssFeed } from 'feedsmith';
import { type MockServer, startMockServer } from 'multilocal/mock/server';
import type { BrowserContextOptions } from 'playwright';
import { parseSitemap } from 'sitemap';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

const SITE = 'https://journal.brand.test';
const SECRET = 'only-the-scheduler-knows';
const ATTACK = '<h1>Un</h1><p onclick="track()">Deux <a href="javascript:x">trois</a></p><script>track()</script>';
const PICTURES = `<img src="https://images.example.com/a.jpg" onerror="track()"><img src="https://other.example.com/b.jpg" alt="B">
  <img src="http://127.0.0.1/c.jpg"><figure><img src="http://127.0.0.1/d.jpg"><figcaption>D</figcaption></figure>`;

let service: MockServer;
let folder: string;
let server: ChildProcess;
let url: string;

/** The build without a key, and its pages. */
let mocked: Run;
let mockedPages: string[];
let mockedHome: string;
let mockedPictures: string[];

// Built without a key, then with a service, and served. The tests change the service's articles one after the other.
beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'multilocal-next-')), 'journal');
  const cli = join(root, 'dist', 'cli.js');
  expect(await run(process.execPath, [cli, 'init', 'next', folder], { cwd: root })).toMatchObject({ code: 0 });
  await install();
  // What `npm run build` does. Each article is two pages to build, so that a part of them is enough.
  mocked = await run('npm', ['run', 'sync'], { cwd: folder, env: QUIET });
  const copies = (await readdir(join(folder, 'content', 'mock'))).filter((name) => /^\d+\.json$/.test(name));
  expect(copies.length).toBeGreaterThan(200);
  for (const name of copies.slice(0, -25)) await rm(join(folder, 'content', 'mock', name));
  const next = await run(process.execPath, [nextProgram(), 'build'], { cwd: folder, env: QUIET });
  expect(next.code, next.output).toBe(0);
  mockedPages = await pagesBuilt();
  mockedHome = await readFile(join(folder, '.next', 'server', 'app', 'index.html'), 'utf8');
  mockedPictures = await readdir(join(folder, 'public', 'mock'));

  const settings = join(folder, 'lib', 'site.ts');
  const text = (await readFile(settings, 'utf8')).replaceAll('https://www.example.com/', `${SITE}/`);
  await writeFile(settings, text.replace('pictureHosts: []', "pictureHosts: ['images.example.com']"));
  service = await startMockServer();
  const { articles } = service.api;
  // Enough for a category of two pages, and for a feed that leaves some out.
  for (const { id } of articles.all().slice(0, -90)) articles.remove(id);
  // The seed's pictures are on a host that does not exist: a browser would report each of them.
  for (const { id, updated_at } of articles.all()) articles.touch(id, { featured_image_url: null, updated_at });
  articles.touch(first().id, {
    title: 'Le pain </script><b>',
    meta_title: 'Le pain </title><b>',
    content_html: ATTACK + PICTURES,
    meta_description: 'Moins de "sucre" & de <sel>',
    featured_image_url: 'https://images.example.com/pain.jpg',
  });
  // Next.js and the script that syncs read the same file.
  const variables = { ...environmentOf(service, service.api.keys.readOnly), CRON_SECRET: SECRET };
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  await writeFile(join(folder, '.env.local'), lines.join('\n'));
  const { code, output } = await build();
  expect(code, output).toBe(0);
  expect(output).toContain('full-size pictures of other.example.com. Name');
  await start();
});

afterAll(async () => {
  server?.kill();
  await service?.close();
  await rm(dirname(folder), { recursive: true, force: true });
});

const nextProgram = () => join(folder, 'node_modules', 'next', 'dist', 'bin', 'next');

async function install(): Promise<void> {
  const modules = join(folder, 'node_modules');
  // Next's bundler follows no link out of the project, so the packages must be in it.
  await linkFiles(await installed('next'), modules);
  for (const name of ['dist', 'package.json']) {
    await cp(join(root, name), join(modules, 'multilocal', name), { recursive: true });
  }
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

// Vitest sets NODE_ENV to `test`, which Next.js does not build for.
const QUIET = { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };

const build = (env?: Record<string, string>): Promise<Run> =>
  run('npm', ['run', 'build'], { cwd: folder, env: { ...QUIET, ...env } });

const pagesBuilt = async () =>
  (await readdir(join(folder, '.next', 'server', 'app'), { recursive: true }))
    .filter((path) => path.endsWith('.html'))
    .map((path) => path.replaceAll('\\', '/'));

async function start(): Promise<void> {
  const args = [nextProgram(), 'start', '--hostname', '127.0.0.1', '--port', '0'];
  server = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, ...QUIET } });
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
/** The articles whose cards a page has. */
const cardsOn = async (path: string) =>
  [...(await text(path)).matchAll(/<h2><a href="([^"]+)"/g)].map(([, address = '']) => address);
const addressesInFeed = async () => parseRssFeed(await text('/feed.xml')).items?.map((item) => item.link) ?? [];

describe('without the address of a service', () => {
  it('the site shows the articles of the mock, with their pictures', async () => {
    expect(mocked.code, mocked.output).toBe(0);
    expect(mocked.output).toContain('the articles come from the mock');
    expect(mockedPages.filter((path) => /^articles\/.+-\d+\.html$/.test(path))).toHaveLength(25);
    const pictures = mockedHome.match(/(?<=<img src=")\/mock\/[\w-]+\.svg/g) ?? [];
    expect(pictures.length).toBeGreaterThan(15);
    expect(mockedPictures).toEqual(expect.arrayContaining(pictures.map((picture) => basename(picture))));
    // An address of a service was set since then.
    await expect(access(join(folder, 'public', 'mock'))).rejects.toThrow('ENOENT');
    expect(mockedHome).not.toContain('127.0.0.1');
  });

  it.each([
    ['the key is set', { MULTILOCAL_API_KEY: 'key', MULTILOCAL_BASE_URL: '' }],
    ['articles of a service are there', { MULTILOCAL_API_KEY: '', MULTILOCAL_BASE_URL: '' }],
  ])('a build fails if %s', async (_, env) => {
    const { code, output } = await build(env);
    expect(code).not.toBe(0);
    expect(output).toContain('MULTILOCAL_BASE_URL is not set');
    expect(await text('/')).not.toContain('/mock/');
  });

  it('a build refuses the articles of another account', async () => {
    const other = await startMockServer();
    onTestFinished(() => other.close());
    const { code, output } = await build(environmentOf(other));
    expect(code).not.toBe(0);
    expect(output).toContain('belongs to another sync');
  });
});

it('drafts are for editors: no build has them unless it is asked to', async () => {
  const [draft] = service.api.articles.all().filter(({ status }) => status === 'draft');
  const sync = (...args: string[]) => run(process.execPath, ['scripts/sync.mjs', ...args], { cwd: folder, env: QUIET });
  expect(await sync('--drafts')).toMatchObject({ code: 0 });
  await access(join(folder, 'content', 'drafts', `${draft?.id}.json`));
  const { code, output } = await run(process.execPath, [nextProgram(), 'build'], { cwd: folder, env: QUIET });
  expect(code).not.toBe(0);
  expect(output).toContain('content/drafts has drafts');
  expect(await sync()).toMatchObject({ code: 0 });
  await expect(access(join(folder, 'content', 'drafts'))).rejects.toThrow('ENOENT');
});

describe('pages', () => {
  it('hold the title, the description, the canonical address and the data of an article', async () => {
    const article = first();
    const page = await text(pathOf(article));
    expect(page).toContain('<meta property="og:locale" content="fr_FR"/>');
    expect(page).toContain('<meta name="twitter:card" content="summary_large_image"/>');
    expect(page).toContain('<title>Le pain &lt;/title&gt;&lt;b&gt;</title>');
    expect(page).toContain('content="Moins de &quot;sucre&quot; &amp; de &lt;sel&gt;"');
    expect(page).toContain(`<link rel="canonical" href="${SITE}${pathOf(article)}"/>`);
    expect(page).toContain(
      `<meta property="og:image" content="${SITE}/_next/image?url=https%3A%2F%2Fimages.example.com%2Fpain.jpg`,
    );
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

  it('show the pictures of named hosts in several sizes, and others from their own address', async () => {
    const page = await text(pathOf(first()));
    const sized = (name: string) => new RegExp(`<img [^>]*_next/image[^>]*${name}[^>]* 480w, [^>]* 1600w[^>]*>`, 'i');
    expect(page).toMatch(sized('pain.jpg'));
    expect(page).toMatch(sized('a.jpg'));
    expect(page).toContain('<img src="https://other.example.com/b.jpg" alt="B" loading="lazy">');
    expect(page).not.toMatch(/127\.0\.0\.1\/|<figcaption>D/);
  });

  it('are on a page of the list and of their category, in the sitemap and, the newest, in the feed', async () => {
    const last = Math.ceil(online().length / 21);
    const lists = ['/', ...Array.from({ length: last - 1 }, (_, index) => `/page/${index + 2}`)];
    const ofCategory = new Map<string, number>();
    const filed = online().flatMap((article) => (article.category ? [{ ...article, category: article.category }] : []));
    for (const { category } of filed) ofCategory.set(category, (ofCategory.get(category) ?? 0) + 1);
    const categories = [...ofCategory].flatMap(([name, count]) => {
      const slug = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll(' ', '-');
      return Array.from({ length: Math.ceil(count / 21) }, (_, index) =>
        index === 0 ? `/categories/${slug}` : `/categories/${slug}/${index + 1}`,
      );
    });
    const addresses = online().map(pathOf).sort();
    expect((await Promise.all(lists.map(cardsOn))).flat().sort()).toEqual(addresses);
    expect((await Promise.all(categories.map(cardsOn))).flat().sort()).toEqual(filed.map(pathOf).sort());
    const places = (await addressesInSitemap())
      .map((url) => new URL(url).pathname)
      .filter((path) => /^\/boutiques/.test(path));
    expect(places.length).toBeGreaterThan(10);
    for (const path of places) expect(await status(path), path).toBe(200);
    const all = [...lists, ...categories, ...addresses, ...places].map((path) => new URL(path, SITE).href);
    expect((await addressesInSitemap()).sort()).toEqual(all.sort());
    expect(await text('/robots.txt')).toContain(`Sitemap: ${SITE}/sitemap.xml`);
    const feed = await addressesInFeed();
    expect(feed).toHaveLength(50);
    expect(all).toEqual(expect.arrayContaining(feed));
  });

  it('of a category are marked in the menu, and have a title of their own', async () => {
    const page = await text('/categories/nos-pains/2');
    expect(page.match(/<a [^>]*aria-current="page"[^>]*>[^<]*/g)).toEqual([expect.stringMatching(/>Nos pains$/)]);
    expect(page).toMatch(/<title>Nos pains · Page 2 sur \d · Le journal du fournil<\/title>/);
    expect(page).toContain(`<link rel="canonical" href="${SITE}/categories/nos-pains/2"/>`);
  });

  it('are missing with the status 404', async () => {
    const draft = service.api.articles.all().find((article) => article.status === 'draft');
    const others = [
      '/articles/none',
      '/articles/x-999999',
      `/articles/x-${draft?.id}`,
      '/page/1',
      '/page/99',
      '/page/02',
      '/categories/unknown',
      '/categories/nos-pains/1/2',
      '/categories/nos-pains/99',
    ];
    for (const path of others) expect(await status(path), path).toBe(404);
    // The article is there under another name.
    const moved = await fetch(`${url}/articles/wrong-${first().id}`, { redirect: 'manual' });
    // Next.js 16 sends the header of a page that it keeps twice, which browsers take for one.
    const locations = moved.headers.get('location')?.split(', ');
    expect([moved.status, ...new Set(locations)]).toEqual([308, pathOf(first())]);
    expect(await status('/nowhere')).toBe(404);
  });

  it('have a picture for networks: a card if no picture is on a named host', async () => {
    const article = online().at(-1) as ReturnType<typeof online>[number];
    const card = `/cards/article-${article.id}.png`;
    expect(await text(pathOf(article))).toContain(`<meta property="og:image" content="${SITE}${card}"/>`);
    for (const path of [card, '/cards/site.png', '/cards/category-nos-pains.png']) {
      const png = Buffer.from(await (await visit(path)).arrayBuffer());
      expect([png.readUInt32BE(16), png.readUInt32BE(20)], path).toEqual([1200, 630]);
    }
    expect(await status('/cards/none.png')).toBe(404);
  });

  it('cost a visitor no request to the service', async () => {
    const before = sent();
    const lists = ['/', '/page/2', '/categories/nos-pains', '/sitemap.xml', '/feed.xml', '/articles/none'];
    const paths = [...lists, ...online().slice(0, 14).map(pathOf)];
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

  it('makes pages new after a change and only then, for one request', async () => {
    const [, changed, other] = online().slice(-3);
    if (!changed || !other) throw new Error('the seed is too small');
    // A change in the folder that no sync has seen: a page that reads the folder again shows it.
    const file = join(folder, 'content', 'articles', `${other.id}.json`);
    const kept = await readFile(file, 'utf8');
    await writeFile(file, JSON.stringify({ ...other, title: 'Lu de nouveau' }));
    expect(await (await cron()).json()).toEqual({ changed: [] });
    for (const path of ['/', pathOf(other)]) expect(await text(path)).not.toContain('Lu de nouveau');

    service.api.articles.touch(changed.id, { title: 'Un nouveau titre' });
    const before = sent();
    expect(await (await cron()).json()).toEqual({ changed: [changed.id] });
    for (const path of ['/', pathOf(changed)]) expect(await text(path)).toContain('Un nouveau titre');
    expect(await text('/')).toContain('Lu de nouveau');
    expect(sent()).toBe(before + 1);

    await writeFile(file, kept);
    service.api.articles.touch(changed.id, { title: 'Un autre titre' });
    await cron();
    expect(await text('/')).not.toContain('Lu de nouveau');
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
    export const openStore = () => ({ ...store, commit });
    export const readListings = () => [];
    export const saveListings = () => {};`,
  );
  await bundle({
    entryPoints: [join(folder, 'lib', 'sync.ts')],
    outfile: join(folder, 'sync.mjs'),
    alias: { '@/lib/store': join(folder, 'database.mjs') },
    bundle: true,
    format: 'esm',
    external: ['multilocal'],
  });
  const code = `import { sync } from './sync.mjs'; console.log([...(await sync(false)).changed].join());`;
  const args = ['--input-type=module', '--eval', code];
  const { output } = await run(process.execPath, args, {
    cwd: folder,
    env: environmentOf(service),
  });
  const ids = output.trim().split(',').map(Number);
  expect(new Set(ids)).toEqual(new Set(online().map(({ id }) => id)));
});

describe('in Chromium', () => {
  const pageWith = usePages();

  it.each(['/', '/page/2', '/categories/nos-pains', 'an article', '/nowhere'])(
    'nothing is wrong on %s',
    async (name) => {
      // The first of the views: a page of its own for the tests that change it.
      const { page, faults } = await open({ colorScheme: 'light', viewport: { width: 390, height: 900 } });
      const path = name === 'an article' ? pathOf(online().at(-1) as ReturnType<typeof first>) : name;
      await page.goto(url + path, { waitUntil: 'networkidle' });
      await page.addScriptTag({ content: axe.source });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of colorScheme === 'dark' ? [390] : [390, 820, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          const ink = await page.evaluate(() => getComputedStyle(document.body).color);
          expect(ink).toBe(colorScheme === 'dark' ? 'rgb(239, 233, 224)' : 'rgb(29, 25, 21)');
          // In the dark, only colours differ, which are the same at every width.
          const rules = { resultTypes: ['violations'], ...(colorScheme === 'dark' && { runOnly: ['cat.color'] }) };
          const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(rules)})`);
          faults.push(
            ...violations.map(({ id, nodes }) => `${width} px: ${id} at ${nodes.map(({ target }) => target)}`),
          );
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        }
      }
      // The 404 of the last page is what it should be.
      expect(faults.filter((fault) => !fault.endsWith('/nowhere'))).toEqual([]);
    },
  );

  it('the chosen theme is there before anything is painted, and on the next page', async () => {
    // The script is in the head and blocks it, so the theme is set when the body begins.
    const { page, faults } = await open({ colorScheme: 'light' }, () => {
      new MutationObserver((_, observer) => {
        if (!document.body) return;
        sessionStorage.setItem('at-body', document.documentElement.dataset.theme ?? 'none');
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(url, { waitUntil: 'networkidle' });
    const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    await page.getByRole('button', { name: 'Changer de thème' }).click();
    expect(await scheme()).toBe('dark');
    await page.getByRole('link', { name: 'Plus anciens' }).click();
    await page.waitForURL(`${url}/page/2`);
    expect(await scheme()).toBe('dark');
    await page.reload({ waitUntil: 'networkidle' });
    expect(await page.evaluate(() => sessionStorage.getItem('at-body'))).toBe('dark');
    expect(faults).toEqual([]);
  });

  it('a page that is missing looks the same at every address', async () => {
    const { page } = await open({ colorScheme: 'light' }, () => localStorage.setItem('theme', 'dark'));
    for (const path of ['/nowhere', '/articles/none', '/articles/x-999999', '/page/99', '/categories/unknown']) {
      await page.goto(url + path, { waitUntil: 'networkidle' });
      expect(await page.getByRole('heading', { level: 1 }).textContent(), path).toBe('Page introuvable');
      expect(await page.locator('.card').count()).toBe(3);
      expect(await page.locator('html').getAttribute('lang')).toBe('fr');
      const theme = () => page.locator('html').getAttribute('data-theme');
      expect(await theme(), path).toBe('dark');
      await page.getByRole('button', { name: 'Changer de thème' }).click();
      expect(await theme(), path).toBe('light');
    }
  });

  it('a picture that cannot be loaded leaves no hole', async () => {
    const { page, faults } = await open();
    await page.route('**/_next/image**', (route) => route.abort());
    await page.goto(url + pathOf(first()), { waitUntil: 'networkidle' });
    expect(await page.locator('.reading .cover').isHidden()).toBe(true);
    // The text has a picture of a host that does not exist, too.
    expect(faults.filter((fault) => !/\/_next\/image|other\.example\.com/.test(fault))).toEqual([]);
  });

  it('the search finds articles by their words, without accents', async () => {
    const before = sent();
    const { page } = await open();
    const { title } = service.api.articles
      .all()
      .filter(({ status }) => status === 'published')
      .at(-1) as { title: string };
    const typed = title.normalize('NFD').replace(/\p{M}/gu, '');
    await page.goto(`${url}/search?q=${encodeURIComponent(typed)}`, { waitUntil: 'networkidle' });
    const link = page.locator('.results a').first();
    expect((await link.textContent())?.replaceAll('\u00a0', ' ')).toBe(title);
    await page.getByRole('button', { name: 'Effacer' }).click();
    expect(await page.locator('.results li').count()).toBe(0);
    expect(sent()).toBe(before);
  });

  it('links lead from the index to an article, its category and back, without a request to the service', async () => {
    const before = sent();
    const { page, faults } = await open();
    await page.goto(url, { waitUntil: 'networkidle' });
    const link = page.locator('.card h2 a').first();
    const title = await link.textContent();
    await link.click();
    await page.locator('.reading').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title);
    const category = (await page.locator('.reading .kicker').textContent()) ?? '';
    expect(await page.locator('.next .kicker').allTextContents()).toEqual(Array(3).fill(category));
    await page.locator('.reading .kicker a').click();
    await page.locator('.category .card').first().waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(category);
    await page.getByRole('banner').getByRole('link').first().click();
    await page.locator('.opening').waitFor();
    expect(sent()).toBe(before);
    expect(faults).toEqual([]);
  });

  /** Opens a page. `faults` collects errors of the console. */
  async function open(options: BrowserContextOptions = {}, script?: () => void) {
    const page = await pageWith({ reducedMotion: 'reduce', ...options }, script);
    const faults: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(`${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', ({ message }) => faults.push(message));
    return { page, faults };
  }
});
