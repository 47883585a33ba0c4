// What the texts of both templates go through, before and after `sanitize`.
import { afterEach, describe, expect, it } from 'vitest';
import { wordsFor } from '../../src/element/words.js';
import * as content from '../../templates/astro/src/content.js';
import { site } from '../../templates/astro/src/site.js';
import { wordsOf } from '../../templates/astro/src/words.js';

describe('figures that have lost their picture', () => {
  it.each([
    ['<p>a</p><figure></figure><p>b</p>', '<p>a</p><p>b</p>'],
    ['<figure> <figcaption>Le four</figcaption> </figure><p>b</p>', '<p>b</p>'],
    ['<figure><figcaption>Le <em>four</em></figcaption></figure>', ''],
    ['<figure><img src="a.png"><figcaption>Le four</figcaption></figure>', undefined],
    ['<figure><figcaption>Prix</figcaption><table><tr><td>1</td></tr></table></figure>', undefined],
    // A caption may stand first: what follows up to the next caption is no caption.
    [
      '<figure><figcaption>Four</figcaption><img src="a.png"></figure><h2>La recette</h2><p>Texte</p><figure><img src="b.png"><figcaption>Pain</figcaption></figure><p>Fin.</p>',
      undefined,
    ],
  ])('%s', (html, expected = html) => {
    const images = content.imagesIn(html).map(({ tag }) => tag);
    expect(content.finished(html, images)).toBe(expected);
  });

  it('leaves 20 000 figures as they are', () => {
    // A caption that could reach to the end of the text made this quadratic.
    const html = '<figure><figcaption>Four</figcaption><img src="a.png"></figure>'.repeat(20_000);
    expect(content.finished(html, Array(20_000).fill('<img src="a.png">'))).toBe(html);
  });
});

it('empty paragraphs and headings of word processors leave no hole', () => {
  const html = '<p>a</p><p dir="rtl">&nbsp;</p><p> <br /></p><h2></h2><h3 lang="fr"> </h3><pre></pre><p>b</p>';
  expect(content.finished(html, [])).toBe('<p>a</p><pre></pre><p>b</p>');
});

it.each([
  ['1232', '2232'],
  ['446532', '223322'],
  ['2534', '2334'],
])('headings of the levels %s are of %s, so that none is left out', (written, shown) => {
  expect([...written].map(Number).map(content.headingLevels()).join('')).toBe(shown);
});

it('a teaser does not read out the links of frames', () => {
  expect(content.withoutEmbeds('<a class="embed" href="https://a.org/">Voir</a><p>Avant</p>')).toBe('<p>Avant</p>');
});

describe('addresses', () => {
  afterEach(() => {
    site.base = undefined;
  });

  it.each([
    ['https://a.org/a.jpg', 'https://a.org/a.jpg'],
    ['http://a.org/a.jpg', 'https://a.org/a.jpg'],
    ['//cdn.a.org/a.jpg', 'https://cdn.a.org/a.jpg'],
    ['/a b.jpg', 'https://old.example.org/a%20b.jpg'],
    ['a.jpg', 'https://old.example.org/blog/a.jpg'],
    ['', undefined],
    [null, undefined],
    ['data:image/png;base64,AA', undefined],
    ['javascript:alert(1)', undefined],
    ['http://127.0.0.1/a.jpg', undefined],
    ['http://localhost:3000/a.jpg', undefined],
    ['http://[::1]/a.jpg', undefined],
    ['https://', undefined],
  ])('%s is %s', (address, expected) => {
    site.base = 'https://old.example.org/blog/';
    expect(content.webAddress(address)).toBe(expected);
  });

  it('without a base are those of the site', () => {
    expect(content.webAddress('/a.jpg')).toBe(`${site.url}a.jpg`);
  });
});

describe('a frame', () => {
  it.each([
    [
      'https://www.youtube.com/embed/a-_1?start=3',
      'https://www.youtube.com/watch?v=a-_1',
      'https://www.youtube-nocookie.com/embed/a-_1?start=3',
      'YouTube',
    ],
    ['//player.vimeo.com/video/12', 'https://vimeo.com/12', 'https://player.vimeo.com/video/12', 'Vimeo'],
    [
      'https://www.dailymotion.com/embed/video/x1',
      'https://www.dailymotion.com/video/x1',
      'https://www.dailymotion.com/embed/video/x1',
      'Dailymotion',
    ],
    ['https://www.maps.org/x', 'https://www.maps.org/x', 'https://www.maps.org/x', 'maps.org'],
  ])('%s becomes a link that names its host', (src, href, frame, name) => {
    expect(content.embedOf({ src, title: ' Le four ' })).toEqual({
      attribs: { class: 'embed', href, rel: 'noopener', 'data-embed': frame },
      text: `Voir sur ${name} : Le four`,
    });
  });

  it.each([{}, { src: '' }, { src: 'about:blank' }, { src: 'javascript:x' }, { srcdoc: '<p>' }])(
    '%j has nothing to show',
    (attributes) => {
      expect(content.embedOf(attributes as Record<string, string>)).toBeUndefined();
    },
  );

  it('that loads late keeps its address', () => {
    expect(content.embedOf({ src: 'about:blank', 'data-src': 'https://vimeo.com/1' })?.attribs.href).toBe(
      'https://vimeo.com/1',
    );
  });

  it('of a host that the site does not name stays a link', () => {
    const link = (host: string) => `<a class="embed" href="https://x/" data-embed="https://${host}/1">Voir</a>`;
    const bare = '<a class="embed" href="https://x/">Voir</a>';
    const texts = ['player.vimeo.com', 'evil.example', 'constructor'].map((host) => content.finished(link(host), []));
    expect(texts).toEqual([link('player.vimeo.com'), bare, bare]);
    // In a text, it is no attribute.
    expect(content.finished('<p> data-embed="x"</p>', [])).toBe('<p> data-embed="x"</p>');
  });

  it('loses what it holds for old browsers, and an object keeps it', () => {
    const html = content.withPlainFrames(
      '<iframe src="a">old <b>one</b></iframe>b<object data="c"><p>d</p></object><IFRAME>e</IFRAME>',
    );
    expect(html).toBe('<iframe src="a"></iframe>b<object data="c"><embed data="c"><p>d</p></object><IFRAME></IFRAME>');
    expect(
      content.withPlainFrames('<iframe title="a > b">c</iframe>d<iframe src="e" />f<object title=\'g > h\'>'),
    ).toBe(
      '<iframe title="a > b"></iframe>d<iframe src="e" ></iframe>f<object title=\'g > h\'><embed title=\'g > h\'>',
    );
    for (const open of ['<iframe>', '<iframe "', '<object a="b>']) {
      expect(content.withPlainFrames(open.repeat(50_000))).toBe(open.repeat(50_000));
    }
  });
});

it('a player loads nothing before a click', () => {
  expect(content.playerAttributes({ src: '/a.mp4', autoplay: '', width: '3' })).toEqual({
    autoplay: '',
    width: '3',
    src: `${site.url}a.mp4`,
    controls: '',
    preload: 'none',
  });
});

it('the report has one line for all pictures, with their articles', () => {
  expect(content.missingReport()).toBeUndefined();
  content.noteMissing(9, '//cdn/a.jpg');
  content.noteMissing(2, 'b.jpg');
  content.noteMissing(2, 'c.jpg');
  content.noteMissing(2, 'b.jpg');
  expect(content.missingReport()).toBe(
    '3 pictures could not be loaded: article 9 (//cdn/a.jpg); article 2 (b.jpg, c.jpg)',
  );
  for (let id = 11; id <= 20; id++) content.noteMissing(id, 'd.jpg');
  expect(content.missingReport()).toMatch(/^13 pictures .*; article 11 \(d\.jpg\); and those of 2 more articles$/);
});

it('words are those of the language, and English where there are none', () => {
  expect(
    ['fr', 'fr-CA', 'en-GB', 'pt', 'de-CH', 'es-MX', 'it', 'nl'].map((language) => wordsOf(language).home),
  ).toEqual([
    'Retour à l’accueil',
    'Retour à l’accueil',
    'Back to the home page',
    'Back to the home page',
    'Zur Startseite',
    'Volver al inicio',
    'Torna alla pagina iniziale',
    'Naar de startpagina',
  ]);
});

it.each(['fr', 'en', 'de', 'es', 'it', 'nl'])('the component has the words of the templates: %s', (language) => {
  const element = { matches: (selector: string) => selector === `:lang(${language})`, getAttribute: () => null };
  const [words, own] = [wordsOf(language), wordsFor(element as unknown as Element)];
  const spoken = [own.table, own.back, own.minutes(5), own.watch('vimeo.com', 'Le four')];
  const written = [words.table, words.latest, words.readingTime(5), words.watch('vimeo.com', 'Le four')];
  expect(spoken.map((text) => text.replaceAll('\u00a0', ' '))).toEqual(
    written.map((text) => text.replaceAll('\u00a0', ' ')),
  );
});
