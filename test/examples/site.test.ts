import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from 'multilocal';
import type { MockArticlePatch, MockServer, MockServerOptions } from 'multilocal/mock/server';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startMock } from '../../examples/site/mock.js';
import { buildSite, serveSite } from '../../examples/site/serve.js';
import { drawingOf } from '../../examples/site/src/views/subject.js';

// The built site in Chromium, before the mock API. `dist` of the package must be there: `npm run build` writes it.
const ROOT = join(import.meta.dirname, '../../examples/site');
const HOUR = 3_600_000;
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let browser: Browser;
beforeAll(async () => {
  await buildSite();
  browser = await chromium.launch({
    executablePath: chromiumPath(),
    // Names lead nowhere: what a page asks of other hosts must not leave this machine.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
});
afterAll(() => browser.close());

function chromiumPath(): string {
  const paths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', chromium.executablePath()];
  const path = [process.env.CHROMIUM_PATH, ...paths].find((candidate) => candidate && existsSync(candidate));
  if (!path) throw new Error('Chromium is missing: install it, or name it with CHROMIUM_PATH.');
  return path;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

interface Site {
  url: string;
  api: MockServer['api'];
  /** What the service received: `GET /articles`, `POST /articles/12/confirm`. */
  received(): string[];
  /** Start the site's server anew: what it had kept of the service's answers is gone. */
  forget(): Promise<void>;
}

async function openSite(options: MockServerOptions = {}): Promise<Site> {
  const { url: baseUrl, api, close } = await startMock(options);
  const port = await freePort();
  const client = new Client({ apiKey: api.keys.readOnly, baseUrl });
  let server = await serveSite({ client, port, confirm: true, built: true });
  vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(async () => {
    await server.close();
    await close();
    vi.restoreAllMocks();
  });
  return {
    url: server.url,
    api,
    received: () => api.requests.map(({ method, path }) => `${method} ${path.replace('/api/v2', '')}`),
    async forget() {
      await server.close();
      server = await serveSite({ client, port, confirm: true, built: true });
    },
  };
}

interface Reader {
  context: BrowserContext;
  page: Page;
  /** Everything that the browser sent below `/content`. */
  asked: string[];
}

type ReaderOptions = Parameters<Browser['newContext']>[0];

/** A browser with nothing stored. Faults of the page fail the test. */
async function openReader(options: ReaderOptions = {}): Promise<Reader> {
  const context = await browser.newContext(options);
  const asked: string[] = [];
  const faults: string[] = [];
  context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/content/')) asked.push(`${request.method()} ${pathname.replace('/content/api/v2', '')}`);
  });
  context.on('weberror', (error) => faults.push(error.error().message));
  onTestFinished(async () => {
    await context.close();
    expect(faults).toEqual([]);
  });
  return { context, page: await context.newPage(), asked };
}

/** Move the page's clock. Routing switches the browser's own cache off, which goes by the real clock. */
async function later({ context }: Reader, milliseconds: number): Promise<void> {
  await context.route('**/content/**', (route) => route.continue());
  await context.clock.setSystemTime(Date.now() + milliseconds);
}

/** Machines under load take their time. */
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 30_000 });

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName);

/** The newest article, with the given fields. */
const newest = ({ api }: Site, fields: MockArticlePatch = {}) =>
  api.articles.add({ title: 'Le pain du jour', category: 'Nos pains', ...fields });

describe('a visit', () => {
  it('costs one list and one confirmation, the next one nothing, and no key leaves the server', async () => {
    const site = await openSite();
    const { id } = newest(site);
    const { context, page, asked } = await openReader();
    const sent: string[] = [];
    const origins = new Set<string>();
    context.on('request', async (request) => {
      origins.add(new URL(request.url()).origin);
      sent.push(request.url(), JSON.stringify(await request.allHeaders()), request.postData() ?? '');
    });

    await page.goto(site.url);
    await page.getByRole('link', { name: 'Le pain du jour' }).click();
    await eventually(() => heading(page).textContent()).toBe('Le pain du jour');
    await eventually(() => site.api.articles.confirmation(id)).toBeDefined();
    expect(site.received()).toEqual(['GET /articles', `POST /articles/${id}/confirm`]);
    expect(site.api.articles.confirmation(id)?.rendered_url).toBe(`${site.url}/articles/le-pain-du-jour`);

    await page.goBack();
    await page.goForward();
    await page.reload();
    await heading(page).waitFor();
    const again = await context.newPage();
    await again.goto(`${site.url}/articles/le-pain-du-jour?from=letter`);
    await heading(again).waitFor();
    await again.waitForLoadState('networkidle');
    expect(asked).toEqual(['GET /articles', `POST /articles/${id}/confirm`]);

    expect([...origins]).toEqual([site.url]);
    const { keys } = site.api;
    for (const key of Object.values(keys)) expect(sent.join('\n')).not.toContain(key);
    expect(sent.join('\n').toLowerCase()).not.toContain('x-api-key');
  });

  it('straight to an article costs the same', async () => {
    const site = await openSite();
    const { id } = newest(site);
    const { page } = await openReader();
    await page.goto(`${site.url}/articles/le-pain-du-jour`);
    await eventually(() => heading(page).textContent()).toBe('Le pain du jour');
    await page.getByRole('link', { name: 'Le journal', exact: true }).click();
    await eventually(() => heading(page).textContent()).toBe('Le journal du fournil');
    await eventually(() => site.received()).toEqual(['GET /articles', `POST /articles/${id}/confirm`]);
  });

  it('after the lifetime costs one list again, and a new version one confirmation', async () => {
    const site = await openSite();
    const { id } = newest(site);
    const reader = await openReader();
    const { page, asked } = reader;
    const once = ['GET /articles', `POST /articles/${id}/confirm`];
    await page.goto(`${site.url}/articles/le-pain-du-jour`);
    await eventually(() => asked).toEqual(once);
    await eventually(() => page.evaluate(() => localStorage.getItem('journal/v1/confirmed'))).toContain(`"${id}"`);

    await site.forget();
    await later(reader, HOUR);
    await page.reload();
    await heading(page).waitFor();
    await page.waitForLoadState('networkidle');
    expect(asked).toEqual([...once, 'GET /articles']);

    site.api.articles.touch(id, { content_html: '<p>Relu ce matin.</p>' });
    await site.forget();
    await later(reader, 2 * HOUR);
    await page.reload();
    await page.getByText('Relu ce matin.').waitFor();
    await eventually(() => asked).toEqual([...once, 'GET /articles', ...once]);
  });

  it('goes on when a confirmation fails, and tries again at the next one', async () => {
    const site = await openSite();
    const { id } = newest(site);
    site.api.fail({ operation: 'articles.confirm', status: 503 });
    const { page, asked } = await openReader();
    await page.goto(`${site.url}/articles/le-pain-du-jour`);
    await eventually(() => asked.length).toBe(2);
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('status').textContent()).toBe('');
    expect(await heading(page).textContent()).toBe('Le pain du jour');
    await page.getByRole('link', { name: 'Le journal', exact: true }).click();
    await page.getByRole('link', { name: 'Le pain du jour' }).click();
    await page.waitForLoadState('networkidle');
    expect(asked).toHaveLength(2);
    expect(site.api.articles.confirmation(id)).toBeUndefined();
    await page.reload();
    await eventually(() => site.api.articles.confirmation(id)).toBeDefined();
  });

  it.each([
    [
      'switched off',
      () =>
        Object.defineProperty(window, 'localStorage', {
          get: () => {
            throw new DOMException('no', 'SecurityError');
          },
        }),
    ],
    [
      'full',
      () => {
        Storage.prototype.setItem = () => {
          throw new DOMException('no', 'QuotaExceededError');
        };
      },
    ],
    ['tampered with', () => localStorage.setItem('journal/v1/articles', '{"at":"now"}')],
  ])('with storage that is %s still asks once', async (_, break_) => {
    const site = await openSite();
    newest(site);
    const { context, page, asked } = await openReader();
    await context.addInitScript(break_);
    await page.goto(site.url);
    await page.getByRole('link', { name: 'Le pain du jour' }).click();
    await eventually(() => heading(page).textContent()).toBe('Le pain du jour');
    await page.goBack();
    await eventually(() => heading(page).textContent()).toBe('Le journal du fournil');
    await page.goForward();
    await eventually(() => heading(page).textContent()).toBe('Le pain du jour');
    expect(asked.filter((request) => request === 'GET /articles')).toHaveLength(1);
    expect(asked).toHaveLength(2);
  });
});

describe('states', () => {
  const loading = 'Chargement du journal…';

  it('shows and tells that it is loading', async () => {
    const site = await openSite({ latency: 1_500 });
    const { page } = await openReader();
    await page.goto(site.url);
    await page.locator('.skeleton').waitFor();
    expect(await page.getByRole('status').textContent()).toBe(loading);
    expect(await page.locator('main').getAttribute('aria-busy')).toBe('true');
    await heading(page).waitFor();
    expect(await page.locator('main').getAttribute('aria-busy')).toBeNull();
    expect(await page.getByRole('status').textContent()).toBe('');
    expect(await page.locator('.skeleton').count()).toBe(0);
  });

  it('has nothing to show where nothing is published', async () => {
    const site = await openSite();
    for (const { id, status } of site.api.articles.all()) if (status === 'published') site.api.articles.unpublish(id);
    const { page } = await openReader();
    await page.goto(site.url);
    await eventually(() => heading(page).textContent()).toBe('Rien au four pour l’instant');
  });

  it('explains a failure, and lets the reader try again', async () => {
    const site = await openSite();
    site.api.fail({ operation: 'articles.list', status: 500 });
    const { page, asked } = await openReader();
    await page.goto(site.url);
    await eventually(() => heading(page).textContent()).toBe('Le journal n’a pas pu être chargé');
    const told = 'Le journal n’a pas pu être chargé Vérifiez votre connexion, puis réessayez.';
    expect(await page.getByRole('status').textContent()).toBe(told);
    expect(await page.title()).toContain('Indisponible');
    expect(asked).toEqual(['GET /articles']);
    await page.getByRole('button', { name: 'Réessayer' }).click();
    await eventually(() => heading(page).textContent()).toBe('Le journal du fournil');
    expect(await focused(page)).toBe('H1');
    expect(asked).toEqual(['GET /articles', 'GET /articles']);
  });

  it('says that the budget is spent, and when to come back', async () => {
    const site = await openSite();
    site.api.fail({ operation: 'articles.list', status: 429, headers: { 'Retry-After': '600' } });
    const { page } = await openReader();
    await page.goto(site.url);
    await eventually(() => heading(page).textContent()).toBe('Le fournil est complet');
    expect(await page.getByText('Réessayez dans 10 minutes.').last().isVisible()).toBe(true);
  });

  it.each([
    ['the budget is spent', 429, 'Trop de monde au comptoir'],
    ['the service fails', 500, 'Les nouveautés n’ont pas pu être chargées.'],
  ])('shows what is kept when %s, and asks no more by itself', async (_, code, reason) => {
    const site = await openSite();
    newest(site);
    const reader = await openReader();
    const { page, asked } = reader;
    await page.goto(site.url);
    await heading(page).waitFor();

    await site.forget();
    const heal = site.api.fail({
      operation: 'articles.list',
      status: code,
      headers: { 'Retry-After': '0' },
      times: Infinity,
    });
    await later(reader, HOUR);
    await page.reload();
    const notice = page.locator('.notice');
    await notice.waitFor();
    expect(await notice.textContent()).toContain(reason);
    expect(await notice.textContent()).toMatch(/Vous lisez le journal du \d+/);
    expect(await page.getByRole('status').textContent()).toContain(reason);
    expect(asked).toHaveLength(2);

    await page.getByRole('link', { name: 'Le pain du jour' }).click();
    await eventually(() => heading(page).textContent()).toBe('Le pain du jour');
    await notice.waitFor();
    expect(asked.filter((request) => request === 'GET /articles')).toHaveLength(2);

    heal();
    await site.forget();
    await notice.getByRole('button', { name: 'Réessayer' }).click();
    await notice.waitFor({ state: 'detached' });
    expect(asked.filter((request) => request === 'GET /articles')).toHaveLength(3);
  });

  it.each(['nowhere', 'articles/nowhere'])('knows no page /%s', async (path) => {
    const site = await openSite();
    const { page } = await openReader();
    await page.goto(`${site.url}/${path}`);
    await eventually(() => heading(page).textContent()).toBe('Cette page n’est pas au journal');
    expect(await page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex');
    await page.getByRole('link', { name: 'Voir les derniers articles' }).click();
    await eventually(() => heading(page).textContent()).toBe('Le journal du fournil');
    expect(await page.locator('meta[name=robots]').count()).toBe(0);
  });

  it('shows no draft', async () => {
    const site = await openSite();
    const { slug, id } = newest(site);
    site.api.articles.unpublish(id);
    const { page } = await openReader();
    await page.goto(`${site.url}/articles/${slug}`);
    await eventually(() => heading(page).textContent()).toBe('Cette page n’est pas au journal');
  });
});

describe('safety', () => {
  it('runs nothing of what an article holds', async () => {
    const site = await openSite();
    const attack = 'globalThis.attacked = true';
    newest(site, {
      title: `Le pain <img src=x onerror="${attack}">`,
      slug: 'attaque',
      featured_image_url: `javascript:${attack}`,
      content_html: `<h1 id="title" onclick="${attack}">Un titre</h1>
<script>${attack}</script><img src="x" onerror="${attack}"><svg onload="${attack}"><style>@import 'https://q.example';</style></svg>
<p style="position:fixed" class="state">Un <a href="javascript:${attack}">lien</a>, <a href="https://ok.example/">un autre</a>.</p>
<iframe srcdoc="<script>parent.attacked = true</script>"></iframe><form action="https://q.example"><input name="q"></form>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${attack}&gt;"></table></math>
<a href="//q.example/">ailleurs</a>`,
    });
    const { page } = await openReader();
    await page.goto(`${site.url}/articles/attaque`);
    const prose = page.locator('.prose');
    await prose.waitFor();
    await page.waitForLoadState('networkidle');

    expect(await page.evaluate(() => 'attacked' in globalThis)).toBe(false);
    expect(await heading(page).textContent()).toContain('<img src=x');
    expect(await prose.locator('h2').first().textContent()).toBe('Un titre');
    expect(await prose.locator('script, style, iframe, form, input, svg, math, [style], [id], [class]').count()).toBe(
      0,
    );
    const html = await prose.innerHTML();
    expect(html).not.toMatch(/javascript:|\son\w+=/i);
    expect(await prose.getByText('un autre').getAttribute('href')).toBe('https://ok.example/');
    expect(await prose.getByText('ailleurs').getAttribute('href')).toBeNull();
    expect(await page.locator('.cover img').count()).toBe(0);
  });

  it('has a policy that would stop what came past the sanitiser', async () => {
    const site = await openSite();
    const { page } = await openReader();
    await page.goto(site.url);
    await heading(page).waitFor();
    const stopped = await page.evaluate(async () => {
      const violations: string[] = [];
      addEventListener('securitypolicyviolation', (event) => violations.push(event.effectiveDirective));
      const script = document.createElement('script');
      script.textContent = 'globalThis.attacked = true';
      document.body.append(script);
      document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="globalThis.attacked = true">');
      await fetch('https://q.example/').catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 200));
      return { violations: [...new Set(violations)].sort(), attacked: 'attacked' in globalThis };
    });
    expect(stopped.attacked).toBe(false);
    expect(stopped.violations).toEqual(['connect-src', 'img-src', 'script-src-attr', 'script-src-elem']);
  });
});

describe('the head', () => {
  const content = (page: Page, selector: string) => page.locator(`head ${selector}`).getAttribute('content');

  it('says what an article is, to search engines and to those who share it', async () => {
    const site = await openSite();
    const { updated_at, published_at } = newest(site, {
      title: 'Le pain </script><b>',
      slug: 'le-pain',
      meta_title: 'Le pain | Augustine',
      meta_description: 'Tout "sur" le pain & la farine.',
      featured_image_url: 'https://images.example.com/pain.jpg',
    });
    const { page } = await openReader();
    await page.goto(`${site.url}/articles/le-pain?utm=x#haut`);
    await heading(page).waitFor();
    const url = `${site.url}/articles/le-pain`;
    expect(await page.title()).toBe('Le pain | Augustine');
    expect(await content(page, 'meta[name=description]')).toBe('Tout "sur" le pain & la farine.');
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(url);
    expect(await content(page, 'meta[property="og:type"]')).toBe('article');
    expect(await content(page, 'meta[property="og:title"]')).toBe('Le pain | Augustine');
    expect(await content(page, 'meta[property="og:url"]')).toBe(url);
    expect(await content(page, 'meta[property="og:image"]')).toBe('https://images.example.com/pain.jpg');

    const text = (await page.locator('script[type="application/ld+json"]').textContent()) ?? '';
    expect(text).not.toContain('<');
    const data = JSON.parse(text);
    expect(data).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'Article',
      headline: 'Le pain </script><b>',
    });
    expect(data).toMatchObject({ mainEntityOfPage: url, dateModified: updated_at, inLanguage: 'fr' });
    expect(Date.parse(data.datePublished)).toBe(Date.parse(published_at ?? '').valueOf());
  });

  it('changes with the page and is never there twice', async () => {
    const site = await openSite();
    newest(site);
    const { page } = await openReader();
    await page.goto(site.url);
    await heading(page).waitFor();
    const title = await page.title();
    expect(JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '')['@type']).toBe(
      'Blog',
    );
    await page.getByRole('link', { name: 'Le pain du jour' }).click();
    await eventually(() => page.title()).toBe('Le pain du jour');
    await page.goBack();
    await eventually(() => page.title()).toBe(title);
    for (const tag of ['link[rel=canonical]', 'meta[name=description]', 'script[type="application/ld+json"]']) {
      expect(await page.locator(tag).count(), tag).toBe(1);
    }
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(`${site.url}/`);
  });
});

describe('drawings', () => {
  const covers = readFileSync(join(ROOT, 'public', 'covers.svg'), 'utf8');

  it.each([
    ['La baguette de tradition au petit-déjeuner', 'Nos pains', 'baguettes'],
    ['Une nuit au fournil avec le pain de campagne', 'Nos pains', 'loaf'],
    ['Que servir avec la focaccia au romarin ?', 'Nos pains', 'flat'],
    ['L’étoile de Noël au pavot', null, 'star'],
    ['Comment conserver le pain aux noix', null, 'loaf'],
    ['Soupe à l’oignon gratinée en famille', 'Recettes', 'soup'],
    ['Tarte aux pralines : la recette', 'Recettes', 'tart'],
    ['Tartines figues et chèvre', 'Recettes', 'toast'],
    ['Pudding de pain rassis', 'Recettes', 'bowl'],
    ['Notre carte en mai 2026', 'Saisons', 'field'],
    ['Novembre 2026 au fournil', null, 'branch'],
    ['Marseille : nos horaires évoluent', 'La vie des boutiques', 'shop'],
    ['Autre chose', null, 'wheat'],
  ])('%s (%s) gets %s', (title, category, name) => {
    expect(drawingOf({ title, category })).toBe(name);
    expect(covers).toContain(`<symbol id="${name}"`);
  });

  it('fill their frame beyond its edge, so that no line shines through at the bottom', async () => {
    const site = await openSite();
    const { page } = await openReader({ colorScheme: 'dark', viewport: { width: 390, height: 844 } });
    await page.goto(site.url);
    const frame = page.locator('.lead .cover');
    await frame.waitFor();
    const [outer, inner] = [await frame.boundingBox(), await frame.locator('svg').boundingBox()];
    if (!outer || !inner) throw new Error('the cover is not visible');
    expect(inner.x).toBeLessThan(outer.x);
    expect(inner.y + inner.height).toBeGreaterThan(outer.y + outer.height);
    expect(await frame.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe('rgba(0, 0, 0, 0)');
  });
});

describe('texts', () => {
  const openProse = async (content_html: string) => {
    const site = await openSite();
    newest(site, { content_html });
    const { page } = await openReader();
    await page.goto(`${site.url}/articles/le-pain-du-jour`);
    const prose = page.locator('.prose');
    await prose.waitFor();
    return prose;
  };

  it.each(['L’hiver arrive au fournil.', "D'Annecy à Lyon, on pétrit."])(
    'have one large letter, with its apostrophe beside it: %s',
    async (text) => {
      const prose = await openProse(`<p>${text}</p><p>La suite.</p>`);
      expect(await prose.locator('.cap').allTextContents()).toEqual([text.charAt(0)]);
      expect(await prose.locator('p').first().textContent()).toBe(text);
      const gap = await prose.locator('.cap').evaluate((cap) => {
        const apostrophe = document.createRange();
        apostrophe.setStart(cap.nextSibling as Text, 0);
        apostrophe.setEnd(cap.nextSibling as Text, 1);
        return apostrophe.getBoundingClientRect().left - cap.getBoundingClientRect().right;
      });
      expect(gap).toBeLessThan(6);
    },
  );

  it.each(['<p>« Oui », dit-elle.</p>', '<p><strong>Gras</strong> d’abord.</p>', '<h2>Titre</h2><p>Texte</p>'])(
    'have no large letter where the first paragraph begins with something else: %j',
    async (html) => {
      const prose = await openProse(html);
      expect(await prose.locator('.cap').count()).toBe(0);
    },
  );

  it('begin no line with a punctuation mark', async () => {
    const site = await openSite();
    const text = `${'Du pain : rien ; tout ! Quoi ? « Cela » '.repeat(9)}!`;
    newest(site, { title: text, slug: 'le-pain-du-jour', excerpt: text, content_html: `<p>${text}</p>` });
    const { page } = await openReader({ viewport: { width: 390, height: 844 } });
    for (const [path, selectors] of [
      ['/', '.headline, .standfirst'],
      ['/articles/le-pain-du-jour', 'h1, .prose p'],
    ] as const) {
      await page.goto(site.url + path);
      await page.locator(selectors).first().waitFor();
      const starts = await page.locator(selectors).evaluateAll((elements) =>
        elements.flatMap((element) => {
          const range = document.createRange();
          const text = element.lastChild as Text;
          let line: number | undefined;
          return [...text.data].flatMap((character, index) => {
            range.setStart(text, index);
            range.setEnd(text, index + 1);
            const { top, width } = range.getBoundingClientRect();
            if (width === 0 || line === top) return [];
            line = top;
            return [character];
          });
        }),
      );
      expect(starts.length).toBeGreaterThan(9);
      expect(starts.filter((character) => /[:;!?»]/.test(character))).toEqual([]);
    }
  });
});

describe('readers', () => {
  it('get everywhere with the keyboard', async () => {
    const site = await openSite();
    newest(site);
    const { page } = await openReader();
    await page.goto(site.url);
    await heading(page).waitFor();
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Aller au contenu' });
    await eventually(() => skip.boundingBox().then((box) => box?.y ?? -1)).toBeGreaterThan(0);
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('MAIN');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Le pain du jour');
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineWidth);
    expect(Number.parseFloat(outline)).toBeGreaterThanOrEqual(2);
    await page.keyboard.press('Enter');
    await eventually(() => heading(page).textContent()).toBe('Le pain du jour');
    expect(await focused(page)).toBe('H1');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await heading(page).textContent()).not.toBe('');
  });

  it('find their place again when they go back, without a load', async () => {
    const site = await openSite();
    const { page } = await openReader();
    await page.goto(site.url);
    await heading(page).waitFor();
    await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
    const link = page.locator('.row a').nth(20);
    await link.scrollIntoViewIfNeeded();
    const place = await page.evaluate(() => scrollY);
    expect(place).toBeGreaterThan(500);
    await link.click();
    await page.locator('.prose').waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.goBack();
    await page.locator('.rows').first().waitFor();
    await eventually(() => page.evaluate(() => scrollY)).toBe(place);
    expect(await focused(page)).toBe('H1');
    expect(await page.evaluate(() => 'sameDocument' in globalThis)).toBe(true);
  });

  it('can open an article beside the list', async () => {
    const site = await openSite();
    newest(site);
    const { context, page } = await openReader();
    await page.goto(site.url);
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Le pain du jour' }).click({ modifiers: ['Control'] });
    await eventually(async () => heading(await opened).textContent()).toBe('Le pain du jour');
    expect(new URL(page.url()).pathname).toBe('/');
  });

  it.each(['/', '/articles/le-pain-du-jour'])('of %s get landmarks, one title and headings in order', async (path) => {
    const site = await openSite();
    newest(site, { content_html: '<h1>Un</h1><p>Deux</p><h3>Trois</h3><img src="https://images.example.com/x.jpg">' });
    const { page } = await openReader();
    await page.goto(site.url + path);
    await heading(page).waitFor();
    for (const landmark of ['banner', 'main', 'contentinfo'] as const) {
      expect(await page.getByRole(landmark).count(), landmark).toBe(1);
    }
    expect(await page.locator('html').getAttribute('lang')).toBe('fr');
    expect(await heading(page).count()).toBe(1);
    const faults = await page.evaluate(() => {
      const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent?.trim();
      const labelled = (element: Element) =>
        document.getElementById(element.getAttribute('aria-labelledby') ?? '')?.textContent ?? nameOf(element);
      const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
      return {
        nameless: [...document.querySelectorAll('a, button')].filter((element) => !nameOf(element)).length,
        unlabelled: [...document.querySelectorAll('section, aside, nav')].filter((element) => !labelled(element))
          .length,
        pictures: [...document.querySelectorAll('img')].filter((image) => !image.hasAttribute('alt')).length,
        drawings: [...document.querySelectorAll('svg')].filter((svg) => !svg.closest('[aria-hidden=true]')).length,
        twice: ids.filter((id, index) => ids.indexOf(id) !== index),
        levels: [...document.querySelectorAll('h1, h2, h3, h4')].map(({ tagName }) => Number(tagName[1])),
      };
    });
    expect(faults).toMatchObject({ nameless: 0, unlabelled: 0, pictures: 0, drawings: 0, twice: [] });
    for (const [index, level] of faults.levels.entries()) {
      expect(level - (faults.levels[index - 1] ?? 0), `heading ${index}`).toBeLessThanOrEqual(1);
    }
  });

  it.each(['light', 'dark'] as const)('see enough contrast when it is %s', async (colorScheme) => {
    const site = await openSite();
    newest(site, { content_html: '<p>Le <a href="https://example.com/">lien</a></p>' });
    const { page } = await openReader({ colorScheme });
    await page.goto(`${site.url}/articles/le-pain-du-jour`);
    await page.locator('.prose').waitFor();
    const colours = await page.evaluate(() =>
      ['h1', '.byline', '.kicker', '.prose p', '.prose a', '.masthead p', '.colophon'].map((selector) => ({
        selector,
        text: getComputedStyle(document.querySelector(selector) as Element).color,
        paper: getComputedStyle(document.body).backgroundColor,
      })),
    );
    for (const { selector, text, paper } of colours)
      expect(contrast(text, paper), selector).toBeGreaterThanOrEqual(4.5);
    const isDark = luminance(colours[0]?.paper ?? '') < 0.2;
    expect(isDark).toBe(colorScheme === 'dark');
  });

  it.each(['/', '/articles/le-pain-du-jour'])('of %s on a phone never scroll sideways', async (path) => {
    const site = await openSite();
    const word = 'Donaudampfschifffahrtsgesellschaftskapitän';
    newest(site, {
      excerpt: word.repeat(2),
      content_html: `<h2>${word}</h2><table><tr>${'<td>Farine complète</td>'.repeat(12)}</tr></table>`,
    });
    const { page } = await openReader({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    await page.goto(site.url + path);
    await heading(page).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });

  it('who want less motion get none', async () => {
    const site = await openSite({ latency: 2_000 });
    const { page } = await openReader({ reducedMotion: 'reduce' });
    const motion = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const { animationName, transitionProperty, transitionDuration } = getComputedStyle(element);
          return { animationName, still: transitionProperty === 'none' || transitionDuration === '0s' };
        });
    await page.goto(site.url);
    expect(await motion('.bone')).toEqual({ animationName: 'none', still: true });
    expect(await motion('.lead .cover > *')).toEqual({ animationName: 'none', still: true });
  });

  it('see a drawing where a picture cannot be had', async () => {
    const site = await openSite();
    newest(site, { featured_image_url: 'https://images.example.com/gone.jpg' });
    const { page } = await openReader();
    await page.goto(`${site.url}/articles/le-pain-du-jour`);
    await eventually(() => page.locator('.reading > article > .cover img').count()).toBe(0);
    expect(await page.locator('.reading > article > .cover svg').isVisible()).toBe(true);
  });
});

it('starts with one command', async () => {
  const port = await freePort();
  const { MULTILOCAL_API_KEY: _, MULTILOCAL_BASE_URL: __, ...env } = process.env;
  const tsx = join(import.meta.dirname, '../../node_modules/.bin/tsx');
  const child = spawn(tsx, [join(ROOT, 'start.ts')], { env: { ...env, PORT: String(port) } });
  onTestFinished(() => void child.kill());
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await eventually(() => output).toContain(`The site is at http://127.0.0.1:${port}`);
  const { page } = await openReader();
  await page.goto(`http://127.0.0.1:${port}`);
  await eventually(() => heading(page).textContent()).toBe('Le journal du fournil');
  expect(await page.locator('.cards li').count()).toBe(6);
  expect(await page.locator('.cover img').count()).toBe(0);
});

/** WCAG 2: the relative luminance of `rgb(1, 2, 3)`. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((text) => {
    const value = Number(text) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}
