// The built site, served as static files, in Chromium.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { launchOptions } from '../../../scripts/services.mjs';
import { Client } from '../../../src/index.js';
import { endpoints } from '../../../src/resources/index.js';
import { operations } from '../playground/operations.js';
import { serveFolder } from './serve.js';

const root = join(import.meta.dirname, '../../..');
vi.setConfig({ testTimeout: 120_000, hookTimeout: 600_000 });

const folder = mkdtempSync(join(tmpdir(), 'multilocal-site-'));
let site: { url: string; close(): Promise<void> };
let browser: Browser;

beforeAll(async () => {
  const tsx = join(root, 'node_modules', '.bin', 'tsx');
  const { status, stdout, stderr } = spawnSync(tsx, ['apps/docs/main.ts', 'build', folder], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  // A link that leads nowhere fails the build.
  expect(status, `${stdout}${stderr}`).toBe(0);
  site = await serveFolder(folder);
  browser = await chromium.launch(launchOptions());
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

const pages = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!404)\.html$/.test(name));
const read = (page: string) => readFileSync(join(folder, page), 'utf8');

/** Text as a reader sees it. */
const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

describe('the API reference', () => {
  it('lists every method of the client with its route', () => {
    const rows = [...read('api/index.html').matchAll(/<li><span class="call">(.*?)<\/li>/gs)].map(
      ([, row = '']) => row,
    );
    const listed = rows.map((row) => {
      const [, call = '', goes = ''] = /^(.*?)<span class="goes">(.*?)<span class="gives">/s.exec(row) ?? [];
      return [
        textOf(call)
          .replace(/\(.*/s, '')
          .replace(/^client\./, ''),
        textOf(goes).trim(),
      ] as const;
    });
    expect(listed.filter(([, route]) => route === '')).toEqual([]);
    const routes = new Map(listed);
    const own = endpoints.filter(({ operation, method, path }) => routes.get(operation) !== `${method} ${path}`);
    expect(own.map(({ operation }) => operation)).toEqual([]);
    expect(
      methodsOf(new Client({ apiKey: 'unused', baseUrl: 'https://api.example.com' })).filter(
        (name) => !routes.has(name),
      ),
    ).toEqual([]);
  });

  it('shows every method with its route, its result and an example', () => {
    const sections = pages()
      .filter((page) => page.startsWith('api/'))
      .flatMap((page) => read(page).split(/(?=<h2 id=)/))
      .filter((section) => section.includes('class="method-text"'));
    expect(sections.length).toBeGreaterThan(50);
    const titleOf = (section: string) => textOf(/<h2[^>]*>(.*?)<\/h2>/s.exec(section)?.[1] ?? '');
    const without = (part: string) => sections.filter((section) => !section.includes(part)).map(titleOf);
    expect(without('class="route"')).toEqual([]);
    expect(without('>Result</h3>')).toEqual([]);
    expect(without('language-ts')).toEqual([]);
  });

  it('shows parameters as their properties', () => {
    const [, section = ''] = read('api/posts.html').split('<h3 id="PostCreateParams"');
    const names = [...(section.split('<h3 id=')[0]?.matchAll(/<code class="name">(\w+)</g) ?? [])].map(
      ([, name]) => name,
    );
    expect(names).toEqual(expect.arrayContaining(['content', 'text', 'platforms', 'scheduled_youtube', 'bulle_id']));
    const text = pages().map((page) => textOf(read(page)));
    expect(text.filter((one) => /object & |Interface: /.test(one))).toEqual([]);
  });
});

/** `gmb.optimizer.audit`: what can be called on a client, by the objects themselves. */
function methodsOf(owner: object, prefix = ''): string[] {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(owner)).filter((name) => name !== 'constructor');
  const own = prefix === '' ? [] : names.map((name) => `${prefix}${name}`);
  const namespaces = Object.entries(owner).filter(([, value]) => typeof value === 'object');
  return [...own, ...namespaces.flatMap(([name, value]) => methodsOf(value as object, `${prefix}${name}.`))];
}

describe('the playground', () => {
  let page: Page;
  beforeAll(async () => {
    page = await browser.newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(`${site.url}/playground.html`);
  });
  const status = () => page.getByRole('status');
  const choose = (name: string, value: string) => page.getByLabel(name, { exact: true }).selectOption(value);

  /** @returns the line that says how it went. */
  async function run(): Promise<string> {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await status()
      .filter({ hasText: /request/ })
      .waitFor();
    return (await status().textContent()) ?? '';
  }

  async function start(operation: string, key = 'sphere'): Promise<void> {
    await choose('Operation', operation);
    await choose('Key', key);
    await page.getByRole('button', { name: 'Reset the mock' }).click();
    await status()
      .filter({ hasText: /as it was/ })
      .waitFor();
  }

  it('offers each of the operations', () => {
    expect(operations.map(({ operation }) => operation)).toEqual(endpoints.map(({ operation }) => operation));
    expect(new Set(operations.map(({ route }) => route)).size).toBe(45);
  });

  it.each(operations)('$operation runs and shows its result', async ({ operation, route, dryRun }) => {
    await start(operation);
    expect(await run()).toMatch(/^Done, /);
    expect(await page.locator('.printed').count()).toBe(1);
    const seen = await page.locator('.request summary').last().textContent();
    const [method = '', path = ''] = route.split(' ');
    expect(seen?.trim().startsWith(method)).toBe(true);
    expect(seen).toContain(path.replace(/\{.*/, ''));
    if (dryRun === undefined) return;
    await page.getByLabel('a dry run').check();
    await page.getByRole('button', { name: 'Reset the mock' }).click();
    await status()
      .filter({ hasText: /as it was/ })
      .waitFor();
    expect(await run()).toMatch(/^Done, /);
    expect(await page.locator('.printed').textContent()).toMatch(/"(dry_run|would_\w+)"/);
  });

  it.each([
    ['bulle', 'posts.create', /^Done, /],
    ['readOnly', 'posts.create', /^Failed with MissingPermissionError|^Failed with PermissionDeniedError/],
    ['readOnly', 'articles.list', /^Done, /],
    ['expired', 'articles.list', /^Failed with AuthenticationError/],
  ])('with the key %s, %s: %s', async (key, operation, expected) => {
    await start(operation, key);
    expect(await run()).toMatch(expected);
    const failure = page.locator('.failure');
    if ((await failure.count()) > 0) expect(await failure.textContent()).toMatch(/outcomenot_applied/);
  });

  it('runs code that was changed, imports included', async () => {
    await start('me');
    await page.getByLabel('Code to run').fill(`import { isMultilocalError } from 'multilocal';

for await (const { id } of client.posts.list({ limit: 2, bulle_id })) console.log('post', id);
api.fail({ operation: 'posts.create', network: true });
const error = await client.posts.create({ content: 'Pain', platforms: ['facebook'], bulle_id }).catch((e) => e);
console.log(isMultilocalError(error), error.outcome);`);
    await page.keyboard.press('Control+Enter');
    await status()
      .filter({ hasText: /request/ })
      .waitFor();
    expect(await status().textContent()).toMatch(/^Done/);
    expect(await page.locator('.printed').last().textContent()).toContain('true unknown');
    expect(await page.locator('.printed').count()).toBeGreaterThan(3);
  });

  it('opens with the operation that a link names', async () => {
    await page.goto(`${site.url}/api/reviews.html#reply`);
    await page.locator('a[href$="#reviews.reply"]').click();
    await page.waitForURL(/playground\.html#reviews\.reply/);
    expect(await page.getByLabel('Operation', { exact: true }).inputValue()).toBe('reviews.reply');
  });
});

describe('readers', () => {
  it('load nothing from elsewhere, and the mock only in the playground', async () => {
    const page = await browser.newPage();
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(request.url()));
    for (const name of ['index.html', 'api/posts.html', 'guides/sync.html']) {
      await page.goto(`${site.url}/${name}`, { waitUntil: 'networkidle' });
    }
    expect(asked.filter((url) => url.includes('ApiPlayground'))).toEqual([]);
    await page.goto(`${site.url}/playground.html`, { waitUntil: 'networkidle' });
    expect(asked.filter((url) => url.includes('ApiPlayground')).length).toBeGreaterThan(0);
    expect(asked.filter((url) => !url.startsWith(site.url) && !url.startsWith('data:'))).toEqual([]);
    await page.close();
  });

  it('find a method by its name', async () => {
    const page = await browser.newPage();
    // The page takes keys only once its script runs.
    await page.goto(`${site.url}/index.html`, { waitUntil: 'networkidle' });
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox').fill('findRecent');
    const hit = page.locator('a.result[href*="/api/posts.html#find-recent"]').first();
    await hit.waitFor();
    await hit.click();
    await page.waitForURL(/api\/posts\.html#find-recent/);
    await page.close();
  });

  it('on a phone never scroll a page sideways, and code keeps its lines', async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    const page = await context.newPage();
    const wide: string[] = [];
    for (const name of pages()) {
      await page.goto(`${site.url}/${name}`);
      const { width, wrapped } = await page.evaluate(() => ({
        width: document.documentElement.scrollWidth,
        wrapped: [...document.querySelectorAll('.vp-doc pre code')].filter(
          (code) => getComputedStyle(code).whiteSpace !== 'pre',
        ).length,
      }));
      if (width > 390 || wrapped > 0) wide.push(`${name}: ${width} px, ${wrapped} wrapped`);
    }
    expect(wide).toEqual([]);
    await context.close();
  });

  const SEEN = [
    'index.html',
    'api/index.html',
    'api/posts.html',
    'guides/publishing-safely.html',
    'endpoints.html',
    'playground.html',
  ];
  it.each(['light', 'dark'] as const)('find no fault with axe when the page is %s', async (colorScheme) => {
    const context = await browser.newContext({ colorScheme, reducedMotion: 'reduce' });
    const page = await context.newPage();
    const faults: string[] = [];
    for (const name of SEEN) {
      await page.goto(`${site.url}/${name}`, { waitUntil: 'networkidle' });
      await page.addScriptTag({ content: axe.source });
      const { violations } = await page.evaluate(() =>
        // The label of the search button is VitePress's.
        (globalThis as unknown as { axe: typeof axe }).axe.run(
          { exclude: ['.DocSearch'] },
          { resultTypes: ['violations'] },
        ),
      );
      faults.push(
        ...violations.map(({ id, nodes }) => `${name}: ${id} at ${nodes.map(({ target }) => target).join(', ')}`),
      );
    }
    expect(faults).toEqual([]);
    await context.close();
  });
});
