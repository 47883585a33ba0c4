import { type MockServer, startMockServer } from 'multilocal/mock/server';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { usePages } from '../support/pages.js';
import { bundle, readyFile } from './bundle.js';
import { openSite } from './site.js';

const nextPage = usePages();
let mock: MockServer;
/** The articles that are online, and so what a page should count. */
let total: number;
beforeAll(async () => {
  mock = await startMockServer();
  total = mock.api.articles.all().filter(({ status }) => status === 'published').length;
});
afterAll(() => mock.close());

/** Opens a page, and gets the JSON that it logs. */
async function reportOf(address: string): Promise<unknown> {
  const page = await nextPage();
  const failed = new Promise<never>((_, reject) => page.on('pageerror', reject));
  const said = page.waitForEvent('console', { predicate: (message) => message.type() === 'log', timeout: 0 });
  await page.goto(address);
  return JSON.parse((await Promise.race([said, failed])).text());
}

/** A page that starts a worker and logs the message of the worker. A script of its own, because the policy allows no other. */
function workerPage(page: string, worker: string): Record<string, string> {
  return {
    [page]: '<!doctype html><script type="module" src="/start-worker.js"></script>',
    '/start-worker.js': `
      const worker = new Worker('${worker}', { type: 'module' });
      worker.onmessage = ({ data }) => console.log(JSON.stringify(data));
      worker.onerror = () => console.log('"the worker failed"');`,
  };
}

const options = () => JSON.stringify({ apiKey: mock.api.keys.readOnly, baseUrl: mock.url });

describe("under Content-Security-Policy: script-src 'self'", () => {
  /** Scripts that count the articles, and say which violations of the policy they saw. */
  const READ = `
    import { ArticlesClient } from '/articles.js';
    export const read = async (options) => (await new ArticlesClient(options).list({ status: 'published' })).total;`;
  /** What the policy forbids, to see that a violation would show. */
  const EVALUATE = `
    export const read = () => {
      try {
        return new Function('return 1')();
      } catch {
        return 'refused';
      }
    };`;
  const REPORT = (options: string) => `
    import { violations } from '/watch.js';
    import { read } from '/read.js';
    export async function report() {
      const total = await read(${options});
      // Violations are told in a task of their own.
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { total, violations };
    }`;
  const FILES = {
    '/watch.js': `
      export const violations = [];
      self.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
        violations.push(effectiveDirective + ' ' + blockedURI);
      });`,
    '/page': '<!doctype html><script type="module" src="/page.js"></script>',
    '/page.js': `
      import { report } from '/report.js';
      console.log(JSON.stringify(await report()));`,
    ...workerPage('/worker', '/worker.js'),
    '/worker.js': `
      import { report } from '/report.js';
      postMessage(await report());`,
    '/service-worker': '<!doctype html><script type="module" src="/start-service-worker.js"></script>',
    '/start-service-worker.js': `
      navigator.serviceWorker.onmessage = ({ data }) => console.log(JSON.stringify(data));
      await navigator.serviceWorker.register('/service-worker.js', { type: 'module' });
      (await navigator.serviceWorker.ready).active.postMessage('report');`,
    '/service-worker.js': `
      import { report } from '/report.js';
      addEventListener('message', (event) => {
        event.waitUntil(report().then((result) => event.source.postMessage(result)));
      });`,
  };

  async function openWith(read: string): Promise<string> {
    const { code } = await bundle('src/articles.ts');
    const files = { ...FILES, '/articles.js': code, '/read.js': read, '/report.js': REPORT(options()) };
    const site = await openSite(files, { 'content-security-policy': "script-src 'self'" });
    onTestFinished(() => site.close());
    return site.url;
  }

  describe.each(['page', 'worker', 'service-worker'])('in a %s', (place) => {
    it('lists, and violates nothing', async () => {
      expect(await reportOf(`${await openWith(READ)}/${place}`)).toEqual({ total, violations: [] });
    });

    it('a violation would show', async () => {
      const report = await reportOf(`${await openWith(EVALUATE)}/${place}`);
      expect(report).toEqual({ total: 'refused', violations: ['script-src eval'] });
    });
  });
});

describe('a relative baseUrl', () => {
  // The script of a worker has an address of its own, from which `..` leads on.
  it.each([
    ['/content', '/content/api/v2/articles/42'],
    ['../content', '/content/api/v2/articles/42'],
    ['./content', '/assets/content/api/v2/articles/42'],
  ])('%s leads to %s in a worker', async (baseUrl, path) => {
    const site = await openSite({
      ...workerPage('/page', '/assets/worker.js'),
      '/assets/worker.js': `
        import { ArticlesClient } from '/articles.js';
        const articles = new ArticlesClient({ baseUrl: '${baseUrl}', validation: 'off' });
        postMessage(await articles.get(42));`,
      '/articles.js': (await bundle('src/articles.ts')).code,
      [path]: '{"id":42}',
    });
    onTestFinished(() => site.close());
    expect(await reportOf(`${site.url}/page`)).toEqual({ id: 42 });
    expect(site.asked).toContain(path);
  });
});

describe('a relative baseUrl of a page below a path', () => {
  it.each([
    ['/content', '', '/content/api/v2/articles/42'],
    ['./content', '', '/blog/content/api/v2/articles/42'],
    ['../content', '', '/content/api/v2/articles/42'],
    ['./content', '<base href="/shop/">', '/shop/content/api/v2/articles/42'],
  ])('%s leads on from the page, or from its %s', async (baseUrl, base, path) => {
    const site = await openSite({
      '/blog/levain': `<!doctype html>${base}<script type="module">
        import { ArticlesClient } from '/articles.js';
        const articles = new ArticlesClient({ baseUrl: '${baseUrl}', validation: 'off' });
        console.log(JSON.stringify(await articles.get(42)));
      </script>`,
      '/articles.js': (await bundle('src/articles.ts')).code,
      [path]: '{"id":42}',
    });
    onTestFinished(() => site.close());
    expect(await reportOf(`${site.url}/blog/levain`)).toEqual({ id: 42 });
    expect(site.asked).toContain(path);
  });
});

describe('the ready file, imported by a page without a bundler', () => {
  it('is all that the page loads; lists, and its errors are typed', async () => {
    const page = `<!doctype html>
      <script type="module">
        import { ArticlesClient, isMultilocalError, NotFoundError } from '/multilocal-articles.min.js';
        const articles = new ArticlesClient(${options()});
        const { total } = await articles.list({ status: 'published' });
        const error = await articles.get(999999).catch((error) => error);
        const { code, status, name } = error;
        const kinds = [error instanceof NotFoundError, isMultilocalError(error)];
        console.log(JSON.stringify({ total, code, status, name, kinds }));
      </script>`;
    const site = await openSite({ '/page': page, '/multilocal-articles.min.js': readyFile('articles') });
    onTestFinished(() => site.close());
    expect(await reportOf(`${site.url}/page`)).toEqual({
      total,
      code: 'not_found',
      status: 404,
      name: 'NotFoundError',
      kinds: [true, true],
    });
    expect(site.asked.filter((path) => path !== '/favicon.ico')).toEqual(['/page', '/multilocal-articles.min.js']);
  });
});
