// The site that `multilocal init astro` writes: built against the mock, then against a service, and read in Chromium.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createSecureServer, type Server } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { installed, node22 } from '@multilocal/scripts/matrix';
import { environmentOf, type Run, root, run, userEnvironment } from '@multilocal/test/examples/run';
import { usePages } from '@multilocal/test/support/pages';
import { serveFolder } from '@multilocal/test/support/serve';
import { identityOf } from '@multilocal/test/support/tls';
import axe from 'axe-core';
import { parseRssFeed } from 'feedsmith';
import { type MockServer, startMockServer } from 'multilocal/mock/server';
import type { BrowserContextOptions, Page } from 'playwright';
import { parseSitemap } from 'sitemap';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';

const TITLE = 'Le pain </script><b> : "demain" & hier';
/** A picture for the addresses of the mock. */
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"/>';

let parent: string;
let folder: string;
let modules: string;
let nodeBinary: string;
let server: MockServer;
const pageWith = usePages();
let site: { url: string; close(): Promise<void> };
/** The address of the home page, on this machine. */
let home: string;
/** The article that the service has and the mock does not. */
let added: { id: number; slug: string };
/** An article with the slug of another one. */
let twin: number;
/** An article without a title, whose slug is no single part of an address. */
let odd: number;
const builds: Run[] = [];
/** The first page of the build with the articles of the mock. */
let mocked: string;
/** The host of pictures. It has one, for the build. Chromium gets the others from the test. */
let pictures: string;
let photos: Server;

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'multilocal-init-site-'));
  folder = join(parent, 'journal');
  const cli = join(root, 'dist', 'cli.js');
  expect(await run(process.execPath, [cli, 'init', 'astro', folder], { cwd: parent })).toMatchObject({ code: 0 });
  await install();

  builds.push(await build());
  expect(builds[0]?.code, builds[0]?.output).toBe(0);
  mocked = read('index.html');

  site = await serveFolder(join(folder, 'dist'));
  home = `${site.url}/`;
  const settings = join(folder, 'src', 'site.ts');
  writeFileSync(settings, readFileSync(settings, 'utf8').replaceAll('https://www.example.com/', home));
  server = await startMockServer();
  photos = createSecureServer(identityOf('localhost'), ({ url }, response) => {
    if (!url?.startsWith('/photo.webp')) return void response.writeHead(404).end();
    response
      .setHeader('content-type', 'image/webp')
      .end(readFileSync(join(root, 'docs/images/start-a-site-light.webp')));
  });
  await once(photos.listen(0, 'localhost'), 'listening');
  pictures = `https://localhost:${(photos.address() as AddressInfo).port}`;
  // Two pages of the list, and as many confirmations as fit into a minute.
  for (const { id } of articles().slice(30)) server.api.articles.remove(id);
  // Those of a service are on another host, and only those does a finished site show.
  for (const { id, updated_at } of articles()) {
    server.api.articles.touch(id, { featured_image_url: `${pictures}/${id}.jpg`, updated_at });
  }
  const html = `<h1>Un</h1><p onclick="x()">Deux <a href="javascript:x()">trois</a></p><script>x()</script><h3>Quatre</h3>
    <img src="${pictures}/x.jpg" onerror="x()"><img src="http://localhost/y.jpg"><iframe></iframe>
    <p>Avant</p><iframe src="https://www.youtube.com/embed/abc?start=3" title="Le four"></iframe><p>&nbsp;</p>
    <iframe src="//maps.invalid/x">old</iframe><video src="//files.invalid/v.mp4" autoplay></video>
    <img src="${pictures}/photo.webp?a&amp;b" alt="Un &quot;four&quot;">
    <figure><img src="http://127.0.0.1/z.jpg"><figcaption>Cinq</figcaption></figure>
    <figure><blockquote>Six</blockquote><figcaption>Sept</figcaption></figure>
    <table><tr>${'<th>Farine</th>'.repeat(20)}</tr></table>`;
  const meta_description = 'Tout "sur" le pain & hier.';
  const { id } = server.api.articles.add({
    title: TITLE,
    slug: 'demain',
    content_html: html,
    excerpt: 'Un & deux',
    meta_description,
    category: 'Nos pains',
    featured_image_url: `${pictures}/photo.webp`,
  });
  added = { id, slug: 'demain' };
  // Another location has given its article the same slug.
  twin = server.api.articles.add({
    title: 'Demain aussi',
    slug: 'demain',
    content_html: '<p>Le second</p>',
    published_at: '2026-01-02T00:00:00+00:00',
  }).id;
  odd = server.api.articles.add({ title: '', slug: '../a/b', published_at: '2026-01-01T00:00:00+00:00' }).id;
  builds.push(
    await build({
      ...environmentOf(server),
      NODE_EXTRA_CA_CERTS: join(root, 'test/support/certificates/localhost.pem'),
    }),
  );
  expect(builds[1]?.code, builds[1]?.output).toBe(0);
});

afterAll(async () => {
  await site?.close();
  await server?.close();
  photos?.close();
  rmSync(parent, { recursive: true, force: true });
});

/** The packed package in the project, and what it depends on from a cache: Astro 7 needs a newer Node than this one. */
async function install(): Promise<void> {
  modules = await installed('astro7');
  nodeBinary = await node22();
  symlinkSync(modules, join(parent, 'node_modules'), 'junction');

  const target = join(folder, 'node_modules', 'multilocal');
  mkdirSync(target, { recursive: true });
  const args = ['-xzf', inject('packed').filename, '--strip-components=1', '-C', target];
  expect(await run('tar', args, { cwd: parent })).toMatchObject({ code: 0 });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Runs Node 22 in the project. */
function node(args: string[], env: Record<string, string> = {}): Promise<Run> {
  const PATH = `${dirname(nodeBinary)}:${process.env.PATH}`;
  return run(nodeBinary, args, {
    cwd: folder,
    env: { PATH, ASTRO_TELEMETRY_DISABLED: '1', NODE_ENV: 'production', ...env },
  });
}

const astro = (args: string[], env?: Record<string, string>) =>
  node([join(modules, 'astro', 'bin', 'astro.mjs'), ...args], env);

/** Does what `npm run build` does, with Node 22. */
async function build(env?: Record<string, string>): Promise<Run> {
  const built = await astro(['build'], env);
  if (built.code !== 0) return built;
  const indexed = await node([join(modules, 'pagefind', 'lib', 'runner', 'bin.cjs'), '--site', 'dist', '--quiet']);
  return indexed.code === 0 ? built : indexed;
}

const read = (path: string) => readFileSync(join(folder, 'dist', path), 'utf8');

/** The addresses of all pages in `dist`, but for the one of unknown addresses. */
function pages(): string[] {
  return readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('index.html'))
    .map((path) => home + path.replace(/index\.html$/, ''))
    .sort();
}

const articles = () => server.api.articles.all().filter(({ status }) => status === 'published');

describe('npm run confirm', () => {
  const confirm = (env = environmentOf(server)) => node(['scripts/confirm.mjs'], env);

  it('says in a sentence what is missing', async () => {
    const { code, output } = await confirm({});
    expect(code).toBe(1);
    expect(output).toMatch(/^[^\n]*MULTILOCAL_API_KEY[^\n]*\n$/);
  });

  it('fails if the service refuses a page, and confirms the others', async () => {
    const total = articles().length;
    server.api.fail({ operation: 'articles.confirm', status: 422 });
    const refused = await confirm();
    expect(refused.output).toContain(`${total - 1} confirmed, 0 unchanged`);
    expect(refused.output).toMatch(/articles\/\S+: the service refused it: HTTP 422/);
    expect(refused.code).toBe(1);
    expect((await confirm()).output).toContain(`1 confirmed, ${total - 1} unchanged`);
    expect(server.api.articles.confirmation(added.id)).toMatchObject({
      rendered_url: `${home}articles/demain-${added.id}/`,
    });
    const { code, output } = await confirm();
    expect(output).toBe(`0 confirmed, ${total} unchanged, 0 left for the next run\n`);
    expect(code).toBe(0);
  });
});

describe('the build', () => {
  it('takes the articles of the mock, or those of the service', async () => {
    const [first, real] = builds;
    expect(first?.output.match(/the articles come from the mock/g)).toHaveLength(1);
    expect(real?.output).not.toContain('mock');
    const slugs = articles().map(({ id, slug }) => `${home}articles/${id === odd ? 'article' : slug}-${id}/`);
    expect(slugs).toHaveLength(33);
    expect(read(`articles/demain-${twin}/index.html`)).toContain('Le second');
    expect(pages().filter((url) => url.includes('/articles/'))).toEqual(slugs.sort());
  });

  it('names the articles with one slug, and those whose pictures it could not load', () => {
    const { output = '' } = builds[1] ?? {};
    expect(output).toContain(`Articles ${twin} and ${added.id} have one slug. That of article ${added.id} is now`);
    const [, list] = /\d+ pictures could not be loaded: (.*)/.exec(output) ?? [];
    expect(list).toContain(`article ${added.id} (${pictures}/x.jpg, http://localhost/y.jpg, http://127.0.0.1/z.jpg)`);
  });

  it('fails for a service as long as there are addresses of the template', async () => {
    const settings = join(folder, 'src', 'site.ts');
    const own = readFileSync(settings, 'utf8');
    writeFileSync(settings, own.replace(`${home}mentions`, 'https://www.example.com/mentions'));
    const { code, output } = await astro(['build'], environmentOf(server));
    writeFileSync(settings, own);
    expect(code).not.toBe(0);
    expect(output).toContain('the link “Mentions légales”');
  });

  it('asks for a change with one request', async () => {
    const state = join(folder, '.cache', 'changed.json');
    const changed = async () => {
      const before = server.api.requests.length;
      const { code } = await node(['scripts/changed.mjs'], environmentOf(server));
      return [code, server.api.requests.length - before];
    };
    expect(await changed()).toEqual([0, 0]);
    writeFileSync(state, JSON.stringify({ checked: new Date().toISOString() }));
    expect(await changed()).toEqual([10, 1]);
    const { updated_at = '' } = articles().find(({ id }) => id === odd) ?? {};
    server.api.articles.touch(odd, {});
    expect(await changed()).toEqual([0, 1]);
    server.api.articles.touch(odd, { updated_at });
  });

  it('copies the pictures of the mock, which ends with the build', () => {
    expect(mocked.match(/<img src="\/_astro\/[^"]+\.svg"/g)?.length).toBeGreaterThan(15);
    expect(mocked).not.toContain('127.0.0.1');
  });

  it('copies pictures in several sizes, and leaves those that it cannot load where they are', () => {
    const article = read(`articles/demain-${added.id}/index.html`);
    const copies = article.match(/<img src="\/_astro\/[^"]+\.webp" srcset="[^"]+ 480w, [^"]+ 800w[^>]+>/g);
    expect(copies).toEqual([
      expect.stringContaining(' width="1200" height="1330"'),
      expect.stringMatching(/ sizes="[^"]+" width="1200" height="1330" alt="Un &quot;four&quot;" loading="lazy">$/),
    ]);
    expect(article).toContain(`<img src="${pictures}/x.jpg" alt="" loading="lazy">`);
    expect(read('index.html')).toContain(`<img src="${pictures}/`);
  });

  it('has a picture of 1200 × 630 for networks on every page: that of the article if it is large enough', async () => {
    const image = (path: string) =>
      /<meta property="og:image" content="([^"]+)">/.exec(read(path))?.[1]?.slice(home.length) ?? '';
    const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];
    for (const url of pages()) {
      const page = `${url.slice(home.length)}index.html`;
      if (image(page).endsWith('.png')) {
        expect(sizeOf(readFileSync(join(folder, 'dist', image(page)))), page).toEqual([1200, 630]);
      } else expect(image(page), page).toMatch(/^_astro\/.+\.jpeg$/);
      expect(read(page)).toContain('<meta property="og:image:width" content="1200">');
    }
    expect(image(`articles/demain-${added.id}/index.html`)).toContain('.jpeg');
    expect(image(`articles/article-${odd}/index.html`)).toBe(`cards/article-${odd}.png`);
    expect(image('categories/nos-pains/index.html')).toBe('cards/category-nos-pains.png');
  });

  it('does not replace the articles with the mock articles if only the address is lost', async () => {
    const before = pages();
    const { code, output } = await astro(['build'], { MULTILOCAL_API_KEY: 'key' });
    expect(code).not.toBe(0);
    expect(output).toContain('MULTILOCAL_API_KEY is set, but not MULTILOCAL_BASE_URL.');
    expect(pages()).toEqual(before);
  });

  it('has no type errors', async () => {
    // The build has written the types of the content.
    const { code, output } = await astro(['check', '--noSync']);
    expect(output).toContain('- 0 errors');
    expect(output).toContain('- 0 hints');
    expect(code).toBe(0);
  });

  it('lists every page in the sitemap', async () => {
    const entries = await parseSitemap(Readable.from([read('sitemap.xml')]));
    expect(entries.map(({ url }) => url).sort()).toEqual(pages().filter((url) => !url.endsWith('/search/')));
    expect(pages()).toContain(`${home}boutiques/lyon-croix-rousse/`);
    const own = entries.find(({ url }) => url.endsWith(`/demain-${added.id}/`));
    expect(own?.lastmod).toBe(new Date(articles().find(({ id }) => id === added.id)?.updated_at ?? '').toISOString());
    expect(read('robots.txt')).toContain(`Sitemap: ${home}sitemap.xml`);
  });

  it('lists every article in the feed, the newest first', () => {
    const { items = [], language } = parseRssFeed(read('feed.xml'));
    expect(language).toBe('fr');
    expect(items.map(({ link }) => link).sort()).toEqual(pages().filter((url) => url.includes('/articles/')));
    expect(items[0]).toMatchObject({
      title: TITLE,
      link: `${home}articles/demain-${added.id}/`,
      description: expect.stringContaining('le pain &#38; hier.'),
    });
    const dates = items.map(({ pubDate }) => Date.parse(String(pubDate)));
    expect(dates).toEqual(dates.toSorted((one, other) => other - one));
  });
});

/** Opens a page. `faults` collects errors of the console and requests that failed. */
async function open(options: BrowserContextOptions = {}, script?: () => void, picture: 'there' | 'gone' = 'there') {
  const page = await pageWith({ reducedMotion: 'reduce', ...options }, script);
  const isPicture = ({ origin }: URL) => origin === pictures;
  await page
    .context()
    .route(isPicture, (route) =>
      picture === 'there' ? route.fulfill({ body: PICTURE, contentType: 'image/svg+xml' }) : route.abort(),
    );
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('requestfailed', (request) => faults.push(`${request.url()}: ${request.failure()?.errorText}`));
  return { page, faults };
}

const SEEN = [
  '',
  '2/',
  'categories/nos-pains/',
  'boutiques/',
  'boutiques/lyon-croix-rousse/',
  'articles/demain-ID/',
  'search/?q=levain',
  'articles/unknown/',
];
const WIDTHS = [390, 820, 1440];

describe('readers', () => {
  it.each(SEEN)('find no fault in /%s, at any width and in any theme', async (path) => {
    // The first of the views: a page of its own for the tests that change it.
    const { page, faults } = await open({ colorScheme: 'light', viewport: { width: 390, height: 900 } });
    const status = (
      await page.goto(`${site.url}/${path.replace('ID', `${added.id}`)}`, { waitUntil: 'networkidle' })
    )?.status();
    expect(status).toBe(path.includes('unknown') ? 404 : 200);
    expect(await page.locator('meta[http-equiv=Content-Security-Policy]').count()).toBe(1);
    // The Content Security Policy of the page allows no script of others: this one is evaluated.
    await page.evaluate(axe.source);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const ink = await page.evaluate(() => getComputedStyle(document.body).color);
        expect(ink).toBe(colorScheme === 'dark' ? 'rgb(239, 233, 224)' : 'rgb(29, 25, 21)');
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        faults.push(
          ...(await violations(page, colorScheme)).map((violation) => `${width} px, ${colorScheme}: ${violation}`),
        );
      }
    }
    // Chromium reports the 404 that the test asked for.
    expect(faults.filter((fault) => !fault.includes('404 (Not Found)'))).toEqual([]);
  });

  it('see what an article says about itself', async () => {
    const { page } = await open();
    await page.goto(`${site.url}/articles/demain-${added.id}/`);
    const url = `${home}articles/demain-${added.id}/`;
    expect(await page.title()).toBe(`${TITLE} | Les Fournils d’Augustine`);
    const content = (name: string) => page.locator(`meta[${name}]`).getAttribute('content');
    expect(await content('name=description')).toBe('Tout "sur" le pain & hier.');
    expect(await content('property="og:url"')).toBe(url);
    expect(await content('property="og:locale"')).toBe('fr_FR');
    expect(await content('name="twitter:card"')).toBe('summary_large_image');
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(url);
    const json = await page.locator('script[type="application/ld+json"]').allTextContents();
    expect(json.map((text) => JSON.parse(text))).toMatchObject([
      { '@type': 'Article', headline: TITLE, mainEntityOfPage: url, publisher: { logo: `${home}favicon.svg` } },
      { '@type': 'BreadcrumbList', itemListElement: { length: 3 } },
    ]);
    expect(await page.locator('h1').allTextContents()).toEqual([TITLE.replace(' :', '\u00a0:')]);
    expect(await page.locator('.deck').textContent()).toBe('Un & deux');
    expect(await page.locator('.prose').innerHTML()).toMatch(/^<h2>Un<\/h2><p>Deux <a rel="noopener">trois<\/a><\/p>/);
    expect(await page.locator('.prose img').count()).toBe(2);
    expect(await page.locator('.prose figcaption').allTextContents()).toEqual(['Sept']);
    expect(await page.locator('.prose :is(script, iframe, [onclick], [onerror])').count()).toBe(0);
  });

  it('load a video with a click, and lose nothing of a text', async () => {
    const { page, faults } = await open();
    await page.context().route(/^https:..www.youtube-nocookie.com/, (route) => route.fulfill({ body: 'Le film' }));
    await page.goto(`${site.url}/articles/demain-${added.id}/`);
    expect(await page.locator('.prose a.embed').allTextContents()).toEqual([
      'Voir sur YouTube\u00a0: Le four',
      'Voir sur maps.invalid',
    ]);
    expect(await page.locator('.prose video').getAttribute('preload')).toBe('none');
    expect(await page.locator('.prose p').allTextContents()).not.toContain('\u00a0');
    await page.getByRole('link', { name: 'Le four' }).click();
    expect(await page.frameLocator('iframe').locator('body').textContent()).toBe('Le film');
    expect(faults).toEqual([]);
  });

  it('see the address of a location, and no rating that nobody asked for', async () => {
    const { page } = await open();
    await page.goto(`${site.url}/boutiques/lyon-croix-rousse/`);
    expect(await page.locator('h1').textContent()).toBe('Lyon Croix-Rousse');
    expect(await page.locator('.place-address').textContent()).toBe('14 rue du Mail, 69004 Lyon');
    expect(await page.locator('.rating').count()).toBe(0);
    const json = await page.locator('script[type="application/ld+json"]').first().textContent();
    expect(JSON.parse(json ?? '')).not.toHaveProperty('aggregateRating');
  });

  it('find a title and a description of its own on every page', () => {
    const heads = pages().map((url) => {
      const html = read(`${url.slice(home.length)}index.html`);
      return [
        /<title>([^<]+)<\/title>/,
        /<meta name="description" content="([^"]+)">/,
        /rel="canonical" href="([^"]+)"/,
      ].map((pattern) => pattern.exec(html)?.[1]);
    });
    for (const [title, description] of heads)
      expect([title, description]).toEqual([expect.any(String), expect.any(String)]);
    expect(new Set(heads.map(([title]) => title)).size).toBe(heads.length);
    expect(heads.map(([, , canonical]) => canonical)).toEqual(pages());
  });

  it('choose a theme, which is there before anything is painted', async () => {
    // The script is in the head and blocks it, so the theme is set when the body begins.
    const { page, faults } = await open({ colorScheme: 'light' }, () => {
      new MutationObserver((_, observer) => {
        if (!document.body) return;
        document.documentElement.dataset.atBody = document.documentElement.dataset.theme ?? 'none';
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(site.url);
    const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    expect(await paper()).toBe('light dark');
    await page.getByRole('button', { name: 'Changer de thème' }).click();
    expect(await paper()).toBe('dark');
    await page.goto(`${site.url}/2/`);
    expect(await page.locator('html').getAttribute('data-at-body')).toBe('dark');
    await page.getByRole('button', { name: 'Changer de thème' }).click();
    expect(await paper()).toBe('light');
    expect(faults).toEqual([]);
  });

  it('see a card of text where a picture cannot be loaded', async () => {
    const { page, faults } = await open({ viewport: { width: 1280, height: 2000 } }, undefined, 'gone');
    await page.goto(site.url, { waitUntil: 'networkidle' });
    expect(faults.filter((fault) => fault.includes(pictures)).length).toBeGreaterThan(0);
    const card = page.locator('.card', { has: page.locator('.cover') }).nth(1);
    await expect.poll(() => card.locator('.cover').isHidden()).toBe(true);
    expect(await card.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe('3px');
  });

  it('find what belongs together', async () => {
    const { page } = await open();
    const inCategory = articles().filter(({ category }) => category === 'Nos pains');
    await page.goto(`${site.url}/articles/demain-${added.id}/`);
    expect(await page.locator('.next .kicker').allTextContents()).toEqual(Array(3).fill('Nos pains'));
    await page.locator('.reading .kicker a').click();
    await page.waitForURL(`${site.url}/categories/nos-pains/`);
    expect(await page.locator('.card').count()).toBe(inCategory.length);
    expect(await page.locator('.menu [aria-current=page]').textContent()).toBe('Nos pains');
    await page.getByRole('link', { name: 'Rechercher' }).click();
    await page.getByRole('searchbox').fill('demain hier');
    await page.locator('.results a', { hasText: 'demain' }).click();
    await page.waitForURL(`${site.url}/articles/demain-${added.id}/`);
  });

  it('see how many articles a search has found, all of them, and its words in the text', async () => {
    const { page } = await open();
    await page.goto(`${site.url}/search/?q=pain`);
    const results = page.locator('.results li');
    await expect.poll(() => results.count()).toBe(20);
    const count = Number.parseInt((await page.getByRole('status').textContent()) ?? '', 10);
    await page.getByRole('button', { name: 'Plus de résultats' }).click();
    await expect.poll(() => results.count()).toBe(count);
    const path = await results.first().locator('a').getAttribute('href');
    const { published_at } =
      articles().find(({ id, slug }) => path === `/articles/${slug}-${id}/`) ?? expect.unreachable();
    const date = new Date(published_at ?? '').toLocaleDateString('fr', { dateStyle: 'long', timeZone: 'Europe/Paris' });
    expect(await results.first().locator('.byline').textContent()).toContain(date);
    expect(await page.locator('.results mark').first().textContent()).toMatch(/^[\p{L}\p{N}]+$/u);
    await page.getByRole('button', { name: 'Effacer' }).click();
    await expect.poll(() => results.count()).toBe(0);
    expect(await page.locator('.search-more').isHidden()).toBe(true);
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
  });

  it('see title, picture and text of an article at one edge', async () => {
    const { page } = await open({ viewport: { width: 820, height: 900 } });
    const { id, slug } = articles().find(({ id }) => id !== added.id && id !== odd) ?? expect.unreachable();
    await page.goto(`${site.url}/articles/${slug}-${id}/`);
    const lefts = ['h1', '.cover', '.prose'].map((name) => page.locator(`.reading ${name}`).first().boundingBox());
    expect(new Set((await Promise.all(lefts)).map((box) => box?.x)).size).toBe(1);
  });

  it('see the pictures of a mock while the site is developed', async () => {
    const port = await freePort();
    const args = [join(modules, 'astro', 'bin', 'astro.mjs'), 'dev', '--port', String(port)];
    const developed = spawn(nodeBinary, args, {
      cwd: folder,
      env: { ...userEnvironment(), ASTRO_TELEMETRY_DISABLED: '1', NODE_ENV: 'development' },
    });
    onTestFinished(() => void developed.kill());
    const html = () => fetch(`http://localhost:${port}/`).then((response) => response.text(), String);
    await expect.poll(html, { timeout: 3_600_000 }).toContain('class="cards"');
    const pictures = (await html()).match(/(?<=<img src=")http:\/\/127\.0\.0\.1:[^"]+/g) ?? [];
    expect(pictures.length).toBeGreaterThan(15);
    expect((await fetch(pictures[0] ?? '')).headers.get('content-type')).toBe('image/svg+xml');
  });

  it('get everywhere with the keyboard', async () => {
    const { page } = await open();
    await page.goto(site.url);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    // The category of the first article comes before it.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(({ pathname }) => pathname.startsWith('/articles/'));
    await page.getByRole('link', { name: 'Les Fournils d’Augustine' }).click();
    await page.getByRole('link', { name: 'Plus anciens' }).click();
    await page.getByRole('link', { name: 'Plus récents' }).click();
    expect(new URL(page.url()).pathname).toBe('/');
  });
});

/** In the dark, only colours differ. */
async function violations(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  const rules = colorScheme === 'dark' && { runOnly: ['cat.color'] };
  const found = await page.evaluate((rules) => window.axe.run({ resultTypes: ['violations'], ...rules }), rules);
  return found.violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target).join(', ')}`);
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}
