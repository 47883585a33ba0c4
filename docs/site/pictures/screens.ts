// Pictures of pages, taken in Chromium: the calendar that a client approves, and the site that `init astro` writes.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMockApi } from 'multilocal/mock';
import { type BrowserContextOptions, chromium, type Page } from 'playwright';
import { installed, node22 } from '../../../scripts/matrix.mjs';
import { launchOptions } from '../../../scripts/services.mjs';
import { run } from '../../../test/examples/run.js';
import { serveFolder } from '../../../test/support/serve.js';
import { input, NOW, show } from './command.js';

const root = join(import.meta.dirname, '..', '..', '..');
const template = join(root, 'packages', 'sites', 'templates', 'astro');
const SIZE = { width: 1200, height: 1330 };
/** Quality of WebP, from 0 to 1. */
const QUALITY = 0.72;

/** The page of the calendar. */
export async function calendarPage(): Promise<string> {
  const table = ['--name', 'December', '--zone', 'Europe/Paris', '--date-order', 'dmy'];
  const output = ['--out', 'plan.json', '--calendar', 'december.html', '--approve', 'lea@agency.example'];
  const { files } = await show(['plan', 'december.csv', ...table, ...output], input('december.csv'));
  return files['december.html'] ?? '';
}

/** What a picture shows, without a browser: the page of the calendar, or the sources and the articles of the site. */
export const inputs: Readonly<Record<'calendar' | 'site', () => Promise<string>>> = {
  calendar: async () => digest([await calendarPage()]),
  site: async () => digest([...sourcesOf(template), JSON.stringify(createMockApi({ now: NOW }).articles.all())]),
};

export async function calendarPictures(): Promise<Record<string, Buffer>> {
  const html = await calendarPage();
  const look = (page: Page) => page.setContent(html);
  // The form of the pictures of the site, which stand beside it.
  const shot = await picture(look, { viewport: { width: 920, height: 1020 } });
  return { 'calendar.webp': shot };
}

/** Installs Astro from npm, builds the site with the articles of the mock, and opens its home page and an article. */
export async function sitePictures(): Promise<Record<string, Buffer>> {
  const parent = mkdtempSync(join(tmpdir(), 'multilocal-site-'));
  try {
    const site = await serveFolder(await build(parent));
    const home = (page: Page) => page.goto(`${site.url}/`);
    const article = async (page: Page) => {
      await home(page);
      await page.locator('main a[href^="/articles/"]').first().click();
      await page.waitForLoadState('networkidle');
    };
    const pictures = {
      'start-a-site-light.webp': await picture(home, { viewport: SIZE }),
      'start-a-site-dark.webp': await picture(article, { viewport: SIZE, colorScheme: 'dark' }),
    };
    await site.close();
    return pictures;
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

/** Does what `npm install` and `npm run build` do in a new site, with Node 22, which Astro 7 needs. Returns the folder of its pages. */
async function build(parent: string): Promise<string> {
  const site = join(parent, 'journal');
  await command(parent, [join(root, 'dist', 'cli.js'), 'init', 'astro', 'journal']);
  const modules = await installed('astro7');
  symlinkSync(modules, join(parent, 'node_modules'), 'junction');
  mkdirSync(join(site, 'node_modules'));
  symlinkSync(root, join(site, 'node_modules', 'multilocal'), 'junction');
  await command(site, [join(modules, 'astro', 'bin', 'astro.mjs'), 'build'], await node22());
  return join(site, 'dist');
}

async function command(cwd: string, args: string[], node = process.execPath): Promise<void> {
  const { code, output } = await run(node, args, { cwd, env: { ASTRO_TELEMETRY_DISABLED: '1' } });
  if (code !== 0) throw new Error(output);
}

/** What Chromium shows, as WebP. */
async function picture(look: (page: Page) => Promise<unknown>, options: BrowserContextOptions): Promise<Buffer> {
  const browser = await chromium.launch(launchOptions());
  try {
    const page = await browser.newPage(options);
    await look(page);
    await page.evaluate(() => document.fonts.ready);
    const png = (await page.screenshot()).toString('base64');
    await page.goto('about:blank');
    // Chromium writes PNG and JPEG itself. Its canvas writes WebP.
    const webp = await page.evaluate(
      async ([source, quality]) => {
        const image = new Image();
        image.src = `data:image/png;base64,${source}`;
        await image.decode();
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [image.width, image.height];
        canvas.getContext('2d')?.drawImage(image, 0, 0);
        return canvas.toDataURL('image/webp', quality).split(',')[1] ?? '';
      },
      [png, QUALITY] as const,
    );
    return Buffer.from(webp, 'base64');
  } finally {
    await browser.close();
  }
}

/** The sources of the template, with their names. What a build or an editor leaves in it is none. */
function sourcesOf(folder: string): string[] {
  const parts = ['src', 'public', 'astro.config.ts'].map((name) => join(folder, name));
  const files = parts.flatMap((part) =>
    statSync(part).isFile()
      ? part
      : readdirSync(part, { recursive: true, encoding: 'utf8' }).map((name) => join(part, name)),
  );
  const texts = files.sort().filter((file) => statSync(file).isFile());
  return texts.flatMap((file) => [file.slice(folder.length).replaceAll('\\', '/'), readFileSync(file, 'utf8')]);
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
