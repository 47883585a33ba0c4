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

  it.each(['page', 'worker', 'service-worker'])('a %s lists, and violates nothing', async (place) => {
    expect(await reportOf(`${await openWith(READ)}/${place}`)).toEqual({ total, violations: [] });
    // A violation would show.
    const violation = { total: 'refused', violations: ['script-src eval'] };
    expect(await reportOf(`${await openWith(EVALUATE)}/${place}`)).toEqual(violation);
  });
});

describe('a relative baseUrl', () => {
  const read = (baseUrl: string) => `
    import { ArticlesClient } from '/articles.js';
    const articles = new ArticlesClient({ baseUrl: '${baseUrl}', validation: 'off' });
    const article = await articles.get(42);`;
  const page = (base = '') => ({
    '/blog/levain': `<!doctype html>${base}<script type="module" src="/page.js"></script>`,
    '/page.js': `${read('./content')} console.log(JSON.stringify(article));`,
  });
  const worker = {
    ...workerPage('/blog/levain', '/assets/worker.js'),
    '/assets/worker.js': `${read('./content')} postMessage(article);`,
  };

  // test/core/options.test.ts has the other addresses.
  it.each<[string, Record<string, string>, path: string]>([
    ['of a page', page(), '/blog/content/api/v2/articles/42'],
    ['of a page with a <base>', page('<base href="/shop/">'), '/shop/content/api/v2/articles/42'],
    ['of a worker', worker, '/assets/content/api/v2/articles/42'],
  ])('leads on from the address %s', async (_, files, path) => {
    const { code } = await bundle('src/articles.ts');
    const site = await openSite({ ...files, '/articles.js': code, [path]: '{"id":42}' });
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
