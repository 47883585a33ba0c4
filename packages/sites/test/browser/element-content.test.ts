import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { useWorld } from './element.js';

const world = useWorld();

/** The content of an article with this HTML, and what happened on the page. */
async function contentOf(content_html: string, hasSanitizer: boolean) {
  const { id } = world.mock.api.articles.add({ title: 'Le pain', content_html });
  const opened = await world.open(`<multilocal-articles src="/content" article="${id}"></multilocal-articles>`, {
    hasSanitizer,
  });
  await opened.page.locator('[part=content]').waitFor({ state: 'attached' });
  return { ...opened, html: () => htmlOf(opened.page) };
}

const htmlOf = (page: Page) => page.locator('[part=content]').innerHTML();

/** Names of everything that could run, load or style. */
const dangersOf = (page: Page) =>
  page
    .locator('[part=content] :not([part=content-table])')
    .evaluateAll((elements) =>
      elements.flatMap((element) => [
        ...(/^(script|style|iframe|object|embed|svg|math|form|input|button|link|meta|base|template|video|audio|source|select|textarea|noscript|x-y)$/i.test(
          element.localName,
        )
          ? [element.localName]
          : []),
        ...[...element.attributes]
          .filter(
            ({ name, value }) =>
              /^(on|style|class|srcset|srcdoc|formaction|ping|target|data-|aria-|xlink)/i.test(name) ||
              /^\s*(javascript|data|vbscript):/i.test(value),
          )
          .map(({ name }) => `${element.localName}[${name}]`),
      ]),
    );

/** Each would call `alert`, load something, or become something else when it is parsed twice. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<img src="https://pictures.example/a.jpg" onload="alert(1)" style="position:fixed;inset:0">',
  '<svg onload=alert(1)><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s></svg>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" java\tscript:alert(1)">x</a>',
  '<a href="&#x6a;avascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="vbscript:msgbox(1)" target="_blank" ping="https://evil.example">x</a>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe><iframe src="javascript:alert(1)"></iframe>',
  '<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">',
  '<form action="javascript:alert(1)"><button formaction="javascript:alert(1)">x</button><input autofocus onfocus=alert(1)></form>',
  '<style>@import "https://evil.example/a.css";*{display:none}</style>',
  '<link rel="stylesheet" href="https://evil.example/a.css"><base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<p style="background:url(https://evil.example/a.png)" class="x" data-x="1" aria-hidden="true">x</p>',
  '<img src="/logout" srcset="https://evil.example/a.png 1x"><img src="logout"><img src="//evil.example/a.png"><img data-src="/logout" data-lazy-src="http://evil.example/a.png"><p data-src="//evil.example/a.png">x</p>',
  '<picture><source srcset="https://evil.example/a.png"><img src="https://pictures.example/a.jpg" alt="x"></picture>',
  '<video src="https://evil.example/a.mp4" onerror=alert(1) autoplay></video><audio src="https://evil.example/a.mp3"></audio>',
  '<details open ontoggle=alert(1)><summary>x</summary></details>',
  '<x-y onclick=alert(1) is="multilocal-articles">x</x-y><multilocal-articles src="https://evil.example"></multilocal-articles>',
  '<template><script>alert(1)</script></template><template shadowrootmode="open"><img src=x onerror=alert(1)></template>',
  // mutation XSS: harmless as it is parsed first, and not as it is parsed again
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=alert(1)&gt;">',
  '<svg></p><style><a id="</style><img src=x onerror=alert(1)>">',
  '<form><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror=alert(1) src=x>">',
  '<math><annotation-xml encoding="text/html"><style><img title="</style><img src=x onerror=alert(1)>"></style></annotation-xml></math>',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
  '<xmp><img title="</xmp><img src=x onerror=alert(1)>"></xmp><plaintext><script>alert(1)</script>',
  '<!--><img src=x onerror=alert(1)>--><![CDATA[<img src=x onerror=alert(1)>]]>',
  '<table><tr><td><a id=x><table><tr><style></table><img src=x onerror=alert(1)></style>',
  '<a name="body" id="cookie">x</a><img name="createElement" src="https://pictures.example/a.jpg">',
];

/** What a page would get that copied each content. It runs in the page. */
async function copyOfContents(): Promise<void> {
  const { trustedTypes } = globalThis as unknown as {
    trustedTypes: { createPolicy(name: string, policy: object): { createHTML(text: string): string } };
  };
  const trusted = trustedTypes.createPolicy('copy', { createHTML: (text: string) => text });
  for (const { shadowRoot } of document.querySelectorAll('multilocal-articles')) {
    const html = shadowRoot?.querySelector('[part=content]')?.innerHTML ?? '';
    const { body } = new DOMParser().parseFromString(trusted.createHTML(html), 'text/html');
    document.querySelector('main')?.append(...body.childNodes);
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
}

describe.each([
  ['the Sanitizer API', true],
  ['DOMPurify', false],
] as const)('by %s', (_, hasSanitizer) => {
  it('nothing of any hostile text runs, styles, loads or leaves the page, also in a copy of the content', async () => {
    const ids = HOSTILE.map((content_html) => world.mock.api.articles.add({ title: 'Le pain', content_html }).id);
    const { page, context, faults, url } = await world.open('', { hasSanitizer });
    const requested: string[] = [];
    context.on('request', (request) => requested.push(request.url()));
    page.on('dialog', () => faults.push('dialog'));
    await page.locator('main').evaluate((main, ids) => {
      // So small that the lazy pictures of all of them load.
      main.style.zoom = '0.1';
      for (const id of ids) {
        const element = document.createElement('multilocal-articles');
        element.setAttribute('src', '/content');
        element.setAttribute('article', `${id}`);
        main.append(element);
      }
    }, ids);
    await expect.poll(() => page.locator('[part=content]').count()).toBe(HOSTILE.length);
    expect(await page.evaluate(() => 'setHTML' in Element.prototype)).toBe(hasSanitizer);
    expect(await dangersOf(page)).toEqual([]);
    await page.evaluate(copyOfContents);
    expect(page.url()).toBe(`${url}/`);
    expect(
      requested.filter(
        (address) => !address.startsWith('https://pictures.example/') && !address.startsWith(`${url}/content/`),
      ),
    ).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('keeps the text, its structure, links and pictures', async () => {
    const { html, page, faults } = await contentOf(KEPT, hasSanitizer);
    expect(await html()).toBe(SHOWN);
    const image = page.locator('[part=content-image]');
    expect(await image.evaluate(({ loading, decoding }: HTMLImageElement) => [loading, decoding])).toEqual([
      'lazy',
      'async',
    ]);
    expect(faults).toEqual([]);
  });

  it('keeps the words of elements that it does not know, and only those', async () => {
    const kept =
      'hgroup label fieldset legend data nobr acronym search nav menu output meter html body o:p x-y multilocal-articles';
    const gone = 'script style template svg math form button select textarea noscript title xmp canvas';
    const inEach = (names: string) => names.split(' ').map((name) => `<${name} id="${name}">${name} </${name}>`);
    const { html, faults } = await contentOf([...inEach(gone), ...inEach(kept)].join(''), hasSanitizer);
    expect(await html()).toBe(`${kept} `);
    expect(faults).toEqual([]);
  });

  it('makes links of frames and players, which name their host', async () => {
    const frames = [
      '<iframe src="https://www.youtube.com/embed/a-1?start=3" title="Le &quot;four&quot;">old</iframe>',
      '<IFRAME data-src=//player.vimeo.com/video/12 src="about:blank"></IFRAME>',
      '<video poster="/a.jpg"><source src="https://files.example/la brioche.mp4"><p>old</p></video>',
      `<iframe title='a src="/b"' src="https://maps.example/?q=L'Épi, Lyon"></iframe><embed src=https://a.example/l'a'b>`,
      '<object data="https://maps.example/x"><p>Plan</p></object><iframe></iframe><embed src="data:text/html,x">',
    ];
    const { page, faults } = await contentOf(frames.join(''), hasSanitizer);
    const links = page.locator('[part=content] a');
    expect(await links.evaluateAll((all) => all.map((link) => [link.getAttribute('href'), link.textContent]))).toEqual([
      ['https://www.youtube.com/watch?v=a-1', 'See on youtube.com: Le "four"'],
      ['https://player.vimeo.com/video/12', 'See on player.vimeo.com'],
      ['https://files.example/la%20brioche.mp4', 'See on files.example'],
      ['https://maps.example/?q=L%27%C3%89pi,%20Lyon', 'See on maps.example: a src="/b"'],
      ["https://a.example/l'a'b", 'See on a.example'],
      ['https://maps.example/x', 'See on maps.example'],
    ]);
    expect(await page.locator('[part=content]').textContent()).not.toContain('old');
    expect(await page.locator('[part=content]').textContent()).toContain('Plan');
    expect(faults).toEqual([]);
  });

  it('makes the policy of the page report nothing', async () => {
    const { html, faults } = await contentOf(STYLED, hasSanitizer);
    expect(await html()).toContain('<p title="my style = bold">a</p><p>b</p><img');
    expect(await html()).toContain('href="https://a.example/style=1"');
    expect(await html()).toContain('<p>the style = 1 and onion=2</p>');
    expect(faults).toEqual([]);
  });

  it('finds a fragment within the article, and keeps the address', async () => {
    const html = `<p><a href="#fin">Fin</a></p>${'<p>Le pain.</p>'.repeat(200)}<h2><a name="fin">Fin</a></h2>`;
    const { page, url } = await contentOf(html, hasSanitizer);
    await page.getByRole('link', { name: 'Fin' }).click();
    await expect.poll(() => page.evaluate(() => scrollY > innerHeight)).toBe(true);
    expect(page.url()).toBe(`${url}/`);
  });

  // In quadratic time, the page would hang for minutes.
  it.each(['a', '"x"', 'on'])('of a tag with a very long run of %j takes linear time', async (piece) => {
    const run = piece.repeat(200_000);
    const { html } = await contentOf(`<p>before</p><x/${run}><a${run}${run}`, hasSanitizer);
    expect(await html()).toBe('<p>before</p>');
  });

  it('of an article without a text shows nothing', async () => {
    expect(await (await contentOf('', hasSanitizer)).html()).toBe('');
  });
});

const KEPT = `<h1>Un</h1><h2 id="deux">Deux</h2><h6>Six</h6><p lang="en" dir="ltr">a <b>b</b> <em>c</em><br>d</p><ol type="a" start="2" reversed><li value="3">e</li></ol><p><a href="https://example.com/a?b=1#c" title="t">f</a> <a href="mailto:a@example.com">g</a> <a href="/h">h</a></p><figure><img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" data-lazy-src="https://pictures.example/a.jpg" width="16" height="9"><figcaption>i</figcaption></figure><table><tbody><tr><th scope="row" colspan="2">j</th></tr></tbody></table><font color="red">k</font><blockquote><p>l <cite>m</cite></p></blockquote><ul><li>n</li></ul>`;
const SHOWN = [
  '<h3 part="content-heading">Un</h3><h3 id="deux" part="content-heading">Deux</h3><h6>Six</h6>',
  '<p lang="en" dir="ltr">a <b>b</b> <em>c</em><br>d</p><ol type="a" start="2" reversed=""><li value="3">e</li></ol>',
  '<p><a href="https://example.com/a?b=1#c" title="t" part="content-link" rel="noopener">f</a> ',
  '<a href="mailto:a@example.com" part="content-link" rel="noopener">g</a> ',
  '<a href="/h" part="content-link" rel="noopener">h</a></p>',
  '<figure><img src="https://pictures.example/a.jpg" width="16" height="9" part="content-image" loading="lazy" decoding="async" alt=""><figcaption>i</figcaption></figure>',
  '<div tabindex="0" role="group" aria-label="Table" part="content-table"><table><tbody><tr><th scope="row" colspan="2">j</th></tr></tbody></table></div>',
  '<font>k</font><blockquote><p>l <cite>m</cite></p></blockquote><ul><li>n</li></ul>',
].join('');
/** What editors write. A strict page would report each of these attributes. */
const STYLED = `<style>p { color: red }</style><p style="text-align: center" title="my style = bold">a</p><p class='x' style='color:red'onclick="b()">b</p><img src="https://pictures.example/a.jpg" onload=go() style=width:1px><a href=https://a.example/style=1>c</a><p>the style = 1 and onion=2</p>`;
