import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigurationError } from '@multilocal/client/core/errors/index';
import { caught, rejection } from '@multilocal/test/support/clients';
import { createMockApi, type MockControl } from 'multilocal/mock/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ArticleData,
  type ConfirmPagesOptions,
  type ConfirmPagesResult,
  confirmPages,
  multilocalLoader,
} from '../../src/astro/index.js';
import { build, type Collection, collectionOf, connectionTo, sanitize } from './support.js';

let api: MockControl;
let connection: ReturnType<typeof connectionTo>;
let folder: string;
let collection: Collection;
let siteUrl: string;
/** The paths that are not online, and their status. */
let missing: Map<string, number>;
let visits: string[];

/** Instead of a status: the connection breaks. */
const RESET = 0;

const site = createServer((request, response) => {
  const { url = '' } = request;
  visits.push(url);
  const status = missing.get(url) ?? 200;
  if (status === RESET) return void request.socket.destroy();
  response.writeHead(status, status >= 300 && status < 400 ? { location: '/elsewhere/' } : {}).end('page');
});

beforeEach(async () => {
  api = createMockApi();
  connection = connectionTo(api);
  // Few articles, so that the tests are quick.
  for (const { id } of api.articles.all().slice(6)) api.articles.remove(id);
  folder = await mkdtemp(join(tmpdir(), 'multilocal-confirm-'));
  collection = collectionOf();
  missing = new Map();
  visits = [];
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});

afterEach(async () => {
  site.closeAllConnections();
  await new Promise((resolve) => site.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

const blog = ({ slug }: ArticleData) => `/blog/${slug}/`;

/** Builds the site, as far as the loader sees it. */
async function deploy(
  url = blog,
  address: string | null = siteUrl,
  { loaded = [collection], bulle_id }: { loaded?: Collection[]; bulle_id?: string } = {},
) {
  const loader = multilocalLoader({ connection, sanitize, reconcile: true, bulle_id, url });
  const config = { cacheDir: pathToFileURL(`${folder}/`), site: address ?? undefined };
  await Promise.all(loaded.map((each) => build(loader, Object.assign(each, { config }), api)));
}

const confirm = (more: Partial<ConfirmPagesOptions> = {}) =>
  confirmPages({ connection, cacheDir: folder, ...more } as ConfirmPagesOptions);

const noted = async () => JSON.parse(await readFile(join(folder, 'multilocal-pages.json'), 'utf8')).pages;

const online = () => api.articles.all().filter(({ status }) => status === 'published');
const confirmations = () => api.requests.filter(({ operation }) => operation === 'articles.confirm');

describe('confirmPages', () => {
  it('confirms each page at its address, once, and reports each', async () => {
    await deploy();
    const pages = online();
    expect(pages.length).toBeGreaterThan(3);
    const counts: number[] = [];
    const onProgress = ({ confirmed }: ConfirmPagesResult) => counts.push(confirmed);
    expect(await confirm({ onProgress })).toMatchObject({
      confirmed: pages.length,
      unchanged: 0,
      notOnline: 0,
      left: 0,
    });
    expect(counts).toEqual(pages.map((_, index) => index + 1));
    for (const { id, slug } of pages) {
      expect(api.articles.confirmation(id)?.rendered_url).toBe(`${siteUrl}/blog/${slug}/`);
    }
    expect(visits.sort()).toEqual(pages.map(({ slug }) => `/blog/${slug}/`).sort());
    expect(await confirm()).toMatchObject({ confirmed: 0, unchanged: pages.length, requests: 0 });
    await deploy();
    expect(await confirm()).toMatchObject({ confirmed: 0, requests: 0 });
    expect(confirmations()).toHaveLength(pages.length);
    expect(visits).toHaveLength(pages.length);
  });

  it('confirms what changed: another text, another address, a page that comes back', async () => {
    await deploy();
    await confirm();
    const [changed, back] = online().map(({ id }) => id) as [number, number];
    api.articles.touch(changed, { content_html: '<p>Nouveau</p>' });
    await deploy();
    expect(await confirm()).toMatchObject({ confirmed: 1, requests: 1 });
    api.articles.unpublish(back);
    await deploy();
    await confirm();
    api.articles.touch(back, { status: 'published' });
    await deploy();
    expect(await confirm()).toMatchObject({ confirmed: 1, requests: 1 });
    await deploy(({ id }) => `/articles/${id}/`);
    expect(await confirm()).toMatchObject({ confirmed: online().length });
  });

  it('does not confirm again because a confirmation changed `updated_at`', async () => {
    await deploy();
    await confirm();
    for (let round = 0; round < 3; round++) {
      for (const { id } of online()) api.articles.touch(id, {});
      await deploy();
      expect(await confirm()).toMatchObject({ confirmed: 0, requests: 0, unchanged: online().length });
    }
  });

  it.each<[string, { site?: number; service?: number }, object, string]>([
    ['that is missing', { site: 404 }, { notOnline: 1 }, 'HTTP 404'],
    ['that redirects', { site: 301 }, { notOnline: 1 }, 'redirects to /elsewhere/'],
    ['that does not respond', { site: RESET }, { notOnline: 1 }, 'no response'],
    ['that the service refuses', { service: 422 }, { refused: 1 }, 'the service refused it: HTTP 422'],
  ])('goes on after a page %s, and tries it again in the next run', async (_, { site, service }, counts, reason) => {
    await deploy();
    const [{ id, url }] = await noted();
    if (site !== undefined) missing.set(new URL(url).pathname, site);
    if (service !== undefined) api.fail({ operation: 'articles.confirm', status: service });
    const none = { notOnline: 0, refused: 0, gone: 0, left: 0 };
    const problems = [{ id, url, reason }];
    expect(await confirm()).toMatchObject({ ...none, confirmed: online().length - 1, ...counts, problems });
    expect(visits).not.toContain('/elsewhere/');
    expect(api.articles.confirmation(id)).toBeUndefined();
    missing.clear();
    expect(await confirm()).toMatchObject({ ...none, confirmed: 1, problems: [] });
  });

  it('counts articles that the service no longer has', async () => {
    await deploy();
    api.articles.remove(online()[0]?.id ?? 0);
    expect(await confirm()).toMatchObject({ gone: 1, confirmed: online().length, problems: [] });
  });

  it('stops at a site that does not respond three times in a row, and not before', async () => {
    await deploy();
    const paths: string[] = (await noted()).map(({ url }: { url: string }) => new URL(url).pathname);
    for (const path of paths) missing.set(path, RESET);
    expect(await confirm()).toMatchObject({ requests: 0, notOnline: paths.length });
    expect(visits).toEqual(paths.slice(0, 3));
    // Only the third page responds. Its response starts the count again.
    missing.delete(paths[2] ?? '');
    expect(paths.length).toBeGreaterThan(3);
    expect(await confirm()).toMatchObject({ confirmed: 1, notOnline: paths.length - 1 });
    expect(visits.slice(3)).toEqual(paths);
  });

  it('refuses pages of another key or address, and confirms again what another service knows', async () => {
    await deploy();
    await confirm();
    const other = createMockApi();
    const elsewhere = { ...connectionTo(other), apiKey: other.keys.readOnly };
    const { message } = await caught(confirm({ connection: elsewhere }), ConfigurationError);
    expect(message).toContain('Build the site with the key and the address of this client');
    expect([other.requests.length, message.includes(other.keys.readOnly)]).toEqual([0, false]);
    connection = { ...connection, apiKey: api.keys.readOnly };
    await deploy();
    expect(await confirm()).toMatchObject({ confirmed: online().length, unchanged: 0 });
  });

  it('confirms the pages of one location with the client of the brand', async () => {
    await deploy(blog, siteUrl, { bulle_id: api.ids.bulle });
    const expected = online().filter(({ bulle_id }) => bulle_id === api.ids.bulle).length;
    expect(expected).toBeGreaterThan(0);
    expect(await confirm()).toMatchObject({ confirmed: expected });
  });

  it('confirms each of two articles at one address, once', async () => {
    await deploy(() => '/same/');
    expect(await confirm()).toMatchObject({ confirmed: online().length });
    expect(await confirm()).toMatchObject({ confirmed: 0, unchanged: online().length });
  });

  it('confirms each of two articles with one slug at its own address', async () => {
    const [one, two] = online().map(({ id }) => id) as [number, number];
    const { slug } = api.articles.touch(one, {});
    connection = {
      ...connection,
      fetch: async (input, init) => {
        const body = await (await api.handle(input, init)).json();
        for (const article of body.articles ?? []) if (article.id === two) article.slug = slug;
        return Response.json(body);
      },
    };
    await deploy();
    expect(await confirm()).toMatchObject({ confirmed: online().length });
    expect(api.articles.confirmation(one)?.rendered_url).toBe(`${siteUrl}/blog/${slug}/`);
    expect(api.articles.confirmation(two)?.rendered_url).toBe(`${siteUrl}/blog/${slug}-${two}/`);
  });

  it.each([
    [0, 200, 1],
    [1, 200, 2],
    [5, 1, 1],
    [6, 3, 3],
  ])('with %i retries of the client and `maxRequests: %i`, a failing service gets %i', async (retries, most, sent) => {
    await deploy();
    const headers = { 'Retry-After': '0' };
    api.fail({ operation: 'articles.confirm', status: 503, headers, times: Number.POSITIVE_INFINITY });
    await rejection(confirm({ connection: { ...connection, maxRetries: retries }, maxRequests: most }));
    expect(confirmations()).toHaveLength(sent);
  });

  it('stays within `maxRequests`, and continues in the next run', async () => {
    await deploy();
    const total = online().length;
    expect(await confirm({ maxRequests: 2 })).toMatchObject({ confirmed: 2, left: total - 2, requests: 2 });
    expect(visits).toHaveLength(2);
    expect(await confirm()).toMatchObject({ confirmed: total - 2, unchanged: 2, left: 0 });
  });

  it.each([401, 403, 500, 429])('keeps what it confirmed before a %i', async (status) => {
    await deploy();
    const total = online().length;
    api.fail({ operation: 'articles.confirm', delay: 0.1, times: 2 });
    api.fail({ operation: 'articles.confirm', status, headers: { 'Retry-After': '86400' } });
    // The rate limit leaves the rest. Everything else is for the user to repair.
    if (status === 429) expect(await confirm()).toMatchObject({ confirmed: 2, left: total - 2 });
    else expect(await rejection(confirm())).toMatchObject({ status });
    expect(await confirm()).toMatchObject({ confirmed: total - 2, unchanged: 2, left: 0 });
  });

  it('refuses a wrong folder, a damaged file and wrong options', async () => {
    expect((await caught(confirm(), ConfigurationError)).message).toContain('Pass `url` to multilocalLoader');
    await deploy();
    for (const maxRequests of [0, 1.5, Number.NaN]) await caught(confirm({ maxRequests }), ConfigurationError);
    const misspelt = { maxRequest: 3 } as Partial<ConfirmPagesOptions>;
    expect((await caught(confirm(misspelt), ConfigurationError)).message).toContain('Did you mean `maxRequests`?');
    await writeFile(join(folder, 'multilocal-confirmed.json'), '{');
    expect((await caught(confirm(), ConfigurationError)).message).toContain('multilocal-confirmed.json is damaged');
  });
});

describe('url of multilocalLoader', () => {
  it('notes id, version and address of each page, and no text', async () => {
    await deploy();
    const pages = await noted();
    const [{ id, updated_at, slug } = expect.unreachable()] = online();
    expect(pages).toHaveLength(online().length);
    const content = expect.stringMatching(/^[\da-f]{32}$/);
    const account = expect.stringMatching(/^[\da-f]{64}$/);
    expect(pages).toContainEqual({ id, updated_at, url: `${siteUrl}/blog/${slug}/`, content, account });
    expect(collection.log.at(-1)).toContain(`${online().length} pages noted`);
  });

  it('notes the pages of all collections, each page once', async () => {
    await deploy(blog, siteUrl, { loaded: [collectionOf('articles'), collectionOf('news')] });
    expect(await noted()).toHaveLength(online().length);
    await deploy(({ id }) => `/news/${id}/`, siteUrl, { loaded: [collectionOf('news')] });
    expect(await noted()).toHaveLength(2 * online().length);
  });

  it('notes nothing in the development server', async () => {
    await deploy(blog, siteUrl, { loaded: [Object.assign(collectionOf(), { watcher: {} })] });
    expect((await caught(confirm(), ConfigurationError)).message).toContain('does not exist');
  });

  it('may return an address for examples, which somebody else owns: nothing is confirmed there', async () => {
    await deploy(({ slug }) => `https://www.example.com/${slug}`, null);
    expect((await caught(confirm(), ConfigurationError)).message).toContain('your own site');
  });

  it.each<[string, (article: ArticleData) => string, (string | null)?]>([
    ['a path without a `site`', blog, null],
    ['a script', () => 'javascript:alert(1)', null],
    ['nothing', () => '', null],
    ['a slug that begins with a slash', () => '//elsewhere.example/x'],
    ['a slug that begins with a backslash', () => '/\\elsewhere.example/x'],
    ['a slug that is an address', () => 'https://evil.example/x'],
    ['a slug that begins with `@`', () => `${siteUrl}@evil.example/`],
    ['a slug that continues the host', () => `${siteUrl.replace(/:\d+$/, '')}.evil.example/`],
    ['another port', () => siteUrl.replace(/:\d+$/, ':1/x')],
    ['the slug `..`', () => '/blog/../'],
    ['the slug `.`', () => '/blog/.'],
    ['encoded dots', () => '/blog/%2E%2e/'],
    ['a backslash', () => '/blog\\..\\'],
    ['nothing but dots', () => '..'],
    ['dots with characters that addresses drop', () => '/blog/.\n%2\te\u0001 '],
    ['dots in an absolute address', () => `${siteUrl}/blog/..?x`],
  ])('refuses an address that leads elsewhere: %s', async (_, url, address = siteUrl) => {
    expect((await caught(deploy(url, address), ConfigurationError)).message).toContain('on the `site`');
  });

  it.each(['/blog/a..b/', '/blog/.../', '/blog/?from=../x', '/blog/#..'])('takes %s', async (path) => {
    await deploy(() => path);
    expect(await noted()).toContainEqual(expect.objectContaining({ url: `${siteUrl}${path}` }));
  });
});
