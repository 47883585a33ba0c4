// Takes the pictures of examples/site that the home page shows: `npx tsx apps/docs/picture.ts`, after the site changed.
import { join } from 'node:path';
import { Client } from 'multilocal';
import { chromium } from 'playwright';
import { startMock } from '../../examples/site/mock.js';
import { buildSite, serveSite } from '../../examples/site/serve.js';
import { launchOptions } from '../../scripts/services.mjs';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'images');
const mock = await startMock({ now: '2026-11-21T09:00:00Z' });
await buildSite();
const client = new Client({ apiKey: mock.api.keys.readOnly, baseUrl: mock.url });
const site = await serveSite({ client, port: 5183, confirm: false, built: true });
const browser = await chromium.launch(launchOptions());
for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1200, height: 800 } });
  await page.goto(site.url, { waitUntil: 'networkidle' });
  await page.screenshot({ path: join(folder, `site-${colorScheme}.jpg`), quality: 75, type: 'jpeg' });
}
await browser.close();
await site.close();
await mock.close();
