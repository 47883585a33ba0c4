// The site, built once and served as static files, in Chromium. The build itself fails on dead links and anchors.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@multilocal/client/resources/endpoints';
import { root } from '@multilocal/test/docs/blocks';
import { usePages } from '@multilocal/test/support/pages';
import { serveFolder } from '@multilocal/test/support/serve';
import axe from 'axe-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packed } from '../../../scripts/release.mjs';

const folder = mkdtempSync(join(tmpdir(), 'multilocal-site-'));
const read = (page: string) => readFileSync(join(folder, page), 'utf8');
let site: { url: string; close(): Promise<void> };
const {
  repository: { url },
  exports,
} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const repository = new URL(url.slice(4, -4)).pathname.slice(1);
const PHONE = { viewport: { width: 390, height: 844 } };
const pageWith = usePages();
const open = () => pageWith({ ...PHONE, reducedMotion: 'reduce' });

beforeAll(async () => {
  const tsx = join(root, 'node_modules', '.bin', 'tsx');
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status, stdout, stderr } = spawnSync(tsx, ['docs/site/main.ts', 'build', folder], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  expect(status, `${stdout}${stderr}`).toBe(0);
  site = await serveFolder(folder);
});
afterAll(async () => {
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('has a page for each entry of the package', () => {
  const entries = Object.keys(exports).filter((name) => name !== '.' && !/server$|json$/.test(name));
  const overview = read('api/index.html');
  expect(entries.filter((name) => !overview.includes(`>multilocal/${name.slice(2)}</a>`))).toEqual([]);
});

it('has a section for each operation, with its route, its result and an example', () => {
  const incomplete = endpoints.filter(({ operation, method, path }) => {
    const [namespace = '', ...rest] = operation.includes('.') ? operation.split('.') : ['client', operation];
    const slug = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const file = `api/${slug(namespace)}.html`;
    if (!existsSync(join(folder, file))) return true;
    const section =
      read(file)
        .split(/(?=<h2 id=)/)
        .find((one) => one.startsWith(`<h2 id="${slug(rest.join('-'))}"`)) ?? '';
    const text = section
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll('&amp;', '&')
      .replaceAll('&quot;', '"');
    const parts = [`${method} ${path}`, 'Result', 'from the mock', '"$MULTILOCAL_BASE_URL/api/v2'];
    return !section.includes('language-ts') || !parts.every((part) => text.includes(part));
  });
  expect(incomplete.map(({ operation }) => operation)).toEqual([]);
});

it('has an llms.txt with the first sentence of every guide, and the pages as Markdown', () => {
  const llms = read('llms.txt');
  const rows = [...llms.matchAll(/^- \[.+\]\((.+)\): .+\.$/gm)].map(([, path = '']) => path);
  expect(llms.match(/^- /gm)).toHaveLength(rows.length);
  const docs = join(root, 'docs');
  // Links out of docs/ lead to the repository.
  const whole = (path: string) => packed(`docs/${path}`, readFileSync(join(docs, path), 'utf8'), repository);
  expect(rows.filter((path) => read(path) !== whole(path))).toEqual([]);
  const guides = readdirSync(join(docs, 'guides')).map((name) => `guides/${name}`);
  expect(guides.filter((path) => !rows.includes(path))).toEqual([]);
  expect(llms).toContain('- [Plans](guides/plans.md): A plan is a list of actions: posts to publish, ');
});

it('fits a phone, page by page', async () => {
  const wide: string[] = [];
  // As they were built. Only those have more in a browser whose tests are below.
  const page = await pageWith({ ...PHONE, javaScriptEnabled: false });
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
  for (const name of pages) {
    await page.goto(`${site.url}/${name}`);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > 390) wide.push(`${name}: ${width} px`);
  }
  expect(wide).toEqual([]);
});

it.each(['index.html', 'api/posts.html', 'playground.html'])('axe finds no fault in %s', async (name) => {
  const page = await open();
  await page.goto(`${site.url}/${name}`, { waitUntil: 'networkidle' });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.addScriptTag({ content: axe.source });
  const { violations } = await page.evaluate(() =>
    // The label of the search button is VitePress's.
    (globalThis as unknown as { axe: typeof axe }).axe.run(
      { exclude: ['.DocSearch'] },
      { resultTypes: ['violations'] },
    ),
  );
  expect(violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target).join(', ')}`)).toEqual([]);
});

it('finds what people type where it is explained', async () => {
  const page = await open();
  await page.goto(`${site.url}/index.html`, { waitUntil: 'networkidle' });
  await page.keyboard.press('Control+k');
  const links = () =>
    page.locator('a.result').evaluateAll((found) => found.slice(0, 5).map((link) => link.getAttribute('href')));
  for (const [term, target] of [
    ['findRecent', '/api/posts.html#find-recent'],
    ['deploy', '/guides/deploy.html'],
    ['webhook', '/guides/what-is-new.html'],
    ['netlify', '/guides/deploy.html'],
    ['curl', '/guides/'],
    ['staging', '/guides/deploy.html'],
  ] as const) {
    await page.getByRole('searchbox').fill(term);
    // The results of what was searched before stay until the new ones are there.
    await expect.poll(async () => (await links()).join(' '), { message: term }).toContain(target);
  }
});

it('shows endpoints on a phone as cards', async () => {
  const page = await open();
  await page.goto(`${site.url}/endpoints.html`);
  const rows = await page.locator('tbody tr').evaluateAll((all) => all.map((row) => row.getBoundingClientRect()));
  const tall = rows.filter(({ width, height }) => width > 390 || height > 420);
  expect(rows.length).toBeGreaterThan(40);
  expect(tall).toEqual([]);
});

it('runs a call in the playground, and loads nothing from elsewhere', async () => {
  const asked: string[] = [];
  const page = await open();
  page.on('request', (request) => void asked.push(request.url()));
  await page.goto(`${site.url}/playground.html#reviews.reply`, { waitUntil: 'networkidle' });
  // The first call has run by itself, as a dry run.
  await page.getByText('would_reply').first().waitFor();
  await page.getByRole('radio', { name: 'the call' }).check();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('"posted"').first().waitFor();
  expect(asked.filter((url) => !url.startsWith(site.url) && !url.startsWith('data:'))).toEqual([]);
});
