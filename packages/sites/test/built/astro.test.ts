import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { environmentOf } from '@multilocal/test/examples/run';
import { type MockServer, startMockServer } from 'multilocal/mock/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProject, type Project, VERSIONS } from './project.js';

const FOREVER = Number.POSITIVE_INFINITY;

/** Every page is online. */
const site = createServer((_, response) => response.end('page'));
let siteUrl: string;

beforeAll(async () => {
  await once(site.listen(0, '127.0.0.1'), 'listening');
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(async () => {
  site.closeAllConnections();
  site.close();
});

// Each test builds on the one before, as builds do.
describe.each(VERSIONS)('a site on Astro $astro with the packed package', (version) => {
  let server: MockServer;
  let project: Project;

  beforeAll(async () => {
    server = await startMockServer();
    for (const { id } of online().slice(120)) server.api.articles.remove(id);
    const env = { ...environmentOf(server), SITE: siteUrl };
    project = await createProject(version, env);
  });
  afterAll(async () => {
    await server?.close();
    await project?.remove();
  });

  const online = () => server.api.articles.all().filter(({ status }) => status === 'published');
  const slugs = () =>
    online()
      .map(({ slug }) => slug ?? '')
      .sort();

  /** Builds the site and counts the requests. */
  async function build(env?: Record<string, string>) {
    const before = server.api.requests.length;
    const { code, output } = await project.astro('build', [], env);
    return { code, output, requests: server.api.requests.length - before };
  }

  // Each build takes eight seconds of a processor: what depends on no version is seen on the newest one.
  it.runIf(version.own)('fails rather than build without articles', async () => {
    const restore = server.api.fail({ status: 503, times: FOREVER });
    const { code, output } = await build();
    expect(code, output).not.toBe(0);
    expect(output).toContain('No build has loaded all articles yet');
    restore();
  });

  it('makes a page of each of 120 articles, without what does harm', async () => {
    const [first] = online();
    const content_html = '<p>Un</p><script>track()</script>';
    server.api.articles.touch(first?.id ?? 0, { content_html, title: 'Du "pain" & <levain>', meta_title: null });
    const { code, output, requests } = await build();
    expect(code, output).toBe(0);
    expect(requests).toBeLessThan(10);
    expect(await project.pages()).toEqual(slugs());
    expect(slugs()).toHaveLength(120);
    const page = await readFile(join(project.folder, version.output, 'blog', first?.slug ?? '', 'index.html'), 'utf8');
    expect(page).toContain('<h1>Du &quot;pain&quot; &amp; &lt;levain&gt;</h1><p>Un</p>');
    expect(page).not.toContain('track');
    expect(page).toContain(`<link rel="canonical" href="${siteUrl}/blog/${first?.slug}`);
  });

  it('rebuilds with one request, and follows what changes and goes offline', async () => {
    const [changed, offline] = online();
    server.api.articles.touch(changed?.id ?? 0, { title: 'Nouveau titre' });
    server.api.articles.unpublish(offline?.id ?? 0);
    const { code, output, requests } = await build();
    expect(code, output).toBe(0);
    expect(requests).toBe(1);
    expect(await project.pages()).toEqual(slugs());
    expect(slugs()).toHaveLength(119);
    const file = join(project.folder, version.output, 'blog', changed?.slug ?? '', 'index.html');
    expect(await readFile(file, 'utf8')).toContain('<h1>Nouveau titre</h1>');
  });

  it('has typed entries', async () => {
    // The build has written their types.
    const { code, output } = await project.astro('check', ['--noSync']);
    expect(output).toContain('0 errors');
    expect(code).toBe(0);
  });

  it('confirms the pages that are online, once', async () => {
    expect((await project.run('confirm.mjs')).output).toContain('{"confirmed":119,"unchanged":0,"notOnline":0');
    expect((await project.run('confirm.mjs')).output).toContain('{"confirmed":0,"unchanged":119,"notOnline":0');
    const [{ id, slug } = expect.unreachable()] = online();
    expect(server.api.articles.confirmation(id)?.rendered_url).toBe(`${siteUrl}/blog/${slug}/`);
  });

  it.runIf(version.own)('drops what is deleted with a complete listing', async () => {
    server.api.articles.remove(online()[0]?.id ?? 0);
    expect((await build({ RECONCILE: '1' })).code).toBe(0);
    expect(await project.pages()).toEqual(slugs());
    expect(slugs()).toHaveLength(118);
  });

  it.runIf(version.own)('serves live entries, and says when the service is out', async () => {
    const [{ id, title } = expect.unreachable(), draft] = online();
    server.api.articles.unpublish(draft?.id ?? 0);
    const env = { ...process.env, ...environmentOf(server) };
    const live = spawn(project.node, ['serve.mjs'], { cwd: project.folder, env, stdio: ['pipe', 'pipe', 'inherit'] });
    try {
      const [url] = await once(createInterface({ input: live.stdout }), 'line');
      const get = async (path: string) => {
        const before = server.api.requests.length;
        const response = await fetch(`${url}${path}`);
        const text = await response.text();
        const { status, headers } = response;
        return { status, text, tags: headers.get('x-tags'), headers, requests: server.api.requests.length - before };
      };
      const page = await get(`/live/${id}`);
      expect(page).toMatchObject({ status: 200, tags: `multilocal:article:${id}`, requests: 1 });
      expect(page.text).toContain(`<h1>${title}</h1>`);
      expect(page.text).not.toContain('<script');
      expect(page.headers.get('last-modified')).toMatch(/GMT$/);
      expect(await get(`/live/${draft?.id}`)).toMatchObject({ status: 404 });
      expect(await get('/live/abc')).toMatchObject({ status: 404, requests: 0 });
      const list = await get('/live/');
      expect(list.tags?.split(',')).toContain('multilocal:articles');
      expect(list.text.match(/<li>/g)).toHaveLength(online().length);
      server.api.fail({ status: 503, times: FOREVER });
      for (const path of [`/live/${id}`, '/live/']) expect(await get(path)).toMatchObject({ status: 503 });
    } finally {
      live.kill();
    }
  });
});
