import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright';
import { describe, expect, it, onTestFinished } from 'vitest';
import { launchOptions } from '../../scripts/services.mjs';
import { startMockServer } from '../../src/mock/server.js';
import { environmentOf, example } from './run.js';

/** Starts the example on a free port. `dist` of the package must be there. */
async function start(env: Record<string, string>): Promise<string> {
  const { MULTILOCAL_API_KEY: _key, MULTILOCAL_BASE_URL: _url, ...rest } = process.env;
  const child = spawn(process.execPath, ['server.mjs'], {
    cwd: example('element'),
    env: { ...rest, ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\S+/.exec(line) ?? [];
    if (url) return url;
  }
  throw new Error('The server ended.');
}

describe('the page', () => {
  it('shows the articles of a mock, with the title of the article as its own', async () => {
    const url = await start({});
    const browser = await chromium.launch(launchOptions());
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (/policy/i.test(message.text())) faults.push(message.text());
    });
    await page.goto(url);
    const first = page.locator('[part=link]').first();
    const title = await first.textContent();
    await first.click();
    await page.locator('[part=heading]').waitFor();
    expect(await page.title()).toBe(`${title} | Le journal des Fournils d’Augustine`);
    await page.goBack();
    await first.waitFor();
    expect(await page.title()).toBe('Le journal des Fournils d’Augustine');
    expect(faults).toEqual([]);
  });

  it('comes with the component and a strict policy, and serves the service that the environment names', async () => {
    const mock = await startMockServer();
    onTestFinished(() => mock.close());
    const url = await start(environmentOf(mock, mock.api.keys.readOnly));
    const home = await fetch(url);
    expect(home.headers.get('content-security-policy')).toContain("default-src 'self'");
    const element = await fetch(`${url}/multilocal-element.min.js`);
    expect(element.headers.get('content-type')).toContain('javascript');
    const list = await fetch(`${url}/content/api/v2/articles`);
    expect((await list.json()).total).toBeGreaterThan(0);
    expect(mock.api.requests.map(({ operation }) => operation)).toEqual(['articles.list']);
  });
});
