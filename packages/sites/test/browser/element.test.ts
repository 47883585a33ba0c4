import { readyFile } from '@multilocal/test/browser/bundle';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { told, useWorld, violations } from './element.js';

const world = useWorld();
/** The HTML of the element with these attributes. */
const elementWith = (attributes: string) => `<multilocal-articles ${attributes}></multilocal-articles>`;
const ELEMENT = elementWith('src="/content"');

/** Sets attributes of the element of a page. `null` removes one. */
const set = (page: Page, attributes: Record<string, string | null>) =>
  page.locator('multilocal-articles').evaluate((element, attributes) => {
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null) element.removeAttribute(name);
      else element.setAttribute(name, value);
    }
  }, attributes);
/** Puts an element into the page, in the place of another one. */
const put = (page: Page, attributes: Record<string, string>) =>
  page.evaluate((attributes) => {
    document.querySelector('multilocal-articles')?.remove();
    const element = document.createElement('multilocal-articles');
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    document.body.append(element);
  }, attributes);
const links = (page: Page) => page.locator('[part=link]');
const heading = (page: Page) => page.locator('[part=heading]');
const online = () => world.mock.api.articles.all().filter(({ status }) => status === 'published');
/** The newest article, which is the first of the list. */
const newest = (fields = {}) =>
  world.mock.api.articles.add({
    title: 'Le pain du jour',
    content_html: '<p>Il est prêt.</p>',
    published_at: new Date(Date.now() + 3_600_000).toISOString(),
    ...fields,
  });
/** The element with the focus, within shadow roots too. */
const focused = (page: Page) =>
  page.evaluate(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active?.textContent;
  });
function clear(): void {
  for (const { id } of online()) world.mock.api.articles.unpublish(id);
}

describe('the list', () => {
  it('costs one request, with pictures that load lazily, and an article of the list none', async () => {
    const featured_image_url = 'https://pictures.example/pain.jpg';
    const { id } = newest({ category: 'Pains &amp; Co', excerpt: 'Levé toute la nuit.', featured_image_url });
    const { page, asked, faults } = await world.open(ELEMENT);
    await links(page).first().waitFor();
    expect(await links(page).allTextContents()).toHaveLength(5);
    const card = page.locator('[part=card]').first();
    expect(await card.textContent()).toContain('Pains & CoLe pain du jourLevé toute la nuit.');
    const image = card.locator('[part=card-image]');
    await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(16);
    expect(await image.getAttribute('loading')).toBe('lazy');
    await links(page).first().click();
    await expect.poll(() => heading(page).textContent()).toBe('Le pain du jour');
    expect(new URL(page.url()).hash).toBe(`#article=${id}`);
    expect(await page.locator('[part=cover]').getAttribute('src')).toBe(featured_image_url);
    expect(await page.locator('[part=content]').innerHTML()).toBe('<p>Il est prêt.</p>');
    expect(asked).toEqual(['/articles?status=published']);
    expect(faults).toEqual([]);
  });

  it('goes on by one request a page, to the end', async () => {
    const { page, asked } = await world.open(ELEMENT);
    const more = page.getByRole('button', { name: 'More articles' });
    for (const count of [10, 15]) {
      await more.click();
      await expect.poll(() => links(page).count()).toBe(count);
    }
    expect(asked).toEqual([
      '/articles?status=published',
      '/articles?status=published&offset=5',
      '/articles?status=published&offset=10',
    ]);
    expect(await page.getByRole('status').textContent()).toBe('More articles: 5');
    expect(await focused(page)).toBe(await links(page).nth(10).textContent());

    for (const { id } of online().slice(0, -12)) world.mock.api.articles.unpublish(id);
    await page.reload();
    await more.click();
    await expect.poll(() => links(page).count()).toBe(10);
    await more.click();
    await expect.poll(() => links(page).count()).toBe(12);
    expect(await more.count()).toBe(0);
  });

  it('offers a failed page again and keeps what it shows', async () => {
    const { page, asked } = await world.open(ELEMENT);
    await links(page).first().waitFor();
    world.failures.push(503);
    await page.getByRole('button', { name: 'More articles' }).click();
    await expect.poll(() => page.getByRole('alert').textContent()).toBe('The text could not be loaded.Try again');
    expect(await links(page).count()).toBe(5);
    expect(await focused(page)).toBe('Try again');
    await page.keyboard.press('Enter');
    await expect.poll(() => links(page).count()).toBe(10);
    expect(asked).toHaveLength(3);
  });

  it.each([
    ['', 9],
    // A whole page is not new: the next one is asked for.
    ['limit="1"', 2],
  ])('%s shows each article once if one is published meanwhile', async (limit, count) => {
    const { page } = await world.open(elementWith(`src="/content" ${limit}`));
    await links(page).first().waitFor();
    newest();
    await page.getByRole('button', { name: 'More articles' }).click();
    await expect.poll(() => links(page).count()).toBe(count);
    expect(new Set(await links(page).allTextContents()).size).toBe(count);
  });

  it('says that it is loading, and that it is empty', async () => {
    const { page, release } = await world.open(ELEMENT, { isHeld: true, lang: 'fr' });
    await page.locator('[part~=loading]').waitFor();
    expect(await page.getByRole('status').textContent()).toBe('Chargement…');
    expect(await page.locator('[aria-busy=true]').count()).toBe(1);
    clear();
    await release();
    await expect.poll(() => page.locator('[part=notice]').textContent()).toBe('Il n’y a pas encore d’article.');
    expect(await page.getByRole('status').textContent()).toBe('');
    expect(await page.locator('[aria-busy=true]').count()).toBe(0);
  });
});

describe('a selection', () => {
  const more = (page: Page) => page.getByRole('button', { name: 'More articles' });
  const labels = (page: Page) => page.locator('[part=category]').allTextContents();

  it('has pages of `limit`, newest first, and the keyboard reaches all of them', async () => {
    newest();
    const { page, asked } = await world.open(elementWith('src="/content" limit="3"'));
    await links(page).first().waitFor();
    expect(await links(page).count()).toBe(3);
    await more(page).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => links(page).count()).toBe(6);
    expect(await focused(page)).toBe(await links(page).nth(3).textContent());
    const dates = await page
      .locator('[part=date]')
      .evaluateAll((times) => times.map((time) => (time as HTMLTimeElement).dateTime));
    expect(dates).toEqual(dates.toSorted().toReversed());
    expect(asked).toEqual([
      '/articles?order=newest&status=published&limit=3',
      '/articles?order=newest&status=published&limit=3&offset=3',
    ]);
  });

  it('has only articles of one `category` and one `bulle`, and the fragment still names an article', async () => {
    const { bulle } = world.mock.api.ids;
    newest({ title: 'Ailleurs', category: 'Nos pains', bulle_id: null });
    for (const title of ['Seigle', 'Blé']) newest({ title, category: 'Nos pains', bulle_id: bulle });
    const { page, asked, url } = await world.open(elementWith(`src="/content" category="Nos pains" bulle="${bulle}"`));
    await links(page).first().waitFor();
    const titles = await links(page).allTextContents();
    expect(titles).toEqual(expect.arrayContaining(['Seigle', 'Blé']));
    expect(titles).not.toContain('Ailleurs');
    expect(new Set(await labels(page))).toEqual(new Set(['Nos pains']));
    const [id] = online()
      .filter(({ category }) => category !== 'Nos pains')
      .map(({ id }) => id);
    await page.goto(`${url}/#article=${id}`);
    await heading(page).waitFor();
    await page.goBack();
    await links(page).first().waitFor();
    expect(asked).toEqual([
      `/articles?order=newest&status=published&category=Nos+pains&bulle_id=${bulle}`,
      `/articles/${id}`,
    ]);
  });

  it('follows a filter of the page, where an attribute without a value selects nothing', async () => {
    newest({ category: 'Nos pains' });
    const { page, asked } = await world.open(ELEMENT);
    await links(page).first().waitFor();
    await set(page, { category: 'Nos pains' });
    await expect.poll(async () => new Set(await labels(page))).toEqual(new Set(['Nos pains']));
    await set(page, { category: '' });
    await expect.poll(() => links(page).count()).toBe(5);
    expect(asked).toEqual([
      '/articles?status=published',
      '/articles?order=newest&status=published&category=Nos+pains',
      '/articles?status=published',
    ]);
  });

  it('needs `articlesProxy`: behind another server, only the whole list is shown', async () => {
    const { page, context, url } = await world.open('');
    await context.route('**/plain/**', async (route) => {
      const { pathname, search } = new URL(route.request().url());
      const headers = { 'X-API-Key': world.mock.api.keys.readOnly };
      const address = world.mock.url + pathname.replace('/plain', '') + search;
      await route.fulfill({ response: await context.request.get(address, { headers }) });
    });
    await put(page, { src: `${url}/plain`, category: 'Nos pains' });
    await page.getByRole('alert').waitFor();
    expect(await told(page)).toEqual([expect.objectContaining({ code: 'configuration' })]);
    await set(page, { category: '' });
    await links(page).first().waitFor();
  });
});

describe('a failure', () => {
  it('shows nothing of the service, and a button to try again', async () => {
    world.failures.push(500);
    const { page, asked, faults } = await world.open(ELEMENT);
    await expect.poll(() => page.getByRole('alert').textContent()).toBe('The text could not be loaded.Try again');
    expect(await told(page)).toEqual([
      { type: 'multilocal-articles:error', target: '', code: expect.stringMatching(/unavailable|gateway|server/) },
    ]);
    await page.getByRole('button', { name: 'Try again' }).click();
    await links(page).first().waitFor();
    expect(asked).toHaveLength(2);
    expect(faults).toEqual([]);
  });

  it('of an article that is gone leads back to the list', async () => {
    const { page, asked } = await world.open(ELEMENT, { path: '/journal' });
    await links(page).first().waitFor();
    await page.goto(`${page.url()}#article=999999`);
    await expect.poll(() => page.getByRole('alert').textContent()).toBe('This article is not online.All articles');
    await page.getByRole('link', { name: 'All articles' }).click();
    await links(page).first().waitFor();
    expect(asked).toHaveLength(2);
  });

  it('of the page itself costs no request, and the page is told why', async () => {
    const { page, asked } = await world.open('');
    const notOnline = 'This article is not online.';
    const rows: [Record<string, string>, string | RegExp, string?][] = [
      [{}, /./, 'configuration'],
      [{ src: 'content' }, /./, 'configuration'],
      [{ src: '/content', limit: '0' }, /./, 'invalid_request'],
      [{ src: '/content', limit: 'many' }, /./, 'invalid_request'],
      [{ src: '/content', limit: '101' }, /./, 'invalid_request'],
      [{ src: '/content', article: '0' }, notOnline],
      [{ src: '/content', article: 'x' }, notOnline],
      [{ src: '/content', article: '' }, notOnline],
      [{ src: '/content', article: '1e3' }, notOnline],
    ];
    for (const [attributes, text, code] of rows) {
      const before = (await told(page)).length;
      await put(page, attributes);
      await page.getByRole('alert').filter({ hasText: text }).waitFor();
      if (code) expect((await told(page)).slice(before)).toEqual([expect.objectContaining({ code })]);
    }
    expect(asked).toEqual([]);
  });
});

describe('an article', () => {
  it('has an address of its own, and the back button works', async () => {
    const { page, asked, url } = await world.open(ELEMENT);
    const second = await links(page).nth(1).textContent();
    await links(page).nth(1).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => heading(page).textContent()).toBe(second);
    expect(await focused(page)).toBe(second);
    await page.goBack();
    await expect.poll(() => links(page).count()).toBe(5);
    expect(page.url()).toBe(`${url}/`);
    expect(await focused(page)).toBe(second);
    await page.goForward();
    await expect.poll(() => heading(page).textContent()).toBe(second);
    await page.getByRole('link', { name: 'All articles' }).click();
    await expect.poll(() => focused(page)).toBe(second);
    expect(asked).toHaveLength(1);
    expect(await told(page)).toMatchObject([
      { article: null },
      { article: { title: second } },
      { article: null },
      { article: { title: second } },
      { article: null },
    ]);
  });

  it('can be where a visit begins, for one request, and leaves the focus alone', async () => {
    const { id } = newest();
    const { page, asked, url } = await world.open(ELEMENT);
    await links(page).first().waitFor();
    await page.goto('about:blank');
    asked.length = 0;
    await page.goto(`${url}/#article=${id}`);
    await expect.poll(() => heading(page).textContent()).toBe('Le pain du jour');
    expect(asked).toEqual([`/articles/${id}`]);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
  });

  it('alone: the attribute `article`, without a way to the list', async () => {
    const { id } = newest();
    const { page, asked } = await world.open(elementWith(`src="/content" article="${id}"`));
    await expect.poll(() => heading(page).textContent()).toBe('Le pain du jour');
    expect(await page.locator('a[data-article]').count()).toBe(0);
    await page.evaluate(() => {
      location.hash = '#article=1';
    });
    expect(await heading(page).textContent()).toBe('Le pain du jour');
    expect(asked).toEqual([`/articles/${id}`]);
  });
});

it('pictures that cannot be shown leave no hole', async () => {
  const { page, faults } = await world.open('');
  const broken = [
    'https://broken.example/pain.jpg',
    'http://pictures.example/pain.jpg',
    'javascript:alert(1)',
    '/a.jpg',
  ];
  for (const [index, featured_image_url] of broken.entries()) {
    const figure = `<figure><img src="${featured_image_url}" alt="Pain"><figcaption>Chaud</figcaption></figure>`;
    const { id } = newest({ featured_image_url, content_html: `<p>Le pain ${index}</p>${figure}` });
    await put(page, { src: '/content', article: String(id) });
    await expect.poll(() => page.locator('[part=content]').textContent()).toBe(`Le pain ${index}`);
    await expect.poll(() => page.locator('multilocal-articles img').count()).toBe(0);
  }
  expect(faults).toEqual([]);
});

it('a card is of text without a picture that can be shown, has the minutes from two on, and the day of the visitor or of `time-zone`', async () => {
  newest({ title: 'Été', featured_image_url: null, content_html: `<p>${'mot '.repeat(201)}</p>` });
  newest({ title: 'Deux', featured_image_url: 'https://broken.example/pain.jpg' });
  const published_at = '2099-10-31T23:30:00+00:00';
  newest({ title: 'Pain', featured_image_url: 'https://pictures.example/pain.jpg', published_at });
  const { page } = await world.open(elementWith('src="/content" limit="3"'), { timezoneId: 'Asia/Tokyo' });
  const texts = () =>
    page
      .locator('[part=card-text]:first-child')
      .evaluateAll((found) =>
        found.map((text) => [text.textContent?.slice(0, 3), getComputedStyle(text).borderTopWidth]),
      );
  await expect
    .poll(async () => (await texts()).sort())
    .toEqual([
      ['Deu', '3px'],
      ['Été', '3px'],
    ]);
  expect(await page.locator('[part=minutes]').allTextContents()).toEqual(['2\u00a0min read']);
  const date = page.locator('[part=card]', { hasText: 'Pain' }).locator('[part=date]');
  expect(await date.textContent()).toBe('November 1, 2099');
  await set(page, { 'time-zone': 'America/New_York' });
  await expect.poll(() => date.textContent()).toBe('October 31, 2099');
  // The author of the page reads what is wrong.
  for (const wrong of [{ 'time-zone': 'Nowhere' }, { 'time-zone': '', limit: '1000' }]) {
    const told = page.waitForEvent('console', (message) => /Nowhere|`limit`/.test(message.text()));
    await set(page, wrong);
    expect((await told).type()).toBe('error');
    await page.getByRole('alert').waitFor();
  }
});

describe('pictures of a mock on this machine', () => {
  it('are shown by pages of this machine, and by no other page', async () => {
    const { page, context, url } = await world.open(ELEMENT);
    const image = page.locator('[part=card-image]').first();
    await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1200);

    await context.route(
      ({ hostname }) => hostname === 'site.example',
      async (route) => {
        const { pathname, search } = new URL(route.request().url());
        await route.fulfill({ response: await context.request.get(url + pathname + search) });
      },
    );
    await page.goto('https://site.example/');
    await links(page).first().waitFor();
    expect(await page.locator('[part=card-image]').count()).toBe(0);
  });
});

describe('an element', () => {
  const TWO = `<multilocal-articles id="news" src="/content"></multilocal-articles>
    <multilocal-articles id="events" src="/content"></multilocal-articles>`;
  const within = (page: Page, id: string) => page.locator(`#${id}`);

  it('has its own article and its own requests', async () => {
    const { page, asked } = await world.open(TWO);
    const [news, events] = [within(page, 'news'), within(page, 'events')];
    await news.locator('[part=link]').first().click();
    await news.locator('[part=heading]').waitFor();
    expect(await events.locator('[part=link]').count()).toBe(5);
    await events.locator('[part=link]').nth(1).click();
    await events.locator('[part=heading]').waitFor();
    expect(new URL(page.url()).hash).toMatch(/^#news=\d+&events=\d+$/);
    await news.locator('[part=back-link]').click();
    await news.locator('[part=list]').waitFor();
    expect(new URL(page.url()).hash).toMatch(/^#events=\d+$/);
    await page.goBack();
    await news.locator('[part=heading]').waitFor();
    expect(await events.locator('[part=heading]').count()).toBe(1);
    expect(asked).toHaveLength(2);
  });

  it('that leaves the page ends its requests; it works when it comes back, and costs nothing if it has read', async () => {
    const { page, asked } = await world.open('', { isHeld: true });
    const ended = page.waitForEvent('requestfailed');
    const sent = page.waitForRequest(/articles/);
    await put(page, { src: '/content' });
    await sent;
    const element = await page.locator('multilocal-articles').elementHandle();
    const move = (to: string) =>
      page.evaluate(([element, to]) => (to === 'away' ? element?.remove() : element && document.body.append(element)), [
        element,
        to,
      ] as const);
    await move('away');
    expect((await ended).failure()?.errorText).toContain('ABORTED');
    expect(await told(page)).toEqual([]);
    await move('back');
    await links(page).first().waitFor();
    expect(asked).toHaveLength(1);
    await move('away');
    await move('back');
    await links(page).first().waitFor();
    expect(asked).toHaveLength(1);
  });

  it('follows its attributes', async () => {
    const { id } = newest();
    const { page, asked } = await world.open(ELEMENT);
    await links(page).first().waitFor();
    await set(page, { lang: 'fr-CH' });
    await page.getByRole('button', { name: 'Plus d’articles' }).waitFor();
    await set(page, { article: String(id) });
    await heading(page).waitFor();
    await set(page, { article: null });
    await links(page).first().waitFor();
    expect(asked).toHaveLength(1);
    await set(page, { src: './content' });
    await expect.poll(() => asked.length).toBe(2);
    await links(page).first().waitFor();
  });

  it('asks nothing twice that two attributes set at once', async () => {
    const { page, asked } = await world.open('');
    await page.evaluate(() => {
      const element = document.createElement('multilocal-articles');
      document.body.append(element);
      element.setAttribute('src', '/content');
      element.setAttribute('lang', 'fr');
    });
    await links(page).first().waitFor();
    expect(asked).toHaveLength(1);
  });
});

it('axe-core finds nothing in any view, light or dark', async () => {
  newest({ category: 'Nos pains', featured_image_url: 'https://pictures.example/pain.jpg', content_html: RICH });
  const { page, release } = await world.open(ELEMENT, { isHeld: true });
  const expectNothing = async (view: string) => {
    await page.locator(view).first().waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violations(page), `${view}, ${colorScheme}`).toEqual([]);
    }
  };
  await expectNothing('[part~=loading]');
  await release();
  await expectNothing('[part=link]');
  await links(page).first().click();
  await expectNothing('[part=heading]');
  world.failures.push(500);
  await page.evaluate(() => {
    location.hash = '#article=3';
  });
  await expectNothing('[role=alert]');
  clear();
  await put(page, { src: '/content', limit: '3' });
  await expectNothing('[part=notice]');
});

const RICH = `<h2>Le levain</h2><p>Un <a href="https://example.com">lien</a> et <mark>un mot</mark>.</p><h3>Les chiffres</h3>
  <table><caption>Farines</caption><tr><th scope="col">T</th><th scope="col">Eau</th></tr><tr><td>65</td><td>70 %</td></tr></table>
  <blockquote><p>Le temps fait le pain.</p></blockquote><ul><li>Eau</li><li>Sel</li></ul>
  <figure><img src="https://pictures.example/a.jpg"><figcaption>La pâte</figcaption></figure>
  <pre><code>farine = 1000</code></pre><hr><details><summary>Plus</summary><p>Texte</p></details>`;

describe('styles', () => {
  const styleOf = (page: Page, part: string, property: string) =>
    page
      .locator(`[part~=${part}]`)
      .first()
      .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), property);

  it('follow custom properties, parts and the colour scheme of the page', async () => {
    const { page, context } = await world.open(ELEMENT, { colorScheme: 'dark' });
    await links(page).first().waitFor();
    expect(await styleOf(page, 'card-title', 'color')).toBe('rgb(239, 233, 224)');
    await context.route('**/page.css', (route) =>
      route.fulfill({
        contentType: 'text/css',
        body: `multilocal-articles { color-scheme: light; --multilocal-accent: rgb(1, 2, 3); --multilocal-heading-font: monospace }
          multilocal-articles::part(card) { border-top: 7px solid }`,
      }),
    );
    await page.reload();
    await links(page).first().waitFor();
    expect(await styleOf(page, 'card-title', 'color')).toBe('rgb(29, 25, 21)');
    expect(await styleOf(page, 'card', 'border-top-width')).toBe('7px');
    expect(await styleOf(page, 'category', 'color')).toBe('rgb(1, 2, 3)');
    expect(await styleOf(page, 'card-title', 'font-family')).toBe('monospace');
  });
});

describe('keyboard', () => {
  it('reaches everything in the order of the page', async () => {
    newest({ content_html: RICH });
    const { page } = await world.open(ELEMENT);
    await links(page).first().waitFor();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Le pain du jour');
    await page.keyboard.press('Enter');
    await heading(page).waitFor();
    await expect.poll(() => focused(page)).toBe('Le pain du jour');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('lien');
    await page.keyboard.press('Shift+Tab');
    expect(await focused(page)).toBe('All articles');
  });
});

describe('the ready file', () => {
  it('is the element, for one script', async () => {
    const { page, context, asked, url } = await world.open('');
    await context.route('**/element.js', (route) =>
      route.fulfill({ body: readyFile('element'), contentType: 'text/javascript' }),
    );
    await page.goto(url);
    await put(page, { src: '/content' });
    await links(page).first().waitFor();
    expect(asked).toHaveLength(1);
  });
});
