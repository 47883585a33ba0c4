import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { launchOptions } from '../../scripts/services.mjs';

/** Starts a browser. Tests with the same options and first script get one page in turn: a new one costs a second of the processor. */
export function usePages(): (options?: BrowserContextOptions, script?: () => void) => Promise<Page> {
  let browser: Browser;
  const pages = new Map<string, Page>();
  beforeAll(async () => {
    browser = await chromium.launch(launchOptions());
  });
  afterAll(() => browser?.close());
  return async (options, script) => {
    const key = JSON.stringify([options, script?.toString()]);
    const page = pages.get(key) ?? (await browser.newPage(options));
    if (script && !pages.has(key)) await page.addInitScript(script);
    // The time that a machine needs fails no test.
    page.context().setDefaultTimeout(0);
    pages.set(key, page);
    onTestFinished(() => clean(page));
    return page;
  };
}

/** Leaves of a test what its server has stored on its address. */
async function clean(page: Page): Promise<void> {
  for (const event of ['console', 'dialog', 'pageerror', 'request', 'requestfailed'] as const)
    for (const target of [page, page.context()]) target.removeAllListeners(event);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().unrouteAll({ behavior: 'ignoreErrors' });
  await page.mouse.move(0, 0);
  await page.goto('about:blank');
}
