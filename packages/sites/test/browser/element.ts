import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Client } from '@multilocal/client/client';
import { bundle } from '@multilocal/test/browser/bundle';
import { usePages } from '@multilocal/test/support/pages';
import axe from 'axe-core';
import { type MockServer, startMockServer } from 'multilocal/mock/server';
import type { BrowserContext, BrowserContextOptions, Page, Route } from 'playwright';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { articlesProxy } from '../../src/proxy/index.js';

/** What a strict page sends: its own scripts and styles only, and no text may become code. */
const STRICT =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src https: http://127.0.0.1:*; connect-src 'self'; require-trusted-types-for 'script'";

const PIXEL = '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="9"><path d="M0 0h16v9H0z"/></svg>';

export interface World {
  mock: MockServer;
  /** What the server responds to the next requests for articles, instead of the proxy. */
  failures: number[];
  /** Opens a page with this body. `path`: its address. */
  open(body: string, options?: OpenOptions): Promise<Opened>;
}

interface OpenOptions extends BrowserContextOptions {
  path?: string;
  /** Without it, articles are sanitised by DOMPurify. */
  hasSanitizer?: boolean;
  /** Holds the first request for articles until `release`. */
  isHeld?: boolean;
  lang?: string;
}

export interface Opened {
  page: Page;
  context: BrowserContext;
  url: string;
  /** The requests below `/content`, such as `/articles?status=published`. */
  asked: string[];
  /** Lets the held request go on. */
  release(): Promise<void>;
  /** What the policy of the page forbade, and what the page did not catch. */
  faults: string[];
}

/** A browser, a mock, and pages on a server of their own with a proxy at `/content`. */
export function useWorld(): World {
  let code: string;
  const pageWith = usePages();
  const world = { open, failures: [] as number[] } as World;
  beforeAll(async () => {
    world.mock = await startMockServer();
    ({ code } = await bundle('packages/sites/src/element/index.ts'));
  });
  beforeEach(() => world.mock.api.reset());
  afterAll(() => world.mock.close());
  return world;

  async function open(body: string, options: OpenOptions = {}): Promise<Opened> {
    const { path = '/', hasSanitizer = true, isHeld = false, lang = 'en', ...others } = options;
    const asked: string[] = [];
    const html = `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>Page</title>
      <link rel="stylesheet" href="/page.css"><script src="/watch.js"></script>
      <script type="module" src="/element.js"></script><body><main><h1>Journal</h1>${body}</main></body></html>`;
    const client = new Client({ apiKey: world.mock.api.keys.readOnly, baseUrl: world.mock.url, rateLimit: false });
    const url = await serve(client, asked, world.failures, {
      '/element.js': code,
      '/watch.js': WATCH,
      '/page.css': ':root { color-scheme: light dark; background: light-dark(#fff, #111) }',
      [path]: html,
    });
    const page = await pageWith(others, hasSanitizer ? undefined : dropSanitizer);
    const context = page.context();
    // Names lead nowhere. Pictures of this host are there.
    await context.route(/^https:/, (route) =>
      new URL(route.request().url()).hostname === 'pictures.example'
        ? route.fulfill({ body: PIXEL, contentType: 'image/svg+xml' })
        : route.abort(),
    );
    let hold: (route: Route) => void = () => {};
    // The page may say that it loads before its request is here.
    const held = new Promise<Route>((resolve) => {
      hold = resolve;
    });
    if (isHeld) await context.route('**/content/**', hold, { times: 1 });
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.text().startsWith('violation')) faults.push(message.text());
    });
    await page.goto(url + path);
    return { page, context, url, asked, faults, release: async () => (await held).continue() };
  }
}

function dropSanitizer(): void {
  Reflect.deleteProperty(Element.prototype, 'setHTML');
}

const WATCH = `
  // The time that a machine needs ends no request of a page.
  const timer = setTimeout;
  setTimeout = (callback, ms, ...values) => (ms >= 20_000 ? 0 : timer(callback, ms, ...values));
  performance.now = () => 0;
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
    console.log('violation', effectiveDirective, blockedURI, sample);
  });
  globalThis.told = [];
  for (const name of ['show', 'error']) {
    addEventListener('multilocal-articles:' + name, ({ type, detail, target }) => {
      told.push({ type, target: target.id, ...(detail.error ? { code: detail.error.code } : detail) });
    });
  }`;

async function serve(client: Client, asked: string[], failures: number[], files: Record<string, string>) {
  const proxy = getRequestListener(articlesProxy({ client, path: '/content', refresh: 0 }), {
    overrideGlobalObjects: false,
  });
  const server = createServer((request, response) => {
    const { pathname: path } = new URL(request.url ?? '/', 'http://localhost');
    if (path.startsWith('/content/')) {
      asked.push((request.url ?? '').replace('/content/api/v2', ''));
      const status = failures.shift();
      if (status) return void response.writeHead(status).end('{"detail":"PostgreSQL at 10.0.0.7 is down"}');
      // The pages of a list are small here, unless the page asks for a size.
      if (path.endsWith('/articles') && !/[?&]limit=/.test(request.url ?? ''))
        request.url += `${request.url?.includes('?') ? '&' : '?'}limit=5`;
      return void proxy(request, response);
    }
    const file = files[path];
    if (file === undefined) return void response.writeHead(404).end();
    const type = path.endsWith('.js') ? 'text/javascript' : path.endsWith('.css') ? 'text/css' : 'text/html';
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': STRICT }).end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What axe-core finds, as `rule: element`. It runs past the policy of the page, which would forbid the script. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}

/** The events of the elements, in order. */
export const told = (page: Page): Promise<unknown[]> =>
  page.evaluate(() => (globalThis as unknown as { told: unknown[] }).told);
