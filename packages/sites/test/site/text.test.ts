import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerpt, readingTime } from '../../src/site/index.js';
import { hostile } from './support.js';

describe('excerpt', () => {
  it.each([
    // What is said first: no title, no contents, no table.
    ['<h2>Le levain</h2><p>Il vit.</p>', 'Il vit.'],
    ['<h2>Le levain</h2>Il vit.<h2>Le four</h2><p>b</p>', 'Il vit. b'],
    ['<p>a</p><table><tr><td>b</td></tr></table><ul><li>c</li></ul><figure>d</figure><h3>e</h3>f', 'a c f'],
    ['<p>a</p><h2>b', 'a'],
    ['<h2>Sommaire</h2><ul><li><a href="#a">Article 1</a></li></ul><p><a href="#b">2</a></p><p>Texte</p>', 'Texte'],
    [
      '<ul><li>a<ul><li>b</li></ul></li></ul><figure><img><figcaption>c</figcaption></figure><p><b>Il</b> vit',
      'Il vit',
    ],
    ['<p>&nbsp;</p><p><a href="#a">Lisez</a> ceci</p>', 'Lisez ceci'],
    ['<h2>Titre</h2><ul><li>un</li></ul>', 'Titre un'],
    // What is no part of a sentence.
    ['en 1924<sup><a href="#fn1">1</a></sup>, à', 'en 1924, à'],
    ['en 1924<sup id="r"><a href="/a#n">1</a>, <a href="#o">2</a></sup>.', 'en 1924.'],
    ['en 1924<sup>[1]</sup>, 1925<sup> (2) </sup>, 1926<sup>*</sup>', 'en 1924, 1925, 1926'],
    [
      'en 1924<a href="#n"><sup>1</sup></a>, 1925<a href=\'#n\'>2</a>, 1926<a href=#n><span>[3]</span></a>',
      'en 1924, 1925, 1926',
    ],
    ['Voir l’article <a href="#a3">3</a> <a href="#r1">↩</a>', 'Voir l’article 3'],
    ['<p><a data-href="#a" href="/a">Le four</a></p><p>a<a data-href="#b" href="/b">1</a></p>', 'Le four a1'],
    ['le 1<sup>er</sup> mai, 20 m<sup>2</sup>, 10<sup>6</sup>, 1924<sup>1</sup>', 'le 1er mai, 20 m², 10⁶, 1924¹'],
    ['ouvert <del>lundi</del> <S class="a">mardi</S> jeudi, 漢字<rp>(</rp><rt>かんじ</rt>', 'ouvert jeudi, 漢字'],
    ['un<br>deux<br/>trois', 'un deux trois'],
    ['pré<b>par</b>er, H<sub>2</sub>O', 'préparer, H2O'],
    ['<!-- non --><p>oui</p><script>non()</script><style>p{}</style>', 'oui'],
    ['<script>if (a < b) "</p>"</script>oui', 'oui'],
    ['<SCRIPT type="x">non</SCRIPT >oui', 'oui'],
    ['<script-x>oui</script-x>', 'oui'],
    // What browsers show that cannot show the element.
    [
      `${['video', 'audio', 'object', 'canvas', 'iframe'].map((name) => `<${name} a="b">non <i>non</i></${name}>`)}`,
      ', , , ,',
    ],
    ['<img alt="a > b" src=x>oui', 'oui'],
    ['<p title=\'it > 1\' data-x = "<b>">oui</p>', 'oui'],
    ["<p class=x'>oui</p><!doctype html><?php echo 1 ?></>!", 'oui !'],
    ['3 < 4 et 4 > 3, <3', '3 < 4 et 4 > 3, <3'],
    ['fin <p non fermé', 'fin'],
    ['fin <!-- non > fermé', 'fin'],
    ['fin <script > non </p>', 'fin'],
    ['&lt;b&gt; &amp;eacute; &quot;&apos;', '<b> &eacute; "\''],
    ['L&rsquo;&eacute;t&eacute; &agrave; No&euml;l, &Ccedil;a&hellip; &oelig;uf', 'L’été à Noël, Ça… œuf'],
    ['&#233;&#xE9;&#X1F600;', 'éé😀'],
    // HTML takes the numbers from 128 to 159 for those of Windows-1252.
    ['l&#146;atelier, 5&#128;, c&#x9C;ur, &#141;', 'l’atelier, 5€, cœur,'],
    ['n&ordm; 5, &bdquo;a&ldquo; &frac12;', 'nº 5, „a“ ½'],
    ['&copy; a&shy;b &frac12;', '© a\u00adb ½'],
    ['&aring; &times; &szlig;', 'å × ß'],
    [
      '&#0;&#xD800;&#x110000;&#99999999999999999999;&inconnu;&constructor;&__proto__;',
      '&inconnu;&constructor;&__proto__;',
    ],
    ['  a\n\t b \u2028 c&#10;d ', 'a b c d'],
    ['« pain »\u202f! 10\u00a0000\u00a0€', '« pain »\u202f! 10\u00a0000\u00a0€'],
    ['a&nbsp; b', 'a b'],
    ['', ''],
    [null, ''],
  ])('reads %j', (html, text) => {
    expect(excerpt(html)).toBe(text);
  });

  it.each([
    ['un deux trois', 13, 'un deux trois'],
    ['un deux trois', 12, 'un deux…'],
    ['un deux trois', 8, 'un deux…'],
    ['un deux trois', 7, 'un…'],
    ['un, deux trois', 6, 'un…'],
    ['cela coûte 10\u00a0000\u00a0€ par an', 17, 'cela coûte…'],
    ['il dit «\u00a0bonjour\u00a0» ici', 12, 'il dit…'],
    ['vraiment\u00a0! oui ou non', 16, 'vraiment\u00a0! oui…'],
    ['anticonstitutionnellement', 5, 'anti…'],
    ['😀😀😀😀', 3, '😀😀…'],
    // A sign of several code points: a family, a flag, letters with accents of their own.
    ['👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', 8, '👨‍👩‍👧…'],
    ['🇫🇷🇩🇪🇮🇹', 4, '🇫🇷…'],
    ['e\u0301e\u0301e\u0301e\u0301', 4, 'e\u0301…'],
    // Words without spaces.
    ['東京都は日本の首都であり、世界最大の都市です。', 10, '東京都は日本の首都…'],
    ['NHK 東京都は日本の首都であり、世界', 12, 'NHK 東京都は日本の…'],
    ['ภาษาไทยง่ายนิดเดียว', 9, 'ภาษาไทย…'],
    ['un deux', 1, '…'],
    ['un deux', 0, '…'],
  ])('cuts %j at %d code points', (html, max, text) => {
    expect(excerpt(html, { max })).toBe(text);
  });

  it('has at most 160 code points', () => {
    const text = excerpt(`<p>${'mot '.repeat(100)}</p>`);
    expect(text).toBe(`${'mot '.repeat(39)}mot…`);
  });

  it('never has more code points than asked for, no broken character and no line break', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 40 }), (html, max) => {
        const text = excerpt(html, { max });
        expect([...text].length).toBeLessThanOrEqual(max);
        expect(text).not.toMatch(/\p{Cs}|\p{Cc}|[\u2028\u2029]/u);
      }),
    );
  });

  it('reads text that was escaped as it was', () => {
    const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
    fc.assert(
      fc.property(fc.string(), (text) => {
        const once = excerpt(escaped(text), { max: 1000 });
        expect(excerpt(escaped(once), { max: 1000 })).toBe(once);
        expect(once).toBe(text.replace(/\s+/g, ' ').trim());
      }),
    );
  });

  // Each took minutes in quadratic time. The limit of the test is enough for linear time on any machine.
  it.each(
    `<|<a|<a "|<a ='|<!--|<!|<script |<script ></script|</|&|&#|&a|= |\u00a0| \u00a0|…|<sup>|<sup><a href="#">|<ul><li><a href="#a">b</a>|東京|e\u0301`.split(
      '|',
    ),
  )('takes linear time for a long run of %j', (piece) => {
    const text = excerpt(piece.repeat(Math.ceil(1_000_000 / piece.length)), { max: 160 });
    expect([...text].length).toBeLessThanOrEqual(160);
  });

  it('reads large elements', () => {
    const image = `<img src="data:image/png;base64,${'A'.repeat(20_000_000)}">`;
    expect(excerpt(`${image}<p>oui</p>`)).toBe('oui');
    // Engines keep a place to go back to for each attribute: two million of them are too many for V8, sometimes.
    expect(excerpt(`oui <a ${'x=1 '.repeat(200_000)}`)).toBe('oui');
  });
});

describe('readingTime', () => {
  it.each([
    [null, 0],
    ['', 0],
    ['<p> </p><img alt="deux mots">', 0],
    ['<p>—</p>', 0],
    ['un', 1],
    ['<p>mot</p>'.repeat(200), 1],
    ['<p>l’eau, 10 € !</p>'.repeat(101), 2],
  ])('of %s', (html, minutes) => {
    expect(readingTime(html)).toBe(minutes);
  });
});
