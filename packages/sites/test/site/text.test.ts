import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerpt, readingTime } from '../../src/site/index.js';
import { hostile } from './support.js';

describe('excerpt', () => {
  it.each([
    ['<h2>Le levain</h2><p>Il vit.</p>', 'Le levain Il vit.'],
    ['un<br>deux<br/>trois', 'un deux trois'],
    ['pré<b>par</b>er, H<sub>2</sub>O', 'préparer, H2O'],
    ['<!-- non --><p>oui</p><script>non()</script><style>p{}</style>', 'oui'],
    ['<script>if (a < b) "</p>"</script>oui', 'oui'],
    ['<SCRIPT type="x">non</SCRIPT >oui', 'oui'],
    ['<script-x>oui</script-x>', 'oui'],
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
    [
      '&#0;&#xD800;&#x110000;&#99999999999999999999;&inconnu;&constructor;&__proto__;',
      '&inconnu;&constructor;&__proto__;',
    ],
    ['  a\n\t b \u2028 c&#10;d ', 'a b c d'],
    ['« pain »\u202f! 10\u00a0000\u00a0€', '« pain »\u202f! 10\u00a0000\u00a0€'],
    ['a&nbsp; b', 'a b'],
    ['', ''],
    [null, ''],
    [undefined, ''],
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
  it.each([
    '<',
    '<a',
    '<a "',
    "<a ='",
    '<!--',
    '<!',
    '<script ',
    '<script ></script',
    '</',
    '&',
    '&#',
    '&a',
    '= ',
    '\u00a0',
    ' \u00a0',
    '…',
  ])('takes linear time for a long run of %j', (piece) => {
    expect([...excerpt(piece.repeat(300_000))].length).toBeLessThanOrEqual(160);
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
    [undefined, 0],
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
